import * as vscode from 'vscode';
import type { Call, CallRequest } from '../../elicitation/call.ts';
import type { WaitingCall } from '../../elicitation/checkpoint.ts';
import { nextMoment } from '../../elicitation/clock.ts';
import { isObject, type JsonObject, jsonCopy, keyOf, own } from '../../elicitation/json.ts';
import { textOf } from '../../elicitation/jsonText.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { Connection } from '../../mcp/index.ts';
import type { Privacy } from '../../privacy/privacy.ts';
import type { CallRunOptions } from '../../trials/callRun.ts';
import { type Commands, doubleClicks, registerCommand } from '../common/commands.ts';
import { fullId } from '../common/contributions.ts';
import type { JsonDocuments } from '../common/jsonDocuments.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { markReported, notify, showError } from '../common/notifications.ts';
import { isCallable } from '../common/serverEntry.ts';
import { addDemoNamed } from '../servers/ownServers.ts';
import { notAgreed } from '../servers/serverError.ts';
import type { Servers } from '../servers/servers.ts';
import { beginCall, cancelCall } from './beginCall.ts';
import { takesArguments } from './callSubject.ts';
import { receivingServer, requireServer, wholeArgsOf } from './changedServer.ts';
import { chooseFeature, type FeatureChoice, isListable } from './chooseFeature.ts';
import {
	type AskArguments,
	type Prepare,
	prepareAny,
	preparePrompt,
	prepareResource,
	promptCall,
	resourceCall,
	toolCall,
} from './prepare.ts';
import { type RecentCall, RecentCalls } from './recentCalls.ts';
import { type Outcome, OutcomeTabs } from './resultPanel.ts';
import { announce, discardCall, type ResumeContext, resumeCall } from './resumeCalls.ts';
import type { KeptCall, WaitingCalls } from './waitingCalls.ts';

export interface CallsContext {
	readonly extensionUri: vscode.Uri;
	readonly servers: Servers;
	readonly registry: Registry;
	readonly documents: JsonDocuments;
	readonly memory: vscode.Memento;
	readonly privacy: Pick<Privacy, 'args' | 'hideIn'>;
	readonly askArguments: AskArguments;
	readonly waiting: WaitingCalls;
	readonly commands: Commands;
	/** See `OutcomeContext`. */
	isUserElsewhere(call: Call): boolean;
}

/** With the tabs in which outcomes are shown. */
type Calling = CallsContext & { readonly outcomes: OutcomeTabs };

/** The commands that make calls, cancel them and make them again, and `showSchema`. */
export function registerCalls(own: CallsContext): vscode.Disposable {
	const context: Calling = { ...own, outcomes: new OutcomeTabs(own) };
	const isSecondClick = doubleClicks();
	const command = (
		id: 'callTool' | 'getPrompt' | 'readResource',
		prepare: Prepare,
		prepared: (name: string, args: unknown) => CallRequest | undefined,
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
	return vscode.Disposable.from(
		command('callTool', prepareAny, (name, args) => withArguments(args, (copy) => toolCall(name, copy))),
		command('getPrompt', preparePrompt, (name, args) => withArguments(args, (copy) => promptCall(name, copy))),
		command('readResource', prepareResource, resourceCall),
		context.commands.register('callAgain', (call) => callRecorded(context, call, false)),
		context.commands.register('editArguments', (call) => callRecorded(context, call, true)),
		context.commands.register('cancelCall', cancelCall),
		registerWaitingCalls(context),
		registerCommand('showSchema', (target) => showSchema(context, target)),
	);
}

/** Prepares a call with the arguments of a program. Undefined if it gave none; throws if they cannot be sent. */
function withArguments(args: unknown, prepare: (args: JsonObject) => CallRequest): CallRequest | undefined {
	const copy = isObject(args) ? jsonCopy(args) : undefined;
	return isObject(copy) ? prepare(copy) : undefined;
}

/** The commands for calls that wait for the user, and the notification about them when the window opens. */
function registerWaitingCalls(context: Calling): vscode.Disposable {
	const { commands, waiting } = context;
	const resume = resuming(context);
	const look = () => announce(resume, waiting.all).catch(showError);
	if (vscode.workspace.isTrusted) {
		void look();
	}
	return vscode.Disposable.from(
		vscode.workspace.onDidGrantWorkspaceTrust(look),
		commands.register('resumeCall', (call) => resumeCall(resume, call)),
		commands.register('discardCall', (call) => discardCall(resume, call)),
	);
}

function resuming(context: Calling): ResumeContext {
	const { servers, waiting } = context;
	return {
		servers,
		waiting,
		addDemoNamed: (server) => addDemoNamed(server, context.extensionUri, servers),
		resume: (call, identity) => callForUser(context, call.server, call, { identity, resumed: call }),
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
	request: CallRequest,
	options: CallRunOptions = {},
): Promise<JsonObject> {
	const begun = await beginCall(servers, server, request, options);
	if (!begun) {
		throw notAgreed(server);
	}
	return begun.send(options);
}

/** Prompts for what is missing, makes the call, and opens the result. */
async function callInteractively(
	context: Calling,
	prepare: Prepare,
	target: unknown,
	name?: unknown,
	repeated: Repeated = {},
): Promise<unknown> {
	const { servers, commands } = context;
	const { all, ask } = remembering(context, repeated.args);
	const choice =
		prepare === prepareAny && target === undefined
			? await chooseFrom(servers, all)
			: { server: target, feature: typeof name === 'string' ? name : isObject(target) ? target : undefined };
	const entry = choice && (await commands.chooseServer(choice.server, isCallable));
	const server = entry?.configured.name;
	const connection = server === undefined ? undefined : await servers.start(server);
	const { identity = connection && servers.identityOf(connection.name) } = repeated;
	if (connection) {
		requireServer(servers, connection.name, identity);
	}
	const recent = all.filter((each) => each.server === server).map(({ tool }) => tool);
	const request = connection && (await prepare(connection, choice?.feature, ask, recent));
	// What was entered for this server, and for no other one that takes its name meanwhile.
	return request && callForUser(context, connection.name, request, { identity, connection });
}

/** A call that is made again with other arguments. */
interface Repeated {
	readonly args?: JsonObject;
	/** The server that may get them (`Servers.identityOf`). */
	readonly identity?: string;
}

/** Lets the user choose among what all servers have. Resolves to no server if one has to be chosen first. */
async function chooseFrom(
	servers: Servers,
	recent: readonly RecentCall[],
): Promise<Partial<FeatureChoice> | undefined> {
	await servers.settled;
	return isListable(servers.entries, recent) ? chooseFeature(servers, recent) : {};
}

/** The tools that were called last, and a form of arguments that remembers them. */
function remembering({ askArguments, memory, privacy, servers }: CallsContext, values?: JsonObject) {
	const calls = new RecentCalls(memory, privacy, (server) => servers.identityOf(server));
	const ask: AskArguments = async (server, subject) => {
		const { kind, name, inputSchema } = subject;
		if (values && !takesArguments(inputSchema) && Object.keys(values).length === 0) {
			void notify('information', localizeNative('{0}: "{1}" takes no arguments.', server, name));
			return undefined;
		}
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

const PREPARE = { tool: prepareAny, prompt: preparePrompt, resource: prepareResource };

const isSecondAgain = doubleClicks();

/** Makes a call of this window again, with the same arguments or with others. */
async function callRecorded(context: Calling, call: Call, edit: boolean): Promise<unknown> {
	if (isSecondAgain(keyOf(call.id, edit))) {
		return undefined;
	}
	const identity = await receivingServer(call, context.servers);
	if (identity === undefined) {
		return undefined;
	}
	const { server, kind, name } = call;
	const args = wholeArgsOf(call);
	return edit
		? callInteractively(context, PREPARE[kind], server, name, { args, identity })
		: callForUser(context, server, { kind, name, args }, { identity });
}

interface ForUser {
	/** The only server that it may go to (`Servers.identityOf`). */
	readonly identity: string | undefined;
	/** The call that it resumes. */
	readonly resumed?: WaitingCall & KeptCall;
	/** Of the server, if it was started for the call before. */
	readonly connection?: Connection;
}

/** Makes a call and opens its outcome: the result, or why it failed. Resolves to the result. */
async function callForUser(
	context: Calling,
	server: string,
	request: CallRequest,
	{ identity, resumed, connection }: ForUser,
): Promise<JsonObject | undefined> {
	const column = vscode.window.tabGroups.activeTabGroup.viewColumn;
	const options = { startedByUserAt: nextMoment(), identity, connection };
	const begun = await beginCall(context.servers, server, request, options);
	if (!begun) {
		return undefined;
	}
	const { call } = begun;
	const keeper = context.waiting.keep(call, resumed);
	const show = (outcome: Outcome) =>
		context.outcomes.show(call, outcome, { column, callAgain: (edit) => callRecorded(context, call, edit) });
	try {
		const result = await begun.send({ keeper });
		show({ result });
		return result;
	} catch (error) {
		// A call that the user cancelled has no outcome.
		if (!call.failed) {
			throw error;
		}
		// Calling again would run the tool twice, so a call that can be resumed is only announced.
		if (await keeper.release()) {
			markReported(error);
		} else {
			show({ error });
		}
		return undefined;
	} finally {
		const left = await keeper.release();
		if (left) {
			void announce(resuming(context), [left]).catch(showError);
		}
	}
}
