import { isObject, type Json } from '../json.ts';
import { pointerToken } from '../pointer.ts';

/**
 * What a library does to a schema, as JSON pointers into it. If anything is refused, the library rejects the whole
 * request.
 */
export interface Losses {
	readonly refused: readonly string[];
	readonly dropped: readonly string[];
}

/** A typed reader. Returns the pointers of what it drops, or undefined if it rejects the value. */
export type Shape = (value: Json, pointer: string) => string[] | undefined;

export function is(test: (value: Json) => boolean): Shape {
	return (value) => (test(value) ? [] : undefined);
}

export const text = is((value) => typeof value === 'string');
export const number = is((value) => typeof value === 'number');
export const boolean = is((value) => typeof value === 'boolean');

export function oneOf(...values: readonly string[]): Shape {
	return is((value) => typeof value === 'string' && values.includes(value));
}

export function listOf(entry: Shape): Shape {
	return (value, pointer) =>
		Array.isArray(value) ? together(value.map((each, index) => entry(each, `${pointer}/${index}`))) : undefined;
}

export const texts = listOf(text);

/** An object with members of any name except `__proto__`, which all JavaScript libraries lose. */
export function recordOf(entry: Shape): Shape {
	return (value, pointer) =>
		isObject(value)
			? together(
					Object.entries(value).map(([key, each]) => {
						const place = `${pointer}/${pointerToken(key)}`;
						return key === '__proto__' ? [place] : entry(each, place);
					}),
				)
			: undefined;
}

/** An object with known members. `rest` decides which others are kept. */
export function object(
	required: Readonly<Record<string, Shape>>,
	optional: Readonly<Record<string, Shape>> = {},
	rest: 'drop' | 'keep' = 'drop',
): Shape {
	const members = new Map(Object.entries({ ...required, ...optional }));
	return (value, pointer) => {
		if (!isObject(value) || !Object.keys(required).every((name) => Object.hasOwn(value, name))) {
			return undefined;
		}
		return together(
			Object.entries(value).map(([name, each]) => {
				const place = `${pointer}/${pointerToken(name)}`;
				const member = members.get(name);
				return member ? member(each, place) : rest === 'keep' ? [] : [place];
			}),
		);
	};
}

/** Options with titles: branches that each allow one text. */
export const titled = listOf(object({ const: text, title: text }));

/** The first shape that accepts the value decides what is dropped. */
export function firstOf(...shapes: readonly Shape[]): Shape {
	return (value, pointer) => {
		for (const shape of shapes) {
			const dropped = shape(value, pointer);
			if (dropped) {
				return dropped;
			}
		}
		return undefined;
	};
}

function together(parts: readonly (string[] | undefined)[]): string[] | undefined {
	return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
}
