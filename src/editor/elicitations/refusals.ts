import * as vscode from 'vscode';
import { shorten } from '../../elicitation/display.ts';
import { isFilledText, own } from '../../elicitation/json.ts';
import type { Refusal, Registry } from '../../elicitation/registry.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { fullId } from '../common/contributions.ts';
import { localize, nativeText } from '../common/localize.ts';
import { notify, showError } from '../common/notifications.ts';
import type { Servers } from '../servers/servers.ts';

/** Max length of what was asked (characters). */
const MAX_MESSAGE = 200;

/**
 * Notifies the user of invalid requests that were refused. One notification per server at a time.
 * @param detailsOf returns a function that shows the refused request, if that is possible
 */
export function registerRefusals(
	registry: Registry,
	servers: Servers,
	detailsOf: (refusal: Refusal) => (() => Promise<void>) | undefined,
): vscode.Disposable {
	const serversWithNotification = new Set<string>();
	return registry.onDidRefuse(async (refusal) => {
		const { server } = refusal;
		// A trial tells of it in its table.
		if (serversWithNotification.has(server) || servers.get(server)?.temporaryFor !== undefined) {
			return;
		}
		serversWithNotification.add(server);
		const showDetails = detailsOf(refusal);
		const details = localize('Details');
		const timeline = localize('Show Timeline');
		const choice = await notify(
			'warning',
			nativeText(refusalText(refusal)),
			...(showDetails ? [details] : []),
			timeline,
		);
		serversWithNotification.delete(server);
		if (choice === timeline) {
			await vscode.commands.executeCommand(fullId('showTimeline'));
		} else if (choice === details) {
			await showDetails?.().catch(showError);
		}
	});
}

/** What was asked, if it can be told, and why it was refused. */
function refusalText({ server, reason, params }: Refusal): Sentence {
	const message = own(params, 'message');
	return isFilledText(message)
		? localizable(
				'{0} asked "{1}", but its request cannot be shown: {2} It was refused. Report it to the server\'s author.',
				server,
				shorten(message, MAX_MESSAGE),
				reason,
			)
		: localizable(
				"{0} sent a request that cannot be shown: {1} It was refused. Report it to the server's author.",
				server,
				reason,
			);
}
