// @ts-check
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { dist, root } from './paths.mjs';
import { REQUIRE } from './testServers.mjs';

/** The entry of the built tests, which the editor runs. */
export const HOST_TESTS = join(dist, 'test', 'host.cjs');

/** Builds test/host: an entry for the editor, and next to it one file per test file. */
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
			banner: REQUIRE,
		}),
	]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	await buildHostTests();
}
