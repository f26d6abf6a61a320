import { describe, expect, it } from 'vitest';
import type { Observation } from '../../../src/trials/observe.ts';
import { judgePatience, patienceRun, readHoldTimes } from '../../../src/trials/patience.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { MODERN, type RawServer, type Wire } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { ask, form, request } from '../mcp/faults/rawServerFixtures.ts';
import { testClients } from '../mcp/testClient.ts';
import { rawStand, textsOf } from './stand.ts';

const world = testClients();

/** A server. `run` makes the call with a held response, while the server does something. */
async function patience<S extends RawServer>(opening: Promise<S>) {
	const { here, server, seen } = await rawStand(world(), opening);
	const run = async (seconds: number, act: (call: Wire) => Promise<unknown>) => {
		const observing = seen(patienceRun(seconds, here.registry.validator, []));
		await act(await server.expect('tools/call'));
		return observing;
	};
	/** Takes the response, as a server should. */
	const take = async (call: Wire) => {
		expect((await server.ask(form, call).response).result.action).toBe('accept');
		server.finish(call);
	};
	return { server, run, take };
}

const remarks = (seen: Observation, atOnce: Observation) => textsOf(judgePatience(seen, atOnce));

const PATIENT = ['Nobody gave up, and no more was requested.'];

describe('a response that is held', () => {
	it('is waited for by a patient server', async () => {
		const { run, take } = await patience(RawStdioServer.open());
		const before = await run(0, take);
		const since = performance.now();
		const seen = await run(0.3, take);
		expect(performance.now() - since).toBeGreaterThan(290);
		expect(remarks(seen, before)).toEqual(PATIENT);
		expect(textsOf([seen.call?.trial as never])).toEqual(['Patience: After 0.3 s']);
	});

	it('may come too late for a server that withdraws its request', async () => {
		const { server, run, take } = await patience(RawStdioServer.open());
		const before = await run(0, take);
		const seen = await run(60, async (call) => {
			const { id } = server.ask(form, call);
			await server.fence();
			server.notify('notifications/cancelled', { requestId: id, reason: 'Request timed out' });
			await server.fence();
			server.fail(call, { code: -32001, message: 'Request timed out' });
		});
		expect(remarks(seen, before)[0]).toMatch(/^⚠ The server gave up after \d(?:\.\d)? s\. .*Request timed out/);
	});

	it('may come too late for a server that takes it and has given up', async () => {
		const { server, run, take } = await patience(RawStdioServer.open());
		const before = await run(0, take);
		const seen = await run(0.1, async (call) => {
			await server.ask(form, call).response;
			server.fail(call, { code: -32001, message: 'Request timed out' });
		});
		expect(remarks(seen, before)).toEqual(['⚠ The call did not end as in the first run.']);
	});

	it('is not given over a connection that ends meanwhile', async () => {
		const { server, run, take } = await patience(RawHttpServer.open());
		const before = await run(0, take);
		const seen = await run(60, async (call) => {
			server.ask(form, call);
			await server.fence(call);
			server.cut(call);
		});
		expect(remarks(seen, before)[0]).toMatch(
			/^⚠ The connection was ended after \d(?:\.\d)? s, by the server or by something in between/,
		);
	});

	it('may be one that the server requests again, or that the call is sent again for', async () => {
		const { server, run, take } = await patience(RawStdioServer.open());
		const before = await run(0, take);
		const seen = await run(0.1, async (call) => {
			await server.ask(form, call).response;
			await server.ask(form, call).response;
			server.finish(call);
		});
		expect(remarks(seen, before)).toEqual([
			'⚠ There were more requests than in the first run: the work before them may have been done twice.',
		]);
		const again = { ...seen, elicitations: before.elicitations, call: { ...seen.call, rounds: 2 } } as Observation;
		expect(remarks(again, before)).toEqual(['⚠ The call was sent again: its work may have been done twice.']);
	});

	it('is held in a round, too', async () => {
		const { server, run } = await patience(RawStdioServer.open({ revision: MODERN }));
		const rounds = async (call: Wire) => {
			server.answer(call, ask({ who: request(form) }, 'state') as object);
			server.finish(await server.expect('tools/call'));
		};
		const before = await run(0, rounds);
		expect(remarks(await run(0.1, rounds), before)).toEqual(PATIENT);
		const late = await run(0.1, async (call) => {
			server.answer(call, ask({ who: request(form) }, 'state') as object);
			server.fail(await server.expect('tools/call'), { code: -32602, message: 'The state has expired.' });
		});
		expect(remarks(late, before)).toHaveLength(1);
	});
});

it('reads the times that a person enters', () => {
	expect(readHoldTimes('30, 65; 0.5 185')).toEqual([30, 65, 0.5, 185]);
	for (const text of ['', ' , ', '0', '-1', '1, x', '1e9', 'NaN']) {
		expect(readHoldTimes(text)).toBeUndefined();
	}
});
