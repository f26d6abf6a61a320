import * as vscode from 'vscode';
import { isObject, type Json, type JsonObject, own } from '../../../elicitation/json.ts';
import { parsedJson, unmarkNumbers, writeJson } from '../../../elicitation/jsonText.ts';
import type { CallOptions } from '../../../mcp/index.ts';
import type { LanguageModelToolId } from '../../common/contributions.ts';
import { localize } from '../../common/localize.ts';
import { codeBlock, codeSpan } from '../../common/markdown.ts';
import type { ServerEntry } from '../../common/serverEntry.ts';
import { notAgreed } from '../../servers/serverError.ts';
import type { Servers } from '../../servers/servers.ts';

export interface LanguageModelContext {
	readonly servers: Servers;
	/** Rejects with an error that can be shown to the user. */
	readonly callTool: (server: string, tool: string, args: JsonObject, options: CallOptions) => Promise<JsonObject>;
}

/** One language model tool. Its input is written by the model and is not validated. */
interface Tool {
	readonly prepare: (input: object) => vscode.PreparedToolInvocation;
	readonly invoke: (input: object, token: vscode.CancellationToken) => Promise<vscode.LanguageModelToolResult>;
}

export function tools({ servers, callTool }: LanguageModelContext): Readonly<Record<LanguageModelToolId, Tool>> {
	return {
		listTools: {
			prepare: (input) => prepareListing(servers, input),
			invoke: (input) => respond(async () => [formatServers(await listedServers(servers, own(input, 'server')))]),
		},
		callTool: {
			prepare: prepareCall,
			invoke: (input, token) =>
				respond(async () => {
					const { server, tool, args } = callOf(input);
					const abort = new AbortController();
					const cancelled = token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
					try {
						return resultTexts(await callTool(server, tool, args, { signal: abort.signal }));
					} finally {
						cancelled.dispose();
					}
				}),
		},
	};
}

/** Listing needs no confirmation unless it starts a server, because that runs a program. */
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

/** Shows the complete arguments, because nobody knows what a tool does. */
function prepareCall(input: object): vscode.PreparedToolInvocation {
	const { server, tool, args } = callOf(input);
	const message = [
		localize('Server: {0}', codeSpan(server)),
		localize('Tool: {0}', codeSpan(tool)),
		codeBlock('json', writeJson(args, 2)),
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
		throw withoutStack(localize('A call needs the names of a server and of a tool.'));
	}
	const args = own(input, 'arguments') ?? {};
	if (!isObject(args)) {
		throw withoutStack(localize('The arguments of a tool are an object.'));
	}
	return { server, tool, args };
}

/** All servers in their current state; if one is named, that one, after starting it. */
async function listedServers(servers: Servers, name: unknown): Promise<readonly ServerEntry[]> {
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

/** Runs the work and returns its texts to the model. */
async function respond(work: () => Promise<readonly string[]>): Promise<vscode.LanguageModelToolResult> {
	try {
		return new vscode.LanguageModelToolResult((await work()).map((text) => new vscode.LanguageModelTextPart(text)));
	} catch (error) {
		if (error instanceof vscode.CancellationError) {
			throw error;
		}
		throw withoutStack(error instanceof Error ? error.message : String(error));
	}
}

/** An error without a stack. VS Code would log the stack as a bug of this extension. */
function withoutStack(message: string): Error {
	return Object.assign(new Error(message), { stack: message });
}

/** Describes servers to a model, as JSON so that server text cannot pass for the extension's own. */
export function formatServers(entries: readonly ServerEntry[]): string {
	const servers = entries.map(({ configured, state, connection }) => ({
		name: configured.name,
		state,
		tools: (connection?.tools ?? []).map(({ name, title, description, inputSchema }) => ({
			name,
			title,
			description,
			inputSchema,
		})),
	}));
	return writeJson({ servers });
}

/**
 * Formats a `CallToolResult` for a model: whether the tool failed, its text content verbatim, everything else as JSON.
 * Images and audio are replaced by their size.
 */
export function resultTexts(result: JsonObject): string[] {
	const content = own(result, 'content');
	const texts = Array.isArray(content) ? content.map(blockText) : [];
	const structured = own(result, 'structuredContent');
	const json = writeJson(structured);
	return [
		...(own(result, 'isError') === true ? [JSON.stringify({ isError: true })] : []),
		...texts,
		// Servers should also send structured content as text, for older clients (spec: tools, Structured Content).
		...(structured === undefined || texts.some((text) => compact(text) === json) ? [] : [json]),
	];
}

function blockText(block: Json): string {
	const text = own(block, 'text');
	if (own(block, 'type') === 'text' && typeof text === 'string') {
		return text;
	}
	const written = JSON.stringify(block, (key, value: unknown) =>
		(key === 'data' || key === 'blob') && typeof value === 'string'
			? `<${Buffer.byteLength(value, 'base64')} bytes>`
			: value,
	);
	return unmarkNumbers(written);
}

/** JSON without insignificant whitespace; undefined if the text is not JSON. */
function compact(text: string): string | undefined {
	const value = parsedJson(text);
	return value === undefined ? undefined : writeJson(value);
}
