import { type NativeText, native } from '../../../elicitation/display.ts';
import type { Elicitation, ElicitationResponse } from '../../../elicitation/elicitation.ts';
import { INTERNAL_ERROR } from '../../../elicitation/errorCodes.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { type NativeItem, showInputBox, showQuickPick } from '../../common/surfaces.ts';

/** Default and max delay (s). */
const DEFAULT_DELAY = 30;
const MAX_DELAY = 86_400;

export type ResponseKind = 'accept' | 'decline' | 'cancel' | 'error' | 'delay' | 'silence';

/**
 * Lets the user pick how to respond; undefined if dismissed.
 * @param delayed offer only what can be sent later
 */
export async function chooseResponseKind(
	elicitation: Elicitation,
	delayed: boolean,
): Promise<ResponseKind | undefined> {
	const items = delayed ? settlingKinds(elicitation) : [...settlingKinds(elicitation), ...waitingKinds()];
	const picked = await showQuickPick(items, {
		title: titleOf(elicitation),
		placeHolder: delayed ? localize('What to send then') : localize('What to send, bypassing every check'),
		ignoreFocusOut: true,
	});
	return picked?.responseKind;
}

interface ResponseKindItem extends NativeItem {
	readonly responseKind: ResponseKind;
}

function settlingKinds({ request, origin }: Elicitation): ResponseKindItem[] {
	const accept: ResponseKindItem =
		request.mode === 'form'
			? {
					responseKind: 'accept',
					label: localize('Accept with Edited Content…'),
					detail: localize('You write the JSON; it does not have to match the schema.'),
				}
			: {
					responseKind: 'accept',
					label: localize('Accept Without Opening the URL'),
					detail: localize('The server is told that you have agreed; nothing is opened.'),
				};
	const error: ResponseKindItem = {
		responseKind: 'error',
		label: localize('JSON-RPC Error…'),
		detail:
			origin.intake === 'request'
				? localize('With a code and a message of your choice.')
				: localize('A round cannot carry an error: nothing is sent, and the call fails.'),
	};
	return [
		accept,
		{ responseKind: 'decline', label: localize('Decline') },
		{ responseKind: 'cancel', label: localize('Cancel') },
		error,
	];
}

function waitingKinds(): ResponseKindItem[] {
	return [
		{
			responseKind: 'delay',
			label: localize('Respond After a Delay…'),
			detail: localize('One of these, a few seconds from now.'),
		},
		{
			responseKind: 'silence',
			label: localize('Never Respond'),
			detail: localize('The server waits until it gives up, the call ends, or you respond after all.'),
		},
	];
}

/** Asks for the error to send instead of a result. */
export async function askError(elicitation: Elicitation): Promise<ElicitationResponse | undefined> {
	const code = await ask(elicitation, localize('The code of the error'), INTERNAL_ERROR, (text) =>
		/^-?\d{1,15}$/.test(text.trim()) ? undefined : localizeNative('A whole number, like {0}.', String(INTERNAL_ERROR)),
	);
	const message =
		code &&
		(await ask(elicitation, localize('The message of the error'), localize('An intentional error.'), () => undefined));
	return code === undefined || message === undefined ? undefined : { action: 'error', code: Number(code), message };
}

/** Asks for a delay (ms). */
export async function askDelay(elicitation: Elicitation): Promise<number | undefined> {
	const seconds = await ask(elicitation, localize('How many seconds to wait'), DEFAULT_DELAY, (text) =>
		Number(text) > 0 && Number(text) <= MAX_DELAY ? undefined : localizeNative('A number from 0 to {0}.', MAX_DELAY),
	);
	return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function ask(
	elicitation: Elicitation,
	prompt: NativeText,
	value: string | number,
	validateInput: (text: string) => NativeText | undefined,
): Thenable<string | undefined> {
	const title = titleOf(elicitation);
	return showInputBox({ title, prompt, value: String(value), validateInput, ignoreFocusOut: true });
}

function titleOf({ origin, request }: Elicitation): NativeText {
	return native(localize('{0}: {1}', origin.server, request.message.replace(/\s+/g, ' ')), 100);
}
