import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ServerDefinition } from '../../../../src/config/definition.ts';
import type { JsonObject } from '../../../../src/elicitation/json.ts';
import type { Connection } from '../../../../src/mcp/index.ts';
import type { RecordedCase } from '../../../../src/trace/case/recordedCase.ts';
import { LINKS } from '../../../../src/trace/case/vitestLinks.ts';
import { isAlive } from '../../../harness/processTree.mjs';
import { nightly, variants } from '../../../nightly.ts';
import {
	define,
	everything,
	everythingOn,
	type Listening,
	listening,
	stdio,
	testClients,
	testServer,
} from '../../mcp/testClient.ts';
import { mirroring } from './peers/mirroring.ts';
import {
	AT_ONCE,
	accept,
	COMPARED_TEXTS,
	clerk,
	compared,
	type Framework,
	python,
	recordedCall,
	run,
	SECRETS,
	visit as visitOf,
	written,
} from './stage.ts';

const world = testClients();

/** A test that waits for the server that many seconds, not thirty. */
const impatient = (text: string, seconds: number) =>
	text
		.replace('const PATIENCE = 30_000', `const PATIENCE = ${seconds}_000`)
		.replace('PATIENCE = 30\n', `PATIENCE = ${seconds}\n`);

const form = (message: string, properties: JsonObject = { n: { type: 'integer', default: 1 } }) => ({
	message,
	requestedSchema: { type: 'object', properties },
});

/** A call to the clerk server with a code and a PIN. */
const visit = (definition: ServerDefinition) => visitOf(world(), definition);

describe.each<Framework>(['vitest', 'pytest'])('a test for %s', (framework) => {
	const possible = framework === 'vitest' || python !== undefined;
	/** By day, what both frameworks get from the same parts is tried with the first. */
	const inFull = possible && (framework === 'vitest' || nightly);
	const running: Listening[] = [];
	let sdk1: ServerDefinition;
	let sdk2: ServerDefinition;
	let reference: ServerDefinition;

	beforeAll(async () => {
		const servers = await Promise.all([
			listening(testServer('sdk1.mjs'), '--http', '0'),
			listening(testServer('sdk2.mjs'), '--http', '0'),
			everythingOn('streamableHttp'),
		]);
		running.push(...servers);
		[sdk1, sdk2, reference] = servers.map(({ url }) => define('http', { url })) as [
			ServerDefinition,
			ServerDefinition,
			ServerDefinition,
		];
	});

	afterAll(() => {
		for (const server of running) {
			server.stop();
		}
	});

	/** Runs the tests against the recorded servers and expects them to pass. */
	async function pass(recorded: readonly RecordedCase[], env?: Record<string, string>): Promise<void> {
		const texts = recorded.map((each) => written(each, framework));
		const { passed, output } = await run(texts, framework, env);
		expect(passed, output).toBe(true);
	}

	/** Expects the test to fail with a certain message. */
	async function fails(recorded: RecordedCase, env: Record<string, string>, why: RegExp): Promise<void> {
		const { passed, output } = await run([written(recorded, framework)], framework, env);
		expect(passed).toBe(false);
		expect(output).toMatch(why);
	}

	type Change = readonly [what: string, mood: string, why: RegExp];
	const other: readonly Change[] = [
		['asks another elicitation', 'elicitation', /Who are you\?/],
		['comes to another result', 'result', /what the call came to[\s\S]*bad/],
		['asks once more', 'more', /what the server asks|asks more than was recorded|elicitations of the recording/],
	];
	const worse: readonly Change[] = [
		['asks with another schema', 'schema', /maxLength/],
		['ends instead', 'gone', /The server ended \(3\)[\s\S]*a call/],
	];

	describe.skipIf(!possible).each([
		['with sessions', [], inFull ? [...other, ...worse] : variants(...worse)],
		['without sessions', ['modern'], inFull ? variants(...other) : []],
	])('of a server %s', (_, args, changes) => {
		const usual = () => visit(stdio('clerk', clerk, args, { env: { MOOD: 'usual' } }));

		it.runIf(inFull || args.length === 0)(
			'passes while the server does what it did, whatever differs on every run',
			async () => pass([await usual()], { ...SECRETS, MOOD: 'usual' }),
		);

		it.each(changes)('fails when the server %s', async (__, mood, why) =>
			fails(await usual(), { ...SECRETS, MOOD: mood }, why),
		);
	});

	it.skipIf(!inFull)('names what is missing in the environment', async () => {
		const recorded = await visit(stdio('clerk', clerk, [], { env: { MOOD: 'usual' } }));
		await fails(recorded, { MOOD: 'usual' }, /MCP_TEST_DOOR_CODE[\s\S]*MCP_TEST_PIN/);
	});

	it.skipIf(!inFull)('does not wait for ever for a server that is silent', async () => {
		const recorded = await visit(stdio('clerk', clerk, [], { env: { MOOD: 'usual' } }));
		const text = impatient(written(recorded, framework), 1);
		const { passed, output } = await run([text], framework, { ...SECRETS, MOOD: 'silent' });
		expect(passed).toBe(false);
		expect(output).toMatch(/The server did not answer tools\/call within 1/);
	});

	it.skipIf(!possible || process.platform === 'win32')(
		'tells that a server never answers, and ends it, although it goes on sending behind a shell that outlives it',
		async () => {
			const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-pid-'));
			const pid = join(folder, 'pid');
			const recorded = await visit(stdio('clerk', clerk, [], { env: { MOOD: 'usual' } }));
			const line = `exec 3<&0; "${process.execPath}" "${clerk}" <&3 & echo $! > "${pid}"; wait; sleep 60`;
			const server = { ...recorded.server, command: 'sh', args: ['-c', line] } as RecordedCase['server'];
			const text = impatient(written({ ...recorded, server }, framework), 3);
			const { passed, output } = await run([text], framework, { ...SECRETS, MOOD: 'stubborn' });
			expect(passed).toBe(false);
			expect(output).toMatch(/The server did not answer tools\/call within 3/);
			const started = Number(await readFile(pid, 'utf8'));
			await vi.waitUntil(() => !isAlive(started), { timeout: 10_000 });
			await rm(folder, { recursive: true });
		},
	);

	it.skipIf(!possible || process.platform === 'win32')('does not wait for a server that reads nothing', async () => {
		const recorded = await visit(stdio('clerk', clerk, [], { env: { MOOD: 'usual' } }));
		const server = { ...recorded.server, command: 'sleep', args: ['30'] } as RecordedCase['server'];
		const capabilities = { experimental: { long: 'x'.repeat(200_000) } };
		const text = impatient(written({ ...recorded, server, capabilities }, framework), 2);
		const since = performance.now();
		const { passed } = await run([text], framework, { ...SECRETS, MOOD: 'usual' });
		expect(passed).toBe(false);
		expect(performance.now() - since).toBeLessThan(25_000);
	});

	it.skipIf(!possible)('does not wait a year to poll a task, and polls one whose interval is null', async () => {
		const recorded = await visit(stdio('clerk', clerk, ['modern'], { env: { MOOD: 'usual' } }));
		const text = impatient(written({ ...recorded, isTask: true }, framework), 3);
		const { passed, output } = await run([text], framework, { ...SECRETS, MOOD: 'slow' });
		expect(passed).toBe(false);
		expect(output).toMatch(/The server did not answer tasks\/get within 3/);
	});

	it.skipIf(!inFull)('repeats every kind of call over HTTP with sessions', async () => {
		const here = world();
		const url = 'https://example.com/in?state=abcdef';
		const asked = [form('First'), { mode: 'url', message: 'Sign in', url, elicitationId: 'e' }];
		const together = await recordedCall(
			here,
			sdk1,
			(each) => each.callTool('ask-many', { params: asked }),
			async () => {
				const [first, page] = await here.asked(2);
				page?.opened();
				first.decline();
			},
		);
		const name = accept({ name: 'Ada' });
		const prompt = await recordedCall(here, sdk1, (each) => each.getPrompt('greet', { language: 'en' }), name);
		const resource = await recordedCall(here, sdk1, (each) => each.readResource('test://greeting'), name);
		await pass([together, prompt, resource], { MCP_TEST_URL: url });
	});

	it.skipIf(!inFull)('repeats every kind of call without sessions, over both transports', async () => {
		const here = world();
		const name = accept({ name: 'Ada' });
		const names = accept({ name: 'a' }, { name: 'b' }, {});
		const local = stdio('sdk2', testServer('sdk2.mjs'));
		await pass([
			await recordedCall(here, sdk2, (each) => each.callTool('rounds', { count: 3 }), names),
			await recordedCall(here, sdk2, (each) => each.getPrompt('greet', { language: 'de' }), name),
			await recordedCall(here, sdk2, (each) => each.readResource('test://greetings/ä%20b'), name),
			await recordedCall(here, local, (each) => each.callTool('rounds', { count: 2, silent: true })),
		]);
	});

	it.skipIf(!possible)('responds again to a URL that the server repeats until it is completed', async () => {
		const here = world();
		const repeating = stdio('repeating', join(import.meta.dirname, 'peers/repeating.mjs'));
		const recorded = await recordedCall(
			here,
			repeating,
			(each) => each.callTool('enter', {}),
			async () => {
				const [page] = await here.asked();
				void page.outcome.then(() => setImmediate(() => page.retried()));
				page.opened();
			},
		);
		expect(recorded).toMatchObject({
			elicitations: { length: 1 },
			expected: { result: { content: [{ text: 'accept' }] } },
		});
		await pass([recorded]);
	});

	it.skipIf(!possible)(
		'responds to an elicitation that is a task when the server asks for the result (K05)',
		async () => {
			const act = (each: Connection) => each.callTool('trigger-elicitation-request-async', {});
			const recorded = await recordedCall(
				world(),
				stdio('everything', everything, ['stdio']),
				act,
				accept({ name: 'Ada' }),
			);
			expect(JSON.stringify(recorded.expected)).toContain('[COMPLETED]');
			await pass([recorded]);
		},
	);

	it.skipIf(!possible)('sends arguments in headers, too, where the tool wants them there', async () => {
		const server = await mirroring();
		try {
			const act = (each: Connection) => each.callTool('go', { region: '东京', to: { loud: true } });
			const recorded = await recordedCall(world(), define('http', { url: server.url }), act);
			expect(recorded.expected).toEqual({ result: { content: [{ type: 'text', text: 'Done' }] } });
			await pass([recorded]);
		} finally {
			server.stop();
		}
	});

	it.runIf(possible && nightly)('repeats errors: sent, received, and the URL elicitations of -32042', async () => {
		const here = world();
		const definition = stdio('sdk1', testServer('sdk1.mjs'));
		const refused = await recordedCall(
			here,
			definition,
			(each) => each.callTool('ask', { params: form('No') }),
			async () => {
				const [request] = await here.asked();
				request.fail(-32000, 'No, on purpose.');
			},
		);
		expect(refused.elicitations[0]?.answer).toEqual({ error: { code: -32000, message: 'No, on purpose.' } });
		const failed = await recordedCall(here, definition, (each) => each.callTool('fail', { protocol: true }));
		expect(failed.expected).toEqual({ error: { code: -32603 } });
		const page = { mode: 'url', message: 'Sign in', url: 'https://example.com/in' };
		const entries = [1, 2].map((id) => ({ ...page, elicitationId: String(id) }));
		const required = await recordedCall(
			here,
			definition,
			(each) => each.callTool('require-url', { entries }),
			async () => {
				const [request] = await here.asked(2);
				request.decline();
			},
		);
		expect(required).toMatchObject({ elicitations: [], expected: { error: { code: -32042, pages: [page, page] } } });
		await pass([refused, failed, required]);
	});

	it.runIf(possible && nightly)(
		'follows a task to its result or its error, and fails when that is another',
		async () => {
			const here = world();
			const tasks = (...args: string[]) => stdio('tasks', testServer('tasks.mjs'), args);
			const order = (each: Connection) => each.callTool('order', {});
			const [session, extension] = [
				await recordedCall(here, tasks('2025-11-25'), order, accept({ name: 'Ada' })),
				await recordedCall(here, tasks('2026-07-28'), order, accept({ name: 'Ada' })),
			];
			expect([session, extension].map(({ expected }) => expected)).toMatchObject(
				Array.from({ length: 2 }, () => ({ result: { structuredContent: { action: 'accept' } } })),
			);
			const failed = await recordedCall(here, tasks('2025-11-25'), order, async () => {
				const [request] = await here.asked();
				request.fail(-32000, 'No, on purpose.');
			});
			expect(failed.expected).toEqual({ error: { code: -32000 } });
			await pass([session, extension, failed]);
			await fails({ ...extension, expected: failed.expected }, {}, /what the call came to/);
		},
	);

	it.runIf(possible && nightly)('names the task in the headers of its requests', async () => {
		const server = await listening(testServer('tasks.mjs'), '2026-07-28', 'http');
		running.push(server);
		const order = (each: Connection) => each.callTool('order', {});
		await pass([await recordedCall(world(), define('tasks', { url: server.url }), order, accept({ name: 'Ada' }))]);
	});

	it.runIf(possible && nightly)('repeats the form of the reference server, over both transports', async () => {
		const here = world();
		const answer = accept({ name: 'Ada', check: true, email: 'ada@example.com' });
		const act = (each: Connection) => each.callTool('trigger-elicitation-request', {});
		await pass([
			await recordedCall(here, stdio('everything', everything, ['stdio']), act, answer),
			await recordedCall(here, reference, act, answer),
		]);
	});
});

describe('a test that is written', () => {
	it('holds no secret, and names the variables that stand for them', async () => {
		const recorded = await visit(stdio('clerk', clerk, [], { env: { MOOD: 'planted-mood-2' } }));
		expect(recorded.variables).toEqual([
			{ name: 'MCP_TEST_BADGE', type: 'string', role: 'argument' },
			{ name: 'MCP_TEST_DOOR_CODE', type: 'string', role: 'answer' },
			{ name: 'MCP_TEST_PIN', type: 'number', role: 'answer' },
			{ name: 'MOOD', type: 'string', role: 'environment' },
		]);
		for (const framework of ['vitest', 'pytest'] as const) {
			const text = written(recorded, framework);
			expect(text).not.toMatch(/planted|4711|[0-9a-f]{8}-[0-9a-f]{4}-/);
			expect(text).toContain('MCP_TEST_DOOR_CODE');
		}
	});

	it.each<Framework>(['vitest', 'pytest'])(
		'takes placeholders for what they stand for, and ends at once: %s',
		async (framework) => {
			if (framework === 'pytest' && python === undefined) {
				return;
			}
			const { results, milliseconds } = await compared(COMPARED_TEXTS, framework);
			expect(results).toEqual(COMPARED_TEXTS.map(([, , fits]) => fits));
			expect(milliseconds).toBeLessThan(AT_ONCE);
		},
	);

	it('starts scripts such as npx in a shell on Windows, with their arguments quoted, and programs as they are', () => {
		const started = (command: string) => {
			const calls: unknown[][] = [];
			const stream = { on: () => {} };
			const spawn = (...args: unknown[]) => {
				calls.push(args);
				return { on: () => {}, stdin: stream, stdout: stream, stderr: stream };
			};
			runInNewContext(`${LINKS.STDIO}\nopenLink({ put() {} });`, {
				...{ spawn, createInterface: () => stream, process: { platform: 'win32', env: {} } },
				server: { command, args: ['-y', 'a b "c"'], cwd: '.', env: {} },
			});
			return calls[0];
		};
		expect(started('npx')).toMatchObject(['"npx"', ['"-y"', '"a b \\"c\\""'], { shell: true }]);
		expect(started('C:\\node.exe')).toMatchObject(['C:\\node.exe', ['-y', 'a b "c"'], { shell: false }]);
	});

	it('ends its session also where the server did not respond in time', async () => {
		const sent: string[] = [];
		const fetch = async (_url: string, { method, signal }: RequestInit) => {
			signal?.throwIfAborted();
			sent.push(String(method));
			return new Response(null, { status: 202, headers: { 'Mcp-Session-Id': 's' } });
		};
		const link = runInNewContext(`${LINKS.HTTP}${LINKS.SESSION_HEADERS}\nopenLink({ put() {} });`, {
			...{ fetch, AbortController, AbortSignal, setTimeout },
			...{ PATIENCE: 1, REVISION: '2025-11-25', server: { url: 'http://localhost', headers: {} } },
		});
		await link.send({ method: 'initialize' });
		await new Promise((resolve) => setTimeout(resolve, 50));
		await link.close();
		expect(sent).toEqual(['POST', 'DELETE']);
	});

	it.each<Framework>(['vitest', 'pytest'])('is led out of its comments by no name: %s', async (framework) => {
		const names = { 'A\nthrow 1 #': 'x', 'B\u2028throw 2//"': 'y', C: 'z' };
		const recorded = await visit(stdio('clerk', clerk, [], { env: names }));
		const head = written(recorded, framework).split(/\r\n?|[\n\u2028\u2029]/, 14);
		expect(head.filter((line) => line !== '' && !line.startsWith(framework === 'vitest' ? '//' : '#'))).toEqual([]);
		expect(head).toContainEqual(expect.stringContaining('"A\\nthrow 1 #"'));
	});
});
