import { describe, expect, it } from 'vitest';
import { countPending } from '../../../src/elicitation/pending.ts';
import { LEGACY } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { callRawServerTool, connectRawServer, form, page, REQUESTS, ROUNDS } from './faults/rawServerFixtures.ts';
import { testClients } from './testClient.ts';

const world = testClients();

describe.each(REQUESTS)('over %s', (_wire, open) => {
	it('a URL elicitation of a call ends with the call: nothing stays pending', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const request = rawServer.ask(page('1'), call);
		const [elicitation] = await here.asked();
		elicitation.opened();
		expect((await request.response).result).toEqual({ action: 'accept' });
		rawServer.finish(call, { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
		expect([elicitation.state, elicitation.withdrawal?.text]).toEqual([
			'withdrawn',
			'The call that needed it has ended.',
		]);
		expect(countPending(here.registry).count).toBe(0);
		rawServer.notify('notifications/elicitation/complete', { elicitationId: '1' });
		await rawServer.fence();
		expect([elicitation.state, rawServer.responses(request.id)]).toEqual(['withdrawn', [await request.response]]);
	});

	it('a call may wait for an opened URL for longer than its timeout (A04)', async () => {
		const here = world();
		here.timeout = 0.3;
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const request = rawServer.ask(page('1'), call);
		const [elicitation] = await here.asked();
		elicitation.opened();
		await request.response;
		const [running] = here.registry.calls;
		while ((running?.clock.humanTime ?? 0) < 1000) await new Promise(setImmediate);
		rawServer.finish(call, { stayed: true });
		expect((await calling)['structuredContent']).toEqual({ stayed: true });
	});
});

describe('two concurrent calls over stdio, which does not tell which one a request belongs to', () => {
	async function twoCalls() {
		const here = world();
		here.timeout = 0.5;
		const { rawServer, connection } = await connectRawServer(here, RawStdioServer.open, { revision: LEGACY });
		const first = connection.callTool('act', { n: 1 });
		const one = await rawServer.expect('tools/call');
		const second = connection.callTool('act', { n: 2 });
		const outcome = second.then(
			() => 'finished',
			(error) => error.message,
		);
		return { here, rawServer, first, one, two: await rawServer.expect('tools/call'), outcome };
	}

	it('a URL opened for one of them does not extend the timeout of the other', async () => {
		const { here, rawServer, first, one, outcome } = await twoCalls();
		const request = rawServer.ask(page('1'));
		const [elicitation] = await here.asked();
		elicitation.opened();
		await request.response;
		rawServer.finish(one);
		await first;
		expect(await outcome).toMatch(/"act" did not finish within 0.5 s/);
		expect(countPending(here.registry).count).toBe(0);
	});

	it('neither times out while the user is prompted (A04)', async () => {
		const { here, rawServer, first, one, two, outcome } = await twoCalls();
		rawServer.ask(form);
		const [elicitation] = await here.asked();
		const [running] = here.registry.calls;
		while ((running?.clock.humanTime ?? 0) < 1500) await new Promise(setImmediate);
		elicitation.decline();
		rawServer.finish(one);
		rawServer.finish(two);
		await first;
		expect(await outcome).toBe('finished');
	});
});

describe.each([...REQUESTS, ...ROUNDS])('over %s, %s', (_wire, open) => {
	it('a call that reports progress exceeds its timeout, until it reports none for that long (D05)', async () => {
		const here = world();
		here.timeout = 1;
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const [running] = here.registry.calls;
		const outcome = calling.catch((error) => error.message);
		const { progressToken } = call.params._meta;
		for (let progress = 1; (running?.clock.serverTime ?? 0) < 2500; progress++) {
			rawServer.notify('notifications/progress', { progressToken, progress }, call);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		expect(running?.state).toBe('running');
		expect(await outcome).toMatch(/"act" has not reported any progress for 1 s\./);
	});
});

it('a call that reports progress forever ends at ten times its timeout (D05)', async () => {
	const here = world();
	here.timeout = 0.3;
	const { rawServer, calling, call } = await callRawServerTool(here, RawStdioServer.open);
	const [running] = here.registry.calls;
	const outcome = calling.catch((error) => error.message);
	const { progressToken } = call.params._meta;
	for (let progress = 1; running?.state === 'running'; progress++) {
		rawServer.notify('notifications/progress', { progressToken, progress }, call);
		await new Promise(setImmediate);
	}
	expect(await outcome).toMatch(/"act" did not finish within 3 s, although it reported progress\./);
});

it('progress is heard in which null stands for what is absent (D05)', async () => {
	const here = world();
	const { rawServer, connection } = await connectRawServer(here, RawStdioServer.open, { revision: LEGACY });
	const heard: unknown[] = [];
	const calling = connection.callTool('act', {}, { onProgress: (progress) => heard.push({ ...progress }) });
	const call = await rawServer.expect('tools/call');
	const { progressToken } = call.params._meta;
	rawServer.notify('notifications/progress', { progressToken, progress: 1, total: null, message: null, _meta: null });
	rawServer.notify('notifications/progress', { progressToken, progress: 2, total: 2, message: 'Half' });
	await rawServer.fence();
	rawServer.finish(call);
	await calling;
	expect(heard).toEqual([{ progress: 1 }, { progress: 2, total: 2, message: 'Half' }]);
});
