import type { Call } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { isObject, type Json, type JsonObject, own, plainObject } from '../elicitation/json.ts';
import { withEmbedded } from '../elicitation/jsonText.ts';
import { english, render, type Sentence } from '../elicitation/sentence.ts';
import { Redactor } from '../privacy/redactor.ts';
import { resultOf } from './result.ts';
import { roundsOf } from './rounds.ts';
import type { TimelineTrace } from './timeline.ts';

/** Members that are specific to a run and insignificant. Removed. */
const PASSING = new Set(['requestState', 'progressToken']);

/** Names of members that contain an id, whatever it looks like. */
const GENERATED = new Set(['elicitationId', 'taskId']);

/** Names of members that contain a timestamp or a duration. */
const TIMES = /(?:^|[a-z_])(?:timestamp|elapsed|duration|latency|uptime)(?:_?(?:ms|millis|seconds))?$|[a-z]At$|_at$/i;

const IDS = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
const MOMENTS = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g;

/**
 * Formats a call as JSON for comparison with another run. Secrets are removed; ids and times of this run are replaced
 * by stable names.
 */
export function comparable(call: Call, elicitations: readonly Elicitation[], trace: TimelineTrace): JsonObject {
	const redactor = new Redactor(trace);
	const entries = trace.entries.filter((entry) => entry.call === call);
	const mine = elicitations.filter(({ origin }) => origin.calls.includes(call));
	const run = new Run();
	const redacted = (value: unknown) => run.normalize(redactor.value((value ?? null) as Json));
	/** Of results and errors: their members in one order, also of those that were sent as text. */
	const ended = (value: unknown) => redacted(sorted(withEmbedded((value ?? null) as Json)));
	const rounds = roundsOf(call, entries, mine).map(({ number, elicitations: asked }) => ({
		round: number,
		elicitations: asked.map((elicitation) => ({
			request: redacted(elicitation.origin.params),
			state: elicitation.state,
			answer: redactor.response(elicitation),
		})),
	}));
	const last = entries.findLast(({ direction, message }) => direction === 'received' && !own(message, 'method'));
	return {
		server: redactor.text(call.server),
		[call.kind]: redactor.text(call.name),
		arguments: redactor.args(call),
		rounds,
		state: call.state,
		...(call.state === 'succeeded' && {
			result: ended(resultOf({ call, entries }, (entry) => redactor.message(entry))),
		}),
		...(call.state === 'failed' && {
			error: ended(own(last && redactor.message(last), 'error') ?? failureText(call.outcome)),
		}),
	};
}

/** Members of a result or an error have no order, and some servers write them in another one on every run. Those of a form have one. */
function sorted(value: Json): Json {
	if (Array.isArray(value)) {
		return value.map(sorted);
	}
	return isObject(value)
		? plainObject(
				Object.keys(value)
					.sort()
					.map((name) => [name, sorted(value[name] ?? null)]),
			)
		: value;
}

function failureText(outcome: unknown): Json {
	const what = (outcome as { what?: Sentence } | undefined)?.what;
	return what ? render(what, english) : outcome instanceof Error ? outcome.message : null;
}

/** Replacements for the ids of one run, in order of appearance. */
class Run {
	readonly #ids = new Map<string, string>();

	normalize(value: Json): Json {
		if (typeof value === 'string') {
			return value.replace(MOMENTS, '<time>').replace(IDS, (id) => this.#placeholder(id));
		}
		if (Array.isArray(value)) {
			return value.map((item) => this.normalize(item));
		}
		return isObject(value)
			? plainObject(
					Object.entries(value)
						.filter(([name]) => !PASSING.has(name))
						.map(([name, item]) => [name, this.#member(name, item)]),
				)
			: value;
	}

	#member(name: string, value: Json): Json {
		if (GENERATED.has(name) && typeof value === 'string') {
			return this.#placeholder(value);
		}
		return TIMES.test(name) && (typeof value === 'number' || typeof value === 'string')
			? '<time>'
			: this.normalize(value);
	}

	#placeholder(id: string): string {
		const found = this.#ids.get(id) ?? `<id ${this.#ids.size + 1}>`;
		this.#ids.set(id, found);
		return found;
	}
}
