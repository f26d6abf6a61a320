import * as vscode from 'vscode';
import { rangeOf } from '../../common/jsonDiagnostics.ts';
import { loadConfig } from '../../common/loadConfig.ts';
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
		const { placeOf } = await loadConfig();
		const range = rangeOf(placeOf(editor.document.getText(), path));
		editor.selection = new vscode.Selection(range.start, range.end);
		editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
	}
}
