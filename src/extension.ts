import * as vscode from 'vscode';
import type { McpElicitationApi } from './api.ts';
import { registerAddServer } from './editor/addServer/addServer.ts';
import { type ApiContext, createApi } from './editor/api/api.ts';
import type { Asking } from './editor/asking.ts';
import { SignIns } from './editor/authorization/signIns.ts';
import { registerSignOut } from './editor/authorization/signOut.ts';
import { registerAgentMode } from './editor/bridge/agentMode.ts';
import { registerNeighbours } from './editor/bridge/neighbours.ts';
import { callByProgram, registerCalls } from './editor/calls/calls.ts';
import { cancelCall, perform } from './editor/calls/perform.ts';
import { prepared, tool } from './editor/calls/prepare.ts';
import { Configuration } from './editor/configuration.ts';
import { registerEditInputs } from './editor/definitions/editInputs.ts';
import { registerProblems } from './editor/definitions/problems.ts';
import { registerShowDefinition } from './editor/definitions/showDefinition.ts';
import { InputValues } from './editor/inputValues.ts';
import { JsonDocuments } from './editor/jsonDocuments.ts';
import { registerLanguageModelTools } from './editor/languageModel/register.ts';
import { Launcher } from './editor/launcher.ts';
import { AnsweringOnDemand } from './editor/loadAnswering.ts';
import { registerDebugging } from './editor/loadDebugging.ts';
import { registerOccasions } from './editor/occasions.ts';
import type { PendingActions } from './editor/pending/entry.ts';
import { registerPending } from './editor/pending/pending.ts';
import { ServerLogs } from './editor/serverLogs.ts';
import { Servers } from './editor/servers.ts';
import { registerDemo } from './editor/serversView/demo.ts';
import { registerServersView } from './editor/serversView/serversView.ts';
import { onDidChangeSetting, setting } from './editor/settings.ts';
import { StartConsent } from './editor/startConsent.ts';
import { registerTimeline } from './editor/timeline/register.ts';
import { reportListenerFailures } from './elicitation/emitter.ts';
import { Registry } from './elicitation/registry.ts';
import { TraceLog } from './trace/log.ts';
import { ValidatorOnDemand } from './validation/validatorOnDemand.ts';

let shutdown: (() => Promise<void>) | undefined;

/** Constructs the rooms and wires them; nothing is connected and nothing large is loaded before it is needed. */
export function activate(context: vscode.ExtensionContext): McpElicitationApi {
	const { extensionUri } = context;
	const bundled = (file: string) => vscode.Uri.joinPath(extensionUri, 'dist', file).fsPath;
	const validator = new ValidatorOnDemand(bundled('validator.mjs'));
	const registry = new Registry(validator, () => setting('rateLimit.perMinute'));
	const trace = new TraceLog(() => setting('trace.maxMessages'));
	const logs = new ServerLogs(trace);
	const consent = new StartConsent(context.workspaceState, extensionUri);
	reportListenerFailures((error) => logs.fault(error));
	const inputs = new InputValues(context.secrets, context.globalState, context.workspaceState);
	const configuration = new Configuration(context.globalStorageUri);
	const documents = new JsonDocuments();
	const signIn = new SignIns(
		context.extension.id,
		context.secrets,
		(server) => servers.get(server)?.configured.source.uri ?? '',
	);
	const replacesOwn = (server: string) => servers.get(server)?.configured.replacesOwn === true;
	const answering = new AnsweringOnDemand(registry, trace, context, replacesOwn, documents);
	const loadFleet = async () => {
		const [mcp] = await Promise.all([import('./mcp/index.ts'), asking(), answering.ready()]);
		return new mcp.Fleet({
			registry,
			trace,
			reaper: new mcp.Reaper(bundled('reaper.mjs')),
			clientVersion: String(context.extension.packageJSON.version),
			signIn,
			log: (server) => logs.for(server),
			callTimeout: () => setting('callTimeout'),
			allowInsecureUrls: () => setting('url.allowInsecure'),
		});
	};
	const servers = new Servers(loadFleet, configuration, new Launcher(consent, inputs, trace.secrets));
	let loadedAsking: Promise<Asking> | undefined;
	const asking = () => {
		loadedAsking ??= import('./editor/asking.ts').then(({ Asking }) => new Asking(extensionUri, registry, servers));
		return loadedAsking;
	};
	const callTool: ApiContext['callTool'] = (server, name, args, options) =>
		callByProgram(servers, server, tool(name, args), options);
	shutdown = () => servers.shutdown();
	context.subscriptions.push(
		validator,
		logs,
		documents,
		signIn,
		registerSignOut(servers, signIn),
		configuration,
		servers,
		registerProblems(configuration),
		registerShowDefinition(servers, configuration),
		registerEditInputs(servers, inputs),
		answering,
		new vscode.Disposable(() => void loadedAsking?.then((loaded) => loaded.dispose())),
		registerOccasions(servers, registry, trace),
		registerServersView(servers, logs, consent),
		registerAddServer(configuration),
		registerDemo(extensionUri, servers),
		registerCalls({
			extensionUri,
			servers,
			documents,
			askArguments: async (server, subject) => (await asking()).askArguments(server, subject),
		}),
		registerLanguageModelTools({ servers, callTool }),
		registerPending(registry, pendingActions(registry, asking)),
		registerTimeline({ extensionUri, registry, trace, documents }),
		registerDebugging({
			extension: context,
			registry,
			trace,
			servers,
			documents,
			run: ({ server, ...spec }, options) =>
				perform(servers, server, prepared(spec), { ...options, startedByUserAt: Date.now() }),
			preview: async (request, changed) => (await asking()).preview(request, changed),
		}),
		registerAgentMode({
			servers,
			call: (server, request, options) =>
				callByProgram(servers, server, prepared(request), { ...options, quiet: true }),
		}),
		registerNeighbours(servers, context.globalState),
		onDidChangeSetting(['trace.maxMessages'], () => trace.trim()),
	);
	const autoStart = () => {
		if (setting('autoStart') && vscode.workspace.isTrusted) {
			servers.startAll();
		}
	};
	const onTrust = () => {
		autoStart();
		// What the workspace itself defines comes into force only after this event.
		const inForce = onDidChangeSetting(['servers'], () => {
			inForce.dispose();
			autoStart();
		});
		context.subscriptions.push(inForce);
	};
	context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(onTrust));
	autoStart();
	const addAnswerer: ApiContext['addAnswerer'] = (answerer) => answering.add(answerer);
	return createApi({ registry, servers, callTool, addAnswerer }, context.subscriptions);
}

/** The editor waits for this when the window closes: no server survives it. */
export async function deactivate(): Promise<void> {
	await shutdown?.();
}

/** Where what can be done with a pending elicitation meets the features that do it. */
function pendingActions({ answerers }: Registry, asking: () => Promise<Asking>): PendingActions {
	return {
		open: async (elicitation) => {
			elicitation.release();
			await answerers.takeOver(elicitation);
			await (await asking()).open(elicitation);
		},
		reopenUrl: async (elicitation) => {
			await answerers.takeOver(elicitation);
			await (await asking()).urls.reopen(elicitation);
		},
		copyUrl: async (elicitation) => {
			const href = await (await asking()).urls.hrefOf(elicitation);
			if (href !== undefined) {
				await vscode.env.clipboard.writeText(href);
			}
		},
		retry: async (elicitation) => {
			elicitation.retried();
		},
		decline: async (elicitation) => {
			elicitation.decline();
		},
		cancel: async (elicitation) => {
			elicitation.cancel() || elicitation.giveUp();
		},
		sendAgain: async ({ delivery }) => {
			delivery?.sendAgain();
		},
		dismiss: async ({ delivery }) => {
			delivery?.end();
		},
		cancelCall: (call) => cancelCall({ call }),
		askHalt: async (halt) => (await asking()).askHalt(halt),
		askStorm: async (server) => (await asking()).storms.ask(server),
		review: async (server) => (await asking()).storms.review(server),
		declineRest: async (server) => (await asking()).storms.declineRest(server),
		stopServer: async (server) => (await asking()).storms.stop(server),
	};
}
