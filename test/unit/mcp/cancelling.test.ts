import { describe, expect, it } from 'vitest';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, MODERN, type RawServer } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { ask, connectRawServer, form, request } from './faults/rawServerFixtures.ts';
import { callThrough } from './rawServerSteps.ts';
import { testClients } from './testClient.ts';

/*
 * How a client cancels a call depends on the revision and the transport: with a notification, or, if every request has
 * its own stream (2026-07-28 over HTTP), only by closing it.
 */

const world = testClients();

const ways = [
	['over stdio, with sessions', () => RawStdioServer.open({ revision: LEGACY }), true],
	['over HTTP, with sessions', () => RawHttpServer.open({ revision: LEGACY }), true],
	['over stdio, stateless', () => RawStdioServer.open({ revision: MODERN }), true],
	['over HTTP, stateless', () => RawHttpServer.open({ revision: MODERN }), false],
] as const;

/** Expects exactly what the server must receive when the call is canceled. */
async function sees(rawServer: RawServer, call: { id: unknown }, notification: boolean, reason: string): Promise<void> {
	if (notification) {
		const { params } = await rawServer.expect('notifications/cancelled');
		expect([params.requestId, params.reason]).toEqual([call.id, reason]);
	} else {
		await (rawServer as RawHttpServer).left(call);
	}
	expect(rawServer.requests('notifications/cancelled')).toHaveLength(notification ? 1 : 0);
}

describe.each(ways)('a call %s', (_way, open, notification) => {
	it('that the user cancels is taken back in the way of its era; what is answered all the same is ignored', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer<RawServer, object>(here, open);
		const abort = new AbortController();
		const calling = connection.callTool('act', {}, { signal: abort.signal });
		const call = await rawServer.expect('tools/call');
		const reason = new Error('by hand');
		abort.abort(reason);
		await expect(calling).rejects.toBe(reason);
		await sees(rawServer, call, notification, 'cancelled by the user');
		rawServer.finish(call, { late: true });
		// One that was canceled before it began is never sent.
		await expect(connection.callTool('act', {}, { signal: abort.signal })).rejects.toBe(reason);
		expect(await callThrough(rawServer, connection, { next: true })).toMatchObject({
			structuredContent: { next: true },
		});
		expect(rawServer.requests('tools/call')).toHaveLength(2);
		expect(here.registry.calls.map(({ state }) => state).filter((state) => state === 'succeeded')).toHaveLength(1);
		expect(here.registry.calls[0]?.state).toBe('cancelled');
	});

	it('that takes too long is taken back in the same way', async () => {
		const here = world();
		here.timeout = 0.3;
		const { rawServer, connection } = await connectRawServer<RawServer, object>(here, open);
		const calling = connection.callTool('act', {});
		const call = await rawServer.expect('tools/call');
		await expect(calling).rejects.toThrow(
			/^raw-server: "act" did not finish within 0\.3 s\. Increase "mcpElicitation\.callTimeout"/,
		);
		await sees(rawServer, call, notification, 'timed out');
	});
});

it('a call that is canceled between two rounds leaves nothing to take back: no notification, no retry', async () => {
	const here = world();
	const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { revision: MODERN });
	const abort = new AbortController();
	const calling = connection.callTool('act', {}, { signal: abort.signal });
	rawServer.answer(await rawServer.expect('tools/call'), ask({ a: request(form) }));
	const [elicitation] = await here.asked();
	abort.abort(new Error('by hand'));
	await expect(calling).rejects.toThrow('by hand');
	expect(elicitation.state).toBe('withdrawn');
	const next = connection.callTool('act', {});
	rawServer.finish(await rawServer.expect('tools/call'));
	await next;
	expect(rawServer.log.filter((line) => line.startsWith('POST notifications'))).toEqual([]);
	expect(rawServer.requests('tools/call')).toHaveLength(2);
});
