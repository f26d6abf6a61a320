// @ts-check
/**
 * A test peer without an SDK whose only tool, `order`, runs as a task that asks for a name: JSON lines over stdio.
 *
 *   node tasks.mjs 2025-11-25|2026-07-28 [careless|http]
 *
 * A careless server knows tasks that it never created, takes a response to a key at any time and as often as it comes, and
 * ignores cancellation. With `http`, one of 2026-07-28 listens on a free port, prints where, and checks the headers that
 * name the task.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const [, , revision = '2025-11-25', manners] = process.argv;
const isSession = revision === '2025-11-25';
const isCareless = manners === 'careless';
const INVALID_PARAMS = -32602;

/** @typedef {Record<string, any>} Message */
/** @typedef {{ id: string, status: string, result?: object, error?: object, waiting: (string | number)[] }} Task */

/** The responses to HTTP requests, by the ids of their messages. @type {Map<unknown, import('node:http').ServerResponse>} */
const responses = new Map();

/** @param {Message} message */
const send = (message) => {
	const text = JSON.stringify({ jsonrpc: '2.0', ...message });
	const response = responses.get(message['id']);
	if (response) response.setHeader('Content-Type', 'application/json').end(text);
	else process.stdout.write(`${text}\n`);
};

const params = {
	message: 'Who orders?',
	requestedSchema: {
		type: 'object',
		properties: { name: { type: 'string', minLength: 2, maxLength: 4 } },
		required: ['name'],
	},
};
const inputRequests = { who: { method: 'elicitation/create', params } };

/** @type {Map<string, Task>} */
const tasks = new Map();
/** The tasks whose elicitations wait for a response, by the ids of those requests. @type {Map<string, Task>} */
const asked = new Map();

/** @param {Task} task */
const report = ({ id, status, result, error }) => {
	const times = { createdAt: new Date().toISOString(), lastUpdatedAt: new Date().toISOString() };
	const base = { taskId: id, status, statusMessage: `It is ${status}.`, ...times };
	if (isSession) return { ...base, ttl: 60_000, pollInterval: 50 };
	return {
		...{ resultType: 'complete', ...base, ttlMs: 60_000, pollIntervalMs: 50 },
		...(status === 'input_required' && { inputRequests }),
		...(status === 'completed' && { result }),
		...(status === 'failed' && { error }),
	};
};

/** @param {Task} task */
const isOver = ({ status }) => status !== 'working' && status !== 'input_required';

/** Responds to `tasks/result` once the task is over; until then, its request travels with that. @param {Task} task */
const goOn = (task) => {
	const _meta = { 'io.modelcontextprotocol/related-task': { taskId: task.id } };
	if (isOver(task)) {
		const end = task.result ? { result: { ...task.result, _meta } } : { error: task.error };
		for (const id of task.waiting.splice(0)) send({ id, ...end });
	} else if (task.status === 'input_required' && task.waiting.length > 0 && ![...asked.values()].includes(task)) {
		const id = randomUUID();
		asked.set(id, task);
		send({ id, method: 'elicitation/create', params: { ...params, _meta } });
	}
};

/** @param {Task} task @param {Message} response */
const respond = (task, { result, error }) => {
	if (!isCareless && task.status !== 'input_required') return;
	const { _meta, ...response } = result ?? {};
	const content = [{ type: 'text', text: JSON.stringify(response) }];
	Object.assign(
		task,
		error ? { status: 'failed', error } : { status: 'completed', result: { content, structuredContent: response } },
	);
	goOn(task);
};

/** @param {Message} message @param {(task: Task) => void} act */
const withTask = ({ id, params: { taskId } }, act) => {
	const task = tasks.get(taskId) ?? (isCareless ? [...tasks.values()].at(-1) : undefined);
	if (task) act(task);
	else send({ id, error: { code: INVALID_PARAMS, message: 'Task not found' } });
};

const capabilities = isSession
	? { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } }
	: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };
const serverInfo = { name: 'tasks', version: '1.0.0' };
const cached = { ttlMs: 0, cacheScope: 'private' };

/** @type {Record<string, (message: Message) => void>} */
const handlers = {
	'tools/list': ({ id }) => {
		const tools = [{ name: 'order', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } }];
		send({ id, result: { tools, ...cached } });
	},
	'tools/call': ({ id, params }) => {
		if (isSession && !params.task) {
			send({ id, error: { code: -32601, message: 'It runs only as a task.' } });
			return;
		}
		/** @type {Task} */
		const task = { id: `order-${tasks.size + 1}`, status: 'working', waiting: [] };
		tasks.set(task.id, task);
		send({ id, result: isSession ? { task: report(task) } : { ...report(task), resultType: 'task' } });
		setTimeout(() => {
			if (!isOver(task)) task.status = 'input_required';
			goOn(task);
		}, 20);
	},
	'tasks/get': (message) => withTask(message, (task) => send({ id: message.id, result: report(task) })),
	'tasks/cancel': (message) =>
		withTask(message, (task) => {
			if (isSession && isOver(task) && !isCareless) {
				send({ id: message.id, error: { code: INVALID_PARAMS, message: `It is ${task.status}.` } });
				return;
			}
			if (!isCareless) {
				Object.assign(task, { status: 'cancelled', error: { code: -32000, message: 'Canceled.' } });
			}
			send({ id: message.id, result: isSession ? report(task) : { resultType: 'complete' } });
			goOn(task);
		}),
};
if (isSession) {
	handlers['initialize'] = ({ id, params: { protocolVersion } }) => {
		const { tools, ...more } = capabilities;
		const declared = protocolVersion === revision ? { tools, ...more } : { tools };
		send({ id, result: { protocolVersion, capabilities: declared, serverInfo } });
	};
	handlers['tasks/result'] = (message) =>
		withTask(message, (task) => {
			task.waiting.push(message.id);
			goOn(task);
		});
} else {
	handlers['server/discover'] = ({ id }) =>
		send({ id, result: { supportedVersions: [revision], capabilities, serverInfo, ...cached } });
	handlers['tasks/update'] = (message) =>
		withTask(message, (task) => {
			send({ id: message.id, result: { resultType: 'complete' } });
			const { who } = message.params.inputResponses;
			if (who) respond(task, { result: who });
		});
}

/** @param {Message} message */
const receive = (message) => {
	const { id, method, result, error } = message;
	const task = method === undefined ? asked.get(id) : undefined;
	if (task) {
		asked.delete(id);
		respond(task, { result, error });
	} else if (method !== undefined && handlers[method]) {
		handlers[method](message);
	} else if (method !== undefined && id !== undefined) {
		send({ id, error: { code: -32601, message: 'Method not found' } });
	}
};

if (manners === 'http') {
	const server = createServer(async (request, response) => {
		const message = JSON.parse((await request.toArray()).join('') || '{}');
		const { id, method, params } = message;
		if (id === undefined || (/^tasks\//.test(method) && request.headers['mcp-name'] !== params.taskId)) {
			response.writeHead(id === undefined ? 202 : 400).end();
			return;
		}
		responses.set(id, response);
		receive(message);
		responses.delete(id);
	});
	server.listen(0, '127.0.0.1', () => {
		const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
		process.stdout.write(`listening http://127.0.0.1:${port}/mcp\n`);
	});
} else {
	createInterface({ input: process.stdin }).on('line', (line) => receive(JSON.parse(line)));
}
