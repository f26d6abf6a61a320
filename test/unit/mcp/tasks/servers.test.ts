import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Checkpoint } from '../../../../src/elicitation/checkpoint.ts';
import { variants } from '../../../nightly.ts';
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
const listeners: Listening[] = [];
const urls: Record<string, string> = {};

beforeAll(async () => {
	const [http, sse, interactive] = await Promise.all([
		everythingOn('streamableHttp'),
		everythingOn('sse'),
		interactiveTasks(),
	]);
	listeners.push(http, sse, interactive);
	Object.assign(urls, { http: http.url, sse: sse.url, interactive: interactive.url });
});
afterAll(() => {
	for (const { stop } of listeners) stop();
});

/** Accepts the only request that is open. */
async function accept(here: TestClient, content: Wire): Promise<void> {
	const [elicitation] = await here.asked();
	await here.registry.accept(elicitation, content);
}

describe.each(variants('stdio', 'http', 'sse'))('the reference server over %s', (transport) => {
	const connect = (here: TestClient) =>
		here.connect(
			transport === 'stdio'
				? stdio('everything', everything, ['stdio'])
				: define('everything', { type: transport, url: urls[transport] }),
		);

	it('asks in the middle of a task, and gets the response while it waits for it (K01, K03)', async () => {
		const here = world();
		const connection = await connect(here);
		const told: string[] = [];
		const onProgress = ({ message = '' }) => told.push(message);
		const calling = connection.callTool(
			'simulate-research-query',
			{ topic: 'python', ambiguous: true },
			{ onProgress },
		);
		await accept(here, { interpretation: 'snake' });
		expect(JSON.stringify(await calling)).toContain('After receiving clarification (\\"snake\\")');
		expect(told).toContain('Gathering sources...');
		expect(told.join()).toContain('Requesting clarification...');
	});

	it('sends an elicitation as a task, and fetches the response (K05)', async () => {
		const here = world();
		const connection = await connect(here);
		const calling = connection.callTool('trigger-elicitation-request-async', {});
		await accept(here, { name: 'Ada' });
		expect(JSON.stringify(await calling)).toContain('- Name: Ada');
	});
});

it("the SDK's example asks in the middle of a task (K01, K03)", async () => {
	const here = world();
	const connection = await here.connect(define('interactive', { url: urls['interactive'] }));
	const calling = connection.callTool('confirm_delete', { filename: 'old.txt' });
	await accept(here, { confirm: true });
	expect(JSON.stringify(await calling)).toContain("Deleted 'old.txt'");
});

describe.each(['2025-11-25', '2026-07-28'])('the demo in revision %s', (protocolVersion) => {
	let demo: Awaited<ReturnType<typeof bundleDemo>>;
	beforeAll(async () => {
		demo = await bundleDemo();
	});
	afterAll(() => demo.remove());

	it('runs a tool as a task that asks twice (K01, K03, K10, K12)', async () => {
		const here = world();
		const connection = await here.connect(stdio('demo', demo.file, [], { protocolVersion }));
		const calling = connection.callTool('slow-order', {});
		await accept(here, { meal: 'Pizza' });
		await accept(here, {});
		expect((await calling)['structuredContent']).toEqual({
			answers: {
				meal: { action: 'accept', content: { meal: 'Pizza' } },
				confirmation: { action: 'accept', content: {} },
			},
		});
		expect(here.wire('sent', ({ method }) => method === 'tasks/get').length).toBeGreaterThan(1);
		expect(here.registry.calls[0]?.rounds).toBe(1);
	});

	it('runs it in rounds or with requests where tasks are turned off', async () => {
		const here = world();
		here.tasks = 'never';
		const connection = await here.connect(stdio('demo', demo.file, [], { protocolVersion }));
		const calling = connection.callTool('slow-order', {});
		await accept(here, { meal: 'Pizza' });
		(await here.asked())[0].decline();
		expect(JSON.stringify(await calling)).toContain('Nothing was ordered.');
		expect(here.wire('sent', ({ method }) => /^tasks\//.test(method))).toEqual([]);
	});

	it('goes on with a task of a server that has been started again (K16)', async () => {
		const here = world();
		const connection = await here.connect(stdio('demo', demo.file, [], { protocolVersion }));
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

	it('ends with the error that one of its requests gets', async () => {
		const here = world();
		const connection = await here.connect(stdio('demo', demo.file, [], { protocolVersion }));
		const calling = connection.callTool('slow-order', {});
		(await here.asked())[0].fail(-32603, 'Broken');
		await expect(calling).rejects.toThrow('Broken');
		expect(here.registry.elicitations).toHaveLength(1);
	});

	it('cancels its task', async () => {
		const here = world();
		const connection = await here.connect(stdio('demo', demo.file, [], { protocolVersion }));
		const abort = new AbortController();
		const calling = connection.callTool('slow-order', {}, { signal: abort.signal });
		await here.asked();
		abort.abort(new Error('Enough.'));
		await expect(calling).rejects.toThrow('Enough.');
		const [canceling] = await here.until(() => {
			const sent = here.wire('sent', ({ method }) => method === 'tasks/cancel');
			return sent.length > 0 && sent;
		});
		const [response] = await here.until(() => {
			const received = here.wire('received', ({ id, method }) => id === canceling.id && method === undefined);
			return received.length > 0 && received;
		});
		expect(response.error).toBeUndefined();
	});
});
