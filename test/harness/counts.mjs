// @ts-check
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { results } from './paths.mjs';

/** @typedef {{ passed: number, failed: number }} Counts */

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
 * @returns {Promise<Counts>}
 */
export async function readCounts(suite, exitCode) {
	const found = await readFile(fileOf(suite), 'utf8').then(JSON.parse, () => ({}));
	const passed = found.passed ?? found.numPassedTests ?? 0;
	const failed = found.failed ?? found.numFailedTests ?? 0;
	return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/**
 * @param {string} suite
 * @param {Counts} counts
 */
export async function writeCounts(suite, counts) {
	await mkdir(results, { recursive: true });
	await writeFile(fileOf(suite), JSON.stringify(counts));
}
