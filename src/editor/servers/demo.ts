import * as vscode from 'vscode';
import { fullId } from '../common/contributions.ts';
import { loadConfig } from '../common/loadConfig.ts';
import { showError } from '../common/notifications.ts';
import type { ConfiguredServer } from './configuration.ts';
import type { Servers } from './servers.ts';

/** Lists the demo server again, if one of its names is that of a server that no settings define. */
export async function addDemoNamed(server: string, extensionUri: vscode.Uri, servers: Servers): Promise<void> {
	const demo = await demoServers(extensionUri);
	if (demo.some(({ name }) => name === server)) {
		await servers.add(demo);
	}
}

/** The demo server, once per protocol era: the same tools, over sessions and over stateless round trips. */
async function demoServers(extensionUri: vscode.Uri): Promise<ConfiguredServer[]> {
	const { readServers } = await loadConfig();
	const base = {
		command: process.execPath,
		args: [vscode.Uri.joinPath(extensionUri, 'dist', 'demo.mjs').fsPath],
		// VS Code's runtime acts as plain Node.js only with this variable.
		env: { ELECTRON_RUN_AS_NODE: '1' },
	};
	const { servers } = readServers({
		demo: { ...base, protocolVersion: '2026-07-28' },
		'demo (2025-11-25)': { ...base, protocolVersion: '2025-11-25' },
	});
	return servers.map((definition) => ({
		name: definition.name,
		source: { kind: 'demo', uri: 'demo' },
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
export function registerDemo(extensionUri: vscode.Uri, servers: Servers): vscode.Disposable {
	return vscode.commands.registerCommand(fullId('startDemo'), async (tool: unknown) => {
		try {
			const demo = await demoServers(extensionUri);
			await servers.add(demo);
			const name = demo[0]?.name ?? '';
			await servers.start(name);
			await vscode.commands.executeCommand(`${fullId('servers')}.focus`);
			// Prompts for the user's input. Not awaited, because nothing depends on the result.
			void vscode.commands.executeCommand(fullId('callTool'), name, tool);
		} catch (error) {
			showError(error);
		}
	});
}
