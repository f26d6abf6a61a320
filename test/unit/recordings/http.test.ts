import { request, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ServedRecording, serveRecording } from '../../../src/recordings/serveRecording.ts';
import { MODERN } from '../../rawServer/rawServer.ts';
import { define, testClients } from '../mcp/testClient.ts';
import {
	aboutTask,
	accepts,
	answered,
	asked,
	called,
	DONE,
	elicits,
	ended,
	FORM,
	type Line,
	META,
	recording,
} from '../trace/recording/recorded.ts';

const world = testClients();
const REQUIRED = { inputRequests: { it: elicits() } };
const RESPONSES = { inputResponses: { it: accepts() } };
const state = { requestState: '‹redacted›' };
const sessionReport = { taskId: 't', pollInterval: 10 };
const report = { resultType: 'complete', taskId: 't', pollIntervalMs: 10 };
const related = { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } };
const _meta = META;

const SESSIONS = [called(1), asked(9), answered(9), ended(1)];
const ROUNDS = [
	called(1, { _meta }),
	ended(1, { resultType: 'input_required', ...state, ...REQUIRED }),
	called(2, { _meta, ...state, ...RESPONSES }),
	ended(2, { resultType: 'complete', ...DONE }),
];
const SESSION_TASKS = [
	called(1, { task: {} }),
	ended(1, { task: { ...sessionReport, status: 'working' } }),
	aboutTask(2, 'get'),
	ended(2, { ...sessionReport, status: 'input_required' }),
	aboutTask(3, 'result'),
	asked(9, { ...FORM, ...related }),
	answered(9, { ...accepts(), ...related }),
	ended(3, { ...DONE, ...related }),
];
const TASKS = [
	called(1, { _meta }),
	ended(1, { ...report, resultType: 'task', status: 'working' }),
	aboutTask(2, 'get', { _meta }),
	ended(2, { ...report, status: 'input_required', ...REQUIRED }),
	aboutTask(3, 'update', { ...RESPONSES, _meta }),
	ended(3, { resultType: 'complete' }),
	aboutTask(4, 'get', { _meta }),
	ended(4, { ...report, status: 'completed', result: DONE }),
];

const serving = (lines: readonly Line[]) =>
	serveRecording(new TextEncoder().encode(recording(...lines)), { transport: 'http' });

let served: ServedRecording;
const url = () => new URL(served.url ?? '');

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } };

/** The status of a request with these headers. */
function status(headers: Record<string, string>, body = '{}', path = '/mcp'): Promise<number | undefined> {
	return new Promise((resolve, reject) => {
		const sent = request({ host: '127.0.0.1', port: url().port, path, method: 'POST', headers }, (response) => {
			response.resume();
			resolve(response.statusCode);
		});
		sent.on('error', reject);
		sent.end(body);
	});
}

describe.each([
	['with sessions', SESSIONS, '2025-11-25'],
	['without sessions', ROUNDS, MODERN],
	['of tasks with sessions', SESSION_TASKS, '2025-11-25'],
	['of tasks without sessions', TASKS, MODERN],
])('a recording %s over HTTP', (_, lines, revision) => {
	beforeAll(async () => {
		served = await serving(lines);
	});
	afterAll(() => served.close());

	it('requests what was recorded, and responds as recorded', async () => {
		const here = world();
		const connection = await here.connect(define('served', { url: served.url }));
		expect(connection.revision).toBe(revision);
		for (let run = 0; run < 2; run++) {
			const calling = connection.callTool('deploy', { place: 'here' });
			(await here.asked())[0].accept({ name: 'Ada' });
			expect(await calling).toMatchObject(DONE);
		}
	});

	it('serves several clients at once', async () => {
		const here = world();
		const connections = await Promise.all(
			['one', 'two', 'three'].map((name) => here.connect(define(name, { url: served.url }))),
		);
		const calling = Promise.all(connections.map((connection) => connection.callTool('deploy', { place: 'here' })));
		for (const asked of await here.asked(3)) {
			asked.accept({ name: 'Ada' });
		}
		expect(await calling).toMatchObject([DONE, DONE, DONE]);
	});

	it('refuses pages of other origins, other hosts, other paths, and bodies that are too large', async () => {
		const { host } = url();
		expect(await status({ host: 'attacker.example' })).toBe(403);
		expect(await status({ host: `attacker.example:${url().port}` })).toBe(403);
		expect(await status({ host, origin: 'https://attacker.example' })).toBe(403);
		expect(await status({ host, origin: 'null' })).toBe(403);
		expect(await status({ host }, '{}', '/other')).toBe(404);
		expect(await status({ host }, 'x'.repeat(5 * 1024 * 1024)).catch(() => 413)).toBe(413);
		expect(await status({ host, 'mcp-session-id': 'made up' })).toBe(404);
	});

	it('refuses what is no JSON-RPC message, and accepts notifications and responses', async () => {
		const opened = await fetch(url(), { method: 'POST', body: JSON.stringify(initialize) });
		const session = opened.headers.get('mcp-session-id');
		const posted = async (body: string) =>
			(await fetch(url(), { method: 'POST', body, ...(session && { headers: { 'mcp-session-id': session } }) })).status;
		for (const body of ['', 'no JSON', '{}', '[]', '{"method": 5}', '{"id": null}']) {
			expect([body, await posted(body)]).toEqual([body, 400]);
		}
		expect(await posted('{"jsonrpc": "2.0", "method": "notifications/initialized"}')).toBe(202);
		expect(await posted('{"jsonrpc": "2.0", "id": 7, "result": {}}')).toBe(202);
	});
});

it('a session that its client ends has no stream any more', async () => {
	const { url = '', close } = await serving(SESSIONS);
	onTestFinished(close);
	const opened = await fetch(url, { method: 'POST', body: JSON.stringify(initialize) });
	await opened.text();
	const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
	const stream = await fetch(url, { headers });
	expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204);
	expect(await stream.text()).toBe('');
	expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(404);
});

it('a call of a session goes on when its stream breaks: the response comes on the stream of the session', async () => {
	const { url = '', close } = await serving(SESSIONS);
	onTestFinished(close);
	const opened = await fetch(url, { method: 'POST', body: JSON.stringify(initialize) });
	await opened.text();
	const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
	const post = (message: object, signal?: AbortSignal) =>
		fetch(url, { method: 'POST', headers, body: JSON.stringify(message), ...(signal && { signal }) });
	const own = await fetch(url, { headers });
	const broken = new AbortController();
	const calling = await post({ ...called(2)[1] }, broken.signal);
	const asked = new TextDecoder().decode((await calling.body?.getReader().read())?.value);
	const { id } = JSON.parse(asked.split('data: ')[1] ?? '');
	const emitted = vi.spyOn(ServerResponse.prototype, 'emit');
	onTestFinished(() => emitted.mockRestore());
	broken.abort();
	await vi.waitUntil(() => emitted.mock.calls.some(([event]) => event === 'close'));
	expect((await post({ jsonrpc: '2.0', id: String(id), result: accepts() })).status).toBe(202);
	const response = new TextDecoder().decode((await own.body?.getReader().read())?.value);
	expect(JSON.parse(response.split('data: ')[1] ?? '')).toEqual({ jsonrpc: '2.0', id: 2, result: DONE });
});
