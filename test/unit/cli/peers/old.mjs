// @ts-check
/** A raw peer of 2025-03-26, which has no elicitation. Its tool `old` requests a form all the same, and says what was chosen. */
import { said, send, serve } from './session.mjs';

let call = 0;

serve(
	'old',
	['old'],
	{
		'tools/call': ({ id }) => {
			call = id;
			const params = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
			send({ id: 'q', method: 'elicitation/create', params });
		},
		response: ({ result }) => send({ id: call, result: said(result?.action ?? 'none') }),
	},
	'2025-03-26',
);
