import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Restarts } from '../../../src/mcp/restarts.ts';
import { Visitor } from '../../conformance/visitor.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { authorizationServer } from '../../servers/authorization.mjs';
import { demandTokens } from './faults/rawServerFixtures.ts';
import { define, peer, shown, stdio, testClients, testServer } from './testClient.ts';

const world = testClients();

afterEach(() => {
	vi.useRealTimers();
});

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

	it('is restarted automatically, and its interrupted call is not repeated', async () => {
		const here = world();
		const connection = await here.connect(stdio('sdk1', testServer('sdk1.mjs')));
		const states: string[] = [];
		connection.onDidChange(() => states.at(-1) !== connection.state && states.push(connection.state));
		await expect(connection.callTool('crash', { ms: 0 })).rejects.toThrow('sdk1: The server exited with code ');
		await here.until(() => connection.state === 'running');
		expect(states.slice(-3)).toEqual(['restarting', 'starting', 'running']);
		expect(connection.failure).toBeUndefined();
		expect(here.wire('sent', ({ method }) => method === 'tools/call')).toHaveLength(1);
	});

	it('is not restarted once the user has stopped it', async () => {
		const here = world();
		const connection = await here.connect(stdio('sdk1', testServer('sdk1.mjs')));
		await expect(connection.callTool('crash', { ms: 0 })).rejects.toThrow();
		await here.until(() => connection.state === 'restarting');
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		await connection.stop();
		vi.runAllTimers();
		expect(connection.state).toBe('stopped');
	});

	it('is no longer restarted if it keeps ending, and the error quotes its last output', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'elicitation-restarts-'));
		onTestFinished(() => rm(folder, { recursive: true }));
		const here = world();
		const connection = await here.connect(stdio('once', peer('runsOnce.mjs'), [join(folder, 'seen')]));
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
		connection.onDidChange(() => connection.state === 'restarting' && vi.advanceTimersByTime(16_000));
		await expect(connection.callTool('leave', {})).rejects.toThrow('once: ');
		await here.until(() => connection.state === 'failed');
		expect(connection.failure?.message).toMatch(
			/^once: It was restarted 5 times in a row without success\. The server exited with code 3\. Its last output: Not again\. /,
		);
	});

	it('is no longer restarted if the user does not sign in again, and still offers the sign-in', async () => {
		const here = world();
		const guest = new Visitor();
		here.signIn = guest;
		const authorization = await authorizationServer();
		onTestFinished(authorization.stop);
		const rawServer = await RawHttpServer.open();
		onTestFinished(() => rawServer.close());
		demandTokens(rawServer, authorization);
		const connection = await here.connect(
			define('raw-server', { ...rawServer.definition, protocolVersion: '2025-11-25' }),
		);
		await rawServer.until(() => rawServer.log.includes('GET'));
		rawServer.open({});
		authorization.expire('access', 'refresh');
		guest.consent = async () => false;
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
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

it('a server that is being restarted is started at once when it is called', async () => {
	const here = world();
	const connection = await here.connect(stdio('sdk1', testServer('sdk1.mjs')));
	await expect(connection.callTool('crash', { ms: 0 })).rejects.toThrow();
	await here.until(() => connection.state === 'restarting');
	expect(shown(await connection.callTool('progress', { steps: 1 }))).toMatchObject({ steps: 1 });
});
