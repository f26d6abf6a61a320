import { describe, expect, it } from 'vitest';
import type { Elicitation } from '../../../src/elicitation/elicitation.ts';
import { Failure } from '../../../src/mcp/wire/failure.ts';
import { variants } from '../../nightly.ts';
import { callRawServerTool, connectRawServer, ROUNDS, ask as roundOf } from './faults/rawServerFixtures.ts';
import { type TestClient, testClients, type Wire } from './testClient.ts';

/* What servers may do to the rounds of a call is in faults/rounds.test.ts. */

const world = testClients();

const form = (message: string) => ({
	method: 'elicitation/create',
	params: { message, requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
});
const page = {
	method: 'elicitation/create',
	params: { mode: 'url', message: 'Sign in', url: 'https://example.com/in' },
};

async function byMessage(here: TestClient, count: number): Promise<Record<string, Elicitation>> {
	return Object.fromEntries((await here.asked(count)).map((each) => [each.request.message, each]));
}

// Rounds are the same over both transports.
describe.each(variants(...ROUNDS.toReversed()))('over %s, a result that requires input', (_wire, open) => {
	/** A call that has got this result. */
	async function required(result: object, definition: object = {}) {
		const here = world();
		const { calling, call, ...on } = await callRawServerTool(here, open, {}, definition);
		// Awaited by the test; must not count as unhandled until then.
		calling.catch(() => {});
		on.rawServer.answer(call, result);
		const retry = (): Promise<Wire> => on.rawServer.expect('tools/call');
		return { here, calling, call, retry, ...on };
	}

	/** A call at its round limit, which the user is asked about. */
	async function atRoundLimit() {
		const here = world();
		here.registry.onDidAsk((pending) => pending.cancel());
		const { rawServer, connection } = await connectRawServer(here, open);
		const abort = new AbortController();
		const calling = connection.callTool('act', {}, { signal: abort.signal });
		calling.catch(() => {});
		for (let round = 1; round <= 10; round++) {
			rawServer.answer(await rawServer.expect('tools/call'), roundOf({ a: form(`Round ${round}`) }));
		}
		const roundLimit = await here.until(() => here.registry.calls[0]?.atRoundLimit);
		expect(roundLimit.call.clock.asking).toBe(true);
		return { here, connection, abort, calling, roundLimit };
	}

	it('has every entry answered, in any order, before the one retry, under the same keys (R01)', async () => {
		const inputRequests = { b: form('second'), a: form('first'), c: page };
		const { here, rawServer, call, retry } = await required(roundOf(inputRequests, 's'));
		const allPending = await byMessage(here, 3);
		expect(Object.values(allPending).map(({ origin }) => origin.key)).toEqual(['b', 'a', 'c']);
		allPending['Sign in']?.opened();
		allPending['first']?.decline();
		expect(rawServer.requests('tools/call')).toHaveLength(1);
		await here.registry.accept(allPending['second'] as Elicitation, { name: 'Ada' });
		const { id, params } = await retry();
		expect(call.params).not.toHaveProperty('inputResponses');
		expect(params.inputResponses).toStrictEqual({
			a: { action: 'decline' },
			b: { action: 'accept', content: { name: 'Ada' } },
			c: { action: 'accept' },
		});
		expect(params.requestState).toBe('s');
		expect(id).not.toBe(call.id);
	});

	it('has no state or responses sent that it did not ask for (R02)', async () => {
		const { here, rawServer, retry } = await required(roundOf(undefined, 'old'));
		const second = await retry();
		expect(second.params.requestState).toBe('old');
		expect(second.params).not.toHaveProperty('inputResponses');
		rawServer.answer(second, roundOf({ a: form('now') }));
		(await here.asked())[0].decline();
		const { params } = await retry();
		expect(params).not.toHaveProperty('requestState');
		expect(params.inputResponses).toEqual({ a: { action: 'decline' } });
	});

	it('is retried with a fresh id, and no call sees what another was told (R03)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const calls = ['one', 'two'].map((name) => connection.callTool('act', { name }));
		for (const _ of calls) {
			const call = await rawServer.expect('tools/call');
			const { name } = call.params.arguments;
			rawServer.answer(call, roundOf({ a: form(name) }, name));
		}
		const allPending = await byMessage(here, 2);
		for (const name of ['two', 'one']) {
			expect(allPending[name]?.origin.calls.map(({ args }) => args)).toEqual([{ name }]);
			await here.registry.accept(allPending[name] as Elicitation, { name });
			const { params, ...retry } = await rawServer.expect('tools/call');
			expect([params.arguments, params.requestState]).toEqual([{ name }, name]);
			expect(params.inputResponses.a.content).toEqual({ name });
			rawServer.finish(retry);
		}
		await Promise.all(calls);
		expect(new Set(rawServer.requests('tools/call').map(({ id }) => id)).size).toBe(4);
	});

	it('without entries is retried at once, and then after ever longer pauses (R04)', async () => {
		const { here, rawServer, retry, calling } = await required(roundOf(undefined, '1'));
		rawServer.answer(await retry(), roundOf(undefined, '2'));
		rawServer.answer(await retry(), roundOf(undefined, '3'));
		rawServer.finish(await retry());
		await calling;
		expect([here.registry.elicitations, here.registry.calls[0]?.rounds]).toEqual([[], 4]);
		const rounds = here.trace.entries.filter(({ message }) => (message as Wire).method === 'tools/call');
		const pauses = rounds.slice(1).map(({ at }, index) => at - (rounds[index]?.at ?? at));
		// Timers may be late but not early.
		expect(pauses[1]).toBeGreaterThanOrEqual(39);
		expect(pauses[2]).toBeGreaterThanOrEqual(79);
	});

	it('again and again may be canceled while the user is asked whether it goes on (R07)', async () => {
		const { here, abort, calling, roundLimit } = await atRoundLimit();
		abort.abort(new Error('Enough.'));
		await expect(calling).rejects.toThrow('Enough.');
		expect(await roundLimit.decided).toBe(false);
		expect(here.registry.calls[0]?.atRoundLimit).toBeUndefined();
	});

	it('again and again fails if its server is stopped while the user is asked whether it goes on, and nothing more is asked (R07)', async () => {
		const { here, connection, calling, roundLimit } = await atRoundLimit();
		await connection.stop();
		await expect(calling).rejects.toThrow('raw-server: The server was stopped while "act" was running.');
		roundLimit.decide(true);
		expect([here.registry.calls[0]?.atRoundLimit, here.registry.live]).toEqual([undefined, []]);
	});

	it('with a URL that may not be opened has it canceled without asking, and the user is told why (U07)', async () => {
		const bad = { ...page, params: { ...page.params, url: 'javascript:alert(1)' } };
		const { here, retry } = await required(roundOf({ good: form('good'), bad }, 's'));
		(await here.asked())[0].decline();
		const { params } = await retry();
		expect(params.inputResponses).toStrictEqual({ good: { action: 'decline' }, bad: { action: 'cancel' } });
		expect(here.refusals).toMatchObject([{ server: 'raw-server', params: bad.params }]);
	});

	it.each<[string, object, object, string]>([
		['sampling', { a: { method: 'sampling/createMessage', params: {} } }, {}, '"sampling/createMessage" from'],
		['roots', { a: { method: 'roots/list' } }, { roots: 'none' }, '"roots/list" from'],
		['URLs', { a: page }, { elicitation: { advertise: 'form' } }, 'elicitation in url mode'],
		['forms', { a: form('x') }, { elicitation: { advertise: 'url' } }, 'elicitation in form mode'],
		['forms and URLs', { a: form('x') }, { elicitation: { advertise: 'none' } }, 'elicitation in form mode'],
	])(
		'that this client did not declare (%s) fails the call (R08, E07)',
		async (_what, inputRequests, declared, named) => {
			const { here, rawServer, calling } = await required(roundOf(inputRequests), declared);
			await expect(calling).rejects.toThrow(named);
			await expect(calling).rejects.toThrow('did not declare');
			await expect(calling).rejects.toBeInstanceOf(Failure);
			expect([here.registry.elicitations, rawServer.requests('tools/call').length]).toEqual([[], 1]);
		},
	);

	it('with more than 1,000 entries fails the call (R08, fault 24)', async () => {
		const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [at, form('x')]));
		const { here, rawServer, calling } = await required(roundOf(entries(1_001)));
		await expect(calling).rejects.toThrow('requests 1001 inputs at once');
		expect([here.registry.live, rawServer.requests('tools/call').length]).toEqual([[], 1]);
	});
});

// The URL is requested again in the round after the one in which the user has opened it.
describe.each(variants(...ROUNDS.toReversed()))('over %s, a URL that is requested again (U13)', (_wire, open) => {
	async function opened() {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		calling.catch(() => {});
		rawServer.answer(call, roundOf({ a: page }, '1'));
		const [elicitation] = await here.asked();
		elicitation.opened();
		const second = await rawServer.expect('tools/call');
		return { here, rawServer, calling, elicitation, second };
	}

	it.each([
		['waits until the user says retry', 'retried', { action: 'accept' }],
		['is canceled when the user gives up', 'giveUp', { action: 'cancel' }],
	] as const)('%s', async (_what, deed, response) => {
		const { here, rawServer, elicitation, second } = await opened();
		rawServer.answer(second, roundOf({ a: page }, '2'));
		await here.until(() => here.wire('received', ({ result }) => result?.requestState === '2')[0]);
		expect([elicitation.state, here.registry.elicitations.length]).toEqual(['opened', 1]);
		expect(rawServer.requests('tools/call')).toHaveLength(2);
		elicitation[deed]();
		const { params } = await rawServer.expect('tools/call');
		expect([params.requestState, params.inputResponses]).toStrictEqual(['2', { a: response }]);
	});

	it('is completed by the result of the call', async () => {
		const { rawServer, calling, elicitation, second } = await opened();
		rawServer.finish(second);
		await calling;
		expect(await elicitation.ended).toBe('completed');
	});

	it('is not completed by a result that reports an error', async () => {
		const { rawServer, calling, elicitation, second } = await opened();
		rawServer.answer(second, { resultType: 'complete', isError: true, content: [] });
		await calling;
		expect(await elicitation.ended).toBe('withdrawn');
	});

	it('under another address is another elicitation', async () => {
		const { here, rawServer, calling, second } = await opened();
		const other = { ...page, params: { ...page.params, url: 'https://example.com/other' } };
		rawServer.answer(second, roundOf({ a: other }));
		const [elicitation] = await here.asked();
		expect(elicitation.request).toMatchObject({ url: 'https://example.com/other' });
		elicitation.decline();
		rawServer.finish(await rawServer.expect('tools/call'));
		await calling;
	});
});

it.each(variants(...ROUNDS.toReversed()))(
	'over %s, a result without resultType is complete, and the trace shows it as it came (R05)',
	async (_wire, open) => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const result = { content: [{ type: 'text', text: 'as it was' }] };
		rawServer.answer(call, result);
		expect(await calling).toEqual(result);
		const [raw] = here.wire('received', ({ result }) => result?.content);
		expect(raw.result).toStrictEqual(result);
	},
);
