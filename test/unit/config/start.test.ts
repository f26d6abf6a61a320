import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidesWhatRuns } from '../../../src/config/decidingVariables.ts';
import { readServers, type ServerDefinition } from '../../../src/config/definition.ts';

import { effectiveParts, PARTS } from '../../../src/config/fingerprint.ts';
import { effectiveDefinition } from '../../../src/config/launch.ts';
import { namesSecret } from '../../../src/config/secretNames.ts';
import { decidingInputs, dependsOnWorkspace, type Program, type Start } from '../../../src/config/start.ts';
import { exact, fitsDialog, startSections } from '../../../src/config/startText.ts';
import type { VariableSource } from '../../../src/config/variables.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { runs } from '../../nightly.ts';
import { tableRows } from '../../tableRows.ts';

const rows = tableRows(import.meta.url);

const source: VariableSource = {
	workspaceFolder: () => '/work',
	userHome: () => '/home/ada',
	pathSeparator: () => '/',
	environment: (name) => (name === 'UNSET' ? undefined : `value of ${name}`),
	configuration: (key) => `setting ${key}`,
	input: () => undefined,
	shell: false,
};

function define(value: unknown): ServerDefinition {
	const { servers, problems } = readServers({ it: value });
	const [definition] = servers;
	if (!definition) throw new Error(`The test needs a good definition: ${JSON.stringify(problems)}`);
	return definition;
}

const found: Program = { file: '/usr/bin/node', inWorkspace: false, cwd: '/work', windows: false };

function startOf(value: unknown, program?: Program): Start {
	const written = define(value);
	const { definition: shown } = effectiveDefinition(written, source);
	return { written, shown, ...(shown.type === 'stdio' && { program: program ?? found }) };
}

/** All lines of the consent. */
function linesOf(start: Start): string[] {
	return startSections(start).flatMap(({ title, rows }) => [
		...(title ? [render(title, english)] : []),
		...rows.map(({ label, text, notes }) =>
			[label ? `${render(label, english)}: ${text}` : text, ...notes.map((note) => render(note, english))].join('  ← '),
		),
	]);
}

describe('a text that is shown exactly', () => {
	it.each([
		['a\nb', 'a‹U+000A›b'],
		['a\r\nb\tc', 'a‹U+000D›‹U+000A›b‹U+0009›c'],
		['safe\u202eelif', 'safe‹U+202E›elif'],
		['a b', 'a b'],
		[' a  b ', '‹U+0020›a‹U+0020›‹U+0020›b‹U+0020›'],
		[`a${'\n'.repeat(100)}b`, 'a‹U+000A ×100›b'],
		['a\u00a0\u3000\u2800\u3164b', 'a‹U+00A0›‹U+3000›‹U+2800›‹U+3164›b'],
		[`a${'\u0301'.repeat(100)}`, `a${'\u0301'.repeat(6)}‹U+0301 ×94›`],
		['‹U+000A›', '‹U+2039›U+000A›'],
	])('has no invisible characters: %j', (text, shown) => {
		expect(exact(text)).toBe(shown);
	});

	it('differs from every other text', () => {
		const hostile = fc.string({
			unit: fc.constantFrom(' ', '\n', '‹', 'U', '+', '0', '2', 'A', '›', '×', '4', '\u200b', 'a'),
			maxLength: 12,
		});
		fc.assert(
			fc.property(hostile, hostile, (one, other) => {
				expect(exact(one) === exact(other)).toBe(one === other);
			}),
			{ numRuns: runs(5_000) },
		);
	});
});

describe('a variable', () => {
	it.each<string>(rows('deciding'))('named %s decides what runs', (name) => {
		expect(decidesWhatRuns(name, false)).toBe(true);
		expect(decidesWhatRuns(name.toLowerCase(), true)).toBe(true);
	});

	it.each(['REGION', 'ENVIRONMENT', 'MY_PATH', 'path', 'node_options'])('named %s does not, but on Windows', (name) => {
		expect(decidesWhatRuns(name, false)).toBe(false);
	});
});

describe('the consent to a start', () => {
	it('sets apart what decides what runs, wherever it comes from, and masks none of it for its name', () => {
		const variables = { LD_PRELOAD: './evil.so', REGION: 'eu', NODE_OPTIONS: 'shadowed' };
		const envFile = { file: '/project/.env', inWorkspace: true, text: 'x', variables };
		const env = { NODE_OPTIONS: '--require ./evil.js', GIT_CONFIG_KEY_0: 'core.sshCommand', A: '1' };
		const sections = startSections(startOf({ command: 'node', env, envFile: '.env' }, { ...found, envFile }));
		const alarms = sections.filter(({ alarm }) => alarm).flatMap(({ rows }) => rows.map(({ text }) => text));
		expect(alarms).toEqual([
			'NODE_OPTIONS=--require ./evil.js',
			'GIT_CONFIG_KEY_0=core.sshCommand',
			'LD_PRELOAD=./evil.so',
			'NODE_OPTIONS=shadowed',
		]);
	});

	it('shows the roots that the server is told, with the variables in them', () => {
		const roots = ['file:///${env:A_TOKEN}', 'file:///${env:HOME}'];
		expect(linesOf(startOf({ url: 'https://h/mcp', roots }))).toEqual(
			expect.arrayContaining([
				'Roots that it is told:',
				'file:///${env:A_TOKEN}',
				'file:///value of HOME  ← from ${env:HOME}',
			]),
		);
	});

	it('knows the variables of Windows in any case', () => {
		const envFile = { file: 'C:\\.env', inWorkspace: false, text: 'x', variables: { node_options: '1', region: 'x' } };
		const lines = linesOf(
			startOf({ command: 'x', env: { Path: 'C:\\evil', Region: 'eu' } }, { ...found, envFile, windows: true }),
		);
		expect(lines).toContain('These variables determine what is run, regardless of the command:');
		expect(lines.indexOf('Path=C:\\evil')).toBeLessThan(lines.indexOf('Environment variables:'));
		expect(lines).toContain('node_options=1  ← from the environment file');
		expect(lines).toContain('region=x  ← replaced by the definition');
	});

	it('names what is sent by its source, and shows no secret', () => {
		const headers = { Authorization: 'Bearer ${input:token}', 'X-User': '${env:USER}', Cookie: 'planted' };
		const lines = linesOf(startOf({ url: 'https://h/${env:MY_TOKEN}', headers }));
		expect(lines).toEqual([
			'URL: https://h/${env:MY_TOKEN}',
			'Transport: HTTP',
			'Headers:',
			'Authorization=••••••  ← from ${input:token}',
			'X-User=value of USER  ← from ${env:USER}',
			'Cookie=••••••',
		]);
	});

	it('shows what is run and sent again while the server is developed', () => {
		const dev = { watch: '**', replay: true, debug: { type: 'debugpy', debugpyPath: './evil.py' } };
		const lines = linesOf(startOf({ command: 'python', args: ['server.py'], dev }));
		expect(lines.slice(lines.indexOf('While you develop it:'))).toEqual([
			'While you develop it:',
			'dev.debug.type=debugpy  ← attached when you choose Debug Server',
			'dev.debug.debugpyPath=./evil.py  ← run when you choose Debug Server',
			'dev.watch=**  ← restarts it when such a file changes',
			'dev.replay=true  ← repeats the last call then, with your responses',
		]);
	});

	it.each([
		[['short'], true],
		[Array.from({ length: 30 }, () => 'many'), false],
		[['word '.repeat(20)], false],
		[['x'.repeat(300)], true],
		[['x'.repeat(3_000)], false],
		[['שלום'], false],
	])('is shown in a webview if a dialog would be ambiguous: %j', (args, fits) => {
		const start = startOf({ command: 'node', args });
		const rows = startSections(start).flatMap((section) =>
			section.rows.map(({ text }) => ({ label: 'Argument 1', text })),
		);
		expect(fitsDialog(rows, linesOf(start))).toBe(fits);
	});

	it.each([
		['from ${config:short}', true],
		[`from \${config:${'x'.repeat(50)} Argument 2: --safe}`, false],
		['written as שלום', false],
	])('is shown in a webview if a note in a dialog would be ambiguous: %s', (note, fits) => {
		expect(fitsDialog([{ label: 'Argument 1', text: 'x', notes: [note] }], ['x'])).toBe(fits);
	});
});

describe('a definition of the user’s own', () => {
	const closed = { sets: () => false, relative: false, onPath: false };

	it.each([
		['says nothing of a workspace', { command: 'node', args: ['x'] }, {}, false],
		['uses its folder', { command: 'node', args: ['${workspaceFolder}/x'] }, {}, true],
		['uses the name of its folder', { command: 'node', env: { A: '${workspaceFolderBasename}' } }, {}, true],
		['uses its folder in an address', { url: 'https://h/${workspaceFolder:x}' }, {}, true],
		['uses a setting of their own', { command: 'node', args: ['${config:a}'] }, {}, false],
		['uses a setting of the workspace', { command: 'node', args: ['${config:a}'] }, { sets: () => true }, true],
		['has a relative folder', { command: 'node', cwd: 'x' }, { relative: true }, true],
		['finds programs in the workspace', { command: 'node' }, { onPath: true }, true],
	])('that %s: depends on the workspace? %#', (_what, definition, reach, depends) => {
		expect(dependsOnWorkspace(startOf(definition), { ...closed, ...reach })).toBe(depends);
	});

	it('depends on it where its program or its environment file lies in it', () => {
		const program = startOf({ command: 'x' }, { ...found, inWorkspace: true });
		expect(dependsOnWorkspace(program, closed)).toBe(true);
		const envFile = { file: '/project/.env', inWorkspace: true, text: '', variables: {} };
		expect(dependsOnWorkspace(startOf({ command: 'x' }, { ...found, envFile }), closed)).toBe(true);
	});

	it('asks first for the inputs that decide what is run, or which server is reached', () => {
		const definition = define({
			command: '${input:a}',
			args: ['${input:b}'],
			cwd: '${input:c}',
			envFile: '${input:d}',
			env: { PATH: '${input:e}', Path: '${input:f}', X: '${input:g}' },
		});
		expect([...decidingInputs(definition, false)].sort()).toEqual(['a', 'c', 'd', 'e']);
		expect([...decidingInputs(definition, true)].sort()).toEqual(['a', 'c', 'd', 'e', 'f']);
		const remote = define({ url: 'https://${input:host}/mcp', headers: { Authorization: '${input:token}' } });
		expect([...decidingInputs(remote, false)]).toEqual(['host']);
	});
});

/** Texts that a malicious workspace might contain. */
const hostile = fc
	.string({
		unit: fc.oneof(
			fc.constantFrom('\n', '\r', '\u2028', '\u202e', '\u200b', ' ', '\t', '‹U+000A›', 'Command: x', '←', '=', '\0'),
			fc.constantFrom('${input:who}', '${env:HOME}', '${env:A_TOKEN}', '${config:a.b}', '${workspaceFolder}'),
			fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
		),
		maxLength: 8,
	})
	// What the consent must show: everything that is spawned or sent; secrets by name.
	.filter((text) => !/\$\{(?!input:who|env:HOME|env:A_TOKEN|config:a\.b|workspaceFolder\})/.test(text));
const filled = hostile.filter((text) => text.trim() !== '');
const name = fc.oneof(
	fc.constantFrom(
		'NODE_OPTIONS',
		'PATH',
		'A_TOKEN',
		'API_KEY',
		'GIT_CONFIG_KEY_0',
		'REGION',
		'npm_config_x',
		'__proto__',
	),
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
);
const dev = fc.record(
	{
		watch: fc.array(filled, { maxLength: 3 }),
		replay: fc.boolean(),
		debug: fc.record({ type: filled, debugpyPath: filled }, { requiredKeys: ['type'] }),
	},
	{ requiredKeys: [] },
);
const roots = fc.array(hostile.map((text) => `file:///${text}`).filter(URL.canParse), { maxLength: 3 });
const stdio = fc.record(
	{
		command: filled,
		args: fc.array(hostile, { maxLength: 5 }),
		cwd: filled,
		env: fc.dictionary(
			name.filter((text) => !text.includes('=')),
			fc.option(hostile),
			{ maxKeys: 5, noNullPrototype: true },
		),
		envFile: filled,
		roots,
		dev,
	},
	{ requiredKeys: ['command'] },
);
const http = fc.record(
	{
		url: hostile.map((text) => `https://h/${text}`).filter((url) => URL.canParse(url)),
		type: fc.constantFrom('http', 'sse'),
		headers: fc.dictionary(name, hostile, { maxKeys: 5, noNullPrototype: true }),
		oauth: fc.record(
			{
				clientId: filled,
				clientMetadataUrl: fc.constant('https://h/client'),
				scopes: fc.array(
					filled.filter((text) => !/\s/.test(text)),
					{ minLength: 1, maxLength: 3 },
				),
				callbackPort: fc.integer({ min: 1, max: 65_535 }),
			},
			{ requiredKeys: [] },
		),
		roots,
		dev,
	},
	{ requiredKeys: ['url'] },
);
const program = fc.record({
	file: filled,
	cwd: filled,
	inWorkspace: fc.boolean(),
	windows: fc.boolean(),
	variables: fc.option(fc.dictionary(name, hostile, { maxKeys: 5, noNullPrototype: true })),
});

describe('whatever a definition says', () => {
	it('stands in the consent: every text that is run or sent, on a line of its own', () => {
		fc.assert(
			fc.property(fc.oneof(stdio, http), program, (value, { variables, ...place }) => {
				const envFile = { file: '/e', inWorkspace: false, text: JSON.stringify(variables), variables: variables ?? {} };
				const start = startOf(value, { ...place, ...(variables && { envFile }) });
				const lines = linesOf(start);
				const texts = startSections(start).flatMap(({ rows }) => rows.map(({ text }) => text));
				expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
				for (const text of influences(start)) {
					expect(texts, lines.join('\n')).toContain(text);
				}
			}),
			{ numRuns: runs(1_000, 250) },
		);
	});

	it('is asked again when any of it has changed', () => {
		const partsOf = (value: unknown, place: Program) => effectiveParts(startOf(value, place));
		const both = fc.oneof(fc.tuple(stdio, stdio), fc.tuple(http, http), fc.tuple(stdio, http));
		fc.assert(
			fc.property(both, program, fc.string(), fc.string(), ([one, other], { variables, ...place }, before, after) => {
				const withFile = (text: string) => ({
					...place,
					...(variables && { envFile: { file: '/e', inWorkspace: false, text, variables } }),
				});
				const same = (a: unknown, b: unknown, x = '', y = '') => {
					const [p, q] = [partsOf(a, withFile(x)), partsOf(b, withFile(y))];
					return PARTS.every((part) => p[part] === q[part]);
				};
				expect(same(one, one)).toBe(true);
				const lines = (value: unknown) => linesOf(startOf(value, place)).sort().join('\n');
				expect(!same(one, other) || lines(one) === lines(other)).toBe(true);
				if (variables && 'command' in one) {
					expect(same(one, one, before, after)).toBe(before === after);
				}
			}),
			{ numRuns: runs(1_000, 250) },
		);
	});

	it.each([
		['file', { file: '/other' }],
		['cwd', { cwd: '/other' }],
	])('is asked again when its program is found elsewhere: %s', (_what, changed) => {
		const of = (place: Program) => JSON.stringify(effectiveParts(startOf({ command: 'x' }, place)));
		expect(of({ ...found, ...changed })).not.toBe(of(found));
	});
});

/** What has to stand in the consent: all that is spawned with, or sent; a secret by its name. */
function influences({ shown, program: place }: Start): string[] {
	const pair = (name: string, value: string | null) => {
		const decides = shown.type === 'stdio' && decidesWhatRuns(name, place?.windows ?? false);
		const masked = namesSecret(name) && !(decides && !/auth|token|passw|secret|credential/i.test(name));
		return value === null ? exact(name) : `${exact(name)}=${masked && value !== '' ? '••••••' : exact(value)}`;
	};
	const { debug, watch = [], replay } = shown.dev ?? {};
	const development = [
		...(Array.isArray(shown.roots) ? shown.roots.map(exact) : []),
		...(debug ? [`dev.debug.type=${exact(debug.type)}`] : []),
		...(debug?.debugpyPath === undefined ? [] : [`dev.debug.debugpyPath=${exact(debug.debugpyPath)}`]),
		...watch.map((glob) => `dev.watch=${exact(glob)}`),
		...(replay ? ['dev.replay=true'] : []),
	];
	if (shown.type === 'stdio') {
		return [
			...development,
			exact(place?.file ?? ''),
			exact(place?.cwd ?? ''),
			...shown.args.map(exact),
			...Object.entries(shown.env).map(([name, value]) => pair(name, value)),
			...(place?.envFile ? [place.envFile.file] : []),
			...Object.entries(place?.envFile?.variables ?? {}).map(([name, value]) => pair(name, value)),
		];
	}
	const { clientId, clientMetadataUrl, scopes, callbackPort } = shown.oauth ?? {};
	return [
		...development,
		exact(shown.url),
		...Object.entries(shown.headers).map(([name, value]) => pair(name, value)),
		...(clientId === undefined ? [] : [`oauth.clientId=${exact(clientId)}`]),
		...(clientMetadataUrl === undefined ? [] : [`oauth.clientMetadataUrl=${exact(clientMetadataUrl)}`]),
		...(scopes ? [`oauth.scopes=${exact(scopes.join(' '))}`] : []),
		...(callbackPort === undefined ? [] : [`oauth.callbackPort=${callbackPort}`]),
	];
}
