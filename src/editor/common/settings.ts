import * as vscode from 'vscode';
import { fullId, SECTION, type Settings } from './contributions.ts';

/** The value of a setting of this extension, for a workspace folder where it may differ from one to the other. */
export function setting<K extends keyof Settings>(key: K, folder?: vscode.WorkspaceFolder): Settings[K] {
	return vscode.workspace.getConfiguration(SECTION, folder?.uri).get(key) as Settings[K];
}

/** Calls back when one of these settings has changed. */
export function onDidChangeSetting(keys: readonly (keyof Settings)[], listener: () => void): vscode.Disposable {
	return vscode.workspace.onDidChangeConfiguration((event) => {
		if (keys.some((key) => event.affectsConfiguration(fullId(key)))) {
			listener();
		}
	});
}
