import { literally } from '../../elicitation/display.ts';
import { type Json, keyOf, mapMembers, mapScalars, own } from '../../elicitation/json.ts';
import type { Redactor } from '../../privacy/redactor.ts';
import { REDACTED, Secrets } from '../../privacy/secrets.ts';
import { type CaseVariable, marker, type Place, type Role } from './recordedCase.ts';
import { PLACEHOLDERS, placeholderOf, VOLATILE } from './volatile.ts';

/** Shorter values are replaced only as whole words, because they may be part of any word. */
const SHORT = 4;

/** Longer values are searched for one by one, because a pattern would become too large (characters). */
const LONG = 1_000;

/** First of the unused private-use characters that represent markers. Markers must not look like part of a secret. */
const MARKS = 0x10f000;
/** Prefix of generated variable names. */
const PREFIX = 'MCP_TEST_';

/** The environment variable for a value with this purpose: `doorCode` and `Door code` become MCP_TEST_DOOR_CODE. */
export function variableName(about: string): string {
	return `${PREFIX}${nameOf(about)}`;
}

const MARK = /[\u{10f000}-\u{10ffff}]/gu;

/** The scheme of a credential (`Bearer …`), which is not part of the secret. */
const SCHEME = /(?:Bearer|Basic|Digest|Token) +(?=[\u{10f000}-\u{10ffff}])/giu;

/**
 * Removes secrets from a recorded case. Sent values are replaced by variables; compared values lose everything else
 * that may be secret. Process all sent values first, and then write every value with `written` or `compared`.
 */
export class CaseSecrets {
	readonly #variables = new Map<string, CaseVariable>();
	/** Marks of the variables for unknown values, by where the values come from. */
	readonly #sources = new Map<string, string>();
	/** Marks of the values that variables replace. */
	readonly #texts = new Map<string, string>();
	readonly #numbers = new Map<number, string>();
	/** The markers, in the order of their marks. */
	readonly #marked: string[] = [];
	readonly #secrets = new Secrets();
	#leaks = false;

	/** @param redactor knows the secrets of this window and the masked input of all calls */
	constructor(private readonly redactor: Redactor) {}

	/** Sorted by name. */
	get variables(): readonly CaseVariable[] {
		return [...this.#variables.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
	}

	/** True if the name of a member is secret, because a variable cannot replace it. */
	get leaks(): boolean {
		return this.#leaks;
	}

	place(place: Place): string {
		return this.#mark(place);
	}

	/** Declares an environment variable under its existing name, unless that is taken. */
	environment(name: string, role: Role): string {
		return this.#once(keyOf('environment', name), name, role);
	}

	/** Declares a variable for an unknown value, named after its purpose. Equal purposes and roles share a variable. */
	unknown(about: string, role: Role): string {
		return this.#once(keyOf(role, about), variableName(about), role);
	}

	/** Declares a variable for a value, named after its purpose. Equal values share a variable. */
	variable(about: string, role: Role, value: string | number | boolean): string {
		const known = typeof value === 'string' ? this.#texts.get(value) : this.#numbers.get(Number(value));
		if (known !== undefined && typeof value !== 'boolean') {
			return known;
		}
		const mark = this.#declare(variableName(about), typeof value as CaseVariable['type'], role);
		if (typeof value === 'string') {
			this.#texts.set(value, mark);
		} else if (typeof value === 'number') {
			this.#numbers.set(value, mark);
		}
		this.#secrets.add(typeof value === 'boolean' ? [] : [String(value)]);
		return mark;
	}

	/**
	 * Replaces the secrets in a sent value with variables.
	 * @param safe the redacted value; differences from `given` are secrets
	 * @param about purpose of the value, if no member name tells
	 */
	sent(given: Json, safe: Json | undefined, role: Role, about: string): Json {
		if (Array.isArray(given)) {
			return given.map((item, index) => this.sent(item, Array.isArray(safe) ? safe[index] : undefined, role, about));
		}
		if (typeof given === 'object' && given !== null) {
			return mapMembers(given, (name, item) => {
				this.#leaks ||= this.redactor.name(name) !== name;
				return this.sent(item, own(safe, name), role, name);
			});
		}
		const harmless = given === null || given === '' || safe === given;
		const known = safe === undefined ? consistsOfMarks(given) : this.#isKnown(given);
		return harmless || known ? given : this.variable(about, role, given);
	}

	/** Replaces the secrets in a sent text with variables. */
	text(given: string, role: Role, about: string): string {
		return String(this.sent(given, this.redactor.text(given), role, about));
	}

	/** Finishes a sent value: replaces repetitions of known values everywhere. */
	written<T>(value: T): T {
		return this.#withMarkers(this.#repeated(value as Json)) as T;
	}

	/** Finishes a compared value: replaces possible secrets and values that differ on every run with placeholders. */
	compared(value: Json): Json {
		const known = this.#secrets.hideIn(this.#repeated(value, true));
		return this.#withMarkers(this.redactor.value(known));
	}

	/** True if the declared variables already cover every secret in a text. */
	#isKnown(given: Json): boolean {
		if (typeof given !== 'string') {
			return false;
		}
		const marked = String(this.#repeated(given));
		const hidden = (text: string) => text.replace(SCHEME, '').replace(MARK, REDACTED);
		return hidden(marked) !== marked && hidden(this.redactor.text(marked)) === hidden(marked);
	}

	#once(source: string, stem: string, role: Role): string {
		const mark = this.#sources.get(source) ?? this.#declare(stem, 'string', role);
		this.#sources.set(source, mark);
		return mark;
	}

	/** Declares a variable, whose name gets a number if it is taken. */
	#declare(stem: string, type: CaseVariable['type'], role: Role): string {
		let name = stem;
		for (let number = 2; this.#variables.has(name); number++) {
			name = `${stem}_${number}`;
		}
		this.#variables.set(name, { name, type, role });
		return this.#mark(name);
	}

	#mark(name: string): string {
		const known = this.#marked.indexOf(name);
		return String.fromCodePoint(MARKS + (known < 0 ? this.#marked.push(name) - 1 : known));
	}

	#withMarkers(value: Json): Json {
		return mapScalars(value, (item) =>
			typeof item !== 'string'
				? item
				: item.replace(MARK, (mark) => {
						const name = this.#marked[(mark.codePointAt(0) ?? 0) - MARKS];
						return name === undefined ? mark : Object.hasOwn(PLACEHOLDERS, name) ? name : marker(name);
					}),
		);
	}

	/**
	 * Marks every occurrence of a variable's value.
	 * @param volatile whether to mark what differs on every run, too. By chance a UUID may contain a short secret; only
	 * a secret that contains a UUID takes precedence
	 */
	#repeated(value: Json, volatile = false): Json {
		const longest = [...this.#texts.keys()].filter(({ length }) => length >= SHORT).sort((a, b) => b.length - a.length);
		const huge = longest.filter(({ length }) => length > LONG);
		const others = longest.slice(huge.length);
		const first = others.filter((secret) => volatile && new RegExp(VOLATILE).test(secret));
		const rest = others.filter((secret) => !first.includes(secret));
		const sources = [...first.map(literally), ...(volatile ? [VOLATILE] : []), ...rest.map(literally)];
		const pattern = sources.length > 0 ? new RegExp(sources.join('|'), 'g') : undefined;
		const marked = (text: string) => {
			const short = huge.reduce((so, secret) => so.replaceAll(secret, this.#texts.get(secret) ?? secret), text);
			return pattern
				? short.replace(pattern, (found) => this.#texts.get(found) ?? this.#mark(placeholderOf(found)))
				: short;
		};
		return mapScalars(value, (item) => {
			if (typeof item === 'number') {
				return this.#numbers.get(item) ?? item;
			}
			if (typeof item !== 'string') {
				return item;
			}
			return this.#texts.get(item) ?? marked(item);
		});
	}
}

/** True for a text that begins with a variable or a place. */
export function beginsWithMark(text: string): boolean {
	return text.search(MARK) === 0;
}

/** True for a text in which nothing is left to replace. */
function consistsOfMarks(given: Json): boolean {
	return typeof given === 'string' && given !== '' && given.replace(SCHEME, '').replace(MARK, '') === '';
}

/** Converts a name to an environment variable name: `doorCode` and `Door code` become DOOR_CODE. */
function nameOf(text: string): string {
	const name = text
		.slice(0, 200)
		.replace(/([a-z0-9])([A-Z])/g, '$1_$2')
		.replace(/[^A-Za-z0-9]+/g, '_')
		.toUpperCase()
		.slice(0, 60)
		.replace(/^_+|_+$/g, '');
	return name || 'VALUE';
}
