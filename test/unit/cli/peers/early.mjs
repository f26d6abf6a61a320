// @ts-check
/**
 * A raw peer that requests a number while it starts, and lists its tool `act`, which returns the response, once it has that.
 */
import { createInterface } from 'node:readline';

/** @param {Record<string, any>} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const requestedSchema = { type: 'object', properties: { n: { type: 'integer' } } };

/** @type {object | undefined} */
let response;
/** @type {(() => void)[]} */
const waiting = [];

createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params, result } = JSON.parse(line);
	if (method === 'initialize') {
		const serverInfo = { name: 'early', version: '1.0.0' };
		send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
	} else if (method === 'notifications/initialized') {
		send({ id: 'early', method: 'elicitation/create', params: { message: 'How many?', requestedSchema } });
	} else if (method === 'tools/list') {
		const list = () => send({ id, result: { tools: [{ name: 'act', inputSchema: { type: 'object' } }] } });
		response ? list() : waiting.push(list);
	} else if (method === 'tools/call') {
		send({ id, result: { content: [{ type: 'text', text: JSON.stringify(response) }] } });
	} else if (method === undefined) {
		response = result;
		for (const list of waiting.splice(0)) {
			list();
		}
	} else if (id !== undefined) {
		send({ id, error: { code: -32601, message: 'Method not found' } });
	}
});
