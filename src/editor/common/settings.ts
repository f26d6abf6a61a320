import * as vscode from 'vscode';
import { fullId, SECTION, type Settings } from './contributions.ts';

/**
 * Value of a setting of this extension.
 * @param folder for settings that can differ between workspace folders
 */
export function setting<K extends keyof Settings>(key: K, folder?: vscode.WorkspaceFolder): Settings[K] {
	return vscode.workspace.getConfiguration(SECTION, folder?.uri).get(key) as Settings[K];
}

/** Calls the listener when one of these settings changes. */
export function onDidChangeSetting(keys: readonly (keyof Settings)[], listener: () => void): vscode.Disposable {
	return vscode.workspace.onDidChangeConfiguration((event) => {
		if (keys.some((key) => event.affectsConfiguration(fullId(key)))) {
			listener();
		}
	});
}
