// @ts-check
/** What peers without an SDK have in common: a session over stdio, with tools that take no arguments. */
import { createInterface } from 'node:readline';

/** @typedef {Record<string, any>} Message */

/** @param {Message} message */
export const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** The result of a tool. @param {string} text */
export const said = (text, isError = false) => ({ content: [{ type: 'text', text }], isError });

/**
 * @param {string} name
 * @param {string[]} tools
 * @param {Record<string, (message: Message) => void>} handlers by method; `response` for all responses
 * @param {string} [revision] the revision to choose, whatever the client proposes
 */
export function serve(name, tools, handlers, revision) {
	/** @type {typeof handlers} */
	const all = {
		initialize: ({ id, params }) => {
			const serverInfo = { name, version: '1.0.0' };
			const protocolVersion = revision ?? params.protocolVersion;
			send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
		},
		'tools/list': ({ id }) =>
			send({ id, result: { tools: tools.map((each) => ({ name: each, inputSchema: { type: 'object' } })) } }),
		...handlers,
	};
	createInterface({ input: process.stdin }).on('line', (line) => {
		const message = JSON.parse(line);
		const handle = all[message.method ?? 'response'];
		if (handle) {
			handle(message);
		} else if (message.id !== undefined) {
			send({ id: message.id, error: { code: -32601, message: 'Method not found' } });
		}
	});
}
