import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ServerDefinition } from '../../../src/config/definition.ts';
import type { RecordedCase } from '../../../src/trace/case/recordedCase.ts';
import { scenarioFile } from '../../../src/trace/case/scenario.ts';
import { variants } from '../../nightly.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { define, listening, stdio, testClients, testServer } from '../mcp/testClient.ts';
import { accept, clerk, recordedCall, SECRETS, visit } from '../trace/case/stage.ts';
import { commandLine, execute } from './commandLine.ts';

const world = testClients();
const program = commandLine();

/** Writes a scenario into the current folder of the program. */
async function saved(recorded: RecordedCase, name = 'the.scenario.json'): Promise<string> {
	await writeFile(
		join(program().folder, name),
		scenarioFile(recorded, { file: name, workspaceFolder: { relative: '.' } }),
	);
	return name;
}

describe.each([
	['with sessions', []],
	['without sessions', ['modern']],
])('a scenario of a server %s', (_, args) => {
	const usual = () => visit(world(), stdio('clerk', clerk, args, { env: { MOOD: 'usual' } }));

	it('passes while the server does what it did, whatever differs on every run', async () => {
		const file = await saved(await usual());
		const { status, stdout, stderr } = await program().run(['run', file], { ...SECRETS, MOOD: 'usual' });
		expect(stdout).toMatch(/^✔ take · the\.scenario\.json \(\d+\.\d s\)\n1 passed, 0 failed, 0 could not run\n$/);
		expect([status, stderr]).toEqual([0, '']);
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
		const { status, stdout } = await program().run(['run', file], { ...SECRETS, MOOD: mood });
		expect(stdout).toMatch(difference);
		expect(stdout).not.toMatch(/planted|4711/);
		expect(status).toBe(1);
	});

	it('could not run without the variables that stand for secrets, or where the server does not start', async () => {
		const recorded = await usual();
		const file = await saved(recorded);
		const { status, stdout } = await program().run(['run', file], { MOOD: 'usual', MCP_TEST_PIN: '1' });
		expect(stdout).toContain('The environment lacks MCP_TEST_BADGE, MCP_TEST_DOOR_CODE.');
		expect(status).toBe(2);
		const wrongPin = await program().run(['run', file], { ...SECRETS, MOOD: 'usual', MCP_TEST_PIN: 'many' });
		expect(wrongPin.stdout).toContain('The environment variable MCP_TEST_PIN is not a number.');
		expect(wrongPin.status).toBe(2);
		const { server } = JSON.parse(await readFile(join(program().folder, file), 'utf8'));
		const gone = await saved({ ...recorded, server: { ...server, args: ['no-such-file.mjs'] } }, 'gone.json');
		const unlike = await saved({ ...recorded, expected: { result: { content: [] } } }, 'unlike.json');
		const ran = await program().run(['run', gone, unlike, file], { ...SECRETS, MOOD: 'usual' });
		expect(ran.stdout).toMatch(/^! take · gone[\s\S]*no-such-file[\s\S]*\n1 passed, 1 failed, 1 could not run\n$/);
		expect(ran.status).toBe(2);
	});

	it('fails if a recorded request does not come', async () => {
		const recorded = await usual();
		const asked = { mode: 'form', message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };
		const further = { turn: 2, asked, answer: { action: 'decline' } };
		const file = await saved({ ...recorded, elicitations: [...recorded.elicitations, further] });
		const { status, stdout } = await program().run(['run', file], { ...SECRETS, MOOD: 'usual' });
		expect(stdout).toMatch(/^✘ [^\n]*\n +requests\.1\n +expected: \{[^\n]*"Sure\?"[^\n]*\n +missing\n/);
		expect(status).toBe(1);
	});
});

describe('a run', () => {
	const form = (message: string) => ({
		message,
		requestedSchema: { type: 'object', properties: { n: { type: 'integer', default: 1 } } },
	});

	it('repeats every kind of call over HTTP: together, prompts, resources, rounds', async () => {
		const servers = await Promise.all(
			['sdk1.mjs', 'sdk2.mjs'].map((name) => listening(testServer(name), '--http', '0')),
		);
		try {
			const [sdk1, sdk2] = servers.map(({ url }) => define('http', { url })) as [ServerDefinition, ServerDefinition];
			const here = world();
			const name = accept({ name: 'Ada' });
			here.registry.onDidReachRoundLimit((limit) => limit.decide(true));
			const recorded = [
				await recordedCall(
					here,
					sdk1,
					(each) => each.callTool('ask-many', { params: [form('1'), form('2')] }),
					async () => {
						const [first, second] = await here.asked(2);
						second?.accept({ n: 2 });
						first.decline();
					},
				),
				await recordedCall(here, sdk1, (each) => each.getPrompt('greet', { language: 'en' }), name),
				await recordedCall(here, sdk2, (each) => each.readResource('test://greetings/ä%20b'), name),
				await recordedCall(here, sdk2, (each) => each.callTool('rounds', { count: 2 }), accept({ name: 'a' }, {})),
				await recordedCall(here, sdk2, (each) => each.callTool('rounds', { count: 11 }), accept(...Array(11).fill({}))),
			];
			const files = await Promise.all(recorded.map((each, index) => saved(each, `http${index}.scenario.json`)));
			const { status, stdout } = await program().run(['run', ...files]);
			expect(stdout).toContain('5 passed, 0 failed');
			expect(status).toBe(0);
		} finally {
			for (const server of servers) {
				server.stop();
			}
		}
	});

	it('repeats errors, URL elicitations that an error requires, and tasks of both eras', async () => {
		const here = world();
		const sdk1 = stdio('sdk1', testServer('sdk1.mjs'));
		const refused = await recordedCall(
			here,
			sdk1,
			(each) => each.callTool('ask', { params: form('No') }),
			async () => {
				const [request] = await here.asked();
				request.fail(-32000, 'No, on purpose.');
			},
		);
		const page = { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: '1' };
		const required = await recordedCall(
			here,
			sdk1,
			(each) => each.callTool('require-url', { entries: [page] }),
			async () => {
				const [request] = await here.asked();
				request.decline();
			},
		);
		const tasks = (revision: string) =>
			recordedCall(
				here,
				stdio('tasks', testServer('tasks.mjs'), [revision]),
				(each) => each.callTool('order', {}),
				accept({ name: 'Ada' }),
			);
		const recorded = [refused, required, await tasks('2025-11-25'), await tasks('2026-07-28')];
		const files = await Promise.all(recorded.map((each, index) => saved(each, `error${index}.scenario.json`)));
		const { status, stdout } = await program().run(['run', ...files]);
		expect(stdout).toContain('4 passed, 0 failed');
		expect(status).toBe(0);
	});

	it('lets a server request input as a task, as it did in the recording', async () => {
		const here = world();
		const recorded = await recordedCall(
			here,
			stdio('sdk1', testServer('sdk1.mjs')),
			(each) => each.callTool('ask', { params: { ...form('Who?'), task: { ttl: 60_000 } } }),
			async () => {
				const [request] = await here.asked();
				request.decline();
			},
		);
		expect(recorded.expected).toMatchObject({ result: { structuredContent: { task: { status: 'working' } } } });
		expect(await program().run(['run', await saved(recorded)])).toMatchObject({ status: 0 });
	});

	it('repeats the requests of a server that chooses a revision without elicitation', async () => {
		const { folder, run } = program();
		const revision = '2025-03-26';
		const params = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
		const lines = [
			'const send = (m) => console.log(JSON.stringify({ jsonrpc: "2.0", ...m }));',
			'require("readline").createInterface({ input: process.stdin }).on("line", (line) => {',
			'  const { id, method, result } = JSON.parse(line);',
			`  const init = { protocolVersion: "${revision}", capabilities: { tools: {} }, serverInfo: { name: "old", version: "1" } };`,
			'  if (method === "initialize") send({ id, result: init });',
			`  else if (method === "tools/call") { call = id; send({ id: 1, method: "elicitation/create", params: ${JSON.stringify(params)} }); }`,
			'  else if (method === undefined) send({ id: call, result: { content: [{ type: "text", text: result?.action ?? "none" }] } });',
			'  else if (id !== undefined) send({ id, error: { code: -32601, message: "No" } });',
			'});',
		];
		await writeFile(join(folder, 'old.cjs'), `let call;\n${lines.join('\n')}\n`);
		const recorded: RecordedCase = {
			...{ name: 'old', revision, method: 'tools/call', params: { name: 'old', arguments: {} }, isTask: false },
			server: { type: 'stdio', command: process.execPath, args: ['old.cjs'], cwd: '‹workspaceFolder›', env: {} },
			capabilities: { elicitation: { form: {}, url: {} } },
			elicitations: [{ turn: 1, asked: { mode: 'form', ...params }, answer: { action: 'decline' } }],
			expected: { result: { content: [{ type: 'text', text: 'decline' }] } },
			variables: [],
		};
		const file = await saved(recorded);
		expect(await run(['run', file])).toMatchObject({ status: 0, stdout: expect.stringContaining('1 passed') });
		const later = await saved({ ...recorded, revision: '2025-11-25' }, 'later.json');
		expect((await run(['run', later])).stdout).toContain(
			`\n    The server does not support protocol revision 2025-11-25; it supports ${revision}.\n0 passed`,
		);
		const newer = `"${process.execPath}" "${testServer('sdk1.mjs')}"`;
		expect(await run(['run', file, '--command', newer])).toMatchObject({
			status: 2,
			stdout: expect.stringContaining(`The server speaks revision 2025-11-25, not ${revision}.`),
		});
	});

	it.each([
		[503, /503/],
		[404, /The session with the server has expired\./],
	])('says why a response could not be delivered, without waiting for the call: status %i', async (code, why) => {
		const rawServer = await RawHttpServer.open();
		onTestFinished(() => rawServer.close());
		rawServer.refusePosts = ({ method }) => (method === undefined ? { status: code } : undefined);
		void rawServer.expect('tools/call').then((request) => rawServer.ask(form('How many?'), request));
		const url = String(rawServer.definition['url']);
		const file = await saved({
			...{ name: 'act', revision: '2025-11-25', method: 'tools/call', isTask: false },
			params: { name: 'act', arguments: {} },
			server: { type: 'http', url, headers: {} },
			capabilities: { elicitation: { form: {}, url: {} } },
			elicitations: [{ turn: 1, asked: { mode: 'form', ...form('How many?') }, answer: { action: 'decline' } }],
			expected: { result: { content: [] } },
			variables: [],
		});
		const { status, stdout } = await program().run(['run', file]);
		expect(stdout).toContain('A response could not be delivered.');
		expect(stdout).toMatch(why);
		expect(stdout).not.toContain('did not end within');
		expect(status).toBe(1);
	});

	it('goes on where the server repeats a URL until it is completed, as it did in the recording', async () => {
		const { folder, run } = program();
		const revision = '2026-07-28';
		const page = { mode: 'url', message: 'Sign in', url: 'https://example.com/in' };
		const lines = [
			'require("readline").createInterface({ input: process.stdin }).on("line", (line) => {',
			'  const { id, method, params } = JSON.parse(line);',
			'  const { requestState: state, inputResponses: responses } = params;',
			`  const page = { method: "elicitation/create", params: ${JSON.stringify(page)} };`,
			'  const results = {',
			`    "server/discover": { supportedVersions: ["${revision}"], capabilities: { tools: {} }, resultType: "complete" },`,
			'    "tools/list": { tools: [{ name: "enter", inputSchema: { type: "object" } }], resultType: "complete" },',
			'    "tools/call": state === "2"',
			'      ? { content: [{ type: "text", text: responses.page.action }], resultType: "complete" }',
			'      : { inputRequests: { page }, requestState: state ? "2" : "1", resultType: "input_required" },',
			'  };',
			'  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));',
			'});',
		];
		await writeFile(join(folder, 'repeating.cjs'), `${lines.join('\n')}\n`);
		const file = await saved({
			...{ name: 'enter', revision, method: 'tools/call', params: { name: 'enter', arguments: {} }, isTask: false },
			server: { type: 'stdio', command: process.execPath, args: ['repeating.cjs'], cwd: '‹workspaceFolder›', env: {} },
			capabilities: { elicitation: { form: {}, url: {} } },
			elicitations: [{ turn: 1, asked: page, answer: { action: 'accept' } }],
			expected: { result: { content: [{ type: 'text', text: 'accept' }] } },
			variables: [],
		});
		expect(await run(['run', file])).toMatchObject({ status: 0, stdout: expect.stringContaining('1 passed') });
	});

	it('shows the message of an error that was not expected', async () => {
		const sdk1 = stdio('sdk1', testServer('sdk1.mjs'));
		const failing = (protocol: boolean) =>
			recordedCall(
				world(),
				sdk1,
				(each) => each.callTool('fail', { protocol }),
				async () => {},
			);
		const [error, { expected }] = [await failing(true), await failing(false)];
		const { status, stdout } = await program().run(['run', await saved({ ...error, expected })]);
		expect(stdout).toMatch(
			/outcome\.error\n +unexpected: \{"code":-32603\}\n[\s\S]*responded with an error: .*failed as a request/,
		);
		expect(status).toBe(1);
	});

	it('uses the server that the person names: by its name, by a command line, or by a URL', async () => {
		const file = await saved(await visit(world(), stdio('clerk', clerk, [], { env: { MOOD: 'usual' } })));
		const { folder, run } = program();
		const env = { MOOD: '${input:mood}' };
		const servers = { clerk: { command: process.execPath, args: [clerk], env } };
		const inputs = [{ id: 'mood', type: 'promptString' }];
		await writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers, inputs }));
		const line = `"${process.execPath}" "${clerk}"`;
		expect(await run(['run', file, '--server', 'clerk'], { ...SECRETS, MCP_TEST_MOOD: 'usual' })).toMatchObject({
			status: 0,
		});
		expect(await run(['run', file, '--server', 'clerk'], SECRETS)).toMatchObject({
			status: 2,
			stderr: 'The server "clerk" needs a value for "${input:mood}". Set the environment variable MCP_TEST_MOOD.\n',
		});
		expect(await run(['run', file, '--server', 'clark'], SECRETS)).toMatchObject({
			status: 2,
			stderr: expect.stringContaining('Did you mean "clerk"?'),
		});
		expect(await run(['run', file, '--command', line], SECRETS)).toMatchObject({ status: 0 });
		const server = await listening(testServer('sdk1.mjs'), '--http', '0');
		try {
			const ran = await run(['run', file, '--url', server.url], SECRETS);
			expect(ran).toMatchObject({ status: 1, stdout: expect.stringContaining('outcome') });
		} finally {
			server.stop();
		}
	});

	it('quotes once what a server wrote that exits at its start', async () => {
		const { folder, run } = program();
		await writeFile(join(folder, 'dies.mjs'), 'console.error("Reading.\\nNo key."); process.exitCode = 3;');
		expect(await run(['matrix', 'node dies.mjs', 'act'])).toEqual({
			...{ status: 2, stdout: '' },
			stderr: 'The server exited with code 3. It wrote:\nReading.\nNo key.\n',
		});
	});

	it('says what in the definition of the server has no effect, and why it cannot be used', async () => {
		const { folder, run } = program();
		const servers = { silent: { url: 'http://127.0.0.1:1/', header: {} }, wrong: { wait: 1, command: 7 } };
		await writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
		const { status, stderr } = await run(['matrix', 'silent', 'act']);
		expect(stderr).toMatch(
			/^In the definition of "silent", "header" is unknown and has no effect\. Did you mean "headers"\?\nNothing responds/,
		);
		expect(status).toBe(2);
		expect(await run(['matrix', 'wrong', 'act'])).toMatchObject({
			stderr: expect.stringMatching(/"wait" is unknown.*\n.* cannot be used: "command" must be a string/),
		});
	});

	it('explains arguments that make no sense', async () => {
		const { run } = program();
		for (const [args, why] of [
			[['walk'], /There is no command "walk"\. Commands: run/],
			[['run'], /No scenario is named/],
			[['run', 'a', '--fast'], /Unknown option '--fast'[\s\S]*See "mcp-elicitation run --help"/],
			[['run', 'a', '--url', 'http://a', '--server', 'b'], /--server and --url exclude each other/],
			[['run', 'a', '--url', 'ftp://a'], /Enter an http: or https: address/],
			[['run', 'a', '--url', 'node server.mjs'], /^--url takes a URL, .* use --command\.\n$/],
			[['run', 'a', '--junit', '-x'], /use '--junit=-XYZ'\. See "mcp-elicitation run --help"\.\n$/],
			[['run', 'a', '--command', 'no-such-program x'], /The command "no-such-program" of the server was not found/],
		] as const) {
			const { status, stdout, stderr } = await run(args);
			expect(stderr).toMatch(why);
			expect([status, stdout]).toEqual([2, '']);
		}
		expect(await run(['run', 'no-such-file'])).toMatchObject({
			status: 2,
			stdout: expect.stringContaining('There is no file'),
		});
		expect(await run(['run', '.'])).toMatchObject({
			status: 2,
			stdout: expect.stringContaining('could not be read: it is a folder. Check its path'),
		});
		const help = await run(['run', '--help']);
		expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining('--junit FILE') });
		expect(await run(['help', 'run'])).toEqual(help);
		expect(await run([])).toMatchObject({
			status: 2,
			stdout: expect.stringContaining('Usage: mcp-elicitation COMMAND'),
		});
	});

	it.skipIf(process.platform === 'win32')('could not run in a folder that is gone', async () => {
		const cwd = join(program().folder, 'gone');
		await mkdir(cwd);
		const leave = `rmdir '${cwd}' && exec "$0" "$@"`;
		expect(await execute('sh', ['-c', leave, process.execPath, program().file, 'run', 'a.json'], { cwd })).toEqual({
			...{ status: 2, stdout: '' },
			stderr: 'The current folder is gone or cannot be read. Change to another one.\n',
		});
	});
});
