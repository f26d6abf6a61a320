import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { native } from '../../elicitation/display.ts';
import { isObject, type JsonObject } from '../../elicitation/json.ts';
import type { ToolInfo } from '../../mcp/index.ts';
import { chooseServer } from '../chooseServer.ts';
import { fullId } from '../contributions.ts';
import type { JsonDocuments } from '../jsonDocuments.ts';
import { showError } from '../notices.ts';
import { ServerError, type Servers } from '../servers.ts';
import { duration } from '../texts.ts';
import { line, t } from '../words.ts';
import { showResult } from './resultPanel.ts';

export interface ToolCalls {
	readonly extensionUri: vscode.Uri;
	readonly servers: Servers;
	readonly documents: JsonDocuments;
	/** The arguments, asked in a form; undefined when the person cancelled. */
	askArguments(server: string, tool: ToolInfo): Promise<JsonObject | undefined>;
}

/** The calls that run now, with what cancels them. */
const running = new Map<Call, AbortController>();

/** The commands `callTool` and `cancelCall`. */
export function registerToolCalls(context: ToolCalls): vscode.Disposable {
	return vscode.Disposable.from(
		vscode.commands.registerCommand(fullId('callTool'), (server: unknown, tool: unknown, args: unknown) => {
			if (isObject(args)) {
				// A program wants the result or the error, not a tab.
				return callByProgram(context, String(server), String(tool), args);
			}
			return callByHand(context, server, tool).catch(showError);
		}),
		vscode.commands.registerCommand(fullId('cancelCall'), (target: unknown) => cancel(target).catch(showError)),
	);
}

/** Resolves to the result; rejects with words that a person understands. */
async function callByProgram(context: ToolCalls, server: string, tool: string, args: JsonObject): Promise<unknown> {
	const result = await perform(context, server, tool, args);
	if (result === undefined) {
		throw new ServerError(
			server,
			t('It was not started, because nobody agreed to it.'),
			t('Start the server, then call the tool again.'),
		);
	}
	return result;
}

/** Asks for what is missing, calls, and opens the result. */
async function callByHand(context: ToolCalls, target: unknown, toolName: unknown): Promise<unknown> {
	const server = await chooseServer(context.servers, target, ({ configured }) => configured.definition !== undefined);
	if (server === undefined) {
		return undefined;
	}
	const wanted = typeof toolName === 'string' ? toolName : toolOf(target);
	const tool = await chooseTool(context.servers, server, wanted);
	const args = tool && (await context.askArguments(server, tool));
	if (!tool || !args) {
		return undefined;
	}
	let call: Call | undefined;
	const result = await perform(context, server, tool.name, args, (begun) => {
		call = begun;
	});
	if (call && result) {
		showResult(context.extensionUri, context.documents, call, result);
	}
	return result;
}

function toolOf(target: unknown): string | undefined {
	return typeof target === 'object' && target !== null && 'tool' in target && typeof target.tool === 'string'
		? target.tool
		: undefined;
}

async function chooseTool(servers: Servers, server: string, wanted: string | undefined): Promise<ToolInfo | undefined> {
	const tools = await servers.tools(server);
	if (!tools) {
		return undefined;
	}
	if (wanted !== undefined) {
		const found = tools.find(({ name }) => name === wanted);
		if (!found) {
			void vscode.window.showErrorMessage(line('{0}: there is no tool "{1}".', server, wanted));
		}
		return found;
	}
	if (tools.length === 0) {
		void vscode.window.showInformationMessage(line('{0}: the server has no tools.', server));
		return undefined;
	}
	const items = tools.map((tool) => ({
		label: native(tool.title ?? tool.name, 100),
		description: tool.title ? native(tool.name, 100) : '',
		detail: native(tool.description ?? '', 200),
		tool,
	}));
	const chosen = await vscode.window.showQuickPick(items, {
		placeHolder: t('Choose a tool of {0}', native(server)),
		matchOnDescription: true,
		matchOnDetail: true,
	});
	return chosen?.tool;
}

/** Runs one call behind a progress notification that shows both clocks and can cancel it. */
async function perform(
	{ servers }: ToolCalls,
	server: string,
	tool: string,
	args: JsonObject,
	onCall?: (call: Call) => void,
): Promise<unknown> {
	const abort = new AbortController();
	return vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Notification, title: native(`${server} · ${tool}`, 100), cancellable: true },
		async (progress, token) => {
			token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
			let call: Call | undefined;
			let message = '';
			const report = () => {
				if (call) {
					progress.report({ message: native([duration(call), message].filter(Boolean).join(' · '), 200) });
				}
			};
			const timer = setInterval(report, 1000);
			try {
				return await servers.callTool(server, tool, args, {
					signal: abort.signal,
					onCall: (begun) => {
						call = begun;
						running.set(begun, abort);
						onCall?.(begun);
						report();
					},
					onProgress: ({ progress: done, total, message: text }) => {
						message = [total ? `${done}/${total}` : '', text ?? ''].filter(Boolean).join(' ');
						report();
					},
				});
			} finally {
				clearInterval(timer);
				if (call) {
					running.delete(call);
				}
			}
		},
	);
}

async function cancel(target: unknown): Promise<void> {
	const wanted = typeof target === 'object' && target !== null && 'call' in target ? target.call : undefined;
	const calls = [...running.keys()].filter((call) => wanted === undefined || call === wanted);
	const items = calls.map((call) => ({
		label: native(call.name, 100),
		description: native(`${call.server} · ${duration(call)}`),
		call,
	}));
	if (items.length === 0) {
		void vscode.window.showInformationMessage(line('No call is running.'));
		return;
	}
	const chosen =
		items.length === 1
			? items[0]
			: await vscode.window.showQuickPick(items, { placeHolder: t('Choose a call to cancel') });
	if (chosen) {
		running.get(chosen.call)?.abort(new vscode.CancellationError());
	}
}
