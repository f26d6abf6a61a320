// @ts-check
/**
 * A server on the official SDK 2.x that supports only revision 2026-07-28. Its tools do what their arguments say:
 * `ask` returns one `input_required` result with the given params unchanged, and then the client's response.
 *
 *   node sdk2.mjs                 stdio
 *   node sdk2.mjs --http PORT     streamable HTTP on /mcp (PORT 0: any; see the line on stdout)
 */
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, ProtocolError, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { file, flags, listen, prompts, resources, resourceTemplates, shown, told, tool } from './content.mjs';

/** @typedef {Record<string, any>} Args */
/** @typedef {import('@modelcontextprotocol/server').ServerContext} Context */

const name = { message: 'Your name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };

const tools = [
	tool('ask', 'One round with `params` as they are.', { params: {} }),
	tool(
		'rounds',
		'`count` rounds, endless without it; `silent` rounds carry a state alone, `padding` fattens the state.',
		{
			count: { type: 'integer' },
			silent: { type: 'boolean' },
			padding: { type: 'string' },
		},
	),
	tool('many', 'One round that asks all of `params`, an object of elicitations by key.', {
		params: { type: 'object' },
	}),
	tool('url', 'One round in URL mode.', { url: { type: 'string' }, message: { type: 'string' } }),
	tool('plain', 'Asks nothing and returns its arguments.'),
];

/** @type {Record<string, (args: Args, ctx: Context) => any>} */
const run = {
	ask: ({ params }, ctx) => once(ctx, { ask: params }, ({ ask }) => shown(ask)),
	many: ({ params }, ctx) => once(ctx, params, (answers) => shown({ answers })),
	url: ({ url, message = 'Please open this page.' }, ctx) =>
		once(ctx, { page: { mode: 'url', message, url } }, ({ page }) => shown(page)),
	plain: (args) => shown({ arguments: args }),
	rounds: ({ count = Number.POSITIVE_INFINITY, silent = false, padding = '' }, ctx) => {
		const before = ctx.mcpReq.requestState();
		const state = before === undefined ? { answers: [], padding } : JSON.parse(String(before));
		if (state.padding !== padding) {
			throw new ProtocolError(-32602, 'requestState came back changed');
		}
		if (before !== undefined) {
			state.answers.push(ctx.mcpReq.inputResponses?.next ?? null);
		}
		if (state.answers.length >= count) {
			return shown({ answers: state.answers });
		}
		const message = `Round ${state.answers.length + 1}`;
		return inputRequired(silent ? {} : { next: { ...name, message } }, JSON.stringify(state));
	},
};

/**
 * Requests input in the first round, without a state, and returns the responses in the second.
 * @param {Context} ctx
 * @param {Record<string, unknown>} elicitations
 * @param {(answers: Record<string, any>) => any} show
 */
function once(ctx, elicitations, show) {
	const answers = ctx.mcpReq.inputResponses;
	return answers === undefined ? inputRequired(elicitations) : show(answers);
}

/**
 * Without SDK helpers, so that the params reach the client unchanged.
 * @param {Record<string, unknown>} elicitations
 * @param {string} [requestState]
 */
function inputRequired(elicitations, requestState) {
	const entries = Object.entries(elicitations).map(([key, params]) => [key, { method: 'elicitation/create', params }]);
	return {
		resultType: 'input_required',
		...(entries.length === 0 ? {} : { inputRequests: Object.fromEntries(entries) }),
		...(requestState === undefined ? {} : { requestState }),
	};
}

function createSession() {
	const server = new Server(
		{ name: 'sdk2', version: '1.0.0' },
		{ capabilities: { tools: {}, prompts: {}, resources: {} } },
	);
	server.setRequestHandler('tools/list', () => ({ tools }));
	server.setRequestHandler('tools/call', async ({ params }, ctx) => {
		const found = Object.hasOwn(run, params.name) ? run[params.name] : undefined;
		if (found === undefined) {
			throw new ProtocolError(-32602, `Unknown tool: ${params.name}`);
		}
		return found(params.arguments ?? {}, ctx);
	});
	server.setRequestHandler('prompts/list', () => ({ prompts }));
	server.setRequestHandler('prompts/get', ({ params }, ctx) => {
		if (params.name !== 'greet') {
			throw new ProtocolError(-32602, `Unknown prompt: ${params.name}`);
		}
		return once(ctx, { name }, (answers) => told.prompt({ arguments: params.arguments, answer: answers.name }));
	});
	server.setRequestHandler('resources/list', () => ({ resources }));
	server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
	server.setRequestHandler(
		'resources/read',
		({ params: { uri } }, ctx) =>
			file(uri) ?? once(ctx, { name }, (answers) => told.resource(uri, { uri, answer: answers.name })),
	);
	return server;
}

const { http } = flags();
if (http === undefined) {
	serveStdio(createSession, { legacy: 'reject' });
} else {
	const handle = toNodeHandler(createMcpHandler(createSession, { legacy: 'reject' }));
	listen(
		createServer((request, response) => handle(/** @type {any} */ (request), response)),
		http,
		'/mcp',
	);
}
