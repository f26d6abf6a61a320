import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerDefinition } from '../../../src/config/definition.ts';
import type { Connection } from '../../../src/mcp/index.ts';
import type { RecordedCase } from '../../../src/trace/case/recordedCase.ts';
import { scenarioFile } from '../../../src/trace/case/scenario.ts';
import { itByNight, variants } from '../../nightly.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, MODERN } from '../../rawServer/rawServer.ts';
import { define, everything, listening, stdio, type TestClient, testClients, testServer } from '../mcp/testClient.ts';
import { mirroring } from '../trace/case/peers/mirroring.ts';
import { accept, caseOf, clerk, recordedCall, repeating, SECRETS, visit } from '../trace/case/stage.ts';
import { commandLine, ending, execute, node } from './commandLine.ts';

const world = testClients();
const program = commandLine();
const sdk1 = stdio('sdk1', testServer('sdk1.mjs'));

/** Writes a scenario into the current folder of the program. */
async function saved(recorded: RecordedCase, name = 'the.scenario.json'): Promise<string> {
	await program().write(name, scenarioFile(recorded, '.'));
	return name;
}

/** Expects a scenario of each call to pass. */
async function pass(recorded: readonly RecordedCase[]): Promise<void> {
	const files = await Promise.all(recorded.map((each, index) => saved(each, `passing${index}.json`)));
	const ran = await program().run(['run', ...files]);
	expect(ran).toEqual(ending(0, new RegExp(`^${recorded.length} passed, 0 failed`, 'm')));
}

const form = (message: string) => ({
	message,
	requestedSchema: { type: 'object', properties: { n: { type: 'integer', default: 1 } } },
});

const decline = async (here: TestClient) => void (await here.asked())[0].decline();

describe.each([
	['with sessions', []],
	['without sessions', ['modern']],
])('a scenario of a server %s', (_, args) => {
	const usual = () => visit(world(), stdio('clerk', clerk, args, { env: { MOOD: 'usual' } }));

	it('passes while the server does what it did, whatever differs on every run', async () => {
		const file = await saved(await usual());
		expect(await program().run(['run', file], { ...SECRETS, MOOD: 'usual' })).toEqual(
			ending(0, /^✔ take · the\.scenario\.json \(\d+\.\d s\)\n1 passed, 0 failed, 0 could not run\n$/, ''),
		);
	});

	it.each(
		variants<readonly [string, RegExp]>(
			['elicitation', /requests\.0\.message\n\s+expected: "Who is at the door\?[^\n]*\n\s+actual: "Who are you\?"/],
			['schema', /requests\.0\.requestedSchema\.properties\.name\.maxLength\n\s+unexpected: 3/],
			['more', /requests\n\s+unexpected: \{/],
			['result', /outcome\.result\.content\.1\.text\n\s+expected: "\{.*good.*\n\s+actual: .*bad/],
			['gone', /The server exited|exit code 3|ended/],
		),
	)('fails and says what differs: %s', async (mood, difference) => {
		const file = await saved(await usual());
		const ran = await program().run(['run', file], { ...SECRETS, MOOD: mood });
		expect(ran).toEqual(ending(1, difference));
		expect(ran.stdout).not.toMatch(/planted|4711/);
	});

	it('could not run without the variables that stand for secrets, or where the server does not start', async () => {
		const recorded = await usual();
		const file = await saved(recorded);
		const { run } = program();
		expect(await run(['run', file], { MOOD: 'usual', MCP_TEST_PIN: '1' })).toEqual(
			ending(2, /The environment lacks MCP_TEST_BADGE, MCP_TEST_DOOR_CODE\./),
		);
		expect(await run(['run', file], { ...SECRETS, MOOD: 'usual', MCP_TEST_PIN: 'many' })).toEqual(
			ending(2, /The environment variable MCP_TEST_PIN is not a number\./),
		);
		const server = { ...recorded.server, args: ['no-such-file.mjs'] } as RecordedCase['server'];
		const gone = await saved({ ...recorded, server }, 'gone.json');
		const unlike = await saved({ ...recorded, expected: { result: { content: [] } } }, 'unlike.json');
		expect(await run(['run', gone, unlike, file], { ...SECRETS, MOOD: 'usual' })).toEqual(
			ending(2, /^! take · gone[\s\S]*no-such-file[\s\S]*\n1 passed, 1 failed, 1 could not run\n$/),
		);
	});

	it('fails if a recorded request does not come', async () => {
		const recorded = await usual();
		const asked = { mode: 'form', message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };
		const further = { turn: 2, asked, answer: { action: 'decline' } };
		const file = await saved({ ...recorded, elicitations: [...recorded.elicitations, further] });
		expect(await program().run(['run', file], { ...SECRETS, MOOD: 'usual' })).toEqual(
			ending(1, /^✘ [^\n]*\n +requests\.1\n +expected: \{[^\n]*"Sure\?"[^\n]*\n +missing\n/),
		);
	});
});

describe('a run', () => {
	it('repeats every kind of call over HTTP: together, prompts, resources, rounds', async () => {
		const servers = await Promise.all(
			['sdk1.mjs', 'sdk2.mjs'].map((name) => listening(testServer(name), '--http', '0')),
		);
		onTestFinished(() => {
			for (const server of servers) {
				server.stop();
			}
		});
		const [session, stateless] = servers.map(({ url }) => define('http', { url })) as [
			ServerDefinition,
			ServerDefinition,
		];
		const here = world();
		here.registry.onDidReachRoundLimit((limit) => limit.decide(true));
		const name = accept({ name: 'Ada' });
		await pass([
			await recordedCall(
				here,
				session,
				(each) => each.callTool('ask-many', { params: [form('1'), form('2')] }),
				async () => {
					const [first, second] = await here.asked(2);
					second?.accept({ n: 2 });
					first.decline();
				},
			),
			await recordedCall(here, session, (each) => each.getPrompt('greet', { language: 'en' }), name),
			await recordedCall(here, stateless, (each) => each.readResource('test://greetings/ä%20b'), name),
			await recordedCall(here, stateless, (each) => each.callTool('rounds', { count: 2 }), accept({ name: 'a' }, {})),
			await recordedCall(
				here,
				stateless,
				(each) => each.callTool('rounds', { count: 11 }),
				accept(...Array(11).fill({})),
			),
		]);
	});

	it('repeats errors, URL elicitations that an error requires, and tasks of both eras', async () => {
		const here = world();
		const page = { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: '1' };
		const order = (each: Connection) => each.callTool('order', {});
		const tasks = (revision: string) =>
			recordedCall(here, stdio('tasks', testServer('tasks.mjs'), [revision]), order, accept({ name: 'Ada' }));
		await pass([
			await recordedCall(
				here,
				sdk1,
				(each) => each.callTool('ask', { params: form('No') }),
				async () => void (await here.asked())[0].respond({ action: 'error', code: -32000, message: 'No, on purpose.' }),
			),
			await recordedCall(here, sdk1, (each) => each.callTool('require-url', { entries: [page] }), decline),
			await tasks(LEGACY),
			await tasks(MODERN),
		]);
	});

	it('lets a server request input as a task, as it did in the recording', async () => {
		const params = { ...form('Who?'), task: { ttl: 60_000 } };
		const recorded = await recordedCall(world(), sdk1, (each) => each.callTool('ask', { params }), decline);
		expect(recorded.expected).toMatchObject({ result: { structuredContent: { task: { status: 'working' } } } });
		await pass([recorded]);
	});

	it('repeats the requests of a server that chooses a revision without elicitation', async () => {
		const { run } = program();
		const revision = '2025-03-26';
		const old = join(import.meta.dirname, 'peers/old.mjs');
		const asked = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
		const recorded = caseOf({
			...{ name: 'old', revision },
			server: { type: 'stdio', command: process.execPath, args: [old], cwd: '‹workspaceFolder›', env: {} },
			elicitations: [{ turn: 1, asked, answer: { action: 'decline' } }],
			expected: { result: { content: [{ type: 'text', text: 'decline' }], isError: false } },
		});
		const file = await saved(recorded);
		expect(await run(['run', file])).toEqual(ending(0, /1 passed/));
		expect(await run(['run', await saved({ ...recorded, revision: LEGACY }, 'later.json')])).toEqual(
			ending(2, /\n {4}The server does not support protocol revision 2025-11-25; it supports 2025-03-26\.\n0 passed/),
		);
		expect(await run(['run', file, '--command', node(testServer('sdk1.mjs'))])).toEqual(
			ending(2, /The server speaks revision 2025-11-25, not 2025-03-26\./),
		);
	});

	it.each([
		[503, /503/],
		[404, /The session with the server has expired\./],
	])('says why a response could not be delivered, without waiting for the call: status %i', async (code, why) => {
		const rawServer = await RawHttpServer.open();
		onTestFinished(() => rawServer.close());
		rawServer.refusePosts = ({ method }) => (method === undefined ? { status: code } : undefined);
		void rawServer.expect('tools/call').then((request) => rawServer.ask(form('How many?'), request));
		const scenario = caseOf({
			server: { type: 'http', url: String(rawServer.definition['url']), headers: {} },
			elicitations: [{ turn: 1, asked: { mode: 'form', ...form('How many?') }, answer: { action: 'decline' } }],
		});
		const ran = await program().run(['run', await saved(scenario)]);
		expect(ran).toEqual(ending(1, /A response could not be delivered\./));
		expect(ran.stdout).toMatch(why);
		expect(ran.stdout).not.toContain('did not end within');
	});

	it('goes on where the server repeats a URL until it is completed, as it did in the recording', async () => {
		const here = world();
		const enter = (each: Connection) => each.callTool('enter', {});
		const recorded = await recordedCall(here, stdio('repeating', repeating), enter, async () => {
			const [page] = await here.asked();
			void page.outcome.then(() => setImmediate(() => page.retried()));
			page.opened();
		});
		expect(recorded).toMatchObject({
			elicitations: { length: 1 },
			expected: { result: { content: [{ text: 'accept' }] } },
		});
		await pass([recorded]);
	});

	it('sends arguments in headers, too, where the tool wants them there', async () => {
		const server = await mirroring();
		onTestFinished(() => server.stop());
		const go = (each: Connection) => each.callTool('go', { region: '东京', to: { loud: true } });
		const recorded = await recordedCall(world(), define('http', { url: server.url }), go);
		expect(recorded.expected).toEqual({ result: { content: [{ type: 'text', text: 'Done' }] } });
		await pass([recorded]);
	});

	itByNight('responds to an elicitation that is a task when the server asks for the result (K05)', async () => {
		const act = (each: Connection) => each.callTool('trigger-elicitation-request-async', {});
		const reference = stdio('everything', everything, ['stdio']);
		const recorded = await recordedCall(world(), reference, act, accept({ name: 'Ada' }));
		expect(JSON.stringify(recorded.expected)).toContain('[COMPLETED]');
		await pass([recorded]);
	});

	it('shows the message of an error that was not expected', async () => {
		const failing = (protocol: boolean) => recordedCall(world(), sdk1, (each) => each.callTool('fail', { protocol }));
		const [error, { expected }] = [await failing(true), await failing(false)];
		expect(await program().run(['run', await saved({ ...error, expected })])).toEqual(
			ending(
				1,
				/outcome\.error\n +unexpected: \{"code":-32603\}\n[\s\S]*responded with an error: .*failed as a request/,
			),
		);
	});

	it('uses the server that the person names: by its name, by a command line, or by a URL', async () => {
		const file = await saved(await visit(world(), stdio('clerk', clerk, [], { env: { MOOD: 'usual' } })));
		const { run, write } = program();
		const servers = { clerk: { command: process.execPath, args: [clerk], env: { MOOD: '${input:mood}' } } };
		await write('.mcp.json', { mcpServers: servers, inputs: [{ id: 'mood', type: 'promptString' }] });
		const named = ['run', file, '--server', 'clerk'];
		expect(await run(named, { ...SECRETS, MCP_TEST_MOOD: 'usual' })).toMatchObject({ status: 0 });
		expect(await run(named, SECRETS)).toMatchObject({
			status: 2,
			stderr: 'The server "clerk" needs a value for "${input:mood}". Set the environment variable MCP_TEST_MOOD.\n',
		});
		expect(await run(['run', file, '--server', 'clark'], SECRETS)).toEqual(ending(2, '', /Did you mean "clerk"\?/));
		expect(await run(['run', file, '--command', node(clerk)], SECRETS)).toMatchObject({ status: 0 });
		const server = await listening(testServer('sdk1.mjs'), '--http', '0');
		onTestFinished(() => server.stop());
		expect(await run(['run', file, '--url', server.url], SECRETS)).toEqual(ending(1, /outcome/));
	});

	it('quotes once what a server wrote that exits at its start', async () => {
		const { run, write } = program();
		await write('dies.mjs', 'console.error("Reading.\\nNo key."); process.exitCode = 3;');
		expect(await run(['matrix', 'node dies.mjs', 'act'])).toEqual(
			ending(2, '', /^The server exited with code 3\. It wrote:\nReading\.\nNo key\.\n$/),
		);
	});

	it.each([
		[
			'has no effect',
			'silent',
			/^In the definition of "silent", "header" is unknown and has no effect\. Did you mean "headers"\?\nNothing responds/,
		],
		['makes it unusable', 'wrong', /"wait" is unknown.*\n.* cannot be used: "command" must be a string/],
	])('says what in the definition of the server %s', async (_, name, said) => {
		const { run, write } = program();
		const servers = { silent: { url: 'http://127.0.0.1:1/', header: {} }, wrong: { wait: 1, command: 7 } };
		await write('.mcp.json', { mcpServers: servers });
		expect(await run(['matrix', name, 'act'])).toEqual(ending(2, '', said));
	});

	it.each<[args: readonly string[], why: RegExp, stdout?: RegExp]>([
		[['walk'], /There is no command "walk"\. Commands: run/],
		[['run'], /No scenario is named/],
		[['run', 'a', '--fast'], /Unknown option '--fast'[\s\S]*See "mcp-elicitation run --help"/],
		[['run', 'a', '--url', 'http://a', '--server', 'b'], /--server and --url exclude each other/],
		[['run', 'a', '--url', 'ftp://a'], /Enter an http: or https: address/],
		[['run', 'a', '--url', 'node server.mjs'], /^--url takes a URL, .* use --command\.\n$/],
		[['run', 'a', '--junit', '-x'], /use '--junit=-XYZ'\. See "mcp-elicitation run --help"\.\n$/],
		[['run', 'a', '--command', 'no-such-program x'], /The command "no-such-program" of the server was not found/],
		[['run', 'no-such-file'], /^$/, /There is no file/],
		[['run', '.'], /^$/, /could not be read: it is a folder\. Check its path/],
		[[], /^$/, /Usage: mcp-elicitation COMMAND/],
	])('explains arguments that make no sense: %j', async (args, stderr, stdout) => {
		expect(await program().run(args)).toEqual(ending(2, stdout ?? '', stderr));
	});

	it('has help, however it is asked for', async () => {
		const help = await program().run(['run', '--help']);
		expect(help).toEqual(ending(0, /--junit FILE/, ''));
		expect(await program().run(['help', 'run'])).toEqual(help);
	});

	it.skipIf(process.platform === 'win32')('could not run in a folder that is gone', async () => {
		const { folder, file } = program();
		const cwd = join(folder, 'gone');
		await mkdir(cwd);
		const leave = `rmdir '${cwd}' && exec "$0" "$@"`;
		expect(await execute('sh', ['-c', leave, process.execPath, file, 'run', 'a.json'], { cwd })).toEqual({
			...{ status: 2, stdout: '' },
			stderr: 'The current folder is gone or cannot be read. Change to another one.\n',
		});
	});
});
