// @ts-check
/** The product without its editor, as it is shipped: its bundles, and what benchmarks need around them. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { NODE_ENTRIES, nodeBundles } from '../../esbuild.mjs';
import { tell } from '../harness/process.mjs';

const require = createRequire(import.meta.url);

/** A log that only tells of what goes wrong. */
export const quiet = { info: () => {}, warn: tell, error: tell, stderr: tell };

/**
 * Builds the bundles, and what loads them.
 * @param {string} outdir
 */
export async function bundle(outdir) {
	const { reaper, validator } = NODE_ENTRIES;
	await esbuild.build(nodeBundles(true, { product: 'test/bench/product.ts', reaper, validator }, outdir));
}

/**
 * @param {string} folder where `bundle` has built
 * @returns {typeof import('./product.ts')}
 */
export function load(folder) {
	return require(join(folder, 'product.cjs'));
}
