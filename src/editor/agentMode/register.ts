import * as vscode from 'vscode';
import { callByProgram } from '../calls/calls.ts';
import { type LanguageModelToolId, languageModelToolIds, languageModelToolName } from '../common/contributions.ts';
import { type AgentModeContext, registerAgentMode } from './bridge/agentMode.ts';
import { registerDuplicateServerNotice } from './bridge/duplicateServers.ts';
import { type LanguageModelContext, tools } from './languageModel/tools.ts';

export interface AgentContext extends LanguageModelContext {
	/** Remembers what the user has been told. */
	readonly memory: vscode.Memento;
	readonly loadBridge: AgentModeContext['loadBridge'];
}

/**
 * Registers everything for VS Code's agent mode: the bridge, the language model tools, and the duplicate server notice.
 */
export function registerAgentFeatures({ servers, callTool, memory, loadBridge }: AgentContext): vscode.Disposable {
	return vscode.Disposable.from(
		registerLanguageModelTools({ servers, callTool }),
		registerAgentMode({
			servers,
			loadBridge,
			call: (server, request, options) => callByProgram(servers, server, request, { ...options, quiet: true }),
		}),
		registerDuplicateServerNotice(servers, memory),
	);
}

function registerLanguageModelTools(context: LanguageModelContext): vscode.Disposable {
	const all = tools(context);
	const register = (id: LanguageModelToolId) =>
		vscode.lm.registerTool<object>(languageModelToolName(id), {
			prepareInvocation: ({ input }) => all[id].prepare(input),
			invoke: ({ input }, token) => all[id].invoke(input, token),
		});
	return vscode.Disposable.from(...languageModelToolIds.map(register));
}
