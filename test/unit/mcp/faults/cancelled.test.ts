import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/mcp/index.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY, type RawServer } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { testClients, type Wire } from '../testClient.ts';
import { connectRawServer, form, page, REQUESTS, response } from './rawServerFixtures.ts';

/* When the user cancels a call, the server is told first, and then gets responses to the requests of that call (D03). */

const world = testClients();

/** A call with its abort controller. */
function handled(connection: Connection) {
	const abort = new AbortController();
	const calling = connection.callTool('act', {}, { signal: abort.signal });
	calling.catch(() => {});
	return { calling, cancel: () => abort.abort(new Error('by hand')) };
}

/** What the server received at the end of a call, in order. */
function ends(rawServer: RawServer): string[] {
	return rawServer.received
		.filter(({ method }) => method === undefined || method === 'notifications/cancelled')
		.map(({ method, id }) => method ?? id);
}

describe.each(REQUESTS)('over %s', (_wire, open) => {
	it.each([
		['a form', form],
		['a page', page('1')],
	])('D03: the server is told that the call is canceled, and then that %s is', async (_what, params) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const { calling, cancel } = handled(connection);
		const call = await rawServer.expect('tools/call');
		const pending = rawServer.ask(params, call);
		const [elicitation] = await here.asked();
		cancel();
		await expect(calling).rejects.toThrow('by hand');
		expect(await pending.response).toEqual(response(pending.id, { action: 'cancel' }));
		expect(ends(rawServer)).toEqual(['notifications/cancelled', pending.id]);
		await here.until(() => elicitation.delivery?.state === 'delivered');
		expect(elicitation).toMatchObject({
			state: 'cancelled',
			response: { action: 'cancel' },
			withdrawal: { text: 'The call was cancelled.' },
		});
	});

	it('D03: a URL that was opened is responded to already, and to nothing else', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const { calling, cancel } = handled(connection);
		const call = await rawServer.expect('tools/call');
		const pending = rawServer.ask(page('1'), call);
		const [elicitation] = await here.asked();
		elicitation.opened();
		await pending.response;
		cancel();
		await expect(calling).rejects.toThrow('by hand');
		await rawServer.expect('notifications/cancelled');
		expect(elicitation.state).toBe('withdrawn');
		const next = handled(connection);
		rawServer.finish(await rawServer.expect('tools/call'));
		await next.calling;
		expect(rawServer.responses(pending.id)).toEqual([response(pending.id, { action: 'accept' })]);
	});

	it('D03: a server that serves one call at a time goes on with the next', async () => {
		const here = world();
		here.timeout = 5;
		const { rawServer, connection } = await connectRawServer(here, open);
		const first = handled(connection);
		const pending = rawServer.ask(form, await rawServer.expect('tools/call'));
		await here.asked();
		first.cancel();
		const second = handled(connection);
		const next = await rawServer.expect('tools/call');
		void pending.response.then(() => rawServer.finish(next, { served: true }));
		expect(await second.calling).toMatchObject({ structuredContent: { served: true } });
	});

	it('what the server itself cancels gets no response, whoever cancels the call after that', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const { calling, cancel } = handled(connection);
		const call = await rawServer.expect('tools/call');
		const pending = rawServer.ask(form, call);
		const [elicitation] = await here.asked();
		rawServer.notify('notifications/cancelled', { requestId: pending.id }, call);
		await elicitation.ended;
		cancel();
		await expect(calling).rejects.toThrow('by hand');
		await rawServer.expect('notifications/cancelled');
		const next = handled(connection);
		rawServer.finish(await rawServer.expect('tools/call'));
		await next.calling;
		expect(rawServer.responses(pending.id)).toEqual([]);
	});
});

describe('D03: an elicitation that any of several calls may have asked', () => {
	/** An elicitation over stdio during two calls. */
	async function between() {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, RawStdioServer.open, { revision: LEGACY });
		const calls = [handled(connection), handled(connection)] as const;
		const requests: [Wire, Wire] = [await rawServer.expect('tools/call'), await rawServer.expect('tools/call')];
		const pending = rawServer.ask(form);
		const [elicitation] = await here.asked();
		expect(elicitation.origin.calls).toHaveLength(2);
		return { here, rawServer, calls, requests, pending, elicitation };
	}

	it('stays open as long as one of them runs, and is canceled with the last', async () => {
		const { rawServer, calls, pending, elicitation } = await between();
		calls[0].cancel();
		await rawServer.expect('notifications/cancelled');
		await rawServer.fence();
		expect(elicitation.state).toBe('asking');
		calls[1].cancel();
		expect(await pending.response).toEqual(response(pending.id, { action: 'cancel' }));
		expect(ends(rawServer).filter((each) => !each.startsWith('fence'))).toEqual([
			'notifications/cancelled',
			'notifications/cancelled',
			pending.id,
		]);
	});

	it.each([
		['has been answered', 0, 1],
		['is answered', 1, 0],
	])('is canceled when one of them is canceled and the other %s', async (_when, finished, cancelled) => {
		const { rawServer, calls, requests, pending } = await between();
		const end = async (at: number) => {
			if (at === finished) {
				rawServer.finish(requests[at] as Wire);
				await calls[at]?.calling;
			} else {
				calls[at]?.cancel();
				await calls[at]?.calling.catch(() => {});
			}
		};
		await end(Math.min(finished, cancelled) === finished ? finished : cancelled);
		await end(Math.min(finished, cancelled) === finished ? cancelled : finished);
		expect(await pending.response).toEqual(response(pending.id, { action: 'cancel' }));
	});

	it('outlives them where the server has answered them all: it may still want to know', async () => {
		const { rawServer, calls, requests, pending, elicitation } = await between();
		rawServer.finish(requests[0]);
		rawServer.finish(requests[1]);
		await Promise.all(calls.map(({ calling }) => calling));
		expect(elicitation.state).toBe('asking');
		elicitation.decline();
		expect(await pending.response).toEqual(response(pending.id, { action: 'decline' }));
	});
});

it('D03: what is still asked on the stream of a call that was canceled a moment ago is canceled without a word to the user', async () => {
	const here = world();
	const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { revision: LEGACY });
	const { calling, cancel } = handled(connection);
	const call = await rawServer.expect('tools/call');
	rawServer.open(call);
	const asked: unknown[] = [];
	here.registry.onDidAsk((elicitation) => asked.push(elicitation));
	const late = new Promise<ReturnType<RawServer['ask']>>((resolve) => {
		rawServer.refusePosts = ({ method }) => {
			if (method === 'notifications/cancelled') {
				// Sent at the same time as the cancellation.
				resolve(rawServer.ask(form, call));
			}
			return undefined;
		};
	});
	cancel();
	const { id, response: answered } = await late;
	await expect(calling).rejects.toThrow('by hand');
	expect(await answered).toEqual(response(id, { action: 'cancel' }));
	expect(asked).toEqual([]);
});

it('D03: a server that is stopped while it asks is not answered: its connection is gone', async () => {
	const here = world();
	const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { revision: LEGACY });
	const { calling } = handled(connection);
	const call = await rawServer.expect('tools/call');
	const pending = rawServer.ask(form, call);
	const [elicitation] = await here.asked();
	await connection.stop();
	await expect(calling).rejects.toThrow('was stopped');
	expect(elicitation.state).toBe('withdrawn');
	expect(rawServer.responses(pending.id)).toEqual([]);
});
