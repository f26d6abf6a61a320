import { orAborted } from '../../elicitation/abort.ts';
import type { Call } from '../../elicitation/call.ts';
import type { Elicitation, Group } from '../../elicitation/elicitation.ts';
import { isObject, type Json, type JsonObject, own, plainObject } from '../../elicitation/json.ts';
import type { ElicitationRequest } from '../../elicitation/request.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { Failure, sentence } from '../wire/failure.ts';
import { type ActiveCall, addElicitation, checkElicitation, type IntakeContext } from './intake.ts';
import { isUrlRequired, UrlElicitationRequired } from './urlElicitationRequired.ts';

/** The revision that puts rounds in the place of the server's own requests. */
export const MODERN = '2026-07-28';

/** After so many rounds (input_required and -32042 together) the user decides whether a call goes on (R07). */
const MAX_ROUNDS = 10;

/** More entries than this in one result are no questions to a user. */
const MAX_ENTRIES = 1_000;

/** Between retries that nobody had to be asked for (milliseconds). */
const MAX_PAUSE = 5_000;

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
	const run: ActiveCall = { context, call, signal };
	const requirements = new UrlElicitationRequired(run);
	const opened = new Map<string, Elicitation>();
	/** Whose responses the next request carries. */
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
 * Tells what has become of responses that a request carried (D01). One that failed on its way may have been processed all the
 * same, so it is not sent a second time; one that was cancelled tells nothing.
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

/** Says that a call does not come to an end, and lets the user go on or stop (R07). */
async function bound({ context, call, signal }: ActiveCall): Promise<void> {
	if (call.rounds % MAX_ROUNDS !== 0) {
		return;
	}
	const reason = localizable('"{0}" asked for input {1} times without coming to an end.', call.name, call.rounds);
	if (!(await orAborted(context.registry.roundLimit(call, reason), signal))) {
		throw new Failure(
			context.definition.name,
			reason,
			localizable('The server seems to be in a loop; its log and the timeline show what it asked.'),
		);
	}
}

/** The first retry without any input goes out at once, each further one in a row after a longer while (R04). */
async function pace({ signal }: ActiveCall, idle: number): Promise<void> {
	if (idle > 1) {
		const { promise, cancel } = delay(Math.min(10 * 2 ** idle, MAX_PAUSE));
		await orAborted(promise, signal).finally(cancel);
	}
}

function delay(ms: number): { promise: Promise<void>; cancel: () => void } {
	let timer: ReturnType<typeof setTimeout>;
	const promise = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, ms);
	});
	return { promise, cancel: () => clearTimeout(timer) };
}

/** Answers every entry of `inputRequests`, concurrently (R01), and carries `requestState` over untouched (R02). */
async function fulfil(
	run: ActiveCall,
	result: unknown,
	opened: Map<string, Elicitation>,
	carried: Elicitation[],
): Promise<RoundInput> {
	const requestState = own(result, 'requestState');
	// Before anybody is asked: what was asked beside a wrong entry would have to be withdrawn (R08, fault 24).
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

/** One entry of `inputRequests`; without a request when its URL was refused, which is an answer, not an error. */
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

/** What a page is recognised by when it is asked for again. */
function placeOf({ key, params }: Entry): string {
	return JSON.stringify([key, own(params, 'url')]);
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
		// The server still waits for the same page: the user says when to try again (U11, U13), or has said so meanwhile.
		const state = await orAborted(before.ended, signal);
		opened.delete(place);
		return { action: state === 'retried' || state === 'completed' ? 'accept' : 'cancel' };
	}
	const elicitation = addElicitation(context, request, params, { intake: 'inputRequired', calls: [call], group });
	const reply = await orAborted(elicitation.reply, signal);
	if (reply.action === 'withdrawn') {
		throw new DOMException('The call was cancelled.', 'AbortError');
	}
	if (reply.action === 'error') {
		// There is no way to tell the server: a call of this era ends with its client.
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

/** The call went through, so whatever the opened pages were for is done. */
function finish(opened: ReadonlyMap<string, Elicitation>): void {
	for (const elicitation of opened.values()) {
		elicitation.complete();
	}
}
