import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runs } from '../../../nightly.ts';
import { LEGACY, MODERN } from '../../../rawServer/rawServer.ts';
import type { InProcessServer } from './inProcess.ts';
import { Run, settle, tick } from './model.ts';
import { steps, stepsWithTasks, weights, weightsWithTasks } from './modelSteps.ts';

/*
 * Model-based test: the product's connection against a server that may do anything at any time. Only the sockets and the
 * clock are simulated.
 */

const wire = vi.hoisted(() => ({ server: undefined as InProcessServer | undefined }));

vi.mock('../../../../src/mcp/http/noTimeoutFetch.ts', () => ({
	noTimeoutFetch: (url: string | URL, init?: RequestInit) => wire.server?.fetch(url, init),
}));

vi.mock('node:timers/promises', () => ({
	setTimeout: (ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) =>
		new Promise((resolve, reject) => {
			const timer = setTimeout(() => resolve(value), ms);
			signal?.addEventListener('abort', () => {
				clearTimeout(timer);
				reject(signal.reason);
			});
		}),
}));

type Script = readonly (readonly [string, number])[];

const scripts = (names: readonly string[], weights: Readonly<Record<string, number>>): fc.Arbitrary<Script> =>
	fc.array(
		fc.tuple(
			fc.oneof(...names.map((name) => ({ weight: weights[name] ?? 1, arbitrary: fc.constant(name) }))),
			fc.nat(5),
		),
		{ maxLength: 30, size: 'max' },
	);

/**
 * @param first the steps with which every script starts
 * @param over aborts when the test is out of time: the clock and the server are the next one's then
 */
async function play(
	revision: typeof LEGACY | typeof MODERN,
	first: Script,
	script: Script,
	over: AbortSignal,
): Promise<void> {
	over.throwIfAborted();
	vi.setSystemTime(0);
	const run = new Run(revision);
	wire.server = run.server;
	try {
		await run.begin();
		for (const [name, at] of [...first, ...script]) {
			await stepsWithTasks[name]?.(run, at);
			await settle();
			run.check();
		}
		await run.finish();
		expect(unheard).toEqual([]);
	} finally {
		// A failed run must not affect the next one.
		const closing = run.world.close();
		await tick(10_000);
		await closing;
		vi.clearAllTimers();
		unheard.length = 0;
	}
}

const unheard: unknown[] = [];
const onUnheard = (reason: unknown) => unheard.push(reason);

beforeAll(() => {
	process.on('unhandledRejection', onUnheard);
	vi.stubGlobal('fetch', (url: string | URL) => wire.server?.authorize(url));
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterAll(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
	process.off('unhandledRejection', onUnheard);
});

it('whatever happens in whichever order, no response is lost and no request is left unanswered (A02, A04, D01, D02, D03)', async ({
	signal,
}) => {
	const script = scripts(Object.keys(steps), weights);
	const property = fc.asyncProperty(fc.constantFrom(LEGACY, LEGACY, LEGACY, MODERN), script, (revision, script) =>
		play(revision, [['call', 0]], script, signal),
	);
	await fc.assert(property, { numRuns: runs(5_000, 100) });
});

it('nor in calls that run as tasks, which are polled until their end only, and asked about each key once (D01, D02, K02, K04, K11, K12, K13)', async ({
	signal,
}) => {
	const script = scripts(Object.keys(stepsWithTasks), weightsWithTasks);
	const property = fc.asyncProperty(fc.constantFrom(LEGACY, MODERN), script, (revision, script) =>
		play(
			revision,
			[
				['callTask', 0],
				['createTask', 0],
			],
			script,
			signal,
		),
	);
	await fc.assert(property, { numRuns: runs(5_000, 100) });
});
