import { expect, it } from 'vitest';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import { World } from '../world.ts';

it('an id counts as repeated while another request with it is remembered, on the same connection', () => {
	const world = new World();
	const { registry } = world;
	const isRepeated = (elicitation: Elicitation) => registry.urlIds.isRepeated(elicitation);
	const one = world.url({}, 'a');
	const others = [world.url({ connection: 'another' }, 'a'), world.url({}, 'b'), world.url(), world.url()];
	expect([one, ...others].some(isRepeated)).toBe(false);
	const again = world.url({}, 'a');
	expect([one, again].every(isRepeated)).toBe(true);
	one.decline();
	registry.forgetEnded();
	expect(isRepeated(again)).toBe(false);
});
