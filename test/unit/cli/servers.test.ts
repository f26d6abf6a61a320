import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/cli/command.ts';
import { described, serverNamed } from '../../../src/cli/servers.ts';

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-cli-servers-'));
	await mkdir(join(folder, '.vscode'));
});

afterAll(() => rm(folder, { recursive: true }));

beforeEach(() => Promise.all(['settings', 'mcp', 'shared'].map((source) => write(source as keyof typeof FILES, {}))));

const FILES = { settings: '.vscode/settings.json', mcp: '.vscode/mcp.json', shared: '.mcp.json' };

const write = (source: keyof typeof FILES, servers: object) =>
	writeFile(
		join(folder, FILES[source]),
		JSON.stringify({
			[{ settings: 'mcpElicitation.servers', mcp: 'servers', shared: 'mcpServers' }[source]]: servers,
			'my.region': 'eu',
		}),
	);

const named = (name: string, env: Record<string, string> = {}, tell: (text: string) => void = () => {}) =>
	serverNamed(name, { folder, env, output: { tell } } as Context);

const program = (more: object = {}) => ({ command: process.execPath, args: [], ...more });

it('is taken from the settings of the folder, else from mcp.json, else from .mcp.json', async () => {
	await write('shared', { a: program({ args: ['shared'] }), b: program({ args: ['shared'] }), c: program() });
	await write('mcp', { a: program({ args: ['mcp'] }), b: program({ args: ['mcp'] }) });
	await write('settings', { a: program({ args: ['settings'] }) });
	const args = async (name: string) => (await named(name)).definition;
	expect(await args('a')).toMatchObject({ args: ['settings'] });
	expect(await args('b')).toMatchObject({ args: ['mcp'] });
	expect(await args('c')).toMatchObject({ args: [] });
	await expect(named('d')).rejects.toThrow(/No server is named "d" in .*\. Servers there: a, b, c\.$/);
});

it('gets the variables of its environment file, except for those that its definition has, and keeps their secrets', async () => {
	await writeFile(join(folder, 'one.env'), 'API_KEY=planted-1\nREGION=us\nLEVEL=1\n');
	await write('mcp', {
		a: program({ envFile: '${workspaceFolder}/one.env', env: { REGION: '${config:my.region}', TOKEN: '${env:MINE}' } }),
	});
	const { definition, secrets } = await named('a', { MINE: 'planted-2' });
	expect(definition).toMatchObject({ env: { API_KEY: 'planted-1', REGION: 'eu', LEVEL: '1', TOKEN: 'planted-2' } });
	expect(definition).not.toHaveProperty('envFile');
	expect([...secrets].sort()).toEqual(['planted-1', 'planted-2']);
});

it('runs in its working directory, which is relative to the folder', async () => {
	await write('mcp', { a: program({ cwd: 'inner' }), b: program() });
	expect((await named('a')).definition).toMatchObject({ cwd: join(folder, 'inner') });
	expect((await named('b')).definition).toMatchObject({ cwd: folder });
});

it.each<[string, object, RegExp]>([
	[
		'its environment file is missing',
		program({ envFile: 'no.env' }),
		/^The environment file ".*no\.env" could not be read: /,
	],
	[
		'its definition is wrong',
		{ command: 1 },
		/^The definition of "a" cannot be used: .* Correct it in \.vscode.mcp\.json\.$/,
	],
	['a variable has no value', program({ args: ['${env:NONE}'] }), /^The definition of "a" cannot be used: .*NONE/],
	['it is turned off', program({ disabled: true }), /^The server "a" is turned off in its definition\. Turn it on in /],
	[
		'its command is a whole command line',
		{ command: 'node a.js' },
		/^The command "node a\.js" of the server was not found\. "command" is run as the name of one program/,
	],
	[
		'there is no such program',
		{ command: 'no-such-program' },
		/^The command "no-such-program" of the server was not found/,
	],
])('is not started if %s', async (_why, definition, message) => {
	await write('mcp', { a: definition });
	await expect(named('a')).rejects.toThrow(message);
});

it('is not looked for where a file is broken', async () => {
	await writeFile(join(folder, FILES.mcp), '{"servers": ');
	await expect(named('a')).rejects.toThrow(/^\.vscode.mcp\.json cannot be read: This is not JSON /);
});

it('is used although another file is broken, which is told, unless that file names it, too', async () => {
	await write('mcp', { a: program({ args: ['mcp'] }) });
	await writeFile(join(folder, FILES.settings), '{"editor.fontSize": 12 "b": 1}');
	const told: string[] = [];
	const { definition } = await named('a', {}, (text) => told.push(text));
	expect(definition).toMatchObject({ args: ['mcp'] });
	expect(told).toEqual([
		expect.stringMatching(/^\.vscode.settings\.json cannot be read: This is not JSON .* Correct the file\.$/),
	]);
	await writeFile(join(folder, FILES.settings), '{"mcpElicitation.servers": {"a": {"command": "node"}}');
	await expect(named('a')).rejects.toThrow(/^\.vscode.settings\.json cannot be read: This is not JSON /);
});

it('that a link installs has the inputs of the link, which are environment variables here', async () => {
	const config = { ...program(), env: { API_KEY: '${input:key}' } };
	const inputs = [{ id: 'key', type: 'promptString', password: true }];
	const [query, list] = [config, inputs].map((value) => encodeURIComponent(JSON.stringify(value)));
	const link = `https://vscode.dev/redirect/mcp/install?name=a&inputs=${list}&config=${query}`;
	const from = (env: Record<string, string>) => described(link, { folder, env, output: { tell: () => {} } } as never);
	expect(await from({ MCP_TEST_KEY: 'planted-3' })).toMatchObject({
		definition: { env: { API_KEY: 'planted-3' } },
		secrets: ['planted-3'],
	});
	await expect(from({})).rejects.toThrow(
		'The server "a" needs a value for "${input:key}". Set the environment variable',
	);
});
