import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import {
	aboutTask,
	accepts,
	called,
	DONE,
	elicits,
	ended,
	type Line,
	META,
	told,
} from '../trace/recording/recorded.ts';
import { Player } from './player.ts';

const who = elicits({ message: 'Who?' });
const answer = { who: accepts() };
const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': capabilities };

/** Without sessions: the state of the task, and what the client does about it. */
const completed = { resultType: 'complete', taskId: 't', status: 'completed', result: DONE };
const required = (inputRequests: object) => ({
	...{ resultType: 'complete', taskId: 't', status: 'input_required' },
	inputRequests,
});
const polled = (id: number, result: object): Line[] => [aboutTask(id, 'get', { _meta }), ended(id, result)];
const updated = (id: number, inputResponses: object): Line[] => [
	aboutTask(id, 'update', { inputResponses, _meta }),
	ended(id, { resultType: 'complete' }),
];

/** A task in a session, in which the client asks for the result although it was told of nothing but the beginning. */
const SESSION: readonly Line[] = [
	called(1, { task: {} }),
	ended(1, { task: { taskId: 't', status: 'working', statusMessage: 'Begun' } }),
	told('notifications/tasks/status', { taskId: 't', status: 'working', statusMessage: 'Half' }),
	aboutTask(2, 'result'),
	ended(2),
];

const BEGUN: readonly Line[] = [called(1, { _meta }), ended(1, { resultType: 'task', taskId: 't', status: 'working' })];
const STATELESS: readonly Line[] = [
	...BEGUN,
	...polled(2, required({ who })),
	...updated(3, answer),
	...polled(4, completed),
];
const ERAS = [
	['in a session', SESSION],
	['without sessions', STATELESS],
] as const;

/** A client that follows tasks of a served recording. */
class Follower extends Player {
	/** The id of a new task. */
	async create(): Promise<string> {
		const { result } = await this.call({ task: {}, _meta });
		return String((result?.['task'] as JsonObject | undefined)?.['taskId'] ?? result?.['taskId']);
	}

	about(taskId: string, method: string, more: JsonObject = {}) {
		return this.request(`tasks/${method}`, { taskId, ...more });
	}

	async poll(taskId: string) {
		return (await this.about(taskId, 'get')).result;
	}

	update(taskId: string, inputResponses: JsonObject) {
		return this.about(taskId, 'update', { inputResponses });
	}
}

it('a poll gets no report that was recorded after a response which the client has not sent yet', async () => {
	const client = new Follower(STATELESS);
	const taskId = await client.create();
	expect(await client.poll(taskId)).toMatchObject({ ...required({ who }), taskId });
	expect(await client.poll(taskId)).toMatchObject({ status: 'input_required' });
	await client.update(taskId, answer);
	expect(await client.poll(taskId)).toMatchObject({ status: 'completed', result: DONE });
	expect(await client.poll(taskId)).toMatchObject({ status: 'completed', result: DONE });
});

describe('a task that requires two inputs at once', () => {
	const where = elicits({ message: 'Where?' });
	const there = { where: { action: 'decline' } };
	const began = [...BEGUN, ...polled(2, required({ who, where }))];
	const oneByOne = [
		...began,
		...updated(3, answer),
		...polled(4, required({ where })),
		...updated(5, there),
		...polled(6, completed),
	];
	const together = [...began, ...updated(3, { ...answer, ...there }), ...polled(4, completed)];

	it.each<[string, readonly Line[], readonly JsonObject[]]>([
		['in the other order', oneByOne, [there, answer]],
		['together', oneByOne, [{ ...answer, ...there }]],
		['one by one, where they were sent together', together, [answer, there]],
	])('ends once both have responses, also where these come %s', async (_, lines, responses) => {
		const client = new Follower(lines);
		const taskId = await client.create();
		for (const inputResponses of responses) {
			// A client withdraws what is no longer required.
			const inputRequests = { who, where };
			expect(await client.poll(taskId)).toMatchObject({ status: 'input_required', inputRequests });
			expect((await client.update(taskId, inputResponses)).error).toBeUndefined();
		}
		expect(await client.poll(taskId)).toMatchObject({ status: 'completed', result: DONE });
	});
});

it('tasks of one call have ids of their own, and each its own reports', async () => {
	const client = new Follower(STATELESS);
	const [one, other] = [await client.create(), await client.create()];
	expect(one).not.toBe(other);
	await client.poll(one);
	await client.update(one, answer);
	expect(await client.poll(one)).toMatchObject({ status: 'completed' });
	expect(await client.poll(other)).toMatchObject({ status: 'input_required' });
});

it('who polls learns what the recorded client was told by notifications, and that there is a result', async () => {
	const client = new Follower(SESSION);
	const taskId = await client.create();
	expect(await client.poll(taskId)).toMatchObject({ taskId, status: 'completed', statusMessage: 'Half' });
	expect((await client.about(taskId, 'result')).result).toEqual(DONE);
	expect(await client.poll(taskId)).toMatchObject({ status: 'completed' });
	expect(await client.poll(taskId)).not.toHaveProperty('statusMessage');
});

it.each(ERAS)('a task that the client cancels stays cancelled: %s', async (_, lines) => {
	const client = new Follower(lines);
	const taskId = await client.create();
	expect((await client.about(taskId, 'cancel')).error).toBeUndefined();
	const report = await client.poll(taskId);
	expect(report).toMatchObject({ taskId, status: 'cancelled' });
	expect(report).not.toHaveProperty('inputRequests');
});

it('a task that has ended stays as it ended, whatever the client does then', async () => {
	const client = new Follower(SESSION);
	const [done, cancelled] = [await client.create(), await client.create()];
	await client.about(done, 'result');
	expect((await client.about(done, 'cancel')).result).toMatchObject({ status: 'completed' });
	expect(await client.poll(done)).toMatchObject({ status: 'completed' });
	await client.about(cancelled, 'cancel');
	await client.about(cancelled, 'result');
	expect(await client.poll(cancelled)).toMatchObject({ status: 'cancelled' });
});

it.each(ERAS)('a client that knows no tasks is told that the call ran as one: %s', async (_, lines) => {
	const { error } = await new Follower(lines).call(lines === SESSION ? {} : { _meta: {} });
	expect(error?.message).toBe('This call ran as a task when it was recorded. Call it as one.');
});

it('a task that the server has not created is unknown', async () => {
	const client = new Follower(STATELESS);
	for (const method of ['get', 'result', 'update', 'cancel']) {
		expect((await client.about('t', method)).error?.message).toBe('There is no task with this ID.');
	}
});

it('says that the recording ends where a task goes on', async () => {
	const client = new Follower(STATELESS.slice(0, 4));
	const taskId = await client.create();
	await client.poll(taskId);
	const ends = 'The recording ends before';
	expect((await client.about(taskId, 'get')).error?.message).toBe(`${ends} this task does.`);
	expect((await client.update(taskId, answer)).error?.message).toBe(`${ends} this task gets a response.`);
	expect((await client.about(taskId, 'result')).error?.message).toBe(`${ends} the result of this task.`);
});
