import type { Field, Option } from '../form/fields.ts';
import { Flattener, sameJson } from '../form/flatten.ts';
import { fieldsOf } from '../form/readFields.ts';
import { isObject, type Json, type JsonObject, own, plainObject } from '../json.ts';
import { inDoubles } from '../jsonText.ts';

/** A property that uses only what the specification allows, and the keywords that were lost. */
export interface Specified {
	readonly schema: JsonObject;
	readonly lost: readonly string[];
}

/** Keywords that are expressed differently, and annotations. */
const REWRITTEN = new Set(
	(
		'$ref $defs definitions allOf anyOf oneOf const enum enumNames type nullable items $schema $id $comment examples ' +
		'deprecated readOnly'
	).split(' '),
);

/** Rewrites a property to what the specification allows; undefined if that is impossible or changes its meaning. */
export function specified(schema: JsonObject, key: string): Specified | undefined {
	const flattener = new Flattener(schema);
	const node = own(own(flattener.fold(schema) ?? schema, 'properties'), key);
	const field = fieldsOf(schema).find((candidate) => candidate.key === key);
	const keywords = flattener.flatten(node)?.keywords;
	// A required nullable property expects `null`, which the specification cannot express.
	if (!field || !keywords || (field.required && field.nullable)) {
		return undefined;
	}
	const kind = kindOf(field, keywords);
	if (!kind) {
		return undefined;
	}
	const telling = ['title', 'description', 'default'].flatMap((name): [string, Json][] => {
		const value = name === 'default' ? own(keywords, name) : (own(node, name) ?? own(keywords, name));
		return value === undefined || value === null ? [] : [[name, value]];
	});
	const result = plainObject([...Object.entries(kind), ...telling]);
	return { schema: result, lost: lostIn(field, [keywords, own(keywords, 'items'), node], result) };
}

/**
 * The keywords of the given schemas that the result no longer expresses. Keywords with the value `null` had no meaning.
 */
function lostIn(field: Field, schemas: readonly (Json | undefined)[], result: JsonObject): string[] {
	const isWhole = field.kind === 'number' && field.integer;
	const names = schemas.flatMap((schema) =>
		Object.entries(isObject(schema) ? schema : {}).flatMap(([name, value]) => (value === null ? [] : [name])),
	);
	return [...new Set(names)].filter(
		(name) => !REWRITTEN.has(name) && !Object.hasOwn(result, name) && !(isWhole && name.startsWith('exclusive')),
	);
}

function kindOf(field: Field, keywords: JsonObject): JsonObject | undefined {
	switch (field.kind) {
		case 'text':
			return kept({
				type: 'string',
				minLength: field.minLength,
				maxLength: field.maxLength,
				format: own(keywords, 'format'),
				pattern: field.pattern,
			});
		case 'number':
			return kept({ type: field.integer ? 'integer' : 'number', ...boundsOf(field) });
		case 'boolean':
			return { type: 'boolean' };
		case 'choice':
			return choice(field.options, 'oneOf', { type: 'string' });
		case 'const':
			return typeof field.value === 'string' ? { type: 'string', enum: [field.value] } : undefined;
		case 'choices': {
			const items = choice(field.options, 'anyOf', {});
			return items && kept({ type: 'array', items, minItems: field.minItems, maxItems: field.maxItems });
		}
		default:
			return undefined;
	}
}

/** Strings only: for a number in the list, the response would contain a string. */
function choice(options: readonly Option[], union: 'oneOf' | 'anyOf', type: JsonObject): JsonObject | undefined {
	if (options.length === 0 || !options.every(({ value }) => typeof value === 'string')) {
		return undefined;
	}
	return options.every(({ value, label }) => value === label)
		? { type: 'string', enum: options.map(({ value }) => value) }
		: { ...type, [union]: options.map(({ value, label }) => ({ const: value, title: label })) };
}

/** For integers, an exclusive bound is converted to an inclusive one. */
function boundsOf(field: Extract<Field, { kind: 'number' }>): Record<string, number | undefined> {
	const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, integer } = inDoubles(field);
	if (!integer) {
		return { minimum, maximum };
	}
	const above = exclusiveMinimum === undefined ? undefined : Math.floor(exclusiveMinimum) + 1;
	const below = exclusiveMaximum === undefined ? undefined : Math.ceil(exclusiveMaximum) - 1;
	return {
		minimum: above === undefined ? minimum : Math.max(above, minimum ?? above),
		maximum: below === undefined ? maximum : Math.min(below, maximum ?? below),
	};
}

function kept(members: Readonly<Record<string, Json | undefined>>): JsonObject {
	return plainObject(
		Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined && entry[1] !== null),
	);
}

/** True if two schemas have the same value for a keyword. */
export function sameKeyword(name: string, a: Json, b: JsonObject): boolean {
	const left = own(a, name);
	const right = own(b, name);
	return left === right || (left !== undefined && right !== undefined && sameJson(left, right));
}
