import { describe, expect, it } from 'vitest';
import { readServers } from '../../../src/config/readDefinition.ts';
import { REVISIONS } from '../../../src/elicitation/revisions.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { tableRows } from '../../tableRows.ts';

const rows = tableRows(import.meta.url);

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
	it.each<[unknown, 'stdio' | 'http', object]>(rows('good'))('%j is good', (value, type, differs) => {
		const { servers, problems } = read(value);
		expect(problems).toEqual([]);
		expect(JSON.parse(JSON.stringify(servers))).toEqual([{ ...(type === 'stdio' ? stdio : http), ...differs }]);
	});

	it.each(REVISIONS)('may fix the revision %s', (protocolVersion) => {
		expect(read({ command: 'node', protocolVersion }).servers).toEqual([{ ...stdio, protocolVersion }]);
	});

	it.each<[unknown, string[]]>(rows('bad'))(
		'%j is bad, and everything that is wrong is said at once',
		(value, problems) => {
			expect(words(value)).toEqual(problems);
			expect(read(value).servers).toEqual([]);
		},
	);
});

describe('a wrong "dev"', () => {
	it.each<[unknown, string[]]>(rows('dev'))('as %j is a warning, and has no effect', (dev, problems) => {
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

	it('is named as what VS Code has', () => {
		const oauth = { clientId: 'a', enterpriseManaged: {} };
		expect(words({ url: 'https://h', oauth })).toEqual([
			'it|oauth.enterpriseManaged|is known to VS Code, and not supported here; it has no effect.',
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

	it.each([
		['n', 200, true],
		['n', 201, false],
		// As it is shown: a‹U+000A›.
		['a\n', 22, true],
		['a\n', 23, false],
		['\u202e', 26, false],
	])('have names that push nothing out of view: %j, %i times: %s', (character, times, isGood) => {
		const { servers, problems } = readServers({ [character.repeat(times)]: { command: 'a' }, other: { command: 'a' } });
		expect(servers).toHaveLength(isGood ? 2 : 1);
		expect(problems.map(({ message }) => render(message, english))).toEqual(
			isGood ? [] : ['has a name that is longer than 200 characters.'],
		);
	});

	it.each([
		['https://api.githubcopilot.com@mcp.evil.dev/mcp/', 'The URL contains user information in front of the host.'],
		['https://user:password@h.example/', 'The URL contains user information in front of the host.'],
		['https://api.example.com\\@evil.dev/', 'The URL contains a backslash.'],
		['https://h.example/\u200b', 'The URL contains whitespace or invisible characters.'],
		['https:/h.example/mcp', 'This is not a valid URL.'],
		[`https://h.example/${'x'.repeat(8_192)}`, 'The URL is longer than 8192 characters.'],
	])('reach no server by a URL that deceives: %s', (url, reason) => {
		expect(words({ url })).toEqual([`it|url|cannot be used. ${reason}`]);
		expect(read({ url }).servers).toEqual([]);
	});

	it('read own members only', () => {
		expect(readServers({ it: Object.create({ command: 'inherited' }) }).servers).toEqual([]);
	});

	it.each([undefined, null, 'text', [], 7])('%j are none', (raw) => {
		expect(readServers(raw)).toEqual({ servers: [], problems: [] });
	});
});
