import { type Json, type JsonObject, plainObject } from './json.ts';

/** Memory budget of a truncated value (approximate bytes). */
const MAX_SIZE = 64 * 1024;
/** Max length of each string, array or object in a truncated value. */
const MAX_STRING_LENGTH = 1_000;
const MAX_MEMBERS = 100;

/** Approximate memory size of a JSON value (bytes). Errs on the high side. */
export function memorySize(value: unknown): number {
	if (typeof value === 'string') {
		return 16 + 2 * value.length;
	}
	if (typeof value !== 'object' || value === null) {
		return 8;
	}
	let sum = 32;
	if (Array.isArray(value)) {
		for (const item of value) {
			sum += 8 + memorySize(item);
		}
		return sum;
	}
	for (const name of Object.keys(value)) {
		sum += 16 + 2 * name.length + memorySize((value as Record<string, unknown>)[name]);
	}
	return sum;
}

/** Approximate length of a value as JSON (characters). Iterative, because nothing bounds how deep it is nested. */
export function jsonLength(value: Json): number {
	const rest: Json[] = [value];
	let length = 0;
	for (let each = rest.pop(); each !== undefined; each = rest.pop()) {
		length += typeof each === 'string' ? each.length + 3 : 5;
		if (typeof each === 'object' && each !== null) {
			const isList = Array.isArray(each);
			for (const name of Object.keys(each)) {
				length += isList ? 0 : name.length + 3;
				rest.push((each as JsonObject)[name] as Json);
			}
		}
	}
	return length;
}

/** The first characters of a text, copied: in V8, a part of a text keeps all of it in memory. Says how many are left out. */
export function truncateText(text: string, max: number): string {
	return text.length > max ? `${JSON.parse(JSON.stringify(text.slice(0, max)))}${omitted(text.length - max)}` : text;
}

/** Returns the value unchanged unless it is large; otherwise returns its truncated form. */
export function truncateIfLarge(value: unknown): unknown {
	return memorySize(value) > 2 * MAX_SIZE ? truncate(value) : value;
}

/** Truncates a large JSON value. Its outline is kept; `…‹+123›` marks how much was omitted. */
export function truncate(value: unknown): Json {
	const budget = { bytes: MAX_SIZE };
	return shorten(value as Json, budget, true);
}

function shorten(value: Json, budget: { bytes: number }, top = false): Json {
	if (typeof value === 'string') {
		// Top-level scalars identify the message, so they are kept even when the budget is used up.
		const max = top || budget.bytes > 0 ? MAX_STRING_LENGTH : 0;
		const text = truncateText(value, max);
		budget.bytes -= memorySize(text);
		return text;
	}
	if (typeof value !== 'object' || value === null) {
		budget.bytes -= 8;
		return value;
	}
	const size = Array.isArray(value) ? value.length : Object.keys(value).length;
	if (budget.bytes <= 0 && size > 0) {
		return omitted(size);
	}
	budget.bytes -= 32;
	const kept: [string, Json][] = [];
	for (const [name, item] of Object.entries(value)) {
		if (kept.length >= MAX_MEMBERS || (budget.bytes <= 0 && !top)) {
			break;
		}
		const key = truncateText(name, MAX_STRING_LENGTH);
		budget.bytes -= 16 + 2 * key.length;
		kept.push([key, isScalar(item) ? shorten(item, budget, top) : shorten(item, budget)]);
	}
	const rest = size - kept.length;
	return Array.isArray(value)
		? [...kept.map(([, item]) => item), ...(rest > 0 ? [omitted(rest)] : [])]
		: plainObject(rest > 0 ? [...kept, ['…', omitted(rest)]] : kept);
}

function isScalar(value: Json): boolean {
	return typeof value !== 'object' || value === null;
}

/** What stands in place of so many characters or members that are left out. */
export function omitted(count: number): string {
	return `…‹+${count}›`;
}
