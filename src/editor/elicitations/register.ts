import * as vscode from 'vscode';
import type { Registry } from '../../elicitation/registry.ts';
import type { WaitingCalls } from '../calls/waitingCalls.ts';
import type { Commands } from '../common/commands.ts';
import { registerNotices } from '../common/notifications.ts';
import type { Servers } from '../servers/servers.ts';
import { registerPending } from './pending/pending.ts';
import type { Presenters } from './presenters.ts';

export interface ElicitationsContext {
	readonly registry: Registry;
	readonly commands: Commands;
	readonly servers: Servers;
	readonly waiting: WaitingCalls;
	readonly presenters: Presenters;
}

/** Registers what presents elicitations, the surfaces for pending entries, and what can be done with them. */
export function registerElicitations(context: ElicitationsContext): vscode.Disposable {
	const { registry, commands, servers, waiting, presenters } = context;
	const { rateLimitPrompt } = presenters;
	return vscode.Disposable.from(
		presenters,
		registerNotices(),
		registerPending({ registry, commands, rateLimitPrompt }, waiting, (name) => servers.get(name)),
		...elicitationCommands(context),
		commands.register('continueCall', async (roundLimit) => roundLimit.decide(true)),
		commands.register('stopCall', async (roundLimit) => roundLimit.decide(false)),
		commands.register('reviewHeld', async (server) => rateLimitPrompt.review(server)),
		commands.register('declineHeld', async (server) => rateLimitPrompt.declineRest(server)),
		commands.register('declineAll', async (server) => rateLimitPrompt.declineAll(server)),
	);
}

function elicitationCommands({ registry, commands, presenters }: ElicitationsContext): vscode.Disposable[] {
	const { autoResponders } = registry;
	return [
		commands.register('openElicitation', async (elicitation) => {
			elicitation.release();
			await autoResponders.takeOver(elicitation);
			presenters.open(elicitation);
		}),
		commands.register('reopenUrl', async (elicitation) => {
			await autoResponders.takeOver(elicitation);
			await presenters.urls.reopen(elicitation);
		}),
		commands.register('copyUrl', async (elicitation) => {
			const href = presenters.urls.hrefOf(elicitation);
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
