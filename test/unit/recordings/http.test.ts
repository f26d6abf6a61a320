import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ServedRecording, serveRecording } from '../../../src/recordings/serveRecording.ts';
import { MODERN } from '../../rawServer/rawServer.ts';
import { define, testClients } from '../mcp/testClient.ts';
import { recording } from '../trace/recording/recorded.ts';

const world = testClients();
const params = { name: 'deploy', arguments: { place: 'here' } };
const elicitation = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN } };
const done = { content: [{ type: 'text', text: 'done' }] };

const SESSIONS = recording(
	['sent', { id: 1, method: 'tools/call', params }],
	['received', { jsonrpc: '2.0', id: 9, method: 'elicitation/create', params: elicitation }],
	['sent', { id: 9, result: { action: 'accept', content: { name: 'Ada' } } }],
	['received', { id: 1, result: done }],
);
const ROUNDS = recording(
	['sent', { id: 1, method: 'tools/call', params: { ...params, ...meta } }],
	[
		'received',
		{
			id: 1,
			result: {
				resultType: 'input_required',
				requestState: '‹redacted›',
				inputRequests: { it: { method: 'elicitation/create', params: elicitation } },
			},
		},
	],
	[
		'sent',
		{
			id: 2,
			method: 'tools/call',
			params: {
				...params,
				...meta,
				requestState: '‹redacted›',
				inputResponses: { it: { action: 'accept', content: { name: 'Ada' } } },
			},
		},
	],
	['received', { id: 2, result: { resultType: 'complete', ...done } }],
);
const sessionReport = { taskId: 't', pollInterval: 10 };
const report = { resultType: 'complete', taskId: 't', pollIntervalMs: 10 };
const related = { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } };
const SESSION_TASKS = recording(
	['sent', { id: 1, method: 'tools/call', params: { ...params, task: {} } }],
	['received', { id: 1, result: { task: { ...sessionReport, status: 'working' } } }],
	['sent', { id: 2, method: 'tasks/get', params: { taskId: 't' } }],
	['received', { id: 2, result: { ...sessionReport, status: 'input_required' } }],
	['sent', { id: 3, method: 'tasks/result', params: { taskId: 't' } }],
	['received', { jsonrpc: '2.0', id: 9, method: 'elicitation/create', params: { ...elicitation, ...related } }],
	['sent', { id: 9, result: { action: 'accept', content: { name: 'Ada' }, ...related } }],
	['received', { id: 3, result: { ...done, ...related } }],
);
const TASKS = recording(
	['sent', { id: 1, method: 'tools/call', params: { ...params, ...meta } }],
	['received', { id: 1, result: { ...report, resultType: 'task', status: 'working' } }],
	['sent', { id: 2, method: 'tasks/get', params: { taskId: 't', ...meta } }],
	[
		'received',
		{
			id: 2,
			result: {
				...report,
				status: 'input_required',
				inputRequests: { it: { method: 'elicitation/create', params: elicitation } },
			},
		},
	],
	[
		'sent',
		{
			id: 3,
			method: 'tasks/update',
			params: { taskId: 't', inputResponses: { it: { action: 'accept', content: { name: 'Ada' } } }, ...meta },
		},
	],
	['received', { id: 3, result: { resultType: 'complete' } }],
	['sent', { id: 4, method: 'tasks/get', params: { taskId: 't', ...meta } }],
	['received', { id: 4, result: { ...report, status: 'completed', result: done } }],
);

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
])('a recording %s over HTTP', (_, text, revision) => {
	beforeAll(async () => {
		served = await serveRecording(new TextEncoder().encode(text), { transport: 'http' });
	});
	afterAll(() => served.close());

	it('requests what was recorded, and responds as recorded', async () => {
		const here = world();
		const connection = await here.connect(define('served', { url: served.url }));
		expect(connection.revision).toBe(revision);
		for (let run = 0; run < 2; run++) {
			const calling = connection.callTool('deploy', { place: 'here' });
			(await here.asked())[0].accept({ name: 'Ada' });
			expect(await calling).toMatchObject(done);
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
		expect(await calling).toMatchObject([done, done, done]);
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
	const { url = '', close } = await serveRecording(new TextEncoder().encode(SESSIONS), { transport: 'http' });
	onTestFinished(close);
	const opened = await fetch(url, { method: 'POST', body: JSON.stringify(initialize) });
	await opened.text();
	const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
	const stream = await fetch(url, { headers });
	expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204);
	expect(await stream.text()).toBe('');
	expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(404);
});
