import * as vscode from 'vscode';
import type { McpElicitationApi } from './api.ts';
import { registerAgentFeatures } from './editor/agentMode/register.ts';
import { type ApiContext, createApi } from './editor/api/api.ts';
import { callByProgram, registerCalls } from './editor/calls/calls.ts';
import { LazyWaitingCalls } from './editor/calls/lazyWaitingCalls.ts';
import { performCall } from './editor/calls/performCall.ts';
import { preparedCall, toolCall } from './editor/calls/prepare.ts';
import { Commands } from './editor/common/commands.ts';
import { JsonDocuments } from './editor/common/jsonDocuments.ts';
import { closeLeftTabs } from './editor/common/leftTabs.ts';
import { showError } from './editor/common/notifications.ts';
import { onDidChangeSetting, setting } from './editor/common/settings.ts';
import { registerContextKeys } from './editor/contextKeys.ts';
import type { DebuggingContext } from './editor/debugging/debuggingContext.ts';
import { lazyDebugging, registerDebugging } from './editor/debugging/register.ts';
import { lazyPresenters, registerElicitations } from './editor/elicitations/register.ts';
import { LazyResponders } from './editor/responders/register.ts';
import { registerAutoStart, registerServers } from './editor/servers/register.ts';
import { subjectKinds } from './editor/subjects.ts';
import { registerTimeline } from './editor/timeline/register.ts';
import { nextMoment } from './elicitation/clock.ts';
import { Registry } from './elicitation/registry.ts';
import { TraceLog } from './trace/log.ts';
import { ValidatorOnDemand } from './validation/validatorOnDemand.ts';

let shutdown: (() => Promise<void>) | undefined;

/** Constructs and wires the features. Connects nothing, and loads large modules only on demand. */
export function activate(context: vscode.ExtensionContext): McpElicitationApi {
	closeLeftTabs();
	const { extensionUri, subscriptions } = context;
	const validator = new ValidatorOnDemand(bundled(context, 'validator.mjs'));
	const identify = (server: string) => servers.identityOf(server);
	const registry = new Registry(validator, () => setting('rateLimit.perMinute'), identify);
	const trace = new TraceLog(() => setting('trace.maxMessages'));
	const documents = new JsonDocuments();
	subscriptions.push(validator, documents);

	const sentRounds = vscode.Uri.joinPath(context.globalStorageUri, 'sentRounds');
	const waiting = new LazyWaitingCalls(context.workspaceState, context.secrets, sentRounds, showError);
	const kinds = subjectKinds(() => servers, registry, waiting);
	const commands = new Commands(kinds, context.extension.packageJSON.contributes.commands);
	const responders = new LazyResponders(commands, registry, trace, context, () => servers, documents);
	const presenters = lazyPresenters(extensionUri, registry, () => servers, waiting);
	const loaded = () => Promise.all([presenters.get(), responders.ready()]);
	const servers = registerServers(context, trace, commands, connector(context, registry, trace, loaded));
	shutdown = async () => {
		await Promise.all([waiting.close(), servers.shutdown()]);
	};
	const callTool: ApiContext['callTool'] = (server, name, args, options) =>
		callByProgram(servers, server, toolCall(name, args), options);

	const debuggingContext: DebuggingContext = {
		extension: context,
		registry,
		trace,
		servers,
		documents,
		commands,
		run: ({ server, identity, ...spec }, options) =>
			performCall(servers, server, preparedCall(spec), { startedByUserAt: nextMoment(), identity, ...options }),
		preview: async (request, changed) => (await presenters.get()).preview(request, changed),
	};
	const debugging = lazyDebugging(() => debuggingContext);

	subscriptions.push(
		responders,
		registerContextKeys(servers, registry, trace, commands),
		registerCalls({
			extensionUri,
			registry,
			servers,
			documents,
			commands,
			memory: context.workspaceState,
			secrets: trace,
			waiting,
			askArguments: async (...call) => (await presenters.get()).askArguments(...call),
			replay: async (call) => (await debugging.get()).replay(call),
			isUserElsewhere: (call) => presenters.current?.isUserElsewhere(call) === true,
		}),
		registerElicitations(registry, commands, waiting, presenters, servers),
		registerTimeline({ extensionUri, registry, trace, documents, commands, memento: context.globalState }),
		registerDebugging(debuggingContext, debugging),
		registerAgentFeatures(servers, callTool, context.globalState),
		onDidChangeSetting(['trace.maxMessages'], () => trace.trim()),
		registerAutoStart(servers),
	);
	const addAnswerer: ApiContext['addAnswerer'] = (answerer) => responders.add(answerer);
	return createApi({ registry, servers, callTool, addAnswerer }, subscriptions);
}

/**
 * Makes connections, whose code is loaded when the first server starts.
 * @param ready resolves when what servers request can be shown and answered
 */
function connector(
	context: vscode.ExtensionContext,
	registry: Registry,
	trace: TraceLog,
	ready: () => Promise<unknown>,
): Parameters<typeof registerServers>[3] {
	return async (own) => {
		const [mcp] = await Promise.all([import('./mcp/index.ts'), ready()]);
		return new mcp.ConnectionManager({
			...own,
			registry,
			trace,
			reaper: new mcp.Reaper(bundled(context, 'reaper.mjs')),
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
