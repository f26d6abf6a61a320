import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { reportListenerFailures } from '../../elicitation/emitter.ts';
import { isObject } from '../../elicitation/json.ts';
import type { ConnectionContext, ConnectionManager } from '../../mcp/index.ts';
import type { TraceLog } from '../../trace/log.ts';
import { type Commands, registerCommand } from '../common/commands.ts';
import { onDidChangeSetting, setting } from '../common/settings.ts';
import { addServer } from './addServer/addServer.ts';
import { SignIns, signOut } from './authorization/signIns.ts';
import { Configuration, registerProblems } from './configuration.ts';
import { editInputs } from './definitions/editInputs.ts';
import { showDefinition } from './definitions/showDefinition.ts';
import { machineIn } from './identity.ts';
import { InputValues } from './inputValues.ts';
import { Launcher } from './launcher.ts';
import { serveRecording, startDemo } from './ownServers.ts';
import { ServerLogs } from './serverLogs.ts';
import { Servers } from './servers.ts';
import { registerServersView } from './serversView/serversView.ts';
import { StartConsent } from './startConsent.ts';

/** Loads the protocol. */
export type Connect = (own: Pick<ConnectionContext, 'signIn' | 'log' | 'workspaceRoots'>) => Promise<ConnectionManager>;

/** Only `file:` URIs may be roots. */
const workspaceRoots: ConnectionContext['workspaceRoots'] = {
	list: () =>
		(vscode.workspace.workspaceFolders ?? [])
			.filter(({ uri }) => uri.scheme === 'file')
			.map(({ uri, name }) => ({ uri: pathToFileURL(uri.fsPath).href, name })),
	onDidChange: (listener) => vscode.workspace.onDidChangeWorkspaceFolders(listener),
};

/** The configured servers, and what they are started with. */
interface ServersContext {
	readonly extensionUri: vscode.Uri;
	readonly servers: Servers;
	readonly configuration: Configuration;
	readonly consent: StartConsent;
	readonly inputs: InputValues;
	readonly signIn: SignIns;
	readonly logs: ServerLogs;
}

export function createServers(context: vscode.ExtensionContext, trace: TraceLog, connect: Connect): ServersContext {
	const { extensionUri, secrets, globalState, workspaceState } = context;
	const logs = new ServerLogs(trace.privacy);
	const consent = new StartConsent(workspaceState, extensionUri);
	const machine = machineIn(vscode.Uri.joinPath(context.globalStorageUri, 'machine').fsPath);
	const inputs = new InputValues(secrets, globalState, workspaceState, machine);
	const configuration = new Configuration(context.globalStorageUri);
	const configuredOf = (server: string) => servers.get(server)?.configured;
	const signIn = new SignIns(context.extension.id, secrets, configuredOf, machine);
	const servers: Servers = new Servers(
		() => connect({ signIn, log: (server) => logs.for(server), workspaceRoots }),
		configuration,
		new Launcher(consent, inputs, trace.privacy.configured),
		machine,
	);
	return { extensionUri, servers, configuration, consent, inputs, signIn, logs };
}

/** Registers configured servers: definitions, start consent, sign-in, logs, and the servers view. */
export function registerServers(context: ServersContext, commands: Commands): vscode.Disposable {
	const { extensionUri, servers, configuration, consent, inputs, signIn, logs } = context;
	reportListenerFailures((error) => logs.logError(error));
	return vscode.Disposable.from(
		logs,
		signIn,
		configuration,
		servers,
		registerProblems(configuration),
		registerServersView(servers, configuration, logs, consent, commands),
		commands.register('signOut', ({ configured: { name } }) => signOut(servers, signIn, name)),
		commands.register('showDefinition', ({ configured: { name: server } }, argument) =>
			showDefinition(configuration, { ...(isObject(argument) && argument), server }),
		),
		commands.register('editInputs', ({ configured }) => editInputs(servers, inputs, configured)),
		registerCommand('addServer', () => addServer(configuration)),
		registerCommand('startDemo', (tool) => startDemo(extensionUri, servers, tool)),
		registerCommand('serveRecording', (target) => serveRecording(extensionUri, servers, target)),
		registerAutoStart(servers),
	);
}

/** Starts all servers when the window opens or the workspace becomes trusted, if the user's settings say so. */
function registerAutoStart(servers: Servers): vscode.Disposable {
	const autoStart = () => {
		if (setting('autoStart') && vscode.workspace.isTrusted) {
			servers.startAll();
		}
	};
	let inForce: vscode.Disposable | undefined;
	const granted = vscode.workspace.onDidGrantWorkspaceTrust(() => {
		autoStart();
		// Workspace settings take effect only after this event.
		inForce = onDidChangeSetting(['servers'], () => {
			inForce?.dispose();
			autoStart();
		});
	});
	autoStart();
	return vscode.Disposable.from(granted, new vscode.Disposable(() => inForce?.dispose()));
}
