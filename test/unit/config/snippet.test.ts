import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { definitionOf } from '../../../src/config/commandLine.ts';
import type { Snippet } from '../../../src/config/foreignDocument.ts';
import { proposedName } from '../../../src/config/proposedName.ts';
import { readSnippet, recognize } from '../../../src/config/snippet.ts';
import { english, render, type Sentence } from '../../../src/elicitation/sentence.ts';
import { tableRows } from '../../tableRows.ts';

const rows = tableRows(import.meta.url);

describe('a command line', () => {
	it.each<[string, unknown]>(rows('commands'))('%j becomes a definition', (text, definition) => {
		expect(definitionOf(text)).toEqual(definition);
	});

	it.each(['', '  ', 'A=b'])('%j is none', (text) => {
		expect(definitionOf(text)).toBeUndefined();
	});

	it('keeps every argument that was quoted', () => {
		const word = fc.string().filter((text) => !text.includes("'"));
		fc.assert(
			fc.property(fc.array(word), (args) => {
				const text = ['run', ...args.map((argument) => `'${argument}'`)].join(' ');
				expect(definitionOf(text)).toEqual({ command: 'run', ...(args.length > 0 && { args }) });
			}),
		);
	});
});

describe('a snippet', () => {
	const token = { id: 'token', type: 'promptString', password: true };

	it.each<[string, string, Snippet['servers']]>(rows('read'))('%s is read', (_what, text, servers) => {
		expect(readSnippet(text)).toEqual({ servers, inputs: [] });
	});

	it('brings along the inputs that it uses', () => {
		const servers = { a: { command: 'node', env: { T: '${input:token}' } } };
		const inputs = [{ id: 'other', type: 'promptString' }, token];
		for (const whole of [
			{ servers, inputs },
			{ mcpServers: servers, inputs },
			{ 'mcpElicitation.servers': servers, 'mcpElicitation.inputs': inputs },
			{ mcp: { servers, inputs } },
			{ settings: { mcp: { servers }, 'mcp.inputs': inputs } },
			{ 'mcp.servers': servers, inputs },
			{ ...servers.a, inputs },
		]) {
			expect(readSnippet(JSON.stringify(whole))).toMatchObject({ inputs: [token] });
		}
	});

	it.each([
		['nonsense', 'This is not JSON: This has no meaning in JSON. Texts need double quotes, like "blue".'],
		['', 'This is not JSON: A value is missing.'],
		['[1]', 'There is no server in it: no object with "command" or "url".'],
		['{"a": 1}', 'There is no server in it: no object with "command" or "url".'],
		['{"servers": {}}', 'There is no server in it: no object with "command" or "url".'],
		['{"servers": {"a": {"command": "b", "args": "c"}}}', 'a: "args" must be a list of strings.'],
		['{"url": "ftp://h"}', '"url" must be an http: or https: address, not "ftp://h".'],
	])('%j is rejected with a sentence', (text, words) => {
		expect(render(readSnippet(text) as Sentence, english)).toBe(words);
	});

	it('never throws', () => {
		fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readSnippet(text)));
	});
});

describe('a name', () => {
	it.each<[Record<string, unknown>, string]>(rows('names'))('is suggested for %j', (definition, name) => {
		expect(proposedName(definition)).toBe(name);
	});

	it('is suggested in proportion to the length of a text', () => {
		const start = performance.now();
		expect(proposedName({ command: `a${'@'.repeat(200_000)}\n` })).toBe('a');
		expect(performance.now() - start).toBeLessThan(1_000);
	});
});

describe('a text', () => {
	const words = (text: string) => {
		const found = recognize(text);
		return found && render('kind' in found ? found.text : found, english);
	};

	it.each<[string, string]>(rows('recognized'))('%j is recognized while it is typed', (text, sentence) => {
		expect(words(text)).toBe(sentence);
	});

	it('of spaces is nothing yet', () => {
		expect(words(' ')).toBeUndefined();
	});

	it.each<[string, Snippet]>(rows('links'))(
		'%s is read with its inputs, and nothing is run or fetched',
		(text, snippet) => {
			expect(recognize(text)).toMatchObject({ kind: 'json', snippet });
		},
	);

	it.each<[string, string]>(rows('named'))('%s is named, with what to paste instead', (text, sentence) => {
		expect(recognize(text)).not.toHaveProperty('kind');
		expect(words(text)).toContain(sentence);
	});

	it('that redirects to itself again and again does not take forever', () => {
		expect(recognize('https://vscode.dev/redirect?url='.repeat(20_000))).not.toHaveProperty('kind');
	});

	it('never makes it throw', () => {
		const toml = fc.string({
			unit: fc.constantFrom('[', ']', '{', '}', '=', '.', ',', '"', "'", '\\', 'a', '1', '\n', '#'),
		});
		const texts = fc.oneof(
			fc.string(),
			fc.json(),
			toml.map((text) => `[mcp_servers.a]\n${text}`),
		);
		fc.assert(fc.property(texts, (text) => void recognize(text)));
	});
});
