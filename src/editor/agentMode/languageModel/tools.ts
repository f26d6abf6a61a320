import * as vscode from 'vscode';
import { isObject, type JsonObject, own } from '../../../elicitation/json.ts';
import type { CallOptions } from '../../../mcp/index.ts';
import type { LanguageModelToolId } from '../../common/contributions.ts';
import { localize } from '../../common/localize.ts';
import { notAgreed } from '../../servers/serverError.ts';
import type { ServerEntry, Servers } from '../../servers/servers.ts';
import { codeBlock, codeSpan } from './markdown.ts';
import { serversText, textsOf } from './texts.ts';

export interface LanguageModelContext {
	readonly servers: Servers;
	/** Rejects with an error made for people. */
	readonly callTool: (server: string, tool: string, args: JsonObject, options: CallOptions) => Promise<JsonObject>;
}

/** One tool of a language model. Its input is what the model wrote: nobody has checked it. */
interface Tool {
	readonly prepare: (input: object) => vscode.PreparedToolInvocation;
	readonly invoke: (input: object, token: vscode.CancellationToken) => Promise<vscode.LanguageModelToolResult>;
}

export function tools({ servers, callTool }: LanguageModelContext): Readonly<Record<LanguageModelToolId, Tool>> {
	return {
		listTools: {
			prepare: (input) => prepareListing(servers, input),
			invoke: (input) => told(async () => [serversText(await listed(servers, own(input, 'server')))]),
		},
		callTool: {
			prepare: prepareCall,
			invoke: (input, token) =>
				told(async () => {
					const { server, tool, args } = callOf(input);
					const abort = new AbortController();
					const cancelled = token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
					try {
						return textsOf(await callTool(server, tool, args, { signal: abort.signal }));
					} finally {
						cancelled.dispose();
					}
				}),
		},
	};
}

/** Looking is free; a server that is started for it runs a program. */
function prepareListing(servers: Servers, input: object): vscode.PreparedToolInvocation {
	const name = own(input, 'server');
	if (typeof name !== 'string' || servers.get(name)?.state === 'running') {
		return { invocationMessage: localize('Listing the tools of MCP servers') };
	}
	return {
		invocationMessage: new vscode.MarkdownString(localize('Starting {0}', codeSpan(name))),
		confirmationMessages: {
			title: localize('Start an MCP server to list its tools?'),
			message: new vscode.MarkdownString(localize('Server: {0}', codeSpan(name))),
		},
	};
}

/** The user sees what is sent, whole: what a tool does, nobody knows. */
function prepareCall(input: object): vscode.PreparedToolInvocation {
	const { server, tool, args } = callOf(input);
	const message = [
		localize('Server: {0}', codeSpan(server)),
		localize('Tool: {0}', codeSpan(tool)),
		codeBlock('json', JSON.stringify(args, undefined, 2)),
	];
	return {
		invocationMessage: new vscode.MarkdownString(localize('Calling {0} on {1}', codeSpan(tool), codeSpan(server))),
		confirmationMessages: {
			title: localize('Call a tool of an MCP server?'),
			message: new vscode.MarkdownString(message.join('\n\n')),
		},
	};
}

function callOf(input: object): { readonly server: string; readonly tool: string; readonly args: JsonObject } {
	const server = own(input, 'server');
	const tool = own(input, 'tool');
	if (typeof server !== 'string' || typeof tool !== 'string') {
		throw wordsOnly(localize('A call needs the names of a server and of a tool.'));
	}
	const args = own(input, 'arguments') ?? {};
	if (!isObject(args)) {
		throw wordsOnly(localize('The arguments of a tool are an object.'));
	}
	return { server, tool, args };
}

/** Every server as it is; the one that is named after it was started. */
async function listed(servers: Servers, name: unknown): Promise<readonly ServerEntry[]> {
	await servers.settled;
	if (typeof name !== 'string') {
		return servers.entries.filter(({ temporaryFor }) => temporaryFor === undefined);
	}
	const started = await servers.start(name);
	const entry = servers.get(name);
	if (!started || !entry) {
		throw notAgreed(name);
	}
	return [entry];
}

/** What a model gets. */
async function told(work: () => Promise<readonly string[]>): Promise<vscode.LanguageModelToolResult> {
	try {
		return new vscode.LanguageModelToolResult((await work()).map((text) => new vscode.LanguageModelTextPart(text)));
	} catch (error) {
		if (error instanceof vscode.CancellationError) {
			throw error;
		}
		throw wordsOnly(error instanceof Error ? error.message : String(error));
	}
}

/** An error without our stack, which the editor would write into its log as a fault of this extension: it is none. */
function wordsOnly(message: string): Error {
	return Object.assign(new Error(message), { stack: message });
}
