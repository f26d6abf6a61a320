// @ts-check

/** @typedef {import('esbuild').Metafile['outputs']} Outputs */

/**
 * What an entry loads when it starts: itself and the shared files, without those that are loaded on first use.
 * @param {Outputs} outputs
 * @param {string} entry
 * @returns {Outputs}
 */
export function loadedWith(outputs, entry) {
	/** @type {Outputs} */
	const loaded = {};
	const load = (/** @type {string} */ file) => {
		const output = outputs[file];
		if (output && !loaded[file]) {
			loaded[file] = output;
			for (const { path, kind } of output.imports) {
				if (kind !== 'dynamic-import') {
					load(path);
				}
			}
		}
	};
	load(entry);
	return loaded;
}

/**
 * Their bytes, as they are bundled.
 * @param {Outputs} outputs
 */
export function bytesOf(outputs) {
	return Object.values(outputs).reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * The files of which something is left in them.
 * @param {Outputs} outputs
 */
export function sourcesOf(outputs) {
	return Object.values(outputs).flatMap(({ inputs }) =>
		Object.entries(inputs).flatMap(([source, { bytesInOutput }]) => (bytesInOutput > 0 ? [source] : [])),
	);
}
