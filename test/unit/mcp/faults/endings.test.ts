import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Failure } from '../../../../src/mcp/wire/failure.ts';
import { isAlive } from '../../../harness/processTree.mjs';
import { nightly } from '../../../nightly.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { MODERN, type RawServer } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { bundle, testClients } from '../testClient.ts';
import {
	ask,
	callRawServerTool,
	connectRawServer,
	form,
	page,
	REQUESTS,
	ROUNDS,
	request,
	response,
} from './rawServerFixtures.ts';

const world = testClients();

/** The Failure of a call, which must settle. */
const failureOf = (calling: Promise<unknown>): Promise<Failure> =>
	calling.then(
		() => expect.unreachable('The call went through.'),
		(error) => {
			expect(error).toBeInstanceOf(Failure);
			return error;
		},
	);

const CUT = /^raw-server: The connection was lost before "act" responded\. Check the server's log /;

/** The number of calls that the client has sent. */
const calls = (rawServer: RawServer) => rawServer.requests('tools/call').length;

describe.each(REQUESTS)('over %s', (wire, open) => {
	it('fault 1: a server that dies while it asks: withdrawn, no reply, the call fails with an explanation, a new start works (A02)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const failure = failureOf(connection.callTool('act', {}));
		const pending = rawServer.ask(form, await rawServer.expect('tools/call'));
		const [elicitation] = await here.asked();
		await rawServer.die();
		expect((await failure).message).toMatch(wire === 'stdio' ? /^raw-server: The server exited with code 1 / : CUT);
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
		const failures = [failureOf(connection.callTool('act', {})), failureOf(connection.callTool('act', {}))];
		const first = await rawServer.expect('tools/call');
		const second = await rawServer.expect('tools/call');
		const opened = rawServer.ask(page('1'), first);
		(await here.asked())[0].opened();
		await opened.response;
		const allPending = [rawServer.ask(form, second), rawServer.ask(page('2'), second)];
		await here.asked(2);
		await connection.stop();
		for (const failure of await Promise.all(failures)) {
			expect(failure.message).toBe(
				'raw-server: The server was stopped while "act" was running. Start it, then try again.',
			);
		}
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
		const { rawServer, connection } = await connectRawServer(here, open);
		const failure = failureOf(connection.callTool('act', {}));
		rawServer.answer(await rawServer.expect('tools/call'), ask({ a: request(form) }));
		const [elicitation] = await here.asked();
		await rawServer.die();
		if (wire === 'stdio') {
			expect((await failure).message).toMatch(/^raw-server: The server exited with code 1 /);
			expect(elicitation.state).toBe('withdrawn');
		} else {
			// There is no connection between rounds, so the retry fails.
			await here.registry.accept(elicitation, { name: 'Ada' });
			expect((await failure).message).toMatch(
				/^raw-server: Your response to "act" could not be delivered\. (Nothing responds at|The connection was lost before) /,
			);
		}
		expect(calls(rawServer)).toBe(1);
		expect(here.registry.live).toEqual([]);
	});

	it('fault 29: stopped between two rounds: the elicitation is withdrawn, and no retry goes out (F14)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const failure = failureOf(connection.callTool('act', {}));
		rawServer.answer(await rawServer.expect('tools/call'), ask({ a: request(form) }));
		const [elicitation] = await here.asked();
		await connection.stop();
		expect((await failure).message).toMatch(/^raw-server: The server was stopped while "act" was running\. /);
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
			const { rawServer, connection } = await connectRawServer(here, RawStdioServer.open);
			const failure = failureOf(connection.callTool('act', {}));
			const pending = rawServer.ask(form, await rawServer.expect('tools/call'));
			const [elicitation] = await here.asked();
			rawServer.cut();
			expect((await failure).message).toBe("raw-server: The server closed its output. See the server's log.");
			expect(elicitation.state).toBe('withdrawn');
			expect(rawServer.responses(pending.id)).toEqual([]);
			expect([calls(rawServer), rawServer.pids.length]).toEqual([1, 1]);
			expect(rawServer.pids.filter(isAlive)).toEqual([]);
		},
	);

	it.each(['destroy', 'end'] as const)(
		'fault 17: over HTTP (%s) fails the call at once, not run a second time; the connection lives (A02)',
		async (how) => {
			const here = world();
			const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open);
			const failure = failureOf(connection.callTool('act', {}));
			const call = await rawServer.expect('tools/call');
			const pending = rawServer.ask(form, call);
			const [elicitation] = await here.asked();
			rawServer.cut(call, how);
			expect((await failure).message).toMatch(CUT);
			expect(elicitation.state).toBe('withdrawn');
			const next = connection.callTool('act', {});
			const nextCall = await rawServer.expect('tools/call');
			await rawServer.fence();
			expect(calls(rawServer)).toBe(2);
			expect(rawServer.responses(pending.id)).toEqual([]);
			rawServer.finish(nextCall);
			await next;
		},
	);

	it.each([
		['in rounds', { revision: MODERN }],
		['in a session', {}],
	])(
		'fault 17: over HTTP %s, before a word was said: fails at once, not run a second time (A02)',
		async (_era, options) => {
			const here = world();
			const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, options as object);
			const failure = failureOf(connection.callTool('act', {}));
			rawServer.cut(await rawServer.expect('tools/call'));
			expect((await failure).message).toMatch(CUT);
			const next = connection.callTool('act', {});
			rawServer.finish(await rawServer.expect('tools/call'));
			await next;
			expect(calls(rawServer)).toBe(2);
		},
	);

	it('fault 17: over HTTP in rounds fails the call at once, not run a second time (A02)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { revision: MODERN });
		const failure = failureOf(connection.callTool('act', {}));
		const call = await rawServer.expect('tools/call');
		const { progressToken } = call.params._meta;
		rawServer.notify('notifications/progress', { progressToken, progress: 1 }, call);
		await here.until(() => here.wire('received', ({ method }) => method === 'notifications/progress')[0]);
		rawServer.cut(call);
		expect((await failure).message).toMatch(CUT);
		expect(calls(rawServer)).toBe(1);
	});

	it('fault 17: over HTTP with event ids is resumed: the elicitation stays, one reply, one run, the result arrives (A02)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, RawHttpServer.open, { resumable: true });
		rawServer.retryIn(60, call);
		const pending = rawServer.ask(form, call);
		const [elicitation] = await here.asked();
		rawServer.cut(call);
		const missed = rawServer.ask({ ...form, message: 'Asked while the stream was cut' }, call);
		await rawServer.until(() => rawServer.log.includes(`GET ${call.id}/1`));
		expect(elicitation.state).toBe('asking');
		const [, late] = await here.asked(2);
		late?.decline();
		await missed.response;
		rawServer.cut(call, 'end');
		const from = `GET ${call.id}/2`;
		await rawServer.until(() => rawServer.log.includes(from));
		// Again before the next event.
		rawServer.cut(call);
		await rawServer.until(() => rawServer.log.lastIndexOf(from) > rawServer.log.indexOf(from));
		await here.registry.accept(elicitation, { name: 'Ada' });
		await pending.response;
		rawServer.finish(call, { resumed: true });
		expect(await calling).toMatchObject({ structuredContent: { resumed: true } });
		expect(calls(rawServer)).toBe(1);
		expect([pending, missed].flatMap(({ id }) => rawServer.responses(id))).toEqual([
			response(pending.id, { action: 'accept', content: { name: 'Ada' } }),
			response(missed.id, { action: 'decline' }),
		]);
	});

	it.each([405, 404, ...(nightly ? [500] : [])])(
		'fault 17: over HTTP with event ids, but refused with %d: fails with an explanation, not run a second time (A02)',
		async (status) => {
			const here = world();
			const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { resumable: true });
			const failure = failureOf(connection.callTool('act', {}));
			const call = await rawServer.expect('tools/call');
			rawServer.retryIn(60, call);
			const pending = rawServer.ask(form, call);
			const [elicitation] = await here.asked();
			rawServer.refuseStreams = status;
			rawServer.cut(call);
			expect((await failure).message).toMatch(CUT);
			expect(elicitation.state).toBe('withdrawn');
			expect(calls(rawServer)).toBe(1);
			expect(rawServer.responses(pending.id)).toEqual([]);
		},
		60_000,
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
		const failure = failureOf(calling);
		await rawServer.fence(call);
		const pending = rawServer.ask(form);
		const [elicitation] = await here.asked();
		rawServer.cut(call);
		expect((await failure).message).toMatch(CUT);
		expect(elicitation.state).toBe('asking');
		await here.registry.accept(elicitation, { name: 'Ada' });
		expect(await pending.response).toEqual(response(pending.id, { action: 'accept', content: { name: 'Ada' } }));
	});
});

describe('a host that is killed', () => {
	let product: Awaited<ReturnType<typeof bundle>>;
	beforeAll(async () => {
		product = await bundle({
			mcp: 'src/mcp/index.ts',
			domain: 'src/elicitation/registry.ts',
			reaper: 'src/mcp/process/reaper.ts',
		});
	});
	afterAll(() => product.remove());

	it('fault 30: leaves no process behind, and servers behind a URL see the end of their streams', async () => {
		world();
		const rawServers = {
			process: await RawStdioServer.open(),
			web: await RawHttpServer.open(),
			rounds: await RawStdioServer.open({ revision: MODERN }),
		};
		onTestFinished(() => Promise.all(Object.values(rawServers).map((rawServer) => rawServer.close())).then(() => {}));
		const definitions = Object.entries(rawServers).map(([name, { definition }]) => [name, definition]);
		const host = spawn(
			process.execPath,
			[
				fileURLToPath(new URL('host.mjs', import.meta.url)),
				...[product.file('mcp'), product.file('domain'), product.file('reaper')],
				JSON.stringify(Object.fromEntries(definitions)),
			],
			{ stdio: ['ignore', 'pipe', 'inherit'] },
		);
		onTestFinished(() => void host.kill('SIGKILL'));
		const ready = once(createInterface({ input: host.stdout }), 'line');
		const [call, webCall, round] = await Promise.all(
			Object.values(rawServers).map((rawServer) => rawServer.expect('tools/call')),
		);
		rawServers.process.ask(form, call);
		rawServers.web.ask(form, webCall);
		rawServers.rounds.answer(round, ask({ a: request(form) }));
		expect(await ready).toEqual(['ready']);
		const pids = [...rawServers.process.pids, ...rawServers.rounds.pids];
		expect(pids.filter(isAlive)).toHaveLength(2);
		host.kill('SIGKILL');
		await Promise.all([
			rawServers.process.left(),
			rawServers.rounds.left(),
			rawServers.web.left(webCall),
			rawServers.web.left(),
		]);
		await vi.waitFor(() => expect(pids.filter(isAlive), 'still running').toEqual([]), { timeout: 30_000 });
	});
});
