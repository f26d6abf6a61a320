import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { testServer } from '../mcp/testClient.ts';
import { commandLine } from './commandLine.ts';

const program = commandLine();
const PLANTED = 'hunter2-planted';

/** Defines servers of the current folder that need the input `api-key`, a secret. */
async function define(servers: object): Promise<void> {
	const { folder } = program();
	await mkdir(join(folder, '.vscode'), { recursive: true });
	const inputs = [{ id: 'api-key', type: 'promptString', description: 'Key', password: true }];
	await writeFile(join(folder, '.vscode', 'mcp.json'), JSON.stringify({ inputs, servers }));
}

describe('the secret input of a server that does not start', () => {
	beforeAll(async () => {
		const complain = 'console.error("Invalid key: " + process.env.API_KEY); process.exit(1);';
		await writeFile(join(program().folder, 'server.mjs'), complain);
		await define({
			exits: { command: process.execPath, args: ['server.mjs'], env: { API_KEY: '${input:api-key}' } },
			missing: { command: 'no-such-${input:api-key}', args: [] },
			silent: { type: 'http', url: 'http://127.0.0.1:1/${input:api-key}' },
			malformed: { type: 'http', url: '${input:api-key}://127.0.0.1' },
		});
	});

	it.each([
		['record', 'exits'],
		['record', 'missing'],
		['record', 'malformed'],
		['matrix', 'exits'],
		['matrix', 'silent'],
	])('is left out of what is printed: %s %s', async (command, name) => {
		const args = [command, name, 'act', ...(command === 'record' ? ['--timeline', 'the.jsonl'] : [])];
		const { status, stdout, stderr } = await program().run(args, { MCP_TEST_API_KEY: PLANTED });
		expect(stderr).toContain('‹redacted›');
		expect(stdout + stderr).not.toContain('planted');
		expect(status).toBe(2);
	});

	it('is left out of what is printed: run --server', async () => {
		const { status, stderr } = await program().run(['run', 'none.json', '--server', 'missing'], {
			MCP_TEST_API_KEY: PLANTED,
		});
		expect(stderr).toMatch(/^The command "no-such-‹redacted›" of the server was not found\./);
		expect(status).toBe(2);
	});
});

it('does not hide which environment variable a secret of a definition lacks', async () => {
	const headers = { Authorization: 'Bearer ${env:TOKEN}' };
	await define({ remote: { url: 'http://127.0.0.1:1/mcp', headers } });
	expect(await program().run(['matrix', 'remote', 'act'])).toMatchObject({
		status: 2,
		stderr: expect.stringContaining(
			'"headers.Authorization" uses "${env:TOKEN}", but that environment variable is not',
		),
	});
});

describe('what looks like a secret', () => {
	const form = { message: 'Go on?', requestedSchema: { type: 'object', properties: {} } };
	const line = `"${process.execPath}" "${testServer('sdk1.mjs')}" --api-key=${PLANTED} https://ada:${PLANTED}@example.com/?token=${PLANTED}`;

	it('is left out of the command line and the URL that record and matrix show', async () => {
		const { stderr } = await program().run(['record', line, 'fail', '{}', '--timeline', 'the.jsonl']);
		expect(stderr).toContain('--api-key=‹redacted›');
		expect(stderr).not.toContain('planted');
		const silent = await program().run(['matrix', `http://127.0.0.1:1/?token=${PLANTED}`, 'ask']);
		expect(silent.stderr).toContain('?token=‹redacted›');
		expect(silent.stderr).not.toContain('planted');
	});

	it('is left out of a timeline, too, if it is an argument after the name of a secret', async () => {
		const { folder, run } = program();
		const call = ['ask', JSON.stringify({ params: { ...form, message: `Is ${PLANTED} the key?` } })];
		await define({ echo: { command: process.execPath, args: [testServer('sdk1.mjs'), '--token', PLANTED] } });
		for (const server of ['echo', `"${process.execPath}" "${testServer('sdk1.mjs')}" --api-key ${PLANTED}`]) {
			const { status, stderr } = await run(['record', server, ...call, '--timeline', 'safe.jsonl']);
			expect(status).toBe(0);
			expect(stderr).toMatch(/^Server: .* --(?:token|api-key) ‹redacted› \(in /);
			const timeline = await readFile(join(folder, 'safe.jsonl'), 'utf8');
			expect(timeline).toContain('Is ‹redacted› the key?');
			expect(timeline + stderr).not.toContain('planted');
		}
	});

	it('is left out of the results and the report of run', async () => {
		const { folder, run } = program();
		const call = ['ask', JSON.stringify({ params: form })];
		await run(['record', line, ...call, '--scenario', 'safe.json']);
		const scenario = JSON.parse(await readFile(join(folder, 'safe.json'), 'utf8'));
		const said = [{ type: 'text', text: `https://ada:${PLANTED}@example.com/?token=${PLANTED}` }];
		const wrong = { ...scenario, expected: { result: { content: said, structuredContent: { token: PLANTED } } } };
		await writeFile(join(folder, 'wrong.json'), JSON.stringify(wrong));
		const args = ['run', 'wrong.json', '--command', line, '--junit', 'report.xml', '--json'];
		const { status, stdout, stderr } = await run(args);
		expect(JSON.parse(stdout).scenarios[0].differences).toMatchObject([
			{ expected: expect.stringContaining('‹redacted›') },
			{ at: 'outcome.result.structuredContent.token' },
			{},
		]);
		expect(stdout + stderr + (await readFile(join(folder, 'report.xml'), 'utf8'))).not.toContain('planted');
		expect(status).toBe(1);
	});
});
