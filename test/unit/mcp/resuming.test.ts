import { describe, expect, it } from 'vitest';
import type { CallKeeper, Checkpoint } from '../../../src/elicitation/checkpoint.ts';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { variants } from '../../nightly.ts';
import { ask, connectRawServer, form, REQUESTS, ROUNDS, request } from './faults/rawServerFixtures.ts';
import { modernTask, Polls } from './tasks/taskFixtures.ts';
import { testClients } from './testClient.ts';
import { eventually } from './timing.ts';

const world = testClients();

/** Records what is kept of a call, and when. */
class Kept implements CallKeeper {
	readonly log: (Checkpoint | 'sends' | 'ends')[] = [];
	onWaits = async () => {};

	constructor(
		readonly from?: Checkpoint,
		private readonly isFirst = true,
	) {}

	async waits(at: Checkpoint): Promise<void> {
		this.log.push(at);
		await this.onWaits();
	}

	async sends(): Promise<boolean> {
		this.log.push('sends');
		return this.isFirst;
	}

	async ends(): Promise<void> {
		this.log.push('ends');
	}
}

const created = modernTask('working', { resultType: 'task' });
const taskKept = { kind: 'task', taskId: 'task-1', ttl: 60_000, answered: [] } as const;
const round = ask({ a: request(form), b: request(form) }, 'opaque') as JsonObject;

it.each(REQUESTS)(
	'a round is not resumed over %s with a server that went back to sessions, which would run the call once more',
	async (_wire, open) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const kept = new Kept({ kind: 'round', result: round, responses: { a: { action: 'decline' } } });
		await expect(connection.callTool('act', {}, { keeper: kept })).rejects.toThrow(
			'The server now speaks protocol revision 2025-11-25, in which "act" cannot be resumed. Call it again.',
		);
		expect([here.registry.elicitations, rawServer.requests('tools/call')]).toEqual([[], []]);
		expect(kept.log).toEqual(['ends']);
	},
);

describe.each(variants(...ROUNDS.toReversed()))('a call over %s', (_wire, open) => {
	it('keeps the id of its task before the first poll, and forgets it with the result (K16)', async () => {
		const { rawServer, connection } = await connectRawServer(world(), open);
		const kept = new Kept();
		let store = () => {};
		kept.onWaits = () => new Promise((resolve) => (store = resolve));
		const calling = connection.callTool('act', {}, { keeper: kept });
		rawServer.answer(await rawServer.expect('tools/call'), created);
		await eventually(() => kept.log.length === 1);
		new Polls(rawServer, modernTask('completed', { result: { content: [] } }));
		expect(rawServer.requests('tasks/get')).toEqual([]);
		store();
		await calling;
		expect(kept.log).toEqual([{ ...taskKept, since: expect.any(Number) }, 'ends']);
	});

	it('stays kept if its server is stopped, and is forgotten if it is canceled (K16)', async () => {
		const { rawServer, connection } = await connectRawServer(world(), open);
		const [one, two] = [new Kept(), new Kept()];
		const abort = new AbortController();
		const calls = [
			connection.callTool('act', {}, { keeper: one }),
			connection.callTool('act', {}, { keeper: two, signal: abort.signal }),
		].map((calling) => calling.catch(() => {}));
		for (const taskId of ['task-1', 'task-2']) {
			// Not polled before its server is stopped.
			rawServer.answer(await rawServer.expect('tools/call'), { ...created, taskId, pollIntervalMs: 600_000 });
		}
		await eventually(() => [...one.log, ...two.log].length === 2);
		abort.abort();
		await calls[1];
		await connection.stop();
		await calls[0];
		expect(one.log).toHaveLength(1);
		expect(two.log).toEqual([expect.anything(), 'ends']);
	});

	it('is resumed with its task: asks for what is not answered, and calls no tool (K12, K16)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const kept = new Kept({ ...taskKept, since: 1, answered: ['b'] });
		const calling = connection.callTool('act', {}, { keeper: kept });
		// The server has not processed a response that it has acknowledged.
		const inputRequests = { a: request(form), b: request(form) };
		const polls = new Polls(rawServer, modernTask('input_required', { inputRequests }));
		const [elicitation] = await here.asked();
		elicitation.decline();
		const update = await rawServer.expect('tasks/update');
		expect(update.params).toMatchObject({ taskId: 'task-1', inputResponses: { a: { action: 'decline' } } });
		rawServer.answer(update, { resultType: 'complete' });
		await eventually(() => kept.log.length === 2);
		polls.report(modernTask('completed', { result: { content: [], structuredContent: { done: true } } }));
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
		expect(kept.log).toEqual([
			{ ...taskKept, since: 1, answered: ['b'] },
			{ ...taskKept, since: 1, answered: ['b', 'a'] },
			'ends',
		]);
		expect(here.registry.elicitations).toHaveLength(1);
		expect(rawServer.requests('tools/call')).toEqual([]);
	});

	it.each([
		['does not know any more', 0, 'The server does not know the task of "act" any more: no task.'],
		['kept for a while only', 61_000, 'The server keeps the task of "act" for 60 s only, and that time is over.'],
	])('says so if its task is one that the server %s, and forgets it (K16, K17)', async (_case, age, message) => {
		const { rawServer, connection } = await connectRawServer(world(), open);
		const kept = new Kept({ ...taskKept, since: Date.now() - age });
		const calling = connection.callTool('act', {}, { keeper: kept });
		calling.catch(() => {});
		rawServer.fail(await rawServer.expect('tasks/get'), { code: -32602, message: 'no task' });
		await expect(calling).rejects.toThrow(message);
		expect(kept.log.at(-1)).toBe('ends');
		expect(rawServer.requests('tools/call')).toEqual([]);
	});

	it('does not call its tool again if a resumed task ends with a round', async () => {
		const { rawServer, connection } = await connectRawServer(world(), open);
		const calling = connection.callTool('act', {}, { keeper: new Kept({ ...taskKept, since: Date.now() }) });
		calling.catch(() => {});
		new Polls(rawServer, modernTask('completed', { result: ask(undefined, 'again') }));
		await expect(calling).rejects.toThrow('The task of "act" has ended, and the server requires another call.');
		expect(rawServer.requests('tools/call')).toEqual([]);
	});

	it('keeps a round with each response, until the responses are sent (K16)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const kept = new Kept();
		const calling = connection.callTool('act', { n: 1 }, { keeper: kept });
		rawServer.answer(await rawServer.expect('tools/call'), round);
		const [one, two] = await here.asked(2);
		one.decline();
		await eventually(() => kept.log.length === 2);
		two?.cancel();
		rawServer.finish(await rawServer.expect('tools/call'));
		await calling;
		const at = (responses: object) => ({ kind: 'round', result: expect.objectContaining(round), responses });
		const [a, b] = [{ action: 'decline' }, { action: 'cancel' }];
		expect(kept.log).toEqual([at({}), at({ a }), at({ a, b }), 'sends', 'ends']);
	});

	it('is resumed in its round: asks for what is not known, and sends one retry (K16, R02)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const from: Checkpoint = { kind: 'round', result: round, responses: { a: { action: 'decline' } } };
		const calling = connection.callTool('act', { n: 1 }, { keeper: new Kept(from) });
		const [elicitation] = await here.asked();
		expect(here.registry.elicitations).toHaveLength(1);
		await here.registry.accept(elicitation, { name: 'Ada' });
		const retry = await rawServer.expect('tools/call');
		expect(retry.params).toMatchObject({
			name: 'act',
			arguments: { n: 1 },
			requestState: 'opaque',
			inputResponses: { a: { action: 'decline' }, b: { action: 'accept', content: { name: 'Ada' } } },
		});
		rawServer.finish(retry, { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
		expect(rawServer.requests('tools/call')).toHaveLength(1);
	});

	it('does not send its responses if another window has sent some, and says so (K16, D01)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const from: Checkpoint = { kind: 'round', result: round, responses: { a: { action: 'decline' } } };
		const calling = connection.callTool('act', {}, { keeper: new Kept(from, false) });
		calling.catch(() => {});
		const [elicitation] = await here.asked();
		await here.registry.accept(elicitation, { name: 'Ada' });
		await expect(calling).rejects.toThrow(
			'Your response to "act" could not be delivered. A response was already sent from another window. See its result there.',
		);
		expect(elicitation.delivery).toMatchObject({ state: 'undelivered' });
		expect(rawServer.requests('tools/call')).toEqual([]);
	});

	it('stays in its round if its server is stopped while an opened URL is requested again (K16)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const kept = new Kept();
		const calling = connection.callTool('act', {}, { keeper: kept });
		calling.catch(() => {});
		const url = request({ mode: 'url', message: 'Sign in', url: 'https://example.com/in' });
		rawServer.answer(await rawServer.expect('tools/call'), ask({ a: url }, '1'));
		const [elicitation] = await here.asked();
		elicitation.opened();
		rawServer.answer(await rawServer.expect('tools/call'), ask({ a: url }, '2'));
		await eventually(() => kept.log.length === 4);
		await connection.stop();
		await expect(calling).rejects.toThrow('The server was stopped while "act" was running.');
		expect(kept.log.slice(2)).toEqual([
			'sends',
			{ kind: 'round', result: expect.objectContaining(ask({ a: url }, '2')), responses: {} },
		]);
	});

	it('stays in its round if its server is stopped at the round limit (K16, R07)', async () => {
		const here = world();
		here.registry.onDidAsk((pending) => pending.cancel());
		const { rawServer, connection } = await connectRawServer(here, open);
		const kept = new Kept();
		const calling = connection.callTool('act', {}, { keeper: kept });
		calling.catch(() => {});
		const resultOf = (at: number) => ask({ a: request({ ...form, message: `Round ${at}` }) }, String(at));
		for (let at = 1; at <= 10; at++) rawServer.answer(await rawServer.expect('tools/call'), resultOf(at));
		await here.until(() => here.registry.calls[0]?.atRoundLimit);
		await connection.stop();
		await expect(calling).rejects.toThrow('The server was stopped while "act" was running.');
		expect(kept.log.slice(-2)).toEqual([
			'sends',
			{ kind: 'round', result: expect.objectContaining(resultOf(10)), responses: {} },
		]);
	});

	it('that fails is not kept', async () => {
		const { rawServer, connection } = await connectRawServer(world(), open);
		const kept = new Kept();
		const calling = connection.callTool('act', {}, { keeper: kept });
		calling.catch(() => {});
		rawServer.fail(await rawServer.expect('tools/call'), { code: -32000, message: 'no' });
		await expect(calling).rejects.toThrow('no');
		expect(kept.log).toEqual(['ends']);
	});
});
