import * as vscode from 'vscode';
import { own } from '../../../elicitation/json.ts';
import { countPending } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import type { WaitingCalls } from '../../calls/waitingCalls.ts';
import { coalesce } from '../../common/coalesce.ts';
import { registerCommand } from '../../common/commands.ts';
import type { Subjects } from '../../common/commandTable.ts';
import { fullId } from '../../common/contributions.ts';
import { localize } from '../../common/localize.ts';
import { StatusBarButton } from '../../common/statusBarButton.ts';
import { type Entry, subjectsOf, type WaitingEntry } from './entry.ts';
import { type ListContext, showList } from './list.ts';
import { pendingStatus } from './statusBar.ts';
import { Ticker } from './ticker.ts';
import { PendingTree } from './tree.ts';

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
	const view = vscode.window.createTreeView<Entry>(fullId('pending'), {
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
