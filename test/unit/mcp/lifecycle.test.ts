import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Connection, Fleet } from '../../../src/mcp/index.ts';
import { Visitor } from '../../conformance/visitor.ts';
import { isAlive } from '../../harness/processTree.mjs';
import { HttpPuppet } from '../../puppet/http.ts';
import { LEGACY, type Puppet, type PuppetOptions } from '../../puppet/puppet.ts';
import { StdioPuppet } from '../../puppet/stdio.ts';
import { authorizationServer, protectedServer } from '../../servers/authorization.mjs';
import { stage } from '../faults/stage.ts';
import { define, type World, worlds } from './world.ts';

const world = worlds();
const pinned = { protocolVersion: LEGACY };

const outcome = (promise: Promise<unknown>) =>
	promise.then(
		() => 'resolved',
		(error: Error) => error.message,
	);

const STOPPED = 'puppet: The server was stopped while it was starting. Start it again.';

/** A server whose `initialize` the test answers. */
async function hesitant<P extends Puppet>(here: World, open: (options: PuppetOptions) => Promise<P>) {
	const puppet = await open({ manual: ['initialize'] });
	onTestFinished(() => puppet.close());
	return { puppet, connection: here.create(define('puppet', { ...puppet.definition, ...pinned })) };
}

const initialized = {
	protocolVersion: LEGACY,
	capabilities: { tools: {} },
	serverInfo: { name: 'puppet', version: '1' },
};

async function left(puppet: StdioPuppet, processes: number): Promise<void> {
	await vi.waitUntil(() => puppet.pids.filter(isAlive).length === processes, { timeout: 15_000 });
}

describe('a server that is stopped and started (D06)', () => {
	it('in one breath runs, in one process, and its state says so throughout', async () => {
		const here = world();
		const { puppet, connection } = await stage(here, StdioPuppet.open, {}, pinned);
		const stopping = connection.stop();
		expect(connection.state).toBe('stopped');
		const starting = connection.start();
		expect(connection.state).toBe('starting');
		await Promise.all([starting, stopping]);
		expect(connection.state).toBe('running');
		await left(puppet, 1);
		const calling = connection.callTool('act', {});
		puppet.finish(await puppet.expect('tools/call'));
		await calling;
	});

	it('while it starts is started anew when the first start has ended: never two processes at a time', async () => {
		const here = world();
		const { puppet, connection } = await hesitant(here, StdioPuppet.open);
		const first = outcome(connection.start());
		await puppet.expect('initialize');
		void connection.stop();
		const second = outcome(connection.start());
		expect(await first).toBe(STOPPED);
		const request = await puppet.expect('initialize');
		expect(puppet.pids.map(isAlive)).toEqual([false, true]);
		puppet.answer(request, initialized);
		expect([await second, connection.state]).toEqual(['resolved', 'running']);
	});

	it('and stopped again stays stopped', async () => {
		const here = world();
		const { puppet, connection } = await stage(here, StdioPuppet.open, {}, pinned);
		const first = connection.stop();
		const starting = outcome(connection.start());
		await Promise.all([first, connection.stop()]);
		expect([await starting, connection.state]).toEqual([STOPPED, 'stopped']);
		await left(puppet, 0);
		expect(puppet.pids).toHaveLength(1);
	});

	it('by the hand of a person while it is being lost is started once', async () => {
		const here = world();
		const { puppet, connection } = await stage(here, StdioPuppet.open, {}, pinned);
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
		onTestFinished(() => void vi.useRealTimers());
		const calling = outcome(connection.callTool('act', {}));
		await puppet.expect('tools/call');
		const lost = here.until(() => connection.tools.length === 0);
		await puppet.die(3);
		await lost;
		await connection.start();
		expect(await calling).toContain('puppet: The server ended with code 3');
		vi.advanceTimersByTime(60_000);
		await puppet.fence();
		expect([connection.state, puppet.pids.length]).toEqual(['running', 2]);
	});
});

describe.each([
	['over stdio', (options: PuppetOptions): Promise<Puppet> => StdioPuppet.open(options)],
	['over HTTP', (options: PuppetOptions): Promise<Puppet> => HttpPuppet.open(options)],
])('a call that starts its server %s (D06)', (_way, open) => {
	it('is cancelled at once while the server starts; the start goes on for others', async () => {
		const here = world();
		const { puppet, connection } = await hesitant(here, open);
		const abort = new AbortController();
		const calling = outcome(connection.callTool('act', {}, { signal: abort.signal }));
		const request = await puppet.expect('initialize');
		const other = connection.callTool('act', {});
		abort.abort(new Error('by hand'));
		expect([await calling, connection.state]).toEqual(['by hand', 'starting']);
		puppet.answer(request, initialized);
		puppet.finish(await puppet.expect('tools/call'));
		await other;
		expect([connection.state, puppet.requests('tools/call').length]).toEqual(['running', 1]);
	});

	it('and was cancelled before starts nothing', async () => {
		const here = world();
		const { connection } = await hesitant(here, open);
		const signal = AbortSignal.abort(new Error('before'));
		expect(await outcome(connection.callTool('act', {}, { signal }))).toBe('before');
		expect(connection.state).toBe('stopped');
	});

	it('fails at once when the server is stopped meanwhile', async () => {
		const here = world();
		const { puppet, connection } = await hesitant(here, open);
		const calling = outcome(connection.callTool('act', {}));
		await puppet.expect('initialize');
		await connection.stop();
		expect([await calling, connection.state]).toEqual([STOPPED, 'stopped']);
	});
});

describe('a server that demands a sign-in (D06)', () => {
	/** Somebody who is shown the page and comes to no decision, until the test decides. */
	class Undecided extends Visitor {
		readonly decisions: ((willing: boolean) => void)[] = [];

		override async consent(request: Parameters<Visitor['consent']>[0]): Promise<boolean> {
			await super.consent(request);
			return new Promise((resolve) => this.decisions.push(resolve));
		}
	}

	async function guarded(here: World) {
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

	it('lets a call be cancelled while the person signs in', async () => {
		const here = world();
		const { person, connection } = await guarded(here);
		const abort = new AbortController();
		const calling = outcome(connection.callTool('whoami', {}, { signal: abort.signal }));
		await vi.waitUntil(() => person.decisions.length === 1, { timeout: 15_000 });
		abort.abort(new Error('by hand'));
		expect(await calling).toBe('by hand');
		person.decisions[0]?.(true);
		await here.until(() => connection.state === 'running');
	});

	it('is stopped at once while the person signs in, and asks anew when it is started again', async () => {
		const here = world();
		const { person, connection } = await guarded(here);
		const first = outcome(connection.start());
		await vi.waitUntil(() => person.decisions.length === 1, { timeout: 15_000 });
		const stopping = connection.stop();
		const second = outcome(connection.start());
		expect(await first).toContain('guarded: The server was stopped while it was starting.');
		await stopping;
		await vi.waitUntil(() => person.decisions.length === 2, { timeout: 15_000 });
		person.decisions[0]?.(true);
		expect(connection.state).toBe('starting');
		person.decisions[1]?.(true);
		expect([await second, connection.state]).toEqual(['resolved', 'running']);
	});
});

describe('a fleet whose definitions change (D06)', () => {
	it('starts what has changed when what ran before has ended, and stays stopped where it was stopped', async () => {
		const here = world();
		const puppet = await StdioPuppet.open();
		onTestFinished(() => puppet.close());
		const fleet = new Fleet(here);
		onTestFinished(() => fleet.dispose());
		const wanted = (more: object = {}) => [define('puppet', { ...puppet.definition, ...pinned, ...more })];
		fleet.update(wanted());
		await fleet.get('puppet')?.start();

		expect(fleet.update(wanted({ env: { A: '1' } }))).toEqual(['puppet']);
		await fleet.get('puppet')?.start();
		expect(puppet.pids.map(isAlive)).toEqual([false, true]);

		void fleet.get('puppet')?.stop();
		expect(fleet.update(wanted({ env: { A: '2' } }))).toEqual([]);
		expect(fleet.get('puppet')?.state).toBe('stopped');
		fleet.update([]);
		fleet.update(wanted());
		await fleet.get('puppet')?.start();
		await left(puppet, 1);
		expect(puppet.pids).toHaveLength(3);
		await fleet.dispose();
		expect(puppet.pids.some(isAlive)).toBe(false);
	});
});

/** What somebody does to a server, and for what they wait in between. */
const STEPS = ['start', 'stop', 'restart', 'call', 'cancel', 'breath', 'initialize', 'settled'] as const;

/** Plays the steps; resolves to what was wished for last. */
async function play(
	connection: Connection,
	puppet: Puppet,
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
		const before = puppet.requests('initialize').length;
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
				await Promise.race([starting, puppet.until(() => puppet.requests('initialize').length > before)]);
				break;
			case 'settled':
				await starting;
		}
	}
	return wish;
}

describe.each([
	['over stdio', 12, (): Promise<Puppet> => StdioPuppet.open()],
	['over HTTP', 60, (): Promise<Puppet> => HttpPuppet.open()],
])('whatever is done to a server %s', (_way, numRuns, open) => {
	it('it ends in the state that was asked for last, and nothing else is left of it (D06)', {
		timeout: 120_000,
	}, async () => {
		const steps = fc.array(fc.constantFrom(...STEPS), { minLength: 2, maxLength: 10 });
		const property = fc.asyncProperty(steps, async (steps) => {
			const here = world();
			const puppet = await open();
			try {
				const connection = here.create(define('puppet', { ...puppet.definition, ...pinned }));
				const wish = await play(connection, puppet, steps);
				await vi.waitUntil(() => connection.state === (wish ? 'running' : 'stopped'), { timeout: 15_000 });
				if (puppet instanceof StdioPuppet) {
					await left(puppet, wish ? 1 : 0);
				}
				expect(connection.state).toBe(wish ? 'running' : 'stopped');
				if (wish) {
					const calling = connection.callTool('last', {});
					puppet.finish(await puppet.expect(({ params }) => params?.name === 'last'));
					await calling;
				}
				await here.close();
				if (puppet instanceof StdioPuppet) {
					await left(puppet, 0);
				}
			} finally {
				await here.close();
				await puppet.close();
			}
		});
		await fc.assert(property, { numRuns, endOnFailure: true });
	});
});
