import * as vscode from 'vscode';
import { joinLines, native, together } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { pendingOf } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { contextOf, type Subjects } from '../../common/commandTable.ts';
import { fullId } from '../../common/contributions.ts';
import { groupTexts, heldText } from '../../common/descriptions.ts';
import { localize, nativeText } from '../../common/localize.ts';
import { type NativeTreeItem, treeItem } from '../../common/surfaces.ts';
import {
	detailsOf,
	type Entry,
	entryKey,
	entryLine,
	iconOf,
	roundLimitDetails,
	roundLimitReason,
	subjectsOf,
	type WaitingEntry,
	waitingDetails,
} from './entry.ts';

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
		const item = itemOf(entry);
		item.id = entryKey(entry);
		item.iconPath = iconOf(entry);
		item.contextValue = contextOf('pending', subjectsOf(entry, this.registry, this.serverOf));
		return item;
	}
}

function itemOf(entry: Entry): NativeTreeItem {
	switch (entry.kind) {
		case 'roundLimit': {
			const { call } = entry.roundLimit;
			const item = treeItem(native(joinLines(localize('{0}: {1}', call.server, call.name)), 120));
			const [state = '', , since = ''] = roundLimitDetails(entry.roundLimit);
			item.description = native([state, since].join(' · '), 200);
			item.tooltip = together([entryLine(entry), native(roundLimitReason(entry.roundLimit), 1000)], '\n');
			return item;
		}
		case 'waiting': {
			const { server, name } = entry.waiting;
			const item = treeItem(native(joinLines(localize('{0}: {1}', server, name)), 120));
			const [state = '', , since = ''] = waitingDetails(entry.waiting);
			item.description = native([state, since].join(' · '), 200);
			item.tooltip = entryLine(entry);
			item.command = { command: fullId('resumeCall'), title: localize('Resume'), arguments: [entry] };
			return item;
		}
		case 'rateLimit': {
			const item = treeItem(native(entry.server, 120), vscode.TreeItemCollapsibleState.Collapsed);
			item.description = native(localize('rate limit: {0} held back', entry.heldRequests.held), 200);
			item.tooltip = native(heldText(entry.server, entry.heldRequests));
			return item;
		}
		case 'group': {
			const { title, progress } = groupTexts(entry.group, entry.entries);
			const item = treeItem(native(joinLines(title), 120), vscode.TreeItemCollapsibleState.Expanded);
			item.description = native(progress);
			item.tooltip = entryLine(entry);
			return item;
		}
		default:
			return elicitationItem(entry.elicitation, entry.kind === 'member');
	}
}

/** @param known whether the parent node shows the server and the call */
function elicitationItem(elicitation: Elicitation, known: boolean): NativeTreeItem {
	const { id, live, request, origin, state } = elicitation;
	const message = joinLines(request.message);
	const item = treeItem(native(known ? message : localize('{0}: {1}', origin.server, message), 120));
	item.description = native((known ? detailsOf(elicitation, '') : detailsOf(elicitation)).join(' · '), 200);
	const { delivery } = elicitation;
	item.tooltip = together(
		[
			entryLine({ kind: 'elicitation', elicitation }),
			native(request.message, 2000),
			delivery?.problem && nativeText(delivery.problem),
		],
		'\n',
	);
	if (live) {
		item.command = {
			command: fullId(state === 'opened' ? 'reopenUrl' : 'openElicitation'),
			title: localize('Open'),
			arguments: [id],
		};
	}
	return item;
}
