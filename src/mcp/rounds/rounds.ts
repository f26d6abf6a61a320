import { delay, raceAbort } from '../../elicitation/abort.ts';
import type { Elicitation, ElicitationGroup, ElicitationResponse } from '../../elicitation/elicitation.ts';
import { isObject, type Json, type JsonObject, keyOf, own, plainObject } from '../../elicitation/json.ts';
import type { ElicitationRequest } from '../../elicitation/request.ts';
import { resultFor } from '../../elicitation/sampling.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { Failure, sentence } from '../wire/failure.ts';
import { type ActiveCall, addElicitation, atRoundLimit, checkElicitation, isServed } from './intake.ts';
import { isUrlRequired, UrlElicitationRequired } from './urlElicitationRequired.ts';

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
 * @param follow returns a result as is, or that of the task that the server created instead (K18)
 */
export async function runRounds<Result>(
	run: ActiveCall,
	send: (input: RoundInput) => Promise<Result>,
	follow: (result: Result) => Promise<JsonObject>,
): Promise<JsonObject> {
	const { session, call, keeper } = run;
	const urlRequired = new UrlElicitationRequired({ ...run, name: call.name });
	const opened = new Map<string, Elicitation>();
	/** The elicitations whose responses the next request carries. */
	let carried: Elicitation[] = [];
	let input: RoundInput = {};
	let known = keeper?.from?.kind === 'round' ? keeper.from.responses : {};
	for (let idle = 0; ; ) {
		call.rounds++;
		let result: JsonObject;
		try {
			const sent = await send(input);
			tellDelivery(run, carried);
			carried = [];
			result = await follow(sent);
		} catch (error) {
			tellDelivery(run, carried, error);
			if (!isUrlRequired(error)) {
				throw error;
			}
			await bound(run);
			await urlRequired.satisfy(error, session.client.era === 'modern');
			input = {};
			carried = [];
			continue;
		}
		if (own(result, 'resultType') !== 'input_required') {
			if (own(result, 'isError') !== true) {
				finish(opened);
			}
			return result;
		}
		await bound(run, result);
		carried = [];
		input = await fulfill(run, result, opened, carried, known);
		known = {};
		idle = input.inputResponses ? 0 : idle + 1;
		await pace(run, idle);
		if (keeper && !(await keeper.sends())) {
			const failure = sentElsewhere(run);
			tellDelivery(run, carried, failure);
			throw failure;
		}
	}
}

/**
 * Reports whether the responses in a request were delivered (D01). A failed request may have been processed, so it isn't
 * sent again. A cancelled one reports nothing.
 */
function tellDelivery({ session, signal }: ActiveCall, carried: readonly Elicitation[], error?: unknown): void {
	if (signal.aborted) {
		return;
	}
	const lost = error === undefined ? undefined : session.whyLost(error);
	for (const elicitation of carried) {
		if (lost) {
			elicitation.send().end(lost);
		} else {
			elicitation.send().delivered();
		}
	}
}

function sentElsewhere({ session }: ActiveCall): Failure {
	return new Failure(
		session.definition.name,
		localizable('A response was already sent from another window.'),
		localizable('See its result there.'),
	);
}

/**
 * Lets the user stop a call that has reached the round limit (R07).
 * @param result from which the call can be resumed if its session ends meanwhile
 */
async function bound(run: ActiveCall, result?: JsonObject): Promise<void> {
	const { session, call, keeper } = run;
	if (call.rounds % MAX_ROUNDS !== 0) {
		return;
	}
	await (result && keeper?.waits({ kind: 'round', result, responses: {} }));
	const reason = localizable('"{0}" requested input {1} times without finishing.', call.name, call.rounds);
	if (!(await atRoundLimit(run, reason))) {
		throw new Failure(
			session.definition.name,
			reason,
			localizable('The server seems to be in a loop; its log and the timeline show its requests.'),
		);
	}
}

/** The first retry without input is sent at once, each further one after a longer delay (R04). */
async function pace({ signal }: ActiveCall, idle: number): Promise<void> {
	if (idle > 1) {
		signal.throwIfAborted();
		await delay(Math.min(10 * 2 ** idle, MAX_PAUSE), signal);
		signal.throwIfAborted();
	}
}

/**
 * Collects the responses to all `inputRequests` concurrently (R01), and passes on `requestState` unchanged (R02).
 * @param known responses from before the call was interrupted
 */
async function fulfill(
	run: ActiveCall,
	result: unknown,
	opened: Map<string, Elicitation>,
	carried: Elicitation[],
	known: JsonObject,
): Promise<RoundInput> {
	const requestState = own(result, 'requestState');
	// Before prompting: an invalid entry would force the others to be withdrawn (R08, fault 24).
	const entries = readEntries(run, own(result, 'inputRequests'));
	const isKnown = (entry: Entry) => opened.has(placeOf(entry)) || own(known, entry.key) !== undefined;
	const asked = entries.filter((entry) => entry.request && !isKnown(entry));
	const group: ElicitationGroup = { call: run.call, round: run.call.rounds, size: asked.length };
	const given = new Map(Object.entries(known));
	const waits = () => run.keeper?.waits({ kind: 'round', result: result as JsonObject, responses: plainObject(given) });
	await waits();
	const responses = await Promise.all(
		entries.map(async (entry): Promise<[string, Json]> => {
			const response = own(known, entry.key) ?? (await ask(run, entry, group, opened, carried));
			if (entry.request) {
				given.set(entry.key, response);
				void waits();
			}
			return [entry.key, response];
		}),
	);
	return {
		...(entries.length > 0 && { inputResponses: plainObject(responses) }),
		...(typeof requestState === 'string' && { requestState }),
	};
}

/** One entry of `inputRequests`: a request for the user, or the response that needs no user. */
export interface Entry {
	readonly key: string;
	readonly params: Json;
	readonly request?: ElicitationRequest;
	readonly response?: JsonObject;
}

/** Reads the `inputRequests` of a result or a task. Throws a Failure if one of them can't be responded to (R08). */
export function readEntries(run: ActiveCall, requests: unknown): Entry[] {
	const { name } = run.call;
	const entries = isObject(requests) ? Object.entries(requests) : [];
	if (entries.length > MAX_ENTRIES) {
		throw malformed(run, localizable('"{0}" requests {1} inputs at once.', name, entries.length));
	}
	return entries.map(([key, entry]) => {
		const method = own(entry, 'method');
		if (typeof method !== 'string') {
			throw malformed(run, localizable('"{0}" requests input under "{1}" without saying what it needs.', name, key));
		}
		const response = run.session.roots.resultOf(method);
		if (response) {
			return { key, params: null, response };
		}
		if (!isServed(run.session, method)) {
			throw malformed(
				run,
				localizable('"{0}" requests "{1}" from the client, but this client did not declare it.', name, method),
			);
		}
		return readEntry(run, key, method, own(entry, 'params') ?? null);
	});
}

function readEntry(run: ActiveCall, key: string, method: string, params: Json): Entry {
	const checked = checkElicitation(run.session, params, method);
	if (checked.ok) {
		return { key, params, request: checked.request };
	}
	const { definition, registry } = run.session;
	if (!checked.unsafeUrl) {
		throw malformed(
			run,
			localizable('What "{0}" requests under "{1}" is malformed: {2}', run.call.name, key, checked.reason),
		);
	}
	registry.refuse({ server: definition.name, reason: checked.reason, params, calls: [run.call] });
	return { key, params, response: { action: 'cancel' } };
}

export function malformed({ session }: ActiveCall, what: Sentence): Failure {
	return new Failure(
		session.definition.name,
		what,
		localizable("Report it to the server's author; the timeline shows the request."),
	);
}

/** Identifies a URL elicitation that the server repeats. */
function placeOf({ key, params }: Entry): string {
	return keyOf(key, own(params, 'url'));
}

/** The response to an entry. The protocol has no error response, so the call fails on the client side instead. */
export function responseToEntry(
	{ session, call }: ActiveCall,
	request: ElicitationRequest,
	response: ElicitationResponse,
): JsonObject {
	const fail = (what: Sentence) =>
		new Failure(session.definition.name, what, localizable('Call it again to respond differently.'));
	if (response.action === 'error') {
		throw fail(
			localizable(
				'The request of "{0}" was answered with an error on purpose: {1}',
				call.name,
				sentence(response.message),
			),
		);
	}
	const result = resultFor(request, response);
	if (!result) {
		throw fail(localizable('The sampling request of "{0}" was rejected.', call.name));
	}
	return result;
}

async function ask(
	run: ActiveCall,
	entry: Entry,
	group: ElicitationGroup,
	opened: Map<string, Elicitation>,
	carried: Elicitation[],
): Promise<Json> {
	const { session, call, signal } = run;
	const { key, params, request, response } = entry;
	if (!request) {
		return response ?? {};
	}
	const place = placeOf(entry);
	const before = opened.get(place);
	if (before) {
		// The server still waits for the same URL elicitation. The user says when to retry (U11, U13), or already has.
		const state = await raceAbort(before.ended, signal);
		if (state === 'withdrawn') {
			throw interrupted();
		}
		opened.delete(place);
		return { action: state === 'retried' || state === 'completed' ? 'accept' : 'cancel' };
	}
	const elicitation = addElicitation(session, request, params, { intake: 'inputRequired', calls: [call], group, key });
	const outcome = await raceAbort(elicitation.outcome, signal);
	if (outcome.action === 'withdrawn') {
		throw interrupted();
	}
	const result = responseToEntry(run, request, outcome);
	carried.push(elicitation);
	if (elicitation.state === 'opened') {
		opened.set(place, elicitation);
	}
	return result;
}

/** The user can no longer respond: the call or its session has ended. */
function interrupted(): DOMException {
	return new DOMException('The call was cancelled.', 'AbortError');
}

/** The call succeeded, so its URL elicitations are complete. */
function finish(opened: ReadonlyMap<string, Elicitation>): void {
	for (const elicitation of opened.values()) {
		elicitation.complete();
	}
}
