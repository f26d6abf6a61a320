import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { testServer } from '../mcp/testClient.ts';
import { commandLine, ending, node } from './commandLine.ts';

const program = commandLine();
const PLANTED = 'hunter2-planted';
const sdk1 = testServer('sdk1.mjs');

/** Defines servers of the current folder that need the input `api-key`, a secret. */
async function define(servers: object): Promise<void> {
	const { folder, write } = program();
	await mkdir(join(folder, '.vscode'), { recursive: true });
	const inputs = [{ id: 'api-key', type: 'promptString', description: 'Key', password: true }];
	await write('.vscode/mcp.json', { inputs, servers });
}

describe('the secret input of a server that does not start', () => {
	beforeAll(async () => {
		const { write } = program();
		await write('server.mjs', 'console.error("Invalid key: " + process.env.API_KEY); process.exit(1);');
		await define({
			exits: { command: process.execPath, args: ['server.mjs'], env: { API_KEY: '${input:api-key}' } },
			missing: { command: 'no-such-${input:api-key}', args: [] },
			silent: { type: 'http', url: 'http://127.0.0.1:1/${input:api-key}' },
			malformed: { type: 'http', url: '${input:api-key}://127.0.0.1' },
		});
	});

	it.each([
		['record', 'exits', 'act', '--timeline', 'the.jsonl'],
		['record', 'missing', 'act', '--timeline', 'the.jsonl'],
		['record', 'malformed', 'act', '--timeline', 'the.jsonl'],
		['matrix', 'exits', 'act'],
		['matrix', 'silent', 'act'],
		['run', 'none.json', '--server', 'missing'],
	])('is left out of what is printed: %s %s', async (...args) => {
		const { status, stdout, stderr } = await program().run(args, { MCP_TEST_API_KEY: PLANTED });
		expect(stderr).toMatch(args[0] === 'run' ? /^The command "no-such-‹redacted›" .* was not found\./ : '‹redacted›');
		expect(stdout + stderr).not.toContain('planted');
		expect(status).toBe(2);
	});
});

it('does not hide which environment variable a secret of a definition lacks', async () => {
	await define({ remote: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } } });
	const lacks = /"headers\.Authorization" uses "\$\{env:TOKEN\}", but that environment variable is not/;
	expect(await program().run(['matrix', 'remote', 'act'])).toEqual(ending(2, '', lacks));
});

describe('what looks like a secret', () => {
	const form = { message: 'Go on?', requestedSchema: { type: 'object', properties: {} } };
	const line = `${node(sdk1)} --api-key=${PLANTED} https://ada:${PLANTED}@example.com/?token=${PLANTED}`;

	it.each([
		['record', line, 'fail', '{}', '--timeline', 'the.jsonl', '--api-key=‹redacted›'],
		['matrix', `http://127.0.0.1:1/?token=${PLANTED}`, 'ask', '?token=‹redacted›'],
	])('is left out of the command line or the URL that %s shows', async (...args) => {
		const { stderr } = await program().run(args.slice(0, -1));
		expect(stderr).toContain(args.at(-1));
		expect(stderr).not.toContain('planted');
	});

	it('is left out of a timeline, too, if it is an argument after the name of a secret', async () => {
		const { run, read } = program();
		const call = ['ask', JSON.stringify({ params: { ...form, message: `Is ${PLANTED} the key?` } })];
		await define({ echo: { command: process.execPath, args: [sdk1, '--token', PLANTED] } });
		for (const server of ['echo', `${node(sdk1)} --api-key ${PLANTED}`]) {
			const { status, stderr } = await run(['record', server, ...call, '--timeline', 'safe.jsonl']);
			expect(status).toBe(0);
			expect(stderr).toMatch(/^Server: .* --(?:token|api-key) ‹redacted› \(in /);
			const timeline = await read('safe.jsonl');
			expect(timeline).toContain('Is ‹redacted› the key?');
			expect(timeline + stderr).not.toContain('planted');
		}
	});

	it('is left out of the results and the report of run', async () => {
		const { run, read, write } = program();
		await run(['record', line, 'ask', JSON.stringify({ params: form }), '--scenario', 'safe.json']);
		const said = [{ type: 'text', text: `https://ada:${PLANTED}@example.com/?token=${PLANTED}` }];
		const expected = { result: { content: said, structuredContent: { token: PLANTED } } };
		await write('wrong.json', { ...JSON.parse(await read('safe.json')), expected });
		const args = ['run', 'wrong.json', '--command', line, '--junit', 'report.xml', '--json'];
		const { status, stdout, stderr } = await run(args);
		expect(JSON.parse(stdout).scenarios[0].differences).toMatchObject([
			{ expected: expect.stringContaining('‹redacted›') },
			{ at: 'outcome.result.structuredContent.token' },
			{},
		]);
		expect(stdout + stderr + (await read('report.xml'))).not.toContain('planted');
		expect(status).toBe(1);
	});
});
