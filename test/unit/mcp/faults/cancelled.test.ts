import { describe, expect, it } from 'vitest';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import type { Connection } from '../../../../src/mcp/index.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY, type RawServer } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { testClients } from '../testClient.ts';
import { connectRawServer, form, page, REQUESTS, response } from './rawServerFixtures.ts';

/*
 * When the user cancels a call, the server is told first, and then gets responses to the requests of that call (D03).
 * That nothing else is responded to, whoever ends what first, is in model.test.ts.
 */

const world = testClients();

/** A call with its abort controller. */
function handled(connection: Connection) {
	const abort = new AbortController();
	const calling = connection.callTool('act', {}, { signal: abort.signal });
	calling.catch(() => {});
	return { calling, cancel: () => abort.abort(new Error('by hand')) };
}

const isCancellation = ({ method }: { method?: string }) => method === 'notifications/cancelled';

describe.each(REQUESTS)('over %s', (_wire, open) => {
	const nothing = () => {};
	it.each<[string, object, (elicitation: Elicitation) => void, string, string[]]>([
		['a form is', form, nothing, 'cancelled', ['notifications/cancelled', 'cancel']],
		['a page is', page('1'), nothing, 'cancelled', ['notifications/cancelled', 'cancel']],
		[
			'nothing else, if a page was opened',
			page('1'),
			(page) => page.opened(),
			'withdrawn',
			['accept', 'notifications/cancelled'],
		],
	])('D03: the server is told that the call is canceled, and then that %s', async (_what, params, act, state, told) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const { calling, cancel } = handled(connection);
		const call = await rawServer.expect('tools/call');
		const pending = rawServer.ask(params, call);
		const [elicitation] = await here.asked();
		act(elicitation);
		if (!elicitation.undecided) await pending.response;
		cancel();
		await expect(calling).rejects.toThrow('by hand');
		await here.until(() => elicitation.delivery?.state === 'delivered');
		await rawServer.expect(isCancellation);
		const next = handled(connection);
		rawServer.finish(await rawServer.expect('tools/call'));
		await next.calling;
		expect(elicitation).toMatchObject({ state, response: { action: told.find((each) => !each.includes('/')) } });
		const ends = rawServer.received.filter((message) => message.method === undefined || isCancellation(message));
		expect(ends.map(({ method, result }) => method ?? result.action)).toEqual(told);
		if (state === 'cancelled') expect(elicitation.withdrawal?.text).toBe('The call was cancelled.');
	});
});

describe('D03: an elicitation that either of two calls may have asked', () => {
	it.each([
		['is canceled with the last of them, not before', ['canceled', 'canceled'], 'cancel'],
		['is canceled when one is answered, and then the other is canceled', ['answered', 'canceled'], 'cancel'],
		['is canceled when one is canceled, and then the other is answered', ['canceled', 'answered'], 'cancel'],
		['outlives them if both are answered: the server may still want to know', ['answered', 'answered'], 'decline'],
	] as const)('%s', async (_what, ends, action) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, RawStdioServer.open, { revision: LEGACY });
		const calls = [handled(connection), handled(connection)];
		const requests = [await rawServer.expect('tools/call'), await rawServer.expect('tools/call')];
		const pending = rawServer.ask(form);
		const [elicitation] = await here.asked();
		expect(elicitation.origin.calls).toHaveLength(2);
		for (const [at, end] of ends.entries()) {
			await rawServer.fence();
			expect(elicitation.state).toBe('asking');
			if (end === 'answered') rawServer.finish(requests[at]);
			else calls[at]?.cancel();
			await calls[at]?.calling.catch(() => {});
		}
		if (action === 'decline') expect(elicitation.decline()).toBe(true);
		expect(await pending.response).toEqual(response(pending.id, { action }));
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
		rawServer.refusePosts = (message) => {
			// Sent at the same time as the cancellation.
			if (isCancellation(message)) resolve(rawServer.ask(form, call));
			return undefined;
		};
	});
	cancel();
	const { id, response: answered } = await late;
	await expect(calling).rejects.toThrow('by hand');
	expect(await answered).toEqual(response(id, { action: 'cancel' }));
	expect(asked).toEqual([]);
});
