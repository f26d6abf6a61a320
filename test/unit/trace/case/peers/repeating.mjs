// @ts-check
/** A raw peer of 2026-07-28 that asks for the same URL in two rounds, and returns the action of the second response. */
import { createInterface } from 'node:readline';

const page = {
	method: 'elicitation/create',
	params: { mode: 'url', message: 'Sign in', url: 'https://example.com/in' },
};
const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params = {} } = JSON.parse(line);
	const { requestState: state, inputResponses: responses } = params;
	/** @type {Record<string, object>} */
	const results = {
		'server/discover': { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
		'tools/list': { ...complete, tools: [{ name: 'enter', inputSchema: { type: 'object' } }] },
		'tools/call':
			state === '2'
				? { ...complete, content: [{ type: 'text', text: responses.page.action }] }
				: { resultType: 'input_required', inputRequests: { page }, requestState: state ? '2' : '1' },
	};
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: results[method] })}\n`);
});
