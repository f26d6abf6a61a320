import { expect, it, vi } from 'vitest';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, type Wire } from '../../rawServer/rawServer.ts';
import { connectRawServer, form } from './faults/rawServerFixtures.ts';
import { type TestClient, testClients } from './testClient.ts';
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
