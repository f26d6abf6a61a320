import { describe, expect, it } from 'vitest';
import { own } from '../../../../src/elicitation/json.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import type { RawServer, Wire } from '../../../rawServer/rawServer.ts';
import { type TestClient, testClients } from '../testClient.ts';
import { callRawServerTool, connectRawServer, page, REQUESTS, required, response } from './rawServerFixtures.ts';

const world = testClients();
const COMPLETE = 'notifications/elicitation/complete';
const IGNORED = 'info: Ignored a completion notice for an unknown or finished elicitation.';

/**
 * Sends messages together: over stdio in one chunk; over HTTP on the call's stream and, after the response that ends it,
 * on the server's own.
 */
async function together(rawServer: RawServer, call: Wire, messages: readonly object[]): Promise<void> {
	if (rawServer instanceof RawHttpServer) {
		await rawServer.until(() => rawServer.log.includes('GET'));
		const answered = messages.findIndex((message) => 'error' in message);
		for (const [at, message] of messages.entries()) rawServer.send(message, at < answered ? call : undefined);
	} else {
		rawServer.raw(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''), call);
	}
}

const completed = (elicitationId: string) => ({ method: COMPLETE, params: { elicitationId } });

/** The state history of every elicitation. */
const steps = (here: TestClient) => here.registry.elicitations.map(({ history }) => history.map(({ state }) => state));

describe.each(REQUESTS)('over %s', (_wire, open) => {
	it('fault 3: one elicitationId on two connections is two URLs: a notification is for its own connection (U09)', async () => {
		const here = world();
		const [one, two] = [await connectRawServer(here, open), await connectRawServer(here, open)];
		// With two processes, the order is certain only after a request has arrived.
		for (const [before, { rawServer, connection }] of [one, two].entries()) {
			connection.callTool('act', {}).catch(() => {});
			rawServer.ask(page('same'), await rawServer.expect('tools/call'));
			await here.asked(before + 1);
		}
		const [first, second] = await here.asked(2);
		expect(first.origin.connection).not.toBe(second?.origin.connection);
		first.opened();
		second?.opened();
		two.rawServer.notify(COMPLETE, { elicitationId: 'same' });
		await here.until(() => second?.state === 'completed');
		expect(first.state).toBe('opened');
	});

	it('fault 3: one elicitationId in two requests of a connection: each has its own answer, one reply each (U09)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const forms = [rawServer.ask(page('same'), call), rawServer.ask(page('same', 'https://example.com/other'), call)];
		const [first, second] = await here.asked(2);
		first.decline();
		expect(second?.state).toBe('asking');
		second?.opened();
		await rawServer.until(() => forms.every(({ id }) => rawServer.responses(id).length > 0));
		await rawServer.fence(call);
		expect(forms.map(({ id }) => rawServer.responses(id))).toEqual([
			[response(forms[0]?.id ?? '', { action: 'decline' })],
			[response(forms[1]?.id ?? '', { action: 'accept' })],
		]);
		rawServer.notify(COMPLETE, { elicitationId: 'same' }, call);
		await here.until(() => second?.state === 'completed');
		expect(first.state).toBe('declined');
		rawServer.finish(call);
		await calling;
	});

	it.each(['have just required', 'has opened, or has just required,'])(
		'fault 3: a notification for an elicitationId that two calls %s completes it for both (U09, U10)',
		async (which) => {
			const here = world();
			const { rawServer, connection, calling: one, call } = await callRawServerTool(here, open);
			const two = connection.callTool('act', {});
			const calls = [call, await rawServer.expect('tools/call')];
			const errors = calls.map(({ id }) => ({ id, error: required(page('same')) }));
			if (which.startsWith('has opened')) {
				rawServer.send(errors.shift() ?? {});
				const [elicitation] = await here.asked();
				elicitation.opened();
			}
			await together(rawServer, call, [...errors, completed('same')]);
			rawServer.finish(await rawServer.expect('tools/call'), { again: true });
			rawServer.finish(await rawServer.expect('tools/call'), { again: true });
			expect(await Promise.all([one, two])).toMatchObject([
				{ structuredContent: { again: true } },
				{ structuredContent: { again: true } },
			]);
			expect(here.registry.elicitations.map(({ state }) => state)).toEqual(['completed', 'completed']);
			expect(here.logs).not.toContain(IGNORED);
		},
	);

	it('fault 4: a notification for an unknown or finished elicitation, or one of another server, is ignored and logged (U09)', async () => {
		const here = world();
		const [{ rawServer, connection }, other] = [await connectRawServer(here, open), await connectRawServer(here, open)];
		const calling = connection.callTool('act', {});
		const call = await rawServer.expect('tools/call');
		const [finished, pending] = [rawServer.ask(page('finished'), call), rawServer.ask(page('pending'), call)];
		const [first, second] = await here.asked(2);
		first.decline();
		second?.opened();
		await Promise.all([finished.response, pending.response]);
		rawServer.notify(COMPLETE, { elicitationId: 'unknown' }, call);
		rawServer.notify(COMPLETE, { elicitationId: 'finished' }, call);
		rawServer.notify(COMPLETE, { elicitationId: '__proto__' }, call);
		other.rawServer.notify(COMPLETE, { elicitationId: 'pending' });
		await Promise.all([rawServer.fence(call), other.rawServer.fence()]);
		expect(here.registry.elicitations.map(({ state }) => state)).toEqual(['declined', 'opened']);
		// The elicitation of an unknown id might still arrive.
		expect(here.logs.filter((line) => line === IGNORED)).toHaveLength(2);
		rawServer.notify(COMPLETE, { elicitationId: 'pending' }, call);
		rawServer.notify(COMPLETE, { elicitationId: 'pending' }, call);
		await rawServer.fence(call);
		expect(second?.state).toBe('completed');
		expect(here.logs.filter((line) => line === IGNORED)).toHaveLength(3);
		rawServer.finish(call);
		await calling;
		expect(here.logs.filter((line) => line === IGNORED)).toHaveLength(5);
	});

	it('fault 5: a notification before the consent ends the elicitation without one: the reply is cancel, once (U02, U09)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const form = rawServer.ask(page('early'), call);
		const [elicitation] = await here.asked();
		rawServer.notify(COMPLETE, { elicitationId: 'early' }, call);
		expect(await form.response).toEqual(response(form.id, { action: 'cancel' }));
		expect(elicitation.state).toBe('completed');
		expect([elicitation.opened(), elicitation.decline()]).toEqual([false, false]);
		await rawServer.fence(call);
		expect(rawServer.responses(form.id)).toHaveLength(1);
		rawServer.finish(call);
		await calling;
	});

	it.each(['behind', 'ahead of'])(
		'fault 5: a notification right %s -32042 counts: nobody is asked, no consent is inferred, the call is retried (U02, U10)',
		async (order) => {
			const here = world();
			const { rawServer, calling, call } = await callRawServerTool(here, open);
			let asked = 0;
			here.registry.onDidAsk(() => asked++);
			const messages = [{ id: call.id, error: required(page('1')) }, completed('1')];
			await together(rawServer, call, order === 'behind' ? messages : messages.reverse());
			rawServer.finish(await rawServer.expect('tools/call'), { again: true });
			expect(await calling).toMatchObject({ structuredContent: { again: true } });
			expect(steps(here)).toEqual([['asking', 'completed']]);
			expect(here.logs).not.toContain(IGNORED);
			if (!(rawServer instanceof RawHttpServer && order === 'behind')) {
				expect(asked).toBe(0);
			}
		},
	);

	it('fault 5: a notification right ahead of -32042 counts, too, if the user has retried too early (U10, U11)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		rawServer.fail(call, required(page('1')));
		const [elicitation] = await here.asked();
		elicitation.opened();
		elicitation.retried();
		const retry = await rawServer.expect('tools/call');
		await together(rawServer, retry, [completed('1'), { id: retry.id, error: required(page('1')) }]);
		rawServer.finish(await rawServer.expect('tools/call'), { again: true });
		expect(await calling).toMatchObject({ structuredContent: { again: true } });
		expect(steps(here)).toEqual([
			['asking', 'opened', 'retried'],
			['asking', 'completed'],
		]);
	});

	it('fault 5: of several URLs of -32042 only those are asked for that are not complete yet (U10)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const error = required(page('1'), page('2', 'https://example.com/other'));
		await together(rawServer, call, [{ id: call.id, error }, completed('1')]);
		await here.until(() => here.registry.elicitations.some(({ state }) => state === 'completed'));
		const [other] = await here.asked();
		expect([here.registry.live.length, own(other.request, 'elicitationId')]).toEqual([1, '2']);
		other.opened();
		rawServer.notify(COMPLETE, { elicitationId: '2' });
		rawServer.finish(await rawServer.expect('tools/call'));
		await calling;
	});

	it('fault 5: a notification right behind the request that it is about ends it without a consent: the reply is cancel (U02)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const ask = { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: page('early') };
		const notice = { jsonrpc: '2.0', ...completed('early') };
		if (rawServer instanceof RawHttpServer) {
			rawServer.open(call);
			rawServer.raw([ask, notice].map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''), call);
		} else {
			rawServer.raw([ask, notice].map((message) => `${JSON.stringify(message)}\n`).join(''), call);
		}
		expect(await rawServer.until(() => rawServer.responses('q')[0])).toEqual(response('q', { action: 'cancel' }));
		expect(steps(here)).toEqual([['asking', 'completed']]);
		rawServer.finish(call);
		await calling;
	});

	it('fault 4: a notification whose id is endlessly long is not kept for later (U09)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		rawServer.notify(COMPLETE, { elicitationId: 'x'.repeat(1_000) }, call);
		await rawServer.fence(call);
		expect(here.logs).not.toContain(IGNORED);
		rawServer.notify(COMPLETE, { elicitationId: 'x'.repeat(1_001) }, call);
		await rawServer.fence(call);
		expect(here.logs).toContain(IGNORED);
		rawServer.finish(call);
		await calling;
	});

	it('fault 4: a notification that nothing came of is forgotten with the last call, and logged (U09)', async () => {
		const here = world();
		const { rawServer, connection, calling, call } = await callRawServerTool(here, open);
		rawServer.notify(COMPLETE, { elicitationId: '1' }, call);
		await rawServer.fence(call);
		rawServer.finish(call);
		await calling;
		expect(here.logs.filter((line) => line === IGNORED)).toHaveLength(1);
		const again = connection.callTool('act', {});
		rawServer.fail(await rawServer.expect('tools/call'), required(page('1')));
		const [elicitation] = await here.asked();
		elicitation.opened();
		rawServer.notify(COMPLETE, { elicitationId: '1' });
		rawServer.finish(await rawServer.expect('tools/call'));
		await again;
		expect(steps(here)).toEqual([['asking', 'opened', 'completed']]);
	});

	it('fault 4: a notification is forgotten with the calls that it may be about, though a later one still runs (U09)', async () => {
		const here = world();
		const { rawServer, connection, calling, call } = await callRawServerTool(here, open);
		rawServer.notify(COMPLETE, { elicitationId: '1' }, call);
		await rawServer.fence(call);
		const later = connection.callTool('act', {});
		const other = await rawServer.expect('tools/call');
		expect(here.logs).not.toContain(IGNORED);
		rawServer.finish(call);
		await calling;
		expect(here.logs).toContain(IGNORED);
		rawServer.finish(other);
		await later;
	});

	it('fault 6: a malformed notification is ignored and logged, and the next one works (U09)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const form = rawServer.ask(page('1'), call);
		const [elicitation] = await here.asked();
		elicitation.opened();
		await form.response;
		const malformed = [
			undefined,
			null,
			[],
			'1',
			{},
			{ elicitationId: 1 },
			{ elicitationId: null },
			{ elicitationId: ['1'] },
		];
		for (const params of malformed) {
			rawServer.notify(COMPLETE, params, call);
		}
		await rawServer.fence(call);
		expect(elicitation.state).toBe('opened');
		expect(here.logs.filter((line) => line.startsWith('warn: '))).toHaveLength(malformed.length);
		rawServer.notify(COMPLETE, { elicitationId: '1' }, call);
		await here.until(() => elicitation.state === 'completed');
		expect(rawServer.responses(form.id)).toHaveLength(1);
		rawServer.finish(call);
		await calling;
	});
});
