import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from './commandLine.ts';

const program = commandLine();

beforeAll(async () => {
	await mkdir(join(program().folder, '.vscode'));
});

afterEach(async () => {
	await Promise.all(SOURCES.map(([file]) => rm(join(program().folder, file), { force: true })));
});

const SOURCES: readonly [file: string, content: (servers: object) => object][] = [
	['.vscode/settings.json', (servers) => ({ 'mcpElicitation.servers': servers })],
	['.vscode/mcp.json', (servers) => ({ servers })],
	['.mcp.json', (servers) => ({ mcpServers: servers })],
];

/** A program that leaves a trace. */
const HOSTILE = {
	command: process.execPath,
	args: ['-e', 'require("node:fs").writeFileSync("PWNED", "")'],
};

const COMMANDS: readonly (readonly string[])[] = [
	['record', '{}', 'act', '--timeline', 'the.jsonl'],
	['matrix', '{}', 'act'],
];

describe.each(COMMANDS)('the server of "%s"', (...words) => {
	it.each([
		// Nothing listens there, and there is no such file.
		'http://127.0.0.1:1/mcp',
		'HTTP://127.0.0.1:1/mcp',
		'node no-such-server.mjs',
		'no-such-program\tserver.mjs',
		'no-such-program\u00a0server.mjs',
		' no-such-program server.mjs ',
		'ftp://127.0.0.1/mcp',
		'file:///no/such/server',
	])('is what the text says, whatever in the folder has it as its name: %j', async (text) => {
		const { folder, run, write } = program();
		for (const [file, content] of SOURCES) {
			await write(file, content({ [text]: HOSTILE, [text.trim()]: HOSTILE }));
		}
		const { status } = await run(words.map((word) => (word === '{}' ? text : word)));
		expect(status).not.toBe(0);
		expect(existsSync(join(folder, 'PWNED'))).toBe(false);
	});

	it('is that of the folder if the text is a name', async () => {
		const { folder, run, write } = program();
		await write('.mcp.json', { mcpServers: { mine: HOSTILE } });
		await run(words.map((word) => (word === '{}' ? 'mine' : word)));
		expect(existsSync(join(folder, 'PWNED'))).toBe(true);
		await rm(join(folder, 'PWNED'));
	});
});

it('a variable of the environment is sent to no server that has a URL as its name', async () => {
	const { run, write } = program();
	const url = 'http://127.0.0.1:1/mcp';
	await write('.mcp.json', { mcpServers: { [url]: { command: process.execPath, args: ['-e', '', '${env:KEY}'] } } });
	const { stderr } = await run(['record', url, 'act', '--timeline', 'the.jsonl'], { KEY: 'planted' });
	expect(stderr).toMatch(/^Server: http:\/\/127\.0\.0\.1:1\/mcp\n/);
});

it('"--server" takes the name of a server in the folder, and nothing else', async () => {
	const { folder, run, write } = program();
	await write('the.scenario.json', {});
	const { status, stderr } = await run(['run', 'the.scenario.json', '--server', 'node no-such-server.mjs']);
	expect([status, stderr]).toEqual([2, expect.stringContaining('No server is named "node no-such-server.mjs"')]);
	await rm(join(folder, 'the.scenario.json'));
});

// Windows has neither of them.
describe.skipIf(process.platform === 'win32')('a file that has no end is not read', () => {
	it.each(SOURCES.map(([file]) => file))('not as %s', async (file) => {
		const { folder, run } = program();
		await symlink('/dev/zero', join(folder, file));
		expect(await run(['record', 'mine', 'act', '--timeline', 'the.jsonl'])).toMatchObject({
			status: 2,
			stderr: expect.stringMatching(/could not be read: it is not a regular file\./),
		});
	});

	it.each([
		['check', ['check', 'it']],
		['run', ['run', 'it']],
		['serve', ['serve', 'it']],
		['--answers', ['record', 'node x', 'act', '--timeline', 'the.jsonl', '--answers', 'it']],
	])('not by "%s", be it a device or a pipe', async (_name, args) => {
		const { folder, run } = program();
		const file = join(folder, 'it');
		for (const make of [() => symlink('/dev/zero', file), () => execFileSync('mkfifo', [file])]) {
			await make();
			const { status, stdout, stderr } = await run(args);
			expect([status, stdout + stderr]).toEqual([2, expect.stringMatching(/is not a regular file/)]);
			await rm(file);
		}
	});
});
