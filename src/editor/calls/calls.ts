import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { nextMoment } from '../../elicitation/clock.ts';
import { isObject, type JsonObject, jsonCopy, keyOf, own } from '../../elicitation/json.ts';
import { textOf } from '../../elicitation/jsonText.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { TraceLog } from '../../trace/log.ts';
import type { CallRunOptions } from '../../trials/callRun.ts';
import { registerCommand } from '../common/commands.ts';
import { fullId } from '../common/contributions.ts';
import { doubleClicks } from '../common/doubleClicks.ts';
import type { JsonDocuments } from '../common/jsonDocuments.ts';
import { localize } from '../common/localize.ts';
import { markReported, showError } from '../common/notifications.ts';
import { chooseServer } from '../servers/chooseServer.ts';
import { notAgreed } from '../servers/serverError.ts';
import { isCallable, type Servers } from '../servers/servers.ts';
import { receivingServer, requireServer } from './changedServer.ts';
import { chooseCall, hasEnded, targetOf, wholeArgsOf } from './chooseCall.ts';
import type { LazyWaitingCalls } from './lazyWaitingCalls.ts';
import { cancelCall, type Prepared, performCall } from './performCall.ts';
import {
	type AskArguments,
	type Prepare,
	preparedCall,
	preparePrompt,
	prepareResource,
	prepareTool,
	promptCall,
	resourceCall,
	toolCall,
} from './prepare.ts';
import type { RecentCall } from './recentCalls.ts';
import { type Outcome, showOutcome } from './resultPanel.ts';
import type { ResumeContext } from './resumeCalls.ts';
import type { KeptCall, WaitingCall } from './waitingCalls.ts';

export interface CallsContext {
	readonly extensionUri: vscode.Uri;
	readonly servers: Servers;
	readonly registry: Registry;
	readonly documents: JsonDocuments;
	readonly memory: vscode.Memento;
	readonly secrets: Pick<TraceLog, 'hideIn'>;
	readonly askArguments: AskArguments;
	readonly waiting: LazyWaitingCalls;
	/** See `OutcomeContext`. */
	isUserElsewhere(call: Call): boolean;
}

/** The commands that make calls, cancel them and make them again, and `showSchema`. */
export function registerCalls(context: CallsContext): vscode.Disposable {
	const isSecondClick = doubleClicks();
	const command = (
		id: 'callTool' | 'getPrompt' | 'readResource',
		prepare: Prepare,
		prepared: (name: string, args: unknown) => Prepared | undefined,
	) =>
		vscode.commands.registerCommand(fullId(id), (server: unknown, name: unknown, args: unknown) => {
			if (isSecondClick(rowOf(server))) {
				return undefined;
			}
			const whole = typeof name === 'string' ? prepared(name, args) : undefined;
			return whole
				? callByProgram(context.servers, String(server), whole)
				: callInteractively(context, prepare, server, name).catch(showError);
		});
	const repeat = (id: 'callAgain' | 'editArguments') =>
		registerCommand(id, (target) => callRecorded(context, target, id === 'editArguments'));
	return vscode.Disposable.from(
		command('callTool', prepareTool, (name, args) => withArguments(args, (copy) => toolCall(name, copy))),
		command('getPrompt', preparePrompt, (name, args) => withArguments(args, (copy) => promptCall(name, copy))),
		command('readResource', prepareResource, resourceCall),
		repeat('callAgain'),
		repeat('editArguments'),
		registerCommand('cancelCall', (target) => cancelCall(target as Parameters<typeof cancelCall>[0])),
		registerWaitingCalls(context),
		registerCommand('showSchema', (target) => showSchema(context, target)),
	);
}

/** Prepares a call with the arguments of a program. Undefined if it gave none; throws if they cannot be sent. */
function withArguments(args: unknown, prepare: (args: JsonObject) => Prepared): Prepared | undefined {
	const copy = isObject(args) ? jsonCopy(args) : undefined;
	return isObject(copy) ? prepare(copy) : undefined;
}

/** The commands for calls that wait for the user, and the notification about them when the window opens. */
function registerWaitingCalls(context: CallsContext): vscode.Disposable {
	const { waiting } = context;
	const command = (id: 'resumeCall' | 'discardCall') =>
		registerCommand(id, async (target) => {
			const { chooseWaitingCall, ...actions } = await import('./resumeCalls.ts');
			const call = await chooseWaitingCall(waiting.all, target);
			await (call && actions[id](await resuming(context), call));
		});
	const look = () => waiting.ready.then(() => announceWaiting(context, waiting.all)).catch(showError);
	if (vscode.workspace.isTrusted) {
		void look();
	}
	return vscode.Disposable.from(
		vscode.workspace.onDidGrantWorkspaceTrust(look),
		command('resumeCall'),
		command('discardCall'),
	);
}

async function announceWaiting(context: CallsContext, calls: readonly WaitingCall[]): Promise<void> {
	if (calls.length > 0) {
		const { announce } = await import('./resumeCalls.ts');
		await announce(await resuming(context), calls);
	}
}

async function resuming(context: CallsContext): Promise<ResumeContext> {
	const { servers, waiting } = context;
	return {
		servers,
		waiting: await waiting.get(),
		addDemoNamed: async (server) =>
			(await import('../servers/demo.ts')).addDemoNamed(server, context.extensionUri, servers),
		resume: (call, identity) => callForUser(context, call.server, preparedCall(call), { identity, resumed: call }),
	};
}

/** Identifies a row of the servers view. */
function rowOf(target: unknown): string {
	return isObject(target)
		? keyOf(...['server', 'tool', 'prompt', 'uri', 'uriTemplate'].map((name) => target[name]))
		: '';
}

/** Opens the schema of a tool's arguments as the server sent it, read-only. */
async function showSchema({ servers, documents }: CallsContext, target: unknown): Promise<void> {
	const tools = servers.get(textOf(own(target, 'server')))?.connection?.tools;
	const tool = tools?.find(({ name }) => name === own(target, 'tool'));
	if (tool) {
		await documents.open(localize('Schema of {0}', tool.name), tool.inputSchema);
	}
}

/**
 * Runs a call for a program. It resolves to the result or rejects with an error that can be shown to the user, and
 * opens no tab.
 */
export async function callByProgram(
	servers: Servers,
	server: string,
	prepared: Prepared,
	options?: CallRunOptions,
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
	name?: unknown,
	repeated: Repeated = {},
): Promise<unknown> {
	const { servers } = context;
	const { all, ask } = await remembering(context, repeated.args);
	const choice =
		prepare === prepareTool && target === undefined && name === undefined
			? await chooseFrom(servers, all)
			: { server: target, tool: name };
	const server = choice && (await chooseServer(servers, choice.server, isCallable));
	const connection = server === undefined ? undefined : await servers.start(server);
	const { before, identity = connection && servers.identityOf(connection.name) } = repeated;
	if (connection) {
		requireServer(servers, connection.name, identity);
	}
	const wanted = typeof choice?.tool === 'string' ? choice.tool : isObject(target) ? target : undefined;
	const recent = all.filter((each) => each.server === server).map(({ tool }) => tool);
	const prepared = connection && (await prepare(connection, wanted, ask, recent));
	if (!prepared) {
		return undefined;
	}
	// What was entered for this server, and for no other one that takes its name meanwhile.
	return callForUser(context, connection.name, prepared, { before, identity });
}

/** A call that is made again with other arguments. */
interface Repeated {
	readonly args?: JsonObject;
	/** The server that may get them (`Servers.identityOf`). */
	readonly identity?: string;
	/** The tab of the earlier outcome. */
	readonly before?: vscode.Disposable | undefined;
}

/** Lets the user choose among the tools of all servers. Resolves to no server if one has to be chosen first. */
async function chooseFrom(servers: Servers, recent: readonly RecentCall[]) {
	await servers.settled;
	const { chooseTool, isListable } = await import('./chooseTool.ts');
	return isListable(servers.entries, recent) ? chooseTool(servers, recent) : { server: undefined, tool: undefined };
}

/** The tools that were called last, and a form of arguments that remembers them. */
async function remembering({ askArguments, memory, secrets, servers }: CallsContext, values?: JsonObject) {
	const { RecentCalls } = await import('./recentCalls.ts');
	const calls = new RecentCalls(memory, secrets, (server) => servers.identityOf(server));
	const ask: AskArguments = async (server, subject) => {
		const { kind, name, inputSchema } = subject;
		const identity = servers.identityOf(server);
		const args = await askArguments(
			server,
			subject,
			values ?? (kind === 'tool' ? calls.argsOf(server, name) : undefined),
		);
		if (args && kind === 'tool' && servers.identityOf(server) === identity) {
			await calls.add(server, name, inputSchema, args);
		}
		return args;
	};
	return { all: calls.all, ask };
}

const PREPARE = { tool: prepareTool, prompt: preparePrompt, resource: prepareResource };

const isSecondAgain = doubleClicks();

/** Makes a call of this window again, with the same arguments or with others. */
async function callRecorded(
	context: CallsContext,
	target: unknown,
	edit: boolean,
	before?: vscode.Disposable,
): Promise<unknown> {
	const fits = (call: Call) => hasEnded(call) && !(edit && call.kind === 'resource');
	const calls = context.registry.calls.filter(fits);
	const call =
		target === undefined ? await chooseCall(calls, localize('Choose a call')) : targetOf(calls, target, fits);
	if (!call || isSecondAgain(isObject(target) ? keyOf(call.id, edit) : '')) {
		return undefined;
	}
	const identity = await receivingServer(call, context.servers);
	if (identity === undefined) {
		return undefined;
	}
	const { server, kind, name } = call;
	const args = wholeArgsOf(call);
	return edit
		? callInteractively(context, PREPARE[kind], server, name, { args, before, identity })
		: callForUser(context, server, preparedCall({ kind, name, args }), { before, identity });
}

interface ForUser {
	/** The only server that it may go to (`Servers.identityOf`). */
	readonly identity: string | undefined;
	/** The tab of an earlier outcome, which this one takes the place of. */
	readonly before?: vscode.Disposable | undefined;
	/** The call that it resumes. */
	readonly resumed?: WaitingCall & KeptCall;
}

/** Makes a call and opens its outcome: the result, or why it failed. Resolves to the result. */
async function callForUser(
	context: CallsContext,
	server: string,
	prepared: Prepared,
	{ identity, before, resumed }: ForUser,
): Promise<JsonObject | undefined> {
	let call: Call | undefined;
	const waiting = await context.waiting.get();
	const keeper = waiting.keep(() => call, resumed);
	const show = (ended: Call, outcome: Outcome) => {
		showOutcome(context, ended, outcome, (edit, tab) => callRecorded(context, ended, edit, tab));
		before?.dispose();
	};
	try {
		const result = await performCall(context.servers, server, prepared, {
			startedByUserAt: nextMoment(),
			identity,
			keeper,
			onCall: (started) => {
				call = started;
				keeper.begins(started);
			},
		});
		if (call && result) {
			show(call, { result });
		}
		return result;
	} catch (error) {
		// A call that the user cancelled, or that never began, has no outcome.
		if (!call?.failed) {
			throw error;
		}
		// Calling again would run the tool twice, so a call that can be resumed is only announced.
		if (await keeper.release()) {
			markReported(error);
		} else {
			show(call, { error });
		}
		return undefined;
	} finally {
		const left = await keeper.release();
		if (left && call) {
			void announceWaiting(context, [left]).catch(showError);
		}
	}
}
