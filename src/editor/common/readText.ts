import * as vscode from 'vscode';

/** Text of a file, or the reason why it cannot be read. Neither if the file does not exist. */
export async function readText(file: vscode.Uri | undefined): Promise<{ text?: string; failure?: string }> {
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
