import * as vscode from 'vscode';
import type { McpElicitationApi } from './api.ts';
import { registerAgentFeatures } from './editor/agentMode/register.ts';
import { type ApiContext, createApi } from './editor/api/api.ts';
import { beginCall } from './editor/calls/beginCall.ts';
import { callByProgram, registerCalls } from './editor/calls/calls.ts';
import { toolCall } from './editor/calls/prepare.ts';
import { WaitingCalls } from './editor/calls/waitingCalls.ts';
import { Commands } from './editor/common/commands.ts';
import { JsonDocuments } from './editor/common/jsonDocuments.ts';
import { closeLeftTabs } from './editor/common/leftTabs.ts';
import { showError } from './editor/common/notifications.ts';
import { onDidChangeSetting, setting } from './editor/common/settings.ts';
import { registerContextKeys } from './editor/contextKeys.ts';
import { lazyDebugging, registerDebugging } from './editor/debugging/register.ts';
import { Presenters } from './editor/elicitations/presenters.ts';
import { registerElicitations } from './editor/elicitations/register.ts';
import { Responders, registerResponders } from './editor/responders/responders.ts';
import { type Connect, createServers, registerServers } from './editor/servers/register.ts';
import { subjectKinds } from './editor/subjects.ts';
import { registerTimeline } from './editor/timeline/register.ts';
import { nextMoment } from './elicitation/clock.ts';
import { Registry } from './elicitation/registry.ts';
import { TraceLog } from './trace/log.ts';
import type { BeginCall } from './trials/callRun.ts';
import { ValidatorPool } from './validation/validatorPool.ts';

let shutdown: (() => Promise<void>) | undefined;

/** Constructs and wires the features. Connects nothing. */
export function activate(context: vscode.ExtensionContext): McpElicitationApi {
	closeLeftTabs();
	const { extensionUri, globalState, workspaceState } = context;
	const validator = new ValidatorPool(bundled(context, 'validator.mjs'));
	const trace = new TraceLog(() => setting('trace.maxMessages'));
	const documents = new JsonDocuments();
	const identify = (server: string) => servers.identityOf(server);
	const registry = new Registry(validator, () => setting('rateLimit.perMinute'), identify);
	const connect = connector(context, registry, trace, () => responders.settled);
	const serversContext = createServers(context, trace, connect);
	const { servers } = serversContext;
	const sentRounds = vscode.Uri.joinPath(context.globalStorageUri, 'sentRounds').fsPath;
	const waiting = new WaitingCalls(workspaceState, context.secrets, sentRounds, showError);
	const kinds = subjectKinds(servers, registry, waiting);
	const commands = new Commands(kinds, context.extension.packageJSON.contributes.commands);
	const responders = new Responders(registry, trace, context, servers, documents);
	const presenters = new Presenters(extensionUri, registry, servers, waiting);
	shutdown = async () => {
		await Promise.all([waiting.close(), servers.shutdown()]);
	};

	const begin: BeginCall = ({ server, identity, ...request }, options) =>
		beginCall(servers, server, request, { startedByUserAt: nextMoment(), identity, ...options });
	const debuggingContext = { extension: context, registry, trace, servers, documents, commands, begin, presenters };
	const debugging = lazyDebugging(debuggingContext);
	const callTool: ApiContext['callTool'] = (server, name, args, options) =>
		callByProgram(servers, server, toolCall(name, args), options);
	const addAnswerer: ApiContext['addAnswerer'] = (answerer) => responders.extensions.add(answerer);
	const { api, events } = createApi({ registry, servers, callTool, addAnswerer });

	context.subscriptions.push(
		validator,
		documents,
		events,
		registerServers(serversContext, commands),
		registerResponders(responders, commands),
		registerContextKeys(servers, registry, trace, commands),
		registerCalls({
			extensionUri,
			registry,
			servers,
			documents,
			commands,
			memory: workspaceState,
			privacy: trace.privacy,
			waiting,
			askArguments: (server, subject, values) => presenters.askArguments(server, subject, values),
			isUserElsewhere: (call) => presenters.isUserElsewhere(call),
		}),
		registerElicitations({ registry, commands, servers, waiting, presenters }),
		registerTimeline({ extensionUri, registry, trace, documents, commands, memento: globalState }),
		registerDebugging(debuggingContext, debugging),
		registerAgentFeatures({ extension: context, servers, callTool, commands, documents, loadBridge: protocol }),
		onDidChangeSetting(['trace.maxMessages'], () => trace.trim()),
	);
	return api;
}

const protocol = () => import('./editor/protocol.ts');

/** @param ready resolves when it is known who responds to servers */
function connector(
	context: vscode.ExtensionContext,
	registry: Registry,
	trace: TraceLog,
	ready: () => Promise<void>,
): Connect {
	return async (own) => {
		const [{ ConnectionManager, Reaper }] = await Promise.all([protocol(), ready()]);
		return new ConnectionManager({
			...own,
			registry,
			trace,
			reaper: new Reaper(bundled(context, 'reaper.mjs')),
			clientVersion: String(context.extension.packageJSON.version),
			callTimeout: () => setting('callTimeout'),
			taskMode: () => setting('tasks'),
			allowInsecureUrls: () => setting('url.allowInsecure'),
		});
	};
}

/** A file that is built beside the extension, and runs on its own. */
function bundled({ extensionUri }: vscode.ExtensionContext, file: string): string {
	return vscode.Uri.joinPath(extensionUri, 'dist', file).fsPath;
}

/** VS Code awaits this when the window closes, so no server outlives it. */
export async function deactivate(): Promise<void> {
	await shutdown?.();
}
