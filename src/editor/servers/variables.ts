import { homedir } from 'node:os';
import { isAbsolute, join, sep } from 'node:path';
import * as vscode from 'vscode';
import type { ServerDefinition } from '../../config/definition.ts';
import type { VariableSource } from '../../config/variables.ts';
import type { Source } from './configSource.ts';

/** The settings that definitions have been found to use, as `${config:key}`. */
const used = new Set<string>();

/** Whether a change is one of a setting that a definition uses. */
export function affectsVariables(event: vscode.ConfigurationChangeEvent): boolean {
	return [...used].some((key) => event.affectsConfiguration(key));
}

/** Where the values of variables come from, for what is defined in this place. Inputs are asked for elsewhere. */
export function variablesOf(source: Source): VariableSource {
	const folder = source.kind === 'demo' ? undefined : source.folder;
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
		input: () => undefined,
		shell: source.kind !== 'demo' && source.shape.shell,
	};
}

/**
 * A program of a workspace runs in its folder; one of the user's own settings in their home folder, so that it is the same
 * whatever folder is open. A relative `cwd` is relative to the folder in either case.
 */
export function inFolder<T extends ServerDefinition>(definition: T, source: Source): T {
	if (definition.type !== 'stdio' || source.kind === 'demo') {
		return definition;
	}
	const folder = source.folder?.uri.scheme === 'file' ? source.folder.uri.fsPath : homedir();
	const { cwd } = definition;
	const base = source.kind === 'user' ? homedir() : folder;
	return { ...definition, cwd: cwd === undefined ? base : isAbsolute(cwd) ? cwd : join(folder, cwd) };
}
