import { expect, it } from 'vitest';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import { Registry } from '../../../../src/elicitation/registry.ts';

it('an id counts as repeated while another request with it is remembered, on the same connection', () => {
	const registry = new Registry({ validate: async () => ({ status: 'valid' }) }, () => 30);
	const add = (elicitationId: string | undefined, connection = 'c'): Elicitation =>
		registry.add(
			{ mode: 'url', message: 'A', url: 'https://example.com/', ...(elicitationId !== undefined && { elicitationId }) },
			{ server: 's', connection, intake: 'request', revision: '2025-11-25', calls: [], params: null },
		);
	const isRepeated = (elicitation: Elicitation) => registry.urlIds.isRepeated(elicitation);
	const one = add('a');
	const others = [add('a', 'another'), add('b'), add(undefined), add(undefined)];
	expect([one, ...others].some(isRepeated)).toBe(false);
	const again = add('a');
	expect([one, again].every(isRepeated)).toBe(true);
	one.decline();
	registry.forgetEnded();
	expect(isRepeated(again)).toBe(false);
});
