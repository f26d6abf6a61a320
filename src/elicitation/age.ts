import { localizable, type Sentence } from './sentence.ts';

/** How long ago something was, in whole units. Both times are in milliseconds since the epoch. */
export function ageOf(then: number, now: number): Sentence {
	const seconds = Math.floor((now - then) / 1000);
	if (seconds < 10) {
		return localizable('just now');
	}
	if (seconds < 60) {
		return localizable('{0} s ago', seconds);
	}
	return seconds < 3600
		? localizable('{0} min ago', Math.floor(seconds / 60))
		: localizable('{0} h ago', Math.floor(seconds / 3600));
}
