// @ts-check
/**
 * A test peer without an SDK, revision 2025-11-25 over stdio, that sends elicitations one by one and reads the responses
 * verbatim, including names such as `__proto__` that an SDK would drop.
 *
 *   node realWorldSchemas.mjs ELICITATIONS JOURNAL
 *
 * ELICITATIONS contains a JSON array of params of `elicitation/create`. The tool `ask-all` sends them and returns all results;
 * each result is also appended to JOURNAL when it arrives.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { shown, tool } from './content.mjs';

const [elicitations = '', journal = ''] = process.argv.slice(2);
const tools = [tool('ask-all', 'Asks everything, one elicitation after another.')];
/** @type {Map<string, (result: object) => void>} */
const asked = new Map();

/** @param {object} message */
function send(message) {
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/**
 * @param {unknown} params
 * @param {number} at
 * @returns {Promise<object>}
 */
function ask(params, at) {
	const id = `elicitation-${at}`;
	send({ id, method: 'elicitation/create', params });
	return new Promise((resolve) => asked.set(id, resolve));
}

async function askAll() {
	const answers = [];
	for (const [at, params] of JSON.parse(readFileSync(elicitations, 'utf8')).entries()) {
		const answer = await ask(params, at);
		answers.push(answer);
		appendFileSync(journal, `${JSON.stringify(answer)}\n`);
	}
	return shown({ answers });
}

/** @param {{ id?: any, method?: string, params?: any, result?: object, error?: object }} message */
async function receive({ id, method, result, error }) {
	switch (method) {
		case undefined:
			return asked.get(id)?.(result ?? { error });
		case 'initialize': {
			const serverInfo = { name: 'wild', version: '1.0.0' };
			return send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
		}
		case 'ping':
			return send({ id, result: {} });
		case 'tools/list':
			return send({ id, result: { tools } });
		case 'tools/call':
			return send({ id, result: await askAll() });
		default:
			return id === undefined ? undefined : send({ id, error: { code: -32601, message: `No method ${method}.` } });
	}
}

createInterface({ input: process.stdin }).on('line', (line) => void receive(JSON.parse(line)));
