// @ts-check
/**
 * A server that runs the first time and exits at once from then on. FILE records that it has run. Usage: node
 * runsOnce.mjs FILE
 */
import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [seen = ''] = process.argv.slice(2);
const leave = () => {
	process.stderr.write('Not again\n');
	process.exit(3);
};
if (existsSync(seen)) {
	leave();
}
writeFileSync(seen, '');

for await (const line of createInterface({ input: process.stdin })) {
	const { id, method } = JSON.parse(line);
	const answer = (/** @type {object} */ result) =>
		process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...result })}\n`);
	if (method === 'initialize') {
		const serverInfo = { name: 'once', version: '1.0.0' };
		answer({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
	} else if (method === 'tools/list') {
		answer({ result: { tools: [{ name: 'leave', inputSchema: { type: 'object' } }] } });
	} else if (method === 'tools/call') {
		leave();
	} else if (id !== undefined) {
		answer({ error: { code: -32601, message: 'Method not found' } });
	}
}
