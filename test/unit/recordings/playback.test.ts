import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { Playback } from '../../../src/recordings/playback.ts';
import { RecordedServer } from '../../../src/recordings/recordedServer.ts';
import { serveStdio } from '../../../src/recordings/stdio.ts';
import { read, recording } from '../trace/recording/recorded.ts';

it.each<[recorded: object, made: JsonObject]>([
	[{ arguments: {} }, {}],
	[{}, { arguments: {} }],
])('a call without arguments is one with none: recorded with %j, made with %j', async (recorded, made) => {
	const { messages } = read(
		recording(
			['sent', { id: 1, method: 'tools/call', params: { name: 'deploy', ...recorded } }],
			['received', { id: 1, result: { content: [] } }],
		),
	);
	const sent: JsonObject[] = [];
	const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'deploy', ...made } };
	await new Playback(new RecordedServer('s', messages)).receive(call, (message) => sent.push(message));
	expect(sent).toEqual([{ jsonrpc: '2.0', id: 1, result: { content: [] } }]);
});

it('a call repeats another one if its arguments are the same in another order', async () => {
	const recorded = ['first', 'second'].flatMap((text, index) => [
		['sent', { id: index, method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 } } }] as const,
		['received', { id: index, result: { content: [{ type: 'text', text }] } }] as const,
	]);
	const { messages } = read(recording(...recorded));
	const playback = new Playback(new RecordedServer('s', messages));
	const sent: JsonObject[] = [];
	for (const args of [
		{ a: 1, b: 2 },
		{ b: 2, a: 1 },
	]) {
		const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: args } };
		await playback.receive(call, (message) => sent.push(message));
	}
	expect(sent).toMatchObject([
		{ result: { content: [{ text: 'first' }] } },
		{ result: { content: [{ text: 'second' }] } },
	]);
});

it('an error that a server sent beside a null result is sent', async () => {
	const error = { code: -32603, message: 'Broken' };
	const { messages } = read(
		recording(
			['sent', { id: 1, method: 'tools/call', params: { name: 'deploy' } }],
			['received', { id: 1, result: null, error }],
		),
	);
	const sent: JsonObject[] = [];
	const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'deploy' } };
	await new Playback(new RecordedServer('s', messages)).receive(call, (message) => sent.push(message));
	expect(sent).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
});

it('a response of which the recording has a shortened form is an error that says so', async () => {
	const text = recording(
		['sent', { id: 1, method: 'tools/call', params: { name: 'deploy' } }],
		['received', { id: 1, result: { content: [{ type: 'image', data: 'AAAA…‹+2000000›', mimeType: 'image/png' }] } }],
	);
	const { messages } = read(text.replace('"direction":"received"', '"direction":"received","abridged":true'));
	const sent: JsonObject[] = [];
	const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'deploy' } };
	await new Playback(new RecordedServer('s', messages)).receive(call, (message) => sent.push(message));
	expect(sent).toMatchObject([{ id: 1, error: { message: expect.stringContaining('a shortened form') } }]);
});

it('waits for the responses to all requests of a turn, also when another recorded call fits them', async () => {
	const ask = (id: number) => ({ id, method: 'elicitation/create', params: { message: 'Sure?' } });
	const run = (
		call: string,
		id: number,
		first: number,
		action: string,
	): (readonly ['sent' | 'received', object, object])[] => {
		const of = { id: call, kind: 'tool', name: 'deploy' };
		return [
			['sent', { id, method: 'tools/call', params: { name: 'deploy' } }, of],
			['received', ask(first), of],
			['received', ask(first + 1), of],
			['sent', { id: first, result: { action } }, of],
			['sent', { id: first + 1, result: { action } }, of],
			['received', { id, result: { content: [{ type: 'text', text: action }] } }, of],
		];
	};
	const { messages } = read(recording(...run('1', 1, 7, 'accept'), ...run('2', 2, 0, 'decline')));
	const sent: JsonObject[] = [];
	const playback = new Playback(new RecordedServer('s', messages));
	const send = (message: JsonObject) => sent.push(message);
	const called = playback.receive({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'deploy' } }, send);
	const asked = () => sent.flatMap(({ id, method }) => (method === undefined ? [] : [id as number]));
	await expect.poll(() => asked().length).toBe(2);
	const [one = 0, other = 0] = asked();
	await playback.receive({ jsonrpc: '2.0', id: one, result: { action: 'decline' } }, send);
	await new Promise(setImmediate);
	expect(sent).toHaveLength(2);
	await playback.receive({ jsonrpc: '2.0', id: other, result: { action: 'decline' } }, send);
	await called;
	expect(sent.at(-1)).toMatchObject({ id: 9, result: { content: [{ text: 'decline' }] } });
});

it('responds to the last line over stdio, also if the input ends with it', async () => {
	const { messages } = read(
		recording(
			['sent', { id: 1, method: 'tools/call', params: { name: 'deploy' } }],
			['received', { id: 1, result: { content: [] } }],
		),
	);
	const [input, output] = [new PassThrough(), new PassThrough()];
	const served = serveStdio(new RecordedServer('s', messages), input, output);
	input.end(JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'deploy' } }));
	await served.closed;
	expect(JSON.parse(String(output.read()))).toEqual({ jsonrpc: '2.0', id: 5, result: { content: [] } });
});

it('a request that the client accepts as a task is polled by the id that the client gave it', async () => {
	const task = (taskId: string) => ({ task: { taskId, status: 'working' } });
	const result = { content: [] };
	const { messages } = read(
		recording(
			['sent', { id: 1, method: 'tools/call', params: { name: 'deploy' } }],
			['received', { id: 'a', method: 'elicitation/create', params: { message: 'Who?', task: {} } }],
			['sent', { id: 'a', result: task('recorded') }],
			['received', { id: 'b', method: 'tasks/result', params: { taskId: 'recorded' } }],
			['sent', { id: 'b', result: { action: 'decline' } }],
			['received', { id: 1, result }],
		),
	);
	const sent: JsonObject[] = [];
	const playback = new Playback(new RecordedServer('s', messages));
	const send = (message: JsonObject) => sent.push(message);
	const playing = playback.receive({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'deploy' } }, send);
	const answer = (its: JsonObject) =>
		playback.receive({ jsonrpc: '2.0', id: sent.at(-1)?.['id'] ?? null, result: its }, send);
	await vi.waitUntil(() => sent.length === 1);
	await answer(task('ours'));
	await vi.waitUntil(() => sent.length === 2);
	expect(sent[1]).toMatchObject({ method: 'tasks/result', params: { taskId: 'ours' } });
	await answer({ action: 'decline' });
	await playing;
	expect(sent.at(-1)).toEqual({ jsonrpc: '2.0', id: 1, result });
});
