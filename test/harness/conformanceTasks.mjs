// @ts-check
/**
 * Runs the official scenarios for servers with tasks against `test/servers/conformanceTasks.mjs`. The suite has none for
 * clients with tasks: `test/unit/mcp/tasks/conformance.test.ts` drives the client against a server that passes these.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pickScenarios, runSuite } from './conformanceSuite.mjs';
import { root } from './paths.mjs';
import { Stop } from './process.mjs';

/** `tasks-status-notifications` is left out, because the suite skips it so far. */
const NAMES = [
	'tasks-lifecycle',
	'tasks-capability-negotiation',
	'tasks-wire-fields',
	'tasks-request-state-removal',
	'tasks-mrtr-input',
	'tasks-request-headers',
	'tasks-dispatch-and-envelope',
	'tasks-required-task-error',
	'tasks-mrtr-composition',
];

/**
 * @param {string} node which the suite needs
 * @returns {Promise<import('./conformanceSuite.mjs').Outcome>}
 */
export async function taskScenarios(node) {
	const script = join(root, 'test/servers/conformanceTasks.mjs');
	const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
	const ended = once(child, 'close');
	try {
		const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
		const [, url] = /^listening (\S+)$/.exec(String(line)) ?? [];
		if (url === undefined) {
			throw new Stop('The server with tasks ended before it listened.');
		}
		const found = await runSuite(node, 'server', '2026-07-28', ['--url', url]);
		return { subject: 'server with tasks', scenarios: pickScenarios(found, NAMES), inapplicable: new Map() };
	} finally {
		child.kill();
		await ended;
	}
}
