// @ts-check
/**
 * A peer without any SDK over stdio that does nothing but ask, so that what is measured is its client. Both eras have the tool
 * `interview`; its result says how many answers were accepted with the content that was asked for.
 *
 *   node interviewer.mjs sessions   revision 2025-11-25: one call asks `elicitations` times, `atOnce` at a time
 *   node interviewer.mjs rounds     revision 2026-07-28: one call asks once, in a round
 */
import { createInterface } from 'node:readline';

const requestedSchema = {
	type: 'object',
	properties: {
		name: { type: 'string', title: 'Your name', minLength: 3, maxLength: 100 },
		email: { type: 'string', title: 'Where to reach you', format: 'email' },
		size: { type: 'string', enum: ['S', 'M', 'L'] },
		amount: { type: 'integer', minimum: 0, maximum: 1_000_000 },
		gift: { type: 'boolean', description: 'Wrap it up', default: false },
	},
	required: ['name', 'amount'],
};

/** Elicitations that wait for the client. @type {Map<unknown, (accepted: boolean) => void>} */
const asked = new Map();
let elicitations = 0;

/** @param {object} message */
function send(message) {
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** @param {number} number */
function elicitation(number) {
	return { mode: 'form', message: `Elicitation ${number}: where shall it go?`, requestedSchema };
}

/** @param {any} answer @param {number} number */
function isAnswer(answer, number) {
	return answer?.action === 'accept' && answer.content?.amount === number;
}

/** @param {number} number */
async function ask(number) {
	send({ id: `q${number}`, method: 'elicitation/create', params: elicitation(number) });
	return new Promise((resolve) => asked.set(`q${number}`, resolve));
}

/** @param {unknown} id @param {{ elicitations: number, atOnce: number }} wanted */
async function interview(id, wanted) {
	const last = elicitations + wanted.elicitations;
	let accepted = 0;
	const one = async () => {
		while (elicitations < last) {
			if (await ask(++elicitations)) {
				accepted++;
			}
		}
	};
	await Promise.all(Array.from({ length: wanted.atOnce }, one));
	return send({ id, result: { content: [], structuredContent: { accepted } } });
}

/** @param {unknown} id @param {any} params */
function round(id, { inputResponses, requestState }) {
	if (inputResponses === undefined) {
		const number = ++elicitations;
		const inputRequests = { elicitation: { method: 'elicitation/create', params: elicitation(number) } };
		return send({ id, result: { resultType: 'input_required', inputRequests, requestState: String(number) } });
	}
	const accepted = isAnswer(inputResponses.elicitation, Number(requestState)) ? 1 : 0;
	send({ id, result: { resultType: 'complete', content: [], structuredContent: { accepted } } });
}

const tools = [{ name: 'interview', inputSchema: { type: 'object' } }];

/** @param {any} message */
function sessions({ id, method, params, result }) {
	if (method === 'initialize') {
		const serverInfo = { name: 'interviewer', version: '1.0.0' };
		send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
	} else if (method === 'tools/list') {
		send({ id, result: { tools } });
	} else if (method === 'tools/call') {
		void interview(id, params.arguments);
	} else if (method === undefined) {
		asked.get(id)?.(isAnswer(result, Number(String(id).slice(1))));
		asked.delete(id);
	}
}

/** @param {any} message */
function rounds({ id, method, params }) {
	const cache = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
	if (method === 'server/discover') {
		send({ id, result: { ...cache, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } });
	} else if (method === 'tools/list') {
		send({ id, result: { ...cache, tools } });
	} else if (method === 'tools/call') {
		round(id, params);
	}
}

const serve = process.argv[2] === 'rounds' ? rounds : sessions;
createInterface({ input: process.stdin }).on('line', (line) => serve(JSON.parse(line)));
