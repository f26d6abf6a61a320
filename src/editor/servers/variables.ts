import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, sep } from 'node:path';
import * as vscode from 'vscode';
import { commandProblems } from '../../config/commandLine.ts';
import { hasUrl, isProgram, type ServerDefinition, type StdioDefinition } from '../../config/definition.ts';
import { effectiveDefinition, missingVariables } from '../../config/launch.ts';
import type { DefinitionProblem } from '../../config/problem.ts';
import type { VariableSource } from '../../config/variables.ts';
import { environmentOf } from '../../mcp/process/environment.ts';
import { findProgram } from '../../mcp/process/program.ts';
import type { Source } from '../common/serverEntry.ts';
import { folderOf } from './configSource.ts';

/** Settings used as `${config:key}` in definitions. */
const used = new Set<string>();

/** True if a setting used in a definition has changed. */
export function affectsVariables(event: vscode.ConfigurationChangeEvent): boolean {
	return [...used].some((key) => event.affectsConfiguration(key));
}

/** Resolves variables for definitions of this source, except inputs, which are asked separately. */
export function variablesOf(source: Source): VariableSource {
	const folder = folderOf(source);
	return {
		workspaceFolder: (name) =>
			(name === undefined ? folder : vscode.workspace.workspaceFolders?.find((candidate) => candidate.name === name))
				?.uri.fsPath,
		userHome: homedir,
		pathSeparator: () => sep,
		environment: (name) => process.env[name],
		configuration: (key) => {
			used.add(key);
			const value = vscode.workspace.getConfiguration(undefined, folder?.uri).get<unknown>(key);
			return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
				? String(value)
				: undefined;
		},
		editor: (name, argument) => {
			switch (name) {
				case 'fileWorkspaceFolder': {
					const file = vscode.window.activeTextEditor?.document.uri;
					return file && vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath;
				}
				case 'execPath':
					return process.env['VSCODE_EXEC_PATH'] ?? process.execPath;
				default:
					return vscode.extensions.getExtension(argument ?? '')?.extensionPath;
			}
		},
		isOfWorkspace: (key) => isSetByWorkspace(key, source),
		input: () => undefined,
		isLiteral: source.kind === 'demo',
		shell: source.kind !== 'demo' && source.shape.shell,
	};
}

/** True for a setting whose value this workspace overrides. */
function isSetByWorkspace(key: string, source: Source): boolean {
	const found = vscode.workspace.getConfiguration(undefined, folderOf(source)?.uri).inspect(key);
	return found?.workspaceValue !== undefined || found?.workspaceFolderValue !== undefined;
}

/**
 * Sets the working directory. A server of a workspace runs in its folder, one of the user settings in the home folder,
 * so that it does not depend on the open folder. A relative `cwd` is relative to that folder.
 */
export function inFolder<T extends ServerDefinition>(definition: T, source: Source): T {
	if (hasUrl(definition) || source.kind === 'demo') {
		return definition;
	}
	const folder = source.folder?.uri.scheme === 'file' ? source.folder.uri.fsPath : homedir();
	const { cwd } = definition;
	const base = source.kind === 'user' ? homedir() : folder;
	return { ...definition, cwd: cwd === undefined ? base : isAbsolute(cwd) ? cwd : join(folder, cwd) };
}

/** Problems of a definition that only this machine knows: variables without a value, and a program that is not there. */
export function problemsHere(definition: ServerDefinition, source: Source): DefinitionProblem[] {
	const variables = variablesOf(source);
	const isThere = () => {
		const located = inFolder(effectiveDefinition(definition, variables).definition, source);
		return isProgram(located) && isProgramThere(located);
	};
	return [...missingVariables(definition, variables), ...commandProblems(definition, isThere)];
}

function isProgramThere({ command, cwd = homedir(), env }: StdioDefinition): boolean {
	const file = findProgram(command, { cwd, env: environmentOf(env) });
	return file !== undefined && existsSync(file);
}
