// @ts-check
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { results, root } from './paths.mjs';

/** Max length of a message (characters). What the windows showed comes after it and must be readable, too. */
const MOST_OF_MESSAGE = 1_000;

/** @typedef {{ name: string, why: string }} Failure */
/** @typedef {{ passed: number, failed: number, failures?: readonly Failure[], flaky?: readonly Failure[] }} Counts */
/** @typedef {{ fullName: string, status: string, failureMessages: string[], meta: { shown?: string } }} TestResult */
/** @typedef {{ name: string, status: string, message: string, assertionResults: TestResult[] }} FileResult What vitest reports of one file. */
/** @typedef {{ numPassedTests: number, numFailedTests: number, testResults: readonly FileResult[] }} Report What vitest reports of a run. */

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
	const found = await read(suite);
	const passed = found.passed ?? found.numPassedTests ?? 0;
	const failed = found.failed ?? found.numFailedTests ?? 0;
	const failures = found.failures ?? (found.testResults ?? []).flatMap(failuresOfFile);
	const flaky = found.flaky ?? (found.testResults ?? []).flatMap(flakyOfFile);
	if (failed > 0 || exitCode === 0) {
		return { passed, failed, failures, flaky };
	}
	const why = `ended with exit code ${exitCode}; what it printed says why`;
	return { passed, failed: 1, failures: failures.length > 0 ? failures : [{ name: 'the suite', why }], flaky };
}

/**
 * What vitest reported of a suite; nothing if it died early.
 * @param {string} suite
 * @returns {Promise<Report>}
 */
export async function readReport(suite) {
	return { numPassedTests: 0, numFailedTests: 0, testResults: [], ...(await read(suite)) };
}

/** @param {string} suite */
function read(suite) {
	return readFile(fileOf(suite), 'utf8').then(JSON.parse, () => ({}));
}

/**
 * The failures of one file. A test may tell by `shown`, in its meta, what there was to see.
 * @param {FileResult} file
 * @returns {Failure[]}
 */
function failuresOfFile({ name, message, assertionResults }) {
	const tests = assertionResults.filter(({ status }) => status === 'failed').map((test) => told(name, test));
	return message === '' ? tests : [...tests, { name: relative(root, name), why: message }];
}

/**
 * The tests of one file that passed only at their second attempt, and why they did not at their first.
 * @param {FileResult} file
 */
function flakyOfFile({ name, assertionResults }) {
	const tests = assertionResults.filter(
		({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0,
	);
	return tests.map((test) => told(name, test));
}

/**
 * @param {string} file
 * @param {TestResult} test
 * @returns {Failure}
 */
function told(file, { fullName, failureMessages, meta }) {
	const messages = failureMessages.map((message) => message.slice(0, MOST_OF_MESSAGE));
	return { name: `${relative(root, file)}: ${fullName}`, why: [...messages, meta.shown ?? ''].join('\n').trim() };
}

/**
 * @param {string} suite
 * @param {Counts | Report} counts
 */
export async function writeCounts(suite, counts) {
	await mkdir(results, { recursive: true });
	await writeFile(fileOf(suite), JSON.stringify(counts));
}
