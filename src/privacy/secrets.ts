import { literally } from '../elicitation/display.ts';
import { isObject, type Json, plainObject } from '../elicitation/json.ts';
import { layersOf, spellingsOf } from './spellings.ts';
import { type Range, TextSearch } from './textSearch.ts';

/** Replaces redacted text. */
export const REDACTED = '‹redacted›';

/** Shorter values are hidden only as whole words, because they may be part of any word. */
const SHORT = 4;

/** Longer values are not searched for in base64 (characters). */
const LONGEST_IN_BASE64 = 4_096;

/** Shorter ends of what base64 makes of a secret are part of any text (characters). */
const SHORTEST_BASE64 = 4;

/** Shorter numbers are hidden only as texts, because they may be anything (digits). */
const SHORTEST_NUMBER = 4;

/** Shorter lines of a secret say too little to be hidden by themselves (characters). */
const SHORTEST_LINE = 16;

/** Max lines of a secret that are hidden by themselves. */
const MOST_LINES = 200;

/** The end of a truncated text, how it may end, and its max length (characters). */
const CUT = /…(?:‹\+\d+›)?$/;
const ENDS_OF_CUT = ['…', '›'];
const LONGEST_CUT = 24;

const SPACE = 0x20;

/** Short texts that have no secret, such as the names of members, which are in every message. */
const LONGEST_HARMLESS = 24;
const MOST_HARMLESS = 1_000;

/** What is made of all secrets in order to search for them. */
interface Search {
	readonly texts: TextSearch;
	readonly numbers: ReadonlySet<number>;
	readonly harmless: Set<string>;
}

/**
 * The secrets of this window, in any spelling (`layersOf`). Applied to everything that is logged, traced or shown in errors. Takes
 * time in proportion to the text, whatever a server has made of it.
 */
export class Secrets {
	/** The spellings of each secret. */
	readonly #values = new Map<string, readonly string[]>();
	#characters = 0;
	/** What they are searched with; undefined until there is a text again, because many secrets may be added in a row. */
	#search: Search | undefined;

	/**
	 * @param most max number of values; the newest are kept
	 * @param mostCharacters max total length of their spellings, which memory is needed for
	 */
	constructor(
		private readonly most = Number.POSITIVE_INFINITY,
		private readonly mostCharacters = Number.POSITIVE_INFINITY,
	) {}

	/** Hides these values until the window closes. Old values stay hidden, because delayed output may contain them. */
	add(values: Iterable<string>): void {
		for (const value of values) {
			if (value.trim() === '' || value.length > this.mostCharacters || this.#values.has(value)) {
				continue;
			}
			const forms = formsOf(value);
			const length = lengthOf(forms);
			if (length <= this.mostCharacters) {
				this.#values.set(value, forms);
				this.#characters += length;
				this.#search = undefined;
			}
		}
		for (const [oldest, forms] of this.#values) {
			if (this.#values.size <= this.most && this.#characters <= this.mostCharacters) {
				break;
			}
			this.#values.delete(oldest);
			this.#characters -= lengthOf(forms);
		}
	}

	/** Replaces every secret in a text. */
	hide(text: string): string {
		return this.#values.size > 0 ? withoutRanges(text, this.#rangesIn(text, false)) : text;
	}

	/** Like `hide`, for a text that may be truncated in the middle of a secret. */
	hideCut(text: string): string {
		const end = lengthOfCut(text);
		if (end === 0 || this.#values.size === 0) {
			return this.hide(text);
		}
		const kept = text.slice(0, -end);
		return `${withoutRanges(kept, this.#rangesIn(kept, true))}${text.slice(-end)}`;
	}

	/** Replaces every secret in the texts and among the numbers of a value. Returns the same value if there is none. */
	hideIn<T>(value: T): T {
		return this.#values.size > 0 ? (this.#within(value as Json) as T) : value;
	}

	#compiled(): Search {
		this.#search ??= {
			texts: new TextSearch([...this.#values.values()].flat()),
			numbers: new Set([...this.#values.keys()].flatMap((value) => numberOf(value) ?? [])),
			harmless: new Set(),
		};
		return this.#search;
	}

	/** Where a text has secrets. */
	#rangesIn(text: string, isCut: boolean): readonly Range[] {
		const { harmless } = this.#compiled();
		if (!isCut && harmless.has(text)) {
			return [];
		}
		const ranges = this.#found(text, isCut);
		if (!isCut && ranges.length === 0 && text.length <= LONGEST_HARMLESS && harmless.size < MOST_HARMLESS) {
			harmless.add(text);
		}
		return ranges;
	}

	#found(text: string, isCut: boolean): Range[] {
		const { texts } = this.#compiled();
		const ranges: Range[] = [];
		for (const layer of layersOf(text, isCut)) {
			const { ranges: found, begun } = texts.find(layer.text, SHORT, (start, end) => isWord(layer.text, start, end));
			for (const { start, end } of found) {
				const range = layer.rangeOf(start, end);
				// Where nothing was decoded, the layer before has found it.
				if (layer.text === text || range.end - range.start > end - start || end - start < SHORT) {
					ranges.push(range);
				}
			}
			if (isCut && begun >= SHORT) {
				const { length } = layer.text;
				ranges.push({ start: layer.rangeOf(length - begun, length).start, end: text.length });
			}
		}
		return ranges;
	}

	#within(value: Json): Json {
		if (typeof value === 'string') {
			return this.hideCut(value);
		}
		if (typeof value === 'number') {
			return this.#compiled().numbers.has(value) ? REDACTED : value;
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
			const hidden: [string, Json] = [this.hideCut(name), this.#within(item)];
			same &&= hidden[0] === name && hidden[1] === item;
			return hidden;
		});
		return same ? value : plainObject(members);
	}
}

/** All spellings of a secret, of the lines of a longer one, because logs are written line by line, and of what base64 makes of it. */
function formsOf(value: string): readonly string[] {
	const lines = value.split(/[\r\n]+/, MOST_LINES).map((line) => line.trim());
	const texts = [value, ...lines.filter(({ length }) => length >= SHORTEST_LINE && length < value.length)];
	const number = numberOf(value);
	return [
		...new Set([
			...texts.flatMap((text) => [...spellingsOf(text)]),
			...[...new Set([value, value.normalize('NFC'), value.normalize('NFD')])].flatMap(inBase64),
			...(number === undefined ? [] : [String(number)]),
		]),
	];
}

function lengthOf(forms: readonly string[]): number {
	return forms.reduce((sum, { length }) => sum + length, 0);
}

/** What base64 makes of a secret at each of its three places among other bytes, without the ends that depend on those. */
function inBase64(value: string): string[] {
	if (value.length < SHORT || value.length > LONGEST_IN_BASE64) {
		return [];
	}
	const bytes = new TextEncoder().encode(value);
	return [0, 1, 2].flatMap((offset) => {
		const text = btoa('\0'.repeat(offset) + String.fromCharCode(...bytes));
		const core = text.slice(Math.ceil((8 * offset) / 6), Math.floor((8 * (offset + bytes.length)) / 6));
		return core.length < SHORTEST_BASE64 ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')];
	});
}

/** The number that a secret may become in JSON; undefined if it is none, or one that may be anything. */
function numberOf(value: string): number | undefined {
	const text = value.trim();
	const number = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
	return Number.isFinite(number) && isLong(text) && isLong(String(number)) ? number : undefined;
}

function isLong(number: string): boolean {
	return number.replace(/\D/g, '').length >= SHORTEST_NUMBER;
}

/** The length of what tells that a text is truncated. */
function lengthOfCut(text: string): number {
	return ENDS_OF_CUT.some((end) => text.endsWith(end)) ? (CUT.exec(text.slice(-LONGEST_CUT))?.[0].length ?? 0) : 0;
}

/** Text without its ranges, of which those that overlap are one. */
function withoutRanges(text: string, ranges: readonly Range[]): string {
	if (ranges.length === 0) {
		return text;
	}
	const sorted = [...ranges].sort((one, other) => one.start - other.start || other.end - one.end);
	const parts: string[] = [];
	let end = 0;
	for (const range of sorted) {
		if (range.start >= end) {
			parts.push(text.slice(end, range.start), REDACTED);
		}
		end = Math.max(end, range.end);
	}
	return [...parts, text.slice(end)].join('');
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** True if nothing around it is part of the same word. */
function isWord(text: string, start: number, end: number): boolean {
	const before = text.slice(Math.max(0, start - 2), start);
	const after = String.fromCodePoint(text.codePointAt(end) ?? SPACE);
	return !LETTER_OR_DIGIT.test(Array.from(before).at(-1) ?? '') && !LETTER_OR_DIGIT.test(after);
}

/**
 * True if a text may be the one that was redacted. What is redacted may be anything, so the parts between are searched
 * for one after the other: one pattern for all of them could take forever.
 * @param sourceOf regular expression that a part must match
 */
export function fitsRedacted(redacted: string, text: string, sourceOf: (part: string) => string = literally): boolean {
	const parts = redacted.split(REDACTED);
	let rest = text;
	return parts.every((part, index) => {
		const [start, end] = [index === 0 ? '^' : '', index === parts.length - 1 ? '$' : ''];
		const found = new RegExp(`${start}(?:${sourceOf(part)})${end}`).exec(rest);
		rest = rest.slice(found ? found.index + found[0].length : 0);
		return found !== null;
	});
}
