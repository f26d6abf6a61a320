import * as vscode from 'vscode';
import { readBytes, unreadable } from './files.ts';
import { localize } from './localize.ts';

/** Id of the editor that shows recordings, in package.json. */
export const RECORDING_EDITOR = 'mcpElicitation.recording';

/** Larger files are not read (bytes). */
const MAX_FILE = 256 * 1024 * 1024;

/** The recording that a command was run on, the one in the active editor, or those that the user picks. */
export async function chooseRecordings(target: unknown, several: boolean): Promise<readonly vscode.Uri[]> {
	if (target instanceof vscode.Uri) {
		return [target];
	}
	const active = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
	if (!several && active instanceof vscode.TabInputCustom && active.viewType === RECORDING_EDITOR) {
		return [active.uri];
	}
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const picked = await vscode.window.showOpenDialog({
		...(folder && { defaultUri: folder }),
		canSelectMany: several,
		filters: { 'JSON Lines': ['jsonl'] },
		title: localize('Choose an exported timeline (.jsonl)'),
	});
	return picked ?? [];
}

/** Reads the file of a recording. Rejects with an error that can be shown to the user. */
export async function bytesOfRecording(file: vscode.Uri): Promise<Uint8Array> {
	try {
		return await readBytes(file, MAX_FILE);
	} catch (error) {
		throw error instanceof Error ? new Error(unreadable(error, MAX_FILE)) : error;
	}
}
