import { isObject, type Json, type JsonObject } from '../elicitation/json.ts';
import { NAMED_SCHEMAS } from '../elicitation/keywords.ts';

/** Keywords whose value is data, not a schema. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);
/**
 * `$async` makes the validator return a promise, which is truthy. `$id` may clash with a known id or change the base of
 * local references.
 */
const DROPPED = new Set(['$async', '$id']);

/**
 * Removes what would affect the validator itself, and malformed keywords (`required: null`) that would prevent
 * compilation. Does not change which values are valid.
 */
export function neutralize(schema: JsonObject): JsonObject {
	return visit(schema) as JsonObject;
}

function visit(node: Json): Json {
	if (Array.isArray(node)) {
		return node.map(visit);
	}
	if (!isObject(node)) {
		return node;
	}
	const kept: [string, Json][] = [];
	for (const [name, value] of Object.entries(node)) {
		if (isDropped(name, value, node)) {
			continue;
		}
		kept.push([
			name,
			DATA.has(name) ? value : NAMED_SCHEMAS.has(name) && isObject(value) ? visitMap(value) : visit(value),
		]);
	}
	return withPrototypeProperty(Object.fromEntries(kept));
}

function visitMap(map: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, visit(value)]));
}

function isDropped(name: string, value: Json, node: JsonObject): boolean {
	switch (name) {
		case 'required':
			return !Array.isArray(value);
		case 'properties':
			return value === null;
		case 'nullable':
			return value !== true || !Object.hasOwn(node, 'type');
		case 'id':
			// The identifier of draft 4. Values other than strings are custom keywords.
			return typeof value === 'string';
		default:
			return DROPPED.has(name);
	}
}

/** The validator ignores a property named `__proto__`, but not a pattern that matches exactly that name. */
function withPrototypeProperty(node: JsonObject): JsonObject {
	const properties = node.properties;
	if (!isObject(properties) || !Object.hasOwn(properties, '__proto__')) {
		return node;
	}
	const pattern = '^__proto__$';
	const named = Object.entries(properties).filter(([name]) => name === '__proto__');
	const patterns = isObject(node.patternProperties) ? node.patternProperties : {};
	const schemas = [
		...named.map(([, schema]) => schema),
		...(Object.hasOwn(patterns, pattern) ? [patterns[pattern] as Json] : []),
	];
	return {
		...node,
		properties: Object.fromEntries(Object.entries(properties).filter(([name]) => name !== '__proto__')),
		patternProperties: { ...patterns, [pattern]: { allOf: schemas } },
	};
}
