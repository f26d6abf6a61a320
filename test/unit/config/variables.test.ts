import { describe, expect, it } from 'vitest';
import { effectiveDefinition } from '../../../src/config/launch.ts';
import {
	checkVariables,
	inputsOf,
	referencesOf,
	resolveVariables,
	type VariableSource,
} from '../../../src/config/variables.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { tableRows } from '../../tableRows.ts';
import { define } from './define.ts';

const rows = tableRows(import.meta.url);

const source: VariableSource = {
	workspaceFolder: (name) => ({ '': '/home/ada/a', lib: '/home/ada/b' })[name ?? ''],
	userHome: () => '/home/ada',
	pathSeparator: () => '/',
	environment: (name) => ({ TOKEN: 't0k3n', EMPTY: '', LOOP: '${env:TOKEN}', DOLLARS: "$& $1 $'" })[name],
	configuration: (key) => ({ 'my.url': 'https://h/mcp' })[key],
	input: (id) => ({ token: 's3cret', 'with spaces': 'yes', empty: '' })[id],
	shell: false,
};

function resolve(text: string, from = source) {
	const { definition, problems } = resolveVariables(define({ command: 'a', args: [text] }), from);
	return {
		text: (definition as { args: readonly string[] }).args[0],
		problems: problems.map(({ server, path, message }) => `${server}|${path.join('.')}|${render(message, english)}`),
	};
}

describe('variables', () => {
	it.each([
		['C:\\Users\\ada', 'file://${workspaceFolder}', 'file:///C:/Users/ada'],
		['C:\\Users\\ada', 'file:///${workspaceFolder}/lib', 'file:///C:/Users/ada/lib'],
		['c:/Users/ada', 'file://${workspaceFolder}', 'file:///c:/Users/ada'],
		['/home/ada', 'file://${workspaceFolder}', 'file:///home/ada'],
		['/home/a#1/50% of?', 'file://${workspaceFolder}/a%20b', 'file:///home/a%231/50%25%20of%3F/a%20b'],
		['\\\\host\\c#', 'file://${workspaceFolder}\\lib', 'file://host/c%23/lib'],
	])('make a root a URI where the folder is %s: %s', (folder, root, uri) => {
		const { definition, problems } = resolveVariables(define({ command: 'a', roots: [root] }), {
			...source,
			workspaceFolder: () => folder,
		});
		expect([definition.roots, problems]).toEqual([[uri], []]);
	});

	it.each<[string, string]>(rows('resolved'))('in %s give %s', (text, resolved) => {
		expect(resolve(text)).toEqual({ text: resolved, problems: [] });
	});

	it.each<[string, string]>(rows('unresolved'))(
		'that cannot be resolved (%s) are a problem in words',
		(text, words) => {
			expect(resolve(text).problems).toEqual([`it|args.0|${words}`]);
		},
	);

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
		expect(resolveVariables(all, none).problems.map(({ path }) => path.join('.'))).toEqual([
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
		expect(problems.map(({ path, message }) => `${path.join('.')} ${render(message, english)}`)).toEqual([
			`url must be an http: or https: address, not "${url}".`,
		]);
	});

	it.each([
		['${config:x}/mcp', 'https://api.example.com@evil.dev', 'The URL contains user information in front of the host.'],
		['https://user@h.example/${input:secret}', '', 'The URL contains user information in front of the host.'],
		['https://h.example/${config:x}', '\\\\evil.dev', 'The URL contains a backslash.'],
	])('that make an address deceive are a problem, whatever else is known of it: %s', (url, value, reason) => {
		const definition = define({ url });
		const { problems } = effectiveDefinition(definition, { ...source, configuration: () => value });
		expect(problems.map(({ message }) => render(message, english))).toEqual([`cannot be used. ${reason}`]);
	});

	it('that never end do not take forever', () => {
		const text = '${env:TOKEN}'.concat('${'.repeat(300_000));
		expect(referencesOf(define({ command: 'a', args: [text] })).map(({ expression }) => expression)).toEqual([
			'env:TOKEN',
		]);
		expect(resolve(text).text).toBe('t0k3n'.concat('${'.repeat(300_000)));
	});

	it('leave the definition as it was', () => {
		const definition = define({ command: 'a', env: { A: '${env:TOKEN}' } });
		const before = JSON.stringify(definition);
		resolveVariables(definition, source);
		expect(JSON.stringify(definition)).toBe(before);
	});

	describe('in a file that several clients share', () => {
		const shared = { ...source, shell: true };

		it.each([
			['${TOKEN}', 't0k3n'],
			['${EMPTY}', ''],
			['${TOKEN:-other}', 't0k3n'],
			['${EMPTY:-other}', 'other'],
			['${MISSING:-}', ''],
			['${MISSING:-http://localhost:3000/a b}', 'http://localhost:3000/a b'],
			['${workspaceFolder}/${env:TOKEN}', '/home/ada/a/t0k3n'],
			['$TOKEN', '$TOKEN'],
		])('%s is what a shell makes of it: %s', (text, resolved) => {
			expect(resolve(text, shared)).toEqual({ text: resolved, problems: [] });
		});

		it.each([
			['${MISSING}', 'uses "${MISSING}", but that environment variable is not set.'],
			['${TOKEN:+x}', 'uses the unknown variable "${TOKEN:+x}".'],
			['${1}', 'uses the unknown variable "${1}".'],
		])('%s is a problem', (text, words) => {
			expect(resolve(text, shared).problems).toEqual([`it|args.0|${words}`]);
		});
	});

	it('are found where they are used', () => {
		const definition = define({
			command: '${a}',
			args: ['${input:one}${input:two}', 'plain'],
			env: { B: '${input:one}' },
		});
		expect(referencesOf(definition).map(({ path, expression }) => [path.join('.'), expression])).toEqual([
			['command', 'a'],
			['args.0', 'input:one'],
			['args.0', 'input:two'],
			['env.B', 'input:one'],
		]);
		expect(inputsOf(definition)).toEqual(['one', 'two']);
	});

	it.each([
		['${nothing}', false, 'uses the unknown variable "${nothing}".'],
		['${nothing}', true, undefined],
		['${input:tokn}', false, 'uses "${input:tokn}", but no input of that id is defined. Did you mean "token"?'],
		['${input:other}', false, 'uses "${input:other}", but no input of that id is defined.'],
		['${env:MISSING}${config:no}${workspaceFolder:no}', false, undefined],
	])('%s are checked before they have values (as in a shell: %s)', (text, shell, words) => {
		const problems = checkVariables(define({ command: 'a', args: [text] }), { inputs: ['token'], shell });
		expect(problems.map(({ message }) => render(message, english))).toEqual(words === undefined ? [] : [words]);
	});
});
