// @ts-check
/**
 * `node test/checks/run.mjs [--update]`, which is part of `npm run check`: what no compiler and no linter finds in texts, documentation,
 * the manifest, and lists of tests. `--update` writes what is generated.
 */
import { writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { root } from '../harness/paths.mjs';
import { main } from '../harness/process.mjs';

await main(async () => {
	process.chdir(root);
	register('./typescript.mjs', import.meta.url);
	const update = process.argv.includes('--update');
	if (update) {
		// The manifest is read when the checks are loaded, and tables are made from it.
		const { generated } = await import('./commands.ts');
		for (const [path, content] of generated()) {
			writeFileSync(path, content);
		}
	}
	const { problems } = await import('./checks.ts');
	const found = problems(update);
	for (const problem of found) {
		console.error(`✘ ${problem}`);
	}
	return found.length === 0 ? 0 : 1;
});
