import type { Call } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { isObject, type Json, type JsonObject, own, plainObject } from '../elicitation/json.ts';
import { say } from '../elicitation/sentence.ts';
import { Failure } from './failure.ts';
import { admit, type IntakeContext } from './intake.ts';

/** The revision that puts rounds in the place of the server's own requests. */
export const MODERN = '2026-07-28';

/** A call may go out this often (input_required rounds and -32042 retries together) before it is given up (R07). */
const MOST_ROUNDS = 10;

/** More entries than this in one -32042 error are no honest requirement. */
const MOST_REQUIREMENTS = 10;

const URL_ELICITATION_REQUIRED = -32042;

/** What a retry carries besides the original params (2026-07-28, multi round-trip requests). */
export interface RoundInput {
	readonly inputResponses?: JsonObject;
	readonly requestState?: string;
}

/**
 * Runs one call to its end: sends it, fulfils what the server requires in between, sends it again. Throws what the last
 * round threw; an aborted `signal` ends it at once.
 */
export async function runRounds(
	context: IntakeContext,
	call: Call,
	signal: AbortSignal,
	send: (input: RoundInput) => Promise<unknown>,
): Promise<unknown> {
	let input: RoundInput = {};
	const opened = new Map<string, Elicitation>();
	for (;;) {
		call.rounds++;
		if (call.rounds > MOST_ROUNDS) {
			throw new Failure(
				context.definition.name,
				say('"{0}" asked for input {1} times without coming to an end.', call.name, MOST_ROUNDS),
				say('The server seems to be in a loop; its log and the timeline show what it asked.'),
			);
		}
		try {
			const result = await send(input);
			if (own(result, 'resultType') !== 'input_required') {
				finish(opened);
				return result;
			}
			input = await fulfil(context, call, signal, result, opened);
		} catch (error) {
			// The later revisions have no such error: there it is one like any other (fault 20).
			const requirements = context.revision() < MODERN ? requirementsOf(error) : undefined;
			if (!requirements) {
				throw error;
			}
			input = {};
			await satisfy(context, call, signal, requirements, error);
		}
	}
}

/** Answers every entry of `inputRequests`, concurrently (R01), and carries `requestState` over untouched (R02). */
async function fulfil(
	context: IntakeContext,
	call: Call,
	signal: AbortSignal,
	result: unknown,
	opened: Map<string, Elicitation>,
): Promise<RoundInput> {
	const requests = own(result, 'inputRequests');
	const requestState = own(result, 'requestState');
	const entries = isObject(requests) ? Object.entries(requests) : [];
	// Before anybody is asked: what was asked beside it would have to be withdrawn (R08).
	for (const [key, request] of entries) {
		refuseUnoffered(context, call, key, own(request, 'method'));
	}
	const responses = await Promise.all(
		entries.map(
			async ([key, request]): Promise<[string, Json]> => [
				key,
				await ask(context, call, signal, key, own(request, 'params') ?? null, opened),
			],
		),
	);
	return {
		...(entries.length > 0 && { inputResponses: plainObject(responses) }),
		...(typeof requestState === 'string' && { requestState }),
	};
}

function refuseUnoffered(context: IntakeContext, call: Call, key: string, method: Json | undefined): void {
	if (method === 'elicitation/create') {
		return;
	}
	throw new Failure(
		context.definition.name,
		typeof method === 'string'
			? say('"{0}" asks the client for "{1}", which this client did not offer.', call.name, method)
			: say('"{0}" asks for input under "{1}" without saying what.', call.name, key),
		say("Report it to the server's author; the timeline shows the request."),
	);
}

async function ask(
	context: IntakeContext,
	call: Call,
	signal: AbortSignal,
	key: string,
	params: Json,
	opened: Map<string, Elicitation>,
): Promise<Json> {
	const place = JSON.stringify([key, own(params, 'url')]);
	const before = opened.get(place);
	if (before) {
		// The server still waits for the same page: the person says when to try again (U11, U13), or has said so meanwhile.
		const state = await orAborted(before.ended, signal);
		opened.delete(place);
		return { action: state === 'retried' || state === 'completed' ? 'accept' : 'cancel' };
	}
	const elicitation = admit(context, params, 'inputRequired', [call]);
	const reply = await orAborted(elicitation.reply, signal);
	if (reply.action === 'withdrawn') {
		throw new DOMException('The call was cancelled.', 'AbortError');
	}
	if (elicitation.state === 'opened') {
		opened.set(place, elicitation);
	}
	return { ...reply };
}

/** The call went through, so whatever the opened pages were for is done. */
function finish(opened: ReadonlyMap<string, Elicitation>): void {
	for (const elicitation of opened.values()) {
		elicitation.complete();
	}
}

/** The entries of a -32042 error; undefined for every other error, and for one whose data is malformed (U12). */
function requirementsOf(error: unknown): readonly JsonObject[] | undefined {
	if (!(error instanceof Error) || (error as { code?: unknown }).code !== URL_ELICITATION_REQUIRED) {
		return undefined;
	}
	const entries = own((error as { data?: unknown }).data, 'elicitations');
	if (!Array.isArray(entries) || entries.length === 0 || entries.length > MOST_REQUIREMENTS) {
		return undefined;
	}
	const wellFormed = entries.every(
		(entry) =>
			own(entry, 'mode') === 'url' &&
			typeof own(entry, 'elicitationId') === 'string' &&
			own(entry, 'elicitationId') !== '',
	);
	return wellFormed ? entries : undefined;
}

/** Has the person open every page that the server requires, and waits until each is completed or the person wants to retry. */
async function satisfy(
	context: IntakeContext,
	call: Call,
	signal: AbortSignal,
	requirements: readonly JsonObject[],
	error: unknown,
): Promise<void> {
	const elicitations = requirements.map((params) => admit(context, params, 'urlRequired', [call]));
	for (const elicitation of elicitations) {
		void elicitation.ended.then((state) => {
			if (state === 'retried') {
				// Retry now is about the call, not about one of its pages.
				for (const other of elicitations) {
					other.retried() || other.cancel();
				}
			}
		});
	}
	const states = await orAborted(Promise.all(elicitations.map(({ ended }) => ended)), signal);
	if (!states.includes('retried') && states.some((state) => state !== 'completed')) {
		throw new Failure(
			context.definition.name,
			say('"{0}" could not go on, because a page that it requires was not opened or not finished.', call.name),
			say('Call it again to be asked again.'),
			{ cause: error },
		);
	}
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const abort = () => reject(signal.reason);
		if (signal.aborted) {
			abort();
			return;
		}
		signal.addEventListener('abort', abort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}
