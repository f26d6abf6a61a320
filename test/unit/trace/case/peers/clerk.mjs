// @ts-check
/**
 * A raw peer of both eras that asks for a door code and says which parcel it took. MOOD changes what it does:
 * `elicitation`, `schema`, `more`, `result`, `gone`; anything else is its usual way. TICKET is the UUID in its request; a new
 * one by default.
 */
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';

const { MOOD = '', TICKET = randomUUID() } = process.env;
/** @typedef {Record<string, any>} Message */

/**
 * Serializes the absent error as null, as many languages do, and below, the absent mode and state; returns ids as text, as some do.
 * @param {Message} message
 */
const send = (message) => {
	const more = message.result && { error: null, id: `${message.id}` };
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message, ...more })}\n`);
};

const elicitation = {
	mode: null,
	message: MOOD === 'elicitation' ? 'Who are you?' : `Who is at the door? Ticket ${TICKET}.`,
	requestedSchema: {
		type: 'object',
		properties: {
			name: { type: 'string', ...(MOOD === 'schema' && { maxLength: 3 }) },
			door_code: { type: 'string', format: 'password' },
			pin: { type: 'integer' },
		},
	},
};

/** @param {Message} answer */
const result = ({ action, content = {} }) => ({
	content: [
		{ type: 'text', text: `${content.name} came at ${new Date().toISOString()} with ${content.door_code}` },
		{ type: 'text', text: JSON.stringify({ parcel: randomUUID(), mood: MOOD === 'result' ? 'bad' : 'good' }) },
	],
	structuredContent: {
		...{ action, content, session_token: randomUUID() },
		parcels: { [randomUUID()]: { size: 'S' }, [randomUUID()]: { size: 'L' } },
	},
	resultType: 'complete',
});

const inputSchema = { type: 'object', properties: { badge: { type: 'string', format: 'password' } } };

/** The call that waits for an answer. @type {Message | undefined} */
let call;

/** @type {Record<string, (message: Message) => void>} */
const handlers = {
	initialize: ({ id, params }) =>
		send({
			id,
			result: {
				protocolVersion: params.protocolVersion,
				capabilities: { tools: {} },
				serverInfo: { name: 'clerk', version: '1.0.0' },
			},
		}),
	'tools/list': ({ id }) =>
		send({
			id,
			result: { tools: [{ name: 'take', inputSchema }], ttlMs: 0, cacheScope: 'private' },
		}),
	'tools/call': (message) => {
		process.stderr.write('a call\n');
		if (MOOD === 'gone') process.exit(3);
		call = message;
		const { id, params } = message;
		if (process.argv[2] !== 'modern') {
			send({ id: 'q1', method: 'elicitation/create', params: elicitation });
		} else if (params.inputResponses === undefined || (MOOD === 'more' && params.requestState === '1')) {
			const inputRequests = { it: { method: 'elicitation/create', params: elicitation } };
			const requestState = MOOD === 'more' ? (params.requestState === undefined ? '1' : '2') : null;
			send({ id, result: { resultType: 'input_required', inputRequests, requestState } });
		} else if (params.requestState === null) {
			send({ id, error: { code: -32602, message: 'requestState must be a string' } });
		} else {
			send({ id, result: result(params.inputResponses.it) });
		}
	},
};
if (process.argv[2] === 'modern') {
	handlers['server/discover'] = ({ id }) =>
		send({
			id,
			result: {
				supportedVersions: ['2026-07-28'],
				capabilities: { tools: {} },
				resultType: 'complete',
				ttlMs: 0,
				cacheScope: 'private',
			},
		});
	delete handlers['initialize'];
}

let answers = 0;
createInterface({ input: process.stdin }).on('line', (line) => {
	const message = JSON.parse(line);
	if (message.method === undefined) {
		answers++;
		if (MOOD === 'more' && answers === 1) {
			send({ id: 'q2', method: 'elicitation/create', params: elicitation });
		} else {
			send({ id: call?.id, result: result(message.result) });
		}
	} else if (Object.hasOwn(handlers, message.method)) {
		handlers[message.method]?.(message);
	} else if (message.id !== undefined) {
		send({ id: message.id, error: { code: -32601, message: 'Method not found' } });
	}
});
