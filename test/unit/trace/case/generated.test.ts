import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ServerDefinition } from '../../../../src/config/definition.ts';
import type { JsonObject } from '../../../../src/elicitation/json.ts';
import type { Connection } from '../../../../src/mcp/index.ts';
import type { RecordedCase } from '../../../../src/trace/case/recordedCase.ts';
import { isAlive } from '../../../harness/processTree.mjs';
import { nightly } from '../../../nightly.ts';
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
	accept,
	CHANGES,
	clerk,
	type Framework,
	python,
	recordedCall,
	repeating,
	run,
	SECRETS,
	visit,
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
const usual = (args: readonly string[] = []) => visit(world(), stdio('clerk', clerk, args, { env: { MOOD: 'usual' } }));

const FRAMEWORKS: readonly Framework[] = python === undefined ? ['vitest'] : ['vitest', 'pytest'];

// By day, `written.test.ts` looks at what is written, and runs some of it without a framework.
describe.runIf(nightly).each(FRAMEWORKS)('a test for %s', (framework) => {
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

	describe.each([
		['with sessions', []],
		['without sessions', ['modern']],
	])('of a server %s', (_, args) => {
		it('passes while the server does what it did, whatever differs on every run', async () =>
			pass([await usual(args)], { ...SECRETS, MOOD: 'usual' }));

		it.each(CHANGES)('fails when the server %s', async (__, mood, why) =>
			fails(await usual(args), { ...SECRETS, MOOD: mood }, why),
		);
	});

	it('names what is missing in the environment', async () => {
		const recorded = await usual();
		await fails(recorded, { MOOD: 'usual' }, /MCP_TEST_DOOR_CODE[\s\S]*MCP_TEST_PIN/);
	});

	it('does not wait for ever for a server that is silent', async () => {
		const recorded = await usual();
		const text = impatient(written(recorded, framework), 1);
		const { passed, output } = await run([text], framework, { ...SECRETS, MOOD: 'silent' });
		expect(passed).toBe(false);
		expect(output).toMatch(/The server did not answer tools\/call within 1/);
	});

	it.skipIf(process.platform === 'win32')(
		'tells that a server never answers, and ends it, although it goes on sending behind a shell that outlives it',
		async () => {
			const folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-pid-'));
			const pid = join(folder, 'pid');
			const recorded = await usual();
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

	it.skipIf(process.platform === 'win32')('does not wait for a server that reads nothing', async () => {
		const recorded = await usual();
		const server = { ...recorded.server, command: 'sleep', args: ['300'] } as RecordedCase['server'];
		const capabilities = { experimental: { long: 'x'.repeat(200_000) } };
		const text = impatient(written({ ...recorded, server, capabilities }, framework), 2);
		const { passed, output } = await run([text], framework, { ...SECRETS, MOOD: 'usual' });
		expect(passed).toBe(false);
		expect(output).toMatch(/The server did not answer initialize within 2/);
	});

	it('does not wait a year to poll a task, and polls one whose interval is null', async () => {
		const recorded = await usual(['modern']);
		const text = impatient(written({ ...recorded, isTask: true }, framework), 3);
		const { passed, output } = await run([text], framework, { ...SECRETS, MOOD: 'slow' });
		expect(passed).toBe(false);
		expect(output).toMatch(/The server did not answer tasks\/get within 3/);
	});

	it('repeats every kind of call over HTTP with sessions', async () => {
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

	it('repeats every kind of call without sessions, over both transports', async () => {
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

	it('responds again to a URL that the server repeats until it is completed', async () => {
		const here = world();
		const recorded = await recordedCall(
			here,
			stdio('repeating', repeating),
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

	it('responds to an elicitation that is a task when the server asks for the result (K05)', async () => {
		const act = (each: Connection) => each.callTool('trigger-elicitation-request-async', {});
		const recorded = await recordedCall(
			world(),
			stdio('everything', everything, ['stdio']),
			act,
			accept({ name: 'Ada' }),
		);
		expect(JSON.stringify(recorded.expected)).toContain('[COMPLETED]');
		await pass([recorded]);
	});

	it('sends arguments in headers, too, where the tool wants them there', async () => {
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

	it('repeats errors: sent, received, and the URL elicitations of -32042', async () => {
		const here = world();
		const definition = stdio('sdk1', testServer('sdk1.mjs'));
		const refused = await recordedCall(
			here,
			definition,
			(each) => each.callTool('ask', { params: form('No') }),
			async () => {
				const [request] = await here.asked();
				request.respond({ action: 'error', code: -32000, message: 'No, on purpose.' });
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

	it('follows a task to its result or its error, and fails when that is another', async () => {
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
			request.respond({ action: 'error', code: -32000, message: 'No, on purpose.' });
		});
		expect(failed.expected).toEqual({ error: { code: -32000 } });
		await pass([session, extension, failed]);
		await fails({ ...extension, expected: failed.expected }, {}, /what the call came to/);
	});

	it('names the task in the headers of its requests', async () => {
		const server = await listening(testServer('tasks.mjs'), '2026-07-28', 'http');
		running.push(server);
		const order = (each: Connection) => each.callTool('order', {});
		await pass([await recordedCall(world(), define('tasks', { url: server.url }), order, accept({ name: 'Ada' }))]);
	});

	it('repeats the form of the reference server, over both transports', async () => {
		const here = world();
		const answer = accept({ name: 'Ada', check: true, email: 'ada@example.com' });
		const act = (each: Connection) => each.callTool('trigger-elicitation-request', {});
		await pass([
			await recordedCall(here, stdio('everything', everything, ['stdio']), act, answer),
			await recordedCall(here, reference, act, answer),
		]);
	});
});
