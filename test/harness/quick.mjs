// @ts-check
/**
 * `npm run test:quick [commit]`: checks a change in about a minute: types, lint, the unit tests affected since the last
 * or the given commit, and one test in an editor.
 */
import { main } from './process.mjs';
import { runSuites } from './suites.mjs';

await main(() => {
	const [since] = process.argv.slice(2);
	const changed = since === undefined ? '--changed' : `--changed=${since}`;
	return runSuites([[['unit', changed, '--passWithNoTests']], [['e2e', 'test/e2e/smoke.test.ts']]], {
		checks: ['types', 'lint and format', 'import rules'],
	});
});
