import { isObject, type Json, plainObject } from '../elicitation/json.ts';

/** Stands where something was taken out. */
export const REDACTED = '‹redacted›';

/** Below this length a value is hidden only where it stands alone: it may be part of any word. */
const SHORT = 4;

/** The values that this window keeps secret. Whatever is logged, traced or said of an error goes through here. */
export class Secrets {
	readonly #values = new Set<string>();
	#pattern: RegExp | undefined;

	/** From now on these are hidden, until the window closes: what was printed with an old one may still arrive. */
	add(values: Iterable<string>): void {
		for (const value of values) {
			if (value.trim() !== '') {
				this.#values.add(value);
			}
		}
		const forms = [...this.#values].flatMap(formsOf).sort((a, b) => b.length - a.length);
		this.#pattern = forms.length > 0 ? new RegExp(forms.map(alone).join('|'), 'gu') : undefined;
	}

	/** The text with every secret replaced. */
	hide(text: string): string {
		return this.#pattern ? text.replace(this.#pattern, () => REDACTED) : text;
	}

	/** The value with every secret in its texts replaced; the value itself where there is none. */
	hideIn<T>(value: T): T {
		return this.#pattern ? (this.#within(value as Json) as T) : value;
	}

	#within(value: Json): Json {
		if (typeof value === 'string') {
			return this.hide(value);
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

function alone(form: string): string {
	const literal = form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
	return form.length < SHORT ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal;
}
