import { isObject, type Json, plainObject } from '../elicitation/json.ts';

/** Stands where something was taken out. */
export const REDACTED = '‹redacted›';

/** Below this length a value is hidden only where it stands alone: it may be part of any word. */
const SHORT = 4;

/** A longer value is looked for as it is, one after the other: a pattern would become too large (characters). */
export const LONG = 1_000;

/** Ends a text that was shortened. */
const CUT = /…(?:‹\+\d+›)?$/;

/** The values that this window keeps secret. Whatever is logged, traced or said of an error goes through here. */
export class Secrets {
	/** As they are written, by what they are. */
	readonly #values = new Map<string, readonly string[]>();
	#characters = 0;
	#pattern: RegExp | undefined;
	#long: readonly string[] = [];
	#stale = false;

	/**
	 * @param most how many are kept, the newest
	 * @param mostCharacters how long they may be together
	 */
	constructor(
		private readonly most = Number.POSITIVE_INFINITY,
		private readonly mostCharacters = Number.POSITIVE_INFINITY,
	) {}

	/** From now on these are hidden, until the window closes: what was printed with an old one may still arrive. */
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

	/** Whether a text is one of them. */
	has(text: string): boolean {
		return this.#values.has(text);
	}

	/** The text with every secret replaced. */
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

	/** The same of a text that may have been shortened in the middle of a secret. */
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

	/** The value with every secret in its texts replaced; the value itself where there is none. */
	hideIn<T>(value: T): T {
		return this.#values.size > 0 ? (this.#within(value as Json) as T) : value;
	}

	/** Only once somebody asks: many may be added one after the other. */
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

/** A secret as it is, as part of a URL, and as part of a JSON text. */
function formsOf(value: string): string[] {
	// Half a surrogate pair cannot be part of a URL.
	const url = encodeURIComponent(value.replace(/\p{Cs}/gu, ''));
	return [...new Set([value, url, JSON.stringify(value).slice(1, -1)])].filter(Boolean);
}

/** How much of the beginning of one text the other ends with. */
function overlap(text: string, secret: string): number {
	for (let length = Math.min(text.length, secret.length - 1); length >= SHORT; length--) {
		if (text.endsWith(secret.slice(0, length))) {
			return length;
		}
	}
	return 0;
}

function alone(form: string): string {
	const literal = form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
	return form.length < SHORT ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal;
}
