import * as vscode from 'vscode';
import type { ApiContext } from '../api/api.ts';
import { callByProgram } from '../calls/calls.ts';
import { prepared } from '../calls/prepare.ts';
import type { Servers } from '../servers/servers.ts';
import { registerAgentMode } from './bridge/agentMode.ts';
import { registerDuplicateServerNotice } from './bridge/duplicateServers.ts';
import { registerLanguageModelTools } from './languageModel/register.ts';

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
				callByProgram(servers, server, prepared(request), { ...options, quiet: true }),
		}),
		registerDuplicateServerNotice(servers, state),
	);
}
