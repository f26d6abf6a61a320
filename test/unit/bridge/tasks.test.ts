import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, vi } from 'vitest';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY } from '../../rawServer/rawServer.ts';
import { form } from '../mcp/faults/rawServerFixtures.ts';
import { createRawServer } from '../mcp/rawServerSteps.ts';
import { CAPABILITIES, RELATED, taskTool } from '../mcp/tasks/taskFixtures.ts';
import { stdio, type TestClient, testClients, testServer, type Wire } from '../mcp/testClient.ts';
import { eventually, simulateTimers } from '../mcp/timing.ts';
import { BridgeClient, openBridge } from './bridgeClient.ts';

const world = testClients();

const INVALID_PARAMS = -32602;

/** Makes a call as a task. Yields what the SDK reports about it. */
function callAsTask({ client }: BridgeClient, name: string, args: object = {}) {
	return client.experimental.tasks.callToolStream({ name, arguments: { ...args } }, CallToolResultSchema, { task: {} });
}

/** Makes a call as a task. Resolves to the task as it was created. */
async function createTask(guest: BridgeClient, name: string): Promise<Wire> {
	const stream = callAsTask(guest, name);
	const { value } = await stream.next();
	expect(value).toMatchObject({ type: 'taskCreated', task: { status: 'working' } });
	return value?.type === 'taskCreated' ? value.task : undefined;
}

/** A raw server with a tool that it runs in either way. Called in the ordinary way, because the setting says so. */
async function rawServerBehind(here: TestClient) {
	here.tasks = 'required';
	const { rawServer, connection } = await createRawServer(here, RawHttpServer.open, {
		revision: LEGACY,
		tools: [taskTool('optional'), taskTool(undefined, 'plain')],
		capabilities: { tasks: CAPABILITIES },
	});
	return { rawServer, ...(await openBridge(connection)) };
}

const result = (guest: BridgeClient, taskId: string) =>
	guest.client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);

describe.each([LEGACY, '2026-07-28'])('a task of a client of the bridge, to a server of %s', (revision) => {
	const open = (here: TestClient) => openBridge(here.create(stdio('tasks', testServer('tasks.mjs'), [revision])));

	it('has the user asked here, and gives the client the result', async () => {
		const here = world();
		const { guest } = await open(here);
		expect(guest.client.getServerCapabilities()?.tasks).toEqual(CAPABILITIES);
		const { tools } = await guest.client.listTools();
		expect(tools).toMatchObject([{ name: 'order', execution: { taskSupport: 'required' } }]);
		const reports: Wire[] = [];
		const calling = (async () => {
			for await (const report of callAsTask(guest, 'order')) reports.push(report);
		})();
		const [elicitation] = await here.asked();
		expect(elicitation.cause?.via).toBeDefined();
		await guest.notified('notifications/tasks/status');
		await here.registry.accept(elicitation, { name: 'Ada' });
		await calling;
		const [created] = reports;
		const { taskId } = created.task;
		expect(taskId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
		expect(reports.at(-1)).toMatchObject({
			type: 'result',
			result: {
				structuredContent: { action: 'accept', content: { name: 'Ada' } },
				_meta: { [RELATED]: { taskId } },
			},
		});
		const statuses = guest.heard.flatMap(({ result, params }) => (result ?? params)?.status ?? []);
		expect(new Set(statuses)).toEqual(new Set(['working', 'completed']));
		expect(guest.asked).toEqual([]);
		expect(here.registry.calls).toMatchObject([{ name: 'order', state: 'succeeded' }]);
	});

	it('can be canceled by the client; its server and its user are told', async () => {
		const here = world();
		const { guest } = await open(here);
		const { taskId } = await createTask(guest, 'order');
		const [elicitation] = await here.asked();
		const { tasks } = guest.client.experimental;
		expect((await tasks.listTasks()).tasks).toMatchObject([{ taskId, status: 'working' }]);
		expect(await tasks.cancelTask(taskId)).toMatchObject({ taskId, status: 'cancelled' });
		expect(await tasks.getTask(taskId)).toMatchObject({ status: 'cancelled' });
		await expect(result(guest, taskId)).rejects.toThrow('The task was cancelled.');
		await expect(tasks.cancelTask(taskId)).rejects.toMatchObject({ code: INVALID_PARAMS });
		await here.until(() => here.registry.calls[0]?.state === 'cancelled' && !elicitation.live);
		expect(here.wire('sent', ({ method }) => method === 'tasks/cancel')).toHaveLength(1);
	});

	it('is unknown in any other session, and ends with its own', async () => {
		const here = world();
		const { guest, endpoint } = await open(here);
		const { taskId } = await createTask(guest, 'order');
		await here.asked();
		const other = await BridgeClient.at(endpoint);
		const { tasks } = other.client.experimental;
		const unknown = { code: INVALID_PARAMS };
		await expect(tasks.getTask(taskId)).rejects.toMatchObject(unknown);
		await expect(result(other, taskId)).rejects.toMatchObject(unknown);
		await expect(tasks.cancelTask(taskId)).rejects.toMatchObject(unknown);
		expect((await tasks.listTasks()).tasks).toEqual([]);
		// The server's own id of the task isn't known to anybody.
		await expect(guest.client.experimental.tasks.getTask('order-1')).rejects.toMatchObject(unknown);
		expect(here.registry.calls[0]?.state).toBe('running');
		await guest.transport.terminateSession();
		await here.until(() => here.registry.calls[0]?.state === 'cancelled');
	});

	it('is not offered where the setting turns tasks off', async () => {
		const here = world();
		here.tasks = 'never';
		const { guest } = await open(here);
		expect(guest.client.getServerCapabilities()).not.toHaveProperty('tasks');
		await expect(guest.client.experimental.tasks.listTasks()).rejects.toThrow();
	});
});

it('reports a task whose result is an error, or that fails, with what was said about it', async () => {
	const { rawServer, guest } = await rawServerBehind(world());
	const { tasks } = guest.client.experimental;
	const failed = await createTask(guest, 'act');
	const answer = { content: [{ type: 'text', text: 'Out of stock.' }], isError: true };
	const request = await rawServer.expect('tools/call');
	expect(request.params).not.toHaveProperty('task');
	rawServer.answer(request, answer);
	expect(await result(guest, failed.taskId)).toMatchObject(answer);
	expect(await tasks.getTask(failed.taskId)).toMatchObject({ status: 'failed', statusMessage: 'Out of stock.' });
	const refused = await createTask(guest, 'act');
	rawServer.fail(await rawServer.expect('tools/call'), { code: 7, message: 'Seven', data: { why: 'not' } });
	await expect(result(guest, refused.taskId)).rejects.toMatchObject({ code: 7, data: { why: 'not' } });
	expect(await tasks.getTask(refused.taskId)).toMatchObject({ status: 'failed', statusMessage: 'Seven' });
});

it('sends the progress of a task when the request that created it has long had its response', async () => {
	const { rawServer, guest } = await rawServerBehind(world());
	const heard: unknown[] = [];
	const options = { task: {}, onprogress: (progress: unknown) => heard.push(progress) };
	const stream = guest.client.experimental.tasks.callToolStream({ name: 'act' }, CallToolResultSchema, options);
	const { value } = await stream.next();
	const request = await rawServer.expect('tools/call');
	const { progressToken } = request.params._meta;
	rawServer.notify('notifications/progress', { progressToken, progress: 1, total: 2, message: 'Half' });
	await eventually(() => heard.length > 0);
	expect(heard).toEqual([{ progress: 1, total: 2, message: 'Half' }]);
	expect((await guest.notified('notifications/tasks/status')).params.statusMessage).toBe('Half');
	rawServer.finish(request);
	expect(value).toMatchObject({ type: 'taskCreated' });
});

it('runs no tool as a task that does not say that it can', async () => {
	const { rawServer, guest } = await rawServerBehind(world());
	await expect(callAsTask(guest, 'plain').next()).resolves.toMatchObject({
		value: { type: 'error', error: { code: -32601 } },
	});
	expect(rawServer.requests('tools/call')).toEqual([]);
});

it('waits on for a client that stops to wait for the result, and cancels the task of one that is not heard of any more', async () => {
	const here = world();
	const { rawServer, guest } = await rawServerBehind(here);
	simulateTimers();
	const { taskId } = await createTask(guest, 'act');
	const request = await rawServer.expect('tools/call');
	rawServer.ask(form, request);
	await here.asked();
	const abort = new AbortController();
	const { tasks } = guest.client.experimental;
	const waiting = tasks.getTaskResult(taskId, CallToolResultSchema, { signal: abort.signal, timeout: 2 ** 31 - 1 });
	waiting.catch(() => {});
	await eventually(() => guest.heard.length > 0);
	await guest.client.ping();
	await vi.advanceTimersByTimeAsync(200_000);
	expect(here.registry.calls[0]?.state).toBe('running');
	abort.abort();
	await expect(waiting).rejects.toThrow();
	expect(await tasks.getTask(taskId)).toMatchObject({ status: 'working' });
	await vi.advanceTimersByTimeAsync(100_000);
	await here.until(() => here.registry.calls[0]?.state === 'cancelled');
	expect((await rawServer.expect('notifications/cancelled')).params.requestId).toBe(request.id);
	expect(await tasks.getTask(taskId)).toMatchObject({ status: 'cancelled' });
});
