// @ts-check
/**
 * A raw peer that requests a number while it starts, and lists its tool `act`, which returns the response, once it has that.
 */
import { said, send, serve } from './session.mjs';

const requestedSchema = { type: 'object', properties: { n: { type: 'integer' } } };

/** @type {object | undefined} */
let response;
/** @type {(() => void)[]} */
const waiting = [];

serve('early', [], {
	'notifications/initialized': () =>
		send({ id: 'early', method: 'elicitation/create', params: { message: 'How many?', requestedSchema } }),
	'tools/list': ({ id }) => {
		const list = () => send({ id, result: { tools: [{ name: 'act', inputSchema: { type: 'object' } }] } });
		response ? list() : waiting.push(list);
	},
	'tools/call': ({ id }) => send({ id, result: said(JSON.stringify(response)) }),
	response: ({ result }) => {
		response = result;
		for (const list of waiting.splice(0)) {
			list();
		}
	},
});
