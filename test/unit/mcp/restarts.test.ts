import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Restarts } from '../../../src/mcp/restarts.ts';
import { LEGACY } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { connectRawServer } from './faults/rawServerFixtures.ts';
import { callThrough, createGuardedServer } from './rawServerSteps.ts';
import { peer, stdio, type TestClient, testClients, testServer } from './testClient.ts';
import { simulateTimers } from './timing.ts';

const world = testClients();
const PINNED = { protocolVersion: LEGACY };

afterEach(() => {
	vi.useRealTimers();
});

/** A server that has died in a call, and is about to be restarted. */
async function died(here: TestClient, words: string) {
	const { rawServer, connection } = await connectRawServer(here, RawStdioServer.open, {}, PINNED);
	const states: string[] = [];
	connection.onDidChange(() => states.at(-1) !== connection.state && states.push(connection.state));
	simulateTimers();
	const failing = expect(connection.callTool('act', {})).rejects.toThrow(words);
	await rawServer.expect('tools/call');
	await rawServer.die(1);
	await failing;
	await here.until(() => connection.state === 'restarting');
	expect(connection.failure?.message).toBe(words);
	return { rawServer, connection, states };
}

describe('a server that ended by itself', () => {
	it('is restarted after growing pauses, five times in a row', () => {
		vi.useFakeTimers();
		const restart = vi.fn();
		const restarts = new Restarts(restart);
		for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000]) {
			restarts.up();
			expect(restarts.down()).toBe(true);
			vi.advanceTimersByTime(pause - 1);
			expect(restart).not.toHaveBeenCalled();
			vi.advanceTimersByTime(1);
			expect(restart).toHaveBeenCalledOnce();
			restart.mockClear();
		}
		expect(restarts.down()).toBe(false);
		vi.runAllTimers();
		expect(restart).not.toHaveBeenCalled();
	});

	it('starts counting again after it has run for a minute', () => {
		vi.useFakeTimers();
		const restart = vi.fn();
		const restarts = new Restarts(restart);
		for (let attempt = 0; attempt < 5; attempt++) restarts.down();
		restarts.up();
		// Whatever the clock of the system shows.
		vi.setSystemTime(0);
		vi.advanceTimersByTime(60_000);
		restart.mockClear();
		expect(restarts.down()).toBe(true);
		vi.advanceTimersByTime(1_000);
		expect(restart).toHaveBeenCalledOnce();
	});

	const words =
		'raw-server: The server exited with code 1 and wrote nothing. Run the command in a terminal to see why, or look at its log.';

	it('is restarted automatically, and its interrupted call is not repeated', async () => {
		const here = world();
		const { rawServer, connection, states } = await died(here, words);
		const diedAt = Date.now();
		vi.advanceTimersByTime(1_000);
		await here.until(() => connection.state === 'running');
		expect(states.slice(-3)).toEqual(['restarting', 'starting', 'running']);
		expect([connection.failure, rawServer.requests('tools/call').length]).toEqual([undefined, 1]);
		expect(connection.restarted).toEqual({ times: 1, at: expect.any(Number) });
		expect(connection.restarted?.at).toBeGreaterThanOrEqual(diedAt);
		expect(connection.restarted?.at).toBeLessThanOrEqual(Date.now());
	});

	it('is not restarted once the user has stopped it', async () => {
		const { rawServer, connection } = await died(world(), words);
		await connection.stop();
		vi.advanceTimersByTime(60_000);
		expect([connection.state, rawServer.pids.length]).toEqual(['stopped', 1]);
	});

	it('is started at once when it is called before that', async () => {
		const { rawServer, connection } = await died(world(), words);
		await callThrough(rawServer, connection);
		expect([rawServer.pids.length, connection.restarted?.times]).toEqual([2, 1]);
		await connection.stop();
		expect(connection.restarted).toBeUndefined();
	});

	it('is no longer restarted if it keeps ending, and the error quotes its last output', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'elicitation-restarts-'));
		onTestFinished(() => rm(folder, { recursive: true }));
		const here = world();
		const connection = await here.connect(stdio('once', peer('runsOnce.mjs'), [join(folder, 'seen')]));
		simulateTimers();
		connection.onDidChange(() => connection.state === 'restarting' && vi.advanceTimersByTime(16_000));
		await expect(connection.callTool('leave', {})).rejects.toThrow('once: ');
		await here.until(() => connection.state === 'failed');
		expect(connection.failure?.message).toMatch(
			/^once: It was restarted 5 times in a row without success\. The server exited with code 3\. Its last output: Not again\. /,
		);
	});

	it('is no longer restarted if the user does not sign in again, and still offers the sign-in', async () => {
		const here = world();
		const { guest, authorization, rawServer, connection } = await createGuardedServer(here, {}, PINNED);
		await connection.start();
		await rawServer.until(() => rawServer.log.includes('GET'));
		rawServer.open({});
		authorization.expire('access', 'refresh');
		guest.consent = async () => false;
		simulateTimers();
		connection.onDidChange(() => connection.state === 'restarting' && vi.advanceTimersByTime(16_000));
		const { front } = rawServer;
		rawServer.front = async (request) => (request.headers['mcp-session-id'] ? { status: 404 } : front(request));
		rawServer.cut();
		await here.until(() => connection.state === 'failed');
		expect(connection.failure?.message).toMatch(/^raw-server: It was restarted 5 times in a row without success\. /);
		expect(connection.failure?.signIn).toBe(true);
	});

	it('is not restarted if its first start failed', async () => {
		const here = world();
		const connection = here.create(stdio('raw', testServer('raw.mjs'), ['exit-at-once']));
		await expect(connection.start()).rejects.toThrow('raw: The server exited with code 3.');
		expect(connection.state).toBe('failed');
	});
});
