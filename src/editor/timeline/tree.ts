import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { type NativeText, native } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { describeMessage } from '../../trace/describe.ts';
import type { Exchanges } from '../../trace/exchanges.ts';
import {
	foldPolls,
	inOrder,
	type Line,
	lineKey,
	POLL_METHOD,
	type PollsLine,
	roundsIn,
	type SeriesLine,
	topLines,
} from '../../trace/line.ts';
import type { TraceEntry } from '../../trace/log.ts';
import type { Round } from '../../trace/rounds.ts';
import type { Timeline, TimelineGroup } from '../../trace/timeline.ts';
import { coalesce } from '../common/coalesce.ts';
import { fullId } from '../common/contributions.ts';
import {
	callStateText,
	callText,
	duration,
	pollsText,
	requestsText,
	seriesText,
	stateOf,
	trialOf,
	viaOf,
} from '../common/descriptions.ts';
import { localize, localizeNative, nativeText, timeText } from '../common/localize.ts';
import { type NativeTreeItem, treeItem } from '../common/surfaces.ts';

/** Min time between two updates of the view (ms), so that a busy server does not keep it redrawing. */
const UPDATE_INTERVAL = 200;

/** Up to this many rounds are expanded by default. */
const MAX_EXPANDED_ROUNDS = 3;

/**
 * Max number of children. The panel shows all of them. VS Code keeps some 230 bytes for each tree item it has ever
 * drawn (measured with 1.139) and redraws all of them on each change.
 */
const MAX_CHILDREN = 100;

/** A node of the view. Menus and commands use `call` and `elicitation`. */
export type Node =
	| { readonly line: Line; readonly call?: Call; readonly elicitation?: Elicitation }
	/** Leads to the panel, which shows all of it. */
	| { readonly more: number; readonly at?: Line };

/** The timeline as a tree: calls, their rounds if there are several, elicitations and messages. */
export class TimelineTree implements vscode.Disposable {
	readonly #subscriptions: vscode.Disposable;

	constructor(
		private readonly timeline: Timeline,
		changed: () => void,
	) {
		const later = coalesce(changed, UPDATE_INTERVAL);
		this.#subscriptions = vscode.Disposable.from(later, timeline.onDidChange(later));
	}

	dispose(): void {
		this.#subscriptions.dispose();
	}

	getChildren(node?: Node): Node[] {
		if (!node) {
			return this.#roots();
		}
		return 'line' in node ? bounded(childrenOf(node.line, this.timeline.exchanges).map(nodeOf), node.line) : [];
	}

	getTreeItem(node: Node): NativeTreeItem {
		if ('more' in node) {
			const item = treeItem(localizeNative('{0} more in the timeline', node.more));
			item.command = command(node.at);
			return item;
		}
		const { line } = node;
		const item = itemOf(line);
		item.id = lineKey(line);
		if (line.kind === 'elicitation' || line.kind === 'message') {
			item.command = command(line);
		}
		return item;
	}

	#roots(): Node[] {
		const groups = topLines(this.timeline.groups);
		const calls = groups.filter(({ group }) => group.call);
		const outside = groups.filter(({ group }) => !group.call);
		// Newest first, like calls.
		const alone = outside
			.flatMap(({ group }) => [...group.elicitations].map((elicitation) => ({ group, elicitation })))
			.sort((one, other) => Number(other.elicitation.id) - Number(one.elicitation.id))
			.map((each): Line => ({ kind: 'elicitation', ...each }));
		return [...bounded(calls.map(nodeOf)), ...bounded(alone.map(nodeOf)), ...outside.map(nodeOf)];
	}
}

function nodeOf(line: Line): Node {
	const { call } = line.group;
	return {
		line,
		...(line.kind === 'group' && call && { call }),
		...(line.kind === 'elicitation' && { elicitation: line.elicitation }),
	};
}

function childrenOf(line: Line, exchanges: Exchanges): Line[] {
	const { group } = line;
	if (line.kind === 'series') {
		return line.groups.map((each): Line => ({ kind: 'group', group: each }));
	}
	if (line.kind === 'round') {
		return foldPolls(inOrder(group, line.round.elicitations, line.round.entries), exchanges);
	}
	if (line.kind === 'polls') {
		return line.entries.map((entry): Line => ({ kind: 'message', group, entry }));
	}
	if (line.kind !== 'group') {
		return [];
	}
	if (!group.call) {
		return inOrder(group, [], group.entries).reverse();
	}
	const rounds = roundsIn(group);
	return rounds.length > 0
		? rounds.map((round): Line => ({ kind: 'round', group, round }))
		: foldPolls(inOrder(group, group.elicitations, group.entries), exchanges);
}

function bounded(nodes: readonly Node[], at?: Line): Node[] {
	return nodes.length > MAX_CHILDREN
		? [...nodes.slice(0, MAX_CHILDREN), { more: nodes.length - MAX_CHILDREN, ...(at && { at }) }]
		: [...nodes];
}

function command(at: Line | undefined): vscode.Command {
	return { command: fullId('showTimeline'), title: localize('Show Timeline'), arguments: at ? [lineKey(at)] : [] };
}

function itemOf(line: Line): NativeTreeItem {
	switch (line.kind) {
		case 'series':
			return seriesItem(line);
		case 'polls':
			return pollsItem(line);
		case 'group':
			return line.group.call ? callItem(line.group.call, line.group.elicitations) : outsideItem(line.group);
		case 'round':
			return roundItem(line.group.call, line.round);
		case 'elicitation':
			return elicitationItem(line.elicitation);
		case 'message':
			return messageItem(line.entry);
	}
}

/** An item with children, expanded or collapsed at first. */
function parentItem(label: NativeText, expanded: boolean): NativeTreeItem {
	const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
	return treeItem(label, expanded ? Expanded : Collapsed);
}

function seriesItem({ series, groups }: SeriesLine): NativeTreeItem {
	const isRunning = groups.some(({ call }) => call?.state === 'running');
	const item = parentItem(nativeText(series.heading), isRunning);
	item.description = native(seriesText(series, groups), 200);
	item.tooltip = item.description;
	item.iconPath = new vscode.ThemeIcon('beaker');
	return item;
}

function pollsItem({ entries }: PollsLine): NativeTreeItem {
	const item = parentItem(native(POLL_METHOD), false);
	item.description = native(pollsText(entries));
	item.iconPath = new vscode.ThemeIcon('sync');
	return item;
}

function callItem(call: Call, elicitations: TimelineGroup['elicitations']): NativeTreeItem {
	const item = parentItem(native(call.name, 100), call.state === 'running');
	const hasForm = [...elicitations].some(({ request }) => request.mode === 'form');
	item.contextValue = `call.${call.state}${hasForm ? '.form' : ''}.${call.kind}`;
	item.description = native(callText(call, timeText(call.startedAt)), 200);
	const title = `${call.server} · ${call.name}`;
	item.tooltip = native([title, callStateText(call), ...trialOf(call), ...viaOf(call), duration(call)].join('\n'));
	item.iconPath = {
		running: new vscode.ThemeIcon('loading~spin'),
		succeeded: new vscode.ThemeIcon('pass', new vscode.ThemeColor('charts.green')),
		failed: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
		cancelled: new vscode.ThemeIcon('circle-slash'),
	}[call.failed ? 'failed' : call.state];
	return item;
}

function outsideItem({ server }: TimelineGroup): NativeTreeItem {
	const item = parentItem(localize('Messages outside of calls'), false);
	item.description = native(server, 100);
	item.iconPath = new vscode.ThemeIcon('list-unordered');
	return item;
}

function roundItem(call: Call | undefined, { number, entries, elicitations }: Round): NativeTreeItem {
	const open =
		call !== undefined && (call.rounds <= MAX_EXPANDED_ROUNDS || (call.state === 'running' && number === call.rounds));
	const item = parentItem(localizeNative('Round {0}', number), open);
	const [first] = entries;
	item.description = native(
		[first ? timeText(first.at) : '', requestsText(elicitations.length)].filter(Boolean).join(' · '),
	);
	item.iconPath = new vscode.ThemeIcon('sync');
	return item;
}

function elicitationItem(elicitation: Elicitation): NativeTreeItem {
	const { request } = elicitation;
	const item = treeItem(native(request.message, 100));
	const { response, undecided } = elicitation;
	item.contextValue = `elicitation.${request.mode}${response ? '.answered' : undecided ? '.undecided' : ''}`;
	item.description = native(stateOf(elicitation));
	item.tooltip = native(request.message, 2000);
	item.iconPath = new vscode.ThemeIcon(request.mode === 'url' ? 'link' : 'comment-discussion');
	return item;
}

function messageItem(entry: TraceEntry): NativeTreeItem {
	const item = treeItem(native(describeMessage(entry.message), 100));
	item.contextValue = 'message';
	item.description = native(`${entry.call ? '' : `${entry.server} · `}${timeText(entry.at)}`, 100);
	item.iconPath = new vscode.ThemeIcon(entry.direction === 'sent' ? 'arrow-right' : 'arrow-left');
	item.tooltip = entry.direction === 'sent' ? localize('sent to the server') : localize('received from the server');
	return item;
}
