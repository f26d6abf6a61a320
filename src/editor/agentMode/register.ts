import * as vscode from 'vscode';
import type { ApiContext } from '../api/api.ts';
import { callByProgram } from '../calls/calls.ts';
import { preparedCall } from '../calls/prepare.ts';
import { type LanguageModelToolId, languageModelToolIds, languageModelToolName } from '../common/contributions.ts';
import type { Servers } from '../servers/servers.ts';
import { registerAgentMode } from './bridge/agentMode.ts';
import { registerDuplicateServerNotice } from './bridge/duplicateServers.ts';
import type { LanguageModelContext } from './languageModel/tools.ts';

/**
 * Registers everything for VS Code's agent mode: the bridge, the language model tools, and the duplicate server notice.
 */
export function registerAgentFeatures(
	servers: Servers,
	callTool: ApiContext['callTool'],
	state: vscode.Memento,
): vscode.Disposable {
	return vscode.Disposable.from(
		registerLanguageModelTools({ servers, callTool }),
		registerAgentMode({
			servers,
			call: (server, request, options) =>
				callByProgram(servers, server, preparedCall(request), { ...options, quiet: true }),
		}),
		registerDuplicateServerNotice(servers, state),
	);
}

/** Registers the language model tools. Their implementation is loaded on first use. */
function registerLanguageModelTools(context: LanguageModelContext): vscode.Disposable {
	const load = async (id: LanguageModelToolId) => (await import('./languageModel/tools.ts')).tools(context)[id];
	const register = (id: LanguageModelToolId) =>
		vscode.lm.registerTool<object>(languageModelToolName(id), {
			prepareInvocation: async ({ input }) => (await load(id)).prepare(input),
			invoke: async ({ input }, token) => (await load(id)).invoke(input, token),
		});
	return vscode.Disposable.from(...languageModelToolIds.map(register));
}
