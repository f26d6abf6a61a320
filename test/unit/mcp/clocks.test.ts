import { describe, expect, it } from 'vitest';
import { countPending } from '../../../src/elicitation/pending.ts';
import { LEGACY } from '../../puppet/puppet.ts';
import { StdioPuppet } from '../../puppet/stdio.ts';
import { called, form, page, REQUESTS, ROUNDS, stage } from '../faults/stage.ts';
import { worlds } from './world.ts';

const world = worlds();

describe.each(REQUESTS)('over %s', (_wire, open) => {
	it('a URL that was opened for a call is over when the call is: nothing is pending any more', async () => {
		const here = world();
		const { puppet, calling, call } = await called(here, open);
		const question = puppet.ask(page('1'), call);
		const [elicitation] = await here.asked();
		elicitation.opened();
		expect((await question.response).result).toEqual({ action: 'accept' });
		puppet.finish(call, { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
		expect([elicitation.state, elicitation.withdrawal?.text]).toEqual([
			'withdrawn',
			'The call that needed it has ended.',
		]);
		expect(countPending(here.registry).count).toBe(0);
		puppet.notify('notifications/elicitation/complete', { elicitationId: '1' });
		await puppet.fence();
		expect([elicitation.state, puppet.responses(question.id)]).toEqual(['withdrawn', [await question.response]]);
	});

	it('a call may stay in an opened URL for longer than its limit (A04)', async () => {
		const here = world();
		here.timeout = 0.3;
		const { puppet, calling, call } = await called(here, open);
		const question = puppet.ask(page('1'), call);
		const [elicitation] = await here.asked();
		elicitation.opened();
		await question.response;
		const [running] = here.registry.calls;
		while ((running?.clock.humanTime ?? 0) < 1000) await new Promise(setImmediate);
		puppet.finish(call);
		await calling;
	});
});

describe('two calls at a time over a pipe, which does not tell which of them asks', () => {
	async function twoCalls() {
		const here = world();
		here.timeout = 0.5;
		const { puppet, connection } = await stage(here, StdioPuppet.open, { revision: LEGACY });
		const first = connection.callTool('act', { n: 1 });
		const one = await puppet.expect('tools/call');
		const second = connection.callTool('act', { n: 2 });
		const outcome = second.then(
			() => 'finished',
			(error) => error.message,
		);
		return { here, puppet, first, one, two: await puppet.expect('tools/call'), outcome };
	}

	it('a URL that was opened for one of them does not keep the other from its limit', async () => {
		const { here, puppet, first, one, outcome } = await twoCalls();
		const question = puppet.ask(page('1'));
		const [elicitation] = await here.asked();
		elicitation.opened();
		await question.response;
		puppet.finish(one);
		await first;
		expect(await outcome).toMatch(/"act" did not finish within 0.5 s/);
		expect(countPending(here.registry).count).toBe(0);
	});

	it('neither runs into its limit while the person is asked (A04)', async () => {
		const { here, puppet, first, one, two, outcome } = await twoCalls();
		puppet.ask(form);
		const [elicitation] = await here.asked();
		const [running] = here.registry.calls;
		while ((running?.clock.humanTime ?? 0) < 1500) await new Promise(setImmediate);
		elicitation.decline();
		puppet.finish(one);
		puppet.finish(two);
		await first;
		expect(await outcome).toBe('finished');
	});
});

describe.each([...REQUESTS, ...ROUNDS])('over %s, %s', (_wire, open) => {
	it('a call that reports progress outlives its limit, until it reports nothing for as long (D05)', async () => {
		const here = world();
		here.timeout = 1;
		const { puppet, calling, call } = await called(here, open);
		const [running] = here.registry.calls;
		const outcome = calling.catch((error) => error.message);
		const { progressToken } = call.params._meta;
		for (let progress = 1; (running?.clock.serverTime ?? 0) < 2500; progress++) {
			puppet.notify('notifications/progress', { progressToken, progress }, call);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		expect(running?.state).toBe('running');
		expect(await outcome).toMatch(/"act" has not reported any progress for 1 s\./);
	});
});

it('a call that reports progress for ever ends at ten times its limit (D05)', async () => {
	const here = world();
	here.timeout = 0.3;
	const { puppet, calling, call } = await called(here, StdioPuppet.open);
	const [running] = here.registry.calls;
	const outcome = calling.catch((error) => error.message);
	const { progressToken } = call.params._meta;
	for (let progress = 1; running?.state === 'running'; progress++) {
		puppet.notify('notifications/progress', { progressToken, progress }, call);
		await new Promise(setImmediate);
	}
	expect(await outcome).toMatch(/"act" did not finish within 3 s, although it reported progress\./);
});
