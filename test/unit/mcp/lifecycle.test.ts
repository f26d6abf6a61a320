import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Connection, ConnectionManager } from '../../../src/mcp/index.ts';
import { ServerFeatures } from '../../../src/mcp/serverFeatures.ts';
import { Visitor } from '../../conformance/visitor.ts';
import { isAlive } from '../../harness/processTree.mjs';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, type RawServer, type RawServerOptions } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { authorizationServer, protectedServer } from '../../servers/authorization.mjs';
import { connectRawServer, REQUESTS } from './faults/rawServerFixtures.ts';
import { callThrough, createRawServer } from './rawServerSteps.ts';
import { define, type TestClient, testClients } from './testClient.ts';
import { simulateTimers } from './timing.ts';

const world = testClients();
const pinned = { protocolVersion: LEGACY };

const outcome = (promise: Promise<unknown>) =>
	promise.then(
		() => 'resolved',
		(error: Error) => error.message,
	);

const STOPPED = 'raw-server: The server was stopped while it was starting. Start it again.';

/** A server whose `initialize` result the test sends. */
async function hesitant<P extends RawServer>(here: TestClient, open: (options?: RawServerOptions) => Promise<P>) {
	return createRawServer<P, RawServerOptions>(here, open, { manual: ['initialize'] }, pinned);
}

const initialized = {
	protocolVersion: LEGACY,
	capabilities: { tools: {} },
	serverInfo: { name: 'raw-server', version: '1' },
};

async function left(rawServer: RawStdioServer, processes: number): Promise<void> {
	await vi.waitUntil(() => rawServer.pids.filter(isAlive).length === processes);
}

describe('a server that is stopped and started (D06)', () => {
	it('at the same time runs in one process, and its state says so throughout', async () => {
		const { rawServer, connection } = await connectRawServer(world(), RawStdioServer.open, {}, pinned);
		const stopping = connection.stop();
		expect(connection.state).toBe('stopped');
		const starting = connection.start();
		expect(connection.state).toBe('starting');
		await Promise.all([starting, stopping]);
		expect(connection.state).toBe('running');
		await left(rawServer, 1);
		await callThrough(rawServer, connection);
	});

	it('while it is starting starts again once the first start has ended: never two processes at a time', async () => {
		const { rawServer, connection } = await hesitant(world(), RawStdioServer.open);
		const first = outcome(connection.start());
		await rawServer.expect('initialize');
		void connection.stop();
		const second = outcome(connection.start());
		expect(await first).toBe(STOPPED);
		const request = await rawServer.expect('initialize');
		expect(rawServer.pids.map(isAlive)).toEqual([false, true]);
		rawServer.answer(request, initialized);
		expect([await second, connection.state]).toEqual(['resolved', 'running']);
	});

	it('by a user while its connection is being lost is started once', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, RawStdioServer.open, {}, pinned);
		simulateTimers();
		const calling = outcome(connection.callTool('act', {}));
		await rawServer.expect('tools/call');
		const lost = here.until(() => connection.tools.length === 0);
		await rawServer.die(3);
		await lost;
		await connection.start();
		expect(await calling).toContain('raw-server: The server exited with code 3');
		vi.advanceTimersByTime(60_000);
		await rawServer.fence();
		expect([connection.state, rawServer.pids.length]).toEqual(['running', 2]);
	});
});

describe.each(REQUESTS)('a call that starts its server over %s (D06)', (_wire, open) => {
	it('is canceled at once while the server starts; the start goes on for others', async () => {
		const { rawServer, connection } = await hesitant(world(), open);
		const abort = new AbortController();
		const calling = outcome(connection.callTool('act', {}, { signal: abort.signal }));
		const request = await rawServer.expect('initialize');
		const other = connection.callTool('act', {});
		abort.abort(new Error('by hand'));
		expect([await calling, connection.state]).toEqual(['by hand', 'starting']);
		rawServer.answer(request, initialized);
		rawServer.finish(await rawServer.expect('tools/call'));
		await other;
		expect([connection.state, rawServer.requests('tools/call').length]).toEqual(['running', 1]);
	});

	it('and was canceled before starts nothing', async () => {
		const { connection } = await hesitant(world(), open);
		const signal = AbortSignal.abort(new Error('before'));
		expect(await outcome(connection.callTool('act', {}, { signal }))).toBe('before');
		expect(connection.state).toBe('stopped');
	});

	it('fails at once when the server is stopped meanwhile', async () => {
		const { rawServer, connection } = await hesitant(world(), open);
		const calling = outcome(connection.callTool('act', {}));
		await rawServer.expect('initialize');
		await connection.stop();
		expect([await calling, connection.state]).toEqual([STOPPED, 'stopped']);
	});
});

describe('a server that requires a sign-in (D06)', () => {
	/** A user who doesn't decide about the sign-in page until the test does. */
	class Undecided extends Visitor {
		readonly decisions: ((willing: boolean) => void)[] = [];

		override async consent(request: Parameters<Visitor['consent']>[0]): Promise<boolean> {
			await super.consent(request);
			return new Promise((resolve) => this.decisions.push(resolve));
		}
	}

	async function guarded(here: TestClient) {
		const authorization = await authorizationServer();
		const server = await protectedServer(authorization);
		onTestFinished(async () => {
			await here.close();
			await Promise.all([authorization.stop(), server.stop()]);
		});
		const person = new Undecided();
		here.signIn = person;
		return { person, connection: here.create(define('guarded', { url: server.url })) };
	}

	it('lets a call be canceled while the user signs in', async () => {
		const here = world();
		const { person, connection } = await guarded(here);
		const abort = new AbortController();
		const calling = outcome(connection.callTool('whoami', {}, { signal: abort.signal }));
		await vi.waitUntil(() => person.decisions.length === 1);
		abort.abort(new Error('by hand'));
		expect(await calling).toBe('by hand');
		person.decisions[0]?.(true);
		await here.until(() => connection.state === 'running');
	});

	it('is stopped at once while the user signs in, and prompts again when restarted', async () => {
		const { person, connection } = await guarded(world());
		const first = outcome(connection.start());
		await vi.waitUntil(() => person.decisions.length === 1);
		const stopping = connection.stop();
		const second = outcome(connection.start());
		expect(await first).toContain('guarded: The server was stopped while it was starting.');
		await stopping;
		await vi.waitUntil(() => person.decisions.length === 2);
		person.decisions[0]?.(true);
		expect(connection.state).toBe('starting');
		person.decisions[1]?.(true);
		expect([await second, connection.state]).toEqual(['resolved', 'running']);
	});
});

describe('a connection manager whose definitions change (D06)', () => {
	it('restarts changed servers once the old ones have ended, and keeps stopped ones stopped', async () => {
		const here = world();
		const rawServer = await RawStdioServer.open();
		onTestFinished(() => rawServer.close());
		const connectionManager = new ConnectionManager(here);
		onTestFinished(() => connectionManager.dispose());
		const wanted = (more: object = {}) => [define('raw-server', { ...rawServer.definition, ...pinned, ...more })];
		connectionManager.update(wanted());
		await connectionManager.get('raw-server')?.start();

		expect(connectionManager.update(wanted({ env: { A: '1' } }))).toEqual(['raw-server']);
		await connectionManager.get('raw-server')?.start();
		expect(rawServer.pids.map(isAlive)).toEqual([false, true]);

		void connectionManager.get('raw-server')?.stop();
		expect(connectionManager.update(wanted({ env: { A: '2' } }))).toEqual([]);
		expect(connectionManager.get('raw-server')?.state).toBe('stopped');
		connectionManager.update([]);
		connectionManager.update(wanted());
		await connectionManager.get('raw-server')?.start();
		await left(rawServer, 1);
		expect(rawServer.pids).toHaveLength(3);
		await connectionManager.dispose();
		expect(rawServer.pids.some(isAlive)).toBe(false);
	});
});

/** User actions, and what to wait for between them. */
const STEPS = ['start', 'stop', 'restart', 'call', 'cancel', 'breath', 'initialize', 'settled'] as const;

/** Runs the steps. Resolves to the last requested state. */
async function play(
	connection: Connection,
	rawServer: RawServer,
	steps: readonly (typeof STEPS)[number][],
): Promise<boolean> {
	let wish = false;
	let starting: Promise<unknown> = Promise.resolve();
	let abort = new AbortController();
	const start = () => {
		starting = outcome(connection.start());
		wish = true;
	};
	const stop = () => {
		void connection.stop();
		wish = false;
	};
	for (const step of steps) {
		const before = rawServer.requests('initialize').length;
		switch (step) {
			case 'start':
				start();
				break;
			case 'stop':
				stop();
				break;
			case 'restart':
				stop();
				start();
				break;
			case 'call':
				abort = new AbortController();
				void outcome(connection.callTool('act', {}, { signal: abort.signal }));
				wish = true;
				break;
			case 'cancel':
				abort.abort(new Error('by hand'));
				break;
			case 'breath':
				await new Promise((resolve) => setImmediate(resolve));
				break;
			case 'initialize':
				await Promise.race([starting, rawServer.until(() => rawServer.requests('initialize').length > before)]);
				break;
			case 'settled':
				await starting;
		}
	}
	return wish;
}

describe.each([
	['over stdio', 12, (): Promise<RawServer> => RawStdioServer.open()],
	['over HTTP', 60, (): Promise<RawServer> => RawHttpServer.open()],
])('whatever is done to a server %s', (_way, numRuns, open) => {
	it('it ends in the state that was asked for last, and nothing else is left of it (D06)', async () => {
		const steps = fc.array(fc.constantFrom(...STEPS), { minLength: 2, maxLength: 10 });
		const property = fc.asyncProperty(steps, async (steps) => {
			const here = world();
			const rawServer = await open();
			try {
				const connection = here.create(define('raw-server', { ...rawServer.definition, ...pinned }));
				const wish = await play(connection, rawServer, steps);
				await vi.waitUntil(() => connection.state === (wish ? 'running' : 'stopped'));
				if (rawServer instanceof RawStdioServer) {
					await left(rawServer, wish ? 1 : 0);
				}
				expect(connection.state).toBe(wish ? 'running' : 'stopped');
				if (wish) {
					const calling = connection.callTool('last', {});
					rawServer.finish(await rawServer.expect(({ params }) => params?.name === 'last'));
					await calling;
				}
				await here.close();
				if (rawServer instanceof RawStdioServer) {
					await left(rawServer, 0);
				}
			} finally {
				await here.close();
				await rawServer.close();
			}
		});
		await fc.assert(property, { numRuns, endOnFailure: true });
	});
});

it.each([0, 1])(
	'lists that change while a session closes are not read any more (%i were to be read)',
	async (before) => {
		simulateTimers();
		const client = { getServerCapabilities: () => ({ tools: {} }), listTools: vi.fn() };
		const features = new ServerFeatures('a', client as never, vi.fn(), vi.fn(), {} as never, {} as never);
		if (before > 0) {
			features.refreshSoon(['tools']);
		}
		features.dispose();
		features.refreshSoon(['tools']);
		await vi.advanceTimersByTimeAsync(1_000);
		expect(client.listTools).not.toHaveBeenCalled();
	},
);
