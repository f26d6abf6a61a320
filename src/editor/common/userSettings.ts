import * as vscode from 'vscode';

/** The files in which the user's own settings stand; the editor does not tell, so that some may stay unknown. */
export interface UserSettings {
	readonly local: vscode.Uri | undefined;
	/** On the other machine, where this window is a remote one. */
	readonly remote: vscode.Uri | undefined;
}

const SCHEME = 'vscode-userdata';

/** @param globalStorageUri the folder that the editor keeps for this extension, which lies beside the settings */
export async function userSettings(globalStorageUri: vscode.Uri): Promise<UserSettings> {
	const data = (...path: string[]) => vscode.Uri.joinPath(globalStorageUri, '..', '..', ...path);
	const { remoteName } = vscode.env;
	const open = vscode.workspace.textDocuments.find(({ uri }) => isUserSettings(uri))?.uri;
	return {
		local: open ?? (await guess(data('settings.json'))),
		remote: remoteName === undefined ? undefined : data('..', 'Machine', 'settings.json'),
	};
}

/** @param beside where the settings are if this extension runs where they are kept */
async function guess(beside: vscode.Uri): Promise<vscode.Uri | undefined> {
	const { remoteName, uiKind } = vscode.env;
	if (remoteName === undefined) {
		return beside.with({ scheme: SCHEME });
	}
	const exists = await vscode.workspace.fs.stat(beside).then(
		() => true,
		() => false,
	);
	if (exists) {
		return beside;
	}
	return uiKind === vscode.UIKind.Web ? vscode.Uri.from({ scheme: SCHEME, path: '/User/settings.json' }) : undefined;
}

/** True for a file with the user's own settings, as the editor names it. */
export function isUserSettings({ scheme, path }: vscode.Uri): boolean {
	return scheme === SCHEME && path.endsWith('/settings.json');
}
