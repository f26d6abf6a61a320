// @ts-check
/**
 * A test peer without an SDK, revision 2026-07-28 over stdio. `play` returns the first of `results` for the first
 * request of a call, the second for its retry, and so on; the last one is repeated. `__seen` in a result is replaced
 * with the received params.
 */
import { createInterface } from 'node:readline';

/** @type {Map<string, any[]>} */
const seen = new Map();

/** @param {object} message */
function send(message) {
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** @param {any} id @param {any} params */
function play(id, params) {
	const { key, results } = params.arguments;
	const requests = seen.get(key) ?? [];
	seen.set(key, requests);
	requests.push({ id, inputResponses: params.inputResponses, requestState: params.requestState });
	const result = results[Math.min(requests.length, results.length) - 1];
	if (result === null) {
		process.exit(7);
	}
	if (result.error !== undefined) {
		return send({ id, error: result.error });
	}
	send({ id, result: '__seen' in result ? { ...result, content: [], structuredContent: { requests } } : result });
}

createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params } = JSON.parse(line);
	const resultType = 'complete';
	const cache = { ttlMs: 0, cacheScope: 'private' };
	if (method === 'server/discover') {
		send({ id, result: { resultType, ...cache, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } });
	} else if (method === 'tools/list') {
		send({ id, result: { resultType, ...cache, tools: [{ name: 'play', inputSchema: { type: 'object' } }] } });
	} else if (method === 'tools/call') {
		play(id, params);
	} else if (id !== undefined) {
		send({ id, error: { code: -32601, message: 'Method not found' } });
	}
});
