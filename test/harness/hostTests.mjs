// @ts-check
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { dist, root } from './paths.mjs';

/**
 * Builds test/host: an entry for the editor, and next to it one file per test file.
 * @returns {Promise<string>} the path of the entry
 */
export async function buildHostTests() {
	const names = (await readdir(join(root, 'test/host'))).filter((name) => name.endsWith('.test.ts'));
	const tests = names.map((name) => [`host/${name.slice(0, -3)}`, `test/host/${name}`]);
	await build({
		absWorkingDir: root,
		entryPoints: { host: 'test/host/index.ts', ...Object.fromEntries(tests) },
		outdir: 'dist/test',
		outExtension: { '.js': '.cjs' },
		bundle: true,
		platform: 'node',
		format: 'cjs',
		sourcemap: true,
		logLevel: 'warning',
		// Mocha isn't bundled, because the suite runs from the checkout.
		external: ['vscode', 'mocha'],
	});
	return join(dist, 'test', 'host.cjs');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await buildHostTests();
}
