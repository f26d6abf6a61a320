import { isObject, type Json, own, plainObject } from '../elicitation/json.ts';

/** A copy in which the value at `path`, if there is one, is another; the value itself where nothing has changed. */
export function replace(value: Json, path: readonly string[], change: (value: Json) => Json): Json {
	const [name, ...rest] = path;
	if (name === undefined) {
		return change(value);
	}
	return own(value, name) === undefined
		? value
		: mapMembers(value, (member, item) => (member === name ? replace(item, rest, change) : item));
}

/** A copy of an object with other members; the object itself where none is another. */
export function mapMembers(value: Json, change: (name: string, value: Json) => Json): Json {
	if (!isObject(value)) {
		return value;
	}
	let same = true;
	const members = Object.entries(value).map(([name, item]): [string, Json] => {
		const changed = change(name, item);
		same &&= changed === item;
		return [name, changed];
	});
	return same ? value : plainObject(members);
}
