import type { T } from './strings.ts';

/** How long something took, in words. */
export function duration(milliseconds: number, t: T): string {
	if (milliseconds < 1000) {
		return t('{0} ms', Math.max(0, Math.round(milliseconds)));
	}
	const whole = Math.round(milliseconds / 1000);
	if (whole >= 60) {
		return t('{0} min {1} s', Math.floor(whole / 60), whole % 60);
	}
	return t('{0} s', milliseconds < 10_000 ? (milliseconds / 1000).toFixed(1) : whole);
}
