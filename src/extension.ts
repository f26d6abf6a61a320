import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { askArguments } from './editor/form/argumentsForm.ts';
import { FormElicitations } from './editor/form/formElicitations.ts';
import { JsonDocuments } from './editor/jsonDocuments.ts';
import { type PendingActions, registerPending } from './editor/pending/pending.ts';
import { registerRefusals } from './editor/refusals.ts';
import { ServerLogs } from './editor/serverLogs.ts';
import { Servers } from './editor/servers.ts';
import { registerAddServer } from './editor/serversView/addServer.ts';
import { registerDemo } from './editor/serversView/demo.ts';
import { registerServersView } from './editor/serversView/serversView.ts';
import { onDidChangeSetting, setting } from './editor/settings.ts';
import { StartConsent } from './editor/startConsent.ts';
import { registerTimeline } from './editor/timeline/timelineView.ts';
import { registerToolCalls } from './editor/toolCall/callTool.ts';
import { UrlElicitations } from './editor/url/urlElicitations.ts';
import { Registry } from './elicitation/registry.ts';
import { TraceLog } from './trace/log.ts';
import { createValidator } from './validation/keeper.ts';

let shutdown: (() => Promise<void>) | undefined;

/** Constructs the rooms and wires them; nothing is connected and nothing large is loaded before it is needed. */
export function activate(context: vscode.ExtensionContext): void {
	const { extensionUri } = context;
	const bundled = (file: string) => vscode.Uri.joinPath(extensionUri, 'dist', file).fsPath;
	const validator = createValidator({ workerFile: bundled('validator.cjs') });
	const registry = new Registry(validator, randomUUID);
	const trace = new TraceLog(() => setting('trace.maxMessages'));
	const logs = new ServerLogs();
	const consent = new StartConsent(context.globalState);
	const documents = new JsonDocuments();
	const servers = new Servers(async () => {
		const mcp = await import('./mcp/index.ts');
		return new mcp.Fleet({
			registry,
			trace,
			reaper: new mcp.Reaper(bundled('reaper.cjs')),
			clientVersion: String(context.extension.packageJSON.version),
			log: (server) => logs.for(server),
			callTimeout: () => setting('callTimeout'),
			allowInsecureUrls: () => setting('url.allowInsecure'),
		});
	}, consent);
	const forms = new FormElicitations(extensionUri, registry, servers);
	const urls = new UrlElicitations(registry, servers);
	shutdown = () => servers.shutdown();
	context.subscriptions.push(
		validator,
		logs,
		documents,
		servers,
		forms,
		urls,
		registerServersView(servers, logs, consent),
		registerAddServer(),
		registerDemo(extensionUri, servers),
		registerToolCalls({
			extensionUri,
			servers,
			documents,
			askArguments: (server, tool) => askArguments(extensionUri, validator, server, tool),
		}),
		registerPending(registry, pendingActions(forms, urls)),
		registerTimeline(registry, trace, documents),
		registerRefusals(registry),
	);
	const autoStart = () => {
		if (setting('autoStart') && vscode.workspace.isTrusted) {
			servers.startAll();
		}
	};
	const onTrust = () => {
		autoStart();
		// What the workspace itself sets comes into force only after this event.
		const inForce = onDidChangeSetting(['autoStart', 'servers'], () => {
			inForce.dispose();
			autoStart();
		});
		context.subscriptions.push(inForce);
	};
	context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(onTrust));
	autoStart();
}

/** The editor waits for this when the window closes: no server survives it. */
export async function deactivate(): Promise<void> {
	await shutdown?.();
}

/** Where what can be done with a pending elicitation meets the features that do it. */
function pendingActions(forms: FormElicitations, urls: UrlElicitations): PendingActions {
	return {
		open: async (elicitation) => {
			if (elicitation.request.mode === 'form') {
				forms.open(elicitation);
			} else {
				await urls.ask(elicitation, true);
			}
		},
		reopenUrl: (elicitation) => urls.reopen(elicitation),
		copyUrl: async (elicitation) => {
			const href = await urls.hrefOf(elicitation);
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
	};
}
