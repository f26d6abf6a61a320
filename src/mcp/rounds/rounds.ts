import { raceAbort } from '../../elicitation/abort.ts';
import type { Call } from '../../elicitation/call.ts';
import type { Elicitation, Group } from '../../elicitation/elicitation.ts';
import { isObject, type Json, type JsonObject, keyOf, own, plainObject } from '../../elicitation/json.ts';
import type { ElicitationRequest } from '../../elicitation/request.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { Failure, sentence } from '../wire/failure.ts';
import { type ActiveCall, addElicitation, checkElicitation, type IntakeContext } from './intake.ts';
import { isUrlRequired, UrlElicitationRequired } from './urlElicitationRequired.ts';

/** The revision that replaces server requests with multi round-trip requests. */
export const MODERN = '2026-07-28';

/** After this many rounds (`input_required` and -32042 together), the user decides whether the call continues (R07). */
const MAX_ROUNDS = 10;

/** Max entries of `inputRequests` in one result. */
const MAX_ENTRIES = 1_000;

/** Max delay between retries without user input (ms). */
const MAX_PAUSE = 5_000;

/** What a retry adds to the original params (2026-07-28, multi round-trip requests). */
export interface RoundInput {
	readonly inputResponses?: JsonObject;
	readonly requestState?: string;
}

/**
 * Runs one call to its end: sends it, collects the input that the server requires, and sends it again. Throws the error
 * of the last round. Aborting `signal` ends it at once.
 */
export async function runRounds(
	context: IntakeContext,
	call: Call,
	signal: AbortSignal,
	send: (input: RoundInput) => Promise<unknown>,
): Promise<unknown> {
	const run: ActiveCall = { context, call, signal };
	const requirements = new UrlElicitationRequired(run);
	const opened = new Map<string, Elicitation>();
	/** The elicitations whose responses the next request carries. */
	let carried: Elicitation[] = [];
	let input: RoundInput = {};
	for (let idle = 0; ; ) {
		call.rounds++;
		let result: unknown;
		try {
			result = await send(input);
			tellDelivery(run, carried);
		} catch (error) {
			tellDelivery(run, carried, error);
			if (!isUrlRequired(error)) {
				throw error;
			}
			await bound(run);
			await requirements.satisfy(error, context.revision() >= MODERN);
			input = {};
			carried = [];
			continue;
		}
		if (own(result, 'resultType') !== 'input_required') {
			finish(opened);
			return result;
		}
		await bound(run);
		carried = [];
		input = await fulfil(run, result, opened, carried);
		idle = input.inputResponses ? 0 : idle + 1;
		await pace(run, idle);
	}
}

/**
 * Reports whether the responses in a request were delivered (D01). A failed request may have been processed, so it isn't
 * sent again. A canceled one reports nothing.
 */
function tellDelivery({ context, signal }: ActiveCall, carried: readonly Elicitation[], error?: unknown): void {
	if (signal.aborted) {
		return;
	}
	const lost = error === undefined ? undefined : context.whyLost(error);
	for (const elicitation of carried) {
		if (lost) {
			elicitation.send().end(lost);
		} else {
			elicitation.send().delivered();
		}
	}
}

/** Lets the user stop a call that has reached the round limit (R07). */
async function bound({ context, call, signal }: ActiveCall): Promise<void> {
	if (call.rounds % MAX_ROUNDS !== 0) {
		return;
	}
	const reason = localizable('"{0}" asked for input {1} times without coming to an end.', call.name, call.rounds);
	if (!(await raceAbort(context.registry.roundLimit(call, reason), signal))) {
		throw new Failure(
			context.definition.name,
			reason,
			localizable('The server seems to be in a loop; its log and the timeline show what it asked.'),
		);
	}
}

/** The first retry without input is sent at once, each further one after a longer delay (R04). */
async function pace({ signal }: ActiveCall, idle: number): Promise<void> {
	if (idle > 1) {
		const { promise, cancel } = delay(Math.min(10 * 2 ** idle, MAX_PAUSE));
		await raceAbort(promise, signal).finally(cancel);
	}
}

function delay(ms: number): { promise: Promise<void>; cancel: () => void } {
	let timer: ReturnType<typeof setTimeout>;
	const promise = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, ms);
	});
	return { promise, cancel: () => clearTimeout(timer) };
}

/** Collects the responses to all `inputRequests` concurrently (R01), and passes on `requestState` unchanged (R02). */
async function fulfil(
	run: ActiveCall,
	result: unknown,
	opened: Map<string, Elicitation>,
	carried: Elicitation[],
): Promise<RoundInput> {
	const requestState = own(result, 'requestState');
	// Before prompting: an invalid entry would force the others to be withdrawn (R08, fault 24).
	const entries = read(run, result);
	const asked = entries.filter((entry) => entry.request && !opened.has(placeOf(entry)));
	const group: Group = { call: run.call, round: run.call.rounds, size: asked.length };
	const responses = await Promise.all(
		entries.map(async (entry): Promise<[string, Json]> => [entry.key, await ask(run, entry, group, opened, carried)]),
	);
	return {
		...(entries.length > 0 && { inputResponses: plainObject(responses) }),
		...(typeof requestState === 'string' && { requestState }),
	};
}

/** One entry of `inputRequests`. It has no request if its URL was refused; that is a response, not an error. */
interface Entry {
	readonly key: string;
	readonly params: Json;
	readonly request?: ElicitationRequest;
}

function read(run: ActiveCall, result: unknown): Entry[] {
	const requests = own(result, 'inputRequests');
	const { name } = run.call;
	const entries = isObject(requests) ? Object.entries(requests) : [];
	if (entries.length > MAX_ENTRIES) {
		throw malformed(run, localizable('"{0}" asks for {1} inputs at once.', name, entries.length));
	}
	return entries.map(([key, entry]) => {
		const method = own(entry, 'method');
		if (typeof method !== 'string') {
			throw malformed(run, localizable('"{0}" asks for input under "{1}" without saying what.', name, key));
		}
		if (method !== 'elicitation/create') {
			throw malformed(
				run,
				localizable('"{0}" asks the client for "{1}", which this client did not offer.', name, method),
			);
		}
		return readEntry(run, key, own(entry, 'params') ?? null);
	});
}

function readEntry(run: ActiveCall, key: string, params: Json): Entry {
	const vetted = checkElicitation(run.context, params);
	if (vetted.ok) {
		return { key, params, request: vetted.request };
	}
	const { definition, registry } = run.context;
	if (!vetted.unsafeUrl) {
		throw malformed(
			run,
			localizable('What "{0}" asks for under "{1}" is malformed: {2}', run.call.name, key, vetted.reason),
		);
	}
	registry.refuse({ server: definition.name, reason: vetted.reason, params });
	return { key, params };
}

function malformed({ context }: ActiveCall, what: Sentence): Failure {
	return new Failure(
		context.definition.name,
		what,
		localizable("Report it to the server's author; the timeline shows the request."),
	);
}

/** Identifies a URL elicitation that the server repeats. */
function placeOf({ key, params }: Entry): string {
	return keyOf(key, own(params, 'url'));
}

async function ask(
	{ context, call, signal }: ActiveCall,
	entry: Entry,
	group: Group,
	opened: Map<string, Elicitation>,
	carried: Elicitation[],
): Promise<Json> {
	const { params, request } = entry;
	if (!request) {
		return { action: 'cancel' };
	}
	const place = placeOf(entry);
	const before = opened.get(place);
	if (before) {
		// The server still waits for the same URL elicitation. The user says when to retry (U11, U13), or already has.
		const state = await raceAbort(before.ended, signal);
		opened.delete(place);
		return { action: state === 'retried' || state === 'completed' ? 'accept' : 'cancel' };
	}
	const elicitation = addElicitation(context, request, params, { intake: 'inputRequired', calls: [call], group });
	const reply = await raceAbort(elicitation.outcome, signal);
	if (reply.action === 'withdrawn') {
		throw new DOMException('The call was cancelled.', 'AbortError');
	}
	if (reply.action === 'error') {
		// The protocol has no error response here, so the call fails on the client side.
		throw new Failure(
			context.definition.name,
			localizable(
				'The question of "{0}" was answered with an error on purpose: {1}',
				call.name,
				sentence(reply.message),
			),
			localizable('Call it again to answer it differently.'),
		);
	}
	carried.push(elicitation);
	if (elicitation.state === 'opened') {
		opened.set(place, elicitation);
	}
	return { ...reply };
}

/** The call succeeded, so its URL elicitations are complete. */
function finish(opened: ReadonlyMap<string, Elicitation>): void {
	for (const elicitation of opened.values()) {
		elicitation.complete();
	}
}
