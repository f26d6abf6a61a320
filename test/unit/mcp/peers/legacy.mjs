// @ts-check
/**
 * A test peer without an SDK, revision 2025-11-25 over stdio, that sends any request on demand. With the argument
 * `no-list`, it declares tools but doesn't list them.
 */
import { createInterface } from 'node:readline';

/** @type {Map<unknown, (message: any) => void>} */
const waiting = new Map();

/** @param {object} message */
function send(message) {
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** @param {object} value */
const shown = (value) => ({ content: [], structuredContent: value });

/** @type {Record<string, (args: any) => Promise<object>>} */
const tools = {
	send: ({ method, params }) =>
		new Promise((resolve) => {
			waiting.set('q1', ({ result, error }) => resolve(shown(error ? { error } : { result })));
			send({ id: 'q1', method, params });
		}),
	'send-twice': ({ method, params }) =>
		new Promise((resolve) => {
			/** @type {unknown[]} */
			const responses = [];
			waiting.set('q1', (message) => {
				if (responses.push(message) === 2) resolve(shown({ responses }));
			});
			send({ id: 'q1', method, params });
			send({ id: 'q1', method, params });
		}),
};

createInterface({ input: process.stdin }).on('line', async (line) => {
	const message = JSON.parse(line);
	const { id, method, params } = message;
	if (method === undefined) {
		waiting.get(id)?.(message);
	} else if (method === 'initialize') {
		const capabilities = { tools: {} };
		send({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'legacy', version: '1' } } });
	} else if (method === 'tools/list' && process.argv[2] !== 'no-list') {
		const inputSchema = { type: 'object' };
		send({ id, result: { tools: Object.keys(tools).map((name) => ({ name, inputSchema })) } });
	} else if (method === 'tools/call') {
		send({ id, result: await tools[params.name]?.(params.arguments) });
	} else if (id !== undefined) {
		send({ id, error: { code: -32601, message: 'Method not found' } });
	}
});
