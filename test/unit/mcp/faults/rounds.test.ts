import { describe, expect, it } from 'vitest';
import type { RoundLimit } from '../../../../src/elicitation/call.ts';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import type { RawServer } from '../../../rawServer/rawServer.ts';
import { type TestClient, testClients } from '../testClient.ts';
import {
	ask,
	callRawServerTool,
	callWithRound,
	connectRawServer,
	form,
	page,
	REQUESTS,
	ROUNDS,
	request,
	required,
	wordsOf,
} from './rawServerFixtures.ts';

const world = testClients();

const url = (at: number) => `https://example.com/${at}`;

/** The next prompt of the call at its round limit. */
function atRoundLimit(here: TestClient, before?: RoundLimit): Promise<RoundLimit> {
	const [call] = here.registry.calls;
	return here.until(() => call?.atRoundLimit !== before && call?.atRoundLimit);
}

const said = ({ reason }: RoundLimit) => render(reason, english);

/** Opens a required URL and makes the server report it as complete. */
async function finishPage(here: TestClient, rawServer: RawServer, id: string): Promise<void> {
	(await here.asked())[0].opened();
	rawServer.notify('notifications/elicitation/complete', { elicitationId: id });
}

const calls = (rawServer: RawServer) => rawServer.requests('tools/call').length;

describe.each(REQUESTS)('over %s', (_wire, open) => {
	it("fault 18: -32042 without usable entries is the server's error, explained; nothing is asked or retried (U12)", async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const unusable: Record<string, object> = {
			'no data': { data: undefined },
			'no list': { data: { elicitations: 'a' } },
			'an empty list': required(),
			'more than 10 entries': required(...Array.from({ length: 11 }, (_, at) => page(`${at}`, url(at)))),
			'an entry in form mode': required(page('1'), form),
			'an entry without an id': required({ ...page('1'), elicitationId: undefined }),
			'an entry with an empty id': required(page('')),
			'an entry with a number for an id': required({ ...page('1'), elicitationId: 1 }),
			'an entry without a URL': required({ ...page('1'), url: undefined }),
			'an entry whose URL is refused': required(page('1'), page('2', 'javascript:alert(1)')),
			'an entry that is no object': required(page('1'), null),
		};
		for (const [what, error] of Object.entries(unusable)) {
			const words = wordsOf(connection.callTool('act', {}));
			rawServer.fail(await rawServer.expect('tools/call'), { ...required(), ...error });
			expect(await words, what).toMatch(/^raw-server: The server requires URLs .* Its error: Pages first\. Report it /);
		}
		await rawServer.fence();
		expect(calls(rawServer)).toBe(Object.keys(unusable).length);
		expect(here.registry.elicitations).toEqual([]);
	});

	it('fault 19: -32042 for the same URLs again after the retry is a loop: handed to the user (U11)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const words = wordsOf(calling);
		rawServer.fail(call, required(page('1')));
		await finishPage(here, rawServer, '1');
		rawServer.fail(await rawServer.expect('tools/call'), required(page('another id')));
		const roundLimit = await atRoundLimit(here);
		expect(said(roundLimit)).toBe('"act" still requires a URL that you have already completed.');
		expect(here.registry.live).toEqual([]);
		await rawServer.fence();
		expect(calls(rawServer)).toBe(2);
		roundLimit.decide(true);
		await finishPage(here, rawServer, 'another id');
		rawServer.fail(await rawServer.expect('tools/call'), required(page('3')));
		(await atRoundLimit(here, roundLimit)).decide(false);
		expect(await words).toMatch(/^raw-server: "act" still requires a URL that you have already completed\. /);
		await rawServer.fence();
		expect(calls(rawServer)).toBe(3);
	});

	it('fault 19: -32042 with new URLs every time is retried 3 times automatically, then the user decides (U11)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		for (let at = 1; at <= 4; at++) {
			rawServer.fail(at === 1 ? call : await rawServer.expect('tools/call'), required(page(`${at}`, url(at))));
			if (at <= 3) await finishPage(here, rawServer, `${at}`);
		}
		const roundLimit = await atRoundLimit(here);
		expect(said(roundLimit)).toBe('"act" required URLs 3 times without finishing.');
		await rawServer.fence();
		expect(calls(rawServer)).toBe(4);
		roundLimit.decide(true);
		await finishPage(here, rawServer, '4');
		rawServer.finish(await rawServer.expect('tools/call'), { through: true });
		expect(await calling).toMatchObject({ structuredContent: { through: true } });
	});
});

describe.each(ROUNDS)('in rounds over %s', (_wire, open) => {
	it('fault 21: a requestState is echoed exactly, whatever is in it (R02)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		for (const [what, state] of [
			['NUL, emoji, lone surrogates and separators', '\u0000\ud83d\ude00\ud800 "\\\n\r\u2028\u2029\ufeff'],
			['3 MB', 'é'.repeat(1.5 * 2 ** 20)],
			['nothing at all', ''],
			['what looks like JSON', '{"a":1e400,"__proto__":{}}'],
		]) {
			const calling = connection.callTool('act', {});
			rawServer.answer(await rawServer.expect('tools/call'), ask({ a: request(form) }, state));
			(await here.asked())[0].decline();
			const retry = await rawServer.expect('tools/call');
			expect([what, retry.params.requestState === state]).toEqual([what, true]);
			rawServer.finish(retry);
			await calling;
		}
	});

	it('fault 22: rounds without end, with or without input requests, go on after 10 only if the user says so (R07)', async () => {
		const here = world();
		here.registry.onDidAsk((elicitation) => elicitation.decline());
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const words = wordsOf(calling);
		const play = async (from: number, to: number) => {
			for (let at = from; at <= to; at++) {
				const inputRequests = at % 2 ? { a: request({ ...form, message: `Round ${at}` }) } : undefined;
				rawServer.answer(at === 1 ? call : await rawServer.expect('tools/call'), ask(inputRequests, `${at}`));
			}
		};
		await play(1, 10);
		const first = await atRoundLimit(here);
		expect(said(first)).toBe('"act" requested input 10 times without finishing.');
		first.decide(true);
		await play(11, 20);
		await here.until(() => here.registry.calls[0]?.rounds === 20);
		(await atRoundLimit(here, first)).decide(false);
		expect(await words).toMatch(/^raw-server: "act" requested input 20 times without finishing\. /);
		expect(calls(rawServer)).toBe(20);
	});

	it('fault 22: from the second round on the user can stop it (R07)', async () => {
		const here = world();
		const abort = new AbortController();
		const { rawServer, connection } = await connectRawServer(here, open);
		const calling = connection.callTool('act', {}, { signal: abort.signal });
		calling.catch(() => {});
		rawServer.answer(await rawServer.expect('tools/call'), ask(undefined, '1'));
		rawServer.answer(await rawServer.expect('tools/call'), ask({ a: request(form) }));
		await here.asked();
		abort.abort(new Error('by hand'));
		await expect(calling).rejects.toThrow('by hand');
		expect(here.registry.live).toEqual([]);
		expect(calls(rawServer)).toBe(2);
	});

	it('fault 23: of 500 input requests 20 are shown at a time; all are answered in one retry (R01)', async () => {
		const here = world();
		const keys = Array.from({ length: 500 }, (_, at) => `k${at}`);
		const inputRequests = Object.fromEntries(keys.map((key) => [key, request({ ...form, message: key })]));
		const { rawServer, calling } = await callWithRound(here, open, inputRequests);
		await here.asked();
		let most = 0;
		for (const _ of keys) {
			const asking = here.registry.live.filter(({ state }) => state === 'asking');
			most = Math.max(most, asking.length);
			expect(calls(rawServer)).toBe(1);
			await here.registry.accept(asking[0] as Elicitation, { name: asking[0]?.request.message ?? '' });
		}
		expect(most).toBe(20);
		const retry = await rawServer.expect('tools/call');
		expect(retry.params.inputResponses).toEqual(
			Object.fromEntries(keys.map((key) => [key, { action: 'accept', content: { name: key } }])),
		);
		rawServer.finish(retry);
		await calling;
		expect(calls(rawServer)).toBe(2);
	});

	it('fault 24: a result that asks for what it should not: an error that names it, nothing is left open (R08)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const inputRequired = (inputRequests?: object) => ({ resultType: 'input_required', inputRequests });
		const beside = (bad: object) => inputRequired({ a: request(form), ...bad });
		const untold: [object, RegExp][] = [
			[inputRequired(), /^raw-server: .*input_required/],
			[inputRequired({}), /^raw-server: .*input_required/],
			[inputRequired([request(form)]), /^raw-server: .*input_required/],
			[{ resultType: 'later', content: [] }, /^raw-server: .*(input_required|esult ?[tT]ype)/],
		];
		const siblings: [object, RegExp][] = [
			[beside({ b: { method: 'sampling/createMessage', params: {} } }), /"sampling\/createMessage"/],
			[beside({ b: 'text' }), /under "b" without saying what/],
			[beside({ b: null }), /under "b" without saying what/],
			[beside({ b: { method: 'elicitation/create' } }), /under "b" is malformed/],
			[beside({ b: request({ ...form, message: 7 }) }), /"message" must be a string/],
			[beside({ ['__proto__']: 'text' }), /under "__proto__" without saying what/],
		];
		for (const [at, [result, named]] of [...untold, ...siblings].entries()) {
			const words = wordsOf(connection.callTool('act', {}));
			rawServer.answer(await rawServer.expect('tools/call'), result);
			expect(await words, JSON.stringify(result)).toMatch(named);
			expect(here.registry.live).toEqual([]);
			if (at < untold.length) expect(here.registry.elicitations).toEqual([]);
		}
		expect(calls(rawServer)).toBe(untold.length + siblings.length);
	});

	it('fault 20: -32042 is an error that the protocol does not have there, and is explained (U12)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const words = wordsOf(calling);
		rawServer.fail(call, required(page('1')));
		expect(await words).toMatch(
			/^raw-server: The server responded with an error that its protocol revision does not have: Pages first\. Report it /,
		);
		expect(here.registry.elicitations).toEqual([]);
		expect(calls(rawServer)).toBe(1);
	});
});
