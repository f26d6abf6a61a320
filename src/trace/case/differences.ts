import { literally } from '../../elicitation/display.ts';
import { sameJson } from '../../elicitation/form/flatten.ts';
import { isObject, type Json, type JsonObject, own, plainObject } from '../../elicitation/json.ts';
import { fitsRedacted, REDACTED } from '../../privacy/secrets.ts';
import { PLACEHOLDERS } from './volatile.ts';

/** A value that differs from the recorded one. `expected` or `actual` is absent if there is no value on that side. */
export interface Difference {
	/** Where: member names and indexes, separated by dots. */
	readonly at: string;
	readonly expected?: Json;
	readonly actual?: Json;
}

/** More differences are not listed. */
const MAX_DIFFERENCES = 50;

const SOURCES: ReadonlyMap<string, string> = new Map(Object.entries(PLACEHOLDERS));

/**
 * Compares a value with the recorded one, whose placeholders stand for what differs on every run.
 * @param withoutSecrets redacts an expected text, for the comparison with a served recording, which lacks the secrets
 */
export function differencesOf(
	expected: Json,
	actual: Json,
	at: string,
	withoutSecrets: (text: string) => string = (text) => text,
): Difference[] {
	const found: Difference[] = [];
	compare(expected, actual, at, { found, withoutSecrets });
	return found;
}

interface Comparison {
	readonly found: Difference[];
	readonly withoutSecrets: (text: string) => string;
}

function compare(expected: Json | undefined, actual: Json | undefined, at: string, comparison: Comparison): void {
	const { found, withoutSecrets } = comparison;
	if (found.length >= MAX_DIFFERENCES || (expected === REDACTED && actual !== undefined) || fits(expected, actual)) {
		return;
	}
	if (isRedacted(actual) && typeof expected !== 'object' && fits(withoutSecrets(String(expected)), actual)) {
		return;
	}
	const [before, after] = [membersOf(expected), membersOf(actual)];
	if (!before || !after || Array.isArray(expected) !== Array.isArray(actual)) {
		found.push({ at, ...(expected !== undefined && { expected }), ...(actual !== undefined && { actual }) });
		return;
	}
	const named = isObject(expected) && isObject(actual) ? withNamesOf(expected, actual) : actual;
	for (const name of new Set([...before, ...(membersOf(named) ?? [])])) {
		compare(memberOf(expected, name), memberOf(named, name), `${at}.${name}`, comparison);
	}
}

/** The actual members, under the recorded names whose placeholders theirs fit. */
function withNamesOf(expected: JsonObject, actual: JsonObject): JsonObject {
	const open = Object.keys(expected).filter((name) => name.includes('‹') && !Object.hasOwn(actual, name));
	return plainObject(
		Object.entries(actual).map(([name, item]) => {
			const at = Object.hasOwn(expected, name) ? -1 : open.findIndex((each) => fits(each, name));
			return [at < 0 ? name : String(open.splice(at, 1)[0]), item];
		}),
	);
}

function isRedacted(actual: Json | undefined): boolean {
	return typeof actual === 'string' && actual.includes(REDACTED);
}

/** True for equal values, and for a text that fits the placeholders of the recorded one. */
function fits(expected: Json | undefined, actual: Json | undefined): boolean {
	if (expected === undefined || actual === undefined) {
		return expected === actual;
	}
	if (typeof expected !== 'string' || typeof actual !== 'string' || expected === actual) {
		return sameJson(expected, actual);
	}
	return fitsRedacted(expected, actual, sourceOf);
}

function sourceOf(text: string): string {
	const parts = text.split(/(‹[^‹›]*›)/);
	return parts.map((part) => SOURCES.get(part.replace(/ \d+›$/, '›')) ?? literally(part)).join('');
}

function membersOf(value: Json | undefined): string[] | undefined {
	return Array.isArray(value) || isObject(value) ? Object.keys(value) : undefined;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
	return Array.isArray(value) ? value[Number(name)] : own(value, name);
}
