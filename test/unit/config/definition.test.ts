import { describe, expect, it } from 'vitest';
import { readServers } from '../../../src/config/definition.ts';
import { REVISIONS } from '../../../src/elicitation/revisions.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';

const asked = { form: 'ask', url: 'ask', advertise: 'both' } as const;
const stdio = {
	name: 'it',
	type: 'stdio',
	protocolVersion: 'auto',
	elicitation: asked,
	roots: 'workspace',
	sampling: 'none',
	command: 'node',
	args: [],
	env: {},
};
const http = {
	name: 'it',
	type: 'http',
	protocolVersion: 'auto',
	elicitation: asked,
	roots: 'workspace',
	sampling: 'none',
	url: 'https://h/mcp',
	headers: {},
};

const read = (value: unknown) => readServers({ it: value });
const words = (value: unknown) =>
	read(value).problems.map(({ server, path, message }) => `${server}|${path.join('.')}|${render(message, english)}`);

describe('a definition', () => {
	it.each<[unknown, unknown]>([
		[{ command: 'node' }, stdio],
		[
			{ command: 'node', dev: {} },
			{ ...stdio, dev: { watch: [], replay: false } },
		],
		[
			{ command: 'node', dev: { watch: 'src/**/*.js', debug: { type: 'node' } } },
			{ ...stdio, dev: { watch: ['src/**/*.js'], replay: false, debug: { type: 'node' } } },
		],
		[
			{
				command: 'node',
				dev: { watch: ['*.py', '!x.py'], replay: true, debug: { type: 'debugpy', debugpyPath: '/d', other: 1 } },
			},
			{
				...stdio,
				dev: { watch: ['*.py', '!x.py'], replay: true, debug: { type: 'debugpy', debugpyPath: '/d' } },
			},
		],
		[{ type: 'stdio', command: 'node', url: 'ignored: the type says which' }, stdio],
		[
			{ command: 'node', args: ['a', 7, ''], cwd: '/tmp', envFile: '.env' },
			{ ...stdio, args: ['a', '7', ''], cwd: '/tmp', envFile: '.env' },
		],
		[
			{ command: 'node', env: { A: 'text', B: 7, C: null, D: '' } },
			{ ...stdio, env: { A: 'text', B: '7', C: null, D: '' } },
		],
		[{ url: 'https://h/mcp' }, http],
		[{ type: 'http', url: 'https://h/mcp', command: 'ignored' }, http],
		[
			{ type: 'sse', url: 'http://localhost:1/sse' },
			{ ...http, type: 'sse', url: 'http://localhost:1/sse' },
		],
		[{ url: '${config:my.url}' }, { ...http, url: '${config:my.url}' }],
		[
			{ url: 'https://h/mcp', headers: { Authorization: 'Bearer x' } },
			{ ...http, headers: { Authorization: 'Bearer x' } },
		],
		[
			{ command: 'node', elicitation: { form: 'decline', advertise: 'url' } },
			{ ...stdio, elicitation: { form: 'decline', url: 'ask', advertise: 'url' } },
		],
		[
			{ command: 'node', roots: 'none', sampling: 'ask' },
			{ ...stdio, roots: 'none', sampling: 'ask' },
		],
		[
			{ url: 'https://h/mcp', roots: ['file:///a%20b', 'file://${userHome}'] },
			{ ...http, roots: ['file:///a%20b', 'file://${userHome}'] },
		],
		...REVISIONS.map(
			(protocolVersion) =>
				[
					{ command: 'node', protocolVersion },
					{ ...stdio, protocolVersion },
				] as [unknown, unknown],
		),
		[{ type: 'local', command: 'node' }, stdio],
		[{ type: 'streamable-http', url: 'https://h/mcp' }, http],
		[{ type: 'streamableHttp', url: 'https://h/mcp' }, http],
		[{ command: 'node', gallery: true, sandboxEnabled: true, disabled: true, timeout: 1, autoApprove: [] }, stdio],
	])('%j is good', (value, definition) => {
		const { servers, problems } = read(value);
		expect(problems).toEqual([]);
		expect(JSON.parse(JSON.stringify(servers))).toEqual([definition]);
	});

	it.each([
		[null, ['it||must be an object with "command" (a program) or "url" (an HTTP address).']],
		[[], ['it||must be an object with "command" (a program) or "url" (an HTTP address).']],
		['node server.js', ['it||must be an object with "command" (a program) or "url" (an HTTP address).']],
		[{}, ['it||has neither "command" nor "url"; add one.']],
		[{ command: 'a', url: 'https://h' }, ['it||has both "command" and "url"; keep one, or say which with "type".']],
		[{ type: 'tcp', command: 'a' }, ['it|type|must be one of "stdio", "http", "sse".']],
		[{ type: 'stdio', url: 'https://h' }, ['it|command|must be a string that is not empty.']],
		[{ type: 'http', command: 'a' }, ['it|url|must be a string that is not empty.']],
		[{ command: ' ' }, ['it|command|must be a string that is not empty.']],
		[{ command: ['node'] }, ['it|command|must be a string that is not empty.']],
		[{ command: 'a', args: 'b' }, ['it|args|must be a list of strings.']],
		[{ command: 'a', args: ['b', {}] }, ['it|args.1|must be a string.']],
		[{ command: 'a', cwd: 7 }, ['it|cwd|must be a string that is not empty.']],
		[{ command: 'a', envFile: '' }, ['it|envFile|must be a string that is not empty.']],
		[{ command: 'a', env: [] }, ['it|env|must be an object.']],
		[{ command: 'a', env: { A: true, B: 'b' } }, ['it|env.A|must be a string, a number, or null.']],
		[
			{ command: 'a', env: { 'NODE_OPTIONS=--require=./x.js': '' } },
			['it|env.NODE_OPTIONS=--require=./x.js|must not have "=" in its name.'],
		],
		[{ url: 'localhost:3000' }, ['it|url|must be an http: or https: address, not "localhost:3000".']],
		[{ url: 'file:///etc' }, ['it|url|must be an http: or https: address, not "file:///etc".']],
		[{ url: 'https://h', headers: { A: 7 } }, ['it|headers.A|must be a string.']],
		[
			{ command: 'a', protocolVersion: '2024-10-07' },
			[
				'it|protocolVersion|must be one of "auto", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28".',
			],
		],
		[{ command: 'a', sampling: true }, ['it|sampling|must be one of "ask", "none".']],
		[{ command: 'a', roots: 'all' }, ['it|roots|must be one of "workspace", "none".']],
		[{ command: 'a', roots: ['file:///ok', 'https://h/'] }, ['it|roots.1|must be a file: URI, not "https://h/".']],
		[{ command: 'a', elicitation: true }, ['it|elicitation|must be an object.']],
		[{ command: 'a', elicitation: { form: 'accept' } }, ['it|elicitation.form|must be one of "ask", "decline".']],
		[{ command: 'a', elicitation: { url: null } }, ['it|elicitation.url|must be one of "ask", "decline".']],
		[
			{ command: 'a', elicitation: { advertise: 'all' } },
			['it|elicitation.advertise|must be one of "both", "form", "url", "none".'],
		],
		[
			{ command: '', args: 1, env: { A: [] }, protocolVersion: 2 },
			[
				'it|protocolVersion|must be one of "auto", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28".',
				'it|command|must be a string that is not empty.',
				'it|args|must be a list of strings.',
				'it|env.A|must be a string, a number, or null.',
			],
		],
	])('%j is bad, and everything that is wrong is said at once', (value, problems) => {
		expect(words(value)).toEqual(problems);
		expect(read(value).servers).toEqual([]);
	});
});

describe('a wrong "dev"', () => {
	it.each([
		[true, ['it|dev|must be an object.']],
		[{ watch: 7 }, ['it|dev.watch|must be a glob or a list of globs.']],
		[{ watch: ['*.js', ''] }, ['it|dev.watch|must be a glob or a list of globs.']],
		[{ replay: 'yes' }, ['it|dev.replay|must be true or false.']],
		[{ debug: { type: 7 } }, ['it|dev.debug|must be an object with the "type" of a debugger, for example "node".']],
		[{ wach: '*.js' }, ['it|dev.wach|is unknown and has no effect. Did you mean "watch"?']],
		[{ debug: 'node' }, ['it|dev.debug|must be an object with the "type" of a debugger, for example "node".']],
	])('as %j is a warning, and has no effect', (dev, problems) => {
		const value = { command: 'node', dev };
		expect(words(value)).toEqual(problems);
		expect(read(value).problems.map(({ severity }) => severity)).toEqual(['warning']);
		expect(read(value).servers).toEqual([{ ...stdio, dev: { watch: [], replay: false } }]);
	});
});

describe('a member that nobody reads', () => {
	const near = (value: unknown) =>
		read(value).problems.map(({ path, severity, inName, meant }) => [path.join('.'), severity, inName, meant]);

	it.each([
		[{ command: 'a', agrs: [] }, 'agrs', 'args'],
		[{ command: 'a', Args: [] }, 'Args', 'args'],
		[{ command: 'a', env_file: '.env' }, 'env_file', 'envFile'],
		[{ command: 'a', arguments: [] }, 'arguments', 'args'],
		[{ command: 'a', environment: {} }, 'environment', 'env'],
		[{ url: 'https://h', header: {} }, 'header', 'headers'],
		[{ url: 'https://h', serverUrl: 'https://h' }, 'serverUrl', 'url'],
		[{ command: 'a', protocolversion: 'auto' }, 'protocolversion', 'protocolVersion'],
		[{ command: 'a', elicitation: { forms: 'ask' } }, 'elicitation.forms', 'form'],
		[{ command: 'a', completelyDifferent: 1 }, 'completelyDifferent', undefined],
		[{ command: 'a', '': 1 }, '', undefined],
	])('%j is a warning that names what was probably meant, and does no harm', (value, path, meant) => {
		expect(near(value)).toEqual([[path, 'warning', true, meant]]);
		expect(read(value).servers).toHaveLength(1);
	});

	it('is said in words', () => {
		expect(words({ command: 'a', agrs: [], xyz: 1 })).toEqual([
			'it|agrs|is unknown and has no effect. Did you mean "args"?',
			'it|xyz|is unknown and has no effect.',
		]);
	});

	it.each([
		[{ type: 'studio', command: 'a' }, 'stdio'],
		[{ type: 'HTTP', url: 'https://h' }, 'http'],
		[{ type: 'tcp', command: 'a' }, undefined],
		[{ command: 'a', protocolVersion: '2025-06-19' }, '2025-06-18'],
		[{ command: 'a', elicitation: { form: 'denied' } }, undefined],
	])('and a value that is not offered has a nearest one, too: %j', (value, meant) => {
		expect(read(value).problems.map((problem) => problem.meant)).toEqual([meant]);
	});
});

describe('the definitions', () => {
	it('that are good are not harmed by a bad one, and keep their order', () => {
		const { servers, problems } = readServers({ b: { command: 'b' }, bad: {}, a: { url: 'https://a' } });
		expect(servers.map(({ name }) => name)).toEqual(['b', 'a']);
		expect(problems.map(({ server }) => server)).toEqual(['bad']);
	});

	it('may have any name, __proto__ included', () => {
		const { servers } = readServers(JSON.parse('{"__proto__":{"command":"a","env":{"__proto__":"b"}}}'));
		expect(servers.map(({ name }) => name)).toEqual(['__proto__']);
		expect(servers[0]).toMatchObject({ type: 'stdio', command: 'a' });
		expect(JSON.stringify(servers[0])).toContain('"env":{"__proto__":"b"}');
	});

	it('need names', () => {
		const { servers, problems } = readServers({ '': { command: 'a' }, ' ': { command: 'b' } });
		expect(servers).toEqual([]);
		expect(problems.map(({ path, message }) => [path, render(message, english)])).toEqual([
			[[], 'needs a name, under which its requests are shown.'],
			[[], 'needs a name, under which its requests are shown.'],
		]);
	});

	it('read own members only', () => {
		expect(readServers({ it: Object.create({ command: 'inherited' }) }).servers).toEqual([]);
	});

	it.each([undefined, null, 'text', [], 7])('%j are none', (raw) => {
		expect(readServers(raw)).toEqual({ servers: [], problems: [] });
	});
});
