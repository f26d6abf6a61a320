import * as vscode from 'vscode';
import { callByProgram } from '../calls/calls.ts';
import type { Commands } from '../common/commands.ts';
import { type LanguageModelToolId, languageModelToolIds, languageModelToolName } from '../common/contributions.ts';
import type { JsonDocuments } from '../common/jsonDocuments.ts';
import { type AgentModeContext, registerAgentMode } from './bridge/agentMode.ts';
import type { MakeCall } from './bridge/bridgeHost.ts';
import { registerDuplicateServerNotice } from './bridge/duplicateServers.ts';
import { type LanguageModelContext, tools } from './languageModel/tools.ts';
import { type OffersContext, registerOffers } from './otherClients/offers.ts';
import { registerRecordClient } from './otherClients/recordClient.ts';

export interface AgentContext extends LanguageModelContext {
	readonly extension: Pick<
		vscode.ExtensionContext,
		'extensionUri' | 'globalState' | 'globalStorageUri' | 'storageUri' | 'workspaceState'
	>;
	readonly commands: Commands;
	readonly documents: JsonDocuments;
	readonly loadBridge: AgentModeContext['loadBridge'] & OffersContext['loadBridge'];
}

/** Registers what agents use: the bridge to VS Code's agent mode, the language model tools, and what other clients are offered. */
export function registerAgentFeatures({
	extension: { extensionUri, globalState, globalStorageUri, storageUri = globalStorageUri, workspaceState },
	servers,
	callTool,
	commands,
	documents,
	loadBridge,
}: AgentContext): vscode.Disposable {
	const call: MakeCall = (server, request, options) =>
		callByProgram(servers, server, request, { ...options, quiet: true });
	return vscode.Disposable.from(
		registerLanguageModelTools({ servers, callTool }),
		registerAgentMode({ servers, loadBridge, call }),
		registerDuplicateServerNotice(servers, globalState),
		registerRecordClient({ extensionUri, storage: storageUri, commands, documents }),
		registerOffers({ extensionUri, servers, commands, documents, memory: workspaceState, loadBridge, call }),
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
