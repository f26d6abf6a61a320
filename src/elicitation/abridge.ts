import { type Json, plainObject } from './json.ts';

/** Memory budget of a truncated value (approximate bytes). */
const KEPT = 64 * 1024;
/** Max length of each string, array or object in a truncated value. */
const CHARACTERS = 1_000;
const MEMBERS = 100;

/** Approximate memory size of a JSON value (bytes). Errs on the high side. */
export function weightOf(value: unknown): number {
	if (typeof value === 'string') {
		return 16 + 2 * value.length;
	}
	if (typeof value !== 'object' || value === null) {
		return 8;
	}
	let sum = 32;
	if (Array.isArray(value)) {
		for (const item of value) {
			sum += 8 + weightOf(item);
		}
		return sum;
	}
	for (const name of Object.keys(value)) {
		sum += 16 + 2 * name.length + weightOf((value as Record<string, unknown>)[name]);
	}
	return sum;
}

/** Returns the value unchanged unless it is large; otherwise returns its truncated form. */
export function bounded(value: unknown): unknown {
	return weightOf(value) > 2 * KEPT ? abridge(value) : value;
}

/** Truncates a large JSON value. Its outline is kept; `…‹+123›` marks how much was omitted. */
export function abridge(value: unknown): Json {
	const left = { weight: KEPT };
	return shorten(value as Json, left, true);
}

function shorten(value: Json, left: { weight: number }, top = false): Json {
	if (typeof value === 'string') {
		// Top-level scalars identify the message, so they are kept even when the budget is used up.
		const most = top || left.weight > 0 ? CHARACTERS : 0;
		const text = value.length > most ? `${value.slice(0, most)}${omitted(value.length - most)}` : value;
		left.weight -= weightOf(text);
		return text;
	}
	if (typeof value !== 'object' || value === null) {
		left.weight -= 8;
		return value;
	}
	const size = Array.isArray(value) ? value.length : Object.keys(value).length;
	if (left.weight <= 0 && size > 0) {
		return omitted(size);
	}
	left.weight -= 32;
	const kept: [string, Json][] = [];
	for (const [name, item] of Object.entries(value)) {
		if (kept.length >= MEMBERS || (left.weight <= 0 && !top)) {
			break;
		}
		const key = name.length > CHARACTERS ? `${name.slice(0, CHARACTERS)}${omitted(name.length - CHARACTERS)}` : name;
		left.weight -= 16 + 2 * key.length;
		kept.push([key, isScalar(item) ? shorten(item, left, top) : shorten(item, left)]);
	}
	const rest = size - kept.length;
	return Array.isArray(value)
		? [...kept.map(([, item]) => item), ...(rest > 0 ? [omitted(rest)] : [])]
		: plainObject(rest > 0 ? [...kept, ['…', omitted(rest)]] : kept);
}

function isScalar(value: Json): boolean {
	return typeof value !== 'object' || value === null;
}

function omitted(count: number): string {
	return `…‹+${count}›`;
}
