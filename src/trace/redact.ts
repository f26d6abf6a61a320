import type { Call } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { isMasked } from '../elicitation/form/readFields.ts';
import { isObject, type Json, mapMembers, own, plainObject } from '../elicitation/json.ts';
import type { TraceEntry, TraceLog } from './log.ts';
import { type Masking, maskingOf, sentResponse } from './masking.ts';
import { isSecretName, redactText } from './redactPatterns.ts';
import { replace } from './replace.ts';
import { REDACTED } from './secrets.ts';

export { REDACTED } from './secrets.ts';

/** Shorter names are not redacted, because they may be part of the protocol. */
const MIN_NAME_LENGTH = 8;

/**
 * Removes secrets from everything that leaves the window: those of the configuration, masked input and its repetitions
 * (see `Masking`), every `requestState`, values with names such as `token`, and values that look like credentials. A
 * response without a known request loses all of its values, because any of them may have been masked.
 */
export class Redactor {
	readonly #masking: Masking;
	readonly #states = new Set<string>();

	/** @param removes `configured`: only the secrets of the configuration, which never leave the window */
	constructor(
		private readonly log: Pick<TraceLog, 'masking' | 'entries' | 'secrets'>,
		readonly removes: 'all' | 'configured' = 'all',
	) {
		this.#masking = maskingOf(log);
		for (const { message } of log.entries) {
			this.#remember(own(own(message, 'result'), 'requestState'));
			this.#remember(own(own(message, 'params'), 'requestState'));
		}
	}

	/** Returns a redacted copy of a message. */
	message(entry: TraceEntry): Json {
		if (this.removes === 'configured') {
			return this.value(entry.message as Json);
		}
		const state = (value: Json) => replace(value, ['requestState'], () => REDACTED);
		const place = entry.direction === 'received' ? 'result' : 'params';
		return this.value(replace((entry.masked ?? entry.message) as Json, [place], state));
	}

	/** The redacted arguments of a call. */
	args(call: Call): Json {
		return this.value(this.removes === 'all' ? this.#masking.args(call) : ((call.args ?? null) as Json));
	}

	/** Content without masked values and the secrets of the configuration. Does not redact repetitions elsewhere. */
	masked(content: Json, { origin }: Elicitation): Json {
		return this.log.secrets.hideIn(this.#masking.content(content, origin.params));
	}

	/** The redacted response of an elicitation; null if there is none. */
	response(elicitation: Elicitation): Json {
		return this.value(this.removes === 'all' ? this.#masking.response(elicitation) : sentResponse(elicitation));
	}

	/** Redacts any other value: known secrets and values that look like secrets. */
	value(value: Json): Json {
		const known = this.log.secrets.hideIn(value);
		return this.removes === 'all' ? this.#within(this.#masking.withoutProposals(known)) : known;
	}

	text(text: string): string {
		return String(this.value(text));
	}

	/** The name of a member. */
	name(name: string): string {
		const known = this.log.secrets.hide(name);
		return known.length < MIN_NAME_LENGTH ? known : this.#masking.entered.hide(known);
	}

	#remember(state: Json | undefined): void {
		if (typeof state === 'string' && state !== '') {
			this.#states.add(state);
		}
	}

	#within(value: Json): Json {
		if (typeof value === 'string') {
			return this.#states.has(value) ? REDACTED : redactText(this.#masking.entered.hideCut(value));
		}
		if (typeof value === 'number') {
			return this.#masking.entered.hideIn<Json>(value);
		}
		if (Array.isArray(value)) {
			return value.map((item) => this.#within(item));
		}
		return isObject(value)
			? plainObject(Object.entries(value).map(([name, item]) => [this.name(name), this.#member(name, item)]))
			: value;
	}

	#member(name: string, value: Json): Json {
		if (isSecretName(name) && !isObject(value)) {
			return withoutScalars(value);
		}
		return name === 'properties' && isObject(value)
			? mapMembers(value, (each, schema) => this.#property(each, schema))
			: this.#within(value);
	}

	/** Keeps a schema, but redacts the values that it proposes for secrets. */
	#property(name: string, schema: Json): Json {
		const inner = this.#within(schema);
		return isSecretName(name) || (isObject(schema) && isMasked(schema))
			? mapMembers(inner, (keyword, value) =>
					keyword === 'default' || keyword === 'const' || keyword === 'examples' ? REDACTED : value,
				)
			: inner;
	}
}

/** Removes strings and numbers, alone or in a list. */
function withoutScalars(value: Json): Json {
	return Array.isArray(value)
		? value.map(withoutScalars)
		: typeof value === 'string' || typeof value === 'number'
			? REDACTED
			: value;
}
