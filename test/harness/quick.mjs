// @ts-check
/**
 * `npm run test:quick [commit]`: what tells in a minute whether a change is any good. Types, lint, the unit tests of what has
 * changed (since the last commit, or since the one that is named), and one test in an editor.
 */
import { main } from './process.mjs';
import { runSuites } from './suites.mjs';

await main(() => {
	const [since] = process.argv.slice(2);
	const changed = since === undefined ? '--changed' : `--changed=${since}`;
	const suites = [
		['unit', changed, '--passWithNoTests'],
		['e2e', 'test/e2e/smoke.test.ts'],
	];
	return runSuites(suites, { checks: ['types', 'lint and format', 'import rules'] });
});
