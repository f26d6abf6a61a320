import { readFile, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
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
	// Through the file system of VS Code, each step would take the way to the window and back.
	const isLocal = file.scheme === 'file';
	const found = await (isLocal ? stat(file.fsPath).catch(explainMissing) : vscode.workspace.fs.stat(file));
	// A device has no size, and perhaps no end.
	if ('isFile' in found && !found.isFile()) {
		throw new Error(localize('It is not a file.'));
	}
	if (found.size > MAX_FILE) {
		throw new Error(
			localize('The recording is larger than {0} MB. Export a part of the timeline instead.', MAX_FILE / 2 ** 20),
		);
	}
	return isLocal ? readFile(file.fsPath) : vscode.workspace.fs.readFile(file);
}

/** The tab of a recording may outlive its file. */
function explainMissing(error: NodeJS.ErrnoException): never {
	throw error.code === 'ENOENT' ? new Error(localize('The file does not exist.')) : error;
}
