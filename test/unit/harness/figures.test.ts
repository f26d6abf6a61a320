import { expect, it } from 'vitest';
import { LIMITS, weigh } from '../../harness/figures.mjs';

it('says which weight is above its limit', () => {
	const kept = (bytes: number, bytesAtStart: number) => weigh({ bytes, bytesAtStart }).map((figure) => figure.kept);
	expect(kept(LIMITS.package, LIMITS.start)).toEqual([true, true]);
	expect(kept(LIMITS.package + 1, LIMITS.start)).toEqual([false, true]);
	expect(kept(LIMITS.package, LIMITS.start + 1)).toEqual([true, false]);
});
