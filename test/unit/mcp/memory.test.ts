import { queryObjects } from 'node:v8';
import { expect, vi } from 'vitest';
import { Call } from '../../../src/elicitation/call.ts';
import { StdioTransport } from '../../../src/mcp/process/stdioTransport.ts';
import { itByNight } from '../../nightly.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, MODERN } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { connectRawServer, form, REQUESTS } from './faults/rawServerFixtures.ts';
import { stdio, testClients, testServer } from './testClient.ts';

const world = testClients();

/** What is waited for takes seconds, and counting objects half a second of processor time. */
const RARELY = { interval: 2_500 };

/** Sessions create one for every server request. */
const controllers = () => queryObjects(AbortController, { format: 'count' });

itByNight.each(REQUESTS)(
	'a session keeps nothing of elicitations that were withdrawn with their call, whatever the server says then (%s)',
	async (_name, open) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const cancelled = async () => {
			const abort = new AbortController();
			const calling = connection.callTool('act', {}, { signal: abort.signal });
			rawServer.ask(form, await rawServer.expect('tools/call'));
			await here.asked();
			abort.abort(new Error('by hand'));
			await expect(calling).rejects.toThrow('by hand');
			await rawServer.expect('notifications/cancelled');
			await rawServer.fence();
			here.registry.forgetEnded();
		};
		await cancelled();
		const before = controllers();
		for (let times = 0; times < 20; times++) {
			await cancelled();
		}
		// The stream of a canceled call stays open for a grace period.
		await vi.waitFor(() => expect(controllers() - before).toBeLessThan(10), RARELY);
	},
);

itByNight('a failed call that is kept does not retain its connection', async () => {
	const here = world();
	for (let times = 0; times < 10; times++) {
		const { rawServer, connection } = await connectRawServer(here, RawStdioServer.open);
		const calling = connection.callTool('act', {});
		await rawServer.expect('tools/call');
		await Promise.all([rawServer.die(), expect(calling).rejects.toThrow('raw-server: ')]);
		await connection.stop();
	}
	expect(here.registry.calls).toHaveLength(10);
	// A process that has exited is watched for a grace period.
	await vi.waitFor(() => expect(queryObjects(StdioTransport, { format: 'count' })).toBeLessThan(5), RARELY);
});

itByNight.each(['2025-11-25', '2026-07-28'] as const)(
	'a session keeps no call that has ended once the timeline is cleared (%s)',
	async (revision) => {
		const here = world();
		const connection = await here.connect(stdio('tasks', testServer('tasks.mjs'), [revision]));
		for (let times = 0; times < 5; times++) {
			const calling = connection.callTool('order', {});
			// What was declined in the same millisecond would count as repeated, and be held.
			(await here.asked())[0].cancel();
			await calling;
		}
		const calls = here.registry.calls.map((call) => new WeakRef(call));
		const kept = () => {
			// Counting objects collects garbage.
			queryObjects(Call, { format: 'count' });
			return calls.filter((call) => call.deref()).length;
		};
		here.registry.forgetEnded();
		expect(kept()).toBe(5);
		here.trace.clear();
		await vi.waitFor(() => expect(kept()).toBe(0), RARELY);
	},
);

itByNight.each([
	['refused', LEGACY],
	['canceled', MODERN],
] as const)('a session keeps no call that was %s over HTTP (%s)', async (how, revision) => {
	const here = world();
	const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { revision });
	for (let times = 0; times < 5; times++) {
		const abort = new AbortController();
		rawServer.refusePosts = ({ method }) =>
			how === 'refused' && method === 'tools/call' ? { status: 500 } : undefined;
		const calling = connection.callTool('act', {}, { signal: abort.signal });
		calling.catch(() => {});
		if (how === 'canceled') {
			await rawServer.expect('tools/call');
			abort.abort(new Error('by hand'));
		}
		await expect(calling).rejects.toThrow();
	}
	const calls = here.registry.calls.map((call) => new WeakRef(call));
	const kept = () => {
		// Counting objects collects garbage.
		queryObjects(Call, { format: 'count' });
		return calls.filter((call) => call.deref()).length;
	};
	expect(kept()).toBe(5);
	here.registry.forgetEnded();
	here.trace.clear();
	await vi.waitFor(() => expect(kept()).toBe(0), RARELY);
});
