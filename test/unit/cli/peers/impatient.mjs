// @ts-check
/**
 * A raw peer whose tool `ask` requests a number; its tool `refuse`, too, and takes no response. The fifth call, the only one
 * of a matrix without a response, gives up after half a second.
 */
import { said, send, serve } from './session.mjs';

const requestedSchema = { type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] };

let call = { id: 0, name: '' };
let calls = 0;
/** @type {NodeJS.Timeout | undefined} */
let timer;

/** @param {import('./session.mjs').Message} outcome */
function end(outcome) {
	clearTimeout(timer);
	send({ id: call.id, ...outcome });
}

serve('impatient', ['ask', 'refuse'], {
	'tools/call': ({ id, params }) => {
		call = { id, name: params.name };
		send({ id: `q${id}`, method: 'elicitation/create', params: { message: 'How many?', requestedSchema } });
		calls++;
		if (calls === 5) {
			timer = setTimeout(() => end({ error: { code: -32001, message: 'Nobody responded.' } }), 500);
		}
	},
	response: ({ result, error }) =>
		end({ result: said(JSON.stringify(result ?? error), error !== undefined || call.name === 'refuse') }),
});
