import { expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/elicitation/json.ts';
import { HOSTILE_VALUES, replaced } from '../../../replaced.ts';
import { testClients } from '../testClient.ts';
import {
	callRawServerTool,
	connectRawServer,
	form,
	page,
	REQUESTS,
	ROUNDS,
	request,
	required,
} from './rawServerFixtures.ts';

const world = testClients();

const icons = [{ src: 'https://example.com/i.png', mimeType: 'image/png', sizes: ['48x48'] }];
const result = {
	resultType: 'complete',
	content: [
		{ type: 'text', text: 'done', annotations: { audience: ['user'], priority: 1 } },
		{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
		{ type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'x' } },
		{ type: 'resource_link', uri: 'file:///a', name: 'a', icons },
	],
	structuredContent: { a: 1 },
	tools: [{ name: 'act', inputSchema: { type: 'object' } }],
	isError: false,
	_meta: { 'io.modelcontextprotocol/related-task': { taskId: 'one' } },
};
const task = {
	taskId: 'one',
	status: 'working',
	statusMessage: 'm',
	createdAt: '2026-01-01T00:00:00Z',
	ttl: 60_000,
	pollInterval: 5,
};

/** What a server may send at any time, besides responses. */
const MESSAGES: readonly object[] = [
	{ id: 'a', ...request(form) },
	{ id: 'b', ...request(page('1')) },
	{ id: 'c', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
	{ id: 'd', method: 'roots/list' },
	{ method: 'notifications/message', params: { level: 'info', logger: 'l', data: 'text' } },
	{ method: 'notifications/progress', params: { progressToken: 1, progress: 1, total: 2, message: 'm' } },
	{ method: 'notifications/elicitation/complete', params: { elicitationId: '1' } },
	{ method: 'notifications/cancelled', params: { requestId: 'a', reason: 'r' } },
	{ method: 'notifications/tasks/status', params: task },
	{ method: 'notifications/resources/updated', params: { uri: 'file:///a' } },
];

/** The responses to a call. */
const RESPONSES: readonly object[] = [
	{ result },
	{ result: { task } },
	{ error: { code: -32000, message: 'failed', data: { a: 1 } } },
	{ error: required(page('1')) },
	{ result: { resultType: 'input_required', inputRequests: { a: request(form) }, requestState: 's' } },
	{ result: { resultType: 'task', ...task } },
];

it.each([...REQUESTS, ...ROUNDS])(
	'over %s: the connection lives, whichever value of a message is replaced ($2)',
	async (_wire, open) => {
		const here = world();
		const { rawServer, connection, calling, call } = await callRawServerTool(here, open);
		const send = (message: Json) => rawServer.line(JSON.stringify(message), call);
		for (const by of HOSTILE_VALUES) {
			for (const message of MESSAGES) {
				for (const copy of replaced(message as Json, by)) {
					send({ jsonrpc: '2.0', ...(copy as JsonObject) });
				}
			}
		}
		rawServer.finish(call);
		await calling;
		expect(connection.state).toBe('running');
	},
);

it.each([...REQUESTS, ...ROUNDS].filter(([wire]) => wire === 'stdio'))(
	'over %s: a call ends, whichever value of its response is replaced ($2)',
	async (_wire, open) => {
		const here = world();
		let received = 0;
		here.trace.onDidAdd(({ direction }) => {
			received += direction === 'received' ? 1 : 0;
		});
		const { rawServer, connection } = await connectRawServer(here, open);
		for (const by of HOSTILE_VALUES.slice(0, 2)) {
			for (const response of RESPONSES) {
				for (const copy of replaced(response as Json, by)) {
					const user = new AbortController();
					const ended = connection.callTool('act', {}, { signal: user.signal }).catch((error: Error) => error);
					const call = await rawServer.expect('tools/call');
					const before = received;
					rawServer.line(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...(copy as JsonObject) }), call);
					await here.until(() => received > before);
					// It may have become a task, or wait for the user.
					user.abort();
					await ended;
				}
			}
		}
		expect(connection.state).toBe('running');
	},
);
