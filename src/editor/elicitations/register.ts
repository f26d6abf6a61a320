import * as vscode from 'vscode';
import type { Registry } from '../../elicitation/registry.ts';
import { cancelCall } from '../calls/performCall.ts';
import { Lazy } from '../common/lazy.ts';
import type { Servers } from '../servers/servers.ts';
import type { PendingActions } from './pending/entry.ts';
import { registerPending } from './pending/pending.ts';
import type { Presenters } from './presenters.ts';

/** Loads everything that presents elicitations, before the first server can send a request. */
export function lazyPresenters(extensionUri: vscode.Uri, registry: Registry, servers: () => Servers): Lazy<Presenters> {
	return new Lazy(async () => {
		const { Presenters } = await import('./presenters.ts');
		return new Presenters(extensionUri, registry, servers());
	});
}

/** Registers the surfaces for pending entries. */
export function registerElicitations(registry: Registry, presenters: Lazy<Presenters>): vscode.Disposable {
	return vscode.Disposable.from(presenters, registerPending(registry, pendingActions(registry, presenters)));
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
		showRoundLimitPrompt: async (roundLimit) => (await presenters.get()).showRoundLimitPrompt(roundLimit),
		showRateLimitPrompt: async (server) => (await presenters.get()).rateLimitPrompt.ask(server),
		review: async (server) => (await presenters.get()).rateLimitPrompt.review(server),
		declineRest: async (server) => (await presenters.get()).rateLimitPrompt.declineRest(server),
		stopServer: async (server) => (await presenters.get()).rateLimitPrompt.stop(server),
	};
}
