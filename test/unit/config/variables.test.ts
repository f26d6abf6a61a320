import { describe, expect, it } from 'vitest';
import { readServers, type ServerDefinition } from '../../../src/config/definition.ts';
import { effectiveContent } from '../../../src/config/fingerprint.ts';
import { resolveVariables, type VariableSource } from '../../../src/config/variables.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';

function define(value: unknown): ServerDefinition {
	const [definition] = readServers({ it: value }).servers;
	if (!definition) throw new Error('The test needs a good definition.');
	return definition;
}

const source: VariableSource = {
	workspaceFolder: (name) => ({ '': '/home/ada/a', lib: '/home/ada/b' })[name ?? ''],
	userHome: () => '/home/ada',
	pathSeparator: () => '/',
	environment: (name) => ({ TOKEN: 't0k3n', EMPTY: '', LOOP: '${env:TOKEN}', DOLLARS: "$& $1 $'" })[name],
	configuration: (key) => ({ 'my.url': 'https://h/mcp' })[key],
};

function resolve(text: string) {
	const { definition, problems } = resolveVariables(define({ command: 'a', args: [text] }), source);
	return {
		text: (definition as { args: readonly string[] }).args[0],
		problems: problems.map(({ server, path, message }) => `${server}|${path}|${render(message, english)}`),
	};
}

describe('variables', () => {
	it.each([
		['${workspaceFolder}', '/home/ada/a'],
		['${workspaceFolder:lib}', '/home/ada/b'],
		['${userHome}', '/home/ada'],
		['${pathSeparator}', '/'],
		['${/}', '/'],
		['${env:TOKEN}', 't0k3n'],
		['${env:EMPTY}', ''],
		['${config:my.url}', 'https://h/mcp'],
		['--dir=${workspaceFolder}${/}out:${env:TOKEN}!', '--dir=/home/ada/a/out:t0k3n!'],
		['$TOKEN $(x) {env:TOKEN} ${} ${', '$TOKEN $(x) {env:TOKEN} ${} ${'],
		['${env:LOOP}', '${env:TOKEN}'],
		['${env:DOLLARS}', "$& $1 $'"],
	])('in %s give %s', (text, resolved) => {
		expect(resolve(text)).toEqual({ text: resolved, problems: [] });
	});

	it.each([
		['${workspaceFolder:nowhere}', 'uses "${workspaceFolder:nowhere}", but no such folder is open.'],
		['${env:MISSING}', 'uses "${env:MISSING}", but that environment variable is not set.'],
		['${env}', 'uses "${env}", but that environment variable is not set.'],
		['${config:no}', 'uses "${config:no}", but there is no such setting with a text value.'],
		['${fileBasename}', 'uses the unknown variable "${fileBasename}".'],
		['${__proto__}', 'uses the unknown variable "${__proto__}".'],
	])('that cannot be resolved (%s) are a problem in words', (text, words) => {
		expect(resolve(text).problems).toEqual([`it|args.0|${words}`]);
	});

	it('are resolved in every text of a program, its problems named by their place', () => {
		const text = 'x${env:TOKEN}';
		const all = define({ command: text, args: ['a', text], cwd: text, envFile: text, env: { A: text, B: null } });
		expect(resolveVariables(all, source)).toMatchObject({
			definition: {
				command: 'xt0k3n',
				args: ['a', 'xt0k3n'],
				cwd: 'xt0k3n',
				envFile: 'xt0k3n',
				env: { A: 'xt0k3n', B: null },
			},
			problems: [],
		});
		const none = { ...source, environment: () => undefined };
		expect(resolveVariables(all, none).problems.map(({ path }) => path)).toEqual([
			'command',
			'args.1',
			'env.A',
			'cwd',
			'envFile',
		]);
	});

	it('are resolved in every text of an address', () => {
		const definition = define({ url: '${config:my.url}?a', headers: { Authorization: 'Bearer ${env:TOKEN}' } });
		expect(resolveVariables(definition, source).definition).toMatchObject({
			url: 'https://h/mcp?a',
			headers: { Authorization: 'Bearer t0k3n' },
		});
	});

	it.each(['ftp://h', 'nonsense'])('that make an address into %s are a problem', (url) => {
		const { problems } = resolveVariables(define({ url: '${config:my.url}' }), { ...source, configuration: () => url });
		expect(problems.map(({ path, message }) => `${path} ${render(message, english)}`)).toEqual([
			`url must be an http: or https: address, not "${url}".`,
		]);
	});

	it('leave the definition as it was', () => {
		const definition = define({ command: 'a', env: { A: '${env:TOKEN}' } });
		const before = JSON.stringify(definition);
		resolveVariables(definition, source);
		expect(JSON.stringify(definition)).toBe(before);
	});
});

describe('the content that consent is bound to', () => {
	const program = { command: 'node', args: ['a', 'b'], cwd: '/c', env: { A: '1', B: null }, envFile: '.env' };
	const address = { url: 'https://h/mcp', headers: { A: '1', B: '2' } };
	const content = (value: unknown, from = 'settings') => effectiveContent(define(value), from);

	it.each([
		['the command', { ...program, command: 'nodejs' }],
		['an argument', { ...program, args: ['a', 'c'] }],
		['the order of arguments', { ...program, args: ['b', 'a'] }],
		['how arguments are split', { ...program, args: ['a b'] }],
		['the working directory', { ...program, cwd: '/d' }],
		['a variable’s value', { ...program, env: { A: '2', B: null } }],
		['a variable’s name', { ...program, env: { AA: '1', B: null } }],
		['a variable that is set instead of taken away', { ...program, env: { A: '1', B: 'null' } }],
		['a new variable', { ...program, env: { ...program.env, C: '' } }],
		['the environment file', { ...program, envFile: '.env2' }],
		['no environment file', { ...program, envFile: undefined }],
	])('changes with %s', (_what, changed) => {
		const { envFile, ...rest } = changed;
		expect(content(envFile === undefined ? rest : changed)).not.toBe(content(program));
	});

	it.each([
		['the address', { ...address, url: 'https://h/mcp2' }],
		['a header', { ...address, headers: { A: '1', B: '3' } }],
		['the transport', { ...address, type: 'sse' }],
	])('changes with %s', (_what, changed) => {
		expect(content(changed)).not.toBe(content(address));
	});

	it('changes with where it was defined, and with its name', () => {
		expect(content(program, '.vscode/mcp.json')).not.toBe(content(program));
		expect(effectiveContent({ ...define(program), name: 'other' }, 'settings')).not.toBe(content(program));
	});

	it.each([
		['the order of variables', program, { ...program, env: { B: null, A: '1' } }],
		['the order of headers', address, { ...address, headers: { B: '2', A: '1' } }],
		['a type that was clear anyway', program, { type: 'stdio', ...program }],
		['how questions are put', program, { ...program, elicitation: { form: 'decline' }, protocolVersion: '2025-06-18' }],
	])('does not change with %s', (_what, one, other) => {
		expect(content(one)).toBe(content(other));
	});
});
