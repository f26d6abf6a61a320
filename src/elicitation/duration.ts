/** Translates the texts below, in the editor and in webviews. */
type T = (text: '{0} ms' | '{0} s' | '{0} min {1} s', ...args: (string | number)[]) => string;

/** How long something took, in words, to the millisecond if it is below a second. */
export function exactDuration(milliseconds: number, t: T): string {
	return milliseconds < 1_000 ? t('{0} ms', Math.max(0, Math.round(milliseconds))) : roundDuration(milliseconds, t);
}

/** The same without milliseconds, which would be outdated at once while it goes on. */
export function roundDuration(milliseconds: number, t: T): string {
	const whole = Math.round(milliseconds / 1_000);
	if (whole >= 60) {
		return t('{0} min {1} s', Math.floor(whole / 60), whole % 60);
	}
	return t('{0} s', milliseconds < 10_000 ? (milliseconds / 1_000).toFixed(1) : whole);
}
