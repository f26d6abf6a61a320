// @ts-check
/** Runs the official conformance suite and reads its summary. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { results, root } from './paths.mjs';
import { run, Stop } from './process.mjs';

/** Timeout of a scenario (ms), generous because client scenarios run all at once, also on a busy machine. */
const TIMEOUT = 600_000;

/** @typedef {{ name: string, passed: boolean, why: string, optional?: string }} Scenario */

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
	const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
	const outputs = join(results, 'conformance', leg, revision);
	await rm(outputs, { recursive: true, force: true });
	const options = ['--timeout', String(TIMEOUT), '--output-dir', outputs, '--verbose'];
	const { output } = await run(
		node,
		[...nodeOptions, join(dirname(program), 'dist/index.js'), leg, '--requirements', revision, ...subject, ...options],
		{ cwd: root, env: { ...process.env, ...env } },
	);
	return readSummary(output);
}

/**
 * Starts a server that says on its first line where it is found, and ends it after use.
 * @template T
 * @param {readonly string[]} args its script and arguments
 * @param {(child: import('node:child_process').ChildProcessWithoutNullStreams) => void} stop
 * @param {(line: string) => Promise<T>} use
 */
export async function withServer(args, stop, use) {
	const child = spawn(process.execPath, args, { cwd: root, stdio: 'pipe' });
	let said = '';
	child.stderr.on('data', (chunk) => {
		said += chunk;
	});
	const ended = once(child, 'close');
	try {
		const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
		if (typeof line !== 'string') {
			throw new Stop(`${args[0]} ended before it said where it is found:\n${said}`);
		}
		return await use(line);
	} finally {
		stop(child);
		await ended;
	}
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
