import { describe, expect, it } from 'vitest';
import { effectiveParts, PARTS, sameServer } from '../../../src/config/fingerprint.ts';
import { effectiveDefinition, launchOf, snapshot } from '../../../src/config/launch.ts';
import type { VariableSource } from '../../../src/config/variables.ts';
import { namesSecret, secretsAmong } from '../../../src/elicitation/secretNames.ts';
import { tableRows } from '../../tableRows.ts';
import { define } from './define.ts';

const rows = tableRows(import.meta.url);

const program = { command: 'node', args: ['a', 'b'], cwd: '/c', env: { A: '1', B: null }, envFile: '.env' };
const address = { url: 'https://h/mcp', headers: { A: '1', B: '2' } };

/** The parts that differ. */
function changes(one: unknown, other: unknown): string[] {
	const [before, after] = [one, other]
		.map(define)
		.map((each) => effectiveParts({ written: each, shown: each, inputs: [] }));
	return PARTS.filter((part) => before?.[part] !== after?.[part]);
}

describe('the content that consent is bound to', () => {
	it.each<[string, object, string[]]>(rows('program'))('changes with %s', (_what, changed, parts) => {
		expect(changes(program, JSON.parse(JSON.stringify(changed)))).toEqual(parts);
	});

	it.each([
		['the address', { ...address, url: 'https://h/mcp2' }, ['url']],
		['a header', { ...address, headers: { A: '1', B: '3' } }, ['headers']],
		['the transport', { ...address, type: 'sse' }, ['type']],
		['the roots that it is told', { ...address, roots: ['file:///${env:HOME}'] }, ['roots']],
		['being told of no folders', { ...address, roots: 'none' }, ['roots']],
	])('changes with %s', (_what, changed, parts) => {
		expect(changes(address, changed)).toEqual(parts);
	});

	it.each([
		['the order of variables', program, { ...program, env: { B: null, A: '1' } }],
		['the order of headers', address, { ...address, headers: { B: '2', A: '1' } }],
		['a member "dev" that turns nothing on', program, { ...program, dev: { watch: [], replay: false } }],
		['roots that were clear anyway', address, { ...address, roots: 'workspace' }],
		['a type that was clear anyway', program, { type: 'stdio', ...program }],
		[
			'how elicitations are put',
			program,
			{ ...program, elicitation: { form: 'decline' }, protocolVersion: '2025-06-18' },
		],
	])('does not change with %s', (_what, one, other) => {
		expect(changes(one, other)).toEqual([]);
	});
});

describe('what is shown and agreed to', () => {
	const environment: Record<string, string> = { HOME: '/home/ada', GITHUB_TOKEN: 'ghp_planted' };
	const settings: Record<string, string> = { 'my.program': 'node' };
	const source: VariableSource = {
		workspaceFolder: () => '/work',
		userHome: () => '/home/ada',
		pathSeparator: () => '/',
		environment: (name) => environment[name],
		configuration: (key) => settings[key],
		input: () => undefined,
		shell: true,
	};
	const definition = define({
		command: '${config:my.program}',
		args: ['${env:HOME}', '--token=${env:GITHUB_TOKEN}', '${GITHUB_TOKEN}', '${input:key}', '${env:HOME}'],
		env: { API_KEY: 'written-plainly', REGION: 'eu', AUTHORIZATION: 'Bearer ${input:key}' },
	});

	it('has everything in it that is decided, and secrets by their names', () => {
		const { definition: effective, problems } = effectiveDefinition(definition, source);
		expect(problems).toEqual([]);
		expect(effective).toMatchObject({
			command: 'node',
			args: ['/home/ada', '--token=${env:GITHUB_TOKEN}', '${env:GITHUB_TOKEN}', '${input:key}', '/home/ada'],
			env: { AUTHORIZATION: 'Bearer ${input:key}' },
		});
	});

	it('is started with every value, and tells which of them are secrets', () => {
		const inputs = new Map([['key', { value: 'typed-by-hand', secret: true }]]);
		const launch = launchOf(definition, source, inputs);
		expect(launch.problems).toEqual([]);
		expect(launch.definition).toMatchObject({
			args: ['/home/ada', '--token=ghp_planted', 'ghp_planted', 'typed-by-hand', '/home/ada'],
			env: { API_KEY: 'written-plainly', REGION: 'eu', AUTHORIZATION: 'Bearer typed-by-hand' },
		});
		expect([...launch.secrets].sort()).toEqual(['ghp_planted', 'typed-by-hand', 'written-plainly']);
	});

	it('never hides the host or the program, whatever a header or a variable is given', () => {
		const http = { type: 'http', url: 'https://evil.example/mcp', headers: { Authorization: 'Bearer evil.example' } };
		const stdio = { command: 'evil-program', env: { API_TOKEN: 'evil-program', API_KEY: 'written-plainly' } };
		const secrets = [http, stdio].flatMap((each) => launchOf(define(each), source, new Map()).secrets);
		expect(secrets).toEqual(['written-plainly']);
	});

	it('tells a secret of the environment also where nothing else names it one', () => {
		const { secrets } = launchOf(define({ command: 'node', args: ['${env:GITHUB_TOKEN}'] }), source, new Map());
		expect(secrets).toEqual(['ghp_planted']);
	});

	it('has inputs that are no secrets among its values only', () => {
		const inputs = new Map([['region', { value: 'eu-west', secret: false }]]);
		const { definition: started, secrets } = launchOf(define({ command: '${input:region}' }), source, inputs);
		expect(started).toMatchObject({ command: 'eu-west' });
		expect(secrets).toEqual([]);
	});

	it('does not change when settings change meanwhile', () => {
		const changing: Record<string, string> = { 'my.program': 'node' };
		const kept = snapshot({ ...source, configuration: (key) => changing[key] });
		const { definition: shown } = effectiveDefinition(definition, kept);
		changing['my.program'] = 'rm';
		const inputs = new Map([['key', { value: 'x', secret: true }]]);
		expect(launchOf(definition, kept, inputs).definition).toMatchObject({ command: 'node' });
		expect(shown).toMatchObject({ command: 'node' });
	});

	it('never has a variable resolved that came out of another one', () => {
		const nasty: VariableSource = { ...source, configuration: () => '${env:GITHUB_TOKEN}' };
		const { definition: started } = launchOf(define({ command: '${config:x}' }), nasty, new Map());
		expect(started).toMatchObject({ command: '${env:GITHUB_TOKEN}' });
	});
});

describe('a name', () => {
	it.each<string>(rows('secrets'))('like %s names a secret', (name) => {
		expect(namesSecret(name)).toBe(true);
	});

	it.each(['HOME', 'REGION', 'PATH', 'TOKEN_URL', 'TOKEN_FILE', 'MAX_TOKENS', 'KEYBOARD', 'AUTHOR', 'key-id', ''])(
		'like %s names none',
		(name) => {
			expect(namesSecret(name)).toBe(false);
		},
	);

	it('with an ordinary word as its value hides nothing', () => {
		const values = {
			AUTH: 'none',
			API_KEY: 'abcdefgh',
			Authorization: 'Bearer abc.def.ghi',
			REGION: 'eu-central',
			T: null,
		};
		expect(secretsAmong(values)).toEqual(['abcdefgh', 'abc.def.ghi']);
	});
});

describe('two definitions', () => {
	const same = (one: unknown, other: unknown) => sameServer(define(one), define(other));

	it('are of one server, regardless of its variables and headers', () => {
		expect(same(program, { ...program, env: { A: '2' }, envFile: undefined, type: 'stdio' })).toBe(true);
		expect(same(address, { type: 'sse', url: address.url, headers: {} })).toBe(true);
	});

	it.each([
		['another program', program, { ...program, command: 'deno' }],
		['other arguments', program, { ...program, args: ['a b'] }],
		['another folder', program, { ...program, cwd: '/d' }],
		['another address', address, { ...address, url: 'https://h/other' }],
		['a program and an address', program, address],
	])('are of two servers: %s', (_what, one, other) => {
		expect(same(one, other)).toBe(false);
	});
});
