import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RawHttpServer } from '../../rawServer/http.ts';
import { authorizationServer, protectedServer } from '../../servers/authorization.mjs';
import { testServer } from '../mcp/testClient.ts';
import { clerk, SECRETS } from '../trace/case/stage.ts';
import { commandLine } from './commandLine.ts';

const program = commandLine();

const written = (name: string) => readFile(join(program().folder, name), 'utf8');

describe.each([
	['with sessions', []],
	['without sessions', ['modern']],
])('a recording of a server %s', (_, args) => {
	it('holds what scripted answers led to, without secrets, as a timeline and as a scenario that passes', async () => {
		const { folder, run } = program();
		const servers = { clerk: { command: process.execPath, args: [clerk, ...args], env: { MOOD: '${env:MOOD}' } } };
		await writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
		const content = { name: 'Ada', door_code: SECRETS.MCP_TEST_DOOR_CODE, pin: 4711 };
		await writeFile(join(folder, 'answers.json'), JSON.stringify([{ tool: 'take', action: 'accept', content }]));
		const recorded = await run(
			[
				...['record', 'clerk', 'take', JSON.stringify({ badge: SECRETS.MCP_TEST_BADGE })],
				...['--timeline', 'the.jsonl', '--scenario', 'the.json', '--answers', 'answers.json'],
			],
			{ MOOD: 'usual' },
		);
		expect(recorded.stderr).toMatch(/^Server: .*clerk\.mjs.*\n$/);
		expect(recorded.status).toBe(0);
		expect(recorded.stdout).toContain('Ada came at');
		const messages = (await written('the.jsonl'))
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line));
		expect(messages.map(({ seq }) => seq)).toEqual(messages.map((__, index) => index));
		expect(messages.filter(({ call }) => call?.name === 'take').length).toBeGreaterThan(1);
		const scenario = await written('the.json');
		expect(JSON.parse(scenario)).toMatchObject({
			workspaceFolder: '.',
			server: { cwd: '‹workspaceFolder›', env: { MOOD: '‹MOOD›' } },
			params: { arguments: { badge: '‹MCP_TEST_BADGE›' } },
		});
		expect(recorded.stdout + JSON.stringify(messages) + scenario).not.toMatch(/planted/);
		expect(await run(['run', 'the.json'], { ...SECRETS, MOOD: 'usual' })).toMatchObject({ status: 0 });
	});
});

describe('a recording', () => {
	const form = { message: 'How many?', requestedSchema: { type: 'object', properties: { n: { type: 'integer' } } } };
	const server = `"${process.execPath}" "${testServer('sdk1.mjs')}"`;
	const call = ['record', server, 'ask', JSON.stringify({ params: form }), '--timeline', 'the.jsonl'];

	it('needs no definitions for a command line, and says which cannot be read', async () => {
		const { folder, run } = program();
		await writeFile(join(folder, '.mcp.json'), '{"mcpServers": {');
		onTestFinished(() => rm(join(folder, '.mcp.json')));
		const { status, stderr } = await run(call);
		expect(stderr).toMatch(/^\.mcp\.json cannot be read as JSON: .*\nServer: /);
		expect(status).toBe(0);
		const named = await run(['record', 'clerk', ...call.slice(2)]);
		expect(named).toMatchObject({
			status: 2,
			stderr: expect.stringMatching(/^\.mcp\.json cannot be read as JSON: .*\n$/),
		});
	});

	it('says which server it starts before that, which may take a minute or fail', async () => {
		const { folder, run } = program();
		await writeFile(join(folder, 'dies.mjs'), 'console.error("No key.");');
		const { status, stderr } = await run(['record', 'node dies.mjs', 'act', '--timeline', 'the.jsonl']);
		expect(stderr).toMatch(
			/^Server: .*node dies\.mjs \(in .*\)\nThe server exited with code 0\. It wrote:\nNo key\.\n$/,
		);
		expect(status).toBe(2);
	});

	it('makes no call where both files would be the same', async () => {
		expect(await program().run([...call, '--scenario', './the.jsonl'])).toEqual({
			status: 2,
			stdout: '',
			stderr: '--timeline and --scenario name the same file. Name one for each.\n',
		});
	});

	it('cancels what nobody can respond to, and says so', async () => {
		const { status, stdout, stderr } = await program().run(call);
		expect(stdout).toContain('{\\"action\\":\\"cancel\\"}');
		expect(stderr).toContain('Cancelled, because nobody can respond here: How many?');
		expect(status).toBe(0);
	});

	it('prints the result as JSON that says the same, without characters that control a terminal', async () => {
		const { folder, run } = program();
		const content = { name: '\u009b2J\u202egnp' };
		await writeFile(join(folder, 'answers.json'), JSON.stringify([{ action: 'accept', content }]));
		const params = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
		const args = ['record', server, 'ask', JSON.stringify({ params }), '--timeline', 'the.jsonl'];
		const { stdout } = await run([...args, '--answers', 'answers.json']);
		expect(JSON.parse(stdout).structuredContent).toEqual({ action: 'accept', content });
		expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
	});

	it('has scripted answers also for what a server requests while it starts', async () => {
		const { folder, run } = program();
		await writeFile(join(folder, 'three.json'), '[{"action": "accept", "content": {"n": 3}}]');
		const early = `"${process.execPath}" "${join(import.meta.dirname, 'peers/early.mjs')}"`;
		const { stdout } = await run(['record', early, 'act', '--timeline', 'the.jsonl', '--answers', 'three.json']);
		expect(stdout).toContain('{\\"action\\":\\"accept\\",\\"content\\":{\\"n\\":3}}');
		// Nothing had to wait until its time limit.
		expect(await written('the.jsonl')).not.toContain('notifications/cancelled');
	});

	it('says which scripted answer was not sent because the schema forbids it', async () => {
		const { folder, run } = program();
		await writeFile(join(folder, 'wrong.json'), '[{"action": "accept", "content": {"n": "many"}}]');
		const { stderr } = await run([...call, '--answers', 'wrong.json']);
		expect(stderr).toMatch(/answer 1: Its response does not match the server's schema\. .*\n.*nobody can respond/);
	});

	it('says what in the scripted answers has no effect', async () => {
		const { folder, run } = program();
		await writeFile(join(folder, 'typo.json'), '[{"action": "decline"}, {"mesage": "Who?", "action": "accept"}]');
		const { status, stderr } = await run([...call, '--answers', 'typo.json']);
		expect(stderr).toContain('In "typo.json", "1.mesage" is unknown and has no effect. Did you mean "message"?\n');
		expect(status).toBe(0);
	});

	it('fails if a response cannot be delivered, instead of waiting for somebody to send it again', async () => {
		const rawServer = await RawHttpServer.open();
		onTestFinished(() => rawServer.close());
		rawServer.refusePosts = ({ method }) => (method === undefined ? { status: 503 } : undefined);
		void rawServer.expect('tools/call').then((request) => rawServer.ask(form, request));
		const url = String(rawServer.definition['url']);
		const { status, stdout } = await program().run(['record', url, 'act', '{}', '--timeline', 'the.jsonl']);
		expect(stdout).toContain('A response could not be delivered.');
		expect(status).toBe(1);
	});

	it('goes on if the server withdraws its request while the response is on its way', async () => {
		const rawServer = await RawHttpServer.open();
		onTestFinished(() => rawServer.close());
		rawServer.refusePosts = ({ method }) => (method === undefined ? { status: 503 } : undefined);
		const recording = program().run([
			'record',
			String(rawServer.definition['url']),
			'act',
			'{}',
			'--timeline',
			'a.jsonl',
		]);
		const request = await rawServer.expect('tools/call');
		const { id } = rawServer.ask(form, request);
		await rawServer.until(() => rawServer.log.includes('POST response'));
		rawServer.notify('notifications/cancelled', { requestId: id }, request);
		rawServer.finish(request);
		expect(await recording).toMatchObject({ status: 0 });
	});

	it('gives up a URL that an error requires and that scripted answers accept, because nobody opens it', async () => {
		const { folder, run } = program();
		await writeFile(join(folder, 'yes.json'), '[{"action": "accept"}]');
		const page = { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: '1' };
		const args = ['record', server, 'require-url', JSON.stringify({ entries: [page] }), '--answers', 'yes.json'];
		const { status, stdout } = await run([...args, '--scenario', 'url.json', '--timeline', 'url.jsonl']);
		expect(stdout).toContain('a URL that it requires was not opened or completed');
		expect(await written('url.jsonl')).toContain('-32042');
		expect(status).toBe(1);
		expect(await run(['run', 'url.json'])).toMatchObject({ status: 0 });
	});

	it('fails with the call, which is recorded nevertheless', async () => {
		const { run } = program();
		const failing = ['record', server, 'fail', '{"protocol": true}', '--scenario', 'failed.json'];
		expect(await run(failing)).toMatchObject({ status: 1 });
		expect(JSON.parse(await written('failed.json'))).toMatchObject({ expected: { error: { code: -32603 } } });
		expect(await run(['run', 'failed.json'])).toMatchObject({ status: 0 });
		expect(await run(['record', server, 'fail', '{}', '--timeline', 'failed.jsonl'])).toMatchObject({
			status: 1,
			stdout: expect.stringContaining('It failed as a tool.'),
		});
	});

	it('stops a call at the round limit, which nobody can raise here, and says so (R07)', async () => {
		const { folder, run } = program();
		await writeFile(join(folder, 'yes.json'), '[{"action": "accept"}]');
		const endless = ['record', `"${process.execPath}" "${testServer('sdk2.mjs')}"`, 'rounds', '{}'];
		const { status, stderr } = await run([...endless, '--timeline', 'endless.jsonl', '--answers', 'yes.json']);
		expect(stderr).toContain('"rounds" requested input 10 times without finishing.');
		expect(status).toBe(1);
	});

	it('could not run without a file to write, or with answers that cannot be read', async () => {
		const { folder, run } = program();
		await writeFile(join(folder, 'bad.json'), '[{"action": "maybe"}]');
		for (const [args, why] of [
			[call.slice(0, 4), /Nothing would be recorded/],
			[[...call, '--answers', 'bad.json'], /In "bad\.json", "0\.action" must be one of/],
		] as const) {
			const { status, stderr } = await run(args);
			expect(stderr).toMatch(why);
			expect(status).toBe(2);
		}
	});

	it('could not run with a server that requires a sign-in, and says what to do instead', async () => {
		const authorization = await authorizationServer();
		const server = await protectedServer(authorization);
		onTestFinished(() => Promise.all([authorization.stop(), server.stop()]).then(() => {}));
		const { status, stderr } = await program().run(['record', server.url, 'act', '{}', '--timeline', 'the.jsonl']);
		expect(stderr).toMatch(/requires a sign-in at .* not possible here; define a header with an access token\.\n$/);
		expect(status).toBe(2);
	});

	it('makes no call if a file cannot be written', async () => {
		const { folder, run } = program();
		await mkdir(join(folder, 'folder'));
		for (const [option, path] of [
			['--timeline', 'nowhere/the.jsonl'],
			['--scenario', 'nowhere/the.json'],
			['--scenario', 'folder'],
			['--timeline', 'wrong.json/the.jsonl'],
		] as const) {
			const { status, stdout, stderr } = await run([...call.slice(0, 4), option, path]);
			expect(stderr).toMatch(/^"[^"]+" could not be written: .* Check its path\.\n$/);
			expect([status, stdout]).toEqual([2, '']);
		}
	});

	it('has the result and the timeline of a call that cannot become a scenario, and says why not', async () => {
		const { run } = program();
		const peer = join(import.meta.dirname, 'peers/hanging.mjs');
		const files = ['--timeline', 'crashed.jsonl', '--scenario', 'crashed.json'];
		const { status, stdout, stderr } = await run(['record', `"${process.execPath}" "${peer}"`, 'crash', ...files]);
		expect(stdout).toMatch(/exited with code 3/);
		expect(stderr).toMatch(/The call cannot become a scenario\. /);
		expect(await written('crashed.jsonl')).toContain('tools/call');
		expect(status).toBe(2);
	});
});
