import type { Call } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { sameJson } from '../elicitation/form/flatten.ts';
import { isObject, type Json, type JsonObject, keyOf, own, without } from '../elicitation/json.ts';
import { pointerToken } from '../elicitation/pointer.ts';
import { RecordedResponses } from '../elicitation/recordedResponses.ts';
import type { Registry } from '../elicitation/registry.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { withoutVolatile } from '../trace/case/volatile.ts';
import type { TraceEntry } from '../trace/log.ts';
import { accept } from './accept.ts';
import type { Observation, Remark, TrialRun } from './observe.ts';

/** How often a call is made unless the user enters another number, and the limits of that. */
export const DEFAULT_RUNS = 3;
export const MIN_RUNS = 2;
export const MAX_RUNS = 100;

/** Max differences that a remark names. */
const MAX_PATHS = 3;

/** Reads a number of runs that a user entered. Undefined if it is not valid. */
export function readRuns(text: string): number | undefined {
	const runs = Number(text);
	return Number.isInteger(runs) && runs >= MIN_RUNS && runs <= MAX_RUNS ? runs : undefined;
}

/** Responds as the call was responded to; accepts what it did not get. */
export function repetition(
	run: number,
	call: Call,
	{ autoResponders, validator }: Pick<Registry, 'autoResponders' | 'validator'>,
	before: readonly Elicitation[],
): TrialRun {
	const recording = new RecordedResponses(call, before, autoResponders);
	const name = localizable('Run {0}', run);
	return {
		name,
		description: localizable('Determinism: {0}', name),
		answer: async (elicitation, _index, note) => {
			const recorded = await recording.respond(elicitation);
			return recorded && recorded.action !== 'refer' ? recorded : accept(elicitation, validator, before, note);
		},
	};
}

/** What one run of a call got from its server. */
export interface RunFacts {
	/** The params of its requests in order, without what only carries them. */
	readonly requests: readonly JsonObject[];
	/** The ids of its URL elicitations. */
	readonly ids: readonly string[];
	/** The entries of `inputRequests` that its task had, as often as they were reported (2026-07-28). */
	readonly entries: readonly (readonly [key: string, request: Json])[];
	readonly outcome: Observation['outcome'];
	/** The code and the message of the error if there is no result. */
	readonly result: Json;
}

/** @param trace includes the messages of the run */
export function factsOf({ elicitations, call, outcome }: Observation, trace: readonly TraceEntry[]): RunFacts {
	const all = elicitations.map(({ origin }) => origin.params);
	const ofTask = trace.filter((entry) => entry.call === call && own(own(entry.message, 'result'), 'taskId'));
	return {
		requests: all.map((params) => without(isObject(params) ? params : {}, ['_meta', 'elicitationId', 'task'])),
		ids: all.flatMap((params) => own(params, 'elicitationId') ?? []).filter((id) => typeof id === 'string'),
		entries: ofTask.flatMap(({ message }) => {
			const inputRequests = own(own(message, 'result'), 'inputRequests');
			return isObject(inputRequests) ? Object.entries(inputRequests) : [];
		}),
		outcome,
		result:
			call?.outcome instanceof Error
				? errorOf(call.outcome)
				: without(isObject(call?.outcome) ? call.outcome : {}, ['_meta']),
	};
}

/** The error of the server, without our words around it. */
function errorOf(error: Error): JsonObject {
	const { message } = error.cause instanceof Error ? error.cause : error;
	const code = own(error.cause, 'code');
	return { message, ...(code !== undefined && { code }) };
}

/**
 * What the last run changed since the first one, and which ids and keys were used twice.
 * @param runs oldest first
 */
export function judgeDeterminism(runs: readonly RunFacts[]): Remark[] {
	const [run, first] = [runs.at(-1), runs[0]];
	if (!run || !first || run.outcome === 'cancelled') {
		return [];
	}
	const repeated = [...repeatedIds(run, runs.slice(0, -1)), ...reusedKeys(run)];
	if (run === first) {
		return repeated;
	}
	const changes = [...changedRequests(run, first), ...repeated, ...changedResult(run, first)];
	return changes.length > 0 ? changes : [{ text: localizable('Everything is as in the first run.'), warning: false }];
}

function changedRequests({ requests }: RunFacts, first: RunFacts): Remark[] {
	const [count, countBefore] = [requests.length, first.requests.length];
	if (count !== countBefore) {
		return [warning(localizable('The number of requests is {0}; in the first run, it was {1}.', count, countBefore))];
	}
	const [now, then] = [requests, first.requests].map((all) => all.map((params) => keyOf(params)));
	if (String(now) !== String(then) && String(now?.sort()) === String(then?.sort())) {
		return [warning(localizable('The same requests came in a different order.'))];
	}
	return requests.flatMap((params, at) => {
		const before = first.requests[at] ?? null;
		const paths = [...differences(params, before)];
		const lasting = [...differences(withoutVolatile(params), withoutVolatile(before))];
		if (paths.length === 0) {
			return [];
		}
		return lasting.length === 0
			? [warning(localizable('Request {0} holds a time or a random ID, at {1}.', at + 1, named(paths)))]
			: [warning(localizable('Request {0} differs from that of the first run at {1}.', at + 1, named(lasting)))];
	});
}

function changedResult({ outcome, result }: RunFacts, first: RunFacts): Remark[] {
	if (outcome !== first.outcome) {
		return [warning(localizable('The call did not end as in the first run.'))];
	}
	const paths = [...differences(withoutVolatile(result), withoutVolatile(first.result))];
	return paths.length === 0
		? []
		: [{ text: localizable('The result differs from that of the first run at {0}.', named(paths)), warning: false }];
}

/** An `elicitationId` must be unique for its server. */
function repeatedIds({ ids }: RunFacts, earlier: readonly RunFacts[]): Remark[] {
	const used = new Set(earlier.flatMap((run) => run.ids));
	const repeated = ids.filter((id, at) => used.has(id) || ids.indexOf(id) < at);
	return [...new Set(repeated)].map((id) =>
		warning(localizable('The elicitationId "{0}" was used before: completions of it are ambiguous.', id)),
	);
}

/** Keys are unique for the life of a task. */
function reusedKeys({ entries }: RunFacts): Remark[] {
	const requests = new Map<string, Json>();
	const reused = new Set<string>();
	for (const [key, request] of entries) {
		if (requests.has(key) && !sameJson(requests.get(key) ?? null, request)) {
			reused.add(key);
		}
		requests.set(key, request);
	}
	return [...reused].map((key) =>
		warning(localizable('The key "{0}" stands for different requests of one task.', key)),
	);
}

/** JSON Pointers to the places where two values differ. */
function* differences(one: Json, other: Json, path = ''): Generator<string> {
	if (isObject(one) && isObject(other)) {
		for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
			const [a, b] = [own(one, key), own(other, key)];
			const to = `${path}/${pointerToken(key)}`;
			if (a === undefined || b === undefined) {
				yield to;
			} else {
				yield* differences(a, b, to);
			}
		}
	} else if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
		for (const [at, item] of one.entries()) {
			yield* differences(item, other[at], `${path}/${at}`);
		}
	} else if (!sameJson(one, other)) {
		yield path || '/';
	}
}

function named(paths: readonly string[]): string {
	return [...paths.slice(0, MAX_PATHS), ...(paths.length > MAX_PATHS ? ['…'] : [])].join(', ');
}

function warning(text: Sentence): Remark {
	return { text, warning: true };
}
