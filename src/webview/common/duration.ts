import type { T } from './strings.ts';

/** How long something took, in words. */
export function duration(milliseconds: number, t: T): string {
	if (milliseconds < 1000) {
		return t('{0} ms', Math.max(0, Math.round(milliseconds)));
	}
	const seconds = milliseconds / 1000;
	if (seconds < 60) {
		return t('{0} s', seconds < 10 ? seconds.toFixed(1) : Math.round(seconds));
	}
	const whole = Math.round(seconds);
	return t('{0} min {1} s', Math.floor(whole / 60), whole % 60);
}
