import * as vscode from 'vscode';
import { type NativeText, native } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { own } from '../../../elicitation/json.ts';
import { countPending, pendingOf } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import type { LazyWaitingCalls } from '../../calls/lazyWaitingCalls.ts';
import { coalesce } from '../../common/coalesce.ts';
import { registerCommand } from '../../common/commands.ts';
import { fullId } from '../../common/contributions.ts';
import { canRetry } from '../../common/descriptions.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import { StatusBarButton } from '../../common/statusBarButton.ts';
import { type NativeItem, showQuickPick } from '../../common/surfaces.ts';
import { tellSettled } from '../presence.ts';
import {
	canReopen,
	canSendAgain,
	countUndecided,
	type Entry,
	isUndecided,
	type PendingActions,
	roundLimitDetails,
	serverOf,
	type WaitingEntry,
} from './entry.ts';
import { pendingStatus } from './statusBar.ts';
import { Ticker } from './ticker.ts';
import { PendingTree } from './tree.ts';

/** Min time between two updates of the surfaces (ms). */
const UPDATE_INTERVAL = 50;

/** Registers the surfaces for pending entries (status bar, view, pick list) and the commands for one entry. */
export function registerPending(
	registry: Registry,
	waitingCalls: LazyWaitingCalls,
	actions: PendingActions,
): vscode.Disposable {
	const changed = new vscode.EventEmitter<void>();
	const waiting = () => waitingCalls.all.map((call): WaitingEntry => ({ kind: 'waiting', waiting: call }));
	const view = vscode.window.createTreeView<Entry>(fullId('pending'), {
		treeDataProvider: new PendingTree(registry, waiting, changed.event),
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
		registerCommand('showPending', async (how) => {
			const { showList } = await import('./list.ts');
			await showList(registry, waiting, actions, changed.event, own(how, 'byItself') === true);
		}),
		registerElicitationCommands(registry, actions),
		registerDecisionCommands(registry, actions),
	);
}

function youngestOf(registry: Registry, waitingCalls: LazyWaitingCalls): number | undefined {
	const times = [
		...waitingCalls.all.map(({ startedAt }) => startedAt),
		...[...registry.live, ...registry.unsent].map(({ receivedAt }) => receivedAt),
		...registry.calls.flatMap(({ atRoundLimit }) => (atRoundLimit ? [atRoundLimit.since] : [])),
	];
	return times.length > 0 ? Math.max(...times) : undefined;
}

type ElicitationCommand =
	| 'openElicitation'
	| 'reopenUrl'
	| 'copyUrl'
	| 'retryCall'
	| 'declineElicitation'
	| 'cancelElicitation'
	| 'sendAgain'
	| 'dismissUndelivered';

function registerElicitationCommands(registry: Registry, actions: PendingActions): vscode.Disposable {
	const unsent = () => registry.unsent;
	const act = (
		id: ElicitationCommand,
		fits: (elicitation: Elicitation) => boolean,
		action: (elicitation: Elicitation) => Promise<void>,
		among: () => readonly Elicitation[] = () => registry.live,
	) =>
		registerCommand(id, async (target) => {
			const elicitation = await elicitationFor(among().filter(fits), target);
			const named = idOf(target);
			const settled = elicitation || named === undefined ? undefined : registry.get(named);
			if (elicitation) {
				await action(elicitation);
			} else if (settled && !settled.live) {
				tellSettled(settled);
			}
		});
	return vscode.Disposable.from(
		act('openElicitation', isUndecided, actions.open),
		act('reopenUrl', canReopen, actions.reopenUrl),
		act('copyUrl', ({ request }) => request.mode === 'url', actions.copyUrl),
		act('retryCall', canRetry, actions.retry),
		act('declineElicitation', isUndecided, actions.decline),
		act('cancelElicitation', () => true, actions.cancel),
		act('sendAgain', canSendAgain, actions.sendAgain, unsent),
		act('dismissUndelivered', canSendAgain, actions.dismiss, unsent),
	);
}

function registerDecisionCommands(registry: Registry, actions: PendingActions): vscode.Disposable {
	const decide = (id: 'continueCall' | 'stopCall', continues: boolean) =>
		registerCommand(id, async (target) => {
			const roundLimits = pendingOf(registry).flatMap((pending) =>
				pending.kind === 'roundLimit' ? [pending.roundLimit] : [],
			);
			const items = roundLimits.map((roundLimit) => ({
				label: native(roundLimit.call.server, 80),
				description: native(roundLimitDetails(roundLimit).join(' · '), 200),
				matches: (wanted: Entry) => wanted.kind === 'roundLimit' && wanted.roundLimit === roundLimit,
				value: roundLimit,
			}));
			(await choose(items, target, localize('Choose a call')))?.decide(continues);
		});
	const settle = (
		id: 'declineAll' | 'reviewHeld' | 'declineHeld',
		servers: (registry: Registry) => Choice<string>[],
		action: (server: string) => Promise<void>,
	) =>
		registerCommand(id, async (target) => {
			const server = await choose(servers(registry), target, localize('Choose a server'));
			if (server !== undefined) {
				await action(server);
			}
		});
	return vscode.Disposable.from(
		settle('declineAll', undecidedServers, actions.declineAll),
		decide('continueCall', true),
		decide('stopCall', false),
		settle('reviewHeld', heldServers, actions.review),
		settle('declineHeld', heldServers, actions.declineRest),
	);
}

function undecidedServers(registry: Registry): Choice<string>[] {
	return [...countUndecided(registry)].map(([server, count]) => ({
		label: native(server, 80),
		description: localizeNative('{0} pending', count),
		matches: (wanted) => serverOf(wanted) === server,
		value: server,
	}));
}

function heldServers(registry: Registry): Choice<string>[] {
	const heldRequests = pendingOf(registry).flatMap((pending) => (pending.kind === 'rateLimit' ? [pending] : []));
	return heldRequests.map(({ server, heldRequests }) => ({
		label: native(server, 80),
		description: localizeNative('rate limit: {0} held back', heldRequests.held),
		matches: (wanted) => wanted.kind === 'rateLimit' && wanted.server === server,
		value: server,
	}));
}

/** The elicitation that a command was run on (an id, an entry of the view), or the user's pick. */
async function elicitationFor(elicitations: readonly Elicitation[], target: unknown): Promise<Elicitation | undefined> {
	const named = idOf(target);
	if (named !== undefined) {
		return elicitations.find(({ id }) => id === named);
	}
	const { elicitationItem } = await import('./list.ts');
	const items = elicitations.map((value) => ({ ...elicitationItem(value), value, matches: () => false }));
	return choose(items, undefined, localize('Choose an elicitation'));
}

function idOf(target: unknown): string | undefined {
	const id = isEntry(target) && 'elicitation' in target ? target.elicitation.id : target;
	return typeof id === 'string' ? id : undefined;
}

interface Choice<T> extends NativeItem {
	readonly value: T;
	matches(entry: Entry): boolean;
}

/** The item of the view's entry, or the user's pick if the command was run without one. */
async function choose<T>(
	items: readonly Choice<T>[],
	target: unknown,
	placeHolder: NativeText,
): Promise<T | undefined> {
	if (isEntry(target)) {
		return items.find((item) => item.matches(target))?.value;
	}
	if (items.length <= 1) {
		if (items.length === 0) {
			void notify('information', localizeNative('No elicitation is waiting for this.'));
		}
		return items[0]?.value;
	}
	return (await showQuickPick(items, { placeHolder }))?.value;
}

function isEntry(target: unknown): target is Entry {
	return typeof target === 'object' && target !== null && 'kind' in target;
}
