// @ts-check
/** A raw peer that requests a number as soon as it has started. Its tool `act` waits for the response, and returns it. */
import { createInterface } from 'node:readline';

/** @param {Record<string, any>} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const requestedSchema = { type: 'object', properties: { n: { type: 'integer' } } };

/** @type {number | undefined} */
let call;
/** @type {object | undefined} */
let response;

function end() {
	if (call !== undefined && response) {
		send({ id: call, result: { content: [{ type: 'text', text: JSON.stringify(response) }] } });
	}
}

createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params, result } = JSON.parse(line);
	if (method === 'initialize') {
		const serverInfo = { name: 'early', version: '1.0.0' };
		send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
	} else if (method === 'notifications/initialized') {
		send({ id: 'early', method: 'elicitation/create', params: { message: 'How many?', requestedSchema } });
	} else if (method === 'tools/list') {
		send({ id, result: { tools: [{ name: 'act', inputSchema: { type: 'object' } }] } });
	} else if (method === 'tools/call') {
		call = id;
		end();
	} else if (method === undefined) {
		response = result;
		end();
	} else if (id !== undefined) {
		send({ id, error: { code: -32601, message: 'Method not found' } });
	}
});
