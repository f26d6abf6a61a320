import { describe, expect, it } from 'vitest';
import { countPending, type Pending, pendingOf } from '../../../src/elicitation/pending.ts';
import { localizable } from '../../../src/elicitation/sentence.ts';
import { first, World } from './world.ts';

function outline(pending: Pending): string {
	switch (pending.kind) {
		case 'roundLimit':
			return `roundLimit ${pending.roundLimit.call.name}`;
		case 'rateLimit':
			return `rateLimit ${pending.server} ${pending.held.length}`;
		case 'elicitation':
			return `${pending.elicitation.request.message} ${pending.elicitation.state}`;
		case 'group':
			return `group ${pending.entries.map(({ state }) => state).join()}`;
	}
}

const outlines = ({ registry }: World) => pendingOf(registry).map(outline);

describe('what is pending', () => {
	it('is empty at first, and when everything has ended', async () => {
		const world = new World();
		expect(outlines(world)).toEqual([]);
		const call = world.call();
		world.form('A', { calls: [call] }).cancel();
		const halting = world.registry.roundLimit(call, localizable('Again and again.'));
		world.registry.endCall(call, 'failed', undefined);
		expect(outlines(world)).toEqual([]);
		expect(countPending(world.registry)).toEqual({ count: 0, consent: false, automatic: false });
		expect(await halting).toBe(false);
	});

	it('starts with round limits and held requests, then elicitations, then groups, each oldest first', () => {
		const world = new World(3);
		const call = world.call();
		world.together(call, 'urlRequired', 'https://a.example/', 'https://b.example/')[1]?.complete();
		world.form('A');
		world.forms(2);
		void world.registry.roundLimit(world.call('loop'), localizable('Again and again.'));
		world.form('B', { server: 'other' });
		expect(outlines(world)).toEqual([
			'roundLimit loop',
			'rateLimit s 2',
			'A asking',
			'B asking',
			'group asking,completed',
		]);
	});

	it('D01: has responses that could not be delivered before the elicitations, until they are delivered or dismissed', async () => {
		const world = new World();
		world.form('A');
		const call = world.call();
		const [first, second] = ['B', 'C'].map((message) => world.form(message, { calls: [call], tellsDelivery: true }));
		first?.decline();
		second?.cancel();
		expect(outlines(world)).toEqual(['A asking']);
		const again = first?.delivery?.offer(localizable('It broke.'));
		second?.delivery?.retry(localizable('It broke, too.'));
		expect(outlines(world)).toEqual(['B declined', 'C cancelled', 'A asking']);
		expect(countPending(world.registry)).toEqual({ count: 3, consent: false, automatic: false });
		expect(call.clock.asking).toBe(true);
		expect(first?.delivery?.sendAgain()).toBe(true);
		expect(await again).toBe(true);
		expect(countPending(world.registry)).toEqual({ count: 3, consent: false, automatic: false });
		first?.delivery?.delivered();
		second?.delivery?.end();
		expect(outlines(world)).toEqual(['A asking']);
		expect(call.clock.asking).toBe(false);
	});

	it('lists a round of one elicitation individually, and a group only while one of its entries is live', () => {
		const world = new World();
		const call = world.call();
		world.together(call, 'inputRequired', 'Alone');
		const group = world.together(call, 'inputRequired', 'A', 'B');
		expect(outlines(world)).toEqual(['Alone asking', 'group asking,asking']);
		group[0]?.decline();
		expect(outlines(world)).toEqual(['Alone asking', 'group declined,asking']);
		group[1]?.decline();
		expect(outlines(world)).toEqual(['Alone asking']);
	});

	it('lists elicitations that wait for others to end individually, without a rate limit', () => {
		const world = new World();
		world.forms(22);
		expect(outlines(world).slice(19)).toEqual(['Elicitation 19 asking', 'Elicitation 20 held', 'Elicitation 21 held']);
	});

	it('lists everything that is held with the rate limit, whatever it waits for', () => {
		const world = new World(22);
		world.forms(25);
		expect(outlines(world).slice(0, 2)).toEqual(['rateLimit s 5', 'Elicitation 0 asking']);
		expect(world.registry.heldRequests('s')?.held).toBe(5);
	});

	it('keeps held entries in their group, and still lists the rate limit', () => {
		const world = new World(1);
		world.together(world.call(), 'inputRequired', 'A', 'B', 'C');
		expect(outlines(world)).toEqual(['rateLimit s 0', 'group asking,held,held']);
	});
});

describe('the count of what is pending', () => {
	it('includes every live elicitation and every call at its round limit', () => {
		const world = new World();
		world.forms(3);
		first(world.forms(1)).cancel();
		void world.registry.roundLimit(world.call(), localizable('Again and again.'));
		expect(countPending(world.registry).count).toBe(4);
	});

	it.each([
		['a form', false, (world: World) => world.form('A')],
		[
			'a page that waits for consent',
			true,
			(world: World) => world.together(world.call(), 'urlRequired', 'https://a.example/'),
		],
		[
			'a page that was opened',
			false,
			(world: World) => first(world.together(world.call(), 'urlRequired', 'https://a.example/')).opened(),
		],
		['what waits for room', false, (world: World) => world.forms(25)],
		[
			'a halted call',
			true,
			(world: World) => void world.registry.roundLimit(world.call(), localizable('Again and again.')),
		],
	])('waits for consent: %s: %s', (_what, consent, happen) => {
		const world = new World();
		happen(world);
		expect(countPending(world.registry)).toMatchObject({ consent, automatic: false });
	});

	it('waits for consent if a server exceeds the rate limit', () => {
		const world = new World(1);
		world.forms(2);
		expect(countPending(world.registry)).toMatchObject({ count: 2, consent: true });
	});

	it('is automatic only while auto-responders decide on all of it, or responses are on their way', () => {
		const world = new World();
		const [sent] = world.together(world.call(), 'urlRequired', 'https://a.example/');
		sent?.consult({ kind: 'script', name: 'x' });
		expect(countPending(world.registry)).toEqual({ count: 1, consent: false, automatic: true });
		const form = world.form('A', { tellsDelivery: true });
		expect(countPending(world.registry).automatic).toBe(false);
		form.decline();
		form.delivery?.retry(localizable('It broke.'));
		expect(countPending(world.registry)).toEqual({ count: 2, consent: false, automatic: true });
	});
});
