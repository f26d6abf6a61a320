import { describe, expect, it } from 'vitest';
import type { Elicitation } from '../../../src/elicitation/elicitation.ts';
import { countDone, entriesOf, groupPosition, waitForTurn } from '../../../src/elicitation/group.ts';
import { first, World } from './world.ts';

const pages = ['https://a.example/', 'https://b.example/', 'https://c.example/'];

function done(world: World, entries: readonly Elicitation[]): number {
	const { group } = first(entries).origin;
	return group ? countDone(group, entriesOf(group, world.registry.elicitations)) : Number.NaN;
}

describe('a group', () => {
	it('has its own entries alone, finished ones included, in the order of the server', () => {
		const world = new World();
		const call = world.call();
		const before = world.form('Before', { calls: [call] });
		const group = world.together(call, 'urlRequired', ...pages);
		const other = world.together(call, 'urlRequired', ...pages);
		group[1]?.complete();
		const { elicitations } = world.registry;
		const { origin } = first(group);
		expect(origin.group && entriesOf(origin.group, elicitations)).toEqual(group);
		expect(elicitations).toEqual([before, ...group, ...other]);
	});

	it('of required URL elicitations counts one as done when it completes, not when it is opened (U10)', () => {
		const world = new World();
		const group = world.together(world.call(), 'urlRequired', ...pages);
		expect(done(world, group)).toBe(0);
		group[0]?.opened();
		expect(done(world, group)).toBe(0);
		group[0]?.complete();
		expect(done(world, group)).toBe(1);
	});

	it('of a round counts every response, including an opened URL', () => {
		const world = new World();
		const group = world.together(world.call(), 'inputRequired', first(pages), 'Name?', 'Age?');
		group[0]?.opened();
		group[1]?.decline();
		expect(done(world, group)).toBe(2);
	});

	it('counts ended elicitations even if they were forgotten', () => {
		const world = new World();
		const group = world.together(world.call(), 'inputRequired', ...Array.from({ length: 700 }, (_, at) => `${at}`));
		for (const each of group.slice(0, 600)) {
			each.cancel();
		}
		world.form('Makes room');
		expect(world.registry.elicitations.length).toBeLessThan(700);
		expect(done(world, group)).toBe(600);
	});

	it('knows the position of each entry; an elicitation on its own has none', () => {
		const world = new World();
		const group = world.together(world.call(), 'urlRequired', ...pages);
		const alone = world.together(world.call(), 'urlRequired', first(pages));
		const own = world.form('Own');
		const { elicitations } = world.registry;
		expect(group.map((each) => groupPosition(each, elicitations))).toEqual([
			{ place: 1, size: 3 },
			{ place: 2, size: 3 },
			{ place: 3, size: 3 },
		]);
		expect([...alone, own].map((each) => groupPosition(each, elicitations))).toEqual([undefined, undefined]);
	});
});

describe('the turn of a URL elicitation', () => {
	/** Which of them may be shown now. */
	async function turns(world: World, entries: readonly Elicitation[]): Promise<boolean[]> {
		const come = entries.map(() => false);
		entries.forEach((each, at) => {
			void waitForTurn(each, world.registry.elicitations).then(() => {
				come[at] = true;
			});
		});
		await new Promise((resolve) => setImmediate(resolve));
		return come;
	}

	it('comes when every previous one of its group is decided, whatever the decision', async () => {
		const world = new World();
		const group = world.together(world.call(), 'urlRequired', ...pages);
		expect(await turns(world, group)).toEqual([true, false, false]);
		group[0]?.opened();
		expect(await turns(world, group)).toEqual([true, true, false]);
		group[1]?.decline();
		expect(await turns(world, group)).toEqual([true, true, true]);
	});

	it('does not wait for forms, other groups or elicitations on their own', async () => {
		const world = new World();
		const call = world.call();
		world.together(call, 'inputRequired', first(pages), 'Name?');
		const second = world.together(call, 'inputRequired', 'Age?', first(pages));
		expect(await turns(world, [...second, world.form('Own')])).toEqual([true, true, true]);
	});
});
