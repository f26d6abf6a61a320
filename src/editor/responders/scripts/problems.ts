import type * as vscode from 'vscode';
import { openText, registerJsonDiagnostics, unreadable } from '../../common/jsonDiagnostics.ts';
import { loadConfig } from '../../common/loadConfig.ts';
import type { ScriptSources } from './sources.ts';

/** Shows problems of scripted answers in the Problems panel and offers quick fixes. */
export function registerScriptProblems(sources: ScriptSources): vscode.Disposable {
	const files = () =>
		sources.all.flatMap(({ file, at, text, failure }) => {
			const diagnostics = async () => {
				const shown = file && (openText(file) ?? text);
				return failure === undefined ? (await loadConfig()).answerDiagnostics(shown ?? '', at) : [unreadable(failure)];
			};
			return file ? [{ file, diagnostics }] : [];
		});
	return registerJsonDiagnostics('scripts', files, sources.onDidChange);
}
