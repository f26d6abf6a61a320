import * as vscode from 'vscode';
import { native } from '../../elicitation/display.ts';
import type { Elicitation, ElicitationResponse } from '../../elicitation/elicitation.ts';
import { afterDelay, FORCED_RESPONDER, neverResponds } from '../../elicitation/forced.ts';
import { fullId } from '../common/contributions.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { showError, showProgress } from '../common/notifications.ts';
import { tellSettled } from '../common/presence.ts';
import { showInputBox } from '../common/surfaces.ts';
import type { DebuggingContext } from './debuggingContext.ts';

/** Default and max delay (s). */
const DEFAULT_DELAY = 30;
const MAX_DELAY = 86_400;

type Context = Pick<DebuggingContext, 'registry' | 'presenters'>;

/** The command `forceAnswer`: sends a response without validation, to test how the server handles it. */
export async function forceResponse(context: Context, elicitation: Elicitation): Promise<void> {
	const { autoResponders } = context.registry;
	const response = await context.presenters.writeResponse(elicitation, async (later) =>
		later ? sendLater(context, elicitation, later) : postpone(context, elicitation),
	);
	if (!response) {
		return;
	}
	await autoResponders.takeOver(elicitation);
	await autoResponders.respond(elicitation, FORCED_RESPONDER, response);
	// It may have ended while the response was checked.
	if (elicitation.responder !== FORCED_RESPONDER) {
		tellSettled(elicitation);
	}
}

async function sendLater(context: Context, elicitation: Elicitation, response: ElicitationResponse): Promise<boolean> {
	const box = {
		title: native(localize('Response to {0}', elicitation.origin.server), 100),
		prompt: localize('How many seconds to wait'),
		value: String(DEFAULT_DELAY),
		validateInput: (text: string) =>
			Number(text) > 0 && Number(text) <= MAX_DELAY ? undefined : localizeNative('A number from 0 to {0}.', MAX_DELAY),
		ignoreFocusOut: true,
	} as const;
	const seconds = await showInputBox(box, elicitation.outcome);
	return seconds !== undefined && postpone(context, elicitation, { response, seconds: Number(seconds) });
}

/** Leaves the elicitation to an auto-responder that waits. A notification shows it and can end it. False if it is too late. */
function postpone(
	{ registry }: Context,
	elicitation: Elicitation,
	later?: { readonly response: ElicitationResponse; readonly seconds: number },
): boolean {
	if (!elicitation.undecided) {
		return false;
	}
	const { server } = elicitation.origin;
	const [title, responder] = later
		? [
				localizeNative('{0} is answered only after {1} s.', server, later.seconds),
				afterDelay(later.response, later.seconds * 1000),
			]
		: [localizeNative('{0} gets no response until you give one.', server), neverResponds()];
	elicitation.release();
	const ended = registry.autoResponders.assign(elicitation, responder);
	showProgress(title, (_progress, token) => {
		token.onCancellationRequested(() => takeOver(elicitation));
		return ended;
	}).then(undefined, showError);
	return true;
}

/** Lets the user respond as usual. */
function takeOver({ id }: Elicitation): void {
	vscode.commands.executeCommand(fullId('openElicitation'), id).then(undefined, showError);
}
