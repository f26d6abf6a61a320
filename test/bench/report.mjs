// @ts-check
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { columns } from '../harness/measure.mjs';
import { results } from '../harness/paths.mjs';
import { tell } from '../harness/process.mjs';

/**
 * What was measured, in which unit; the median, or what the name says; what it is compared with, measured in the same run; and a goal in
 * words: nothing fails when it is missed, a benchmark informs.
 * @typedef {readonly [name: string, value: number, baseline?: readonly [value: number, name: string] | undefined, goal?: string]} Row
 */

/** Subjects that are compared take turns, so that a machine that is busy for a while is so for all of them. */
export const TURNS = 20;

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
 * Measures subjects in turn. The first turn has to warm up what all later ones share, and does not count.
 * @template {string} Name
 * @template T
 * @param {string} what
 * @param {number} turns
 * @param {Record<Name, () => Promise<T>>} subjects
 * @returns {Promise<Record<Name, T[]>>}
 */
export async function inTurns(what, turns, subjects) {
	const names = /** @type {Name[]} */ (Object.keys(subjects));
	const found = /** @type {Record<Name, T[]>} */ (
		Object.fromEntries(names.map((name) => [name, /** @type {T[]} */ ([])]))
	);
	for (let turn = 0; turn <= turns; turn++) {
		tell(`${what}: turn ${turn} of ${turns}`);
		for (const name of names) {
			const measured = await subjects[name]();
			if (turn > 0) {
				found[name].push(measured);
			}
		}
	}
	return found;
}

/**
 * Looks until there is something to see.
 * @template T
 * @param {string} what
 * @param {() => Promise<T | undefined>} look
 * @param {number} [seconds]
 * @returns {Promise<T>}
 */
export async function until(what, look, seconds = 30) {
	for (const patience = Date.now() + 1000 * seconds; Date.now() < patience; ) {
		const found = await look();
		if (found !== undefined) {
			return found;
		}
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	throw new Error(`${what}: not within ${seconds} s.`);
}

setFlagsFromString('--expose-gc');
/** @type {() => void} */
export const collectGarbage = runInNewContext('gc');

/**
 * Prints one table for all benchmarks and keeps it as JSON.
 * @param {readonly Row[]} rows
 */
export async function print(rows) {
	const cells = rows.map(([name, value, baseline, goal = '']) => [
		name,
		round(value),
		baseline ? `${round(baseline[0])} (${baseline[1]})` : '',
		baseline ? round(value / baseline[0]) : '',
		goal,
	]);
	for (const line of columns([['benchmark', 'value', 'baseline', 'ratio', 'goal'], ...cells])) {
		console.log(line);
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
