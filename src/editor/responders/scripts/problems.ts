import type * as vscode from 'vscode';
import { loadConfig } from '../../common/loadConfig.ts';
import { openText, registerMarks, unreadable } from '../../common/marks.ts';
import type { ScriptSources } from './sources.ts';

/** Says in the Problems panel what is wrong with scripted answers, at their places, and offers to write what was meant. */
export function registerScriptProblems(sources: ScriptSources): vscode.Disposable {
	const files = () =>
		sources.all.flatMap(({ file, at, text, failure }) => {
			const marks = async () => {
				const shown = file && (openText(file) ?? text);
				return failure === undefined ? (await loadConfig()).answerMarks(shown ?? '', at) : [unreadable(failure)];
			};
			return file ? [{ file, marks }] : [];
		});
	return registerMarks('scripts', files, sources.onDidChange);
}
