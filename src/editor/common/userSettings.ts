import * as vscode from 'vscode';
import { exists } from './files.ts';

/** Files of the user's settings. VS Code has no API for them, so some may be unknown. */
export interface UserSettings {
	readonly local: vscode.Uri | undefined;
	/** On the remote machine, in a remote window. */
	readonly remote: vscode.Uri | undefined;
}

const SCHEME = 'vscode-userdata';

/** @param globalStorageUri the extension's global storage folder; the settings are in a folder next to it */
export async function userSettings(globalStorageUri: vscode.Uri): Promise<UserSettings> {
	const data = (...path: string[]) => vscode.Uri.joinPath(globalStorageUri, '..', '..', ...path);
	const { remoteName } = vscode.env;
	const open = vscode.workspace.textDocuments.find(({ uri }) => isUserSettings(uri))?.uri;
	return {
		local: open ?? (await findUserSettings(data('settings.json'))),
		remote: remoteName === undefined ? undefined : data('..', 'Machine', 'settings.json'),
	};
}

/** @param localUri where the settings are if this extension runs on the machine that stores them */
async function findUserSettings(localUri: vscode.Uri): Promise<vscode.Uri | undefined> {
	const { remoteName, uiKind } = vscode.env;
	if (remoteName === undefined) {
		return localUri.with({ scheme: SCHEME });
	}
	if (await exists(localUri)) {
		return localUri;
	}
	return uiKind === vscode.UIKind.Web ? vscode.Uri.from({ scheme: SCHEME, path: '/User/settings.json' }) : undefined;
}

/** True if this is the URI of a user settings file, as VS Code names it. */
export function isUserSettings({ scheme, path }: vscode.Uri): boolean {
	return scheme === SCHEME && path.endsWith('/settings.json');
}
