// @ts-check
/**
 * The tools that the `tasks-*` scenarios of the official conformance suite call, under the names that they expect: a server of
 * 2026-07-28 with the tasks extension, without an SDK, over HTTP. Prints where it listens.
 *
 *   node conformanceTasks.mjs
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const HEADER_MISMATCH = -32020;
const MISSING_CAPABILITY = -32021;

/** How long tasks are kept, and how often clients should poll (ms). */
const TTL = 600_000;
const POLL_INTERVAL = 50;

/** @typedef {Record<string, any>} Message */

class WireError extends Error {
	/** @param {number} code @param {string} message @param {object} [data] */
	constructor(code, message, data) {
		super(message);
		this.code = code;
		this.data = data;
	}
}

/** @param {string} text @param {boolean} [isError] */
const result = (text, isError) => ({ content: [{ type: 'text', text }], ...(isError && { isError }) });

/** @param {string} message @param {string} property @param {string} type */
const request = (message, property, type) => ({
	method: 'elicitation/create',
	params: {
		message,
		requestedSchema: { type: 'object', properties: { [property]: { type } }, required: [property] },
	},
});

/** A call that runs as a task. */
class Task {
	id = randomUUID();
	createdAt = new Date().toISOString();
	lastUpdatedAt = this.createdAt;
	status = 'working';
	/** The input requests without a response, by key. @type {Map<string, object>} */
	pending = new Map();
	/** @type {Record<string, any>} */
	responses = {};
	/** How it ended. @type {object} */
	end = {};
	#resume = () => {};

	/** @param {(task: Task) => Promise<object>} run */
	constructor(run) {
		run(this).then(
			(end) => this.move('completed', { result: end }),
			(error) => this.move('failed', { error: { code: -32603, message: error.message } }),
		);
	}

	get isOver() {
		return this.status !== 'working' && this.status !== 'input_required';
	}

	/** @param {string} status @param {object} [end] */
	move(status, end = {}) {
		if (!this.isOver) {
			Object.assign(this, { status, end, lastUpdatedAt: new Date().toISOString() });
		}
	}

	/** Waits for the responses to all of these requests. @param {Record<string, object>} requests */
	async ask(requests) {
		this.pending = new Map(Object.entries(requests).map(([key, each]) => [`${key}-${randomUUID()}`, each]));
		this.move('input_required');
		/** @type {Promise<void>} */
		const resumed = new Promise((resolve) => {
			this.#resume = resolve;
		});
		await resumed;
		return Object.values(this.responses);
	}

	/** @param {Record<string, any>} responses */
	update(responses) {
		for (const [key, response] of Object.entries(responses)) {
			if (this.pending.delete(key)) {
				this.responses[key] = response;
			}
		}
		if (this.status === 'input_required' && this.pending.size === 0) {
			this.move('working');
			this.#resume();
		}
	}

	get created() {
		const { id, status, createdAt, lastUpdatedAt } = this;
		return { taskId: id, status, createdAt, lastUpdatedAt, ttlMs: TTL, pollIntervalMs: POLL_INTERVAL };
	}

	get report() {
		const inputRequests = this.status === 'input_required' && { inputRequests: Object.fromEntries(this.pending) };
		return { ...this.created, ...inputRequests, ...this.end };
	}
}

/** @type {Map<string, Task>} */
const tasks = new Map();

/** @param {number} seconds @returns {Promise<void>} */
const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/**
 * The tools that may run as tasks; a `required` one does nothing else. @type {Record<string, { required?: boolean, run: (args:
 * any, task?: Task) => Promise<object> }>}
 */
const slow = {
	slow_compute: {
		run: async ({ seconds = 1, label = '' }) => {
			await sleep(seconds);
			return result(`Computed ${label} in ${seconds} s.`);
		},
	},
	failing_job: { required: true, run: async () => result('The job failed.', true) },
	protocol_error_job: {
		run: async () => {
			throw new Error('The job crashed.');
		},
	},
	confirm_delete: {
		required: true,
		run: async ({ filename = 'the file' }, task) => {
			const [response] = (await task?.ask({ confirm: request(`Delete ${filename}?`, 'confirm', 'boolean') })) ?? [];
			return result(`${filename}: ${JSON.stringify(response)}`);
		},
	},
	multi_input: {
		required: true,
		run: async (_args, task) => {
			const requests = { name: request('Your name?', 'name', 'string'), age: request('Your age?', 'age', 'integer') };
			return result(JSON.stringify(await task?.ask(requests)));
		},
	},
};

/** @param {Message} params */
const isTasksDeclared = ({ _meta }) =>
	_meta?.['io.modelcontextprotocol/clientCapabilities']?.extensions?.[EXTENSION] !== undefined;

function missing() {
	const requiredCapabilities = { extensions: { [EXTENSION]: {} } };
	return new WireError(MISSING_CAPABILITY, 'Missing required client capability', { requiredCapabilities });
}

/** @param {(task: Task) => Promise<object>} run */
function create(run) {
	const task = new Task(run);
	tasks.set(task.id, task);
	return { resultType: 'task', ...task.created };
}

/** @param {Message} params @returns {Promise<object>} */
async function call(params) {
	const { name, arguments: args = {}, inputResponses } = params;
	if (name === 'greet') {
		return result(`Hello, ${args.name ?? 'stranger'}!`);
	}
	if (name === 'test_tool_with_task') {
		const user = inputResponses?.user_name?.content?.name;
		if (user === undefined) {
			const inputRequests = { user_name: request('Your name?', 'name', 'string') };
			return { resultType: 'input_required', inputRequests, requestState: 'asked' };
		}
		if (!isTasksDeclared(params)) throw missing();
		return create(async () => result(`Done for ${user}.`));
	}
	const tool = slow[name];
	if (!tool) throw new WireError(INVALID_PARAMS, `Unknown tool: ${name}`);
	if (isTasksDeclared(params)) return create((task) => tool.run(args, task));
	if (tool.required) throw missing();
	return tool.run(args);
}

/** @type {Record<string, (task: Task, params: Message) => object>} */
const about = {
	'tasks/get': (task) => task.report,
	'tasks/update': (task, { inputResponses = {} }) => {
		task.update(inputResponses);
		return {};
	},
	'tasks/cancel': (task) => {
		task.move('cancelled');
		return {};
	},
};

/** @param {Message} message @returns {Promise<object>} */
async function serve({ method, params = {} }) {
	const cached = { ttlMs: 0, cacheScope: 'private' };
	if (method === 'server/discover') {
		const capabilities = { tools: {}, extensions: { [EXTENSION]: {} } };
		const serverInfo = { name: 'conformance-tasks', version: '1.0.0' };
		return { supportedVersions: ['2026-07-28'], capabilities, serverInfo, ...cached };
	}
	if (method === 'tools/list') {
		const names = ['greet', 'test_tool_with_task', ...Object.keys(slow)];
		return { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })), ...cached };
	}
	if (method === 'tools/call') {
		return call(params);
	}
	const act = about[method];
	if (!act) throw new WireError(METHOD_NOT_FOUND, 'Method not found');
	if (!isTasksDeclared(params)) throw missing();
	const task = tasks.get(params.taskId);
	if (!task) throw new WireError(INVALID_PARAMS, 'Task not found');
	return act(task, params);
}

/** @param {Message} message @param {import('node:http').IncomingHttpHeaders} headers */
function checkHeaders({ method, params }, headers) {
	const name = method === 'tools/call' ? params?.name : about[method] && params?.taskId;
	if (headers['mcp-method'] !== method || (name !== undefined && headers['mcp-name'] !== name)) {
		throw new WireError(HEADER_MISMATCH, 'The headers do not match the body.');
	}
}

const server = createServer(async (incoming, response) => {
	const message = JSON.parse((await incoming.toArray()).join('') || '{}');
	const { id } = message;
	if (incoming.method !== 'POST' || id === undefined) {
		response.writeHead(incoming.method === 'POST' ? 202 : 405).end();
		return;
	}
	/** @param {number} status @param {object} body */
	const send = (status, body) =>
		response
			.writeHead(status, { 'Content-Type': 'application/json' })
			.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
	try {
		checkHeaders(message, incoming.headers);
		send(200, { result: { resultType: 'complete', ...(await serve(message)) } });
	} catch (error) {
		const { code = -32603, message: text, data } = /** @type {WireError} */ (error);
		send(code === HEADER_MISMATCH || code === MISSING_CAPABILITY ? 400 : 200, { error: { code, message: text, data } });
	}
});
server.listen(0, '127.0.0.1', () => {
	const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
	process.stdout.write(`listening http://127.0.0.1:${port}/mcp\n`);
});
