import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../../harness/paths.mjs';
import { testServer } from '../../harness/testServers.mjs';

const require = createRequire(import.meta.url);

/** An entry of the setting `mcpElicitation.servers`. */
export type Definition = Readonly<Record<string, unknown>>;

const EVERYTHING = join(
	dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')),
	'dist/index.js',
);

/** A program of test/servers over stdio. */
export function program(script: 'raw' | 'releases' | 'sdk1' | 'sdk2' | 'tasks', ...args: string[]): Definition {
	return { command: process.execPath, args: [testServer(`${script}.mjs`), ...args] };
}

/** The built demo server, pinned to a revision. */
export function demo(protocolVersion: '2025-11-25' | '2026-07-28'): Definition {
	return { command: process.execPath, args: [join(root, 'dist/demo.mjs')], protocolVersion };
}

/** The official reference server over stdio. */
export const everything: Definition = { command: process.execPath, args: [EVERYTHING, 'stdio'] };

/** Settings that define servers. Machine settings need no consent. */
export function servers(definitions: Readonly<Record<string, Definition>>): Record<string, unknown> {
	return { 'mcpElicitation.servers': definitions };
}

const running: ChildProcess[] = [];

export function endServers(): void {
	for (const server of running.splice(0)) {
		server.kill('SIGKILL');
	}
}

/** Starts an HTTP server until the end of the file, and returns its definition. */
export async function overHttp(script: 'sdk1' | 'sdk2' | 'everything'): Promise<Definition> {
	const args = script === 'everything' ? [EVERYTHING, 'streamableHttp'] : [testServer(`${script}.mjs`), '--http', '0'];
	// The reference server does not support port 0.
	const port = 20_000 + (process.pid % 20_000);
	const server = spawn(process.execPath, args, {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, PORT: String(port) },
	});
	running.push(server);
	const said = script === 'everything' ? server.stderr : server.stdout;
	for await (const line of createInterface({ input: said })) {
		const url = /(?:listening|Starting server on) (http:\S+)$/.exec(line)?.[1];
		if (url !== undefined || line.includes(`port ${port}`)) {
			// Keep reading, so that the server doesn't block on a full pipe.
			server.stdout.resume();
			server.stderr.resume();
			return { url: url ?? `http://127.0.0.1:${port}/mcp` };
		}
	}
	throw new Error(`The ${script} server did not start.`);
}
