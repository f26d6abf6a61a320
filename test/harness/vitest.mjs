// @ts-check
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { freshCounts, readCounts } from './counts.mjs';
import { root } from './paths.mjs';
import { run, tell } from './process.mjs';

/**
 * Runs vitest and leaves the suite's counts. Further arguments of the script (files, -t name) are vitest's.
 * @param {string} suite
 * @param {string} config
 */
export async function vitest(suite, config) {
	const bin = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
	const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${await freshCounts(suite)}`];
	const { code } = await run(process.execPath, [bin, 'run', '--config', config, ...report, ...process.argv.slice(2)], {
		cwd: root,
		show: true,
	});
	for (const test of (await readCounts(suite, code)).flaky) {
		tell(`flaky, passed only at the second attempt: ${test}`);
	}
	return code;
}
