import { isObject, type Json, plainObject } from '../../elicitation/json.ts';

/** Patterns of values that usually differ on every run, by placeholder. */
export const PLACEHOLDERS = {
	'‹uuid›': '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}',
	'‹time›': '[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?',
} as const satisfies Record<string, string>;

/** Matches each UUID and timestamp in a text. */
export const VOLATILE = `(?<![\\w-])(?:${PLACEHOLDERS['‹uuid›']}|${PLACEHOLDERS['‹time›']})(?![\\w-])`;

const VOLATILES = new RegExp(VOLATILE, 'g');
const UUID = new RegExp(`^${PLACEHOLDERS['‹uuid›']}$`);

/** The placeholder of a UUID or a timestamp. */
export function placeholderOf(volatile: string): keyof typeof PLACEHOLDERS {
	return UUID.test(volatile) ? '‹uuid›' : '‹time›';
}

/** Replaces every UUID and timestamp in the texts of a value with a placeholder. */
export function withoutVolatile(value: Json): Json {
	if (typeof value === 'string') {
		return value.replace(VOLATILES, placeholderOf);
	}
	if (Array.isArray(value)) {
		return value.map(withoutVolatile);
	}
	return isObject(value)
		? plainObject(Object.entries(value).map(([name, item]) => [name, withoutVolatile(item)]))
		: value;
}

/** Replaces them in the names of members, too, which placeholders with numbers keep apart: `‹uuid›`, `‹uuid 2›`. */
export function withoutVolatileNames(value: Json): Json {
	if (Array.isArray(value)) {
		return value.map(withoutVolatileNames);
	}
	if (!isObject(value)) {
		return value;
	}
	const counts = new Map<string, number>();
	const named = (name: string) => {
		const plain = name.replace(VOLATILES, placeholderOf);
		const count = (counts.get(plain) ?? 0) + 1;
		counts.set(plain, count);
		return count === 1 ? plain : plain.replace('›', ` ${count}›`);
	};
	return plainObject(Object.entries(value).map(([name, item]) => [named(name), withoutVolatileNames(item)]));
}
