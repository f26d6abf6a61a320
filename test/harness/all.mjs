// @ts-check
/** `npm test`: everything, one after the other, and a total over all suites. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freshCounts, readCounts } from './counts.mjs';
import { root } from './paths.mjs';
import { main, run, Stop, tell } from './process.mjs';

/** @param {string} name */
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Checks count as one test each; suites count their own. */
const CHECKS = [
	['types', bin('tsc'), ['--noEmit']],
	['lint and format', bin('biome'), ['check', '.', '--error-on-warnings']],
	['build', process.execPath, ['esbuild.mjs']],
];
const SUITES = ['unit', 'conformance', 'host', 'e2e', 'oldest', 'figures'];

/** Characters of the reasons of one failure. */
const MOST_OF_REASON = 3_000;

await main(async () => {
	if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) {
		tell('installing the dependencies of a bare checkout');
		const { code } = await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, show: true });
		if (code !== 0) {
			throw new Stop('The dependencies could not be installed.');
		}
	}
	const total = { passed: 0, failed: 0 };
	/** @type {string[]} */
	const summary = [];
	/** @type {string[]} */
	const reasons = [];
	const add = (
		/** @type {string} */ name,
		/** @type {import('./counts.mjs').Counts} */ { passed, failed, failures = [] },
		since = 0,
	) => {
		reasons.push(...failures.map((failure) => `✘ ${name}: ${failure.name}\n${brief(failure.why)}\n`));
		total.passed += passed;
		total.failed += failed;
		const seconds = Math.round((Date.now() - since) / 1000);
		summary.push(`${failed === 0 ? '✔' : '✘'} ${name}: ${passed} passed, ${failed} failed (${seconds} s)`);
	};
	for (const [name, command, args] of /** @type {[string, string, string[]][]} */ (CHECKS)) {
		const start = Date.now();
		tell(name);
		const { code } = await run(command, args, { cwd: root, show: true });
		add(name, code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }, start);
	}
	for (const suite of SUITES) {
		const start = Date.now();
		tell(suite);
		await freshCounts(suite);
		const { code } = await run(process.execPath, [join(root, 'test', 'harness', `${suite}.mjs`)], {
			cwd: root,
			show: true,
		});
		add(suite, await readCounts(suite, code), start);
	}
	// At the end, for where only the end of a long output is kept.
	console.log(`\n${[...reasons, ...summary].join('\n')}\n\n${total.passed} passed, ${total.failed} failed`);
	return total.failed === 0 ? 0 : 1;
});

/**
 * What a failure says, indented, without the frames of libraries.
 * @param {string} why
 */
function brief(why) {
	const lines = why.split('\n').filter((line) => !/^\s+at .*(node_modules|node:)/.test(line));
	return lines
		.map((line) => `    ${line}`)
		.join('\n')
		.slice(0, MOST_OF_REASON);
}
