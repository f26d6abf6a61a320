// @ts-check
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { freshCounts, readReport, writeCounts } from './counts.mjs';
import { timesFile } from './fileTimes.mjs';
import { root } from './paths.mjs';
import { run, tell } from './process.mjs';

/** Where more files than these fail (count), it is not for lack of time. */
const MOST_FILES_AGAIN = 12;

/**
 * Runs vitest and leaves the suite's counts. Further arguments of the script (files, -t name) are vitest's. As part of
 * `npm test`, the files in which a test failed get a second attempt: alone, when the machine has nothing else to do.
 * @param {string} suite
 * @param {string} config
 */
export async function vitest(suite, config) {
	const first = await attempt(suite, config, process.argv.slice(2));
	const broken = first.report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
	const again = process.env['MCP_ELICITATION_SECOND_ATTEMPT'] === '1' && broken.length <= MOST_FILES_AGAIN;
	if (first.code === 0 || broken.length === 0 || !again) {
		return first.code;
	}
	tell(`a second attempt, alone: ${broken.join(', ')}`);
	const second = await attempt(`${suite}-again`, config, ['--maxWorkers=1', ...broken]);
	const files = first.report.testResults.map((file) => {
		const repeated = second.report.testResults.find(({ name }) => name === file.name);
		return repeated === undefined ? file : withFirstAttempt(repeated, file);
	});
	const tests = files.flatMap(({ assertionResults }) => assertionResults);
	const count = (/** @type {string} */ wanted) => tests.filter(({ status }) => status === wanted).length;
	await writeCounts(suite, { numPassedTests: count('passed'), numFailedTests: count('failed'), testResults: files });
	return second.code;
}

/**
 * @param {string} suite
 * @param {string} config
 * @param {readonly string[]} args
 */
async function attempt(suite, config, args) {
	const bin = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
	const reporters = ['default', 'json', join(root, 'test/harness/fileTimes.mjs')].map((name) => `--reporter=${name}`);
	const report = [...reporters, `--outputFile.json=${await freshCounts(suite)}`];
	const { code } = await run(process.execPath, [bin, 'run', '--config', config, ...report, ...args], {
		cwd: root,
		env: { ...process.env, MCP_ELICITATION_TIMES: timesFile(suite) },
		show: true,
	});
	return { code, report: await readReport(suite) };
}

/**
 * A file that was run again, in which a test that passes has the messages of its first attempt: so it counts as flaky.
 * @param {import('./counts.mjs').FileResult} repeated
 * @param {import('./counts.mjs').FileResult} first
 */
function withFirstAttempt(repeated, first) {
	const assertionResults = repeated.assertionResults.map((test) => {
		const before = first.assertionResults.find(({ fullName }) => fullName === test.fullName);
		return test.status === 'passed' && before?.status === 'failed'
			? { ...test, failureMessages: before.failureMessages, meta: before.meta }
			: test;
	});
	return { ...repeated, assertionResults };
}
