import { it } from 'vitest';
import { nightly } from './harness/paths.mjs';

export { nightly };

/** A test that only `npm run nightly` runs: of what other tests, or tests without an editor, cover by day. */
export const itByNight = it.runIf(nightly);

/** Variants that differ in what other suites test, such as the transport: by day the first stands for all of them. */
export function variants<const Variant>(...all: readonly Variant[]): readonly Variant[] {
	return nightly ? all : all.slice(0, 1);
}

/** How often a property is tried: as often as it says by night, and by day a tenth of that, unless told otherwise. */
export function runs(byNight: number, byDay: number = Math.ceil(byNight / 10)): number {
	return nightly ? byNight : byDay;
}
