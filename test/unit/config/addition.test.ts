import { describe, expect, it } from 'vitest';
import { type Addition, textWithAddition, withAddition } from '../../../src/config/addition.ts';
import { SHAPES } from '../../../src/config/shape.ts';
import { readContentText } from '../../../src/config/text.ts';
import { english, render, type Sentence } from '../../../src/elicitation/sentence.ts';

const { mcpJson, settings, codeWorkspace } = SHAPES;
const token = { id: 'token', type: 'promptString', password: true };
const addition: Addition = {
	servers: [
		{ name: 'a', definition: { command: 'node', env: { T: '${input:token}' } } },
		{ name: 'b', definition: { url: 'https://b' } },
	],
	inputs: [token],
};

describe('an addition', () => {
	it('keeps existing content', () => {
		const old = { id: 'token', type: 'promptString', description: 'mine' };
		const before = {
			'mcpElicitation.servers': { z: { command: 'z' }, b: { command: 'old' } },
			'mcpElicitation.inputs': [old],
		};
		expect(withAddition(before, settings, addition)).toEqual({
			servers: { z: { command: 'z' }, a: addition.servers[0].definition, b: { url: 'https://b' } },
		});
		expect(before['mcpElicitation.servers'].b).toEqual({ command: 'old' });
	});

	it('includes new inputs', () => {
		const other = { id: 'other', type: 'promptString' };
		expect(withAddition({ settings: { 'mcpElicitation.inputs': [other] } }, codeWorkspace, addition).inputs).toEqual([
			other,
			token,
		]);
	});

	it.each([undefined, null, {}, { 'mcpElicitation.servers': 'nonsense', 'mcpElicitation.inputs': 7 }])(
		'is written to a document without servers: %j',
		(before) => {
			const { servers, inputs } = withAddition(before, settings, addition);
			expect(Object.keys(servers)).toEqual(['a', 'b']);
			expect(inputs).toEqual([token]);
		},
	);

	it.each(['', '{}', '{\n\t// mine\n\t"servers": {\n\t\t"z": { "command": "z" },\n\t},\n}\n'])(
		'can be read back from %j',
		(text) => {
			const written = textWithAddition(text, mcpJson, addition) as string;
			const { servers, inputs, problems, general } = readContentText(written, mcpJson);
			expect(servers.map(({ name }) => name)).toEqual(expect.arrayContaining(['a', 'b']));
			expect(inputs).toMatchObject([token]);
			expect([...problems, ...general]).toEqual([]);
			expect(written.includes('// mine')).toBe(text.includes('// mine'));
		},
	);

	it.each([
		['{\n\t"servers": {', 'This is not JSON (line 2, column 14): A closing brace is missing.'],
		['{\r\n\t"servers": { "a" 1 }\r\n}', 'This is not JSON (line 2, column 19): A colon is missing.'],
		['[]', 'The file must be an object.'],
		['"servers"', 'The file must be an object.'],
		['{ "servers": [] }', '"servers" must be an object.'],
		['{ "servers": null }', '"servers" must be an object.'],
		['{ "servers": {}, "servers": {} }', '"servers" is defined more than once.'],
		['{ "servers": { "b": {}, "b": { "command": "x" } } }', '"servers.b" is defined more than once.'],
		['{ "inputs": [], "inputs": [] }', '"inputs" is defined more than once.'],
	])('is not written to %j, and the reason is given', (text, reason) => {
		expect(render(textWithAddition(text, mcpJson, addition) as Sentence, english)).toBe(reason);
	});

	it.each(['', ' \n', '// mine', '/* mine */\r\n'])('keeps the comments of %j, which has nothing else', (text) => {
		const written = textWithAddition(text, mcpJson, addition) as string;
		expect(written.startsWith(text.trim())).toBe(true);
		expect(readContentText(written, mcpJson).servers).toHaveLength(2);
	});
});
