import { describe, expect, it } from 'vitest';
import { own } from '../../../../src/elicitation/json.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import type { RawServer, Wire } from '../../../rawServer/rawServer.ts';
import { type TestClient, testClients } from '../testClient.ts';
import { callRawServerTool, connectRawServer, duringCall, page, REQUESTS, required } from './rawServerFixtures.ts';

const world = testClients();
const COMPLETE = 'notifications/elicitation/complete';
const IGNORED = 'info: Ignored a completion notice for an unknown or finished elicitation.';

const completed = (elicitationId: string) => ({ method: COMPLETE, params: { elicitationId } });

/** How many notifications the log says were ignored. */
const ignored = ({ logs }: TestClient) => logs.filter((line) => line === IGNORED).length;

/** The state history of every elicitation. */
const steps = (here: TestClient) => here.registry.elicitations.map(({ history }) => history.map(({ state }) => state));

/** Sends messages in one chunk. */
function inOneChunk(rawServer: RawServer, call: Wire, messages: readonly object[]): void {
	if (rawServer instanceof RawHttpServer) rawServer.open(call);
	const frame = rawServer instanceof RawHttpServer ? ['data: ', '\n\n'] : ['', '\n'];
	rawServer.raw(messages.map((message) => frame.join(JSON.stringify({ jsonrpc: '2.0', ...message }))).join(''), call);
}

/** Sends messages together: over HTTP on the call's stream and, after the response that ends it, on the server's own. */
async function together(rawServer: RawServer, call: Wire, messages: readonly object[]): Promise<void> {
	if (!(rawServer instanceof RawHttpServer)) return inOneChunk(rawServer, call, messages);
	await rawServer.until(() => rawServer.log.includes('GET'));
	const answered = messages.findIndex((message) => 'error' in message);
	for (const [at, message] of messages.entries()) rawServer.send(message, at < answered ? call : undefined);
}

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

	it('fault 3: one elicitationId in two requests of a connection: each has its own answer, one reply each (U09)', () =>
		duringCall(world(), open, async ({ here, rawServer, call, ask, expectReplies }) => {
			const first = await ask(page('same'));
			const second = await ask(page('same', 'https://example.com/other'));
			first.elicitation.decline();
			expect(second.elicitation.state).toBe('asking');
			second.elicitation.opened();
			await expectReplies(first.id, { action: 'decline' });
			await expectReplies(second.id, { action: 'accept' });
			rawServer.notify(COMPLETE, { elicitationId: 'same' }, call);
			await here.until(() => second.elicitation.state === 'completed');
			expect(first.elicitation.state).toBe('declined');
		}));

	it.each([
		['have both just required', false],
		['have required, one of which is open already,', true],
	])(
		'fault 3: a notification for an elicitationId that two calls %s completes it for both (U09, U10)',
		async (_which, opened) => {
			const here = world();
			const { rawServer, connection, calling: one, call } = await callRawServerTool(here, open);
			const two = connection.callTool('act', {});
			const calls = [call, await rawServer.expect('tools/call')];
			const errors = calls.map(({ id }) => ({ id, error: required(page('same')) }));
			if (opened) {
				rawServer.send(errors.shift() ?? {});
				(await here.asked())[0].opened();
			}
			await together(rawServer, call, [...errors, completed('same')]);
			rawServer.finish(await rawServer.expect('tools/call'), { again: true });
			rawServer.finish(await rawServer.expect('tools/call'), { again: true });
			const again = { structuredContent: { again: true } };
			expect(await Promise.all([one, two])).toMatchObject([again, again]);
			expect(here.registry.elicitations.map(({ state }) => state)).toEqual(['completed', 'completed']);
			expect(ignored(here)).toBe(0);
		},
	);

	it('fault 4: a notification for an unknown or finished elicitation, or one of another server, is ignored and logged (U09)', async () => {
		const here = world();
		const other = await connectRawServer(here, open);
		await duringCall(here, open, async ({ rawServer, call, ask }) => {
			const [finished, pending] = [await ask(page('finished')), await ask(page('pending'))];
			finished.elicitation.decline();
			pending.elicitation.opened();
			await Promise.all([finished.response, pending.response]);
			for (const elicitationId of ['unknown', 'finished', '__proto__']) {
				rawServer.notify(COMPLETE, { elicitationId }, call);
			}
			other.rawServer.notify(COMPLETE, { elicitationId: 'pending' });
			await Promise.all([rawServer.fence(call), other.rawServer.fence()]);
			expect(here.registry.elicitations.map(({ state }) => state)).toEqual(['declined', 'opened']);
			// The elicitation of an unknown id might still arrive.
			expect(ignored(here)).toBe(2);
			rawServer.notify(COMPLETE, { elicitationId: 'pending' }, call);
			rawServer.notify(COMPLETE, { elicitationId: 'pending' }, call);
			await rawServer.fence(call);
			expect(pending.elicitation.state).toBe('completed');
			expect(ignored(here)).toBe(3);
		});
		expect(ignored(here)).toBe(5);
	});

	it('fault 5: a notification before the consent ends the elicitation without one: the reply is cancel, once (U02, U09)', () =>
		duringCall(world(), open, async ({ rawServer, call, ask, expectReplies }) => {
			const { id, response, elicitation } = await ask(page('early'));
			rawServer.notify(COMPLETE, { elicitationId: 'early' }, call);
			await response;
			expect(elicitation.state).toBe('completed');
			expect([elicitation.opened(), elicitation.decline()]).toEqual([false, false]);
			await expectReplies(id, { action: 'cancel' });
		}));

	it('fault 5: a notification right behind the request that it is about ends it without a consent: the reply is cancel (U02)', () =>
		duringCall(world(), open, async ({ here, rawServer, call, expectReplies }) => {
			const request = { id: 'q', method: 'elicitation/create', params: page('early') };
			inOneChunk(rawServer, call, [request, completed('early')]);
			await expectReplies('q', { action: 'cancel' });
			expect(steps(here)).toEqual([['asking', 'completed']]);
		}));

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
			expect(ignored(here)).toBe(0);
			// Over HTTP, the notification is on another stream.
			if (!(rawServer instanceof RawHttpServer && order === 'behind')) expect(asked).toBe(0);
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

	it('fault 4: a notification whose id is endlessly long is not kept for later (U09)', () =>
		duringCall(world(), open, async ({ here, rawServer, call }) => {
			for (const [length, lines] of [
				[1_000, 0],
				[1_001, 1],
			] as const) {
				rawServer.notify(COMPLETE, { elicitationId: 'x'.repeat(length) }, call);
				await rawServer.fence(call);
				expect(ignored(here)).toBe(lines);
			}
		}));

	it('fault 4: a notification that nothing came of is forgotten with the calls that it may be about, and logged (U09)', async () => {
		const here = world();
		const { rawServer, connection, calling, call } = await callRawServerTool(here, open);
		rawServer.notify(COMPLETE, { elicitationId: '1' }, call);
		await rawServer.fence(call);
		const later = connection.callTool('act', {});
		const other = await rawServer.expect('tools/call');
		expect(ignored(here)).toBe(0);
		rawServer.finish(call);
		await calling;
		expect(ignored(here)).toBe(1);
		rawServer.fail(other, required(page('1')));
		(await here.asked())[0].opened();
		rawServer.notify(COMPLETE, { elicitationId: '1' });
		rawServer.finish(await rawServer.expect('tools/call'));
		await later;
		expect(steps(here)).toEqual([['asking', 'opened', 'completed']]);
	});

	it('fault 6: a malformed notification is ignored and logged, and the next one works (U09)', () =>
		duringCall(world(), open, async ({ here, rawServer, call, ask, expectReplies }) => {
			const { id, response, elicitation } = await ask(page('1'));
			elicitation.opened();
			await response;
			const malformed = [undefined, null, [], '1', {}, ...[1, null, ['1']].map((elicitationId) => ({ elicitationId }))];
			for (const params of malformed) rawServer.notify(COMPLETE, params, call);
			await rawServer.fence(call);
			expect(elicitation.state).toBe('opened');
			expect(here.logs.filter((line) => line.startsWith('warn: '))).toHaveLength(malformed.length);
			rawServer.notify(COMPLETE, { elicitationId: '1' }, call);
			await here.until(() => elicitation.state === 'completed');
			await expectReplies(id, { action: 'accept' });
		}));
});
