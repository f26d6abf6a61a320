import { literally } from '../elicitation/display.ts';
import { isObject, type Json, plainObject } from '../elicitation/json.ts';

/** Replaces redacted text. */
export const REDACTED = '‹redacted›';

/** Shorter values are hidden only as whole words, because they may be part of any word. */
const SHORT = 4;

/** Longer values are searched for one by one, because a pattern would become too large (characters). */
export const LONG = 1_000;

/** Shorter lines of a secret say too little to be hidden by themselves (characters). */
const SHORTEST_LINE = 16;

/** Max lines of a secret that are hidden by themselves. */
const MOST_LINES = 200;

/** The end of a truncated text. */
const CUT = /…(?:‹\+\d+›)?$/;

/** The secrets of this window. Applied to everything that is logged, traced or shown in errors. */
export class Secrets {
	/** The forms in which each secret may be written. */
	readonly #values = new Map<string, readonly string[]>();
	#characters = 0;
	#pattern: RegExp | undefined;
	#long: readonly string[] = [];
	#stale = false;

	/**
	 * @param most max number of values; the newest are kept
	 * @param mostCharacters max total length
	 */
	constructor(
		private readonly most = Number.POSITIVE_INFINITY,
		private readonly mostCharacters = Number.POSITIVE_INFINITY,
	) {}

	/** Hides these values until the window closes. Old values stay hidden, because delayed output may contain them. */
	add(values: Iterable<string>): void {
		for (const value of values) {
			if (value.trim() !== '' && value.length <= this.mostCharacters && !this.#values.has(value)) {
				this.#values.set(value, formsOf(value));
				this.#characters += value.length;
			}
		}
		for (const oldest of this.#values.keys()) {
			if (this.#values.size <= this.most && this.#characters <= this.mostCharacters) {
				break;
			}
			this.#values.delete(oldest);
			this.#characters -= oldest.length;
		}
		this.#stale = true;
	}

	/** True if the text is a secret. */
	has(text: string): boolean {
		return this.#values.has(text);
	}

	/** Replaces every secret in a text. */
	hide(text: string): string {
		this.#compile();
		let rest = text;
		for (const secret of this.#long) {
			if (secret.length <= rest.length) {
				rest = rest.replaceAll(secret, REDACTED);
			}
		}
		return this.#pattern ? rest.replace(this.#pattern, () => REDACTED) : rest;
	}

	/** Like `hide`, for a text that may be truncated in the middle of a secret. */
	hideCut(text: string): string {
		const hidden = this.hide(text);
		const end = CUT.exec(hidden)?.index;
		if (end === undefined) {
			return hidden;
		}
		const kept = hidden.slice(0, end);
		const begun = Math.max(0, ...[...this.#values.values()].flat().map((form) => overlap(kept, form)));
		return begun < SHORT ? hidden : `${kept.slice(0, kept.length - begun)}${REDACTED}${hidden.slice(end)}`;
	}

	/** Replaces every secret in the texts of a value. Returns the same value if there is none. */
	hideIn<T>(value: T): T {
		return this.#values.size > 0 ? (this.#within(value as Json) as T) : value;
	}

	/** Compiles lazily, because many secrets may be added in a row. */
	#compile(): void {
		if (!this.#stale) {
			return;
		}
		this.#stale = false;
		const forms = [...this.#values.values()].flat().sort((a, b) => b.length - a.length);
		this.#long = forms.filter(({ length }) => length > LONG);
		const short = forms.slice(this.#long.length);
		this.#pattern = short.length > 0 ? new RegExp(short.map(alone).join('|'), 'gu') : undefined;
	}

	#within(value: Json): Json {
		if (typeof value === 'string') {
			return this.hideCut(value);
		}
		if (Array.isArray(value)) {
			const items = value.map((item) => this.#within(item));
			return items.some((item, index) => item !== value[index]) ? items : value;
		}
		if (!isObject(value)) {
			return value;
		}
		let same = true;
		const members = Object.entries(value).map(([name, item]): [string, Json] => {
			const hidden: [string, Json] = [this.hide(name), this.#within(item)];
			same &&= hidden[0] === name && hidden[1] === item;
			return hidden;
		});
		return same ? value : plainObject(members);
	}
}

/** A secret as it is, URL-encoded, and JSON-encoded, and the lines of a longer one, because logs are written line by line. */
function formsOf(value: string): string[] {
	// A lone surrogate cannot be URL-encoded.
	const url = encodeURIComponent(value.replace(/\p{Cs}/gu, ''));
	const lines = value.split(/[\r\n]+/, MOST_LINES).map((line) => line.trim());
	return [
		...new Set([
			value,
			url,
			JSON.stringify(value).slice(1, -1),
			...lines.filter(({ length }) => length >= SHORTEST_LINE),
		]),
	].filter(Boolean);
}

/** Length of the longest prefix of `secret` that `text` ends with. */
function overlap(text: string, secret: string): number {
	for (let length = Math.min(text.length, secret.length - 1); length >= SHORT; length--) {
		if (text.endsWith(secret.slice(0, length))) {
			return length;
		}
	}
	return 0;
}

function alone(form: string): string {
	const literal = literally(form);
	return form.length < SHORT ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal;
}
