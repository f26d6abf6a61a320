import * as vscode from 'vscode';
import type { Registry } from '../../elicitation/registry.ts';
import type { LazyWaitingCalls } from '../calls/lazyWaitingCalls.ts';
import { cancelCall } from '../calls/performCall.ts';
import { fullId } from '../common/contributions.ts';
import { Lazy } from '../common/lazy.ts';
import { registerNotices } from '../common/notifications.ts';
import type { Servers } from '../servers/servers.ts';
import type { PendingActions } from './pending/entry.ts';
import { registerPending } from './pending/pending.ts';
import type { Presenters } from './presenters.ts';

/** Loads everything that presents elicitations, before the first server can send a request. */
export function lazyPresenters(
	extensionUri: vscode.Uri,
	registry: Registry,
	servers: () => Servers,
	waiting: LazyWaitingCalls,
): Lazy<Presenters> {
	return new Lazy(async () => {
		const [{ Presenters }, waitingCalls] = await Promise.all([import('./presenters.ts'), waiting.get()]);
		return new Presenters(extensionUri, registry, servers(), waitingCalls);
	});
}

/** Registers the surfaces for pending entries. */
export function registerElicitations(
	registry: Registry,
	waiting: LazyWaitingCalls,
	presenters: Lazy<Presenters>,
): vscode.Disposable {
	return vscode.Disposable.from(
		presenters,
		registerNotices(),
		registerPending(registry, waiting, pendingActions(registry, presenters)),
	);
}

function pendingActions({ autoResponders }: Registry, presenters: Lazy<Presenters>): PendingActions {
	return {
		open: async (elicitation) => {
			elicitation.release();
			await autoResponders.takeOver(elicitation);
			await (await presenters.get()).open(elicitation);
		},
		reopenUrl: async (elicitation) => {
			await autoResponders.takeOver(elicitation);
			await (await presenters.get()).urls.reopen(elicitation);
		},
		copyUrl: async (elicitation) => {
			const href = await (await presenters.get()).urls.hrefOf(elicitation);
			if (href !== undefined) {
				await vscode.env.clipboard.writeText(href);
			}
		},
		retry: async (elicitation) => {
			elicitation.retried();
		},
		decline: async (elicitation) => {
			elicitation.decline();
		},
		cancel: async (elicitation) => {
			elicitation.cancel() || elicitation.giveUp();
		},
		sendAgain: async ({ delivery }) => {
			delivery?.sendAgain();
		},
		dismiss: async ({ delivery }) => {
			delivery?.end();
		},
		cancelCall: (call) => cancelCall({ call }),
		resumeCall: async (entry) => vscode.commands.executeCommand(fullId('resumeCall'), entry),
		discardCall: async (entry) => vscode.commands.executeCommand(fullId('discardCall'), entry),
		showRoundLimitPrompt: async (roundLimit) => (await presenters.get()).showRoundLimitPrompt(roundLimit),
		showRateLimitPrompt: async (server) => (await presenters.get()).rateLimitPrompt.ask(server),
		review: async (server) => (await presenters.get()).rateLimitPrompt.review(server),
		declineRest: async (server) => (await presenters.get()).rateLimitPrompt.declineRest(server),
		declineAll: async (server) => (await presenters.get()).rateLimitPrompt.declineAll(server),
		stopServer: async (server) => (await presenters.get()).rateLimitPrompt.stop(server),
	};
}
