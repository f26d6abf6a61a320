// @ts-check
/**
 * `npm run test:quick [commit]`: checks a change in about a minute: types, lint, the unit tests affected since the last
 * or the given commit, those of the project as a whole, and one test in an editor.
 */
import { root } from './paths.mjs';
import { main, run, Stop } from './process.mjs';
import { runSuites } from './suites.mjs';

/** They read files of the whole repository, which vitest does not see: translations, documentation, the manifest. */
const OF_THE_PROJECT = ['test/unit/project', 'test/unit/harness/settingsTables.test.ts'];

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
		[[['unit', changed, '--passWithNoTests']], [['unit', ...OF_THE_PROJECT]], [['e2e', 'test/e2e/smoke.test.ts']]],
		{ checks: ['types', 'lint and format', 'import rules'] },
	);
});
