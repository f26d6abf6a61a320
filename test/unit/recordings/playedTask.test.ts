import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { Playback } from '../../../src/recordings/playback.ts';
import { RecordedServer } from '../../../src/recordings/recordedServer.ts';
import { MODERN } from '../../rawServer/rawServer.ts';
import { read, recording } from '../trace/recording/recorded.ts';

type Line = readonly ['sent' | 'received', object];

const params = { name: 'deploy', arguments: {} };
const done = { content: [{ type: 'text', text: 'done' }] };
const inputRequests = { who: { method: 'elicitation/create', params: { message: 'Who?' } } };
const answer = { who: { action: 'accept', content: { name: 'Ada' } } };
const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const _meta = {
	'io.modelcontextprotocol/protocolVersion': MODERN,
	'io.modelcontextprotocol/clientCapabilities': capabilities,
};

/** A task in a session, in which the client asks for the result although it was told of nothing but the beginning. */
const SESSION: readonly Line[] = [
	['sent', { id: 1, method: 'tools/call', params: { ...params, task: {} } }],
	['received', { id: 1, result: { task: { taskId: 't', status: 'working', statusMessage: 'Begun' } } }],
	[
		'received',
		{ method: 'notifications/tasks/status', params: { taskId: 't', status: 'working', statusMessage: 'Half' } },
	],
	['sent', { id: 2, method: 'tasks/result', params: { taskId: 't' } }],
	['received', { id: 2, result: done }],
];

/** A task without sessions. */
const STATELESS: readonly Line[] = [
	['sent', { id: 1, method: 'tools/call', params: { ...params, _meta } }],
	['received', { id: 1, result: { resultType: 'task', taskId: 't', status: 'working' } }],
	['sent', { id: 2, method: 'tasks/get', params: { taskId: 't', _meta } }],
	['received', { id: 2, result: { resultType: 'complete', taskId: 't', status: 'input_required', inputRequests } }],
	['sent', { id: 3, method: 'tasks/update', params: { taskId: 't', inputResponses: answer, _meta } }],
	['received', { id: 3, result: { resultType: 'complete' } }],
	['sent', { id: 4, method: 'tasks/get', params: { taskId: 't', _meta } }],
	['received', { id: 4, result: { resultType: 'complete', taskId: 't', status: 'completed', result: done } }],
];

/** A client of a served recording. */
function client(lines: readonly Line[]) {
	const playback = new Playback(new RecordedServer('s', read(recording(...lines)).messages));
	let id = 0;
	const request = async (method: string, its: JsonObject) => {
		const sent: JsonObject[] = [];
		await playback.receive({ jsonrpc: '2.0', id: ++id, method, params: its }, (message) => sent.push(message));
		return sent.at(-1) as { result?: Record<string, unknown>; error?: { message: string } };
	};
	return {
		request,
		/** The id of a new task. */
		create: async () => {
			const { result } = await request('tools/call', { ...params, task: {}, _meta });
			return String((result?.['task'] as JsonObject | undefined)?.['taskId'] ?? result?.['taskId']);
		},
	};
}

it('a poll gets no report that was recorded after a response which the client has not sent yet', async () => {
	const { request, create } = client(STATELESS);
	const taskId = await create();
	const poll = async () => (await request('tasks/get', { taskId })).result;
	expect(await poll()).toMatchObject({ resultType: 'complete', taskId, status: 'input_required', inputRequests });
	expect(await poll()).toMatchObject({ status: 'input_required' });
	await request('tasks/update', { taskId, inputResponses: answer });
	expect(await poll()).toMatchObject({ status: 'completed', result: done });
	expect(await poll()).toMatchObject({ status: 'completed', result: done });
});

describe('a task that requires two inputs at once', () => {
	const where = { method: 'elicitation/create', params: { message: 'Where?' } };
	const there = { where: { action: 'decline' } };
	const required = (its: object) => ({
		resultType: 'complete',
		taskId: 't',
		status: 'input_required',
		inputRequests: its,
	});
	const both = { ...inputRequests, where };
	const update = (id: number, inputResponses: object): Line[] => [
		['sent', { id, method: 'tasks/update', params: { taskId: 't', inputResponses, _meta } }],
		['received', { id, result: { resultType: 'complete' } }],
	];
	const polled = (id: number, result: object): Line[] => [
		['sent', { id, method: 'tasks/get', params: { taskId: 't', _meta } }],
		['received', { id, result }],
	];
	const completed = { resultType: 'complete', taskId: 't', status: 'completed', result: done };
	const began = [...STATELESS.slice(0, 2), ...polled(2, required(both))];
	const one = [
		...began,
		...update(3, answer),
		...polled(4, required({ where })),
		...update(5, there),
		...polled(6, completed),
	];
	const together = [...began, ...update(3, { ...answer, ...there }), ...polled(4, completed)];

	it.each<[string, readonly Line[], readonly JsonObject[]]>([
		['in the other order', one, [there, answer]],
		['together', one, [{ ...answer, ...there }]],
		['one by one, where they were sent together', together, [answer, there]],
	])('ends once both have responses, also where these come %s', async (_, lines, responses) => {
		const { request, create } = client(lines);
		const taskId = await create();
		const poll = async () => (await request('tasks/get', { taskId })).result;
		for (const inputResponses of responses) {
			// A client withdraws what is no longer required.
			expect(await poll()).toMatchObject({ status: 'input_required', inputRequests: both });
			expect((await request('tasks/update', { taskId, inputResponses })).error).toBeUndefined();
		}
		expect(await poll()).toMatchObject({ status: 'completed', result: done });
	});
});

it('tasks of one call have ids of their own, and each its own reports', async () => {
	const { request, create } = client(STATELESS);
	const [one, other] = [await create(), await create()];
	expect(one).not.toBe(other);
	await request('tasks/get', { taskId: one });
	await request('tasks/update', { taskId: one, inputResponses: answer });
	expect((await request('tasks/get', { taskId: one })).result).toMatchObject({ status: 'completed' });
	expect((await request('tasks/get', { taskId: other })).result).toMatchObject({ status: 'input_required' });
});

it('who polls learns what the recorded client was told by notifications, and that there is a result', async () => {
	const { request, create } = client(SESSION);
	const taskId = await create();
	const poll = async () => (await request('tasks/get', { taskId })).result;
	expect(await poll()).toMatchObject({ taskId, status: 'completed', statusMessage: 'Half' });
	expect((await request('tasks/result', { taskId })).result).toEqual(done);
	expect(await poll()).toMatchObject({ status: 'completed' });
	expect(await poll()).not.toHaveProperty('statusMessage');
});

it.each([
	['in a session', SESSION],
	['without sessions', STATELESS],
])('a task that the client cancels stays cancelled: %s', async (_, lines) => {
	const { request, create } = client(lines);
	const taskId = await create();
	expect((await request('tasks/cancel', { taskId })).error).toBeUndefined();
	const { result } = await request('tasks/get', { taskId });
	expect(result).toMatchObject({ taskId, status: 'cancelled' });
	expect(result).not.toHaveProperty('inputRequests');
});

it('a task that has ended stays as it ended, whatever the client does then', async () => {
	const { request, create } = client(SESSION);
	const [completed, cancelled] = [await create(), await create()];
	const poll = async (taskId: string) => (await request('tasks/get', { taskId })).result;
	await request('tasks/result', { taskId: completed });
	expect((await request('tasks/cancel', { taskId: completed })).result).toMatchObject({ status: 'completed' });
	expect(await poll(completed)).toMatchObject({ status: 'completed' });
	await request('tasks/cancel', { taskId: cancelled });
	await request('tasks/result', { taskId: cancelled });
	expect(await poll(cancelled)).toMatchObject({ status: 'cancelled' });
});

it.each([
	['in a session', SESSION, params],
	['without sessions', STATELESS, { ...params, _meta: {} }],
])('a client that knows no tasks is told that the call ran as one: %s', async (_, lines, made) => {
	const { error } = await client(lines).request('tools/call', made);
	expect(error?.message).toBe('This call ran as a task when it was recorded. Call it as one.');
});

it('a task that the server has not created is unknown', async () => {
	const { request } = client(STATELESS);
	for (const method of ['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel']) {
		expect((await request(method, { taskId: 't' })).error?.message).toBe('There is no task with this ID.');
	}
});

it('says that the recording ends where a task goes on', async () => {
	const { request, create } = client(STATELESS.slice(0, 4));
	const taskId = await create();
	await request('tasks/get', { taskId });
	expect((await request('tasks/get', { taskId })).error?.message).toBe('The recording ends before this task does.');
	expect((await request('tasks/update', { taskId, inputResponses: answer })).error?.message).toBe(
		'The recording ends before this task gets a response.',
	);
	expect((await request('tasks/result', { taskId })).error?.message).toBe(
		'The recording ends before the result of this task.',
	);
});
