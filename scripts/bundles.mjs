// @ts-check

/** @typedef {import('esbuild').Metafile['outputs']} Outputs */

/**
 * The files that an entry point loads on startup, without those that are loaded on demand.
 * @param {Outputs} outputs
 * @param {string} entry
 * @returns {Outputs}
 */
export function loadedWith(outputs, entry) {
	return follow(outputs, entry, ({ kind }) => kind !== 'dynamic-import');
}

/**
 * All files that an entry point can load.
 * @param {Outputs} outputs
 * @param {string} entry
 * @returns {Outputs}
 */
export function reachableFrom(outputs, entry) {
	return follow(outputs, entry, () => true);
}

/**
 * @param {Outputs} outputs
 * @param {string} entry
 * @param {(import_: Outputs[string]['imports'][number]) => boolean} follows
 * @returns {Outputs}
 */
function follow(outputs, entry, follows) {
	/** @type {Outputs} */
	const found = {};
	const add = (/** @type {string} */ file) => {
		const output = outputs[file];
		if (output && !found[file]) {
			found[file] = output;
			for (const import_ of output.imports.filter(follows)) {
				add(import_.path);
			}
		}
	};
	add(entry);
	return found;
}

/**
 * The total size of the bundles (bytes).
 * @param {Outputs} outputs
 */
export function bytesOf(outputs) {
	return Object.values(outputs).reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * The source files that contribute to the bundles.
 * @param {Outputs} outputs
 */
export function sourcesOf(outputs) {
	return Object.values(outputs).flatMap(({ inputs }) =>
		Object.entries(inputs).flatMap(([source, { bytesInOutput }]) => (bytesInOutput > 0 ? [source] : [])),
	);
}
