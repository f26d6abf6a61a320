import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import { native } from '../../elicitation/display.ts';
import { type GroupLine, lineKey, type SeriesLine, topLines } from '../../trace/line.ts';
import type { Timeline, TimelineGroup } from '../../trace/timeline.ts';
import { contextOf, type Subjects } from '../common/commandTable.ts';
import { fullId } from '../common/contributions.ts';
import { callStateText, callText, duration, seriesText, trialOf, viaOf } from '../common/descriptions.ts';
import { localize, localizeNative, nativeText, timeText } from '../common/localize.ts';
import { coalesce } from '../common/scheduling.ts';
import { type NativeTreeItem, treeItem } from '../common/surfaces.ts';
import { subjectsOf } from './actions.ts';

/** Min time between two updates of the view (ms), so that a busy server does not keep it redrawing. */
const UPDATE_INTERVAL = 200;

/**
 * Max number of rows. The panel shows all of them. VS Code keeps some 230 bytes for each tree item it has ever drawn
 * (measured with 1.139) and redraws all of them on each change.
 */
const MAX_ROWS = 100;

/** A row of the view, with what commands act on. */
export type Node =
	| ({ readonly line: GroupLine | SeriesLine } & Partial<Subjects>)
	/** Leads to the panel, which shows all of it. */
	| { readonly more: number };

/** Calls and series of them. A click on a row shows all of it in the panel. */
export class TimelineTree implements vscode.Disposable {
	readonly #disposable: vscode.Disposable;
	/** The rows of running calls, by their keys. */
	readonly #running = new Map<string, Node>();

	/** @param changed called when the view, or a row of it, must be redrawn */
	constructor(
		private readonly timeline: Timeline,
		private readonly changed: (node?: Node) => void,
	) {
		const later = coalesce(() => changed(), UPDATE_INTERVAL);
		this.#disposable = vscode.Disposable.from(later, timeline.onDidChange(later));
	}

	dispose(): void {
		this.#disposable.dispose();
	}

	/** Draws the clocks of running calls, and nothing else: VS Code keeps something of each row that it has ever drawn. */
	tick(): void {
		for (const [key, node] of this.#running) {
			if ('call' in node && node.call?.state === 'running') {
				this.changed(node);
			} else {
				this.#running.delete(key);
			}
		}
	}

	getChildren(node?: Node): Node[] {
		if (!node) {
			return bounded(topLines(this.timeline.groups).map(nodeOf));
		}
		return 'line' in node && node.line.kind === 'series'
			? bounded(node.line.groups.map((group) => nodeOf({ kind: 'group', group })))
			: [];
	}

	getTreeItem(node: Node): NativeTreeItem {
		const item = 'more' in node ? treeItem(localizeNative('{0} more in the timeline', node.more)) : itemOf(node.line);
		if ('line' in node) {
			item.id = lineKey(node.line);
			if (node.call?.state === 'running') {
				this.#running.set(item.id, node);
			}
			item.contextValue = contextOf('timeline', subjectsOf(node.line));
		}
		item.command = {
			command: fullId('showTimeline'),
			title: localize('Show Timeline'),
			arguments: 'line' in node ? [lineKey(node.line)] : [],
		};
		return item;
	}
}

function nodeOf(line: GroupLine | SeriesLine): Node {
	return { line, ...subjectsOf(line) };
}

function bounded(nodes: readonly Node[]): Node[] {
	return nodes.length > MAX_ROWS ? [...nodes.slice(0, MAX_ROWS), { more: nodes.length - MAX_ROWS }] : [...nodes];
}

function itemOf(line: GroupLine | SeriesLine): NativeTreeItem {
	if (line.kind === 'series') {
		return seriesItem(line);
	}
	return line.group.call ? callItem(line.group.call) : outsideItem(line.group);
}

function seriesItem({ series, groups }: SeriesLine): NativeTreeItem {
	const isRunning = groups.some(({ call }) => call?.state === 'running');
	const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
	const item = treeItem(nativeText(series.heading), isRunning ? Expanded : Collapsed);
	item.description = native(seriesText(series, groups), 200);
	item.tooltip = item.description;
	item.iconPath = new vscode.ThemeIcon('beaker');
	return item;
}

function callItem(call: Call): NativeTreeItem {
	const item = treeItem(native(call.name, 100));
	item.description = native(callText(call, timeText(call.startedAt)), 200);
	const title = `${call.server} · ${call.name}`;
	item.tooltip = native([title, callStateText(call), ...trialOf(call), ...viaOf(call), duration(call)].join('\n'));
	item.iconPath = {
		running: new vscode.ThemeIcon('loading~spin'),
		succeeded: new vscode.ThemeIcon('pass', new vscode.ThemeColor('charts.green')),
		failed: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
		cancelled: new vscode.ThemeIcon('circle-slash'),
		unfinished: new vscode.ThemeIcon('circle-large-outline'),
	}[call.failed ? 'failed' : call.state];
	return item;
}

function outsideItem({ server }: TimelineGroup): NativeTreeItem {
	const item = treeItem(localize('Outside of calls'));
	item.description = native(server, 100);
	item.iconPath = new vscode.ThemeIcon('list-unordered');
	return item;
}
