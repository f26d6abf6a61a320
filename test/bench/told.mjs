// @ts-check
/**
 * An MCP server of 2025-11-25 without an SDK that does what its HTTP port is told. `POST /ask` with the params of `elicitation/create`
 * answers at once with `{t0}`, the time right before the request was written; `GET /answer` waits for the answer to it. `POST /say` with
 * `{count}` answers once so many log messages are written. Its tool `hello` answers at once; `wait` runs as a task that never ends and is to be polled every
 * second; `GET /tasks` answers `{tasks, polls}`: how many there are, and how often they have been polled.
 *
 *   node told.mjs PORT_FILE
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';

/** So many messages are written at a time. */
const PIECE = 1000;

let [asked, said, tasks, polls] = [0, 0, 0, 0];
/** What waits for answers of the client. @type {Map<unknown, (answer: unknown) => void>} */
const waiting = new Map();
/** @type {Promise<unknown>} */
let answer = Promise.resolve(null);

/** @param {readonly object[]} messages */
const send = (...messages) =>
	process.stdout.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));

/** @param {string} taskId */
const report = (taskId) => {
	const now = new Date().toISOString();
	return { taskId, status: 'working', createdAt: now, lastUpdatedAt: now, ttl: null, pollInterval: 1_000 };
};

/** @type {Record<string, (params: any) => object>} */
const methods = {
	initialize: () => ({
		protocolVersion: '2025-11-25',
		capabilities: { logging: {}, tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
		serverInfo: { name: 'told', version: '1.0.0' },
	}),
	'tools/list': () => ({
		tools: [
			{ name: 'wait', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } },
			{ name: 'hello', inputSchema: { type: 'object' } },
		],
	}),
	'logging/setLevel': () => ({}),
	'tools/call': ({ name }) =>
		name === 'hello' ? { content: [{ type: 'text', text: 'Hello.' }] } : { task: report(`task-${tasks++}`) },
	'tasks/get': ({ taskId }) => {
		polls++;
		return report(taskId);
	},
};

/** @type {Record<string, (body: any) => unknown>} */
const orders = {
	'/ask': (params) => {
		const id = `q${asked++}`;
		answer = new Promise((resolve) => waiting.set(id, resolve));
		const t0 = Date.now();
		send({ id, method: 'elicitation/create', params });
		return { t0 };
	},
	'/answer': () => answer,
	'/say': async ({ count }) => {
		for (let left = count; left > 0; left -= PIECE) {
			const messages = Array.from({ length: Math.min(PIECE, left) }, () => {
				const params = { level: 'info', logger: 'bench', data: `message ${said++} of a server that says a lot` };
				return { method: 'notifications/message', params };
			});
			if (!send(...messages)) {
				await once(process.stdout, 'drain');
			}
		}
	},
	'/tasks': () => ({ tasks, polls }),
};

const http = createServer(async (request, response) => {
	const body = request.method === 'POST' ? await json(request) : undefined;
	response.end(JSON.stringify((await orders[request.url ?? '']?.(body)) ?? {}));
});

createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params, result = null } = JSON.parse(line);
	if (method === 'notifications/initialized') {
		http.listen(0, '127.0.0.1', () => {
			const address = http.address();
			writeFileSync(String(process.argv[2]), String(typeof address === 'object' ? address?.port : ''));
		});
	} else if (method === undefined) {
		waiting.get(id)?.(result);
	} else if (id !== undefined) {
		const error = { code: -32601, message: 'Method not found' };
		const found = methods[method]?.(params);
		send({ id, ...(found ? { result: found } : { error }) });
	}
});
process.stdin.on('end', () => process.exit(0));
