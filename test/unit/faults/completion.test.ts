import { describe, expect, it } from 'vitest';
import { worlds } from '../mcp/world.ts';
import { called, page, REQUESTS, response, stage } from './stage.ts';

const world = worlds();
const COMPLETE = 'notifications/elicitation/complete';
const IGNORED = 'info: Ignored a completion notice for an unknown or finished elicitation.';

describe.each(REQUESTS)('over %s', (_wire, open) => {
	it('fault 3: one elicitationId on two connections is two pages: a notice is for its own connection (U09)', async () => {
		const here = world();
		const [one, two] = [await stage(here, open), await stage(here, open)];
		// Two processes: only a question that has come in is surely before the other's.
		for (const [before, { puppet, connection }] of [one, two].entries()) {
			connection.callTool('act', {}).catch(() => {});
			puppet.ask(page('same'), await puppet.expect('tools/call'));
			await here.asked(before + 1);
		}
		const [first, second] = await here.asked(2);
		expect(first.origin.connection).not.toBe(second?.origin.connection);
		first.opened();
		second?.opened();
		two.puppet.notify(COMPLETE, { elicitationId: 'same' });
		await here.until(() => second?.state === 'completed');
		expect(first.state).toBe('opened');
	});

	it('fault 3: one elicitationId in two requests of a connection: each has its own answer, one reply each (U09)', async () => {
		const here = world();
		const { puppet, calling, call } = await called(here, open);
		const questions = [puppet.ask(page('same'), call), puppet.ask(page('same', 'https://example.com/other'), call)];
		const [first, second] = await here.asked(2);
		first.decline();
		expect(second?.state).toBe('asking');
		second?.opened();
		await puppet.until(() => questions.every(({ id }) => puppet.responses(id).length > 0));
		await puppet.fence(call);
		expect(questions.map(({ id }) => puppet.responses(id))).toEqual([
			[response(questions[0]?.id ?? '', { action: 'decline' })],
			[response(questions[1]?.id ?? '', { action: 'accept' })],
		]);
		puppet.notify(COMPLETE, { elicitationId: 'same' }, call);
		await here.until(() => second?.state === 'completed');
		expect(first.state).toBe('declined');
		puppet.finish(call);
		await calling;
	});

	it('fault 4: a notice for an unknown or finished elicitation, or one of another server, is ignored and logged (U09)', async () => {
		const here = world();
		const [{ puppet, connection }, other] = [await stage(here, open), await stage(here, open)];
		const calling = connection.callTool('act', {});
		const call = await puppet.expect('tools/call');
		const [finished, pending] = [puppet.ask(page('finished'), call), puppet.ask(page('pending'), call)];
		const [first, second] = await here.asked(2);
		first.decline();
		second?.opened();
		await Promise.all([finished.response, pending.response]);
		puppet.notify(COMPLETE, { elicitationId: 'unknown' }, call);
		puppet.notify(COMPLETE, { elicitationId: 'finished' }, call);
		puppet.notify(COMPLETE, { elicitationId: '__proto__' }, call);
		other.puppet.notify(COMPLETE, { elicitationId: 'pending' });
		await Promise.all([puppet.fence(call), other.puppet.fence()]);
		expect(here.registry.elicitations.map(({ state }) => state)).toEqual(['declined', 'opened']);
		expect(here.logs.filter((line) => line === IGNORED)).toHaveLength(4);
		puppet.notify(COMPLETE, { elicitationId: 'pending' }, call);
		puppet.notify(COMPLETE, { elicitationId: 'pending' }, call);
		await puppet.fence(call);
		expect(second?.state).toBe('completed');
		expect(here.logs.filter((line) => line === IGNORED)).toHaveLength(5);
		puppet.finish(call);
		await calling;
	});

	it('fault 5: a notice before the consent ends the question without one: the reply is cancel, once (U02, U09)', async () => {
		const here = world();
		const { puppet, calling, call } = await called(here, open);
		const question = puppet.ask(page('early'), call);
		const [elicitation] = await here.asked();
		puppet.notify(COMPLETE, { elicitationId: 'early' }, call);
		expect(await question.response).toEqual(response(question.id, { action: 'cancel' }));
		expect(elicitation.state).toBe('completed');
		expect([elicitation.opened(), elicitation.decline()]).toEqual([false, false]);
		await puppet.fence(call);
		expect(puppet.responses(question.id)).toHaveLength(1);
		puppet.finish(call);
		await calling;
	});

	it('fault 6: a malformed notice is ignored and logged, and the next one works (U09)', async () => {
		const here = world();
		const { puppet, calling, call } = await called(here, open);
		const question = puppet.ask(page('1'), call);
		const [elicitation] = await here.asked();
		elicitation.opened();
		await question.response;
		const malformed = [
			undefined,
			null,
			[],
			'1',
			{},
			{ elicitationId: 1 },
			{ elicitationId: null },
			{ elicitationId: ['1'] },
		];
		for (const params of malformed) {
			puppet.notify(COMPLETE, params, call);
		}
		await puppet.fence(call);
		expect(elicitation.state).toBe('opened');
		expect(here.logs.filter((line) => line.startsWith('warn: '))).toHaveLength(malformed.length);
		puppet.notify(COMPLETE, { elicitationId: '1' }, call);
		await here.until(() => elicitation.state === 'completed');
		expect(puppet.responses(question.id)).toHaveLength(1);
		puppet.finish(call);
		await calling;
	});
});
