import { expect, it } from 'vitest';
import { KeyGuard } from '../../../src/elicitation/keyGuard.ts';

it('takes no key before the surface is there, nor in its first half second', () => {
	const guard = new KeyGuard();
	expect(guard.takesKeys(10_000)).toBe(false);
	guard.appeared(1_000);
	for (const at of [999, 1_000, 1_050, 1_400, 1_499]) {
		expect(guard.takesKeys(at), String(at)).toBe(false);
	}
	expect(guard.takesKeys(1_500)).toBe(true);
});

it('begins anew when the surface appears once more', () => {
	const guard = new KeyGuard();
	guard.appeared(0);
	guard.appeared(1_000);
	expect(guard.takesKeys(1_499)).toBe(false);
	expect(guard.takesKeys(1_500)).toBe(true);
});
