import { isFilledText, isObject, type Json, type JsonObject, own } from '../json.ts';
import { textOf } from '../jsonText.ts';
import { pointerToken } from '../pointer.ts';
import { firstOf, is, type Losses, object, oneOf, type Shape, text, texts, titled } from './shapes.ts';

/** How the Python libraries read a schema. They pass on everything that they do not reject. */

/** `None` represents absent values. */
const orNull = (shape: Shape): Shape =>
	firstOf(
		is((value) => value === null),
		shape,
	);
const isNumeric = (value: Json) =>
	typeof value === 'number' || typeof value === 'boolean' || (isFilledText(value) && Number.isFinite(Number(value)));
const number = orNull(is(isNumeric));
const whole = orNull(is((value) => isNumeric(value) && Number.isInteger(Number(value))));
const TRUTHS = '0 1 off on f t n y no yes false true'.split(' ');
const truth = orNull(is((value) => TRUTHS.includes(textOf(value).toLowerCase())));
const words = orNull(text);
const named = { title: words, description: words };
const counted = { minItems: whole, maxItems: whole, default: orNull(texts) };

const FIELD = firstOf(
	object(
		{ type: oneOf('string') },
		{
			...named,
			minLength: whole,
			maxLength: whole,
			format: orNull(oneOf('email', 'uri', 'date', 'date-time')),
			default: words,
		},
	),
	object({ type: oneOf('number', 'integer') }, { ...named, minimum: number, maximum: number, default: number }),
	object({ type: oneOf('boolean') }, { ...named, default: truth }),
	object({ type: oneOf('string'), enum: texts }, { ...named, default: words }),
	object({ type: oneOf('string'), oneOf: titled }, { ...named, default: words }),
	object({ type: oneOf('array'), items: object({ type: oneOf('string'), enum: texts }) }, { ...named, ...counted }),
	object({ type: oneOf('array'), items: object({ anyOf: titled }) }, { ...named, ...counted }),
);

/** The client checks only the root. */
export function readByPython(schema: JsonObject): Losses {
	const required = own(schema, 'required');
	return losses([
		...(own(schema, 'type') === 'object' ? [] : ['/type']),
		...(isObject(own(schema, 'properties')) ? [] : ['/properties']),
		...(required === undefined || orNull(texts)(required, '') ? [] : ['/required']),
	]);
}

/** `Context.elicit` rejects a model if a property of its schema is not in the specification. */
export function sendByPython(schema: JsonObject): Losses {
	return losses(propertiesWhere(schema, (node) => !FIELD(node, '')));
}

const PRIMITIVE = ['string', 'number', 'integer', 'boolean'];
const isPrimitive = (type: Json | undefined) => typeof type === 'string' && PRIMITIVE.includes(type);

/** `Context.elicit` of FastMCP has its own, more lenient rules. */
export function sendByFastMcp(schema: JsonObject): Losses {
	const definitions = own(schema, '$defs');
	return losses([
		...(own(schema, 'type') === 'object' ? [] : ['/type']),
		...propertiesWhere(schema, (node) => !isSentByFastMcp(node, definitions)),
	]);
}

function isSentByFastMcp(node: Json, definitions: Json | undefined): boolean {
	const types = own(node, 'type');
	const others = Array.isArray(types) ? types.filter((type) => type !== 'null') : [];
	const type = Array.isArray(types) ? (others.length === 1 ? others[0] : undefined) : types;
	const reference = own(node, '$ref');
	if (own(node, 'nullable') === true || listsValues(node)) {
		return true;
	}
	if (typeof reference === 'string') {
		const target = own(definitions, reference.replace('#/$defs/', ''));
		return own(target, 'enum') !== undefined || isPrimitive(own(target, 'type'));
	}
	const union = unionOf(node);
	if (union) {
		return union.every((branch) => listsValues(branch) || isPrimitive(own(branch, 'type')));
	}
	return type === 'array' ? isChoice(own(node, 'items')) : isPrimitive(type);
}

function isChoice(items: Json | undefined): boolean {
	const union = unionOf(items);
	return (
		own(items, 'type') !== 'object' &&
		(own(items, 'enum') !== undefined ||
			(union !== undefined && union.length > 0 && union.every((branch) => own(branch, 'const') !== undefined)))
	);
}

function listsValues(node: Json): boolean {
	return own(node, 'const') !== undefined || own(node, 'enum') !== undefined;
}

function unionOf(node: Json | undefined): readonly Json[] | undefined {
	const unions = [own(node, 'oneOf'), own(node, 'anyOf')].filter((union) => Array.isArray(union));
	return unions.length > 0 ? unions.flat() : undefined;
}

function losses(refused: readonly string[]): Losses {
	return { refused, dropped: [] };
}

function propertiesWhere(schema: JsonObject, matches: (node: Json) => boolean): string[] {
	const properties = own(schema, 'properties');
	return Object.entries(isObject(properties) ? properties : {}).flatMap(([key, node]) =>
		matches(node) ? [`/properties/${pointerToken(key)}`] : [],
	);
}
