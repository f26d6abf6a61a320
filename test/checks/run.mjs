// @ts-check
/**
 * `node test/checks/run.mjs [--update]`, which is part of `npm run check`: what no compiler and no linter finds in texts, documentation,
 * the manifest, and lists of tests. `--update` writes what is generated.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../harness/paths.mjs';
import { main } from '../harness/process.mjs';

const outfile = join(root, 'test-results/checks/checks.mjs');

await main(async () => {
	process.chdir(root);
	await build({
		entryPoints: ['test/checks/checks.ts'],
		bundle: true,
		packages: 'external',
		format: 'esm',
		platform: 'node',
		outfile,
		logLevel: 'warning',
	});
	const { problems } = await import(pathToFileURL(outfile).href);
	const found = await problems(process.argv.includes('--update'));
	for (const problem of found) {
		console.error(`✘ ${problem}`);
	}
	return found.length === 0 ? 0 : 1;
});
