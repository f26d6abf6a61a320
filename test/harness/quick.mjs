// @ts-check
/**
 * `npm run test:quick [commit]`: checks a change in about a minute: `npm run check`, and side by side one test in an editor, and the
 * unit tests affected since the last or the given commit.
 */
import { root } from './paths.mjs';
import { main, run, Stop } from './process.mjs';
import { runSuites } from './suites.mjs';

await main(async () => {
	const [since] = process.argv.slice(2);
	// For vitest, nothing has changed since a commit that does not exist.
	if (
		since !== undefined &&
		(await run('git', ['rev-parse', '--verify', `${since}^{commit}`], { cwd: root })).code !== 0
	) {
		throw new Stop(`There is no commit "${since}".`);
	}
	const changed = since === undefined ? '--changed' : `--changed=${since}`;
	return runSuites(
		[
			[
				['e2e', 'test/e2e/smoke.test.ts'],
				['unit', changed, '--passWithNoTests'],
			],
		],
		{
			shared: ['package'],
		},
	);
});
