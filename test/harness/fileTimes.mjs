// @ts-check
/** How long test files take. The next run of their suite starts with the longest, and a run tells its slowest. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { results } from './paths.mjs';

/** @typedef {Record<string, { at: number, seconds: number }>} FileTimes when each file was last run (ms), and for how long (s) */

/**
 * Where the times of a suite are kept.
 * @param {string} suite
 */
export const timesFile = (suite) => join(results, `${suite}.times.json`);

/**
 * @param {string} file
 * @returns {FileTimes}
 */
export function readTimes(file) {
	try {
		return JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		return {};
	}
}

/** A reporter of vitest that adds the times of a run to the file that MCP_ELICITATION_TIMES names. */
export default class KeepTimes {
	/** @param {readonly import('vitest/node').TestModule[]} modules */
	onTestRunEnd(modules) {
		const file = process.env.MCP_ELICITATION_TIMES ?? '';
		const times = modules.map((module) => {
			const { collectDuration, duration } = module.diagnostic();
			return [module.relativeModuleId, { at: Date.now(), seconds: (collectDuration + duration) / 1000 }];
		});
		writeFileSync(file, JSON.stringify({ ...readTimes(file), ...Object.fromEntries(times) }));
	}
}
