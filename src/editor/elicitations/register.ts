import * as vscode from 'vscode';
import type { RoundLimit } from '../../elicitation/call.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { LazyWaitingCalls } from '../calls/lazyWaitingCalls.ts';
import type { Commands } from '../common/commands.ts';
import { Lazy } from '../common/lazy.ts';
import { registerNotices } from '../common/notifications.ts';
import type { Servers } from '../servers/servers.ts';
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

/** Registers the surfaces for pending entries, and what can be done with them. */
export function registerElicitations(
	registry: Registry,
	commands: Commands,
	waiting: LazyWaitingCalls,
	presenters: Lazy<Presenters>,
	servers: Servers,
): vscode.Disposable {
	const context = {
		registry,
		commands,
		showRoundLimitPrompt: async (roundLimit: RoundLimit) => (await presenters.get()).showRoundLimitPrompt(roundLimit),
		showRateLimitPrompt: async (server: string) => (await presenters.get()).rateLimitPrompt.ask(server),
	};
	return vscode.Disposable.from(
		presenters,
		registerNotices(),
		registerPending(context, waiting, (name) => servers.get(name)),
		...elicitationCommands(registry, commands, presenters),
		commands.register('continueCall', async (roundLimit) => roundLimit.decide(true)),
		commands.register('stopCall', async (roundLimit) => roundLimit.decide(false)),
		commands.register('reviewHeld', async (server) => (await presenters.get()).rateLimitPrompt.review(server)),
		commands.register('declineHeld', async (server) => (await presenters.get()).rateLimitPrompt.declineRest(server)),
		commands.register('declineAll', async (server) => (await presenters.get()).rateLimitPrompt.declineAll(server)),
	);
}

function elicitationCommands(
	{ autoResponders }: Registry,
	commands: Commands,
	presenters: Lazy<Presenters>,
): vscode.Disposable[] {
	return [
		commands.register('openElicitation', async (elicitation) => {
			elicitation.release();
			await autoResponders.takeOver(elicitation);
			await (await presenters.get()).open(elicitation);
		}),
		commands.register('reopenUrl', async (elicitation) => {
			await autoResponders.takeOver(elicitation);
			await (await presenters.get()).urls.reopen(elicitation);
		}),
		commands.register('copyUrl', async (elicitation) => {
			const href = await (await presenters.get()).urls.hrefOf(elicitation);
			if (href !== undefined) {
				await vscode.env.clipboard.writeText(href);
			}
		}),
		commands.register('retryCall', async (elicitation) => elicitation.retried()),
		commands.register('declineElicitation', async (elicitation) => elicitation.decline()),
		commands.register('cancelElicitation', async (elicitation) => elicitation.cancel() || elicitation.giveUp()),
		commands.register('sendAgain', async ({ delivery }) => delivery?.sendAgain()),
		commands.register('dismissUndelivered', async ({ delivery }) => delivery?.end()),
	];
}
