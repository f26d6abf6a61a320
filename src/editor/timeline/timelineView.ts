import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { native } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { Registry } from '../../elicitation/registry.ts';
import { describeMessage } from '../../trace/describe.ts';
import { toJsonLines } from '../../trace/export.ts';
import type { TraceEntry, TraceLog } from '../../trace/log.ts';
import { fullId } from '../contributions.ts';
import type { JsonDocuments } from '../jsonDocuments.ts';
import { showError } from '../notices.ts';
import { duration, stateOf } from '../texts.ts';
import { line, t } from '../words.ts';

/** How long the view may lag behind the wire (milliseconds): a busy server must not keep it redrawing. */
const LAG = 200;

type Node =
	| { readonly kind: 'call'; readonly call: Call }
	| { readonly kind: 'elicitation'; readonly elicitation: Elicitation }
	| { readonly kind: 'message'; readonly entry: TraceEntry }
	/** Messages of no call: handshakes, lists, notifications. */
	| { readonly kind: 'others' };

/** The timeline, first form: per call its elicitations and raw messages; opens any of them as JSON, exports JSON Lines. */
export function registerTimeline(registry: Registry, trace: TraceLog, documents: JsonDocuments): vscode.Disposable {
	const tree = new TimelineTree(registry, trace);
	const view = vscode.window.createTreeView<Node>(fullId('timeline'), { treeDataProvider: tree });
	return vscode.Disposable.from(
		tree,
		view,
		vscode.commands.registerCommand(fullId('showTimeline'), () =>
			vscode.commands.executeCommand(`${fullId('timeline')}.focus`),
		),
		vscode.commands.registerCommand(fullId('exportTimeline'), () => exportTimeline(trace).catch(showError)),
		vscode.commands.registerCommand(fullId('clearTimeline'), () => {
			trace.clear();
			registry.forgetEnded();
		}),
		vscode.commands.registerCommand(fullId('openMessage'), (node: Node) => open(node, documents).catch(showError)),
	);
}

async function open(node: Node, documents: JsonDocuments): Promise<void> {
	if (node.kind === 'message') {
		await documents.open(`${describeMessage(node.entry.message)} ${node.entry.server}`, node.entry.message);
	} else if (node.kind === 'elicitation') {
		const { elicitation } = node;
		await documents.open(t('elicitation {0}', elicitation.origin.server), {
			server: elicitation.origin.server,
			revision: elicitation.origin.revision,
			state: elicitation.state,
			request: elicitation.origin.params,
			answer: elicitation.answer ?? null,
		});
	}
}

async function exportTimeline(trace: TraceLog): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	const name = 'mcp-timeline.jsonl';
	const target = await vscode.window.showSaveDialog({
		...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
		filters: { 'JSON Lines': ['jsonl'] },
	});
	if (target) {
		await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(toJsonLines(trace.entries)));
		void vscode.window.showInformationMessage(
			line('{0} messages exported; masked values are left out.', trace.entries.length),
		);
	}
}

class TimelineTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly #subscriptions: vscode.Disposable;
	#timer: ReturnType<typeof setTimeout> | undefined;

	readonly onDidChangeTreeData = this.#changed.event;

	constructor(
		private readonly registry: Registry,
		private readonly trace: TraceLog,
	) {
		const later = () => {
			this.#timer ??= setTimeout(() => {
				this.#timer = undefined;
				this.#changed.fire();
			}, LAG);
		};
		this.#subscriptions = vscode.Disposable.from(
			registry.onDidAdd(later),
			registry.onDidChange(later),
			registry.onDidChangeCalls(later),
			trace.onDidChange(later),
		);
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#subscriptions.dispose();
		this.#changed.dispose();
	}

	getChildren(node?: Node): Node[] {
		if (!node) {
			return this.#roots();
		}
		if (node.kind === 'call') {
			const elicitations = this.registry.elicitations.filter(({ origin }) => origin.calls.includes(node.call));
			return inOrder(
				elicitations,
				this.trace.entries.filter(({ call }) => call === node.call),
			);
		}
		if (node.kind === 'others') {
			return this.trace.entries
				.filter(({ call }) => !call)
				.reverse()
				.map((entry) => ({ kind: 'message', entry }));
		}
		return [];
	}

	getTreeItem(node: Node): vscode.TreeItem {
		switch (node.kind) {
			case 'call':
				return callItem(node.call);
			case 'elicitation':
				return opens(node, elicitationItem(node.elicitation));
			case 'message':
				return opens(node, messageItem(node.entry));
			case 'others': {
				const item = new vscode.TreeItem(t('Messages outside of calls'), vscode.TreeItemCollapsibleState.Collapsed);
				item.id = 'others';
				item.iconPath = new vscode.ThemeIcon('list-unordered');
				return item;
			}
		}
	}

	#roots(): Node[] {
		const calls: Node[] = [...this.registry.calls].reverse().map((call) => ({ kind: 'call', call }));
		const alone = this.registry.elicitations.filter(({ origin }) => origin.calls.length === 0);
		const others: Node[] = this.trace.entries.some(({ call }) => !call) ? [{ kind: 'others' }] : [];
		return [...calls, ...alone.map((elicitation): Node => ({ kind: 'elicitation', elicitation })), ...others];
	}
}

/** Oldest first: an elicitation stands right before the message that came next. */
function inOrder(elicitations: readonly Elicitation[], entries: readonly TraceEntry[]): Node[] {
	const nodes: { at: number; node: Node }[] = [
		...entries.map((entry) => ({ at: entry.at, node: { kind: 'message', entry } as const })),
		...elicitations.map((elicitation) => ({
			at: elicitation.receivedAt,
			node: { kind: 'elicitation', elicitation } as const,
		})),
	];
	return nodes.sort((a, b) => a.at - b.at).map(({ node }) => node);
}

function callItem(call: Call): vscode.TreeItem {
	const item = new vscode.TreeItem(
		native(call.name, 100),
		call.state === 'running' ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
	);
	item.id = `call:${call.id}`;
	item.contextValue = `call.${call.state}`;
	item.description = native(
		`${call.server} · ${new Date(call.startedAt).toLocaleTimeString(vscode.env.language)} · ${duration(call)}`,
		200,
	);
	item.tooltip = native(`${call.server} · ${call.name}\n${duration(call)}`);
	item.iconPath = {
		running: new vscode.ThemeIcon('loading~spin'),
		succeeded: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
		failed: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
		cancelled: new vscode.ThemeIcon('circle-slash'),
	}[call.state];
	return item;
}

function elicitationItem(elicitation: Elicitation): vscode.TreeItem {
	const { request } = elicitation;
	const item = new vscode.TreeItem(native(request.message, 100));
	item.id = `elicitation:${elicitation.id}`;
	item.description = stateOf(elicitation);
	item.tooltip = native(request.message, 2000);
	item.iconPath = new vscode.ThemeIcon(request.mode === 'url' ? 'link' : 'comment-discussion');
	return item;
}

function messageItem(entry: TraceEntry): vscode.TreeItem {
	const item = new vscode.TreeItem(native(describeMessage(entry.message), 100));
	item.id = `message:${entry.seq}`;
	item.description = native(
		`${entry.call ? '' : `${entry.server} · `}${new Date(entry.at).toLocaleTimeString(vscode.env.language)}`,
		100,
	);
	item.iconPath = new vscode.ThemeIcon(entry.direction === 'sent' ? 'arrow-right' : 'arrow-left');
	item.tooltip = entry.direction === 'sent' ? t('sent to the server') : t('received from the server');
	return item;
}

function opens(node: Node, item: vscode.TreeItem): vscode.TreeItem {
	item.command = { command: fullId('openMessage'), title: t('Open as JSON'), arguments: [node] };
	return item;
}
