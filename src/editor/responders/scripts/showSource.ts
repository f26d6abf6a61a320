import * as vscode from 'vscode';
import { reveal } from '../../common/jsonDiagnostics.ts';
import type { ScriptSource } from './sources.ts';

/**
 * Opens the file with scripted answers, at their position.
 * @param index index of the answer to reveal, if there are several
 */
export async function showSource({ file, at, ofWorkspace, answers }: ScriptSource, index?: number): Promise<void> {
	if (!file) {
		// VS Code has commands to open its settings.
		await vscode.commands.executeCommand(
			`workbench.action.${ofWorkspace ? 'openWorkspaceSettingsFile' : 'openSettingsJson'}`,
		);
		return;
	}
	const editor = await vscode.window.showTextDocument(file);
	const path = index !== undefined && answers.length > 1 ? [...at, index] : at;
	if (path.length > 0) {
		reveal(editor, path);
	}
}
