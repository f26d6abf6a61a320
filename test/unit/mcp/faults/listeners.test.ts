import { beforeEach, describe, expect, it } from 'vitest';
import { reportListenerFailures } from '../../../../src/elicitation/emitter.ts';
import { testClients } from '../testClient.ts';
import { callRawServerTool, connectRawServer, duringCall, form, REQUESTS, response } from './rawServerFixtures.ts';

const world = testClients();

const reported: string[] = [];

beforeEach(() => {
	reported.length = 0;
	reportListenerFailures((error) => reported.push((error as Error).message));
});

function fail(name: string): () => never {
	return () => {
		throw new Error(name);
	};
}

describe.each(REQUESTS)('over %s, when a listener throws', (_wire, open) => {
	it('an elicitation is asked and answered all the same, and its call succeeds; each failure is reported', async () => {
		const here = world();
		const { registry, trace } = here;
		const events: Readonly<Record<string, (listener: () => never) => unknown>> = {
			add: registry.onDidAdd,
			ask: registry.onDidAsk,
			change: registry.onDidChange,
			calls: registry.onDidChangeCalls,
			trace: trace.onDidAdd,
		};
		for (const [name, event] of Object.entries(events)) event(fail(name));
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		registry.calls[0]?.clock.onDidTurn(fail('turn'));
		const request = rawServer.ask(form, call);
		const [elicitation] = await here.asked();
		await registry.accept(elicitation, { name: 'Ada' });
		expect(await request.response).toEqual(response(request.id, { action: 'accept', content: { name: 'Ada' } }));
		rawServer.finish(call, { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
		expect(registry.calls.map(({ state }) => state)).toEqual(['succeeded']);
		expect(rawServer.responses(request.id)).toHaveLength(1);
		expect(new Set(reported)).toEqual(new Set([...Object.keys(events), 'turn']));
	});

	it('a call is told nowhere to fail: who follows its progress or its responses may', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const calling = connection.callTool(
			'act',
			{},
			{
				onProgress: fail('progress'),
				onResponse: fail('response'),
			},
		);
		const call = await rawServer.expect('tools/call');
		const { progressToken } = call.params._meta;
		rawServer.notify('notifications/progress', { progressToken, progress: 1 }, call);
		rawServer.finish(call, { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
		expect(reported).toEqual(['progress', 'response']);
	});

	it('later, too: what it has begun and rejects is reported', async () => {
		const here = world();
		here.registry.onDidAdd(async () => fail('later')());
		await duringCall(here, open, async ({ ask }) => (await ask(form)).elicitation.decline());
		expect(reported).toEqual(['later']);
	});
});
