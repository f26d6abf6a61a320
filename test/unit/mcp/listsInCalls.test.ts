import { expect, it } from 'vitest';
import { HttpPuppet } from '../../puppet/http.ts';
import { LEGACY, type Wire } from '../../puppet/puppet.ts';
import { form, stage } from '../faults/stage.ts';
import { type World, worlds } from './world.ts';

const world = worlds();

/** A call on whose own stream the server says that its tools have changed; the list that is asked for then waits for the test. */
async function changedInCall(here: World, onResponse?: (response: Wire) => void) {
	const { puppet, connection } = await stage(here, HttpPuppet.open, { revision: LEGACY });
	await puppet.until(() => puppet.log.includes('GET'));
	const calling = connection.callTool('act', {}, onResponse && { onResponse });
	const call = await puppet.expect('tools/call');
	puppet.hold('tools/list');
	puppet.notify('notifications/tools/list_changed', undefined, call);
	return { puppet, calling, call, list: await puppet.expect('tools/list') };
}

const tools = { tools: [{ name: 'another', inputSchema: { type: 'object' } }] };

it('a list that is read in the course of a call is not taken for the call: nobody who follows the call hears of it', async () => {
	const here = world();
	const heard: Wire[] = [];
	const { puppet, calling, call, list } = await changedInCall(here, (message) => heard.push(message));
	puppet.answer(list, tools);
	await here.until(() => here.wire('received', ({ id }) => id === list.id)[0]);
	const entries = here.trace.entries.filter(({ message }) => (message as Wire).id === list.id);
	expect(entries.map(({ call: of }) => of)).toEqual([undefined, undefined]);
	puppet.finish(call);
	await calling;
	expect(heard.map(({ id }) => id)).toEqual([call.id]);
});

it('the clock of a call stands still while the person is asked, though a list was read in its course (A04)', async () => {
	const here = world();
	here.timeout = 1;
	const { puppet, calling, call, list } = await changedInCall(here);
	puppet.answer(list, tools);
	await here.until(() => here.wire('received', ({ id }) => id === list.id)[0]);
	// On the stream of the server, where nothing but the calls in flight tells whom it concerns.
	const question = puppet.ask(form);
	const [elicitation] = await here.asked();
	const [running] = here.registry.calls;
	expect(elicitation.origin.calls).toEqual([running]);
	while ((running?.clock.humanTime ?? 0) < 1500) await puppet.fence();
	elicitation.decline();
	await question.response;
	puppet.finish(call, { lived: true });
	expect(await calling).toMatchObject({ structuredContent: { lived: true } });
});

it('a question stays open when the stream of a list is cut that was read in the course of its call (A02)', async () => {
	const here = world();
	const { puppet, calling, call, list } = await changedInCall(here);
	const question = puppet.ask(form, call);
	const [elicitation] = await here.asked();
	puppet.open(list);
	puppet.cut(list, 'end');
	await here.until(() => here.logs.find((line) => line.includes('tools/list failed')));
	expect(elicitation.state).toBe('asking');
	elicitation.decline();
	expect((await question.response).result).toEqual({ action: 'decline' });
	puppet.finish(call);
	await calling;
});
