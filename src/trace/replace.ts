import { type Json, mapMembers, own } from '../elicitation/json.ts';

/** Copies a value with the value at `path` changed. Returns the same value if nothing changes. */
export function replace(value: Json, path: readonly string[], change: (value: Json) => Json): Json {
	const [name, ...rest] = path;
	if (name === undefined) {
		return change(value);
	}
	const inner = own(value, name);
	const changed = inner === undefined ? undefined : replace(inner, rest, change);
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
