import { describe, expect, it } from 'vitest';
import {
	type Change,
	replacementFor,
	requestAt,
	requestsIn,
	spansIn,
	type TextKind,
} from '../../../src/config/schemaText.ts';

const FILE = `{
  // Two elicitations.
  "ask": { "message": "A", "requestedSchema": { "type": "object", "properties": { "p": { "type": "string", "format": "zip" } } } },
  "more": [
    1,
    { "method": "elicitation/create", "params": { "message": "B", "schema": { "properties": {} } } },
  ]
}
`;

/** The text of each span. */
function marked(text: string, kind: TextKind, index: number, ...places: readonly (readonly string[])[]): string[] {
	const request = requestsIn(text, kind)[index];
	const lines = text.split('\n');
	return request === undefined
		? []
		: spansIn(text, request, places).map(({ start, end }) =>
				(lines[start.line] ?? '').slice(start.character, end.character),
			);
}

function changed(text: string, kind: TextKind, index: number, ...changes: readonly Change[]): string | undefined {
	const request = requestsIn(text, kind)[index];
	if (!request) {
		return undefined;
	}
	const { span, text: replacement } = replacementFor(text, request, changes);
	const lines = text.split('\n');
	const offsets = lines.map((_, line) => lines.slice(0, line).join('\n').length + Math.sign(line));
	const at = ({ line, character }: { line: number; character: number }) => (offsets[line] ?? 0) + character;
	return text.slice(0, at(span.start)) + replacement + text.slice(at(span.end));
}

describe('requests in a text', () => {
	it('are found wherever they stand', () => {
		expect(requestsIn(FILE, 'any').map(({ at }) => at)).toEqual([['ask'], ['more', 1, 'params']]);
		expect(requestsIn('[]', 'any')).toEqual([]);
		expect(requestsIn('{ "requestedSchema": ', 'any')).toEqual([]);
		expect(requestsIn('{ "requestedSchema": "none" }', 'any')).toEqual([]);
	});

	it("are none in the protocol's own schema, and in that of a tool that asks on behalf of others", () => {
		const params = {
			type: 'object',
			properties: {
				message: { type: 'string' },
				requestedSchema: { type: 'object', properties: { type: { const: 'object' } } },
			},
			required: ['message', 'requestedSchema'],
		};
		const request = { type: 'object', properties: { method: { const: 'elicitation/create' }, params } };
		const tool = { name: 'ask', inputSchema: { type: 'object', properties: { params }, allOf: [params] } };
		for (const schema of [
			{ $defs: { ElicitRequestFormParams: params, ElicitRequest: request } },
			{ definitions: { ElicitRequest: request, requestedSchema: { type: 'object' } } },
			request,
			{ anyOf: [request], patternProperties: params.properties },
			{ tools: [tool] },
		]) {
			expect(requestsIn(JSON.stringify(schema), 'any')).toEqual([]);
		}
		const asked = { message: 'Who?', requestedSchema: params };
		expect(requestsIn(JSON.stringify({ tools: [tool], asked }), 'any')).toEqual([
			{ params: asked, at: ['asked'], bare: false },
		]);
	});

	it('are what the text is said to be', () => {
		const text = '{ "type": "object" }';
		expect(requestsIn(text, 'schema')).toEqual([
			{ params: { requestedSchema: { type: 'object' } }, at: [], bare: true },
		]);
		expect(requestsIn(text, 'request')).toEqual([{ params: { type: 'object' }, at: [], bare: false }]);
		expect(requestsIn('[]', 'schema')).toEqual([]);
	});

	it('are only so many', () => {
		const request = { requestedSchema: {} };
		expect(requestsIn(JSON.stringify(Array.from({ length: 1_000 }, () => request)), 'any')).toHaveLength(100);
	});

	it('include the one at the cursor, however many are before it', () => {
		const text = JSON.stringify(Array.from({ length: 200 }, (_, index) => ({ requestedSchema: {}, index })));
		expect(requestAt(text, 'any', text.indexOf('150'))?.at).toEqual([150]);
		expect(requestAt(text, 'any', 0)?.at).toEqual([0]);
	});
});

describe('the places in a request', () => {
	it('are those of values, and of the names of what is long or missing', () => {
		const p = ['requestedSchema', 'properties', 'p'];
		expect(marked(FILE, 'any', 0, [...p, 'format'], p, [...p, 'title'], ['message'])).toEqual([
			'"zip"',
			'"p"',
			'"p"',
			'"A"',
		]);
		expect(marked(FILE, 'any', 1, ['schema'])).toEqual(['"schema"']);
		expect(marked('{"required": ["a"]}', 'schema', 0, ['requestedSchema', 'required', '0'])).toEqual(['"a"']);
	});

	it('change, and nothing else does', () => {
		const format = ['requestedSchema', 'properties', 'p', 'format'];
		expect(changed(FILE, 'any', 0, { names: format, value: undefined })).toBe(FILE.replace(', "format": "zip"', ''));
		expect(changed(FILE, 'any', 0, { names: format, value: 'uri' })).toBe(FILE.replace('"zip"', '"uri"'));
		const region = '{ "properties": { "a": { "anyOf": [{}], "default": null } } }';
		const a = ['requestedSchema', 'properties', 'a'];
		expect(
			changed(
				region,
				'schema',
				0,
				{ names: [...a, 'type'], value: 'string' },
				{ names: [...a, 'anyOf'], value: undefined },
				{ names: [...a, 'default'], value: undefined },
			),
		).toBe('{ "properties": { "a": { "type": "string" } } }');
		expect(changed(FILE, 'any', 1, { names: ['schema'], name: 'requestedSchema' })).toBe(
			FILE.replace('"schema"', '"requestedSchema"'),
		);
	});

	it('change with the line ends of the text', () => {
		const text = '{\r\n  "properties": {}\r\n}\r\n';
		expect(changed(text, 'schema', 0, { names: ['requestedSchema', 'type'], value: 'object' })).toBe(
			'{\r\n  "properties": {},\r\n  "type": "object"\r\n}\r\n',
		);
	});
});
