import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, type Wire } from '../../rawServer/rawServer.ts';
import { connectRawServer, form, page, REQUESTS, required } from './faults/rawServerFixtures.ts';
import { define, type TestClient, testClients } from './testClient.ts';
import { simulateTimers } from './timing.ts';

const world = testClients();

/** A call on whose stream the server sends `list_changed`. The refreshed list waits for the test. */
async function changedInCall(here: TestClient, onResponse?: (response: Wire) => void) {
	const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { revision: LEGACY });
	await rawServer.until(() => rawServer.log.includes('GET'));
	const calling = connection.callTool('act', {}, onResponse && { onResponse });
	const call = await rawServer.expect('tools/call');
	rawServer.hold('tools/list');
	rawServer.notify('notifications/tools/list_changed', undefined, call);
	return { rawServer, calling, call, list: await rawServer.expect('tools/list') };
}

const tools = { tools: [{ name: 'another', inputSchema: { type: 'object' } }] };

it('a list that is read in the course of a call is not taken for the call: nobody who follows the call is told of it', async () => {
	const here = world();
	const heard: Wire[] = [];
	const { rawServer, calling, call, list } = await changedInCall(here, (message) => heard.push(message));
	rawServer.answer(list, tools);
	await here.until(() => here.wire('received', ({ id }) => id === list.id)[0]);
	const entries = here.trace.entries.filter(({ message }) => (message as Wire).id === list.id);
	expect(entries.map(({ call: of }) => of)).toEqual([undefined, undefined]);
	rawServer.finish(call);
	await calling;
	expect(heard.map(({ id }) => id)).toEqual([call.id]);
});

it('the timeout of a call is paused while the user is asked, though a list was read in its course (A04)', async () => {
	const here = world();
	simulateTimers('performance');
	const { rawServer, calling, call, list } = await changedInCall(here);
	rawServer.answer(list, tools);
	await here.until(() => here.wire('received', ({ id }) => id === list.id)[0]);
	// On the server's own stream, where only the calls in flight tell which call it belongs to.
	const request = rawServer.ask(form);
	const [elicitation] = await here.asked();
	const [running] = here.registry.calls;
	expect(elicitation.origin.calls).toEqual([running]);
	await vi.advanceTimersByTimeAsync(200_000);
	elicitation.decline();
	await request.response;
	rawServer.finish(call, { lived: true });
	expect(await calling).toMatchObject({ structuredContent: { lived: true } });
});

it('an elicitation stays open when the stream of a list is cut that was read in the course of its call (A02)', async () => {
	const here = world();
	const { rawServer, calling, call, list } = await changedInCall(here);
	const request = rawServer.ask(form, call);
	const [elicitation] = await here.asked();
	rawServer.open(list);
	rawServer.cut(list, 'end');
	await here.until(() => here.logs.find((line) => line.includes('tools/list failed')));
	expect(elicitation.state).toBe('asking');
	elicitation.decline();
	expect((await request.response).result).toEqual({ action: 'decline' });
	rawServer.finish(call);
	await calling;
});

it('a list that is reported as changed whenever it is read is read less and less often, as the log says', async () => {
	const here = world();
	const { rawServer } = await connectRawServer(here, RawHttpServer.open, { revision: LEGACY });
	await rawServer.until(() => rawServer.log.includes('GET'));
	rawServer.hold('tools/list');
	const times: number[] = [];
	for (const _ of Array.from({ length: 3 })) {
		rawServer.notify('notifications/tools/list_changed');
		rawServer.answer(await rawServer.expect('tools/list'), tools);
		times.push(Date.now());
	}
	const [first = 0, second = 0, third = 0] = times;
	expect(second - first).toBeGreaterThanOrEqual(590);
	expect(third - second).toBeGreaterThanOrEqual(1190);
	expect(here.logs.filter((line) => line.includes('read less and less often'))).toHaveLength(1);
});

const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };
const EMPTY = { tools: [], prompts: [], resources: [], resourceTemplates: [], completion: { values: ['Ada'] } };

describe.each(REQUESTS)('over %s', (_wire, open) => {
	/** The server is asked for a list as it starts, or for a completion. */
	async function requested(here: TestClient, method: string) {
		const rawServer = await open({ capabilities, manual: LISTS });
		onTestFinished(() => rawServer.close());
		const connection = here.create(define('raw-server', rawServer.definition));
		simulateTimers('performance');
		const starting = connection.start();
		for (const list of LISTS) {
			if (list !== method) rawServer.answer(await rawServer.expect(list), EMPTY);
		}
		if (method === 'completion/complete') await starting;
		const suggesting = connection.suggest('prompt', 'p', 'name', {}, new AbortController().signal);
		const done = method === 'completion/complete' ? suggesting : starting;
		return { rawServer, connection, done, request: await rawServer.expect(method) };
	}

	it.each([...LISTS, 'completion/complete'])(
		'the time for %s stands still while a form is open (A04)',
		async (method) => {
			const here = world();
			const { rawServer, connection, done, request } = await requested(here, method);
			const pending = rawServer.ask(form);
			const [elicitation] = await here.asked();
			await vi.advanceTimersByTimeAsync(200_000);
			elicitation.decline();
			await pending.response;
			rawServer.answer(request, EMPTY);
			await done;
			expect([connection.state, connection.failure, here.logs.filter((line) => line.includes('failed'))]).toEqual([
				'running',
				undefined,
				[],
			]);
		},
	);

	it.each([...LISTS, 'completion/complete'])(
		'a URL that %s requires is shown, and it is sent again (U10, U11)',
		async (method) => {
			const here = world();
			const { rawServer, connection, done, request } = await requested(here, method);
			rawServer.fail(request, required(page('a')));
			const [first] = await here.asked();
			expect([first.origin.intake, first.request]).toEqual(['urlRequired', page('a')]);
			first.opened();
			rawServer.notify('notifications/elicitation/complete', { elicitationId: 'a' });
			rawServer.fail(await rawServer.expect(method), required(page('b', 'https://example.com/next')));
			const [second] = await here.asked();
			second.opened();
			await vi.advanceTimersByTimeAsync(200_000);
			second.retried();
			rawServer.answer(await rawServer.expect(method), EMPTY);
			await done;
			expect([connection.state, connection.failure]).toEqual(['running', undefined]);
		},
	);

	it('a URL that two lists require is shown once; refused, both say so', async () => {
		const here = world();
		const rawServer = await open({ capabilities: { prompts: {} }, manual: LISTS });
		onTestFinished(() => rawServer.close());
		const connection = here.create(define('raw-server', rawServer.definition));
		const starting = connection.start();
		for (const list of LISTS.slice(0, 2)) rawServer.fail(await rawServer.expect(list), required(page('a')));
		await rawServer.fence();
		(await here.asked())[0].decline();
		await starting;
		expect(here.registry.elicitations).toHaveLength(1);
		expect(here.logs.filter((line) => line.includes('list failed'))).toHaveLength(2);
		expect(connection.failure?.message).toContain(
			'could not continue because a URL that it requires was not opened or completed.',
		);
	});
});
