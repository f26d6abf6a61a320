// @ts-check
/** Runs suites and adds up their results, for `npm test` and `npm run nightly`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freshCounts, readCounts } from './counts.mjs';
import { readTimes, timesFile } from './fileTimes.mjs';
import { meter, table } from './measure.mjs';
import { results, root } from './paths.mjs';
import { run, Stop, tell } from './process.mjs';

/** @param {string} name */
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** @typedef {[command: string, args: string[]]} Command */

/** What `npm run check` runs. Each counts as one test; suites count their own. @type {Record<string, Command>} */
export const CHECKS = {
	types: [bin('tsc'), ['--noEmit']],
	'lint and format': [bin('biome'), ['check', '.', '--error-on-warnings']],
	'import rules': [bin('depcruise'), ['src', '--config', '.dependency-cruiser.mjs']],
	'texts, manifest, and promises': [process.execPath, ['test/checks/run.mjs']],
};

/** What the suites share, made once, before several of them, side by side, miss it. @type {Record<string, Command>} */
const SHARED = {
	package: [process.execPath, ['test/harness/packaged.mjs']],
	browser: [process.execPath, ['test/harness/tools.mjs', 'browser']],
	editors: [process.execPath, ['test/harness/tools.mjs', 'editors']],
};

/** Max length of the reason of a failure (characters). */
const MOST_OF_REASON = 3_000;

/** @typedef {readonly [script: string, ...args: string[]]} Suite A script of this folder. */

/** @typedef {readonly Suite[]} Stage What runs two at a time. */

/** What the smoke test finds, others of its suite find; it runs in the oldest editor, by night. @type {Suite} */
const E2E = ['e2e', '--exclude', 'test/e2e/smoke.test.ts'];

/**
 * What `npm test` runs. Unit tests and windows wait for much of their time, in which another suite runs, so that two cores are busy; what
 * takes longest begins.
 * @type {readonly Stage[]}
 */
export const BY_DAY = [[['unit'], ['host'], ['conformance']], [E2E]];

/** What `npm run nightly` runs, in which the oldest editor has too much to do for another suite beside it. @type {readonly Stage[]} */
export const BY_NIGHT = [[['unit'], ['host'], ['conformance']], [E2E], [['oldest']], [['soak', '30']]];

/**
 * @param {readonly Stage[]} stages one after the other
 * @param {{ shared?: readonly string[], nightly?: boolean }} [options] what the suites share, by default everything; `nightly`: everything
 * is run in full, and a test that needed a second attempt has failed
 * @returns {Promise<number>} the exit code
 */
export async function runSuites(stages, { shared = Object.keys(SHARED), nightly = false } = {}) {
	if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) {
		tell('installing the dependencies of a bare checkout');
		const { code } = await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, show: true });
		if (code !== 0) {
			throw new Stop('The dependencies could not be installed.');
		}
	}
	const began = Date.now();
	const base = { ...process.env, ...(nightly ? { MCP_ELICITATION_NIGHTLY: '1' } : {}) };
	/** @type {Result[]} */
	const all = [];
	const runCheck = async (/** @type {[string, Command]} */ [name, command]) => {
		const { code, ...took } = await measured(name, command, base);
		all.push({
			name,
			...took,
			passed: code === 0 ? 1 : 0,
			failed: code === 0 ? 0 : 1,
			failures: [],
			flaky: [],
			files: [],
		});
	};
	// Side by side: the slowest of them, the editors, wait for the network, and unit tests need none.
	const preparing = Object.entries(SHARED).filter(([name]) => shared.includes(name));
	const editors = Promise.all(preparing.filter(([name]) => name === 'editors').map(runCheck));
	await Promise.all([...Object.entries(CHECKS), ...preparing.filter(([name]) => name !== 'editors')].map(runCheck));
	const env = {
		...base,
		...(all.some(({ name, passed }) => name === 'package' && passed === 1) ? { MCP_ELICITATION_BUILT: '1' } : {}),
		MCP_ELICITATION_SECOND_ATTEMPT: '1',
	};
	const runSuite = async (/** @type {Suite} */ [suite, ...args]) => {
		await (suite === 'unit' || editors);
		const start = Date.now();
		await freshCounts(suite);
		const script = join(root, 'test', 'harness', `${suite}.mjs`);
		const { code, ...took } = await measured(suite, [process.execPath, [script, ...args]], env);
		const times = readTimes(suite === 'oldest' ? join(results, 'oldest', 'e2e.times.json') : timesFile(suite));
		const files = Object.entries(times).flatMap(([name, { at, seconds }]) => (at >= start ? { name, seconds } : []));
		all.push({ name: suite, ...took, ...(await readCounts(suite, code)), files });
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
	return summarize(all, (Date.now() - began) / 60_000, nightly);
}

/** @typedef {{ name: string, seconds: number, processor: number | undefined, files: import('./measure.mjs').FileTime[] } & Required<import('./counts.mjs').Counts>} Result */

/**
 * @param {string} name
 * @param {Command} command
 * @param {NodeJS.ProcessEnv} env
 */
async function measured(name, [command, args], env) {
	tell(name);
	const start = Date.now();
	let processor = meter(undefined);
	const { code } = await run(command, args, {
		cwd: root,
		env,
		show: true,
		started: (pid) => {
			processor = meter(pid);
		},
	});
	return { code, seconds: (Date.now() - start) / 1000, processor: processor() };
}

/**
 * Prints what there was, and returns the exit code. At the end, for environments that keep only the end of the output.
 * @param {readonly Result[]} all
 * @param {number} minutes
 * @param {boolean} strict a test that passed at its second attempt has failed
 */
function summarize(all, minutes, strict) {
	const reasons = all.flatMap(({ name, failures, flaky }) => [
		...failures.map((failure) => `✘ ${name}: ${failure.name}\n${brief(failure.why)}\n`),
		...flaky.map(
			(test) => `${strict ? '✘' : '⚠'} ${name}: ${test.name} passed only at its second attempt\n${brief(test.why)}\n`,
		),
	]);
	const failing = all.filter(({ failed }) => failed > 0).map(({ name, failed }) => `✘ ${name}: ${failed} failed`);
	const sum = (/** @type {(result: Result) => number} */ count) => all.reduce((total, each) => total + count(each), 0);
	const [passed, failed, flaky] = [
		sum((each) => each.passed),
		sum((each) => each.failed),
		sum((each) => each.flaky.length),
	];
	const measuredSuites = all.map((each) => ({ ...each, tests: each.passed + each.failed }));
	console.log(`\n${[...reasons, ...table(measuredSuites), '', ...failing].join('\n')}`);
	console.log(`${passed} passed, ${failed} failed, ${flaky} flaky, in ${minutes.toFixed(1)} minutes`);
	return failed === 0 && !(strict && flaky > 0) ? 0 : 1;
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
