import * as vscode from 'vscode';
import type { JsonPath } from '../../../config/problem.ts';
import { fullId } from '../../common/contributions.ts';
import { rangeOf } from '../../common/jsonDiagnostics.ts';
import { loadConfig } from '../../common/loadConfig.ts';
import { localizeNative } from '../../common/localize.ts';
import { showError } from '../../common/notices.ts';
import { chooseServer } from '../chooseServer.ts';
import type { ConfigSource } from '../configSource.ts';
import type { Configuration } from '../configuration.ts';
import type { Servers } from '../servers.ts';

/** What the views hand to the command: a server, and where in its definition to look. */
export interface DefinitionTarget {
	readonly server: string;
	/** The place, when it is not the one that counts. */
	readonly place?: string;
	readonly path?: JsonPath;
}

/** The command `showDefinition`: opens the file in which a server is defined, at its line. */
export function registerShowDefinition(servers: Servers, configuration: Configuration): vscode.Disposable {
	return vscode.commands.registerCommand(fullId('showDefinition'), async (target: unknown) => {
		try {
			const server = await chooseServer(servers, target, ({ configured }) => configured.source.kind !== 'demo');
			if (server !== undefined) {
				await show(configuration, { ...(target as Partial<DefinitionTarget>), server });
			}
		} catch (error) {
			showError(error);
		}
	});
}

async function show(configuration: Configuration, { server, place, path = [] }: DefinitionTarget): Promise<void> {
	const configured = configuration.servers.find(({ name }) => name === server);
	const source = configuration.sources.find(({ source: { uri } }) => uri === (place ?? configured?.source.uri))?.source;
	if (!source) {
		void vscode.window.showInformationMessage(
			localizeNative('"{0}" comes with this extension; there is no file to show.', server),
		);
		return;
	}
	const editor = await open(source);
	if (editor) {
		const { placeOf } = await loadConfig();
		const range = rangeOf(placeOf(editor.document.getText(), [...source.shape.servers, server, ...path]));
		editor.selection = new vscode.Selection(range.start, range.end);
		editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
	}
}

async function open({ kind, file }: ConfigSource): Promise<vscode.TextEditor | undefined> {
	if (file) {
		return vscode.window.showTextDocument(file);
	}
	// The editor knows where its settings are, and shows them.
	const command = kind === 'user' ? 'workbench.action.openSettingsJson' : 'workbench.action.openWorkspaceSettingsFile';
	await vscode.commands.executeCommand(command);
	return vscode.window.activeTextEditor;
}
