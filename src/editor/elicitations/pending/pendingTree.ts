import * as vscode from 'vscode';
import { joinLines, native, together } from '../../../elicitation/display.ts';
import { type Pending, pendingOf } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { type CommandId, contextOf, type Subjects } from '../../common/commandTable.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, localizeNative, nativeText } from '../../common/localize.ts';
import { type NativeTreeItem, treeItem } from '../../common/surfaces.ts';
import {
	countUndecided,
	describe,
	type Entry,
	entryKey,
	iconOf,
	lineOf,
	oneLine,
	subjectsOf,
	type WaitingEntry,
} from './pendingEntry.ts';

/** A row of the view: a server, or something that is pending with it. */
export type PendingRow =
	| Entry
	| { readonly kind: 'server'; readonly server: string; readonly entries: readonly (Pending | WaitingEntry)[] };

/** The view of pending entries, by server. Groups and held requests have child nodes as well. */
export class PendingTree implements vscode.TreeDataProvider<PendingRow> {
	constructor(
		private readonly registry: Registry,
		private readonly waiting: () => readonly WaitingEntry[],
		private readonly serverOf: (name: string) => Subjects['server'] | undefined,
		readonly onDidChangeTreeData: vscode.Event<void>,
	) {}

	getChildren(entry?: PendingRow): PendingRow[] {
		switch (entry?.kind) {
			case undefined:
				return this.#servers();
			case 'server':
				return [...entry.entries];
			case 'group':
				return entry.entries.map((elicitation) => ({ kind: 'member', elicitation }));
			case 'rateLimit':
				return entry.held.map((elicitation) => ({ kind: 'member', elicitation }));
			default:
				return [];
		}
	}

	#servers(): PendingRow[] {
		const servers = new Map<string, (Pending | WaitingEntry)[]>();
		for (const entry of [...this.waiting(), ...pendingOf(this.registry)]) {
			const { server } = describe(entry);
			servers.set(server, [...(servers.get(server) ?? []), entry]);
		}
		return [...servers].map(([server, entries]) => ({ kind: 'server', server, entries }));
	}

	getTreeItem(entry: PendingRow): NativeTreeItem {
		return entry.kind === 'server' ? this.#serverItem(entry.server) : this.#entryItem(entry);
	}

	#serverItem(name: string): NativeTreeItem {
		const item = treeItem(native(name, 100), vscode.TreeItemCollapsibleState.Expanded);
		item.id = `server:${name}`;
		item.iconPath = new vscode.ThemeIcon('server');
		const server = this.serverOf(name);
		const count = countUndecided(this.registry).get(name) ?? 0;
		item.contextValue = contextOf('pending', { ...(server && { server }), ...(count > 0 && { asking: name }) });
		item.description = count > 1 ? localizeNative('{0} pending', count) : native('');
		return item;
	}

	#entryItem(entry: Entry): NativeTreeItem {
		const told = describe(entry);
		const item = treeItem(native(joinLines(told.label), 120), FOLDING[entry.kind]);
		item.id = entryKey(entry);
		item.iconPath = iconOf(entry);
		item.contextValue = contextOf('pending', subjectsOf(entry, this.registry, this.serverOf));
		item.description = oneLine(told.details, 200);
		const problem = 'elicitation' in entry ? entry.elicitation.delivery?.problem : undefined;
		item.tooltip = together([lineOf(told), native(told.text, 2000), problem && nativeText(problem)], '\n');
		const id = clickOf(entry);
		if (id) {
			item.command = { command: fullId(id), title: localize('Open'), arguments: [entry] };
		}
		return item;
	}
}

const FOLDING: Partial<Record<Entry['kind'], vscode.TreeItemCollapsibleState>> = {
	rateLimit: vscode.TreeItemCollapsibleState.Collapsed,
	group: vscode.TreeItemCollapsibleState.Expanded,
};

/** What a click on a row does. */
function clickOf(entry: Entry): CommandId | undefined {
	if (entry.kind === 'waiting') {
		return 'resumeCall';
	}
	if (!('elicitation' in entry && entry.elicitation.live)) {
		return undefined;
	}
	return entry.elicitation.state === 'opened' ? 'reopenUrl' : 'openElicitation';
}
