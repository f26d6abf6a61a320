import { localizable, render, type Translate } from './sentence.ts';

/** How long something takes or took, in words: to the millisecond below a second, then to a tenth, then in whole seconds. */
export function durationText(milliseconds: number, t: Translate): string {
	if (milliseconds < 1_000) {
		return render(localizable('{0} ms', Math.max(0, Math.round(milliseconds))), t);
	}
	const whole = Math.round(milliseconds / 1_000);
	if (whole >= 60) {
		return render(localizable('{0} min {1} s', Math.floor(whole / 60), whole % 60), t);
	}
	return render(localizable('{0} s', milliseconds < 10_000 ? (milliseconds / 1_000).toFixed(1) : whole), t);
}
