import * as vscode from 'vscode';
import type { JsonPath } from '../../../config/problem.ts';
import { reveal } from '../../common/jsonDiagnostics.ts';
import { localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import type { ConfigSource } from '../../common/serverEntry.ts';
import type { Configuration } from '../configuration.ts';

/** Argument of the command when it is run from a view: a server, and the part of its definition to reveal. */
export interface DefinitionTarget {
	readonly server: string;
	/** The config source, if it is not the effective one. */
	readonly place?: string;
	readonly path?: JsonPath;
}

/** Opens the file that defines a server, at the definition. */
export async function showDefinition(
	configuration: Configuration,
	{ server, place, path = [] }: DefinitionTarget,
): Promise<void> {
	const configured = configuration.servers.find(({ name }) => name === server);
	const source = configuration.sources.find(({ source: { uri } }) => uri === (place ?? configured?.source.uri))?.source;
	if (!source) {
		void notify(
			'information',
			localizeNative('"{0}" is included with this extension; there is no file to show.', server),
		);
		return;
	}
	const editor = await open(source);
	if (editor) {
		reveal(editor, [...source.shape.servers, server, ...path]);
	}
}

async function open({ kind, file }: ConfigSource): Promise<vscode.TextEditor | undefined> {
	if (file) {
		return vscode.window.showTextDocument(file);
	}
	// VS Code has commands to open its settings.
	const command = kind === 'user' ? 'workbench.action.openSettingsJson' : 'workbench.action.openWorkspaceSettingsFile';
	await vscode.commands.executeCommand(command);
	return vscode.window.activeTextEditor;
}
