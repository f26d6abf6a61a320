// @ts-check
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { nodeBundle } from '../../esbuild.mjs';
import { dist, root } from './paths.mjs';

/**
 * Builds test/host: an entry for the editor, and next to it one file per test file.
 * @returns {Promise<string>} the path of the entry
 */
export async function buildHostTests() {
	const names = (await readdir(join(root, 'test/host'))).filter((name) => name.endsWith('.test.ts'));
	// Mocha stays where npm put it: the suite runs from the checkout.
	const options = { outdir: 'dist/test', external: ['vscode', 'mocha'] };
	await build(nodeBundle(false, 'test/host/index.ts', 'host', options));
	await Promise.all(
		names.map((name) => build(nodeBundle(false, `test/host/${name}`, `host/${name.slice(0, -3)}`, options))),
	);
	return join(dist, 'test', 'host.cjs');
}
