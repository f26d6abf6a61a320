// @ts-check
/**
 * A test peer without an SDK that misbehaves: JSON lines over stdio, revision 2025-11-25.
 *
 *   node raw.mjs SCENARIO
 *
 * | scenario        | what is wrong                                                  | tools                                       |
 * | --------------- | -------------------------------------------------------------- | ------------------------------------------- |
 * | exit-at-once    | a line on stderr, then exit code 3                             | none                                        |
 * | noise           | text, invalid UTF-8, and non-JSON-RPC JSON around every message | echo                                     |
 * | malformed-elicit| requests that break the specification, one per tool            | see `malformed`; each returns the response  |
 * | cancel-elicit   | withdraws a request                                            | ask-then-cancel, ask, cancel, late-answers  |
 * | stubborn        | ignores SIGTERM and the end of stdin, has a child process      | pids                                        |
 * | runaway         | like stubborn, with children in their own sessions, one of them orphaned | pids         |
 * | stderr          | writes a lot to stderr, with control characters                 | talk                                        |
 * | flood           | sends many requests at once                                   | flood                                       |
 * | hostile         | every text contains markup                                      | form, url                                   |
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { shown, tool } from './content.mjs';

/** @typedef {{ id?: unknown, method?: string, params?: any, result?: unknown, error?: unknown }} Message */
/**
 * @typedef {{
 *   tools: ReturnType<typeof tool>[],
 *   call: (name: string, args: any) => unknown,
 *   before?: () => void,
 *   more?: Record<string, (params: any) => object>,
 * }} Scenario
 * `more`: results of other methods, for a server that offers more than tools
 */

const form = {
	message: 'An elicitation',
	requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};

/** Params of `elicitation/create` that clients must refuse; `undefined` means no params. @type {Record<string, unknown>} */
const malformed = {
	'no-params': undefined,
	'params-array': [form],
	'missing-message': { requestedSchema: form.requestedSchema },
	'message-number': { ...form, message: 42 },
	'missing-schema': { message: form.message },
	'schema-string': { message: form.message, requestedSchema: 'object' },
	'schema-array': { message: form.message, requestedSchema: { type: 'array', items: { type: 'string' } } },
	'unknown-mode': { ...form, mode: 'voice' },
	'mode-number': { ...form, mode: 1 },
	'missing-url': { mode: 'url', message: 'Open this.', elicitationId: '1' },
	'invalid-url': { mode: 'url', message: 'Open this.', elicitationId: '1', url: 'not a url' },
	'missing-id': { mode: 'url', message: 'Open this.', url: 'https://example.com/' },
};

/** Pending requests. @type {Map<unknown, (response: Message) => void>} */
const asked = new Map();
/** Responses to withdrawn requests. @type {Message[]} */
const lateAnswers = [];
let nextId = 0;

/** @param {object} message */
function send(message) {
	process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/**
 * @param {unknown} params
 * @returns {{ id: string, response: Promise<Message> }}
 */
function ask(params) {
	const id = `ask-${++nextId}`;
	const response = new Promise((resolve) => asked.set(id, resolve));
	send({ id, method: 'elicitation/create', ...(params === undefined ? {} : { params }) });
	return { id, response };
}

/** @param {unknown} requestId */
function cancel(requestId) {
	const resolve = asked.get(requestId);
	asked.delete(requestId);
	send({ method: 'notifications/cancelled', params: { requestId, reason: 'The server changed its mind.' } });
	resolve?.({ result: 'withdrawn' });
}

function makeNoise() {
	process.stdout.write('Server is starting…\n\n{"jsonrpc": "2.0", "id":\n');
	process.stdout.write(Buffer.from([0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x0a]));
	process.stdout.write('42\nnull\n[]\n{"hello":"world"}\n');
}

/** @param {number} lines */
function talk(lines) {
	for (let line = 1; line <= lines; line++) {
		process.stderr.write(`line ${line} \u001b[31mred\u001b[0m \u0007\u202e and $(bug) [a link](command:x)\n`);
	}
}

/** Markup, a command link, an icon, a bidi override, and a link. Each must be shown as plain text. */
const hostileText =
	'<img src=x onerror=alert(1)> [click](command:workbench.action.closeWindow) $(check) \u202edetrever\u202c [here](https://evil.example/)';

/** @returns {Scenario} */
function hostile() {
	const text = hostileText;
	const option = { const: text, title: text, description: text };
	const properties = {
		[text]: { type: 'string', title: text, description: text },
		choice: { type: 'string', title: text, description: text, oneOf: [option] },
	};
	const requestedSchema = { type: 'object', title: text, description: text, properties };
	/** @type {Record<string, object>} */
	const requests = {
		form: { message: text, requestedSchema },
		url: { mode: 'url', message: text, elicitationId: text, url: 'https://evil.example/?q=[x](command:y)$(check)' },
	};
	return {
		tools: Object.keys(requests).map((name) => ({ ...tool(name, text), title: `${name} ${text}` })),
		call: async (name) => shown((await ask(requests[name]).response).result ?? {}),
		more: {
			'prompts/list': () => ({
				prompts: [
					{
						name: text,
						title: `prompt ${text}`,
						description: text,
						arguments: [{ name: text, description: text, required: true }],
					},
				],
			}),
			'prompts/get': () => ({
				description: text,
				messages: [{ role: 'user', content: { type: 'text', text } }],
			}),
			'resources/list': () => ({
				resources: [{ uri: text, name: text, title: `resource ${text}`, description: text, mimeType: text }],
			}),
			'resources/templates/list': () => ({
				resourceTemplates: [{ uriTemplate: `${text}{x}`, name: `template ${text}`, description: text }],
			}),
			'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: text, text }] }),
		},
	};
}

/** Ignores SIGTERM and SIGHUP. Exits after two minutes, so that a failed test leaves no process. */
const stayStubborn = `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setTimeout(() => process.exit(), 120_000);`;

/** @returns {Scenario} */
function stubborn() {
	process.on('SIGTERM', () => {});
	process.on('SIGHUP', () => {});
	setTimeout(() => process.exit(), 120_000);
	const child = spawn(process.execPath, ['-e', stayStubborn], { stdio: 'ignore' });
	return {
		tools: [tool('pids', 'The processes that must not survive.')],
		call: () => shown({ pid: process.pid, child: child.pid }),
	};
}

/** @returns {Scenario} */
function runaway() {
	const child = spawn(process.execPath, ['-e', stayStubborn], { stdio: 'ignore', detached: true });
	// Its parent exits at once, which makes it an orphan.
	const orphaning = `const { spawn } = require('node:child_process');
		const orphan = spawn(process.execPath, ['-e', ${JSON.stringify(stayStubborn)}], { stdio: 'ignore', detached: true });
		process.stdout.write(String(orphan.pid)); orphan.unref();`;
	const parent = spawn(process.execPath, ['-e', orphaning], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
	/** @type {Promise<number>} */
	const orphan = new Promise((resolve) => {
		let text = '';
		parent.stdout.on('data', (chunk) => {
			text += chunk;
		});
		parent.on('close', () => resolve(Number(text)));
	});
	return {
		tools: [tool('pids', 'The processes that must not survive.')],
		call: async () => shown({ pid: process.pid, child: child.pid, orphan: await orphan }),
	};
}

/** @type {Record<string, () => Scenario>} */
const scenarios = {
	runaway,
	'exit-at-once': () => {
		process.stderr.write('cannot start: the moon is not full\n');
		process.exit(3);
	},
	noise: () => ({
		tools: [tool('echo', 'Returns its arguments.')],
		before: makeNoise,
		call: (_name, args) => shown({ arguments: args }),
	}),
	'malformed-elicit': () => ({
		tools: Object.keys(malformed).map((name) => tool(name, `Sends elicitation/create with ${name}.`)),
		call: async (name) => {
			const { result, error } = await ask(malformed[name]).response;
			return shown(error === undefined ? { result } : { error });
		},
	}),
	'cancel-elicit': () => ({
		tools: [
			tool('ask-then-cancel', 'Asks and withdraws the elicitation at once.'),
			tool('ask', 'Asks and waits.'),
			tool('cancel', 'Withdraws every open elicitation.'),
			tool('late-answers', 'The responses to elicitations that had been withdrawn.'),
		],
		call: async (name) => {
			if (name === 'cancel') {
				const ids = [...asked.keys()];
				ids.forEach(cancel);
				return shown({ cancelled: ids });
			}
			if (name === 'late-answers') {
				return shown({ lateAnswers });
			}
			const { id, response } = ask(form);
			if (name === 'ask-then-cancel') {
				cancel(id);
			}
			const { result, error } = await response;
			return shown(error === undefined ? { result } : { error });
		},
	}),
	stubborn,
	hostile,
	flood: () => ({
		tools: [
			tool('flood', 'Asks `count` elicitations at once, and returns as soon as `enough` are answered.', {
				count: { type: 'integer' },
				enough: { type: 'integer' },
			}),
		],
		call: async (_name, { count, enough }) => {
			/** @type {Message[]} */
			const answers = [];
			await new Promise((resolve) => {
				for (let at = 0; at < count; at++) {
					const request = ask({ ...form, message: `Elicitation ${at}` });
					void request.response.then((response) => answers.push(response) >= enough && resolve(undefined));
				}
			});
			return shown({ answered: answers.length, again: lateAnswers.length });
		},
	}),
	stderr: () => {
		talk(200);
		return {
			tools: [tool('talk', 'Writes `lines` lines to stderr.', { lines: { type: 'integer' } })],
			call: (_name, { lines = 10 }) => {
				talk(lines);
				return shown({ lines });
			},
		};
	},
};

/**
 * @param {Scenario} scenario
 * @param {Message} message
 */
async function answer(scenario, { id, method, params }) {
	switch (method) {
		case 'initialize':
			return send({
				id,
				result: {
					protocolVersion: '2025-11-25',
					capabilities: { tools: {}, ...(scenario.more && { prompts: {}, resources: {} }) },
					serverInfo: { name: 'raw', version: '1.0.0' },
				},
			});
		case 'ping':
			return send({ id, result: {} });
		case 'tools/list':
			return send({ id, result: { tools: scenario.tools } });
		case 'tools/call':
			if (scenario.tools.some(({ name }) => name === params?.name)) {
				return send({ id, result: await scenario.call(params.name, params.arguments ?? {}) });
			}
			return send({ id, error: { code: -32602, message: `Unknown tool: ${params?.name}` } });
		default: {
			const result = scenario.more?.[method ?? '']?.(params);
			return send({
				id,
				...(result ? { result } : { error: { code: -32601, message: `Method not found: ${method}` } }),
			});
		}
	}
}

/**
 * @param {Scenario} scenario
 * @param {Message} message
 */
function receive(scenario, message) {
	if (message.method === undefined) {
		const resolve = asked.get(message.id);
		asked.delete(message.id);
		if (resolve === undefined) {
			lateAnswers.push(message);
		}
		resolve?.(message);
	} else if (message.id !== undefined) {
		scenario.before?.();
		void answer(scenario, message);
	}
}

const chosen = scenarios[process.argv[2] ?? ''];
if (chosen === undefined) {
	process.stderr.write(`usage: node raw.mjs ${Object.keys(scenarios).join('|')}\n`);
	process.exit(2);
}
const scenario = chosen();
createInterface({ input: process.stdin }).on('line', (line) => receive(scenario, JSON.parse(line)));
