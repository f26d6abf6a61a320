import * as vscode from 'vscode';
import { shorten } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { localizable, type Sentence } from '../../../elicitation/sentence.ts';
import { coalesce } from '../../common/coalesce.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, nativeText } from '../../common/localize.ts';
import { showError } from '../../common/notices.ts';

/** Failures within this time are reported together (ms). A lost connection fails many responses at once. */
const LAG = 200;

/** Max length of an elicitation's message in a notification (characters). */
const LONGEST_MESSAGE = 80;

/** Notifies the user of responses that could not be delivered, once per attempt (D01). */
export function registerUndelivered(registry: Registry): vscode.Disposable {
	const told = new WeakSet<Elicitation>();
	let untold: Elicitation[] = [];
	const tell = coalesce(() => {
		const servers = new Set(untold.map(({ origin }) => origin.server));
		for (const server of servers) {
			show(
				server,
				untold.filter(({ origin }) => origin.server === server),
			).catch(showError);
		}
		untold = [];
	}, LAG);
	return vscode.Disposable.from(
		tell,
		registry.onDidChangeDelivery((elicitation) => {
			const { delivery, origin, withdrawal } = elicitation;
			if (withdrawal !== undefined) {
				// The user cancelled the call, so no input is lost.
				return;
			}
			if (delivery?.state === 'sending') {
				told.delete(elicitation);
			} else if (delivery?.state === 'undelivered' && !told.has(elicitation) && origin.intake === 'request') {
				// Responses sent with a retry are reported as part of the failed call.
				told.add(elicitation);
				untold.push(elicitation);
				tell();
			}
		}),
	);
}

async function show(server: string, elicitations: readonly Elicitation[]): Promise<void> {
	const sendAgain = localize('Send Again');
	const timeline = localize('Show Timeline');
	const choice = await vscode.window.showWarningMessage(
		nativeText(textOf(server, elicitations)),
		...(elicitations.some(({ delivery }) => delivery?.canSendAgain) ? [sendAgain] : []),
		timeline,
	);
	if (choice === sendAgain) {
		for (const { delivery } of elicitations) {
			delivery?.sendAgain();
		}
	} else if (choice === timeline) {
		await vscode.commands.executeCommand(fullId('showTimeline'), ...elicitations.slice(0, 1).map(placeOf));
	}
}

function textOf(server: string, elicitations: readonly Elicitation[]): Sentence {
	const last = elicitations.at(-1);
	const problem = last?.delivery?.problem ?? '';
	return elicitations.length > 1
		? localizable('{0}: {1} responses could not be delivered. {2}', server, elicitations.length, problem)
		: localizable(
				'{0}: the response to "{1}" could not be delivered. {2}',
				server,
				shorten(last?.request.message ?? '', LONGEST_MESSAGE),
				problem,
			);
}

/** Names the elicitation in the timeline, where its response can be found. */
function placeOf({ id, origin: { calls, server } }: Elicitation): string {
	return `elicitation:${id}:${calls[0] ? `call:${calls[0].id}` : `outside:${server}`}`;
}
