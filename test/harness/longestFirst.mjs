// @ts-check
import { BaseSequencer } from 'vitest/node';

/**
 * A sequencer of vitest that begins with the files that take longest, so that none of them is alone at the end.
 * @param {readonly string[]} longest their names, without `.test.ts`, longest first
 * @returns {import('vitest/node').TestSequencerConstructor}
 */
export function longestFirst(longest) {
	return class extends BaseSequencer {
		/** @override @param {import('vitest/node').TestSpecification[]} files */
		async sort(files) {
			const place = (/** @type {import('vitest/node').TestSpecification} */ { moduleId }) => {
				const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
				return at < 0 ? longest.length : at;
			};
			return (await super.sort(files)).sort((one, other) => place(one) - place(other));
		}
	};
}
