import * as vscode from 'vscode';
import type { JsonPath } from '../../../config/problem.ts';
import { registerCommand } from '../../common/commands.ts';
import { reveal } from '../../common/jsonDiagnostics.ts';
import { localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import { chooseServer } from '../chooseServer.ts';
import type { ConfigSource } from '../configSource.ts';
import type { Configuration } from '../configuration.ts';
import type { Servers } from '../servers.ts';

/** Argument of the command when it is run from a view: a server, and the part of its definition to reveal. */
export interface DefinitionTarget {
	readonly server: string;
	/** The config source, if it is not the effective one. */
	readonly place?: string;
	readonly path?: JsonPath;
}

/** The command `showDefinition`: opens the file that defines a server, at the definition. */
export function registerShowDefinition(servers: Servers, configuration: Configuration): vscode.Disposable {
	return registerCommand('showDefinition', async (target) => {
		const server = await chooseServer(
			servers,
			target,
			({ configured, temporaryFor }) => configured.source.kind !== 'demo' && temporaryFor === undefined,
		);
		if (server !== undefined) {
			await show(configuration, { ...(target as Partial<DefinitionTarget>), server });
		}
	});
}

async function show(configuration: Configuration, { server, place, path = [] }: DefinitionTarget): Promise<void> {
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
		await reveal(editor, [...source.shape.servers, server, ...path]);
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
