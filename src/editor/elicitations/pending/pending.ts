import * as vscode from 'vscode';
import { type NativeText, native, together, withIcon } from '../../../elicitation/display.ts';
import { own } from '../../../elicitation/json.ts';
import { countPending, type Pending, pendingOf } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import type { WaitingCalls } from '../../calls/waitingCalls.ts';
import { registerCommand } from '../../common/commands.ts';
import type { Subjects } from '../../common/commandTable.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { coalesce } from '../../common/scheduling.ts';
import { StatusBarButton, type StatusBarContent } from '../../common/statusBarButton.ts';
import { describe, lineOf, oneLine, subjectsOf, type WaitingEntry } from './pendingEntry.ts';
import { type ListContext, showList } from './pendingList.ts';
import { type PendingRow, PendingTree } from './pendingTree.ts';

/** Min time between two updates of the surfaces (ms). */
const UPDATE_INTERVAL = 50;

/** Registers the surfaces for pending entries (status bar, view, pick list) and the commands for one entry. */
export function registerPending(
	context: Omit<ListContext, 'waiting' | 'subjectsOf'>,
	waitingCalls: WaitingCalls,
	serverOf: (name: string) => Subjects['server'] | undefined,
): vscode.Disposable {
	const { registry } = context;
	const changed = new vscode.EventEmitter<void>();
	const waiting = () => waitingCalls.all.map((call): WaitingEntry => ({ kind: 'waiting', waiting: call }));
	const view = vscode.window.createTreeView<PendingRow>(fullId('pending'), {
		treeDataProvider: new PendingTree(registry, waiting, serverOf, changed.event),
	});
	const statusBar = new StatusBarButton(fullId('pending'), 100, localize('Pending Elicitations'), 'showPending');
	const draw = () => {
		statusBar.draw(pendingStatus(registry, waiting()));
		const count = countPending(registry).count + waitingCalls.all.length;
		view.badge = count > 0 ? { value: count, tooltip: localize('{0} pending', count) } : undefined;
		changed.fire();
	};
	const ticker = new Ticker(() => youngestOf(registry, waitingCalls), draw);
	const update = coalesce(() => {
		draw();
		ticker.restart();
	}, UPDATE_INTERVAL);
	if (waitingCalls.all.length > 0) {
		update();
	}
	return vscode.Disposable.from(
		changed,
		view,
		statusBar,
		ticker,
		update,
		registry.onDidAdd(update),
		registry.onDidChange(update),
		registry.onDidChangeDelivery(update),
		registry.onDidChangeCalls(update),
		registry.autoResponders.onDidConsult(update),
		waitingCalls.onDidChange(update),
		registerCommand('showPending', (how) =>
			showList(
				{ ...context, waiting, subjectsOf: (entry) => subjectsOf(entry, registry, serverOf) },
				changed.event,
				own(how, 'byItself') === true,
			),
		),
	);
}

function youngestOf(registry: Registry, waitingCalls: WaitingCalls): number | undefined {
	const times = [
		...waitingCalls.all.map(({ startedAt }) => startedAt),
		...[...registry.live, ...registry.unsent].map(({ receivedAt }) => receivedAt),
		...registry.calls.flatMap(({ atRoundLimit }) => (atRoundLimit ? [atRoundLimit.since] : [])),
	];
	return times.length > 0 ? Math.max(...times) : undefined;
}

/** Max number of lines in the tooltip. */
const MAX_LINES = 30;

/** Number of pending entries, with the warning background while consent is waited for. Undefined if there are none. */
function pendingStatus(registry: Registry, waiting: readonly WaitingEntry[]): StatusBarContent | undefined {
	const { count: pending, consent, automatic } = countPending(registry);
	const count = pending + waiting.length;
	if (count === 0) {
		return undefined;
	}
	const lines = [...waiting.map((each) => lineOf(describe(each))), ...pendingOf(registry).flatMap(linesOf)];
	return {
		text: withIcon(automatic ? 'loading~spin' : 'bell-dot', localizeNative('MCP {0}', count)),
		isWarning: consent,
		tooltip: [
			localizeNative('MCP elicitations: {0} pending', count),
			...lines.slice(0, MAX_LINES),
			...(lines.length > MAX_LINES ? [localizeNative('{0} more', lines.length - MAX_LINES)] : []),
		],
		label:
			count === 1 ? localizeNative('1 pending MCP elicitation') : localizeNative('{0} pending MCP elicitations', count),
	};
}

const INDENT = native('    ');

function linesOf(pending: Pending): NativeText[] {
	const entries = pending.kind === 'group' ? pending.entries : [];
	const members = entries.map((elicitation) => describe({ kind: 'member', elicitation }));
	return [
		lineOf(describe(pending)),
		...members.map(({ state, text }) => together([INDENT, oneLine([state, text], 300)], '')),
	];
}

/** Update interval of ages (ms): short while they are in seconds, longer once they are in minutes. */
const SHORT_INTERVAL = 5_000;
const LONG_INTERVAL = 30_000;

const MINUTE = 60_000;

/** Updates the ages on the surfaces. Runs only while something is pending. */
export class Ticker {
	#timer: ReturnType<typeof setTimeout> | undefined;

	/**
	 * @param youngest when the youngest pending entry arrived; undefined if there is none
	 * @param tick updates the ages
	 */
	constructor(
		private readonly youngest: () => number | undefined,
		private readonly tick: () => void,
	) {}

	/** The surfaces were updated, including the ages. */
	restart(): void {
		clearTimeout(this.#timer);
		const since = this.youngest();
		if (since !== undefined) {
			this.#timer = setTimeout(
				() => {
					this.tick();
					this.restart();
				},
				Date.now() - since < MINUTE ? SHORT_INTERVAL : LONG_INTERVAL,
			);
		}
	}

	dispose(): void {
		clearTimeout(this.#timer);
	}
}
