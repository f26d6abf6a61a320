import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandProblems } from '../../../src/config/commandLine.ts';
import { readContent } from '../../../src/config/content.ts';
import type { ServerDefinition } from '../../../src/config/definition.ts';
import { resolvePrecedence } from '../../../src/config/precedence.ts';
import { problemSentence } from '../../../src/config/problem.ts';
import { readServers } from '../../../src/config/readDefinition.ts';
import { SHAPES, type Shape } from '../../../src/config/shape.ts';
import {
	diagnosticsOf,
	type JsonDiagnostic,
	parseText,
	placeOf,
	readContentText,
	withMember,
} from '../../../src/config/text.ts';
import { writeJson } from '../../../src/elicitation/jsonText.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { runs } from '../../nightly.ts';

const { mcpJson, shared, settings, codeWorkspace } = SHAPES;

function marks(text: string, shape: Shape = mcpJson, more: object = {}): JsonDiagnostic[] {
	return diagnosticsOf(text, { shape, outer: [], kept: false, check: () => [], note: () => undefined, ...more });
}

/** Diagnostics as the user sees them: position, marked text and message. */
function seen(text: string, shape: Shape = mcpJson, more: object = {}): string[] {
	const lines = text.split('\n');
	return marks(text, shape, more).map(({ span: { start, end }, message, severity }) => {
		const underlined = start.line === end.line ? lines[start.line]?.slice(start.character, end.character) : '…';
		return `${start.line + 1}:${start.character + 1} ${severity} ${underlined} ${render(message, english)}`;
	});
}

describe('a text', () => {
	it('may have comments, trailing commas and a byte order mark', () => {
		const text = '\ufeff{ // the servers\n"servers": { /* one */ "a": { "command": "node", "args": ["b",], }, }, }';
		const { servers, problems, broken } = readContentText(text, mcpJson);
		expect(broken).toBe(false);
		expect(problems).toEqual([]);
		expect(servers).toMatchObject([{ name: 'a', command: 'node', args: ['b'] }]);
	});

	it.each<[string, Shape, string]>([
		['settings', settings, '{"editor.fontSize": 1, "mcpElicitation.servers": {"a": {"command": "node"}}}'],
		[
			'a workspace file',
			codeWorkspace,
			'{"folders": [], "settings": {"mcpElicitation.servers": {"a": {"command": "node"}}}}',
		],
		['.vscode/mcp.json', mcpJson, '{"inputs": [], "servers": {"a": {"command": "node"}}}'],
		['.mcp.json', shared, '{"$schema": "x", "mcpServers": {"a": {"command": "node"}}}'],
	])('of %s is read in its shape', (_what, shape, text) => {
		const { servers, problems, general } = readContentText(text, shape);
		expect(servers).toMatchObject([{ name: 'a', command: 'node' }]);
		expect([...problems, ...general]).toEqual([]);
	});

	it.each([
		'{',
		'{"servers": {"a": }}',
		'{"servers": {"a" 1}}',
		'[1 2]',
		'{} x',
		'{"a": "b}',
		'{a: 1}',
		'/* ',
		"{'a': 1}",
		'{"a": "\\x"}',
	])('%s is broken, defines nothing, and is marked', (text) => {
		expect(readContentText(text, mcpJson)).toMatchObject({ broken: true, servers: [], problems: [] });
		expect(marks(text)).toMatchObject([{ severity: 'error' }]);
	});

	it.each([
		['{\n"servers": {\n"a": {"command": "b"}\n"c": {}', '4:1 error "c" This is not JSON: A comma is missing.'],
		['{ "a": "b\n}', '1:8 error "b This is not JSON: The closing quotation mark is missing.'],
		['{ "a": }', '1:8 error } This is not JSON: A value is missing.'],
		['{ a: 1 }', '1:3 error a This is not JSON: This has no meaning in JSON. Texts need double quotes, like "blue".'],
		[
			'{ "a": "C:\\Users" }',
			'1:8 error "C:\\Users" This is not JSON: What follows the backslash is unknown; a backslash itself is written as two.',
		],
	])('%j says in words what is wrong with it', (text, words) => {
		expect(seen(text)).toEqual([words]);
	});

	it.each(['', ' \n\t', '// nothing yet\n', '/* nothing */'])('%j is empty, which is no mistake', (text) => {
		expect(readContentText(text, mcpJson)).toMatchObject({ broken: true, servers: [] });
		expect(marks(text)).toEqual([]);
	});

	it('that is broken or empty while its servers run on says so', () => {
		expect(seen('{', mcpJson, { kept: true })).toEqual([
			'1:2 error  This is not JSON: A closing brace is missing. Until it is, the servers that were defined here before stay as they were.',
		]);
		expect(seen('', mcpJson, { kept: true })).toEqual([
			'1:1 warning  The file is empty. The servers that it defined before stay as they were until it is filled.',
		]);
	});

	it('with settings that are broken is left to the editor, unless servers run on by what it said before', () => {
		expect(seen('{', settings)).toEqual([]);
		expect(seen('{', codeWorkspace, { kept: true })).toHaveLength(1);
	});

	it('of an absurd length or depth is broken and nothing worse', () => {
		expect(seen(`"${'a'.repeat(2 ** 20)}"`)).toEqual(['1:1 error  This is not JSON: It is larger than 1 MB.']);
		expect(seen('['.repeat(200_000))).toEqual(['1:1 error  This is not JSON: It is nested too deeply.']);
	});

	it('with thousands of servers or inputs counts up to a bound', () => {
		const names = Array.from({ length: 2_000 }, (_, index) => `name${index}`);
		const servers = Object.fromEntries(names.map((name) => [name, { command: `\${input:x${name}}` }]));
		const inputs = names.map((id) => ({ id, type: 'promptString' }));
		const content = readContentText(JSON.stringify({ servers, inputs }), mcpJson);
		expect([content.problems.length, content.inputs.length]).toEqual([1_000, 1_000]);
		expect(content.general.map(({ path, message }) => `${path}: ${render(message, english)}`)).toEqual([
			'inputs: has more than 1000 entries; the others are ignored.',
			'servers: has more than 1000 entries; the others are ignored.',
		]);
	});

	it('with thousands of mistakes shows those at its beginning', () => {
		const members = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`x${index}`, 0]));
		const found = seen(JSON.stringify({ ...members, servers: { a: { command: 'a', ...members } } }));
		expect(found).toHaveLength(2_000);
		expect(found.join()).toContain('x999');
		expect(found.join()).not.toContain('x1000');
	});

	it('keeps names like __proto__ as what they are', () => {
		const { servers } = readContentText(
			'{"servers": {"__proto__": {"command": "a", "env": {"__proto__": "b"}}}}',
			mcpJson,
		);
		expect(servers.map(({ name }) => name)).toEqual(['__proto__']);
		expect(JSON.stringify(servers)).toContain('"env":{"__proto__":"b"}');
	});
});

describe('what is wrong', () => {
	it('is shown at its position with a message', () => {
		const text = [
			'{',
			'\t"inputs": [{ "id": "token", "type": "promptSting" }],',
			'\t"servers": {',
			'\t\t"one": { "command": 7 },',
			'\t\t"two": { "comand": "node", "args": ["a", {}] },',
			'\t\t"three": { "url": "https://h", "headers": { "A": "${input:tokn}", "B": 1 } },',
			'\t\t"four": 4,',
			'\t\t"five": { "command": "a", "args": ["${nothing}"] }',
			'\t},',
			'\t"servrs": {}',
			'}',
		].join('\n');
		expect(seen(text)).toEqual([
			'10:2 warning "servrs" "servrs" is unknown and has no effect. Did you mean "servers"?',
			'2:38 error "promptSting" "inputs.0.type" must be one of "promptString", "pickString", "command".',
			'4:23 error 7 one: "command" must be a string that is not empty.',
			'5:12 warning "comand" two: "comand" is unknown and has no effect. Did you mean "command"?',
			'5:3 error "two" two: The definition has neither "command" nor "url"; add one.',
			'6:74 error 1 three: "headers.B" must be a string.',
			'7:11 error 4 four: The definition must be an object with "command" (a program) or "url" (an HTTP address).',
			'8:38 error "${nothing}" five: "args.0" uses the unknown variable "${nothing}".',
		]);
	});

	it.each([
		['{"mcpServers": {}}', mcpJson, '"mcpServers" is unknown and has no effect. Did you mean "servers"?', '"servers"'],
		['{"servers": {}}', shared, '"servers" is unknown and has no effect. Did you mean "mcpServers"?', '"mcpServers"'],
		[
			'{"servers": {"a": {"command": "b", "agrs": []}}}',
			mcpJson,
			'a: "agrs" is unknown and has no effect. Did you mean "args"?',
			'"args"',
		],
		[
			'{"servers": {"a": {"type": "studio", "command": "b"}}}',
			mcpJson,
			'a: "type" must be one of "stdio", "http", "sse".',
			'"stdio"',
		],
		['{"servers": {"a": {"command": "b", "foo": 1}}}', mcpJson, 'a: "foo" is unknown and has no effect.', undefined],
	])('in %s comes with what was meant', (text, shape, words, replacement) => {
		const [mark] = marks(text, shape);
		expect(mark && render(mark.message, english)).toBe(words);
		expect(mark?.fix?.()?.edit.text).toBe(replacement);
	});

	const broken = { command: 'npx -y a', args: [] };
	const line = { command: 'npx', args: ['-y', 'a'] };
	const token = { id: 't', type: 'promptString' };
	const uses = { command: 'a', args: ['${input:t}'] };

	it.each<[string, Shape, object, words: string, object]>([
		[
			'a misspelled name',
			mcpJson,
			{ servers: { a: { comand: 'node' } } },
			'a: "comand" is unknown and has no effect. Did you mean "command"?',
			{ servers: { a: { command: 'node' } } },
		],
		[
			'servers in "mcp", with their inputs',
			mcpJson,
			{ mcp: { servers: { a: uses }, inputs: [token] }, servers: { b: line } },
			'"mcp" is unknown and has no effect. The servers in it belong into "servers".',
			{ servers: { a: uses, b: line }, inputs: [token] },
		],
		[
			'servers in "mcp"',
			shared,
			{ mcp: { servers: { a: line } } },
			'"mcp" is unknown and has no effect. The servers in it belong into "mcpServers".',
			{ mcpServers: { a: line } },
		],
		[
			'servers in "mcpServers" beside others',
			mcpJson,
			{ mcpServers: { a: line }, servers: { b: line } },
			'"mcpServers" is unknown and has no effect. The servers in it belong into "servers".',
			{ servers: { a: line, b: line } },
		],
		[
			'a server beside "servers"',
			mcpJson,
			{ a: line },
			'"a" is unknown and has no effect. The servers in it belong into "servers".',
			{ servers: { a: line } },
		],
		...(
			[
				[mcpJson, 'servers'],
				[shared, 'mcpServers'],
				[settings, 'mcpElicitation.servers'],
			] as const
		).map(([shape, member]): [string, Shape, object, string, object] => [
			'a whole command line in "command"',
			shape,
			{ [member]: { a: broken } },
			'a: "command" is run as the name of one program, spaces and quotes included. Arguments belong into "args".',
			{ [member]: { a: line } },
		]),
	])('is mended by its fix: %s', (_what, shape, document, words, mended) => {
		const text = JSON.stringify(document, undefined, '\t');
		const check = (definition: ServerDefinition) => commandProblems(definition, () => false);
		const [mark] = marks(text, shape, { check });
		expect(mark && render(mark.message, english)).toBe(words);
		const { span, text: replacement } = mark?.fix?.()?.edit ?? { span: undefined, text: '' };
		const lines = text.split('\n');
		const offset = ({ line, character }: { line: number; character: number }) =>
			lines.slice(0, line).join('\n').length + Math.min(line, 1) + character;
		const { start, end } = span ?? { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
		const after = text.slice(0, offset(start)) + replacement + text.slice(offset(end));
		expect(JSON.parse(after)).toEqual(mended);
		expect(marks(after, shape, { check })).toEqual([]);
	});

	it.each(['/opt/My Tools/server', 'my server', '"quoted"'])('is not a program that is there: %s', (command) => {
		const [definition] = readServers({ a: { command } }).servers;
		expect(definition && commandProblems(definition, () => true)).toEqual([]);
		expect(definition && commandProblems(definition, () => false)).toHaveLength(1);
	});

	it.each(['node', '${workspaceFolder}/run', '${input:my tool}'])('is not a program without spaces: %s', (command) => {
		const [definition] = readServers({ a: { command } }).servers;
		expect(definition && commandProblems(definition, () => false)).toEqual([]);
	});

	it.each<[unknown, string]>([
		[[{ id: 't', type: 'nonsense' }], '"inputs.0.type" must be one of "promptString", "pickString", "command".'],
		[[{ id: 't', type: 'command' }], '"inputs.0.command" must be the id of a command of the editor.'],
		[[{ id: 't', type: 'pickString', options: [] }], '"inputs.0.options" must be a list of what can be chosen.'],
		[{ t: token }, '"inputs" must be a list of inputs.'],
	])('in an input is no problem of the server that uses it, too: %j', (inputs, words) => {
		const document = { inputs, servers: { s: uses } };
		expect(marks(JSON.stringify(document)).map(({ message }) => render(message, english))).toEqual([words]);
		const source = { kind: 'mcpJson' } as const;
		const [server] = resolvePrecedence([{ source, content: readContent(document, mcpJson) }]);
		expect(server).not.toHaveProperty('definition');
		expect(server?.problems.map((problem) => render(problemSentence(problem), english))).toEqual([
			`"args.0" uses "\${input:t}". ${words}`,
		]);
	});

	it('in what stands twice is marked at the one that counts', () => {
		expect(seen('{"servers": {"a": {"command": "b"},\n"a": {}}}')).toEqual([
			'2:1 error "a" a: The definition has neither "command" nor "url"; add one.',
		]);
	});

	it('of settings is said of our settings only', () => {
		expect(seen('{"servers": 7, "mcpElicitation.servers": []}', settings)).toEqual([
			'1:16 error "mcpElicitation.servers" "mcpElicitation.servers" must be an object: the name of each server with its definition.',
		]);
	});

	it('in a file that is no object is marked there', () => {
		expect(seen('[]')).toEqual(['1:1 error [ The file must be an object.']);
	});

	it('counts what is known beyond the text', () => {
		const check = ({ name }: ServerDefinition) => [
			{ server: name, path: ['env', 'B'], message: { text: 'uses "x".' }, severity: 'warning' as const },
		];
		const note = (name: string) => (name === 'b' ? { text: 'Does not count.' } : undefined);
		const text = '{"servers": {\n"a": {"command": "b",\n"env": {"B": "c"}},\n"b": {}}}';
		expect(seen(text, mcpJson, { check, note })).toEqual([
			'4:1 error "b" b: The definition has neither "command" nor "url"; add one.',
			'3:14 warning "c" a: "env.B" uses "x".',
			'4:1 information "b" Does not count.',
		]);
	});

	it('knows inputs that are defined elsewhere', () => {
		const text = '{"servers": {"a": {"command": "${input:x}"}}}';
		const outer = [
			{ id: 'x', type: 'promptString', description: undefined, default: undefined, password: true, options: [] },
		];
		expect(marks(text)).toHaveLength(1);
		expect(marks(text, mcpJson, { outer })).toEqual([]);
	});

	it('is placed by lines of every kind', () => {
		expect(seen('{\r\n"servers": {\r"a": 1}}'.replaceAll('\r', '\r'))[0]).toMatch(/^3:6 error/);
	});
});

describe('a definition', () => {
	it('is found in its text', () => {
		const text = '{\n\t"servers": {\n\t\t"a": { "command": "b" }\n\t}\n}';
		expect(placeOf(text, ['servers', 'a'])).toEqual({
			start: { line: 2, character: 2 },
			end: { line: 2, character: 5 },
		});
		expect(placeOf(text, ['servers', 'a', 'command']).start).toEqual({ line: 2, character: 20 });
		expect(placeOf(text, ['servers', 'gone']).start).toEqual({ line: 1, character: 1 });
		expect(placeOf('{', ['servers']).start).toEqual({ line: 0, character: 0 });
	});

	it.each([
		['', '{\n\t"servers": {\n\t\t"a": {\n\t\t\t"command": "b"\n\t\t}\n\t}\n}'],
		['{\n  "x": 1\n}', '{\n  "x": 1,\n  "servers": {\n    "a": {\n      "command": "b"\n    }\n  }\n}'],
		[
			'{\n\t// mine\n\t"servers": {\n\t\t"z": {}, // last\n\t},\n}\n',
			'{\n\t// mine\n\t"servers": {\n\t\t"z": {}, // last\n\t\t"a": {\n\t\t\t"command": "b"\n\t\t},\n\t},\n}\n',
		],
		[
			'{\n  "servers": {\n    "z": { "x": 1 } /* last */\n  } // end\n}',
			'{\n  "servers": {\n    "z": { "x": 1 }, /* last */\n    "a": {\n      "command": "b"\n    }\n  } // end\n}',
		],
		[
			'{\n  "servers": {\n    "z": {} // last\n    ,\n  }\n}',
			'{\n  "servers": {\n    "z": {},\n    "a": {\n      "command": "b"\n    } // last\n    ,\n  }\n}',
		],
		['{"servers": {"a": {"command": "old"}}}', '{"servers": {"a": {\n\t\t\t"command": "b"\n\t\t}}}'],
	])('is written into %j without harm to the rest', (text, expected) => {
		const written = withMember(text, ['servers', 'a'], { command: 'b' });
		expect(written).toBe(expected);
		expect(readContentText(written ?? '', mcpJson).servers.find(({ name }) => name === 'a')).toMatchObject({
			command: 'b',
		});
	});

	it('is not written to a text that is not JSON', () => {
		expect(withMember('{ "servers": ', ['servers', 'a'], { command: 'b' })).toBeUndefined();
	});
});

describe('whatever stands in a file', () => {
	const shapes = fc.constantFrom<Shape>(settings, codeWorkspace, mcpJson, shared);
	const definition = fc.record(
		{
			type: fc.oneof(fc.constantFrom('stdio', 'http', 'sse', 'local'), fc.jsonValue()),
			command: fc.oneof(fc.string(), fc.constantFrom('${env:A}', '${', '${input:x}'), fc.jsonValue()),
			args: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
			env: fc.oneof(fc.dictionary(fc.string(), fc.string()), fc.jsonValue()),
			url: fc.oneof(fc.webUrl(), fc.jsonValue()),
			headers: fc.jsonValue(),
			elicitation: fc.jsonValue(),
		},
		{ requiredKeys: [] },
	);
	const documents = fc.oneof(
		fc.jsonValue(),
		fc.record({
			servers: fc.dictionary(fc.string(), fc.oneof(definition, fc.jsonValue())),
			mcpServers: fc.dictionary(fc.string(), definition),
			inputs: fc.oneof(
				fc.array(
					fc.record({
						id: fc.jsonValue(),
						type: fc.constantFrom('promptString', 'pickString'),
						options: fc.jsonValue(),
					}),
				),
				fc.jsonValue(),
			),
		}),
	);

	it('is read without an exception, and every problem has a place in it', () => {
		fc.assert(
			fc.property(documents, shapes, fc.constantFrom(0, 2, '\t'), (document, shape, indent) => {
				const text = JSON.stringify(document, undefined, indent);
				const lines = text.split('\n');
				const { servers, problems, general } = readContentText(text, shape);
				expect(readContent(JSON.parse(text), shape).servers).toEqual(servers);
				const found = marks(text, shape);
				expect(found).toHaveLength(problems.length + general.length);
				for (const { span, message } of found) {
					expect(lines[span.start.line]?.length).toBeGreaterThan(span.start.character);
					// All placeholders are filled in, except those in the document itself.
					const unfilled = render(message, english).match(/\{\d\}/)?.[0] ?? '';
					expect(text).toContain(unfilled);
				}
			}),
			{ numRuns: runs(500, 150) },
		);
	});

	it('even if it is no JSON at all', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'{}[]",:/*\\ \n') })),
				shapes,
				(text, shape) => {
					const { broken, servers } = readContentText(text, shape);
					expect(broken ? servers : []).toEqual([]);
					expect(parseText(text).broken).toBe(broken);
					for (const { span } of marks(text, shape)) {
						expect(span.start.line).toBeGreaterThanOrEqual(0);
					}
				},
			),
			{ numRuns: runs(1_000, 200) },
		);
	});

	it('gives what JSON.parse gives', () => {
		fc.assert(
			fc.property(fc.json(), (text) => {
				expect(writeJson(parseText(text).value)).toBe(JSON.stringify(JSON.parse(text)));
			}),
		);
	});
});
