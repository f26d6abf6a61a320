import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Elicitation } from '../../../src/elicitation/elicitation.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { Failure } from '../../../src/mcp/wire/failure.ts';
import {
	define,
	type Listening,
	listening,
	peer,
	shown,
	stdio,
	type TestClient,
	testClients,
	testServer,
	type Wire,
} from './testClient.ts';

const world = testClients();
const sdk2 = testServer('sdk2.mjs');

const form = (message: string) => ({
	method: 'elicitation/create',
	params: { message, requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
});
const page = {
	method: 'elicitation/create',
	params: { mode: 'url', message: 'Sign in', url: 'https://example.com/in' },
};
const ask = (inputRequests: unknown, requestState?: string) => ({
	resultType: 'input_required',
	...(inputRequests !== undefined && { inputRequests }),
	...(requestState !== undefined && { requestState }),
});
const done = { resultType: 'complete', __seen: true };

/** A call to which the peer returns these results in order. */
async function play(here: TestClient, results: unknown[], more: object = {}, options = {}) {
	const connection = await here.connect(stdio('modern', peer('modern.mjs'), [], more));
	const calling = connection.callTool('play', { key: randomUUID(), results } as Wire, options);
	// Awaited below; must not count as unhandled until then.
	calling.catch(() => {});
	return { connection, calling };
}

const sent = (here: TestClient) => here.wire('sent', ({ method }) => method === 'tools/call');

async function byMessage(here: TestClient, count: number): Promise<Record<string, Elicitation>> {
	return Object.fromEntries((await here.asked(count)).map((each) => [each.request.message, each]));
}

describe('a result that requires input', () => {
	it('has every entry answered, in any order, before the one retry, under the same keys (R01)', async () => {
		const here = world();
		const inputRequests = { b: form('second'), a: form('first'), c: page };
		const { calling } = await play(here, [ask(inputRequests, 's'), done]);
		const allPending = await byMessage(here, 3);
		expect(Object.values(allPending).map(({ origin }) => origin.key)).toEqual(['b', 'a', 'c']);
		allPending['Sign in']?.opened();
		allPending['first']?.decline();
		expect(sent(here)).toHaveLength(1);
		await here.registry.accept(allPending['second'] as Elicitation, { name: 'Ada' });
		const [first, second] = shown(await calling).requests;
		expect(first.inputResponses).toBeUndefined();
		expect(second).toStrictEqual({
			id: second.id,
			inputResponses: {
				a: { action: 'decline' },
				b: { action: 'accept', content: { name: 'Ada' } },
				c: { action: 'accept' },
			},
			requestState: 's',
		});
		expect(second.id).not.toBe(first.id);
	});

	it.each([
		['with NUL, emoji and lone surrogates', '\u0000\ud83d\ude00\ud800 "\\\n\u2028'],
		['of one megabyte', 'é'.repeat(2 ** 20)],
		['that is empty', ''],
	])('has a state %s echoed exactly (R02, fault 21)', async (_what, state) => {
		const here = world();
		const { calling } = await play(here, [ask(undefined, state), done]);
		const [, second] = shown(await calling).requests;
		expect(second.requestState === state).toBe(true);
		expect(Object.keys(second)).not.toContain('inputResponses');
	});

	it('has no state echoed that it did not have (R02)', async () => {
		const here = world();
		const { calling } = await play(here, [ask(undefined, 'old'), ask({ a: form('now') }), done]);
		const [elicitation] = await here.asked();
		elicitation.decline();
		const [, , third] = shown(await calling).requests;
		expect(Object.keys(third).sort()).toEqual(['id', 'inputResponses']);
	});

	it('is retried with a fresh id, and no call sees what another was told (R03)', async () => {
		const here = world();
		const { connection, calling } = await play(here, [ask({ a: form('one') }, 'one'), done]);
		const other = connection.callTool('play', {
			key: 'other',
			results: [ask({ a: form('two') }, 'two'), done],
		} as Wire);
		const allPending = await byMessage(here, 2);
		expect(allPending['one']?.origin.calls).not.toEqual(allPending['two']?.origin.calls);
		await here.registry.accept(allPending['two'] as Elicitation, { name: '2' });
		await here.registry.accept(allPending['one'] as Elicitation, { name: '1' });
		const [[, one], [, two]] = [shown(await calling).requests, shown(await other).requests];
		expect([one.requestState, one.inputResponses.a.content]).toEqual(['one', { name: '1' }]);
		expect([two.requestState, two.inputResponses.a.content]).toEqual(['two', { name: '2' }]);
		expect(new Set(sent(here).map(({ id }) => id)).size).toBe(4);
	});

	it('without entries is retried at once, and then after ever longer pauses (R04)', async () => {
		const here = world();
		const connection = await here.connect(stdio('sdk2', sdk2));
		expect(shown(await connection.callTool('rounds', { count: 3, silent: true }))).toEqual({
			answers: [null, null, null],
		});
		expect(here.registry.elicitations).toEqual([]);
		expect(here.registry.calls[0]?.rounds).toBe(4);
		const rounds = here.trace.entries.filter(({ message }) => (message as Wire).method === 'tools/call');
		const pauses = rounds.slice(1).map(({ at }, index) => at - (rounds[index]?.at ?? at));
		// Timers may be late but not early.
		expect(pauses[1]).toBeGreaterThanOrEqual(39);
		expect(pauses[2]).toBeGreaterThanOrEqual(79);
	});

	it('again and again stops after ten rounds until the user decides: on for ten more, or stopped with an explanation (R07, fault 22)', async () => {
		const here = world();
		const connection = await here.connect(stdio('sdk2', sdk2));
		here.registry.onDidAsk((pending) => pending.cancel());
		const calling = connection.callTool('rounds', {});
		calling.catch(() => {});
		const atRoundLimit = () => here.until(() => here.registry.calls[0]?.atRoundLimit);
		const first = await atRoundLimit();
		expect(render(first.reason, english)).toBe('"rounds" requested input 10 times without finishing.');
		expect([sent(here).length, first.call.clock.asking]).toEqual([10, true]);
		first.decide(true);
		const second = await here.until(() => sent(here).length === 20 && here.registry.calls[0]?.atRoundLimit);
		second.decide(false);
		await expect(calling).rejects.toThrow(/^sdk2: "rounds" requested input 20 times without finishing\. /);
		expect(sent(here)).toHaveLength(20);
	});

	it('again and again may be canceled while the user is asked whether it goes on (R07)', async () => {
		const here = world();
		const connection = await here.connect(stdio('sdk2', sdk2));
		const abort = new AbortController();
		here.registry.onDidAsk((pending) => pending.cancel());
		const calling = connection.callTool('rounds', {}, { signal: abort.signal });
		calling.catch(() => {});
		const roundLimit = await here.until(() => here.registry.calls[0]?.atRoundLimit);
		abort.abort(new Error('Enough.'));
		await expect(calling).rejects.toThrow('Enough.');
		expect(await roundLimit.decided).toBe(false);
		expect(here.registry.calls[0]?.atRoundLimit).toBeUndefined();
	});

	it('again and again fails if its server is stopped while the user is asked whether it goes on, and nothing more is asked (R07)', async () => {
		const here = world();
		const connection = await here.connect(stdio('sdk2', sdk2));
		here.registry.onDidAsk((pending) => pending.cancel());
		const calling = connection.callTool('rounds', {});
		calling.catch(() => {});
		const roundLimit = await here.until(() => here.registry.calls[0]?.atRoundLimit);
		await connection.stop();
		await expect(calling).rejects.toThrow('sdk2: The server was stopped while "rounds" was running.');
		roundLimit.decide(true);
		expect([here.registry.calls[0]?.atRoundLimit, here.registry.live]).toEqual([undefined, []]);
	});

	it('with a URL that may not be opened has it canceled without asking, and the user is told why (U07)', async () => {
		const here = world();
		const bad = { ...page, params: { ...page.params, url: 'javascript:alert(1)' } };
		const { calling } = await play(here, [ask({ good: form('good'), bad }, 's'), done]);
		const [pending] = await here.asked();
		pending.decline();
		const [, second] = shown(await calling).requests;
		expect(second.inputResponses).toStrictEqual({ good: { action: 'decline' }, bad: { action: 'cancel' } });
		expect(here.refusals).toMatchObject([{ server: 'modern', params: bad.params }]);
	});

	it.each([
		[
			{ a: { method: 'sampling/createMessage', params: {} } },
			'"sampling/createMessage" from the client, but this client did not declare it',
		],
		[{ a: { method: 'roots/list' } }, '"roots/list" from the client, but this client did not declare it'],
		[{ a: 'text' }, 'requests input under "a" without saying what'],
		[{ a: null }, 'requests input under "a" without saying what'],
		[{ a: { ...form('x'), params: { message: 7 } } }, '"message" must be a string'],
		[{ a: { method: 'elicitation/create' } }, 'params of the elicitation are missing'],
		[
			Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`n${at}`, form('x')])),
			'requests 1001 inputs at once',
		],
	])('with an entry %j fails the call in words, and its siblings are closed (R08, fault 24)', async (bad, words) => {
		const here = world();
		const { calling } = await play(here, [ask({ good: form('good'), ...bad }, 's'), done], { roots: 'none' });
		await expect(calling).rejects.toThrow(words);
		await expect(calling).rejects.toBeInstanceOf(Failure);
		expect(here.registry.live).toEqual([]);
		expect(sent(here)).toHaveLength(1);
	});

	it.each([
		[{ resultType: 'input_required' }],
		[{ resultType: 'input_required', inputRequests: {} }],
		[{ resultType: 'input_required', inputRequests: ['a'] }],
		[{ resultType: 'later', content: [] }],
		[{ resultType: 7, content: [] }],
	])('%j fails the call with an explanation (fault 24)', async (result) => {
		const here = world();
		const { calling } = await play(here, [result, done]);
		await expect(calling).rejects.toThrow(/^modern: .*(input_required|esult ?[tT]ype)/);
		expect(sent(here)).toHaveLength(1);
	});

	it.each([
		['form', page, 'url'],
		['url', form('x'), 'form'],
		['none', form('x'), 'form'],
	])('in a mode that a client of %s did not declare fails the call (E07)', async (advertise, request, mode) => {
		const here = world();
		const { calling } = await play(here, [ask({ a: request }), done], { elicitation: { advertise } });
		await expect(calling).rejects.toThrow(`did not declare elicitation in ${mode} mode`);
		expect(here.registry.elicitations).toEqual([]);
	});
});

it('a result without resultType is complete, and the trace shows it as it came (R05)', async () => {
	const here = world();
	const { calling } = await play(here, [{ content: [{ type: 'text', text: 'as it was' }] }]);
	expect(await calling).toEqual({ content: [{ type: 'text', text: 'as it was' }] });
	const [raw] = here.wire('received', ({ result }) => result?.content);
	expect(raw.result).toStrictEqual({ content: [{ type: 'text', text: 'as it was' }] });
});

it('-32042 is a protocol error there, explained and not retried (fault 20)', async () => {
	const here = world();
	const elicitations = [{ ...page.params, elicitationId: '1' }];
	const { calling } = await play(here, [
		{ error: { code: -32042, message: 'Open a page first', data: { elicitations } } },
	]);
	await expect(calling).rejects.toThrow(
		'modern: The server responded with an error that its protocol revision does not have: Open a page first. ',
	);
	expect(here.registry.elicitations).toEqual([]);
	expect(sent(here)).toHaveLength(1);
});

describe('a URL that is requested again (U13)', () => {
	it('waits until the user says retry, and the result tells that it is done', async () => {
		const here = world();
		const { calling } = await play(here, [ask({ a: page }, '1'), ask({ a: page }, '2'), done]);
		const [elicitation] = await here.asked();
		elicitation.opened();
		await here.until(() => here.wire('received', ({ result }) => result?.requestState === '2')[0]);
		expect([elicitation.state, here.registry.elicitations.length, sent(here).length]).toEqual(['opened', 1, 2]);
		elicitation.retried();
		const [, , third] = shown(await calling).requests;
		expect(third).toMatchObject({ requestState: '2', inputResponses: { a: { action: 'accept' } } });
	});

	it('is canceled when the user gives up', async () => {
		const here = world();
		const { calling } = await play(here, [ask({ a: page }), ask({ a: page }, '2'), done]);
		const [elicitation] = await here.asked();
		elicitation.opened();
		await here.until(() => here.wire('received', ({ result }) => result?.requestState === '2')[0]);
		elicitation.giveUp();
		expect(shown(await calling).requests[2].inputResponses).toStrictEqual({ a: { action: 'cancel' } });
	});

	it('is completed by the result of the call', async () => {
		const here = world();
		const { calling } = await play(here, [ask({ a: page }), done]);
		const [elicitation] = await here.asked();
		elicitation.opened();
		await calling;
		expect(await elicitation.ended).toBe('completed');
	});

	it('under another address is another elicitation', async () => {
		const here = world();
		const other = { ...page, params: { ...page.params, url: 'https://example.com/other' } };
		const { calling } = await play(here, [ask({ a: page }), ask({ a: other }), done]);
		(await here.asked())[0].opened();
		const [second] = await here.until(() => {
			const open = here.registry.live.filter(({ state }) => state === 'asking');
			return open.length > 0 && open;
		});
		expect(second?.request).toMatchObject({ url: 'https://example.com/other' });
		second?.decline();
		await calling;
	});
});

describe('while the user is asked between two rounds', () => {
	it('the server may die: the elicitation is withdrawn, the call fails, and the Failure says why (fault 1)', async () => {
		const here = world();
		const { connection, calling } = await play(here, [ask({ a: form('last output') }), done]);
		const [elicitation] = await here.asked();
		connection.callTool('play', { key: 'crash', results: [null] }).catch(() => {});
		await expect(calling).rejects.toThrow(/^modern: The server exited with code 7 and wrote nothing\. /);
		expect(elicitation.state).toBe('withdrawn');
		await here.until(() => connection.state === 'restarting');
	});

	it('the call may be stopped: the elicitation is withdrawn, and nothing is sent any more', async () => {
		const here = world();
		const abort = new AbortController();
		const { calling } = await play(here, [ask({ a: form('x') }), done], {}, { signal: abort.signal });
		const [elicitation] = await here.asked();
		abort.abort(new Error('stopped by hand'));
		await expect(calling).rejects.toThrow('stopped by hand');
		expect(elicitation.state).toBe('withdrawn');
		expect(sent(here)).toHaveLength(1);
	});

	it('the connection may be stopped: the call says so', async () => {
		const here = world();
		const { connection, calling } = await play(here, [ask({ a: form('x') }), done]);
		await here.asked();
		await connection.stop();
		await expect(calling).rejects.toThrow(/^modern: The server was stopped while "play" was running\. /);
	});
});

describe('over HTTP', () => {
	let http: Listening;
	beforeAll(async () => {
		http = await listening(sdk2, '--http', '0');
	});
	afterAll(() => http.stop());

	it('rounds work the same, each call with its own elicitation', async () => {
		const here = world();
		const connection = await here.connect(define('web', { url: http.url }));
		expect([connection.era, connection.revision]).toEqual(['modern', '2026-07-28']);
		const params = (message: string) => ({ params: form(message).params });
		const calling = [connection.callTool('ask', params('one')), connection.callTool('ask', params('two'))];
		const allPending = await byMessage(here, 2);
		for (const message of ['one', 'two']) {
			expect(allPending[message]?.origin.calls.map(({ args }) => args)).toEqual([params(message)]);
		}
		allPending['one']?.cancel();
		await here.registry.accept(allPending['two'] as Elicitation, { name: 'Ada' });
		expect((await Promise.all(calling)).map(shown)).toEqual([
			{ action: 'cancel' },
			{ action: 'accept', content: { name: 'Ada' } },
		]);
	});
});
