import * as vscode from 'vscode';
import { native } from '../../elicitation/display.ts';
import type { ToolInfo } from '../../mcp/index.ts';
import { chooseServer } from '../chooseServer.ts';
import { fullId } from '../contributions.ts';
import { showError } from '../notices.ts';
import type { ServerLogs } from '../serverLogs.ts';
import type { ServerEntry, Servers } from '../servers.ts';
import type { StartConsent } from '../startConsent.ts';
import { problemText, stateText } from '../texts.ts';
import { line, lineOf, t } from '../words.ts';

/** A node of the servers view. Commands get it as their argument when they are run from there. */
export type ServerNode =
	| { readonly kind: 'server'; readonly server: string }
	| { readonly kind: 'tool'; readonly server: string; readonly tool: string }
	| { readonly kind: 'note'; readonly item: vscode.TreeItem };

/** The servers view and the commands of its servers. */
export function registerServersView(servers: Servers, logs: ServerLogs, consent: StartConsent): vscode.Disposable {
	const view = vscode.window.createTreeView<ServerNode>(fullId('servers'), {
		treeDataProvider: new ServersTree(servers),
	});
	const describe = () => {
		view.message =
			servers.entries.length > 0 && !vscode.workspace.isTrusted
				? t('Restricted Mode: no server is started until you trust this workspace.')
				: '';
	};
	describe();
	const run = async (
		target: unknown,
		state: (entry: ServerEntry) => boolean,
		act: (name: string) => Promise<unknown>,
	) => {
		const name = await chooseServer(servers, target, state);
		if (name !== undefined) {
			await act(name);
		}
	};
	const running = ({ state }: ServerEntry) => state === 'running' || state === 'starting';
	const command = (
		id: 'startServer' | 'stopServer' | 'restartServer' | 'showServerLog',
		handler: (target: unknown) => Promise<unknown>,
	) => vscode.commands.registerCommand(fullId(id), (target: unknown) => handler(target).catch(showError));
	return vscode.Disposable.from(
		view,
		servers.onDidChange(describe),
		command('startServer', (target) =>
			run(
				target,
				(entry) => !running(entry),
				(name) => servers.start(name),
			),
		),
		command('stopServer', (target) => run(target, running, (name) => servers.stop(name))),
		command('restartServer', (target) =>
			run(target, running, async (name) => {
				await servers.stop(name);
				await servers.start(name);
			}),
		),
		command('showServerLog', (target) =>
			run(
				target,
				() => true,
				async (name) => logs.show(name),
			),
		),
		vscode.commands.registerCommand(fullId('resetServerTrust'), async () => {
			await consent.reset();
			void vscode.window.showInformationMessage(
				line('You will be asked again before a server of a workspace is started.'),
			);
		}),
	);
}

class ServersTree implements vscode.TreeDataProvider<ServerNode> {
	readonly onDidChangeTreeData: vscode.Event<void>;

	constructor(private readonly servers: Servers) {
		this.onDidChangeTreeData = servers.onDidChange;
	}

	getChildren(node?: ServerNode): ServerNode[] {
		if (!node) {
			return this.servers.entries.map(({ configured }) => ({ kind: 'server', server: configured.name }));
		}
		const entry = node.kind === 'server' ? this.servers.get(node.server) : undefined;
		if (!entry) {
			return [];
		}
		const problems = problemsOf(entry).map((item): ServerNode => ({ kind: 'note', item }));
		const tools = entry.connection?.tools ?? [];
		return [
			...problems,
			...tools.map((tool): ServerNode => ({ kind: 'tool', server: entry.configured.name, tool: tool.name })),
		];
	}

	getTreeItem(node: ServerNode): vscode.TreeItem {
		if (node.kind === 'note') {
			return node.item;
		}
		const entry = this.servers.get(node.server);
		if (!entry) {
			return new vscode.TreeItem(native(node.server));
		}
		if (node.kind === 'server') {
			return serverItem(entry);
		}
		const tool = entry.connection?.tools.find(({ name }) => name === node.tool);
		return tool ? toolItem(tool, entry.configured.name) : new vscode.TreeItem(native(node.tool));
	}
}

function serverItem({ configured, connection, state }: ServerEntry): vscode.TreeItem {
	const broken = configured.problems.length > 0;
	const open = state === 'running' || broken || state === 'failed';
	const item = new vscode.TreeItem(
		native(configured.name),
		open ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None,
	);
	// An item that once was a leaf stays folded: with children it is another item.
	item.id = `${open ? 'open' : 'leaf'}:${configured.name}`;
	item.contextValue = `server.${broken ? 'broken' : state}`;
	item.iconPath = new vscode.ThemeIcon(
		'server',
		state === 'running'
			? new vscode.ThemeColor('testing.iconPassed')
			: state === 'failed' || broken
				? new vscode.ThemeColor('list.errorForeground')
				: state === 'starting'
					? new vscode.ThemeColor('charts.yellow')
					: undefined,
	);
	const count = connection?.tools.length ?? 0;
	item.description =
		state === 'running'
			? [connection?.revision, count === 1 ? t('1 tool') : t('{0} tools', count)].join(' · ')
			: broken
				? t('unusable definition')
				: stateText(state);
	item.tooltip = tooltip(configured, connection, state);
	return item;
}

function tooltip(
	configured: ServerEntry['configured'],
	connection: ServerEntry['connection'],
	state: ServerEntry['state'],
): string {
	const { definition, source } = configured;
	const lines: string[] = [native(configured.name)];
	if (connection?.ownName) {
		lines.push(line('Calls itself: {0}', native(connection.ownName, 64)));
	}
	lines.push(line('State: {0}', stateText(state)));
	if (connection?.revision) {
		lines.push(
			line(
				'Protocol: {0} ({1})',
				connection.revision,
				connection.era === 'modern' ? t('stateless') : t('with sessions'),
			),
		);
	}
	if (definition) {
		lines.push(
			definition.type === 'stdio'
				? line('Command: {0}', [definition.command, ...definition.args].join(' '))
				: line('URL: {0}', definition.url),
		);
	}
	lines.push(
		source.kind === 'user'
			? t('Defined in your settings')
			: source.kind === 'demo'
				? t('Comes with this extension')
				: t('Defined by this workspace'),
	);
	return lines.join('\n');
}

function toolItem(tool: ToolInfo, server: string): vscode.TreeItem {
	const item = new vscode.TreeItem(native(tool.title ?? tool.name, 100));
	item.id = `tool:${JSON.stringify([server, tool.name])}`;
	item.contextValue = 'tool';
	item.accessibilityInformation = { label: native(`${tool.title ?? tool.name}, ${tool.description ?? ''}`, 300) };
	item.iconPath = new vscode.ThemeIcon('tools');
	item.description = native(tool.description ?? '', 200);
	item.tooltip = [native(tool.name), native(tool.description ?? '', 2000)].filter(Boolean).join('\n');
	return item;
}

function problemsOf({ configured, connection }: ServerEntry): vscode.TreeItem[] {
	const items = configured.problems.map((problem) => {
		const item = problemItem(native(problemText(problem)));
		item.command = {
			command: 'workbench.action.openSettings',
			title: t('Open Settings'),
			arguments: [`@id:${fullId('servers')}`],
		};
		return item;
	});
	const failure = connection?.failure;
	if (failure) {
		const item = problemItem(lineOf(failure.what));
		item.tooltip = `${lineOf(failure.what)}\n${lineOf(failure.fix)}`;
		item.command = { command: fullId('showServerLog'), title: t('Show Log'), arguments: [configured.name] };
		items.push(item);
	}
	return items;
}

function problemItem(text: string): vscode.TreeItem {
	const item = new vscode.TreeItem(text);
	item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
	item.tooltip = text;
	return item;
}
