import { localizable, render, type Translate } from './sentence.ts';

/** How long something took, in words, to the millisecond if it is below a second. */
export function exactDuration(milliseconds: number, t: Translate): string {
	return milliseconds < 1_000
		? render(localizable('{0} ms', Math.max(0, Math.round(milliseconds))), t)
		: roundDuration(milliseconds, t);
}

/** The same without milliseconds, which would be outdated at once while it goes on. */
export function roundDuration(milliseconds: number, t: Translate): string {
	const whole = Math.round(milliseconds / 1_000);
	if (whole >= 60) {
		return render(localizable('{0} min {1} s', Math.floor(whole / 60), whole % 60), t);
	}
	return render(localizable('{0} s', milliseconds < 10_000 ? (milliseconds / 1_000).toFixed(1) : whole), t);
}
