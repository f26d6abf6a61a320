import * as vscode from 'vscode';
import { readServers } from '../../config/readDefinition.ts';
import { STATELESS } from '../../elicitation/revisions.ts';
import { fullId } from '../common/contributions.ts';
import type { ConfiguredServer } from '../common/serverEntry.ts';
import type { Servers } from './servers.ts';

/** Lists the demo server again, if one of its names is that of a server that no settings define. */
export async function addDemoNamed(server: string, extensionUri: vscode.Uri, servers: Servers): Promise<void> {
	const demo = await demoServers(extensionUri, servers);
	if (demo.some(({ name }) => name === server)) {
		servers.add(demo);
	}
}

const DEMO = 'demo';

/** The demo server, once per protocol era: the same tools, over sessions and over stateless round trips. */
async function demoServers(extensionUri: vscode.Uri, servers: Servers): Promise<ConfiguredServer[]> {
	await servers.settled;
	const base = ownProgram(extensionUri, 'demo.mjs');
	return ownServers(DEMO, {
		[freeName('demo', DEMO, servers)]: { ...base, protocolVersion: STATELESS },
		[freeName('demo (2025-11-25)', DEMO, servers)]: { ...base, protocolVersion: '2025-11-25' },
	});
}

/**
 * A name that no other server has: a server of the settings takes precedence over one that comes with this extension.
 * @param uri identifies what defines the server
 */
export function freeName(base: string, uri: string, servers: Servers): string {
	for (let count = 1; ; count++) {
		const name = count === 1 ? base : `${base} ${count}`;
		const known = servers.get(name);
		if (!known || known.configured.source.uri === uri) {
			return name;
		}
	}
}

/** How to run a program that comes with this extension. */
export function ownProgram(extensionUri: vscode.Uri, file: string, ...args: readonly string[]): object {
	return {
		command: process.execPath,
		args: [vscode.Uri.joinPath(extensionUri, 'dist', file).fsPath, ...args],
		// VS Code's runtime acts as plain Node.js only with this variable.
		env: { ELECTRON_RUN_AS_NODE: '1' },
	};
}

/**
 * Servers that come with this extension, from their definitions by name.
 * @param uri identifies what defines them
 */
export function ownServers(uri: string, definitions: Record<string, object>): ConfiguredServer[] {
	const { servers } = readServers(definitions);
	return servers.map((definition) => ({
		name: definition.name,
		source: { kind: 'demo', uri },
		definition,
		problems: [],
		inputs: [],
		others: [],
	}));
}

/**
 * The command `startDemo`: starts the demo server and calls its tool of this name, or offers its tools. The server of
 * the older era is only listed, because two servers with the same tools would confuse.
 */
export async function startDemo(extensionUri: vscode.Uri, servers: Servers, tool: unknown): Promise<void> {
	await startOwn(servers, await demoServers(extensionUri, servers), tool);
}

/** Lists servers, starts the first one, and calls its tool of this name, or offers its tools. */
export async function startOwn(servers: Servers, own: readonly ConfiguredServer[], tool?: unknown): Promise<void> {
	servers.add(own);
	const name = own[0]?.name ?? '';
	await servers.start(name);
	await vscode.commands.executeCommand(`${fullId('servers')}.focus`);
	// Prompts for the user's input. Not awaited, because nothing depends on the result.
	void vscode.commands.executeCommand(fullId('callTool'), name, tool);
}
