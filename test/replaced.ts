import type { Json } from '../src/elicitation/json.ts';

/**
 * Values that servers and files can put in place of any other, the worst first: an object that `String` and `Number`
 * cannot convert, a name that every object has, and the rest of JSON.
 */
export const HOSTILE_VALUES: readonly Json[] = [
	{ toString: null, valueOf: null },
	'constructor',
	'__proto__',
	-1,
	null,
	[],
];

/** Every copy of a value in which one place, at whatever depth, holds another value. */
export function* replaced(value: Json, by: Json): Generator<Json> {
	yield by;
	if (typeof value !== 'object' || value === null) {
		return;
	}
	for (const [key, member] of Object.entries(value)) {
		for (const copy of replaced(member, by)) {
			yield Array.isArray(value)
				? value.map((each, at) => (at === Number(key) ? copy : each))
				: { ...value, [key]: copy };
		}
	}
}
