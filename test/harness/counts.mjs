// @ts-check
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { results, root } from './paths.mjs';

/** Max length of a message (characters). What the windows showed comes after it and must be readable, too. */
const MOST_OF_MESSAGE = 1_000;

/** @typedef {{ name: string, why: string }} Failure */
/** @typedef {{ passed: number, failed: number, failures?: readonly Failure[], flaky?: readonly string[] }} Counts */
/** @typedef {{ fullName: string, status: string, failureMessages: string[], meta: { shown?: string, flaky?: boolean } }} TestResult */
/** @typedef {{ name: string, message: string, assertionResults: TestResult[] }} FileResult What vitest reports of one file. */

/** @param {string} suite */
const fileOf = (suite) => join(results, `${suite}.json`);

/**
 * Where a suite leaves its counts; emptied, so that a suite that dies early leaves none.
 * @param {string} suite
 */
export async function freshCounts(suite) {
	await mkdir(results, { recursive: true });
	await rm(fileOf(suite), { force: true });
	return fileOf(suite);
}

/**
 * The counts that a suite left. Ending badly without a failed test (a file that cannot be loaded, a crash) is a failure too.
 * @param {string} suite
 * @param {number} exitCode
 * @returns {Promise<Required<Counts>>}
 */
export async function readCounts(suite, exitCode) {
	const found = await readFile(fileOf(suite), 'utf8').then(JSON.parse, () => ({}));
	const passed = found.passed ?? found.numPassedTests ?? 0;
	const failed = found.failed ?? found.numFailedTests ?? 0;
	const failures = found.failures ?? (found.testResults ?? []).flatMap(failuresOfFile);
	const flaky = found.flaky ?? (found.testResults ?? []).flatMap(flakyOfFile);
	return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed, failures, flaky };
}

/**
 * The failures of one file. A test may tell by `shown`, in its meta, what there was to see.
 * @param {FileResult} file
 * @returns {Failure[]}
 */
function failuresOfFile({ name, message, assertionResults }) {
	const file = relative(root, name);
	const tests = assertionResults
		.filter(({ status }) => status === 'failed')
		.map(({ fullName, failureMessages, meta }) => ({
			name: `${file}: ${fullName}`,
			why: [...failureMessages.map((message) => message.slice(0, MOST_OF_MESSAGE)), meta.shown ?? ''].join('\n').trim(),
		}));
	return message === '' ? tests : [...tests, { name: file, why: message }];
}

/**
 * The tests of one file that passed only at their second attempt.
 * @param {FileResult} file
 */
function flakyOfFile({ name, assertionResults }) {
	const tests = assertionResults.filter(({ status, meta }) => status === 'passed' && meta.flaky);
	return tests.map(({ fullName }) => `${relative(root, name)}: ${fullName}`);
}

/**
 * @param {string} suite
 * @param {Counts} counts
 */
export async function writeCounts(suite, counts) {
	await mkdir(results, { recursive: true });
	await writeFile(fileOf(suite), JSON.stringify(counts));
}
