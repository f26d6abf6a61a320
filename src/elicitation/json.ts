/** A JSON value as a server sent it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** Keys come from servers: read own keys only (`Object.hasOwn`) and build objects with `plainObject`. */
export interface JsonObject {
	readonly [key: string]: Json;
}

/** True for a JSON object, but not for null or an array. */
export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own property, or `undefined`. `__proto__` and `constructor` are ordinary names. */
export function own(value: unknown, key: string): Json | undefined {
	return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The value of an own property, or `undefined` if it is null. Many languages serialize an absent value as null. */
export function given(value: unknown, key: string): Json | undefined {
	return own(value, key) ?? undefined;
}

/** What stands for an empty object: many languages write one as nothing, as `null`, or as an empty list. */
export function isEmptyObject(value: Json | undefined): boolean {
	return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** True for a string that is not blank. */
export function isFilledText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/**
 * The id of a message as it is compared. Some servers return a number as text, which the SDK accepts. Undefined for what is
 * no id. Ids of the two sides of a connection, and progress tokens, are different things.
 */
export function idKey(id: unknown): string | undefined {
	if (typeof id === 'number') {
		return String(id);
	}
	return isFilledText(id) && Number.isSafeInteger(Number(id))
		? String(Number(id))
		: typeof id === 'string'
			? id
			: undefined;
}

/** Creates an object without a prototype, in which `__proto__` is an ordinary key that survives `JSON.stringify`. */
export function plainObject(entries: Iterable<readonly [string, Json]>): Record<string, Json> {
	const result: Record<string, Json> = Object.create(null);
	for (const [key, value] of entries) {
		result[key] = value;
	}
	return result;
}

/** Copies an object with its members changed. Returns the same value if nothing changes. */
export function mapMembers(value: Json, change: (name: string, value: Json) => Json): Json {
	if (!isObject(value)) {
		return value;
	}
	let copy: Record<string, Json> | undefined;
	for (const name of Object.keys(value)) {
		const item = value[name] as Json;
		const changed = change(name, item);
		if (changed !== item) {
			copy ??= plainObject(Object.entries(value));
			copy[name] = changed;
		}
	}
	return copy ?? value;
}

/** Copies a value with the value at `path` changed. Returns the same value if nothing changes. */
export function replace(value: Json, path: readonly string[], change: (value: Json) => Json, depth = 0): Json {
	const name = path[depth];
	if (name === undefined) {
		return change(value);
	}
	const inner = own(value, name);
	const changed = inner === undefined ? undefined : replace(inner, path, change, depth + 1);
	return changed === inner || changed === undefined
		? value
		: mapMembers(value, (member, item) => (member === name ? changed : item));
}

/** Copies a value with every text, number, boolean and null in it changed. */
export function mapScalars(value: Json, change: (scalar: Json) => Json): Json {
	if (typeof value !== 'object' || value === null) {
		return change(value);
	}
	return Array.isArray(value)
		? value.map((item) => mapScalars(item, change))
		: mapMembers(value, (_, item) => mapScalars(item, change));
}

/** An object without some of its members. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
	return plainObject(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** A copy as it is sent. Throws for what JSON cannot hold: cycles, and integers of any size. */
export function jsonCopy(value: object): Json {
	return JSON.parse(JSON.stringify(value) ?? 'null');
}

/** Combines several values into one key, for a map or for storage. Equal for equal JSON. */
export function keyOf(...parts: readonly unknown[]): string {
	return JSON.stringify(parts);
}
