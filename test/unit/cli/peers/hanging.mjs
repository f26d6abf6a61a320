// @ts-check
/**
 * A raw peer whose tool `ask` requests consent and responds once it is given; its tool `hang` never responds, and `crash`
 * ends it. Where it waits forever, it writes the file `hanging` of its folder. Ends only when it is killed.
 */
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** @param {Record<string, any>} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const hang = () => writeFileSync('hanging', '');

process.on('SIGTERM', () => {});
setInterval(() => {}, 1_000_000);

/** @type {number | undefined} */
let call;

createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params, result } = JSON.parse(line);
	if (method === 'initialize') {
		const serverInfo = { name: 'hanging', version: '1.0.0' };
		send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
	} else if (method === 'tools/list') {
		send({
			id,
			result: { tools: ['ask', 'hang', 'crash'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
		});
	} else if (method === 'tools/call' && params.name === 'hang') {
		hang();
	} else if (method === 'tools/call' && params.name === 'crash') {
		process.exit(3);
	} else if (method === 'tools/call') {
		call = id;
		const form = { message: 'Go on?', requestedSchema: { type: 'object', properties: {} } };
		send({ id: `q${id}`, method: 'elicitation/create', params: form });
	} else if (method === undefined && result?.action === 'accept') {
		send({ id: call, result: { content: [{ type: 'text', text: 'Went on.' }] } });
	} else if (method === undefined) {
		hang();
	} else if (id !== undefined) {
		send({ id, error: { code: -32601, message: 'Method not found' } });
	}
});
