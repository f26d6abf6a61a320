// @ts-check
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { importBuiltins } from '../../esbuild.mjs';
import { dist, root } from './paths.mjs';

/**
 * Builds test/host: an entry for the editor, and next to it one file per test file.
 * @returns {Promise<string>} the path of the entry
 */
export async function buildHostTests() {
	const names = (await readdir(join(root, 'test/host'))).filter((name) => name.endsWith('.test.ts'));
	const tests = names.map((name) => [`host/${name.slice(0, -3)}`, `test/host/${name}`]);
	/** @type {import('esbuild').BuildOptions} */
	const common = {
		absWorkingDir: root,
		outdir: 'dist/test',
		bundle: true,
		platform: 'node',
		sourcemap: true,
		logLevel: 'warning',
		// Mocha isn't bundled, because the suite runs from the checkout.
		external: ['vscode', 'mocha'],
	};
	await Promise.all([
		// VS Code 1.105 loads the entry with `require`.
		build({ ...common, entryPoints: { host: 'test/host/index.ts' }, format: 'cjs', outExtension: { '.js': '.cjs' } }),
		// As modules, they get the same `vscode` object as the extension, and can replace functions of it.
		build({
			...common,
			entryPoints: Object.fromEntries(tests),
			format: 'esm',
			outExtension: { '.js': '.mjs' },
			plugins: [importBuiltins],
		}),
	]);
	return join(dist, 'test', 'host.cjs');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await buildHostTests();
}
