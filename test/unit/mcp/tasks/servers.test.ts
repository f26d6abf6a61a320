import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Call } from '../../../../src/elicitation/call.ts';
import type { Checkpoint } from '../../../../src/elicitation/checkpoint.ts';
import { itByNight, variants } from '../../../nightly.ts';
import { bundleDemo } from '../../demo/peer.ts';
import {
	define,
	everything,
	everythingOn,
	interactiveTasks,
	type Listening,
	stdio,
	type TestClient,
	testClients,
	type Wire,
} from '../testClient.ts';

const world = testClients();

/** Accepts the next request of a call, or of any. */
async function accept(here: TestClient, content: Wire, call?: Call): Promise<void> {
	const elicitation = await here.until(() =>
		here.registry.live.find(({ state, cause }) => state === 'asking' && (!call || cause === call)),
	);
	await here.registry.accept(elicitation, content);
}

describe.each(variants('stdio', 'http', 'sse'))('the reference server over %s', (transport) => {
	let listening: Listening | undefined;
	beforeAll(async () => {
		if (transport !== 'stdio') listening = await everythingOn(transport === 'http' ? 'streamableHttp' : 'sse');
	});
	afterAll(() => listening?.stop());

	it('asks in the middle of a task, and sends an elicitation as a task (K01, K03, K05)', async () => {
		const here = world();
		const connection = await here.connect(
			listening
				? define('everything', { type: transport, url: listening.url })
				: stdio('everything', everything, ['stdio']),
		);
		const told: string[] = [];
		const onProgress = ({ message = '' }) => told.push(message);
		const args = { topic: 'python', ambiguous: true };
		const calling = connection.callTool('simulate-research-query', args, { onProgress });
		await accept(here, { interpretation: 'snake' });
		expect(JSON.stringify(await calling)).toContain('After receiving clarification (\\"snake\\")');
		expect(told).toContain('Gathering sources...');
		expect(told.join()).toContain('Requesting clarification...');
		const asking = connection.callTool('trigger-elicitation-request-async', {});
		await accept(here, { name: 'Ada' });
		expect(JSON.stringify(await asking)).toContain('- Name: Ada');
	});
});

itByNight("the SDK's example asks in the middle of a task (K01, K03)", async () => {
	const here = world();
	const interactive = await interactiveTasks();
	onTestFinished(() => interactive.stop());
	const connection = await here.connect(define('interactive', { url: interactive.url }));
	const calling = connection.callTool('confirm_delete', { filename: 'old.txt' });
	await accept(here, { confirm: true });
	expect(JSON.stringify(await calling)).toContain("Deleted 'old.txt'");
});

describe('the demo', () => {
	let demo: Awaited<ReturnType<typeof bundleDemo>>;
	beforeAll(async () => {
		demo = await bundleDemo();
	});
	afterAll(() => demo.remove());

	const connect = (here: TestClient, protocolVersion: string) =>
		here.connect(stdio('demo', demo.file, [], { protocolVersion }));

	describe.each(['2025-11-25', '2026-07-28'])('in revision %s', (revision) => {
		it('runs a tool as a task that asks twice, ends with an error that a request gets, or is canceled (K01, K03, K04, K10, K12)', async () => {
			const here = world();
			const connection = await connect(here, revision);
			const begin = async (abort = new AbortController()) => {
				const { call, send } = await connection.begin({ kind: 'tool', name: 'slow-order', args: {} });
				const calling = send({ signal: abort.signal });
				calling.catch(() => {});
				return { abort, calling, call };
			};
			const [ordered, failed, canceled] = [await begin(), await begin(), await begin()];
			const askedBy = ({ call }: { call: Call }) =>
				here.until(() => here.registry.live.find(({ state, cause }) => state === 'asking' && cause === call));
			(await askedBy(failed)).respond({ action: 'error', code: -32603, message: 'Broken' });
			await expect(failed.calling).rejects.toThrow('Broken');
			await askedBy(canceled);
			canceled.abort.abort(new Error('Enough.'));
			await expect(canceled.calling).rejects.toThrow('Enough.');
			const canceling = await here.until(() => here.wire('sent', ({ method }) => method === 'tasks/cancel').at(-1));
			const response = await here.until(
				() => here.wire('received', ({ id, method }) => id === canceling.id && method === undefined)[0],
			);
			expect(response.error).toBeUndefined();
			await accept(here, { meal: 'Pizza' }, ordered.call);
			await accept(here, {}, ordered.call);
			expect((await ordered.calling)?.structuredContent).toEqual({
				answers: {
					meal: { action: 'accept', content: { meal: 'Pizza' } },
					confirmation: { action: 'accept', content: {} },
				},
			});
			expect(here.registry.elicitations).toHaveLength(4);
			expect(here.wire('sent', ({ method }) => method === 'tasks/get').length).toBeGreaterThan(1);
			expect(ordered.call.rounds).toBe(1);
		});

		it('runs it in rounds or with requests where tasks are turned off', async () => {
			const here = world();
			here.tasks = 'never';
			const connection = await connect(here, revision);
			const calling = connection.callTool('slow-order', {});
			await accept(here, { meal: 'Pizza' });
			(await here.asked())[0].decline();
			expect(JSON.stringify(await calling)).toContain('Nothing was ordered.');
			expect(here.wire('sent', ({ method }) => /^tasks\//.test(method))).toEqual([]);
		});

		it('goes on with a task of a server that has been started again (K16)', async () => {
			const here = world();
			const connection = await connect(here, revision);
			const checkpoints: Checkpoint[] = [];
			const keeper = (from?: Checkpoint) => ({
				from,
				waits: async (at: Checkpoint) => void checkpoints.push(at),
				sends: async () => true,
				ends: async () => {},
			});
			const left = connection.callTool('long-report', { seconds: 1 }, { keeper: keeper() });
			const [from] = await here.until(() => checkpoints.length > 0 && checkpoints);
			await Promise.all([connection.stop(), expect(left).rejects.toThrow()]);
			await connection.start();
			const resumed = connection.callTool('long-report', { seconds: 1 }, { keeper: keeper(from) });
			await accept(here, { reader: 'Ada' });
			expect(JSON.stringify(await resumed)).toContain('The report was sent.');
			expect(here.wire('sent', ({ method }) => method === 'tools/call')).toHaveLength(1);
		});
	});
});
