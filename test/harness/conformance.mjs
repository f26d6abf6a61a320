// @ts-check
/** `npm run test:conformance`: the official suite, with the product's own connection layer as the client under test. */
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildConformanceClient } from './conformanceClient.mjs';
import { writeCounts } from './counts.mjs';
import { results, root } from './paths.mjs';
import { main, run, Stop } from './process.mjs';
import { node24 } from './toolchain.mjs';

/** The requirements that these runs cover, and how many scenarios the suite demands for each. */
const REVISIONS = [
	{ requirement: 'A05', revision: '2025-11-25', scenarios: 18 },
	{ requirement: 'A06', revision: '2026-07-28', scenarios: 32 },
];

/** Milliseconds that one scenario may take; all of them run at once. */
const TIMEOUT = 120_000;

/** @typedef {{ name: string, passed: boolean, why: string, optional?: string }} Scenario */

await main(async () => {
	const [client, node] = await Promise.all([buildConformanceClient(), node24()]);
	const counts = { passed: 0, failed: 0 };
	/** @type {Map<string, string[]>} */
	const optional = new Map();
	for (const { requirement, revision, scenarios } of REVISIONS) {
		const found = await runSuite(node, client, revision);
		const required = found.filter((scenario) => scenario.optional === undefined);
		const passed = required.filter((scenario) => scenario.passed).length;
		counts.passed += passed;
		// A scenario that the suite no longer has is not passed either.
		counts.failed += Math.max(scenarios, required.length) - passed;
		console.log(`${passed === scenarios ? '✔' : '✘'} ${requirement}: ${passed} of ${scenarios} for ${revision}`);
		for (const { name, why } of required.filter((scenario) => !scenario.passed)) {
			console.log(`  ✘ ${name}: ${why}`);
		}
		for (const { name, passed, optional: reason } of found.filter((scenario) => scenario.optional !== undefined)) {
			const row = `${name} (${reason})`;
			optional.set(row, [...(optional.get(row) ?? []), `${revision} ${passed ? 'passed' : 'not passed'}`]);
		}
	}
	console.log('\nOptional, not counted:');
	for (const [row, outcomes] of optional) {
		console.log(`  ${row.padEnd(62)} ${outcomes.join('   ')}`);
	}
	await writeCounts('conformance', counts);
	return counts.failed === 0 ? 0 : 1;
});

/**
 * Runs what a revision requires, and what the suite reports beside it. The suite needs a newer Node than the product, so it
 * gets one of its own; the client runs on ours.
 * @param {string} node
 * @param {string} client
 * @param {string} revision
 * @returns {Promise<Scenario[]>}
 */
async function runSuite(node, client, revision) {
	const suite = join(
		dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
		'dist/index.js',
	);
	const outputs = join(results, 'conformance', revision);
	await rm(outputs, { recursive: true, force: true });
	const { output } = await run(
		node,
		[
			suite,
			'client',
			...['--requirements', revision],
			...['--command', `"${process.execPath}" "${client}"`],
			...['--timeout', String(TIMEOUT)],
			...['--output-dir', outputs],
			'--verbose',
		],
		{ cwd: root },
	);
	return readSummary(output);
}

/**
 * The suite's summary: a line for every scenario, below it what failed; at the end those that do not count, with the reason.
 * @param {string} output
 */
function readSummary(output) {
	const [, afterTitle = ''] = output.split('=== SUITE SUMMARY ===\n');
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
