import { isObject, type Json, type JsonObject, own, plainObject } from '../json.ts';
import { candidates } from './example.ts';
import type { Field, JsonField, Property } from './fields.ts';
import { Flattener } from './flatten.ts';
import { readField } from './readFields.ts';

/** Examples nest so deep. What lies deeper is left out, or `null`. */
const MAX_DEPTH = 4;
/** Max number of properties in an example, and in a shape. */
const MAX_PROPERTIES = 30;
/** Lists and unions nest so deep in the type of a property. */
const MAX_TYPE_DEPTH = 2;
/** Max schema nodes for all examples and shapes of a form: what requires itself grows with each level. */
const MAX_STEPS = 5_000;

/** Adds to each field that is entered as JSON what helps to write it: an example and, for an object, its properties. */
export function withSamples(fields: readonly Field[], schema: JsonObject): readonly Field[] {
	// A budget of their own: examples must not change what the fields become.
	const flattener = new Flattener(schema, MAX_STEPS);
	const properties = own(flattener.fold(schema) ?? schema, 'properties');
	return fields.map((field) =>
		field.kind === 'json'
			? { ...field, ...sampleOf(field.whole ? schema : own(properties, field.key), flattener) }
			: field,
	);
}

function sampleOf(node: Json | undefined, flattener: Flattener): Pick<JsonField, 'example' | 'shape'> {
	const keywords = flattener.flatten(node)?.keywords ?? {};
	const example = exampleOf(keywords, flattener, 0);
	const shape = propertiesOf(keywords).map(
		({ name, node: property, required }): Property => ({ name, type: typeOf(property, flattener), required }),
	);
	return { ...(example !== undefined && { example }), ...(shape.length > 0 && { shape }) };
}

/** A value for the keywords, as far as they tell what it looks like. */
function exampleOf(keywords: JsonObject, flattener: Flattener, depth: number): Json | undefined {
	const given = own(keywords, 'examples');
	if (Array.isArray(given) && given[0] !== undefined) {
		return given[0];
	}
	const union = own(keywords, 'anyOf') ?? own(keywords, 'oneOf');
	if (Array.isArray(union)) {
		return sampleValue(union[0], flattener, depth + 1);
	}
	const tuple = own(keywords, 'prefixItems');
	if (Array.isArray(tuple)) {
		return tuple.map((item) => sampleValue(item, flattener, depth + 1));
	}
	const type = own(keywords, 'type');
	if (type === 'array') {
		const item = own(keywords, 'items');
		return isObject(item) && depth < MAX_DEPTH ? [sampleValue(item, flattener, depth + 1)] : [];
	}
	const properties = propertiesOf(keywords).filter(({ required }) => required || depth < 2);
	return type === 'object' || properties.length > 0
		? plainObject(properties.map(({ name, node }) => [name, sampleValue(node, flattener, depth + 1)]))
		: undefined;
}

function sampleValue(node: Json | undefined, flattener: Flattener, depth: number): Json {
	if (node === undefined || depth > MAX_DEPTH) {
		return null;
	}
	const field = readField('', node, true, flattener);
	switch (field.kind) {
		case 'json':
			return field.default ?? exampleOf(flattener.flatten(node)?.keywords ?? {}, flattener, depth) ?? null;
		case 'text':
		case 'number':
		case 'boolean':
		case 'list':
			return (field.default as Json | undefined) ?? candidates(field)[0] ?? null;
		default:
			return candidates(field)[0] ?? null;
	}
}

function propertiesOf(keywords: JsonObject): { name: string; node: Json; required: boolean }[] {
	const properties = own(keywords, 'properties');
	const required = own(keywords, 'required');
	return Object.entries(isObject(properties) ? properties : {})
		.slice(0, MAX_PROPERTIES)
		.map(([name, node]) => ({ name, node, required: Array.isArray(required) && required.includes(name) }));
}

/** A schema may refer to itself: what lies too deep may be anything. */
function typeOf(node: Json | undefined, flattener: Flattener, depth = 0): string {
	const flat = depth > MAX_TYPE_DEPTH ? undefined : flattener.flatten(node);
	const keywords = flat?.keywords ?? {};
	const union = own(keywords, 'anyOf') ?? own(keywords, 'oneOf');
	const type = own(keywords, 'type');
	const types =
		type === 'array'
			? [listOf(typeOf(own(keywords, 'items'), flattener, depth + 1))]
			: Array.isArray(union)
				? union.map((branch) => typeOf(branch, flattener, depth + 1))
				: [type ?? valuesOf(keywords).map((value) => (isObject(value) ? 'object' : typeof value))]
						.flat()
						.filter((name) => typeof name === 'string');
	return types.length === 0 || types.includes('any')
		? 'any'
		: [...new Set(types), ...(flat?.nullable ? ['null'] : [])].join(' | ');
}

function listOf(type: string): string {
	return type.includes(' ') ? `(${type})[]` : `${type}[]`;
}

/** The values that the keywords list. */
function valuesOf(keywords: JsonObject): readonly Json[] {
	const values = own(keywords, 'enum');
	return Array.isArray(values) ? values : Object.hasOwn(keywords, 'const') ? [keywords.const as Json] : [];
}
