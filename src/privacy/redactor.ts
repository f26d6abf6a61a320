import type { Direction } from '../conversation/exchange.ts';
import type { Call } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { isMasked } from '../elicitation/form/readFields.ts';
import { isObject, type Json, mapMembers, own, plainObject, replace } from '../elicitation/json.ts';
import { isSecretName } from '../elicitation/secretNames.ts';
import { redactText } from './patterns.ts';
import { type Privacy, sentResponse } from './privacy.ts';
import { REDACTED } from './secrets.ts';

/** A message as a log has it. */
interface RecordedMessage {
	readonly direction: Direction;
	readonly message: unknown;
	/** Without masked input; undefined if there was none. */
	readonly masked?: unknown;
}

/** Shorter names are not redacted, because they may be part of the protocol. */
const MIN_NAME_LENGTH = 8;

/**
 * Removes secrets from everything that leaves the window: those of the configuration, masked input and its repetitions
 * (see `Privacy`), every `requestState`, values with names such as `token`, and values that look like credentials. A
 * response without a known request loses all of its values, because any of them may have been masked.
 */
export class Redactor {
	readonly #privacy: Privacy;
	readonly #states = new Set<string>();

	/** @param removes `configured`: only the secrets of the configuration, which never leave the window */
	constructor(
		log: { readonly privacy: Privacy; readonly entries: readonly Pick<RecordedMessage, 'message'>[] },
		readonly removes: 'all' | 'configured' = 'all',
	) {
		this.#privacy = log.privacy;
		for (const { message } of log.entries) {
			this.#remember(own(own(message, 'result'), 'requestState'));
			this.#remember(own(own(message, 'params'), 'requestState'));
		}
	}

	/** Returns a redacted copy of a message. */
	message(entry: RecordedMessage): Json {
		if (this.removes === 'configured') {
			return this.value(entry.message as Json);
		}
		const state = (value: Json) => replace(value, ['requestState'], () => REDACTED);
		const place = entry.direction === 'received' ? 'result' : 'params';
		return this.value(replace((entry.masked ?? entry.message) as Json, [place], state));
	}

	/** The redacted arguments of a call. */
	args(call: Call): Json {
		return this.value(this.removes === 'all' ? this.#privacy.args(call) : ((call.args ?? null) as Json));
	}

	/** Content without masked values and the secrets of the configuration. Does not redact repetitions elsewhere. */
	masked(content: Json, { origin }: Elicitation): Json {
		return this.#privacy.configured.hideIn(this.#privacy.content(content, origin.params));
	}

	/** The redacted response of an elicitation; null if there is none. */
	response(elicitation: Elicitation): Json {
		return this.value(this.removes === 'all' ? this.#privacy.response(elicitation) : sentResponse(elicitation));
	}

	/** Redacts any other value: known secrets and values that look like secrets. */
	value(value: Json): Json {
		const known = this.#privacy.configured.hideIn(value);
		return this.removes === 'all' ? this.#within(this.#privacy.withoutProposals(known)) : known;
	}

	text(text: string): string {
		return String(this.value(text));
	}

	/** The name of a member. */
	name(name: string): string {
		const known = this.#privacy.configured.hide(name);
		return known.length < MIN_NAME_LENGTH ? known : this.#privacy.entered.hide(known);
	}

	#remember(state: Json | undefined): void {
		if (typeof state === 'string' && state !== '') {
			this.#states.add(state);
		}
	}

	#within(value: Json): Json {
		if (typeof value === 'string') {
			return this.#states.has(value) ? REDACTED : redactText(this.#privacy.entered.hideCut(value));
		}
		if (typeof value === 'number') {
			return this.#privacy.entered.hideIn<Json>(value);
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
