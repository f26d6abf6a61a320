import { describe, expect, it } from 'vitest';
import type { RoundLimit } from '../../../../src/elicitation/call.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { Failure } from '../../../../src/mcp/wire/failure.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { MODERN, type RawServer, type Wire } from '../../../rawServer/rawServer.ts';
import { type TestClient, testClients } from '../testClient.ts';
import { ask, connectRawServer, form, page, REQUESTS, ROUNDS, request } from './rawServerFixtures.ts';

const world = testClients();

const required = (elicitations: unknown) => ({ code: -32042, message: 'Pages first', data: { elicitations } });

const url = (at: number) => `https://example.com/${at}`;

/** The error message of a call. */
function wordsOf(calling: Promise<unknown>): Promise<string> {
	return calling.then(
		() => expect.unreachable('The call went through.'),
		(error: unknown) => {
			expect(error).toBeInstanceOf(Failure);
			return (error as Failure).message;
		},
	);
}

/** The round limit prompt of a call. */
const atRoundLimit = (here: TestClient): Promise<RoundLimit> =>
	here.until(() => here.registry.calls.at(-1)?.atRoundLimit);

/** Opens a required URL and makes the server report it as complete. */
async function finishPage(here: TestClient, rawServer: RawServer, id: string): Promise<void> {
	const [elicitation] = await here.asked();
	elicitation.opened();
	rawServer.notify('notifications/elicitation/complete', { elicitationId: id });
}

describe.each(REQUESTS)('over %s', (_wire, open) => {
	it.each([
		['no data', { code: -32042, message: 'Pages first' }],
		['no list', required('a')],
		['an empty list', required([])],
		['more than 10 entries', required(Array.from({ length: 11 }, (_, at) => page(`${at}`, url(at))))],
		['an entry in form mode', required([page('1'), form])],
		['an entry without an id', required([{ ...page('1'), elicitationId: undefined }])],
		['an entry with an empty id', required([page('')])],
		['an entry with a number for an id', required([{ ...page('1'), elicitationId: 1 }])],
		['an entry without a URL', required([{ ...page('1'), url: undefined }])],
		['an entry whose URL is refused', required([page('1'), page('2', 'javascript:alert(1)')])],
		['an entry that is no object', required([page('1'), null])],
	])(
		"fault 18: -32042 with %s is the server's error, explained; nothing is asked or retried (U12)",
		async (_what, error) => {
			const here = world();
			const { rawServer, connection } = await connectRawServer(here, open);
			const words = wordsOf(connection.callTool('act', {}));
			rawServer.fail(await rawServer.expect('tools/call'), error);
			expect(await words).toMatch(/^raw-server: The server requires URLs .* Its error: Pages first\. Report it /);
			await rawServer.fence();
			expect(rawServer.requests('tools/call')).toHaveLength(1);
			expect(here.registry.elicitations).toEqual([]);
		},
	);

	it('fault 19: -32042 for the same URLs again after the retry is a loop: handed to the user (U11)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const words = wordsOf(connection.callTool('act', {}));
		rawServer.fail(await rawServer.expect('tools/call'), required([page('1')]));
		await finishPage(here, rawServer, '1');
		rawServer.fail(await rawServer.expect('tools/call'), required([page('another id')]));
		const roundLimit = await atRoundLimit(here);
		expect(render(roundLimit.reason, english)).toBe('"act" still requires a URL that you have already completed.');
		expect(here.registry.live).toEqual([]);
		await rawServer.fence();
		expect(rawServer.requests('tools/call')).toHaveLength(2);
		roundLimit.decide(true);
		await finishPage(here, rawServer, 'another id');
		rawServer.fail(await rawServer.expect('tools/call'), required([page('3')]));
		(
			await here.until(
				() => here.registry.calls[0]?.atRoundLimit !== roundLimit && here.registry.calls[0]?.atRoundLimit,
			)
		).decide(false);
		expect(await words).toMatch(/^raw-server: "act" still requires a URL that you have already completed\. /);
		await rawServer.fence();
		expect(rawServer.requests('tools/call')).toHaveLength(3);
	});

	it('fault 19: -32042 with new URLs every time is retried 3 times automatically, then the user decides (U11)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const calling = connection.callTool('act', {});
		for (let at = 1; at <= 4; at++) {
			rawServer.fail(await rawServer.expect('tools/call'), required([page(`${at}`, url(at))]));
			if (at <= 3) await finishPage(here, rawServer, `${at}`);
		}
		const roundLimit = await atRoundLimit(here);
		expect(render(roundLimit.reason, english)).toBe('"act" required URLs 3 times without finishing.');
		await rawServer.fence();
		expect(rawServer.requests('tools/call')).toHaveLength(4);
		roundLimit.decide(true);
		await finishPage(here, rawServer, '4');
		rawServer.finish(await rawServer.expect('tools/call'), { through: true });
		expect(await calling).toMatchObject({ structuredContent: { through: true } });
	});
});

describe.each(ROUNDS)('in rounds over %s', (_wire, open) => {
	it('fault 20: -32042 is an error that the protocol does not have there, and is explained (U12)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const words = wordsOf(connection.callTool('act', {}));
		rawServer.fail(await rawServer.expect('tools/call'), required([page('1')]));
		expect(await words).toMatch(
			/^raw-server: The server responded with an error that its protocol revision does not have: Pages first\. Report it /,
		);
		expect(here.registry.elicitations).toEqual([]);
		expect(rawServer.requests('tools/call')).toHaveLength(1);
	});

	it.each([
		['NUL, emoji, lone surrogates and separators', '\u0000\ud83d\ude00\ud800 "\\\n\r\u2028\u2029\ufeff'],
		['3 MB', 'é'.repeat(1.5 * 2 ** 20)],
		['nothing at all', ''],
		['what looks like JSON', '{"a":1e400,"__proto__":{}}'],
	])('fault 21: a requestState of %s is echoed exactly (R02)', async (_what, state) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const calling = connection.callTool('act', {});
		rawServer.answer(await rawServer.expect('tools/call'), ask({ a: request(form) }, state));
		(await here.asked())[0].decline();
		const retry = await rawServer.expect('tools/call');
		expect(retry.params.requestState === state).toBe(true);
		rawServer.finish(retry);
		await calling;
	});

	it('fault 22: rounds without end go on after 10 only if the user says so (R07)', async () => {
		const here = world();
		here.registry.onDidAsk((elicitation) => elicitation.decline());
		const { rawServer, connection } = await connectRawServer(here, open);
		const words = wordsOf(connection.callTool('act', {}));
		const play = async (from: number, to: number) => {
			for (let at = from; at <= to; at++) {
				const pending = request({ ...form, message: `Round ${at}` });
				rawServer.answer(await rawServer.expect('tools/call'), ask({ a: pending }));
			}
		};
		await play(1, 10);
		const first = await atRoundLimit(here);
		expect(render(first.reason, english)).toBe('"act" requested input 10 times without finishing.');
		first.decide(true);
		await play(11, 20);
		const second = await here.until(() => here.registry.calls[0]?.rounds === 20 && here.registry.calls[0].atRoundLimit);
		second.decide(false);
		expect(await words).toMatch(/^raw-server: "act" requested input 20 times without finishing\. /);
		expect(rawServer.requests('tools/call')).toHaveLength(20);
	});

	it('fault 22: from the second round on the user can stop it (R07)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const abort = new AbortController();
		const calling = connection.callTool('act', {}, { signal: abort.signal });
		calling.catch(() => {});
		rawServer.answer(await rawServer.expect('tools/call'), ask(undefined, '1'));
		rawServer.answer(await rawServer.expect('tools/call'), ask({ a: request(form) }));
		await here.asked();
		abort.abort(new Error('by hand'));
		await expect(calling).rejects.toThrow('by hand');
		expect(here.registry.live).toEqual([]);
		expect(rawServer.requests('tools/call')).toHaveLength(2);
	});

	it('fault 23: of 500 input requests 20 are shown at a time; all are answered in one retry (R01)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const calling = connection.callTool('act', {});
		const keys = Array.from({ length: 500 }, (_, at) => `k${at}`);
		const inputRequests = Object.fromEntries(keys.map((key) => [key, request({ ...form, message: key })]));
		rawServer.answer(await rawServer.expect('tools/call'), ask(inputRequests));
		await here.asked();
		let most = 0;
		for (let done = 0; done < 500; done++) {
			const asking = here.registry.live.filter(({ state }) => state === 'asking');
			most = Math.max(most, asking.length);
			expect(rawServer.requests('tools/call')).toHaveLength(1);
			await here.registry.accept(asking[0] as Wire, { name: asking[0]?.request.message ?? '' });
		}
		expect(most).toBe(20);
		const retry = await rawServer.expect('tools/call');
		expect(retry.params.inputResponses).toEqual(
			Object.fromEntries(keys.map((key) => [key, { action: 'accept', content: { name: key } }])),
		);
		rawServer.finish(retry);
		await calling;
		expect(rawServer.requests('tools/call')).toHaveLength(2);
	});

	it.each([
		['an unknown kind', { b: { method: 'sampling/createMessage', params: {} } }, '"sampling/createMessage"'],
		['an entry that is no object', { b: 'text' }, 'under "b" without saying what'],
		['an empty entry', { b: null }, 'under "b" without saying what'],
		['an entry without params', { b: { method: 'elicitation/create' } }, 'under "b" is malformed'],
		['a malformed elicitation', { b: request({ ...form, message: 7 }) }, '"message" must be a string'],
		['the key __proto__', { ['__proto__']: 'text' }, 'under "__proto__" without saying what'],
	])('fault 24: input requests with %s: an error that names it, siblings closed (R08)', async (_what, bad, named) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const words = wordsOf(connection.callTool('act', {}));
		rawServer.answer(await rawServer.expect('tools/call'), {
			resultType: 'input_required',
			inputRequests: { a: request(form), ...bad },
		});
		expect(await words).toContain(named);
		expect(here.registry.live).toEqual([]);
		expect(rawServer.requests('tools/call')).toHaveLength(1);
	});

	it.each([
		['neither field', { resultType: 'input_required' }],
		['an empty set', { resultType: 'input_required', inputRequests: {} }],
		['a list for a set', { resultType: 'input_required', inputRequests: [request(form)] }],
		['an unknown type of result', { resultType: 'later', content: [] }],
	])('fault 24: a result with %s fails the call with an explanation (R08)', async (_what, result) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const words = wordsOf(connection.callTool('act', {}));
		rawServer.answer(await rawServer.expect('tools/call'), result);
		expect(await words).toMatch(/^raw-server: .*(input_required|esult ?[tT]ype)/);
		expect(here.registry.elicitations).toEqual([]);
		expect(rawServer.requests('tools/call')).toHaveLength(1);
	});
});

it('fault 22: rounds without end and without input requests come at ever longer intervals, and stop after 10, too (R07)', async () => {
	const here = world();
	const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { revision: MODERN });
	const words = wordsOf(connection.callTool('act', {}));
	for (let at = 1; at <= 10; at++) {
		rawServer.answer(await rawServer.expect('tools/call'), ask(undefined, `${at}`));
	}
	(await atRoundLimit(here)).decide(false);
	expect(await words).toMatch(/^raw-server: "act" requested input 10 times without finishing\. /);
	expect(rawServer.requests('tools/call')).toHaveLength(10);
});
