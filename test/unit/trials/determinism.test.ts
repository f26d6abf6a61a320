import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/elicitation/json.ts';
import { factsOf, judgeDeterminism, type RunFacts, readRuns, repetition } from '../../../src/trials/determinism.ts';
import { LEGACY, MODERN, type Wire } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { form, request } from '../mcp/faults/rawServerFixtures.ts';
import { modernTask } from '../mcp/tasks/taskFixtures.ts';
import { testClients } from '../mcp/testClient.ts';
import { rawStand, textsOf } from './stand.ts';

const world = testClients();

/** A call that the user has responded to, and its repetitions; the server acts in each of them. */
async function repeating(revision: typeof LEGACY | typeof MODERN = LEGACY) {
	const { here, server, connection, seen } = await rawStand(world(), RawStdioServer.open({ revision }));
	const calling = connection.callTool('act', {});
	const made = await server.expect('tools/call');
	if (revision === LEGACY) {
		const { response } = server.ask(form, made);
		await here.registry.accept((await here.asked())[0], { name: 'Ada' });
		await response;
	}
	server.finish(made);
	await calling;
	const [call] = here.registry.calls;
	const before = [...here.registry.elicitations];
	const facts: RunFacts[] = [];
	/** Resolves to what is said about the run. */
	const run = async (act: (call: Wire) => Promise<unknown>) => {
		const observing = seen(repetition(facts.length + 1, call as never, here.registry, before));
		await act(await server.expect('tools/call'));
		facts.push(factsOf(await observing, here.trace.entries));
		return textsOf(judgeDeterminism(facts));
	};
	/** A run in which the server sends these requests, one after another. */
	const asking = (requests: readonly Wire[], result: object = {}) =>
		run(async (call) => {
			for (const params of requests) await server.ask(params, call).response;
			server.finish(call, result);
		});
	return { server, run, asking };
}

const SAME = ['Everything is as in the first run.'];
const saying = (message: string) => ({ ...form, message });
const page = (elicitationId: string) => ({ mode: 'url', message: 'Open', url: 'https://example.com/', elicitationId });

describe('a call that is repeated', () => {
	it('gets the responses of the call, and is the same if the server does the same', async () => {
		const { server, run } = await repeating();
		const act = async (call: Wire) => {
			const { result } = await server.ask(form, call).response;
			expect(result).toEqual({ action: 'accept', content: { name: 'Ada' } });
			server.finish(call, { at: '2026-01-01T10:00:00Z' });
		};
		expect(await run(act)).toEqual([]);
		expect(await run(act)).toEqual(SAME);
	});

	it('shows requests that are built from what changes', async () => {
		const { asking } = await repeating();
		await asking([saying('It is 2026-01-01T10:00:00Z.')]);
		expect(await asking([saying('It is 2026-01-01T10:00:07Z.')])).toEqual([
			'⚠ Request 1 holds a time or a random ID, at /message.',
		]);
		expect(await asking([saying('It is the third time.')])).toEqual([
			'⚠ Request 1 differs from that of the first run at /message.',
		]);
	});

	it('shows requests that are missing or come in another order, and another result', async () => {
		const { asking } = await repeating();
		await asking([saying('One?'), saying('Two?')], { n: 1 });
		expect(await asking([saying('Two?'), saying('One?')], { n: 1 })).toEqual([
			'⚠ The same requests came in a different order.',
		]);
		expect(await asking([saying('One?')], { n: 1 })).toEqual([
			'⚠ The number of requests is 1; in the first run, it was 2.',
		]);
		expect(await asking([saying('One?'), saying('Two?')], { n: 2 })).toEqual([
			'The result differs from that of the first run at /content/0/text, /structuredContent/n.',
		]);
	});

	it('shows another error, with another code or for another reason', async () => {
		const { server, run } = await repeating();
		const failing = (code: number, message: string) => run(async (call) => server.fail(call, { code, message }));
		await failing(-32602, 'No such place, at 2026-01-01T10:00:00Z.');
		expect(await failing(-32602, 'No such place, at 2026-01-01T10:00:07Z.')).toEqual(SAME);
		expect(await failing(-32603, 'No such place, at 2026-01-01T10:00:09Z.')).toEqual([
			'The result differs from that of the first run at /code.',
		]);
		expect(await failing(-32602, 'Out of memory.')).toEqual([
			'The result differs from that of the first run at /message.',
		]);
	});

	it('shows ids of URL elicitations that are used again', async () => {
		const { asking } = await repeating();
		expect(await asking([page('a')])).toEqual([]);
		expect(await asking([page('b')])).toEqual(SAME);
		expect(await asking([page('a')])).toEqual([
			'⚠ The elicitationId "a" was used before: completions of it are ambiguous.',
		]);
	});

	it('shows keys of a task that stand for several requests', async () => {
		const { server, run } = await repeating(MODERN);
		const said = await run(async (call) => {
			server.answer(call, { ...modernTask('working'), resultType: 'task' });
			const asking = (message: string) =>
				modernTask('input_required', { inputRequests: { who: request(saying(message)) } });
			server.answer(await server.expect('tasks/get'), asking('One?'));
			server.answer(await server.expect('tasks/update'), { resultType: 'complete' });
			server.answer(await server.expect('tasks/get'), asking('Two?'));
			server.answer(await server.expect('tasks/get'), modernTask('completed', { result: { content: [] } }));
		});
		expect(said).toEqual(['⚠ The key "who" stands for different requests of one task.']);
	});
});

it('says nothing of a run that the user stopped, and of requests that were refused', () => {
	const run = (outcome: RunFacts['outcome'], result: Json = null): RunFacts => ({
		...{ requests: [], ids: [], entries: [], outcome, result },
	});
	expect(judgeDeterminism([run('result'), run('cancelled')])).toEqual([]);
	expect(judgeDeterminism([run('result'), run('error')])).toHaveLength(1);
	expect(judgeDeterminism([])).toEqual([]);
});

it('reads the number of runs that a person enters', () => {
	expect(['2', ' 3 ', '100'].map(readRuns)).toEqual([2, 3, 100]);
	expect(['', '1', '101', '2.5', 'x'].map(readRuns)).toEqual(Array(5).fill(undefined));
});
