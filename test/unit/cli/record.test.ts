import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RawHttpServer } from '../../rawServer/http.ts';
import { authorizationServer, protectedServer } from '../../servers/authorization.mjs';
import { testServer } from '../mcp/testClient.ts';
import { clerk, SECRETS } from '../trace/case/stage.ts';
import { commandLine, ending, node, peer } from './commandLine.ts';

const program = commandLine();

describe.each([
	['with sessions', []],
	['without sessions', ['modern']],
])('a recording of a server %s', (_, args) => {
	it('holds what scripted answers led to, without secrets, as a timeline and as a scenario that passes', async () => {
		const { run, read, write } = program();
		const servers = { clerk: { command: process.execPath, args: [clerk, ...args], env: { MOOD: '${env:MOOD}' } } };
		await write('.mcp.json', { mcpServers: servers });
		const content = { name: 'Ada', door_code: SECRETS.MCP_TEST_DOOR_CODE, pin: 4711 };
		await write('answers.json', [{ tool: 'take', action: 'accept', content }]);
		const recorded = await run(
			[
				...['record', 'clerk', 'take', JSON.stringify({ badge: SECRETS.MCP_TEST_BADGE })],
				...['--timeline', 'the.jsonl', '--scenario', 'the.json', '--answers', 'answers.json'],
			],
			{ MOOD: 'usual' },
		);
		expect(recorded).toEqual(ending(0, /Ada came at/, /^Server: .*clerk\.mjs.*\n$/));
		const timeline = await read('the.jsonl');
		const messages = timeline
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line));
		expect(messages.map(({ seq }) => seq)).toEqual(messages.map((__, index) => index));
		expect(messages.filter(({ call }) => call?.name === 'take').length).toBeGreaterThan(1);
		const scenario = await read('the.json');
		expect(JSON.parse(scenario)).toMatchObject({
			workspaceFolder: '.',
			server: { cwd: '‹workspaceFolder›', env: { MOOD: '‹MOOD›' } },
			params: { arguments: { badge: '‹MCP_TEST_BADGE›' } },
		});
		expect(recorded.stdout + timeline + scenario).not.toMatch(/planted/);
		expect(await run(['run', 'the.json'], { ...SECRETS, MOOD: 'usual' })).toMatchObject({ status: 0 });
	});
});

describe('a recording', () => {
	const form = { message: 'How many?', requestedSchema: { type: 'object', properties: { n: { type: 'integer' } } } };
	const server = node(testServer('sdk1.mjs'));
	const asking = ['record', server, 'ask', JSON.stringify({ params: form })];
	const call = [...asking, '--timeline', 'the.jsonl'];

	/** A server that takes no responses. */
	async function deafServer(): Promise<RawHttpServer> {
		const rawServer = await RawHttpServer.open();
		onTestFinished(() => rawServer.close());
		rawServer.refusePosts = ({ method }) => (method === undefined ? { status: 503 } : undefined);
		return rawServer;
	}
	const actOn = ({ definition }: RawHttpServer) =>
		program().run(['record', String(definition['url']), 'act', '{}', '--timeline', 'the.jsonl']);

	it('needs no definitions for a command line, and a name needs all of them', async () => {
		const { folder, run, write } = program();
		await write('.mcp.json', '{"mcpServers": {');
		onTestFinished(() => rm(join(folder, '.mcp.json')));
		expect(await run(call)).toEqual(ending(0, undefined, /^Server: /));
		const named = await run(['record', 'clerk', ...call.slice(2)]);
		expect(named).toEqual(ending(2, undefined, /^\.mcp\.json cannot be read: This is not JSON .*\n$/));
	});

	it('says which server it starts before that, which may take a minute or fail', async () => {
		const { run, write } = program();
		await write('dies.mjs', 'console.error("No key.");');
		const said = /^Server: .*node dies\.mjs \(in .*\)\nThe server exited with code 0\. It wrote:\nNo key\.\n$/;
		expect(await run(['record', 'node dies.mjs', 'act', '--timeline', 'the.jsonl'])).toEqual(ending(2, '', said));
	});

	it('cancels what nobody can respond to, and says so', async () => {
		const said = /Cancelled, because nobody can respond here: How many\?/;
		expect(await program().run(call)).toEqual(ending(0, /\{\\"action\\":\\"cancel\\"\}/, said));
	});

	it('prints the result as JSON that says the same, without characters that control a terminal', async () => {
		const { run, write } = program();
		const content = { name: '\u009b2J\u202egnp' };
		await write('answers.json', [{ action: 'accept', content }]);
		const params = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
		const args = ['record', server, 'ask', JSON.stringify({ params }), '--timeline', 'the.jsonl'];
		const { stdout } = await run([...args, '--answers', 'answers.json']);
		expect(JSON.parse(stdout).structuredContent).toEqual({ action: 'accept', content });
		expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
	});

	it('has scripted answers also for what a server requests while it starts', async () => {
		const { run, read, write } = program();
		await write('three.json', [{ action: 'accept', content: { n: 3 } }]);
		const args = ['record', peer('early'), 'act', '--timeline', 'the.jsonl', '--answers', 'three.json'];
		expect((await run(args)).stdout).toContain('{\\"action\\":\\"accept\\",\\"content\\":{\\"n\\":3}}');
		// Nothing had to wait until its time limit.
		expect(await read('the.jsonl')).not.toContain('notifications/cancelled');
	});

	it.each<[what: string, answers: object[], status: number, said: RegExp]>([
		[
			'was not sent because the schema forbids it',
			[{ action: 'accept', content: { n: 'many' } }],
			0,
			/answer 1: Its response does not match the server's schema\. .*\n.*nobody can respond/,
		],
		[
			'has no effect',
			[{ action: 'decline' }, { mesage: 'Who?', action: 'accept' }],
			0,
			/In "answers\.json", "1\.mesage" is unknown and has no effect\. Did you mean "message"\?\n/,
		],
		['cannot be read', [{ action: 'maybe' }], 2, /In "answers\.json", "0\.action" must be one of/],
	])('says which scripted answer %s', async (_, answers, status, said) => {
		const { run, write } = program();
		await write('answers.json', answers);
		expect(await run([...call, '--answers', 'answers.json'])).toEqual(ending(status, undefined, said));
	});

	it('fails if a response cannot be delivered, instead of waiting for somebody to send it again', async () => {
		const rawServer = await deafServer();
		void rawServer.expect('tools/call').then((request) => rawServer.ask(form, request));
		expect(await actOn(rawServer)).toEqual(ending(1, /A response could not be delivered\./));
	});

	it('goes on if the server withdraws its request while the response is on its way', async () => {
		const rawServer = await deafServer();
		const recording = actOn(rawServer);
		const request = await rawServer.expect('tools/call');
		const { id } = rawServer.ask(form, request);
		await rawServer.until(() => rawServer.log.includes('POST response'));
		rawServer.notify('notifications/cancelled', { requestId: id }, request);
		rawServer.finish(request);
		expect(await recording).toMatchObject({ status: 0 });
	});

	it('gives up a URL that an error requires and that scripted answers accept, because nobody opens it', async () => {
		const { run, read, write } = program();
		await write('yes.json', [{ action: 'accept' }]);
		const page = { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: '1' };
		const args = ['record', server, 'require-url', JSON.stringify({ entries: [page] }), '--answers', 'yes.json'];
		expect(await run([...args, '--scenario', 'url.json', '--timeline', 'url.jsonl'])).toEqual(
			ending(1, /a URL that it requires was not opened or completed/),
		);
		expect(await read('url.jsonl')).toContain('-32042');
		expect(await run(['run', 'url.json'])).toMatchObject({ status: 0 });
	});

	it('fails with the call, which is recorded nevertheless', async () => {
		const { run, read } = program();
		const failing = ['record', server, 'fail', '{"protocol": true}', '--scenario', 'failed.json'];
		expect(await run(failing)).toMatchObject({ status: 1 });
		expect(JSON.parse(await read('failed.json'))).toMatchObject({ expected: { error: { code: -32603 } } });
		expect(await run(['run', 'failed.json'])).toMatchObject({ status: 0 });
		const asTool = await run(['record', server, 'fail', '{}', '--timeline', 'failed.jsonl']);
		expect(asTool).toEqual(ending(1, /It failed as a tool\./));
	});

	it('stops a call at the round limit, which nobody can raise here, and says so (R07)', async () => {
		const { run, write } = program();
		await write('yes.json', [{ action: 'accept' }]);
		const endless = ['record', node(testServer('sdk2.mjs')), 'rounds', '{}'];
		expect(await run([...endless, '--timeline', 'endless.jsonl', '--answers', 'yes.json'])).toEqual(
			ending(1, undefined, /"rounds" requested input 10 times without finishing\./),
		);
	});

	it('could not run with a server that requires a sign-in, and says what to do instead', async () => {
		const authorization = await authorizationServer();
		const { url, stop } = await protectedServer(authorization);
		onTestFinished(() => Promise.all([authorization.stop(), stop()]).then(() => {}));
		const said = /requires a sign-in at .* not possible here; define a header with an access token\.\n$/;
		expect(await program().run(['record', url, 'act', '{}', '--timeline', 'the.jsonl'])).toEqual(ending(2, '', said));
	});

	const unwritable = /^"[^"]+" could not be written: .* Check its path\.\n$/;

	it.each<[why: string, options: readonly string[], said: RegExp]>([
		['there is no folder of its timeline', ['--timeline', 'nowhere/the.jsonl'], unwritable],
		['there is no folder of its scenario', ['--scenario', 'nowhere/the.json'], unwritable],
		['its scenario is a folder', ['--scenario', 'folder'], unwritable],
		['a folder of its timeline is a file', ['--timeline', 'file.json/the.jsonl'], unwritable],
		['it has no file', [], /Nothing would be recorded/],
		[
			'both files would be the same',
			['--timeline', 'the.jsonl', '--scenario', './the.jsonl'],
			/^--timeline and --scenario name the same file\. Name one for each\.\n$/,
		],
	])('makes no call if %s', async (_, options, said) => {
		const { folder, run, write } = program();
		await mkdir(join(folder, 'folder'), { recursive: true });
		await write('file.json', {});
		expect(await run([...asking, ...options])).toEqual(ending(2, '', said));
	});

	it('has the result and the timeline of a call that cannot become a scenario, and says why not', async () => {
		const { run, read } = program();
		const files = ['--timeline', 'crashed.jsonl', '--scenario', 'crashed.json'];
		expect(await run(['record', peer('hanging'), 'crash', ...files])).toEqual(
			ending(2, /exited with code 3/, /The call cannot become a scenario\. /),
		);
		expect(await read('crashed.jsonl')).toContain('tools/call');
	});
});
