import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { serveStdio } from '../../../src/recordings/stdio.ts';
import { answered, asked, called, DONE, deploy, ended, type Line, recording } from '../trace/recording/recorded.ts';
import { Player, serverOf } from './player.ts';

const text = (its: string) => ({ content: [{ type: 'text', text: its }] });

it.each<[recorded: object, made: object]>([
	[{ arguments: {} }, { arguments: undefined }],
	[{ arguments: undefined }, { arguments: {} }],
])('a call without arguments is one with none: recorded with %j, made with %j', async (recorded, made) => {
	const player = new Player([called(1, recorded), ended(1)]);
	await player.call(made);
	expect(player.sent).toEqual([{ jsonrpc: '2.0', id: 1, result: DONE }]);
});

it('a call repeats another one if its arguments are the same in another order', async () => {
	const player = new Player(
		['first', 'second'].flatMap((its, id) => [called(id, { arguments: { a: 1, b: 2 } }), ended(id, text(its))]),
	);
	expect((await player.call({ arguments: { a: 1, b: 2 } })).result).toEqual(text('first'));
	expect((await player.call({ arguments: { b: 2, a: 1 } })).result).toEqual(text('second'));
});

it('an error that a server sent beside a null result is sent', async () => {
	const error = { code: -32603, message: 'Broken' };
	const player = new Player([called(1), ended(1, null, { error })]);
	await player.call();
	expect(player.sent).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
});

it('a response of which the recording has a shortened form is an error that says so', async () => {
	const image = { type: 'image', data: 'AAAA…‹+2000000›', mimeType: 'image/png' };
	const lines = recording(called(1), ended(1, { content: [image] }));
	const player = new Player(lines.replace('"direction":"received"', '"direction":"received","abridged":true'));
	expect((await player.call()).error?.message).toContain('a shortened form');
});

it('waits for the responses to all requests of a turn, also when another recorded call fits them', async () => {
	const run = (call: string, id: number, first: number, action: string): Line[] =>
		[
			called(id),
			asked(first, { message: 'Sure?' }),
			asked(first + 1, { message: 'Sure?' }),
			answered(first, { action }),
			answered(first + 1, { action }),
			ended(id, text(action)),
		].map(([direction, message]) => [direction, message, { id: call, kind: 'tool', name: 'deploy' }]);
	const player = new Player([...run('1', 1, 7, 'accept'), ...run('2', 2, 0, 'decline')]);
	const response = player.call();
	const ids = () => player.sent.flatMap(({ id, method }) => (method === undefined ? [] : [id]));
	await expect.poll(() => ids().length).toBe(2);
	const [one, other] = ids();
	await player.receive({ id: one, result: { action: 'decline' } });
	await new Promise(setImmediate);
	expect(player.sent).toHaveLength(2);
	await player.receive({ id: other, result: { action: 'decline' } });
	expect((await response).result).toEqual(text('decline'));
});

it.each([
	['has thousands of rounds', [5_000]],
	['is like another of thousands of rounds', [20_000, 20_000]],
])('the next round is found of a call that %s, without looking at each round for each other', (_what, rounds) => {
	const inputRequests = { it: { method: 'elicitation/create', params: { message: 'More?' } } };
	const inputResponses = { it: { action: 'decline' } };
	let id = 0;
	const lines = rounds.flatMap((count, call) =>
		Array.from({ length: count }, (_, round): Line[] => [
			called(++id, round === 0 ? {} : { requestState: '‹redacted›', inputResponses }),
			ended(id, round < count - 1 ? { resultType: 'input_required', inputRequests } : text(`done ${call}`)),
		]).flatMap((pair) =>
			pair.map(([direction, message]): Line => [direction, message, { id: `${call}`, kind: 'tool', name: 'deploy' }]),
		),
	);
	const server = serverOf(lines);
	const compared = vi.spyOn(Object, 'keys');
	const last = (rounds[0] ?? 0) - 2;
	const params = { requestState: `recording:${last}`, inputResponses };
	const { response } = server.find('tools/call', deploy(params), new Map());
	expect(response).toMatchObject({ result: text('done 0') });
	expect(compared.mock.calls.length).toBeLessThan(20 * id);
	compared.mockRestore();
});

it('chooses among recorded calls by the response, whatever notifications came in between', async () => {
	const note: Line = ['received', { method: 'notifications/message', params: { level: 'info', data: 'chance' } }];
	const run = (call: string, id: number, action: string, notes: readonly Line[]): Line[] =>
		[
			called(id),
			...notes,
			asked(id, { message: 'Sure?' }),
			...notes,
			answered(id, { action }),
			ended(id, text(action)),
		].map(([direction, message]) => [direction, message, { id: call, kind: 'tool', name: 'deploy' }]);
	for (const [one, other] of [
		[[note], []],
		[[], [note]],
	] as const) {
		const player = new Player([...run('1', 1, 'accept', one), ...run('2', 2, 'decline', other)]);
		for (const [before, action] of ['decline', 'accept'].entries()) {
			const response = player.call();
			const requests = () => player.sent.filter(({ method }) => method === 'elicitation/create');
			await expect.poll(() => requests().length).toBe(before + 1);
			await player.receive({ id: requests()[before]?.['id'], result: { action } });
			expect((await response).result).toEqual(text(action));
		}
	}
});

it('sends a request once that the server had sent again while it waited for the response', async () => {
	const player = new Player([called(1), asked(7), asked(7), answered(7), ended(1)]);
	const response = player.call();
	await vi.waitUntil(() => player.sent.length > 0);
	await player.receive({ id: player.sent[0]?.['id'], result: { action: 'accept', content: { name: 'Ada' } } });
	expect((await response).result).toEqual(DONE);
	expect(player.sent).toHaveLength(2);
});

it('responds to the last line over stdio, also if the input ends with it', async () => {
	const [input, output] = [new PassThrough(), new PassThrough()];
	const served = serveStdio(serverOf([called(1), ended(1)]), input, output);
	input.end(JSON.stringify(called(5)[1]));
	await served.closed;
	expect(JSON.parse(String(output.read()))).toEqual({ jsonrpc: '2.0', id: 5, result: DONE });
});

it('a request that the client accepts as a task is polled by the id that the client gave it', async () => {
	const task = (taskId: string) => ({ task: { taskId, status: 'working' } });
	const player = new Player([
		called(1),
		asked('a', { message: 'Who?', task: {} }),
		answered('a', task('recorded')),
		['received', { id: 'b', method: 'tasks/result', params: { taskId: 'recorded' } }],
		answered('b', { action: 'decline' }),
		ended(1),
	]);
	const response = player.call();
	const answer = (result: object) => player.receive({ id: player.sent.at(-1)?.['id'], result });
	await vi.waitUntil(() => player.sent.length === 1);
	await answer(task('ours'));
	await vi.waitUntil(() => player.sent.length === 2);
	expect(player.sent[1]).toMatchObject({ method: 'tasks/result', params: { taskId: 'ours' } });
	await answer({ action: 'decline' });
	expect(await response).toEqual({ jsonrpc: '2.0', id: 1, result: DONE });
});

it('lists what it has calls of first, and says of the rest that it is not recorded', async () => {
	const tools = [{ name: 'bare' }, { name: 'pay', description: 'Pays the bill.' }, { name: 'deploy', title: 'Deploy' }];
	const listed: Line = ['sent', { id: 9, method: 'tools/list', params: {} }];
	const player = new Player([listed, ended(9, { tools }), called(1), ended(1)]);
	expect((await player.request('tools/list', {})).result).toEqual({
		tools: [
			{ name: 'deploy', title: 'Deploy' },
			{ name: 'bare', description: 'Not recorded.' },
			{ name: 'pay', description: 'Not recorded. Pays the bill.' },
		],
	});
});
