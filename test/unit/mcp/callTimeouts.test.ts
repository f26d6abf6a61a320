import { beforeEach, describe, expect, it, vi } from 'vitest';
import { findingsAmong } from '../../../src/elicitation/findings/findings.ts';
import { countPending } from '../../../src/elicitation/pending.ts';
import { UrlIds } from '../../../src/elicitation/url/urlIds.ts';
import { variants } from '../../nightly.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, type RawServer } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { callRawServerTool, connectRawServer, form, page, REQUESTS } from './faults/rawServerFixtures.ts';
import { WIRES } from './rawServerSteps.ts';
import { type TestClient, testClients, type Wire } from './testClient.ts';
import { simulateTimers } from './timing.ts';

const world = testClients();

beforeEach(() => simulateTimers('performance'));

/** Reports progress on a call, which the client has heard when this resolves. */
async function progresses(here: TestClient, rawServer: RawServer, call: Wire, progress: number): Promise<void> {
	const { progressToken } = call.params._meta;
	rawServer.notify('notifications/progress', { progressToken, progress }, call);
	await here.until(() => here.wire('received', ({ params }) => params?.progress === progress)[0]);
}

describe.each(variants(...REQUESTS.toReversed()))('over %s', (_wire, open) => {
	it('a URL elicitation of a call ends with the call: nothing stays pending', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const request = rawServer.ask(page('1'), call);
		const [elicitation] = await here.asked();
		elicitation.opened();
		expect((await request.response).result).toEqual({ action: 'accept' });
		rawServer.finish(call, { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
		expect([elicitation.state, elicitation.withdrawal?.text]).toEqual([
			'withdrawn',
			'The call that needed it has ended.',
		]);
		expect(countPending(here.registry).count).toBe(0);
		rawServer.notify('notifications/elicitation/complete', { elicitationId: '1' });
		await rawServer.fence();
		expect([elicitation.state, rawServer.responses(request.id)]).toEqual(['withdrawn', [await request.response]]);
	});

	it('a call may wait for an opened URL for longer than its timeout (A04)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const request = rawServer.ask(page('1'), call);
		const [elicitation] = await here.asked();
		elicitation.opened();
		await request.response;
		const [running] = here.registry.calls;
		await vi.advanceTimersByTimeAsync(200_000);
		expect(running?.clock.humanTime).toBeGreaterThanOrEqual(200_000);
		rawServer.finish(call, { stayed: true });
		expect((await calling)['structuredContent']).toEqual({ stayed: true });
	});
});

describe('two concurrent calls over stdio, which does not tell which one a request belongs to', () => {
	async function twoCalls() {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, RawStdioServer.open, { revision: LEGACY });
		const first = connection.callTool('act', { n: 1 });
		const one = await rawServer.expect('tools/call');
		const second = connection.callTool('act', { n: 2 });
		const outcome = second.then(
			() => 'finished',
			(error) => error.message,
		);
		return { here, rawServer, first, one, two: await rawServer.expect('tools/call'), outcome };
	}

	it('a URL opened for one of them does not extend the timeout of the other', async () => {
		const { here, rawServer, first, one, outcome } = await twoCalls();
		const request = rawServer.ask(page('1'));
		const [elicitation] = await here.asked();
		elicitation.opened();
		await request.response;
		rawServer.finish(one);
		await first;
		await vi.advanceTimersByTimeAsync(60_000);
		expect(await outcome).toMatch(/"act" did not finish within 60 s/);
		expect(countPending(here.registry).count).toBe(0);
	});

	it('neither times out while the user is prompted (A04)', async () => {
		const { here, rawServer, first, one, two, outcome } = await twoCalls();
		rawServer.ask(form);
		const [elicitation] = await here.asked();
		await vi.advanceTimersByTimeAsync(200_000);
		elicitation.decline();
		rawServer.finish(one);
		rawServer.finish(two);
		await first;
		expect(await outcome).toBe('finished');
	});
});

describe.each(WIRES)('over %s, %s', (_wire, open) => {
	it('a call that reports progress exceeds its timeout, until it reports none for that long (D05)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const [running] = here.registry.calls;
		const outcome = calling.catch((error) => error.message);
		for (let progress = 1; progress <= 5; progress++) {
			await progresses(here, rawServer, call, progress);
			await vi.advanceTimersByTimeAsync(50_000);
		}
		expect(running?.state).toBe('running');
		expect(running?.clock.serverTime).toBeGreaterThanOrEqual(250_000);
		await vi.advanceTimersByTimeAsync(10_000);
		expect(await outcome).toMatch(/"act" has not reported any progress for 60 s\./);
	});
});

describe('a call whose server is silent after a response was delivered', () => {
	const SILENT = 'raw-server: Your response to "act" was delivered, but the server has been silent for 60 s since. ';

	async function answered(open: () => Promise<RawServer>) {
		const here = world();
		const on = await callRawServerTool<RawServer, object>(here, open);
		const failing = on.calling.catch((error) => error);
		const request = on.rawServer.ask(form, on.call);
		const [elicitation] = await here.asked();
		elicitation.decline();
		await request.response;
		await here.until(() => elicitation.delivery?.state === 'delivered');
		await vi.advanceTimersByTimeAsync(60_000);
		return { ...on, here, elicitation, failure: await failing };
	}

	it.each(variants(...REQUESTS.toReversed()))(
		'ends with that cause over %s, and offers a restart until a call works',
		async (_wire, open) => {
			const { rawServer, connection, failure } = await answered(open);
			expect([failure.message, failure.restart]).toEqual([
				`${SILENT}See the server's log. If it hangs, restart it, then call it again.`,
				true,
			]);
			expect([connection.state, connection.failure]).toEqual(['running', failure]);
			expect((await rawServer.expect('notifications/cancelled')).params.reason).toBe('timed out');
			const next = connection.callTool('act', {});
			rawServer.finish(await rawServer.expect('tools/call'));
			await next;
			expect(connection.failure).toBeUndefined();
		},
	);

	// modelcontextprotocol/python-sdk#1740
	it('names the session id that the server did not give, as does a finding', async () => {
		const { elicitation, failure } = await answered(async () => {
			const rawServer = await RawHttpServer.open();
			rawServer.session = '';
			return rawServer;
		});
		expect(failure.message).toBe(
			`${SILENT}The server gave no session id, so it may be unable to match the response with the call. Report it to the server's author.`,
		);
		expect(findingsAmong(elicitation, new UrlIds()).map(({ rule }) => rule)).toEqual(['no-session']);
	});
});

it('a call that reports progress forever ends at ten times its timeout (D05)', async () => {
	const here = world();
	const { rawServer, calling, call } = await callRawServerTool(here, RawHttpServer.open);
	const [running] = here.registry.calls;
	const outcome = calling.catch((error) => error.message);
	for (let progress = 1; progress <= 11; progress++) {
		await progresses(here, rawServer, call, progress);
		await vi.advanceTimersByTimeAsync(50_000);
	}
	expect(running?.state).toBe('running');
	await progresses(here, rawServer, call, 12);
	await vi.advanceTimersByTimeAsync(50_000);
	expect(await outcome).toMatch(/"act" did not finish within 600 s, although it reported progress\./);
});

it('progress is heard in which null stands for what is absent (D05)', async () => {
	const { rawServer, connection } = await connectRawServer(world(), RawStdioServer.open, { revision: LEGACY });
	const heard: unknown[] = [];
	const calling = connection.callTool('act', {}, { onProgress: (progress) => heard.push({ ...progress }) });
	const call = await rawServer.expect('tools/call');
	const { progressToken } = call.params._meta;
	rawServer.notify('notifications/progress', { progressToken, progress: 1, total: null, message: null, _meta: null });
	rawServer.notify('notifications/progress', { progressToken, progress: 2, total: 2, message: 'Half' });
	await rawServer.fence();
	rawServer.finish(call);
	await calling;
	expect(heard).toEqual([{ progress: 1 }, { progress: 2, total: 2, message: 'Half' }]);
});
