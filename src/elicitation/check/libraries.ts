import { isObject, type Json, type JsonObject, own } from '../json.ts';
import { textOf } from '../jsonText.ts';
import { pointerNames, pointerToken } from '../pointer.ts';
import { readByPython, sendByFastMcp, sendByPython } from './pythonLibraries.ts';
import { boolean, firstOf, type Losses, number, object, oneOf, recordOf, text, texts, titled } from './shapes.ts';

/**
 * A widely used library and the version that was examined. A `client` passes requests on to the application built on
 * it; a `server` creates requests from its language's types.
 */
export interface Library {
	readonly id: 'sdk1' | 'client2' | 'pythonClient' | 'server2' | 'pythonServer' | 'fastmcp';
	readonly name: string;
	readonly version: string;
	readonly side: 'client' | 'server';
	read(schema: JsonObject): Losses;
}

const named = { title: text, description: text };
const counted = { minItems: number, maxItems: number };

/** The kinds of fields in the TypeScript SDKs, in the order in which they are tried. */
const FIELD = firstOf(
	object({ type: oneOf('string'), enum: texts }, { ...named, enumNames: texts, default: text }),
	object({ type: oneOf('string'), enum: texts }, { ...named, default: text }),
	object({ type: oneOf('string'), oneOf: titled }, { ...named, default: text }),
	object(
		{ type: oneOf('array'), items: object({ type: oneOf('string'), enum: texts }) },
		{ ...named, ...counted, default: texts },
	),
	object({ type: oneOf('array'), items: object({ anyOf: titled }) }, { ...named, ...counted, default: texts }),
	object({ type: oneOf('boolean') }, { ...named, default: boolean }),
	object(
		{ type: oneOf('string') },
		{
			...named,
			minLength: number,
			maxLength: number,
			format: oneOf('email', 'uri', 'date', 'date-time'),
			default: text,
		},
	),
	object({ type: oneOf('number', 'integer') }, { ...named, minimum: number, maximum: number, default: number }),
);

const FIELDS = recordOf(FIELD);

/** How a client reads a schema. Reports problems inside a property at the property. */
function reader(rest: 'drop' | 'keep'): (schema: JsonObject) => Losses {
	const root = object({ type: oneOf('object'), properties: FIELDS }, { required: texts }, rest);
	return (schema) => {
		const dropped = root(schema, '');
		return dropped ? { refused: [], dropped } : { refused: refusedIn(schema), dropped: [] };
	};
}

function refusedIn(schema: JsonObject): string[] {
	const described = own(schema, 'properties');
	const entries = Object.entries(isObject(described) ? described : {});
	return [
		...(own(schema, 'type') === 'object' ? [] : ['/type']),
		...(isObject(described) ? [] : ['/properties']),
		...(Object.hasOwn(schema, 'required') && !texts(schema.required as Json, '') ? ['/required'] : []),
		...entries.flatMap(([key, node]) => (FIELDS({ [key]: node }, '') ? [] : [`/properties/${pointerToken(key)}`])),
	];
}

/** Annotations, which can be dropped without harm. */
const ANNOTATION = /^(?:\$schema|\$comment|deprecated|description|examples|readOnly|title|writeOnly|x-.*)$/;

/** The server rejects what its client would drop, except for annotations and keywords that a format implies. */
function readStrictly(schema: JsonObject): Losses {
	const { refused, dropped } = reader('drop')(schema);
	const described = own(schema, 'properties');
	const isLeftOut = (pointer: string) => {
		const names = pointerNames(pointer);
		const name = names.at(-1) ?? '';
		return ANNOTATION.test(name) || (name === 'pattern' && own(own(described, names[1] ?? ''), 'format') !== undefined);
	};
	const required = own(schema, 'required');
	const missing = (name: Json) => name === '__proto__' || own(described, textOf(name)) === undefined;
	const dangling = refused.length === 0 && Array.isArray(required) && required.some(missing);
	return {
		refused: [...refused, ...dropped.filter((pointer) => !isLeftOut(pointer)), ...(dangling ? ['/required'] : [])],
		dropped: [],
	};
}

export const LIBRARIES: readonly Library[] = [
	{ id: 'sdk1', name: '@modelcontextprotocol/sdk', version: '1.32.2', side: 'client', read: reader('drop') },
	{
		id: 'client2',
		name: '@modelcontextprotocol/client',
		version: '2.4.0',
		side: 'client',
		read: reader('keep'),
	},
	{ id: 'pythonClient', name: 'Python mcp', version: '2.3.0', side: 'client', read: readByPython },
	{ id: 'server2', name: '@modelcontextprotocol/server', version: '2.4.0', side: 'server', read: readStrictly },
	{ id: 'pythonServer', name: 'Python mcp', version: '2.3.0', side: 'server', read: sendByPython },
	{ id: 'fastmcp', name: 'Python fastmcp', version: '4.0.10', side: 'server', read: sendByFastMcp },
];
