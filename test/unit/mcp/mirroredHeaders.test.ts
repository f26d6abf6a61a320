import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { exactNumber } from '../../../src/elicitation/jsonText.ts';
import { mirroredArguments, mirroredIn } from '../../../src/mcp/http/mirroredHeaders.ts';

const header = (name: unknown, type = 'string') => ({ type, 'x-mcp-header': name }) as JsonObject;
const to = (property: JsonObject): JsonObject => ({ type: 'object', properties: { to: property } });

it.each<[string, unknown, string | undefined]>([
	['a text', 'Oslo', 'Oslo'],
	['a text with spaces inside', 'New York', 'New York'],
	['a text with spaces around', ' Oslo', '=?base64?IE9zbG8=?='],
	['a text that is not ASCII', 'Zürich', '=?base64?WsO8cmljaA==?='],
	['a text of two lines', 'a\nb', '=?base64?YQpi?='],
	['a text that looks encoded', '=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
	['nothing', '', '=?base64??='],
	['a truth value', false, 'false'],
	['a number', 12, '12'],
	['a number that no double holds', exactNumber('725653563933458433'), '725653563933458433'],
	['null', null, undefined],
	['an object', {}, undefined],
	['what is absent', undefined, undefined],
])('%s is repeated as it can be written in a header', (_what, value, written) => {
	const mirrored = mirroredIn(to({ type: 'object', properties: { city: header('City') } })) ?? [];
	const headers = mirroredArguments(mirrored, { to: { city: value } } as JsonObject);
	expect(headers).toEqual(written === undefined ? {} : { 'Mcp-Param-City': written });
});

it.each<[string, JsonObject]>([
	['a name with a space', to(header('Two words'))],
	['no name', to(header(''))],
	['a number, which may be a fraction', to(header('N', 'number'))],
	['the arguments as a whole', header('All')],
	['the entries of a list', to({ type: 'array', items: header('Each') })],
	['what only applies to some arguments', { anyOf: [to(header('Some'))] }],
	['what is referred to', { $defs: { city: header('City') } }],
	['two arguments', { properties: { a: header('Same'), b: header('same') } }],
])('a schema that declares a header for %s is not allowed', (_what, schema) => {
	expect(mirroredIn(schema)).toBeUndefined();
});
