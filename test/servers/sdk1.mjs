// @ts-check
/**
 * A server on the official SDK 1.x, up to revision 2025-11-25. Its tools do what their arguments say: `ask` sends
 * the given `elicitation/create` params unchanged and returns the client's raw result.
 *
 *   node sdk1.mjs                 stdio
 *   node sdk1.mjs --http PORT     streamable HTTP with sessions, on /mcp (PORT 0: any; see the line on stdout)
 *   node sdk1.mjs --sse PORT      the old HTTP+SSE transport, on /sse
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as types from '@modelcontextprotocol/sdk/types.js';
import {
	file,
	flags,
	listen,
	mixedContent,
	prompts,
	resources,
	resourceTemplates,
	shown,
	told,
	tool,
} from './content.mjs';

/** Max timer delay (ms): the test decides how long a user takes. */
const FOREVER = 2 ** 31 - 1;

/** @typedef {Record<string, any>} Args */
/** @typedef {import('@modelcontextprotocol/sdk/shared/protocol.js').RequestHandlerExtra<types.ServerRequest, types.ServerNotification>} Extra */

const tools = [
	tool('ask', 'Sends `params` as they are and returns what came back.', { params: {} }),
	tool('ask-many', 'Sends all of `params` at the same time.', { params: { type: 'array' } }),
	tool('ask-later', 'Returns at once and asks afterwards, with no call in flight.', { params: {} }),
	tool(
		'url',
		'Asks in URL mode; the completion notice comes before the request, after the accept, never, or (and the result with it) with `complete`.',
		{
			url: { type: 'string' },
			message: { type: 'string' },
			elicitationId: { type: 'string' },
			complete: { type: 'string', enum: ['before', 'after', 'never', 'later'] },
		},
	),
	tool('complete', 'Sends a completion notice for any id.', { elicitationId: {} }),
	tool(
		'require-url',
		'Refuses with -32042 and `entries` as given, until `finish` was called with their ids; with `fresh`, for another page each time.',
		{
			entries: {},
			fresh: { type: 'boolean' },
		},
	),
	tool('finish', 'Marks the ids as finished and, unless `notice` is false, sends their completion notices.', {
		ids: { type: 'array', items: { type: 'string' } },
		notice: { type: 'boolean' },
	}),
	tool('progress', 'Reports progress `steps` times, with messages.', { steps: { type: 'integer' } }),
	tool('fail', 'Fails as a tool or, with `protocol`, as a request.', { protocol: { type: 'boolean' } }),
	tool('slow', 'Answers after `ms` milliseconds unless the call is cancelled.', { ms: { type: 'number' } }),
	tool('mixed-content', 'Returns one content block of every kind.'),
	tool('crash', 'Asks and leaves the process `ms` milliseconds later, with the elicitation open.', {
		params: {},
		ms: { type: 'number' },
	}),
];

/** Fails with -32042 until the tool `finish` is called with the id. So does every resource `test://pages/ID`. */
const visit = {
	name: 'visit',
	description: 'Needs a page to be opened first.',
	arguments: [{ name: 'id', required: true }],
};

/** One server for one session. */
function createSession() {
	const server = new Server(
		{ name: 'sdk1', version: '1.0.0' },
		{ capabilities: { tools: {}, prompts: {}, resources: {}, logging: {} } },
	);
	/** @type {Set<string>} */
	const finished = new Set();

	/** Calls that wait for the completion of an elicitation, by its id. @type {Map<unknown, () => void>} */
	const waiting = new Map();
	/** @param {unknown} elicitationId */
	const complete = (elicitationId) =>
		server.notification({ method: 'notifications/elicitation/complete', params: { elicitationId } });

	/** @type {Record<string, (args: Args, extra: Extra) => Promise<any>>} */
	const run = {
		ask: async ({ params }, extra) => {
			const answer = await ask(extra, params);
			return shown(answer, 'error' in answer);
		},
		'ask-many': async ({ params }, extra) => {
			const answers = await Promise.all(params.map((/** @type {unknown} */ each) => ask(extra, each)));
			return shown({ answers });
		},
		'ask-later': async ({ params }) => {
			const later = { method: 'elicitation/create', params };
			setImmediate(() =>
				server.request(/** @type {any} */ (later), types.ResultSchema, { timeout: FOREVER }).catch(() => {}),
			);
			return shown({ asked: 'later' });
		},
		url: async (
			{ url, message = 'Please open this page.', elicitationId = randomUUID(), complete: when = 'after' },
			extra,
		) => {
			if (when === 'before') {
				await complete(elicitationId);
			}
			const answer = await ask(extra, { mode: 'url', message, url, elicitationId });
			const accepted = 'action' in answer && answer.action === 'accept';
			if (when === 'after' && accepted) {
				await complete(elicitationId);
			}
			if (when === 'later' && accepted) {
				await new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
					waiting.set(elicitationId, resolve);
					extra.signal.addEventListener('abort', resolve);
				});
			}
			return shown(answer, 'error' in answer);
		},
		complete: async ({ elicitationId }) => {
			await complete(elicitationId);
			waiting.get(elicitationId)?.();
			return shown({ completed: elicitationId });
		},
		'require-url': async ({ entries, fresh = false }) => {
			if (fresh) {
				const id = randomUUID();
				const entry = { mode: 'url', message: 'Another page', url: `https://example.com/${id}`, elicitationId: id };
				throw new types.McpError(-32042, 'This needs another page.', { elicitations: [entry] });
			}
			const open = Array.isArray(entries) ? entries.filter((entry) => !finished.has(entry?.elicitationId)) : entries;
			if (Array.isArray(entries) && entries.length > 0 && open.length === 0) {
				return shown({ finished: [...finished] });
			}
			throw new types.McpError(-32042, 'This needs pages to be opened first.', { elicitations: open });
		},
		finish: async ({ ids, notice = true }) => {
			for (const id of ids) {
				finished.add(id);
				if (notice) {
					await complete(id);
				}
			}
			return shown({ finished: [...finished] });
		},
		progress: async ({ steps = 3 }, extra) => {
			const progressToken = extra._meta?.progressToken;
			for (let step = 1; progressToken !== undefined && step <= steps; step++) {
				const params = { progressToken, progress: step, total: steps, message: `Step ${step} of ${steps}` };
				await extra.sendNotification({ method: 'notifications/progress', params });
			}
			return shown({ steps, reported: progressToken !== undefined });
		},
		fail: async ({ protocol = false }) => {
			if (protocol) {
				throw new types.McpError(-32603, 'It failed as a request.', { why: 'asked to' });
			}
			return { content: [{ type: 'text', text: 'It failed as a tool.' }], isError: true };
		},
		slow: async ({ ms = 1000 }, extra) => {
			await new Promise((resolve) => {
				const timer = setTimeout(resolve, ms);
				extra.signal.addEventListener('abort', () => resolve(clearTimeout(timer)));
			});
			return shown({ ms });
		},
		'mixed-content': async () => mixedContent,
		crash: async (
			{ params = { message: 'The last elicitation', requestedSchema: { type: 'object', properties: {} } }, ms = 200 },
			extra,
		) => {
			setTimeout(() => process.exit(1), ms);
			return shown(await ask(extra, params));
		},
	};

	server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools }));
	server.setRequestHandler(types.CallToolRequestSchema, ({ params }, extra) => {
		const found = Object.hasOwn(run, params.name) ? run[params.name] : undefined;
		if (found === undefined) {
			throw new types.McpError(-32602, `Unknown tool: ${params.name}`);
		}
		return found(params.arguments ?? {}, extra);
	});

	const name = {
		message: 'Whom shall we greet?',
		requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
	};
	/** @param {string} id */
	const requirePage = (id) => {
		if (!finished.has(id)) {
			const page = { mode: 'url', message: 'Sign in first.', url: 'https://example.com/in', elicitationId: id };
			throw new types.McpError(-32042, 'This needs a page to be opened first.', { elicitations: [page] });
		}
	};
	server.setRequestHandler(types.ListPromptsRequestSchema, () => ({ prompts: [...prompts, visit] }));
	server.setRequestHandler(types.GetPromptRequestSchema, async ({ params }, extra) => {
		const { name: prompt, arguments: args = {} } = params;
		if (prompt === visit.name) {
			requirePage(args.id ?? '');
			return told.prompt({ visited: args.id });
		}
		if (prompt !== 'greet') {
			throw new types.McpError(-32602, `Unknown prompt: ${prompt}`);
		}
		return told.prompt({ arguments: args, answer: await ask(extra, name) });
	});
	server.setRequestHandler(types.ListResourcesRequestSchema, () => ({ resources }));
	server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
	server.setRequestHandler(types.ReadResourceRequestSchema, async ({ params: { uri } }, extra) => {
		const [, page] = /^test:\/\/pages\/(.+)/.exec(uri) ?? [];
		if (page !== undefined) {
			requirePage(page);
			return told.resource(uri, { visited: page });
		}
		return file(uri) ?? told.resource(uri, { uri, answer: await ask(extra, name) });
	});
	return server;
}

/**
 * The client's result as it came, or its error. The loose schema keeps the SDK from looking into it.
 * @param {Extra} extra
 * @param {unknown} params
 * @returns {Promise<Record<string, unknown>>}
 */
async function ask(extra, params) {
	const request = /** @type {any} */ ({ method: 'elicitation/create', params });
	try {
		return await extra.sendRequest(request, types.ResultSchema, { timeout: FOREVER, signal: extra.signal });
	} catch (error) {
		const { code, message, data } = /** @type {types.McpError} */ (error);
		return { error: { code, message, ...(data === undefined ? {} : { data }) } };
	}
}

/** @param {string} port */
function serveStreamable(port) {
	/** @type {Map<string, StreamableHTTPServerTransport>} */
	const sessions = new Map();
	const http = createServer(async (request, response) => {
		const id = request.headers['mcp-session-id'];
		const known = typeof id === 'string' ? sessions.get(id) : undefined;
		if (known !== undefined) {
			return known.handleRequest(request, response);
		}
		if (id !== undefined) {
			return response.writeHead(404).end();
		}
		const transport = new StreamableHTTPServerTransport({
			sessionIdGenerator: randomUUID,
			onsessioninitialized: (session) => void sessions.set(session, transport),
			onsessionclosed: (session) => void sessions.delete(session),
		});
		await createSession().connect(/** @type {any} */ (transport));
		return transport.handleRequest(request, response);
	});
	listen(http, port, '/mcp');
}

/** @param {string} port */
function serveSse(port) {
	/** @type {Map<string, SSEServerTransport>} */
	const sessions = new Map();
	const http = createServer(async (request, response) => {
		const url = new URL(request.url ?? '/', 'http://127.0.0.1');
		if (request.method === 'GET' && url.pathname === '/sse') {
			const transport = new SSEServerTransport('/messages', response);
			sessions.set(transport.sessionId, transport);
			response.on('close', () => sessions.delete(transport.sessionId));
			return createSession().connect(transport);
		}
		const session = sessions.get(url.searchParams.get('sessionId') ?? '');
		if (request.method === 'POST' && url.pathname === '/messages' && session !== undefined) {
			return session.handlePostMessage(request, response);
		}
		return response.writeHead(request.method === 'POST' ? 405 : 404).end();
	});
	listen(http, port, '/sse');
}

const { http, sse } = flags();
if (http !== undefined) {
	serveStreamable(http);
} else if (sse !== undefined) {
	serveSse(sse);
} else {
	await createSession().connect(new StdioServerTransport());
}
