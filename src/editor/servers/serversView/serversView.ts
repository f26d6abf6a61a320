import * as vscode from 'vscode';
import { isProgram } from '../../../config/definition.ts';
import { type NativeText, native, shorten, together } from '../../../elicitation/display.ts';
import { isObject, own } from '../../../elicitation/json.ts';
import { textOf } from '../../../elicitation/jsonText.ts';
import type { Connection } from '../../../mcp/index.ts';
import { type Commands, registerCommand } from '../../common/commands.ts';
import { contextOf, type Subjects } from '../../common/commandTable.ts';
import { fullId, REVEAL_SERVER } from '../../common/contributions.ts';
import { stateText } from '../../common/descriptions.ts';
import { localize, localizeNative, timeText } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import { type ConfiguredServer, isCallable, isDisabled, type ServerEntry } from '../../common/serverEntry.ts';
import { type NativeTreeItem, treeItem } from '../../common/surfaces.ts';
import { sourceText } from '../configSource.ts';
import type { Configuration } from '../configuration.ts';
import type { ServerLogs } from '../serverLogs.ts';
import { isBridged, type Servers } from '../servers.ts';
import type { StartConsent } from '../startConsent.ts';
import {
	disable,
	type FeatureNode,
	featureCounts,
	featureNodes,
	type GroupNode,
	groupMembers,
	type Listed,
} from './featureNodes.ts';
import { editorText, noteNodes, unreadableNodes } from './noteNodes.ts';

/** A node of the servers view. Commands get it as their argument when they are run from the view. */
export type ServerNode =
	| { readonly kind: 'server'; readonly server: string }
	| GroupNode
	| FeatureNode
	| { readonly kind: 'note'; readonly item: NativeTreeItem };

/** Registers the servers view and its commands. */
export function registerServersView(
	servers: Servers,
	configuration: Configuration,
	logs: ServerLogs,
	consent: StartConsent,
	commands: Commands,
): vscode.Disposable {
	const tree = new ServersTree(servers, configuration, consent);
	const view = vscode.window.createTreeView<ServerNode>(fullId('servers'), { treeDataProvider: tree });
	const describe = () => {
		view.message =
			servers.entries.length > 0 && !vscode.workspace.isTrusted
				? localize(
						'Restricted Mode: until you trust this workspace, no server is started, and those that it defines are not listed.',
					)
				: '';
	};
	describe();
	const resetTrust = async (server?: ConfiguredServer) => {
		await consent.reset(server);
		tree.refresh();
		void notify(
			'information',
			server
				? localizeNative('You will be asked again before "{0}" is started.', server.name)
				: localizeNative('You will be asked again before a server of this workspace is started.'),
		);
	};
	const unfolding = new Unfolding(view, tree, servers);
	return vscode.Disposable.from(
		tree,
		view,
		servers.onDidChange(describe),
		unfolding,
		// A server that runs can lack a sign-in for its lists.
		commands.register('startServer', ({ configured: { name }, failure }) =>
			failure?.signIn ? servers.restart(name) : servers.start(name),
		),
		commands.register('stopServer', ({ configured }) => servers.stop(configured.name)),
		commands.register('restartServer', ({ configured }) => servers.restart(configured.name)),
		commands.register('showServerLog', async ({ configured, temporaryFor }) =>
			logs.show(temporaryFor ?? configured.name),
		),
		vscode.commands.registerCommand(REVEAL_SERVER, async (server: string) => {
			await vscode.commands.executeCommand(`${fullId('servers')}.focus`);
			await view.reveal({ kind: 'server', server }, { select: true, focus: true, expand: true }).then(undefined, () => {
				// It is not there any more.
			});
		}),
		registerCommand('resetTrust', (row) => resetTrust(servers.get(textOf(own(row, 'server')))?.configured)),
		registerCommand('copy', async (row) => {
			const { text } = isNode(row) ? subjectsOf(row, servers, consent) : {};
			await (text !== undefined && vscode.env.clipboard.writeText(text));
		}),
	);
}

/** What commands act on that are run on a row. */
function subjectsOf(node: ServerNode, servers: Servers, consent: StartConsent): Partial<Subjects> {
	switch (node.kind) {
		case 'server': {
			const entry = servers.get(node.server);
			return entry
				? {
						server: entry,
						text: node.server,
						...(isCallable(entry) && { tool: { server: node.server } }),
						...(consent.isGiven(entry.configured) && entry.temporaryFor === undefined && { trusted: entry }),
					}
				: {};
		}
		case 'group':
		case 'note':
			return {};
		default: {
			const [kind, name] = addressOf(node);
			// The rows of a server that restarts stay, but offer nothing.
			return { text: name, ...(isRunning(servers.get(node.server)) && { [kind]: { server: node.server, name } }) };
		}
	}
}

function addressOf(node: FeatureNode): readonly ['tool' | 'prompt' | 'resource', string] {
	switch (node.kind) {
		case 'tool':
			return ['tool', node.tool];
		case 'prompt':
			return ['prompt', node.prompt];
		case 'resource':
			return ['resource', node.uri];
		case 'template':
			return ['resource', node.uriTemplate];
	}
}

function isRunning(entry: ServerEntry | undefined): boolean {
	return entry?.state === 'running';
}

function isNode(row: unknown): row is ServerNode {
	return isObject(row) && typeof row.kind === 'string';
}

class ServersTree implements vscode.TreeDataProvider<ServerNode>, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #disposable: vscode.Disposable;
	readonly onDidChangeTreeData = this.#changed.event;
	/** What servers listed when they last ran, as long as they are about to run again. */
	readonly #listed = new Map<string, Listed>();

	constructor(
		private readonly servers: Servers,
		private readonly configuration: Configuration,
		private readonly consent: StartConsent,
	) {
		this.#remember();
		this.#disposable = servers.onDidChange(() => {
			this.#remember();
			this.refresh();
		});
	}

	refresh(): void {
		this.#changed.fire();
	}

	/** Whether the children of a server should be visible right away: also before a restart has brought them back. */
	isOpen({ configured: { name, problems }, state }: ServerEntry): boolean {
		return (
			problems.length > 0 ||
			state === 'running' ||
			state === 'restarting' ||
			state === 'failed' ||
			this.#listed.has(name)
		);
	}

	#remember(): void {
		const before = new Map(this.#listed);
		this.#listed.clear();
		for (const { configured, state, connection } of this.servers.entries) {
			const { name } = configured;
			const kept = state === 'starting' || state === 'restarting' ? before.get(name) : undefined;
			if (connection && state === 'running') {
				const { tools, prompts, resources, resourceTemplates } = connection;
				this.#listed.set(name, { name, tools, prompts, resources, resourceTemplates });
			} else if (kept) {
				this.#listed.set(name, kept);
			}
		}
	}

	dispose(): void {
		vscode.Disposable.from(this.#disposable, this.#changed).dispose();
	}

	getChildren(node?: ServerNode): ServerNode[] {
		if (!node) {
			return [
				...unreadableNodes(this.configuration.sources).map((item): ServerNode => ({ kind: 'note', item })),
				...this.servers.entries.map(({ configured }): ServerNode => ({ kind: 'server', server: configured.name })),
			];
		}
		if (node.kind === 'server') {
			const entry = this.servers.get(node.server);
			const notes = entry ? noteNodes(entry) : [];
			return [...notes.map((item): ServerNode => ({ kind: 'note', item })), ...this.#rowsOf(node.server, featureNodes)];
		}
		return node.kind === 'group' ? this.#rowsOf(node.server, (listed) => groupMembers(listed, node.group)) : [];
	}

	#rowsOf(server: string, rowsIn: (listed: Listed) => (FeatureNode | GroupNode)[]): ServerNode[] {
		const listed = this.#listed.get(server);
		const rows = listed ? rowsIn(listed) : [];
		if (!isRunning(this.servers.get(server))) {
			for (const { item } of rows) {
				disable(item);
			}
		}
		return rows;
	}

	/** Only top-level nodes are ever revealed. */
	getParent(): undefined {
		return undefined;
	}

	getTreeItem(node: ServerNode): NativeTreeItem {
		const entry = node.kind === 'server' ? this.servers.get(node.server) : undefined;
		const item =
			node.kind !== 'server'
				? node.item
				: entry
					? serverItem(entry, this.isOpen(entry))
					: treeItem(native(node.server));
		item.contextValue = contextOf('servers', subjectsOf(node, this.servers, this.consent));
		return item;
	}
}

/** How often, and how far apart (ms), expanding a server is tried. */
const MAX_ATTEMPTS = 5;
const RETRY_DELAY = 300;

/** Expands servers once they have children. VS Code does not expand an item that it first saw as a leaf. */
class Unfolding implements vscode.Disposable {
	/** Servers that were expanded at the last update. */
	#open: ReadonlySet<string> = new Set();
	/** Servers that VS Code has not reported as expanded yet. */
	readonly #unconfirmed = new Set<string>();
	readonly #disposable: vscode.Disposable;

	constructor(
		private readonly view: vscode.TreeView<ServerNode>,
		private readonly tree: ServersTree,
		private readonly servers: Servers,
	) {
		const look = () => this.#look();
		const confirm = ({ element }: vscode.TreeViewExpansionEvent<ServerNode>) => {
			if (element.kind === 'server') {
				this.#unconfirmed.delete(element.server);
			}
		};
		this.#disposable = vscode.Disposable.from(
			servers.onDidChange(look),
			view.onDidChangeVisibility(look),
			view.onDidExpandElement(confirm),
			view.onDidCollapseElement(confirm),
		);
	}

	dispose(): void {
		this.#disposable.dispose();
		this.#unconfirmed.clear();
	}

	#look(): void {
		// `reveal` would open the view.
		if (!this.view.visible) {
			return;
		}
		const before = this.#open;
		this.#open = new Set(
			this.servers.entries.filter((entry) => this.tree.isOpen(entry)).map(({ configured }) => configured.name),
		);
		for (const server of this.#open) {
			if (!before.has(server)) {
				this.#unconfirmed.add(server);
				void this.#expand(server);
			}
		}
	}

	/** The view draws changes with a delay, and `reveal` cannot expand what is still drawn as a leaf. */
	async #expand(server: string): Promise<void> {
		for (let attempt = 0; attempt < MAX_ATTEMPTS && this.#unconfirmed.has(server) && this.view.visible; attempt++) {
			await this.view
				.reveal({ kind: 'server', server }, { select: false, focus: false, expand: true })
				.then(undefined, () => {
					// It is not drawn yet, or no longer there.
				});
			await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
		}
		this.#unconfirmed.delete(server);
	}
}

function serverItem(entry: ServerEntry, open: boolean): NativeTreeItem {
	const { configured, connection, state } = entry;
	// A running server keeps running when its definition becomes invalid.
	const broken = configured.definition === undefined && (state === 'stopped' || state === 'failed');
	const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
	const item = treeItem(native(configured.name), open ? Expanded : Collapsed);
	item.id = configured.name;
	const lost = connection?.lost !== undefined;
	item.iconPath = iconOf(entry, broken);
	const count = connection?.tools.length ?? 0;
	const description =
		state === 'running'
			? lost
				? localize('connection lost, trying again…')
				: together(
						[
							native(connection?.revision ?? ''),
							count === 1 ? localize('1 tool') : localizeNative('{0} tools', count),
							restartText(connection),
						],
						' · ',
					)
			: broken
				? localize('unusable definition')
				: isDisabled(configured)
					? localize('turned off')
					: native(stateText(state));
	item.description = together([description, isBridged(entry) ? localize('agent mode') : undefined], ' · ');
	item.tooltip = tooltip(entry);
	return item;
}

/** Says that a server runs again without the user having started it, or has a new session where it runs elsewhere. */
function restartText(connection: Connection | undefined): NativeText | undefined {
	if (!connection?.restarted) {
		return undefined;
	}
	const { times, at } = connection.restarted;
	if (!isProgram(connection.definition)) {
		return localizeNative('connected again {0}', timeText(at));
	}
	return times === 1
		? localizeNative('restarted {0}', timeText(at))
		: localizeNative('restarted {0} times, last {1}', times, timeText(at));
}

/** States have shapes of their own: high-contrast themes have no colors for them, and not everyone sees colors. */
function iconOf({ state, connection, temporaryFor }: ServerEntry, broken: boolean): vscode.ThemeIcon {
	if (state === 'failed' || broken) {
		return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
	}
	if (connection?.lost !== undefined) {
		return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
	}
	if (state === 'starting' || state === 'restarting') {
		return new vscode.ThemeIcon('loading~spin');
	}
	return new vscode.ThemeIcon(
		temporaryFor === undefined ? 'server' : 'beaker',
		state === 'running' ? new vscode.ThemeColor('charts.green') : undefined,
	);
}

function tooltip(entry: ServerEntry): NativeText {
	const { configured, connection, state } = entry;
	const { definition, source } = configured;
	const lines = [native(configured.name)];
	if (connection?.ownName) {
		lines.push(localizeNative('Calls itself: {0}', shorten(connection.ownName, 64)));
	}
	lines.push(localizeNative('State: {0}', stateText(state)));
	if (connection?.signedInAt !== undefined) {
		lines.push(localizeNative('Signed in at: {0}', shorten(connection.signedInAt, 200)));
	}
	if (isBridged(entry)) {
		lines.push(localizeNative('Offered to agent mode; its requests appear here'));
	}
	if (connection?.revision) {
		lines.push(
			localizeNative(
				'Protocol: {0} ({1})',
				connection.revision,
				connection.era === 'modern' ? localize('stateless') : localize('with sessions'),
			),
		);
	}
	if (connection && state === 'running') {
		lines.push(...featureCounts(connection));
	}
	if (definition) {
		lines.push(
			isProgram(definition)
				? localizeNative('Command: {0}', [definition.command, ...definition.args].join(' '))
				: localizeNative('URL: {0}', definition.url),
		);
	}
	lines.push(
		source.kind === 'demo'
			? localize('Included with this extension')
			: localizeNative('Defined in: {0}', sourceText(source)),
		...configured.others.map((other) => localizeNative('Also defined in: {0}', sourceText(other))),
		...(configured.editor ? [editorText(configured.editor)] : []),
	);
	return together(lines, '\n');
}
