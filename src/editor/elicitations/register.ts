import * as vscode from 'vscode';
import type { Registry } from '../../elicitation/registry.ts';
import { cancelCall } from '../calls/perform.ts';
import { Lazy } from '../common/lazy.ts';
import type { Servers } from '../servers/servers.ts';
import type { Asking } from './asking.ts';
import type { PendingActions } from './pending/entry.ts';
import { registerPending } from './pending/pending.ts';

/** Everything by which the user is asked; loaded before the first server can ask anything. */
export function lazyAsking(extensionUri: vscode.Uri, registry: Registry, servers: () => Servers): Lazy<Asking> {
	return new Lazy(async () => {
		const { Asking } = await import('./asking.ts');
		return new Asking(extensionUri, registry, servers());
	});
}

/** The surfaces that list what is pending. */
export function registerElicitations(registry: Registry, asking: Lazy<Asking>): vscode.Disposable {
	return vscode.Disposable.from(asking, registerPending(registry, pendingActions(registry, asking)));
}

function pendingActions({ answerers }: Registry, asking: Lazy<Asking>): PendingActions {
	return {
		open: async (elicitation) => {
			elicitation.release();
			await answerers.takeOver(elicitation);
			await (await asking.get()).open(elicitation);
		},
		reopenUrl: async (elicitation) => {
			await answerers.takeOver(elicitation);
			await (await asking.get()).urls.reopen(elicitation);
		},
		copyUrl: async (elicitation) => {
			const href = await (await asking.get()).urls.hrefOf(elicitation);
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
		askHalt: async (halt) => (await asking.get()).askHalt(halt),
		askStorm: async (server) => (await asking.get()).storms.ask(server),
		review: async (server) => (await asking.get()).storms.review(server),
		declineRest: async (server) => (await asking.get()).storms.declineRest(server),
		stopServer: async (server) => (await asking.get()).storms.stop(server),
	};
}
