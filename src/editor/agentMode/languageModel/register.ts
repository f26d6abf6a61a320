import * as vscode from 'vscode';
import { type LanguageModelToolId, languageModelToolIds, languageModelToolName } from '../../common/contributions.ts';
import type { LanguageModelContext } from './tools.ts';

/** Registers the language model tools. Their implementation is loaded on first use. */
export function registerLanguageModelTools(context: LanguageModelContext): vscode.Disposable {
	const load = async (id: LanguageModelToolId) => (await import('./tools.ts')).tools(context)[id];
	const register = (id: LanguageModelToolId) =>
		vscode.lm.registerTool<object>(languageModelToolName(id), {
			prepareInvocation: async ({ input }) => (await load(id)).prepare(input),
			invoke: async ({ input }, token) => (await load(id)).invoke(input, token),
		});
	return vscode.Disposable.from(...languageModelToolIds.map(register));
}
