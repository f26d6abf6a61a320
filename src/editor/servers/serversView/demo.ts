import * as vscode from 'vscode';
import { fullId } from '../../common/contributions.ts';
import { loadConfig } from '../../common/loadConfig.ts';
import { showError } from '../../common/notices.ts';
import type { ConfiguredServer } from '../configuration.ts';
import type { Servers } from '../servers.ts';

/** The demo server of the package, once per era: the same tools, asked over sessions and over stateless rounds. */
export async function demoServers(extensionUri: vscode.Uri): Promise<ConfiguredServer[]> {
	const { readServers } = await loadConfig();
	const base = {
		command: process.execPath,
		args: [vscode.Uri.joinPath(extensionUri, 'dist', 'demo.mjs').fsPath],
		// The editor's own runtime is plain Node only when told so.
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

/** The command `startDemo`: one click to servers that ask every kind of question, one more to the first one. */
export function registerDemo(extensionUri: vscode.Uri, servers: Servers): vscode.Disposable {
	return vscode.commands.registerCommand(fullId('startDemo'), async () => {
		try {
			const demo = await demoServers(extensionUri);
			await servers.add(demo);
			await Promise.all(demo.map(({ name }) => servers.start(name)));
			await vscode.commands.executeCommand(`${fullId('servers')}.focus`);
			// It asks for a tool, which whoever started the demo wants to call; nobody waits for what comes of it.
			void vscode.commands.executeCommand(fullId('callTool'), demo[0]?.name);
		} catch (error) {
			showError(error);
		}
	});
}
