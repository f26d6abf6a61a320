// @ts-check
/**
 * `npm run test:oldest`: runs API and UI tests in the oldest supported editor. Nightly, it covers everything from an
 * empty profile to a response, and every surface for elicitations, where missing editor features would show.
 */
import { join } from 'node:path';
import { freshCounts, readCounts, writeCounts } from './counts.mjs';
import { root } from './paths.mjs';
import { main, run } from './process.mjs';

const BY_DAY = ['smoke'];
const BY_NIGHT = [...BY_DAY, 'url', 'form', 'pickers', 'firstDay', 'timeline'];
const names = process.env.MCP_ELICITATION_NIGHTLY === '1' ? BY_NIGHT : BY_DAY;

const env = { ...process.env, MCP_ELICITATION_EDITOR: 'oldest' };

await main(async () => {
	await freshCounts('oldest');
	/** @type {Required<import('./counts.mjs').Counts>} */
	const total = { passed: 0, failed: 0, failures: [], flaky: [] };
	for (const [suite, files] of /** @type {const} */ ([
		['host', []],
		['e2e', names.map((name) => `test/e2e/${name}.test.ts`)],
	])) {
		const script = join(root, 'test', 'harness', `${suite}.mjs`);
		const { code } = await run(process.execPath, [script, ...files], { cwd: root, env, show: true });
		const { passed, failed, failures, flaky } = await readCounts(`oldest/${suite}`, code);
		total.passed += passed;
		total.failed += failed;
		total.failures = [...total.failures, ...failures];
		total.flaky = [...total.flaky, ...flaky];
	}
	await writeCounts('oldest', total);
	return total.failed === 0 ? 0 : 1;
});
