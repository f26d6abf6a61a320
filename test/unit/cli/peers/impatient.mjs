// @ts-check
/**
 * A raw peer whose tool `ask` requests a number; its tool `refuse`, too, and takes no response. The fifth call, the only one
 * of a matrix without a response, gives up after half a second.
 */
import { createInterface } from 'node:readline';

/** @typedef {Record<string, any>} Message */

/** @param {Message} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const requestedSchema = { type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] };

/** @type {Message | undefined} */
let call;
let calls = 0;
/** @type {NodeJS.Timeout | undefined} */
let timer;

/** @param {Message} outcome */
function end(outcome) {
	clearTimeout(timer);
	send({ id: call?.id, ...outcome });
}

createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params, result, error } = JSON.parse(line);
	if (method === 'initialize') {
		const serverInfo = { name: 'impatient', version: '1.0.0' };
		send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
	} else if (method === 'tools/list') {
		send({ id, result: { tools: ['ask', 'refuse'].map((name) => ({ name, inputSchema: { type: 'object' } })) } });
	} else if (method === 'tools/call') {
		call = { id, name: params.name };
		send({ id: `q${id}`, method: 'elicitation/create', params: { message: 'How many?', requestedSchema } });
		calls++;
		if (calls === 5) {
			timer = setTimeout(() => end({ error: { code: -32001, message: 'Nobody responded.' } }), 500);
		}
	} else if (method === undefined) {
		const text = JSON.stringify(result ?? error);
		end({ result: { content: [{ type: 'text', text }], isError: error !== undefined || call?.name === 'refuse' } });
	} else if (id !== undefined) {
		send({ id, error: { code: -32601, message: 'Method not found' } });
	}
});
