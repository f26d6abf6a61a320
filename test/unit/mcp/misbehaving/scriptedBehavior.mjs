// @ts-check
/**
 * A peer without any SDK over stdio, revision 2025-11-25, whose behavior at its start is what a file says:
 *
 *   node scriptedBehavior.mjs FILE
 *
 * well: it has the tool `greet` · bad: a word on stderr, then exit code 7 · mute: it never answers anything ·
 * deaf: as well, but neither the end of its input nor SIGTERM makes it leave, nor a child of its own
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const behavior = readFileSync(String(process.argv[2]), 'utf8');
if (behavior === 'bad') {
	process.stderr.write('I do not feel well\n');
	process.exit(7);
}
if (behavior === 'deaf') {
	// Exits after two minutes, so that a failed test leaves no process.
	const stay = `process.on('SIGTERM', () => {}); setTimeout(() => process.exit(), 120_000);`;
	process.on('SIGTERM', () => {});
	setTimeout(() => process.exit(), 120_000);
	spawn(process.execPath, ['-e', stay], { stdio: 'ignore' });
}

/** @type {Record<string, object>} */
const results = {
	initialize: {
		protocolVersion: '2025-11-25',
		capabilities: { tools: {} },
		serverInfo: { name: 'scripted', version: '1.0.0' },
	},
	'tools/list': { tools: [{ name: 'greet', inputSchema: { type: 'object' } }] },
	'tools/call': { content: [{ type: 'text', text: 'Hello' }] },
};

createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method } = JSON.parse(line);
	if (id === undefined || behavior === 'mute') {
		return;
	}
	const answer = Object.hasOwn(results, method)
		? { result: results[method] }
		: { error: { code: -32601, message: 'Method not found' } };
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
