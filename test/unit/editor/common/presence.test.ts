import { expect, it } from 'vitest';
import { gone, Presence } from '../../../../src/editor/common/presence.ts';
import { Emitter } from '../../../../src/elicitation/emitter.ts';
import { notices, settled } from '../surfaces.ts';

const told = notices();
const openOnes = () => told.filter(({ isOpen }) => isOpen).map(({ text }) => text);
const text = (words: string) => words as never;

it('shows one thing at a time, and nothing once what it is about has ended', async () => {
	const ended = new Emitter<void>();
	const presence = new Presence<object>(gone(() => false, ended.event));
	presence.notify(text('first'));
	presence.notify(text('second'));
	await settled();
	expect(openOnes()).toEqual(['second']);
	const surface = presence.show(() => ({}));
	await settled();
	expect([openOnes(), presence.surface]).toEqual([[], surface]);
	presence.notify(text('third'));
	ended.fire();
	await settled();
	presence.notify(text('too late'));
	expect([openOnes(), presence.isOver, presence.show(() => ({}))]).toEqual([[], true, undefined]);
});

it('ends when nothing is left of what may change often', async () => {
	const [changed, left] = [new Emitter<void>(), new Set([1, 2])];
	const presence = new Presence(gone(() => left.size > 0, changed.event));
	for (const each of [1, 2]) {
		expect(presence.isOver).toBe(false);
		left.delete(each);
		changed.fire();
		await settled();
	}
	expect(presence.isOver).toBe(true);
});

it('says that the button of the editor does nothing to what it is about, where links do something', async () => {
	const presence = new Presence();
	presence.notify(text('waits'), { title: text('Cancel Request'), run: () => {} });
	await settled();
	expect(told).toMatchObject([{ text: 'waits', actions: ['Cancel Request'], hint: '("Cancel" only hides this.)' }]);
	told[0]?.cancel();
	await settled();
	expect(openOnes()).toEqual([]);
});
