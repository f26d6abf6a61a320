import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClientCommand } from '../../../src/config/clientCommand.ts';
import { wordsOf } from '../../../src/config/commandLine.ts';
import { readContent } from '../../../src/config/content.ts';
import { serversIn } from '../../../src/config/foreignDocument.ts';
import {
	definitionFor,
	edited,
	type HandedOut,
	nameFor,
	OTHER_CLIENTS,
	type OtherClient,
	type Place,
	pathOf,
} from '../../../src/config/otherClients.ts';
import { readServers } from '../../../src/config/readDefinition.ts';
import { SHAPES } from '../../../src/config/shape.ts';
import { recognize } from '../../../src/config/snippet.ts';
import { parseText } from '../../../src/config/text.ts';
import { readToml } from '../../../src/config/toml.ts';
import type { Json } from '../../../src/elicitation/json.ts';
import { english, render, type Sentence } from '../../../src/elicitation/sentence.ts';
import { runs } from '../../nightly.ts';

const clientOf = (id: string) => OTHER_CLIENTS.find((client) => client.id === id) as OtherClient;
const placeOf = <Kind extends Place['kind']>({ places }: OtherClient, kind: Kind) =>
	places.find((place) => place.kind === kind) as Extract<Place, { kind: Kind }>;
const all = OTHER_CLIENTS.flatMap((client) =>
	client.places.map((place) => [client.id, place.kind, client, place] as const),
);
const words = (sentence: unknown) => render(sentence as Sentence, english);

const PROGRAM: HandedOut = { command: '/opt/mcp-elicitation', args: ['connect', 'weather'] };

/** What people, shells, JSON, and TOML write, and what makes trouble there. */
const hostile = fc.oneof(
	fc.string({ unit: 'grapheme', maxLength: 20 }),
	fc.string({ unit: 'binary', maxLength: 10 }),
	fc.string({
		unit: fc.constantFrom(
			...'ab1 .\'"\\$`^%!&|;<>(){}[]=#~*?@,-_/\t\n\r',
			'天气',
			'\u0000',
			'\u007f',
			'\u2019',
			'$A',
			'${A}',
			' \\ ',
		),
		maxLength: 12,
	}),
	fc.constantFrom(
		'',
		'--',
		'-y',
		'__proto__',
		'constructor',
		'"""',
		"'''",
		'a\\',
		'\\\\host\\a b',
		'[x]',
		'# no comment',
		'1e3',
	),
);
const paths = fc
	.tuple(fc.constantFrom('/', '/My Programs/', 'C:\\', 'C:\\My Programs\\'), hostile)
	.map((parts) => parts.join(''));
const variables = fc.dictionary(fc.stringMatching(/^[A-Za-z_]\w{0,8}$/), hostile, { maxKeys: 2 });
const programs = fc.record({ command: paths, args: fc.array(hostile, { minLength: 1, maxLength: 4 }), env: variables });
const urls = fc.webUrl({ withQueryParameters: true, withFragments: true }).map((url) => ({ url }));

/** What our own readers find in a document, as it would be started. */
function readBack(document: Json | undefined): unknown {
	const [server, ...others] = (document === undefined ? undefined : serversIn(document))?.servers ?? [];
	const [read] = readServers({ it: server?.definition ?? {} }).servers;
	return { ...read, name: server?.name, others: others.length };
}

function expected(client: OtherClient, name: string, handedOut: HandedOut): object {
	return { name: nameFor(client, name), others: 0, ...handedOut };
}

describe('a definition for another client', () => {
	it.each(all.filter(([, kind]) => kind !== 'shell'))(
		'for %s in a file of the %s is read here as it was meant',
		(_id, _kind, client, place) => {
			const read =
				place.kind === 'user' && place.format === 'toml' ? readToml : (text: string) => parseText(text).value as Json;
			fc.assert(
				fc.property(hostile, fc.oneof(programs, ...(client.url ? [urls] : [])), (name, handedOut) => {
					const text = definitionFor(client, place, name, handedOut, false) as string;
					expect(readBack(read(text))).toMatchObject(expected(client, name, handedOut));
				}),
				{ numRuns: runs(2_000) },
			);
		},
	);

	it.each(all.filter(([id, kind]) => kind === 'shell' && id !== 'other'))(
		'for %s in a command line is read here as it was meant',
		(_id, _kind, client, place) => {
			fc.assert(
				fc.property(hostile, fc.oneof(programs, urls), (name, handedOut) => {
					const text = definitionFor(client, place, name, handedOut, false);
					fc.pre(typeof text === 'string');
					const linked = readClientCommand(text as string) as { document: Json };
					expect(readBack(linked.document)).toMatchObject(expected(client, name, handedOut));
				}),
				{ numRuns: runs(5_000) },
			);
		},
	);

	it('lets a call take as long as people take, where a client would give up on it', () => {
		const define = (id: string) =>
			definitionFor(clientOf(id), placeOf(clientOf(id), 'user'), 'x', PROGRAM, false) as string;
		expect(readToml(define('codex'))).toMatchObject({ mcp_servers: { x: { tool_timeout_sec: 86_400 } } });
		expect(JSON.parse(define('copilot-cli'))).toMatchObject({ mcpServers: { x: { timeout: 86_400_000 } } });
	});

	it('is recognized when it is pasted here', () => {
		for (const [, , client, place] of all) {
			const text = definitionFor(client, place, 'weather', PROGRAM, false) as string;
			expect(recognize(text)).toMatchObject({ snippet: { servers: [{ definition: PROGRAM }] } });
		}
	});

	it.runIf(process.platform !== 'win32')('reaches the program behind a shell word by word', () => {
		const lines: { text: string; args: readonly string[] }[] = [];
		const other = clientOf('other');
		for (const args of fc.sample(fc.array(hostile, { maxLength: 4 }), { numRuns: 300, seed: 1 })) {
			const text = definitionFor(other, placeOf(other, 'shell'), '', { command: 'show', args }, false);
			if (typeof text === 'string') {
				lines.push({ text, args });
			}
		}
		const script = ['show() { printf "%s\\0" "$#" "$@"; }', ...lines.map(({ text }) => text)].join('\n');
		const shown = execFileSync('sh', { input: script, encoding: 'utf8' }).split('\0').slice(0, -1);
		expect(lines.length).toBeGreaterThan(100);
		expect(shown).toEqual(lines.flatMap(({ args }) => [String(args.length), ...args]));
	});

	it('has nothing in quotes that cmd and PowerShell would read in different ways', () => {
		const codex = clientOf('codex');
		fc.assert(
			fc.property(programs, (program) => {
				const text = definitionFor(codex, placeOf(codex, 'shell'), 'x', program, true);
				fc.pre(typeof text === 'string');
				const read = [...(text as string).matchAll(/"([^"%$`]+)"|([^\s"'%$`@,;#(){}&|<>^]+)/g)];
				const env = Object.entries(program.env).flatMap((pair) => ['--env', pair.join('=')]);
				expect(read.map(([, quoted, bare]) => quoted ?? bare)).toEqual([
					...['codex', 'mcp', 'add', 'x', ...env, '--'],
					...[program.command, ...program.args],
				]);
			}),
			{ numRuns: runs(2_000, 500) },
		);
	});

	it.each<[string, string, HandedOut, boolean, string]>([
		['codex', 'a "b" 天气.c', PROGRAM, false, 'codex mcp add a-b-c -- /opt/mcp-elicitation connect weather'],
		[
			'claude-code',
			'天气',
			{ url: 'https://h/?a=1&b' },
			false,
			"claude mcp add --transport http server 'https://h/?a=1&b'",
		],
		[
			'claude-code',
			'x',
			{ command: 'C:\\My Programs\\node.exe', args: ['C:\\x.js', 'tap', '--', 'npx', '@a/b'], env: { A: '1' } },
			true,
			'claude mcp add x --env A=1 "--" "C:\\My Programs\\node.exe" C:\\x.js tap "--" npx "@a/b"',
		],
		['other', 'x', { command: '/a b/c', args: ["it's"], env: { A: 'b c' } }, false, "env 'A=b c' '/a b/c' 'it'\\''s'"],
		['other', 'x', { url: 'http://localhost:1/mcp' }, true, 'http://localhost:1/mcp'],
	])('for %s is a command line', (id, name, handedOut, windows, line) => {
		const client = clientOf(id);
		expect(definitionFor(client, placeOf(client, 'shell'), name, handedOut, windows)).toBe(line);
	});

	it.each<[string, Place['kind'], HandedOut, boolean, string]>([
		[
			'claude-desktop',
			'user',
			{ url: 'https://h' },
			false,
			'Claude Desktop takes programs, but no URLs, from its file.',
		],
		[
			'other',
			'shell',
			{ ...PROGRAM, env: { A: '1' } },
			true,
			'It needs environment variables, which no command line sets',
		],
		[
			'codex',
			'shell',
			{ command: 'node', args: ['a\nb'] },
			false,
			'It has characters that shells do not take as they are.',
		],
		['codex', 'shell', { command: 'node', args: ['\u001b[201~'] }, false, 'It has characters that shells'],
		['codex', 'shell', { command: 'node', args: ['{"a": 1}'] }, true, 'It has characters that shells'],
		['codex', 'shell', { command: 'node', args: ['%PATH%'] }, true, 'It has characters that shells'],
		['codex', 'shell', { command: 'node', args: [''] }, true, 'It has characters that shells'],
	])('for %s that its %s cannot hold is refused with a sentence', (id, kind, handedOut, windows, sentence) => {
		const client = clientOf(id);
		expect(words(definitionFor(client, placeOf(client, kind), 'x', handedOut, windows))).toContain(sentence);
	});
});

it('keeps the marks of line ends in quotes', () => {
	expect(wordsOf('a \\\n b \'c \\ d\' "e ^ f" ^ g')).toEqual(['a', 'b', 'c \\ d', 'e ^ f', 'g']);
});

it.each<[string, string, string, Record<string, string>, string | undefined]>([
	['claude-code', 'linux', '/home/ada', {}, '/home/ada/.claude.json'],
	['claude-code', 'linux', '/home/ada', { CLAUDE_CONFIG_DIR: '/c' }, '/c/.claude.json'],
	['codex', 'darwin', '/Users/ada', { CODEX_HOME: '' }, '/Users/ada/.codex/config.toml'],
	['codex', 'win32', 'C:\\Users\\ada', {}, 'C:\\Users\\ada\\.codex\\config.toml'],
	['copilot-cli', 'win32', 'C:\\Users\\ada', { COPILOT_HOME: 'D:\\c' }, 'D:\\c\\mcp-config.json'],
	['cursor', 'linux', '/home/ada', {}, '/home/ada/.cursor/mcp.json'],
	['windsurf', 'darwin', '/Users/ada', {}, '/Users/ada/.codeium/windsurf/mcp_config.json'],
	[
		'claude-desktop',
		'darwin',
		'/Users/ada',
		{},
		'/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
	],
	[
		'claude-desktop',
		'win32',
		'C:\\Users\\ada',
		{ APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
		'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
	],
	['claude-desktop', 'linux', '/home/ada', {}, undefined],
])('the file of the user for %s on %s is found', (id, platform, home, env, path) => {
	expect(pathOf(placeOf(clientOf(id), 'user'), { platform, home, env })).toBe(path);
});

describe('a file of the workspace', () => {
	const vscode = clientOf('vscode');
	const edit = (text: string, name: string, handedOut: HandedOut = PROGRAM, client = vscode) =>
		edited(text, client, placeOf(client, 'workspace'), name, handedOut) as { text: string; replaces: boolean };

	it('gets the server, and everything else stays as it was', () => {
		const file =
			'{\r\n    // Ours.\r\n    "inputs": [],\r\n    "servers": {\r\n        "z": { "command": "z" }, // last\r\n    },\r\n}\r\n';
		expect(edit(file, 'a b', { url: 'https://h' })).toEqual({
			text: file.replace(
				'"z" }, // last\r\n',
				'"z" }, // last\r\n        "a b": {\r\n            "type": "http",\r\n            "url": "https://h"\r\n        },\r\n',
			),
			replaces: false,
		});
	});

	it('tells that the name is taken, as the client accepts it', () => {
		const copilot = clientOf('copilot-cli');
		const file = '{ "mcpServers": { "a-b": { "command": "z" } } }';
		expect(edit(file, 'a.b', PROGRAM, copilot).replaces).toBe(true);
		expect(edit(file, 'a_b', PROGRAM, copilot).replaces).toBe(false);
	});

	it.each([
		['[]', 'The file must be an object.'],
		['{ "servers": [] }', '"servers" must be an object.'],
		['{\n  "servers": {\n', 'This is not JSON (line 3, column 1): A closing brace is missing.'],
	])('that is %j is refused with a sentence', (text, sentence) => {
		expect(words(edit(text, 'a'))).toBe(sentence);
	});

	it('is read here as it was meant, whatever is in it before', () => {
		const files = OTHER_CLIENTS.flatMap((client) =>
			client.places.flatMap((place) => (place.kind === 'workspace' ? [{ client, place }] : [])),
		);
		const others = fc.dictionary(hostile, fc.record({ command: paths }), { noNullPrototype: false });
		const bom = fc.constantFrom('', '\ufeff');
		fc.assert(
			fc.property(
				fc.constantFrom(...files),
				others,
				bom,
				hostile,
				programs,
				({ client, place }, before, mark, name, program) => {
					const indented = JSON.stringify({ other: [1], [place.servers]: before }, undefined, '   ');
					const comment = '// {"not": "read"}';
					const file = mark + indented.replace(/\n/g, (end, at) => (at % 2 ? ` ${comment}${end}` : end));
					const { text, replaces } = edited(file, client, place, name, program) as { text: string; replaces: boolean };
					const accepted = nameFor(client, name);
					const servers = (parseText(text).value as Record<string, Record<string, Json>>)[place.servers] ?? {};
					// Those inside what it replaces go with it.
					expect(replaces || text.split(comment).length === file.split(comment).length).toBe(true);
					expect(replaces).toBe(Object.hasOwn(before, accepted));
					expect(readBack({ mcpServers: { x: servers[accepted] as Json } })).toMatchObject({ ...program, name: 'x' });
					const kept = Object.entries(before).filter(([other]) => other !== accepted);
					expect(Object.entries(servers).filter(([other]) => other !== accepted)).toEqual(kept);
				},
			),
			{ numRuns: runs(2_000) },
		);
	});
});

it('what leads back to a window is no server of its own, and what is recorded is one', () => {
	const own = (command: string, ...args: string[]) => ({ command, args });
	const mcpServers = {
		extension: own(
			'/usr/bin/node',
			'/home/me/.vscode/extensions/mcp-elicitation-0.1.0/dist/clients.mjs',
			'connect',
			'x',
		),
		windows: own('C:\\node.exe', 'C:\\x\\dist\\clients.mjs', 'connect', 'x'),
		npx: own('npx', '-y', 'mcp-elicitation@0.1.0', 'connect', 'x'),
		recorded: own('node', '/x/dist/clients.mjs', 'tap', '--', 'node', 'server.mjs'),
		other: own('node', 'connect', 'mcp-elicitation'),
	};
	const { servers, problems } = readContent({ mcpServers }, SHAPES.shared);
	expect([servers.map(({ name }) => name), problems]).toEqual([['recorded', 'other'], []]);
});
