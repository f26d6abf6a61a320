// @ts-check
/** Runs the official conformance suite and parses its summary. */
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { results, root } from './paths.mjs';
import { run, Stop } from './process.mjs';

/** Timeout of a scenario (ms). Client scenarios run concurrently. */
const TIMEOUT = 120_000;

/** @typedef {{ name: string, passed: boolean, why: string, optional?: string }} Scenario */
/** @typedef {{ subject: string, scenarios: Scenario[], inapplicable: ReadonlyMap<string, string> }} Outcome */

/**
 * Runs what a revision requires, and what the suite reports beside it. The suite needs a newer Node than the product, so it
 * gets one of its own; what is under test runs on ours.
 * @param {string} node
 * @param {'client' | 'server'} leg what is under test
 * @param {string} revision
 * @param {readonly string[]} subject where it is found, as the suite's options
 * @param {{ nodeOptions?: readonly string[], env?: Record<string, string> }} [options] for the suite's own process
 * @returns {Promise<Scenario[]>}
 */
export async function runSuite(node, leg, revision, subject, { nodeOptions = [], env = {} } = {}) {
	const suite = join(
		dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
		'dist/index.js',
	);
	const outputs = join(results, 'conformance', leg, revision);
	await rm(outputs, { recursive: true, force: true });
	const { output } = await run(
		node,
		[
			...nodeOptions,
			suite,
			leg,
			...['--requirements', revision],
			...subject,
			...['--timeout', String(TIMEOUT)],
			...['--output-dir', outputs],
			'--verbose',
		],
		{ cwd: root, env: { ...process.env, ...env } },
	);
	return readSummary(output);
}

/**
 * A scenario that the suite no longer has is not passed either.
 * @param {readonly Scenario[]} found
 * @param {Iterable<string>} names
 * @returns {Scenario[]}
 */
export function pickScenarios(found, names) {
	const missing = { passed: false, why: 'the suite does not have it' };
	return [...names].map((name) => found.find((scenario) => scenario.name === name) ?? { name, ...missing });
}

/**
 * The suite's summary: a line for every scenario, below it what failed; at the end those that do not count, with the reason.
 * @param {string} output
 */
function readSummary(output) {
	const [, afterTitle = ''] = output.split(/=== (?:SUITE )?SUMMARY ===\n/);
	const [summary = '', unscored] = afterTitle.split('\nTotal: ');
	if (unscored === undefined) {
		throw new Stop(`The conformance suite did not come to its end:\n${output}`);
	}
	const reasons = new Map(
		[...unscored.matchAll(/^ {2}[✓✗] (\S+) \((.+)\)$/gm)].map(([, name, reason]) => [name, reason]),
	);
	/** @type {Scenario[]} */
	const scenarios = [];
	for (const line of summary.split('\n')) {
		const [, mark, name, why = ''] = /^([✓✗-]) (\S+): (.*)$/.exec(line) ?? [];
		const last = scenarios.at(-1);
		if (name !== undefined) {
			const optional = reasons.get(name);
			scenarios.push({ name, passed: mark === '✓', why, ...(optional !== undefined && { optional }) });
		} else if (last && line.trim() !== '') {
			last.why += `\n${line}`;
		}
	}
	return scenarios;
}
