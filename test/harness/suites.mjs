// @ts-check
/** Runs suites and adds up their results, for `npm test` and `npm run nightly`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freshCounts, readCounts } from './counts.mjs';
import { root } from './paths.mjs';
import { run, Stop, tell } from './process.mjs';

/** @param {string} name */
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Checks count as one test each; suites count their own. @type {Record<string, [command: string, args: string[]]>} */
const CHECKS = {
	types: [bin('tsc'), ['--noEmit']],
	'lint and format': [bin('biome'), ['check', '.', '--error-on-warnings']],
	'import rules': [bin('depcruise'), ['src', '--config', '.dependency-cruiser.mjs']],
	build: [process.execPath, ['scripts/build.mjs']],
	tools: [process.execPath, ['test/harness/tools.mjs']],
};

/** Max length of the reason of a failure (characters). */
const MOST_OF_REASON = 3_000;

/**
 * @typedef {object} Options
 * @property {readonly string[]} [checks] all of them by default
 * @property {boolean} [nightly] everything is run in full, and a test that needed a second attempt has failed
 */

/** @typedef {readonly [script: string, ...args: string[]]} Suite A script of this folder. */

/** @typedef {readonly Suite[]} Stage What runs two at a time: suites that wait for more than half of their time. */

/** What the smoke test finds, others of its suite find; it runs in the oldest editor. @type {Suite} */
const E2E = ['e2e', '--exclude', 'test/e2e/smoke.test.ts'];

/** What `npm test` runs. @type {readonly Stage[]} */
export const BY_DAY = [[['unit']], [['conformance'], ['host'], ['oldest']], [E2E], [['figures']]];

/** What `npm run nightly` runs, in which the oldest editor has too much to do for another suite beside it. @type {readonly Stage[]} */
export const BY_NIGHT = [[['unit']], [['conformance'], ['host']], [E2E], [['oldest']], [['figures']], [['soak', '30']]];

/**
 * @param {readonly Stage[]} stages one after the other
 * @param {Options} [options]
 * @returns {Promise<number>} the exit code
 */
export async function runSuites(stages, { checks = Object.keys(CHECKS), nightly = false } = {}) {
	if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) {
		tell('installing the dependencies of a bare checkout');
		const { code } = await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, show: true });
		if (code !== 0) {
			throw new Stop('The dependencies could not be installed.');
		}
	}
	const total = { passed: 0, failed: 0, flaky: 0 };
	/** @type {string[]} */
	const summary = [];
	/** @type {string[]} */
	const reasons = [];
	const add = (
		/** @type {string} */ name,
		/** @type {import('./counts.mjs').Counts} */ counts,
		/** @type {number} */ since,
	) => {
		const { passed, failed, failures = [], flaky = [] } = counts;
		reasons.push(
			...failures.map((failure) => `✘ ${name}: ${failure.name}\n${brief(failure.why)}\n`),
			...flaky.map(
				(test) =>
					`${nightly ? '✘' : '⚠'} ${name}: ${test.name} passed only at its second attempt\n${brief(test.why)}\n`,
			),
		);
		total.passed += passed;
		total.failed += failed;
		total.flaky += flaky.length;
		const seconds = Math.round((Date.now() - since) / 1000);
		const more = flaky.length === 0 ? '' : `, ${flaky.length} flaky`;
		summary.push(`${failed === 0 ? '✔' : '✘'} ${name}: ${passed} passed, ${failed} failed${more} (${seconds} s)`);
	};
	const began = Date.now();
	const runCheck = async (/** @type {string} */ name) => {
		const start = Date.now();
		tell(name);
		const { code } = await run(...checkOf(name), { cwd: root, show: true });
		add(name, code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }, start);
		return code === 0 ? name : undefined;
	};
	// Side by side: the slowest of them waits for the network.
	const passed = await Promise.all(checks.map(runCheck));
	const env = {
		...process.env,
		...(passed.includes('build') ? { MCP_ELICITATION_BUILT: '1' } : {}),
		MCP_ELICITATION_SECOND_ATTEMPT: '1',
		...(nightly ? { MCP_ELICITATION_NIGHTLY: '1' } : {}),
	};
	const runSuite = async (/** @type {Suite} */ [suite, ...args]) => {
		const start = Date.now();
		tell(suite);
		await freshCounts(suite);
		const script = join(root, 'test', 'harness', `${suite}.mjs`);
		const { code } = await run(process.execPath, [script, ...args], { cwd: root, env, show: true });
		add(suite, await readCounts(suite, code), start);
	};
	for (const stage of stages) {
		const waiting = [...stage];
		const runWaiting = async () => {
			for (let suite = waiting.shift(); suite !== undefined; suite = waiting.shift()) {
				await runSuite(suite);
			}
		};
		await Promise.all([runWaiting(), runWaiting()]);
	}
	const minutes = ((Date.now() - began) / 60_000).toFixed(1);
	// At the end, for environments that keep only the end of the output.
	console.log(`\n${[...reasons, ...summary].join('\n')}\n`);
	console.log(`${total.passed} passed, ${total.failed} failed, ${total.flaky} flaky, in ${minutes} minutes`);
	return total.failed === 0 && !(nightly && total.flaky > 0) ? 0 : 1;
}

/** @param {string} name */
function checkOf(name) {
	const check = CHECKS[name];
	if (check === undefined) {
		throw new Error(`There is no check ${name}.`);
	}
	return check;
}

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
