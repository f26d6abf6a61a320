import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Failure } from '../../../src/mcp/wire/failure.ts';
import { isAlive } from '../../harness/processTree.mjs';
import { HttpPuppet } from '../../puppet/http.ts';
import { MODERN, type Puppet } from '../../puppet/puppet.ts';
import { StdioPuppet } from '../../puppet/stdio.ts';
import { bundle, worlds } from '../mcp/world.ts';
import { ask, called, form, page, REQUESTS, ROUNDS, request, response, stage } from './stage.ts';

const world = worlds();

/** The Failure of a call, which must not be left pending. */
const failureOf = (calling: Promise<unknown>): Promise<Failure> =>
	calling.then(
		() => expect.unreachable('The call went through.'),
		(error) => {
			expect(error).toBeInstanceOf(Failure);
			return error;
		},
	);

const CUT = /^puppet: The connection was cut before "act" had answered\. Look at the server's log /;

/** What the client has sent since, beside the handshake. */
const calls = (puppet: Puppet) => puppet.requests('tools/call').length;

describe.each(REQUESTS)('over %s', (wire, open) => {
	it('fault 1: a server that dies while it asks: withdrawn, no reply, the call fails in words, a new start works (A02)', async () => {
		const here = world();
		const { puppet, connection } = await stage(here, open);
		const failure = failureOf(connection.callTool('act', {}));
		const question = puppet.ask(form, await puppet.expect('tools/call'));
		const [elicitation] = await here.asked();
		await puppet.die();
		expect((await failure).message).toMatch(wire === 'stdio' ? /^puppet: The server ended with code 1 / : CUT);
		expect(elicitation.state).toBe('withdrawn');
		expect(elicitation.accept({ name: 'late' })).toBe(false);
		expect(puppet.responses(question.id)).toEqual([]);
		expect(here.answers()).toEqual([]);
		expect(here.registry.calls.map(({ state }) => state)).toEqual(['failed']);
		if (wire === 'stdio') {
			await here.until(() => connection.state === 'restarting');
			const again = connection.callTool('act', {});
			puppet.finish(await puppet.expect('tools/call'), { again: true });
			expect(await again).toMatchObject({ structuredContent: { again: true } });
		}
	});

	it('fault 29: with everything open the connection is stopped: all is withdrawn, and the server sees the end (F14)', async () => {
		const here = world();
		const { puppet, connection } = await stage(here, open);
		const failures = [failureOf(connection.callTool('act', {})), failureOf(connection.callTool('act', {}))];
		const first = await puppet.expect('tools/call');
		const second = await puppet.expect('tools/call');
		const opened = puppet.ask(page('1'), first);
		(await here.asked())[0].opened();
		await opened.response;
		const questions = [puppet.ask(form, second), puppet.ask(page('2'), second)];
		await here.asked(2);
		await connection.stop();
		for (const failure of await Promise.all(failures)) {
			expect(failure.message).toBe('puppet: The server was stopped while "act" was running. Start it, then try again.');
		}
		expect(here.registry.live).toEqual([]);
		if (puppet instanceof HttpPuppet) {
			await Promise.all([puppet.left(first), puppet.left(second), puppet.left()]);
			expect(puppet.log.filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
		} else if (puppet instanceof StdioPuppet) {
			await puppet.left();
			expect(puppet.pids.filter(isAlive)).toEqual([]);
		}
		expect(questions.flatMap(({ id }) => puppet.responses(id))).toEqual([]);
	});
});

describe.each(ROUNDS)('in rounds over %s', (wire, open) => {
	it('fault 1: a server that dies between two rounds: nothing hangs, and the call fails in words (A02)', async () => {
		const here = world();
		const { puppet, connection } = await stage(here, open);
		const failure = failureOf(connection.callTool('act', {}));
		puppet.answer(await puppet.expect('tools/call'), ask({ a: request(form) }));
		const [elicitation] = await here.asked();
		await puppet.die();
		if (wire === 'stdio') {
			expect((await failure).message).toMatch(/^puppet: The server ended with code 1 /);
			expect(elicitation.state).toBe('withdrawn');
		} else {
			// Nothing connects the two between the rounds: the retry tells.
			await here.registry.accept(elicitation, { name: 'Ada' });
			expect((await failure).message).toMatch(
				/^puppet: Your response to "act" could not be delivered\. (Nothing answers at|The connection was cut before) /,
			);
		}
		expect(calls(puppet)).toBe(1);
		expect(here.registry.live).toEqual([]);
	});

	it('fault 29: stopped between two rounds: the question is withdrawn, and no retry goes out (F14)', async () => {
		const here = world();
		const { puppet, connection } = await stage(here, open);
		const failure = failureOf(connection.callTool('act', {}));
		puppet.answer(await puppet.expect('tools/call'), ask({ a: request(form) }));
		const [elicitation] = await here.asked();
		await connection.stop();
		expect((await failure).message).toMatch(/^puppet: The server was stopped while "act" was running\. /);
		expect(elicitation.state).toBe('withdrawn');
		expect(calls(puppet)).toBe(1);
	});
});

describe('a stream that is cut in the middle of a call', () => {
	it('fault 17: over stdio (the server closes its output and lives on) ends the connection at once, in words (A02)', async () => {
		const here = world();
		const { puppet, connection } = await stage(here, StdioPuppet.open);
		const failure = failureOf(connection.callTool('act', {}));
		const question = puppet.ask(form, await puppet.expect('tools/call'));
		const [elicitation] = await here.asked();
		puppet.cut();
		expect((await failure).message).toBe("puppet: The server closed its output. See the server's log.");
		expect(elicitation.state).toBe('withdrawn');
		expect(puppet.responses(question.id)).toEqual([]);
		expect([calls(puppet), puppet.pids.length]).toEqual([1, 1]);
		expect(puppet.pids.filter(isAlive)).toEqual([]);
	});

	it.each(['destroy', 'end'] as const)(
		'fault 17: over HTTP (%s) fails the call at once, not run a second time; the connection lives (A02)',
		async (how) => {
			const here = world();
			const { puppet, connection } = await stage(here, HttpPuppet.open);
			const failure = failureOf(connection.callTool('act', {}));
			const call = await puppet.expect('tools/call');
			const question = puppet.ask(form, call);
			const [elicitation] = await here.asked();
			puppet.cut(call, how);
			expect((await failure).message).toMatch(CUT);
			expect(elicitation.state).toBe('withdrawn');
			const next = connection.callTool('act', {});
			const nextCall = await puppet.expect('tools/call');
			await puppet.fence();
			expect(calls(puppet)).toBe(2);
			expect(puppet.responses(question.id)).toEqual([]);
			puppet.finish(nextCall);
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
			const { puppet, connection } = await stage(here, HttpPuppet.open, options as object);
			const failure = failureOf(connection.callTool('act', {}));
			puppet.cut(await puppet.expect('tools/call'));
			expect((await failure).message).toMatch(CUT);
			const next = connection.callTool('act', {});
			puppet.finish(await puppet.expect('tools/call'));
			await next;
			expect(calls(puppet)).toBe(2);
		},
	);

	it('fault 17: over HTTP in rounds fails the call at once, not run a second time (A02)', async () => {
		const here = world();
		const { puppet, connection } = await stage(here, HttpPuppet.open, { revision: MODERN });
		const failure = failureOf(connection.callTool('act', {}));
		const call = await puppet.expect('tools/call');
		const { progressToken } = call.params._meta;
		puppet.notify('notifications/progress', { progressToken, progress: 1 }, call);
		await here.until(() => here.wire('received', ({ method }) => method === 'notifications/progress')[0]);
		puppet.cut(call);
		expect((await failure).message).toMatch(CUT);
		expect(calls(puppet)).toBe(1);
	});

	it('fault 17: over HTTP with event ids is resumed: the question stays, one reply, one run, the result arrives (A02)', async () => {
		const here = world();
		const { puppet, calling, call } = await called(here, HttpPuppet.open, { resumable: true });
		puppet.retryIn(60, call);
		const question = puppet.ask(form, call);
		const [elicitation] = await here.asked();
		puppet.cut(call);
		const missed = puppet.ask({ ...form, message: 'Asked while the stream was cut' }, call);
		await puppet.until(() => puppet.log.includes(`GET ${call.id}/1`));
		expect(elicitation.state).toBe('asking');
		const [, late] = await here.asked(2);
		late?.decline();
		await missed.response;
		puppet.cut(call, 'end');
		const from = `GET ${call.id}/2`;
		await puppet.until(() => puppet.log.includes(from));
		// Once more before anything new has come.
		puppet.cut(call);
		await puppet.until(() => puppet.log.lastIndexOf(from) > puppet.log.indexOf(from));
		await here.registry.accept(elicitation, { name: 'Ada' });
		await question.response;
		puppet.finish(call, { resumed: true });
		expect(await calling).toMatchObject({ structuredContent: { resumed: true } });
		expect(calls(puppet)).toBe(1);
		expect([question, missed].flatMap(({ id }) => puppet.responses(id))).toEqual([
			response(question.id, { action: 'accept', content: { name: 'Ada' } }),
			response(missed.id, { action: 'decline' }),
		]);
	});

	it.each([405, 404, 500])(
		'fault 17: over HTTP with event ids, but refused with %d: fails in words, not run a second time (A02)',
		async (status) => {
			const here = world();
			const { puppet, connection } = await stage(here, HttpPuppet.open, { resumable: true });
			const failure = failureOf(connection.callTool('act', {}));
			const call = await puppet.expect('tools/call');
			puppet.retryIn(60, call);
			const question = puppet.ask(form, call);
			const [elicitation] = await here.asked();
			puppet.refuseStreams = status;
			puppet.cut(call);
			expect((await failure).message).toMatch(CUT);
			expect(elicitation.state).toBe('withdrawn');
			expect(calls(puppet)).toBe(1);
			expect(puppet.responses(question.id)).toEqual([]);
		},
	);

	it.each([0, 2 ** 31])(
		'fault 17: a server that wants to be asked again after %d ms is not asked without pause (A02)',
		async (ms) => {
			const here = world();
			const { puppet, connection } = await stage(here, HttpPuppet.open, { resumable: true });
			const abort = new AbortController();
			const calling = connection.callTool('act', {}, { signal: abort.signal });
			calling.catch(() => {});
			const call = await puppet.expect('tools/call');
			puppet.retryIn(ms, call);
			puppet.ask(form, call);
			await here.asked();
			const since = Date.now();
			puppet.cutAlways(call);
			while (Date.now() - since < 300) await puppet.fence();
			const asked = puppet.log.filter((line) => line.startsWith('GET'));
			expect(asked.length).toBeLessThanOrEqual(8);
			expect(new Set(asked)).toEqual(new Set(['GET', ...(ms === 0 ? [`GET ${call.id}/1`] : [])]));
			abort.abort(new Error('by hand'));
			await expect(calling).rejects.toThrow('by hand');
		},
	);

	it('what the server asks on its own stream is still asked, and its response gets there (A02, D01)', async () => {
		const here = world();
		const { puppet, calling, call } = await called(here, HttpPuppet.open);
		const failure = failureOf(calling);
		await puppet.fence(call);
		const question = puppet.ask(form);
		const [elicitation] = await here.asked();
		puppet.cut(call);
		expect((await failure).message).toMatch(CUT);
		expect(elicitation.state).toBe('asking');
		await here.registry.accept(elicitation, { name: 'Ada' });
		expect(await question.response).toEqual(response(question.id, { action: 'accept', content: { name: 'Ada' } }));
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
		const puppets = {
			process: await StdioPuppet.open(),
			web: await HttpPuppet.open(),
			rounds: await StdioPuppet.open({ revision: MODERN }),
		};
		onTestFinished(() => Promise.all(Object.values(puppets).map((puppet) => puppet.close())).then(() => {}));
		const definitions = Object.entries(puppets).map(([name, { definition }]) => [name, definition]);
		const host = spawn(
			process.execPath,
			[
				new URL('host.mjs', import.meta.url).pathname,
				...[product.file('mcp'), product.file('domain'), product.file('reaper')],
				JSON.stringify(Object.fromEntries(definitions)),
			],
			{ stdio: ['ignore', 'pipe', 'inherit'] },
		);
		onTestFinished(() => void host.kill('SIGKILL'));
		const ready = once(createInterface({ input: host.stdout }), 'line');
		const [call, webCall, round] = await Promise.all(
			Object.values(puppets).map((puppet) => puppet.expect('tools/call')),
		);
		puppets.process.ask(form, call);
		puppets.web.ask(form, webCall);
		puppets.rounds.answer(round, ask({ a: request(form) }));
		expect(await ready).toEqual(['ready']);
		const pids = [...puppets.process.pids, ...puppets.rounds.pids];
		expect(pids.filter(isAlive)).toHaveLength(2);
		host.kill('SIGKILL');
		await Promise.all([puppets.process.left(), puppets.rounds.left(), puppets.web.left(webCall), puppets.web.left()]);
		while (pids.some(isAlive)) await new Promise(setImmediate);
	});
});
