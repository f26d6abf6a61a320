// @ts-check
import { relative, sep } from 'node:path';
import { root } from '../test/harness/paths.mjs';

/**
 * A built file.
 * @typedef {object} Output
 * @property {number} bytes
 * @property {readonly string[]} sources what contributes to it; paths from the checkout, with slashes
 * @property {readonly string[]} imports names of files that are loaded with it
 * @property {readonly string[]} onDemand names of files that it can load later
 */

/** Built files by name. @typedef {Readonly<Record<string, Output>>} Outputs */

/**
 * @param {readonly (import('rolldown').OutputChunk | import('rolldown').OutputAsset)[]} made
 * @returns {Outputs}
 */
export function outputsOfPrograms(made) {
	const chunks = made.flatMap((file) => (file.type === 'chunk' ? file : []));
	return Object.fromEntries(
		chunks.map(({ fileName, code, modules, imports, dynamicImports }) => {
			// The bundler's own code has no file.
			const ids = Object.keys(modules).filter((id) => !id.startsWith('\0') && (modules[id]?.renderedLength ?? 0) > 0);
			const sources = ids.map((id) => relative(root, id).replaceAll(sep, '/'));
			return [fileName, { bytes: Buffer.byteLength(code), sources, imports, onDemand: dynamicImports }];
		}),
	);
}

/**
 * @param {import('esbuild').Metafile} metafile
 * @returns {Outputs} pages load no other scripts
 */
export function outputsOfPages({ outputs }) {
	return Object.fromEntries(
		Object.entries(outputs).map(([name, { bytes, inputs }]) => {
			const sources = Object.keys(inputs).filter((source) => (inputs[source]?.bytesInOutput ?? 0) > 0);
			return [name, { bytes, sources, imports: [], onDemand: [] }];
		}),
	);
}

/**
 * The files that a program loads when it starts, without those that are loaded on demand.
 * @param {Outputs} outputs
 * @param {string} entry name of its file
 * @returns {Outputs}
 */
export function loadedWith(outputs, entry) {
	return follow(outputs, entry, ({ imports }) => imports);
}

/**
 * All files that a program can load.
 * @param {Outputs} outputs
 * @param {string} entry name of its file
 * @returns {Outputs}
 */
export function reachableFrom(outputs, entry) {
	return follow(outputs, entry, ({ imports, onDemand }) => [...imports, ...onDemand]);
}

/**
 * @param {Outputs} outputs
 * @param {string} entry
 * @param {(output: Output) => readonly string[]} next
 * @returns {Outputs}
 */
function follow(outputs, entry, next) {
	/** @type {Record<string, Output>} */
	const found = {};
	const add = (/** @type {string} */ name) => {
		const output = outputs[name];
		if (output && !found[name]) {
			found[name] = output;
			next(output).forEach(add);
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
	return Object.values(outputs).flatMap(({ sources }) => sources);
}

/**
 * Those of the texts that stand in a script as literals.
 * @param {string} script as esbuild writes it, in UTF-8
 * @param {readonly string[]} texts
 */
export function textsIn(script, texts) {
	return texts.filter((text) => ['"', "'", '`'].some((quote) => script.includes(quote + text + quote)));
}
