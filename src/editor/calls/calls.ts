import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { isObject, type JsonObject } from '../../elicitation/json.ts';
import { fullId } from '../common/contributions.ts';
import type { JsonDocuments } from '../common/jsonDocuments.ts';
import { showError } from '../common/notifications.ts';
import { chooseServer } from '../servers/chooseServer.ts';
import { notAgreed } from '../servers/serverError.ts';
import type { Servers } from '../servers/servers.ts';
import type { RunOptions } from './callRun.ts';
import { cancelCall, type Prepared, performCall } from './performCall.ts';
import {
	type AskArguments,
	type Prepare,
	preparePrompt,
	prepareResource,
	prepareTool,
	prompt,
	resource,
	tool,
} from './prepare.ts';
import { showResult } from './resultPanel.ts';

export interface CallsContext {
	readonly extensionUri: vscode.Uri;
	readonly servers: Servers;
	readonly documents: JsonDocuments;
	readonly askArguments: AskArguments;
}

/** The commands `callTool`, `getPrompt`, `readResource` and `cancelCall`. */
export function registerCalls(context: CallsContext): vscode.Disposable {
	const command = (
		id: 'callTool' | 'getPrompt' | 'readResource',
		prepare: Prepare,
		prepared: (name: string, args: unknown) => Prepared | undefined,
	) =>
		vscode.commands.registerCommand(fullId(id), (server: unknown, name: unknown, args: unknown) => {
			const whole = typeof name === 'string' ? prepared(name, args) : undefined;
			return whole
				? callByProgram(context.servers, String(server), whole)
				: callInteractively(context, prepare, server, name).catch(showError);
		});
	return vscode.Disposable.from(
		command('callTool', prepareTool, (name, args) => (isObject(args) ? tool(name, structuredClone(args)) : undefined)),
		command('getPrompt', preparePrompt, (name, args) =>
			isObject(args) ? prompt(name, structuredClone(args)) : undefined,
		),
		command('readResource', prepareResource, resource),
		vscode.commands.registerCommand(fullId('cancelCall'), (target: unknown) => cancelCall(target).catch(showError)),
	);
}

/**
 * Runs a call for a program. It resolves to the result or rejects with an error that can be shown to the user, and
 * opens no tab.
 */
export async function callByProgram(
	servers: Servers,
	server: string,
	prepared: Prepared,
	options?: RunOptions,
): Promise<JsonObject> {
	const result = await performCall(servers, server, prepared, options);
	if (result === undefined) {
		throw notAgreed(server);
	}
	return result;
}

/** Prompts for what is missing, makes the call, and opens the result. */
async function callInteractively(
	context: CallsContext,
	prepare: Prepare,
	target: unknown,
	name: unknown,
): Promise<unknown> {
	const { extensionUri, servers, documents, askArguments } = context;
	const server = await chooseServer(servers, target, ({ configured }) => configured.definition !== undefined);
	const connection = server === undefined ? undefined : await servers.start(server);
	const wanted = typeof name === 'string' ? name : isObject(target) ? target : undefined;
	const prepared = connection && (await prepare(connection, wanted, askArguments));
	if (!prepared) {
		return undefined;
	}
	let call: Call | undefined;
	const result = await performCall(servers, connection.name, prepared, {
		startedByUserAt: Date.now(),
		onCall: (started) => {
			call = started;
		},
	});
	if (call && result) {
		showResult(extensionUri, documents, call, result);
	}
	return result;
}
