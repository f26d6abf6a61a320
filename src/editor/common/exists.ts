import * as vscode from 'vscode';

/** True for a file or a folder that is there, as far as the editor can tell. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
	return vscode.workspace.fs.stat(uri).then(
		() => true,
		() => false,
	);
}
