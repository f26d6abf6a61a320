// @ts-check
import { BaseSequencer } from 'vitest/node';
import { readTimes, timesFile } from './fileTimes.mjs';

/** Only files that take longer change their place (s): a change between projects costs a process. */
const LONG = 5;

/**
 * A sequencer of vitest that begins with the files that took longest in the last runs, so that none of them is alone at the end.
 * @param {string} suite
 * @param {readonly string[]} unmeasured what to begin with in a fresh clone: names without `.test.ts`, longest first
 * @returns {import('vitest/node').TestSequencerConstructor}
 */
export function longestFirst(suite, unmeasured) {
	const measured = Object.entries(readTimes(timesFile(suite)))
		.filter(([, { seconds }]) => seconds >= LONG)
		.sort(([, one], [, other]) => other.seconds - one.seconds)
		.map(([name]) => name);
	const longest = measured.length > 0 ? measured : unmeasured.map((name) => `${name}.test.ts`);
	return class extends BaseSequencer {
		/** @override @param {import('vitest/node').TestSpecification[]} files */
		async sort(files) {
			const place = (/** @type {import('vitest/node').TestSpecification} */ { moduleId }) => {
				const at = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
				return at < 0 ? longest.length : at;
			};
			return (await super.sort(files)).sort((one, other) => place(one) - place(other));
		}
	};
}
