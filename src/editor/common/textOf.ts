import * as vscode from 'vscode';

/** The text of a file; neither when there is no such file. */
export async function textOf(file: vscode.Uri | undefined): Promise<{ text?: string; failure?: string }> {
	if (!file) {
		return {};
	}
	try {
		return { text: new TextDecoder().decode(await vscode.workspace.fs.readFile(file)) };
	} catch (error) {
		const missing =
			error instanceof vscode.FileSystemError &&
			['FileNotFound', 'FileIsADirectory', 'FileNotADirectory'].includes(error.code);
		return missing || !(error instanceof Error) ? {} : { failure: error.message };
	}
}
