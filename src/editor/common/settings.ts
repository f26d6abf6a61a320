import * as vscode from 'vscode';
import { isObject } from '../../elicitation/json.ts';
import { fullId, SECTION, type Settings } from './contributions.ts';

/**
 * Value of a setting of this extension.
 * @param folder for settings that can differ between workspace folders
 */
export function setting<K extends keyof Settings>(key: K, folder?: vscode.WorkspaceFolder): Settings[K] {
	return vscode.workspace.getConfiguration(SECTION, folder?.uri).get(key) as Settings[K];
}

/** What the editor keeps under a key: an object, or a list of texts, as the fallback is. What is damaged is as good as none. */
export function kept<T extends object>(memory: vscode.Memento, key: string, fallback: T): T {
	const value = memory.get<unknown>(key);
	const isSound = Array.isArray(fallback)
		? Array.isArray(value) && value.every((each) => typeof each === 'string')
		: isObject(value);
	return isSound ? (value as T) : fallback;
}

/** Calls the listener when one of these settings changes. */
export function onDidChangeSetting(keys: readonly (keyof Settings)[], listener: () => void): vscode.Disposable {
	return vscode.workspace.onDidChangeConfiguration((event) => {
		if (keys.some((key) => event.affectsConfiguration(fullId(key)))) {
			listener();
		}
	});
}
