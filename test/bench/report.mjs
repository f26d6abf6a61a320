// @ts-check
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { results } from '../harness/paths.mjs';

/**
 * @typedef {object} Row
 * @property {string} name what was measured, and in which unit
 * @property {number} value the median, or what the name says
 * @property {string} [baselineName] what it is compared with, measured in the same run
 * @property {number} [baseline]
 * @property {string} [goal] in words; nothing fails when it is missed: a benchmark informs
 */

/** @param {readonly number[]} values */
export function median(values) {
	return percentile(values, 0.5);
}

/**
 * @param {readonly number[]} values
 * @param {number} share 0.95 for the 95th percentile
 */
export function percentile(values, share) {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Prints one table for all benchmarks and keeps it as JSON.
 * @param {readonly Row[]} rows
 */
export async function print(rows) {
	const cells = rows.map(({ name, value, baselineName, baseline, goal }) => [
		name,
		round(value),
		baseline === undefined ? '' : `${round(baseline)} (${baselineName ?? ''})`,
		baseline === undefined ? '' : round(value / baseline),
		goal ?? '',
	]);
	const table = [['benchmark', 'value', 'baseline', 'ratio', 'goal'], ...cells];
	const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
	for (const row of table) {
		console.log(
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('  ')
				.trimEnd(),
		);
	}
	await mkdir(results, { recursive: true });
	const file = join(results, 'bench.json');
	await writeFile(file, JSON.stringify({ node: process.version, processors: cpus().length, rows }, undefined, '\t'));
	console.log(`\nas JSON: ${file}`);
}

/** @param {number} value */
function round(value) {
	return value >= 100 ? String(Math.round(value)) : value.toFixed(value >= 10 ? 1 : 2);
}
