import * as vscode from 'vscode';
import { type LanguageModelToolId, languageModelToolIds, languageModelToolName } from '../../common/contributions.ts';
import type { LanguageModelContext } from './tools.ts';

/** The tools by which language models use the servers; what is behind them is loaded when the first of them is used. */
export function registerLanguageModelTools(context: LanguageModelContext): vscode.Disposable {
	const load = async (id: LanguageModelToolId) => (await import('./tools.ts')).tools(context)[id];
	const register = (id: LanguageModelToolId) =>
		vscode.lm.registerTool<object>(languageModelToolName(id), {
			prepareInvocation: async ({ input }) => (await load(id)).prepare(input),
			invoke: async ({ input }, token) => (await load(id)).invoke(input, token),
		});
	return vscode.Disposable.from(...languageModelToolIds.map(register));
}
