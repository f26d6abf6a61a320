import * as vscode from 'vscode';
import { joinLines, native, together } from '../../../elicitation/display.ts';
import { pendingOf } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { type CommandId, contextOf, type Subjects } from '../../common/commandTable.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, nativeText } from '../../common/localize.ts';
import { type NativeTreeItem, treeItem } from '../../common/surfaces.ts';
import {
	describe,
	detailsOf,
	type Entry,
	entryKey,
	iconOf,
	lineOf,
	subjectsOf,
	type WaitingEntry,
} from './pendingEntry.ts';

/** The view of pending entries. Groups and held requests have child nodes. */
export class PendingTree implements vscode.TreeDataProvider<Entry> {
	constructor(
		private readonly registry: Registry,
		private readonly waiting: () => readonly WaitingEntry[],
		private readonly serverOf: (name: string) => Subjects['server'] | undefined,
		readonly onDidChangeTreeData: vscode.Event<void>,
	) {}

	getChildren(entry?: Entry): Entry[] {
		switch (entry?.kind) {
			case undefined:
				return [...this.waiting(), ...pendingOf(this.registry)];
			case 'group':
				return entry.entries.map((elicitation) => ({ kind: 'member', elicitation }));
			case 'rateLimit':
				return entry.held.map((elicitation) => ({ kind: 'member', elicitation }));
			default:
				return [];
		}
	}

	getTreeItem(entry: Entry): NativeTreeItem {
		const told = describe(entry);
		const item = treeItem(native(joinLines(told.label), 120), FOLDING[entry.kind]);
		item.id = entryKey(entry);
		item.iconPath = iconOf(entry);
		item.contextValue = contextOf('pending', subjectsOf(entry, this.registry, this.serverOf));
		// The other rows name their call, or are below one that does.
		item.description = detailsOf(entry.kind === 'elicitation' ? told : { ...told, cause: '' });
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
