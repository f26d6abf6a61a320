import * as vscode from 'vscode';
import { shorten } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { localizable, type Sentence } from '../../../elicitation/sentence.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, nativeText } from '../../common/localize.ts';
import { notify, showError } from '../../common/notifications.ts';
import { gone, Presence } from '../../common/presence.ts';
import { coalesce } from '../../common/scheduling.ts';

/** Failures within this time are reported together (ms). A lost connection fails many responses at once. */
const BATCH_DELAY = 200;

/** Max length of an elicitation's message in a notification (characters). */
const MAX_MESSAGE_LENGTH = 80;

/** Notifies the user of responses that could not be delivered, once per attempt (D01). */
export function registerUndelivered(registry: Registry): vscode.Disposable {
	const reported = new WeakSet<Elicitation>();
	let unreported: Elicitation[] = [];
	const report = coalesce(() => {
		const servers = new Set(unreported.map(({ origin }) => origin.server));
		for (const server of servers) {
			show(
				registry,
				server,
				unreported.filter(({ origin }) => origin.server === server),
			);
		}
		unreported = [];
	}, BATCH_DELAY);
	return vscode.Disposable.from(
		report,
		registry.onDidChangeDelivery((elicitation) => {
			const { delivery, origin, withdrawal } = elicitation;
			if (withdrawal !== undefined) {
				// The user cancelled the call, so no input is lost.
				return;
			}
			if (delivery?.state === 'sending') {
				reported.delete(elicitation);
			} else if (
				delivery?.state === 'undelivered' &&
				!reported.has(elicitation) &&
				(origin.intake === 'request' || origin.tellsDelivery)
			) {
				// Responses sent with a retry of their call are reported as part of its failure.
				reported.add(elicitation);
				unreported.push(elicitation);
				report();
			}
		}),
	);
}

/** The notice is open as long as one of the responses can be sent again. */
function show(registry: Registry, server: string, elicitations: readonly Elicitation[]): void {
	const text = nativeText(messageFor(server, elicitations));
	const canSend = () => elicitations.some(({ delivery }) => delivery?.canSendAgain);
	const timeline = {
		title: localize('Show Timeline'),
		run: () => vscode.commands.executeCommand(fullId('showTimeline'), ...elicitations.slice(0, 1).map(lineKeyOf)),
	};
	if (!canSend()) {
		void notify('warning', text, timeline.title).then((choice) => (choice ? timeline.run() : undefined), showError);
		return;
	}
	const sendAgain = () => {
		for (const { delivery } of elicitations) {
			delivery?.sendAgain();
		}
	};
	const presence = new Presence(gone(canSend, registry.onDidChangeDelivery));
	presence.notify(text, { title: localize('Send Again'), run: sendAgain }, timeline);
}

function messageFor(server: string, elicitations: readonly Elicitation[]): Sentence {
	const last = elicitations.at(-1);
	const problem = last?.delivery?.problem ?? '';
	return elicitations.length > 1
		? localizable('{0}: {1} responses could not be delivered. {2}', server, elicitations.length, problem)
		: localizable(
				'{0}: The response to "{1}" could not be delivered. {2}',
				server,
				shorten(last?.request.message ?? '', MAX_MESSAGE_LENGTH),
				problem,
			);
}

/** Names the elicitation in the timeline, where its response can be found. */
function lineKeyOf({ id, origin: { calls, server } }: Elicitation): string {
	return `elicitation:${id}:${calls[0] ? `call:${calls[0].id}` : `outside:${server}`}`;
}
