// @ts-check
/**
 * A test peer without an SDK over stdio, revision 2025-11-25, whose behavior is read from a file at its start:
 *
 *   node scriptedBehavior.mjs FILE
 *
 * well: has the tool `greet` · bad: writes a line to stderr, then exits with code 7 · mute: never responds ·
 * deaf: like well, but it and its child process ignore the end of stdin and SIGTERM
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const behavior = readFileSync(String(process.argv[2]), 'utf8');
if (behavior === 'bad') {
	process.stderr.write('I do not feel well\n');
	process.exit(7);
}
if (behavior === 'deaf') {
	// Exits after two minutes, so that a failed test leaves no process.
	const stay = `process.on('SIGTERM', () => {}); setTimeout(() => process.exit(), 120_000);`;
	process.on('SIGTERM', () => {});
	setTimeout(() => process.exit(), 120_000);
	spawn(process.execPath, ['-e', stay], { stdio: 'ignore' });
}

/** @type {Record<string, object>} */
const results = {
	initialize: {
		protocolVersion: '2025-11-25',
		capabilities: { tools: {} },
		serverInfo: { name: 'scripted', version: '1.0.0' },
	},
	'tools/list': { tools: [{ name: 'greet', inputSchema: { type: 'object' } }] },
	'tools/call': { content: [{ type: 'text', text: 'Hello' }] },
};

createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method } = JSON.parse(line);
	if (id === undefined || behavior === 'mute') {
		return;
	}
	const answer = Object.hasOwn(results, method)
		? { result: results[method] }
		: { error: { code: -32601, message: 'Method not found' } };
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
