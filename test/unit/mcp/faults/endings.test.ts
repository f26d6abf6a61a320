import { describe, expect, it } from 'vitest';
import { isAlive } from '../../../harness/processTree.mjs';
import { nightly } from '../../../nightly.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY, MODERN, type RawServer } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { testClients } from '../testClient.ts';
import {
	callRawServerTool,
	callWithRound,
	connectRawServer,
	duringCall,
	form,
	page,
	REQUESTS,
	ROUNDS,
	response,
	wordsOf,
} from './rawServerFixtures.ts';

const world = testClients();

const CUT =
	'raw-server: The connection was lost before "act" responded. Check the server\'s log to see whether it took effect, then try again if necessary.';
const STOPPED = 'raw-server: The server was stopped while "act" was running. Start it, then try again.';

/** The number of calls that the client has sent. */
const calls = (rawServer: RawServer) => rawServer.requests('tools/call').length;

describe.each(REQUESTS)('over %s', (wire, open) => {
	it('fault 1: a server that dies while it asks: withdrawn, no reply, the call fails with an explanation, a new start works (A02)', async () => {
		const here = world();
		const { rawServer, connection, calling, call } = await callRawServerTool(here, open);
		const words = wordsOf(calling);
		const pending = rawServer.ask(form, call);
		const [elicitation] = await here.asked();
		await rawServer.die();
		expect(await words).toContain(wire === 'stdio' ? 'raw-server: The server exited with code 1 ' : CUT);
		expect(elicitation.state).toBe('withdrawn');
		expect(elicitation.accept({ name: 'late' })).toBe(false);
		expect(rawServer.responses(pending.id)).toEqual([]);
		expect(here.answers()).toEqual([]);
		expect(here.registry.calls.map(({ state }) => state)).toEqual(['failed']);
		if (wire === 'stdio') {
			await here.until(() => connection.state === 'restarting');
			const again = connection.callTool('act', {});
			rawServer.finish(await rawServer.expect('tools/call'), { again: true });
			expect(await again).toMatchObject({ structuredContent: { again: true } });
		}
	});

	it('fault 29: with everything open the connection is stopped: all is withdrawn, and the server sees the end (F14)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const words = [wordsOf(connection.callTool('act', {})), wordsOf(connection.callTool('act', {}))];
		const first = await rawServer.expect('tools/call');
		const second = await rawServer.expect('tools/call');
		const opened = rawServer.ask(page('1'), first);
		(await here.asked())[0].opened();
		await opened.response;
		const allPending = [rawServer.ask(form, second), rawServer.ask(page('2'), second)];
		await here.asked(2);
		await connection.stop();
		expect(await Promise.all(words)).toEqual([STOPPED, STOPPED]);
		expect(here.registry.live).toEqual([]);
		if (rawServer instanceof RawHttpServer) {
			await Promise.all([rawServer.left(first), rawServer.left(second), rawServer.left()]);
			expect(rawServer.log.filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
		} else if (rawServer instanceof RawStdioServer) {
			await rawServer.left();
			expect(rawServer.pids.filter(isAlive)).toEqual([]);
		}
		expect(allPending.flatMap(({ id }) => rawServer.responses(id))).toEqual([]);
	});
});

describe.each(ROUNDS)('in rounds over %s', (wire, open) => {
	it('fault 1: a server that dies between two rounds: nothing hangs, and the call fails with an explanation (A02)', async () => {
		const here = world();
		const { rawServer, calling } = await callWithRound(here, open);
		const words = wordsOf(calling);
		const [elicitation] = await here.asked();
		await rawServer.die();
		// Over HTTP, there is no connection between rounds, so the retry fails.
		if (wire === 'HTTP') await here.registry.accept(elicitation, { name: 'Ada' });
		expect(await words).toMatch(
			wire === 'stdio'
				? /^raw-server: The server exited with code 1 /
				: /^raw-server: Your response to "act" could not be delivered\. (Nothing responds at|The connection was lost before) /,
		);
		expect(elicitation.state).toBe(wire === 'stdio' ? 'withdrawn' : 'accepted');
		expect(calls(rawServer)).toBe(1);
		expect(here.registry.live).toEqual([]);
	});

	it('fault 29: stopped between two rounds: the elicitation is withdrawn, and no retry goes out (F14)', async () => {
		const here = world();
		const { rawServer, connection, calling } = await callWithRound(here, open);
		const words = wordsOf(calling);
		const [elicitation] = await here.asked();
		await connection.stop();
		expect(await words).toBe(STOPPED);
		expect(elicitation.state).toBe('withdrawn');
		expect(calls(rawServer)).toBe(1);
	});
});

describe('a stream that is cut in the middle of a call', () => {
	// On Windows, Node never closes the file descriptors 0 to 2.
	it.skipIf(process.platform === 'win32')(
		'fault 17: over stdio (the server closes its output and lives on) ends the connection at once, with an explanation (A02)',
		async () => {
			const here = world();
			const { rawServer, calling, call } = await callRawServerTool(here, RawStdioServer.open);
			const words = wordsOf(calling);
			const pending = rawServer.ask(form, call);
			const [elicitation] = await here.asked();
			rawServer.cut();
			expect(await words).toBe("raw-server: The server closed its output. See the server's log.");
			expect(elicitation.state).toBe('withdrawn');
			expect(rawServer.responses(pending.id)).toEqual([]);
			expect([calls(rawServer), rawServer.pids.length]).toEqual([1, 1]);
			expect(rawServer.pids.filter(isAlive)).toEqual([]);
		},
	);

	it.each([
		['in a session, while it asks', LEGACY, 'asks', 'destroy'],
		['in a session, while it asks (a regular end)', LEGACY, 'asks', 'end'],
		['in a session, before a word was said', LEGACY, 'is silent', 'destroy'],
		['in rounds, after it has reported progress', MODERN, 'reports', 'destroy'],
		['in rounds, before a word was said', MODERN, 'is silent', 'destroy'],
	] as const)(
		'fault 17: over HTTP %s: the call fails at once and is not run a second time; the connection lives (A02)',
		async (_when, revision, what, how) => {
			const here = world();
			const { rawServer, connection, calling, call } = await callRawServerTool(here, RawHttpServer.open, { revision });
			const words = wordsOf(calling);
			if (what === 'asks') {
				rawServer.ask(form, call);
				await here.asked();
			} else if (what === 'reports') {
				const { progressToken } = call.params._meta;
				rawServer.notify('notifications/progress', { progressToken, progress: 1 }, call);
				await here.until(() => here.wire('received', ({ method }) => method === 'notifications/progress')[0]);
			}
			rawServer.cut(call, how);
			expect(await words).toBe(CUT);
			const next = connection.callTool('act', {});
			rawServer.finish(await rawServer.expect('tools/call'));
			await next;
			expect(calls(rawServer)).toBe(2);
			expect(here.registry.elicitations.map(({ state }) => state)).toEqual(what === 'asks' ? ['withdrawn'] : []);
			expect(here.answers()).toEqual([]);
		},
	);

	it('fault 17: over HTTP with event ids is resumed: the elicitation stays, one reply, one run, the result arrives (A02)', () =>
		duringCall(
			world(),
			RawHttpServer.open,
			async ({ here, rawServer, call, ask, expectReplies }) => {
				rawServer.retryIn(60, call);
				const first = await ask(form);
				rawServer.cut(call);
				const missed = await ask({ ...form, message: 'Asked while the stream was cut' });
				expect(rawServer.log).toContain(`GET ${call.id}/1`);
				expect(first.elicitation.state).toBe('asking');
				missed.elicitation.decline();
				await missed.response;
				rawServer.cut(call, 'end');
				const from = `GET ${call.id}/2`;
				await rawServer.until(() => rawServer.log.includes(from));
				// Again before the next event.
				rawServer.cut(call);
				await rawServer.until(() => rawServer.log.lastIndexOf(from) > rawServer.log.indexOf(from));
				await here.registry.accept(first.elicitation, { name: 'Ada' });
				await expectReplies(first.id, { action: 'accept', content: { name: 'Ada' } });
				await expectReplies(missed.id, { action: 'decline' });
				expect(calls(rawServer)).toBe(1);
			},
			{ resumable: true },
		));

	it.each([405, 404, ...(nightly ? [500] : [])])(
		'fault 17: over HTTP with event ids, but refused with %d: fails with an explanation, not run a second time (A02)',
		async (status) => {
			const here = world();
			const { rawServer, calling, call } = await callRawServerTool(here, RawHttpServer.open, { resumable: true });
			const words = wordsOf(calling);
			rawServer.retryIn(60, call);
			const pending = rawServer.ask(form, call);
			const [elicitation] = await here.asked();
			rawServer.refuseStreams = status;
			rawServer.cut(call);
			expect(await words).toBe(CUT);
			expect(elicitation.state).toBe('withdrawn');
			expect(calls(rawServer)).toBe(1);
			expect(rawServer.responses(pending.id)).toEqual([]);
		},
	);

	it.each([0, 2 ** 31])(
		'fault 17: a server that wants to be asked again after %d ms is not asked without pause (A02)',
		async (ms) => {
			const here = world();
			const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { resumable: true });
			const abort = new AbortController();
			const calling = connection.callTool('act', {}, { signal: abort.signal });
			calling.catch(() => {});
			const call = await rawServer.expect('tools/call');
			rawServer.retryIn(ms, call);
			rawServer.ask(form, call);
			await here.asked();
			const since = Date.now();
			rawServer.cutAlways(call);
			while (Date.now() - since < 300) await rawServer.fence();
			const asked = rawServer.log.filter((line) => line.startsWith('GET'));
			expect(asked.length).toBeLessThanOrEqual(8);
			expect(new Set(asked)).toEqual(new Set(['GET', ...(ms === 0 ? [`GET ${call.id}/1`] : [])]));
			abort.abort(new Error('by hand'));
			await expect(calling).rejects.toThrow('by hand');
		},
	);

	it('what the server asks on its own stream is still asked, and its response gets there (A02, D01)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, RawHttpServer.open);
		const words = wordsOf(calling);
		await rawServer.fence(call);
		const pending = rawServer.ask(form);
		const [elicitation] = await here.asked();
		rawServer.cut(call);
		expect(await words).toBe(CUT);
		expect(elicitation.state).toBe('asking');
		await here.registry.accept(elicitation, { name: 'Ada' });
		expect(await pending.response).toEqual(response(pending.id, { action: 'accept', content: { name: 'Ada' } }));
	});
});
