import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/elicitation/json.ts';
import { type Recorded, recordCase } from '../../../../src/trace/case/record.ts';
import { MODERN } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { callRawServerTool } from '../../mcp/faults/rawServerFixtures.ts';
import { EXTENSION, modernTask, Polls } from '../../mcp/tasks/taskFixtures.ts';
import { define, listening, stdio, type TestClient, testClients, testServer } from '../../mcp/testClient.ts';
import { clerk, record, recordedOf, written } from './stage.ts';

const world = testClients();
const sdk1 = stdio('sdk1', testServer('sdk1.mjs'));
const MODES = { form: {}, url: {} };

const request = (properties: JsonObject, message = 'An elicitation'): JsonObject => ({
	message,
	requestedSchema: { type: 'object', properties },
});

/** Makes the server send an elicitation, responds, and records the call. */
async function asked(here: TestClient, params: JsonObject, content: JsonObject): Promise<Recorded> {
	const connection = await here.connect(sdk1);
	const call = connection.callTool('ask', { params });
	const [only] = await here.asked();
	only.accept(content);
	await call;
	return record(here, sdk1);
}

it('what was entered masked, or looks like a secret, becomes variables wherever it is repeated', async () => {
	const properties = {
		door: { type: 'string', format: 'password' },
		'API key!': { type: 'string' },
		card: { type: 'integer', title: 'Credit card number' },
		note: { type: 'string' },
		count: { type: 'integer' },
	} as const;
	const content = {
		door: 'planted "1"',
		'API key!': 'planted-2',
		card: 4711,
		note: 'of planted-2, too',
		count: 4711,
	};
	const recorded = recordedOf(await asked(world(), request(properties), content));
	expect(recorded.variables.map(({ name, type }) => [name, type])).toEqual([
		['MCP_TEST_API_KEY', 'string'],
		['MCP_TEST_CARD', 'number'],
		['MCP_TEST_DOOR', 'string'],
	]);
	expect(recorded.elicitations[0]?.answer).toEqual({
		action: 'accept',
		content: {
			door: '‹MCP_TEST_DOOR›',
			'API key!': '‹MCP_TEST_API_KEY›',
			card: '‹MCP_TEST_CARD›',
			note: 'of ‹MCP_TEST_API_KEY›, too',
			count: '‹MCP_TEST_CARD›',
		},
	});
	expect(JSON.stringify(recorded)).not.toMatch(/planted|4711/);
	expect(written(recorded, 'vitest')).toContain('note: "of " + env.MCP_TEST_API_KEY + ", too"');
	expect(written(recorded, 'pytest')).toContain('"card": number(ENV["MCP_TEST_CARD"] or 0)');
});

it('a UUID that contains a short secret by chance is still compared as one', async () => {
	const here = world();
	const ticket = '0ed84711-bbec-488b-9ad9-fb37c0d5bcd0';
	const definition = stdio('clerk', clerk, [], { env: { TICKET: ticket } });
	const connection = await here.connect(definition);
	const call = connection.callTool('take', {});
	const [only] = await here.asked();
	only.accept({ name: 'Ada', door_code: `planted-${ticket}`, pin: 4711 });
	await call;
	const recorded = recordedOf(record(here, definition));
	expect(recorded.elicitations[0]?.asked['message']).toBe('Who is at the door? Ticket ‹uuid›.');
	expect(JSON.stringify(recorded.expected)).toContain('with ‹MCP_TEST_DOOR_CODE›');
	expect(JSON.stringify(recorded)).not.toMatch(/planted|4711/);
});

it('what this window keeps secret is written nowhere', async () => {
	const here = world();
	here.trace.secrets.add(['planted-secret-3']);
	const params = request({ n: { type: 'string' } }, 'Not planted-secret-3');
	const recorded = recordedOf(await asked(here, params, { n: 'x' }));
	expect(JSON.stringify(recorded)).not.toContain('planted');
	expect(recorded.variables).toEqual([{ name: 'MCP_TEST_MESSAGE', type: 'string', role: 'argument' }]);
	expect(recorded.elicitations[0]?.asked['message']).toBe('‹MCP_TEST_MESSAGE›');
});

it('what a server says of secrets is compared as anything', async () => {
	const definition = stdio('clerk', clerk, [], { env: { MOOD: 'usual' } });
	const here = world();
	const connection = await here.connect(definition);
	const call = connection.callTool('take', {});
	const [only] = await here.asked();
	only.accept({ name: 'Ada', door_code: 'a b', pin: 7 });
	await call;
	expect(recordedOf(record(here, definition)).expected).toEqual({
		result: {
			content: [
				{ type: 'text', text: 'Ada came at ‹time› with ‹redacted›' },
				{ type: 'text', text: '{"parcel":"‹uuid›","mood":"good"}' },
			],
			structuredContent: {
				action: 'accept',
				content: { name: 'Ada', door_code: '‹MCP_TEST_DOOR_CODE›', pin: '‹redacted›' },
				session_token: '‹redacted›',
				parcels: { '‹uuid›': { size: 'S' }, '‹uuid 2›': { size: 'L' } },
			},
		},
	});
});

it('elicitations that were open at the same time share a turn', async () => {
	const here = world();
	const connection = await here.connect(sdk1);
	const call = connection.callTool('ask-many', { params: [request({}, 'One'), request({}, 'Two')] });
	const open = await here.asked(2);
	for (const each of open) {
		each.decline();
	}
	await call;
	expect(recordedOf(record(here, sdk1)).elicitations.map(({ turn }) => turn)).toEqual([1, 1]);
});

it('rounds are turns of their own', async () => {
	const here = world();
	const sdk2 = stdio('sdk2', testServer('sdk2.mjs'));
	const connection = await here.connect(sdk2);
	const call = connection.callTool('rounds', { count: 2 });
	for (const name of ['a', 'b']) {
		const [open] = await here.asked();
		open.accept({ name });
	}
	await call;
	const { elicitations: requests, revision } = recordedOf(record(here, sdk2));
	expect(requests.map(({ turn, asked: { message } }) => [turn, message])).toEqual([
		[1, 'Round 1'],
		[2, 'Round 2'],
	]);
	expect(revision).toBe('2026-07-28');
});

const refusal = (recorded: Recorded) => ('refusal' in recorded ? recorded.refusal.text : recorded);

it('a call that runs, or was cancelled, is refused', async () => {
	const here = world();
	const connection = await here.connect(sdk1);
	const abort = new AbortController();
	const call = connection.callTool('ask', { params: request({}) }, { signal: abort.signal });
	await here.asked();
	expect(refusal(record(here, sdk1))).toBe('It is still running.');
	abort.abort();
	await expect(call).rejects.toThrow();
	expect(refusal(record(here, sdk1))).toContain('It was cancelled');
});

it('a call that ran as a task is recorded with its end, and with each of its requests once', async () => {
	const here = world();
	const { rawServer, connection, calling, call } = await callRawServerTool(here, RawStdioServer.open, {
		revision: MODERN,
	});
	rawServer.answer(call, { ...modernTask('working'), resultType: 'task' });
	const polls = new Polls(rawServer, modernTask('working'));
	for (const key of ['one', 'two']) {
		const inputRequests = { [key]: { method: 'elicitation/create', params: { ...request({}), message: key } } };
		polls.report(modernTask('input_required', { inputRequests }));
		const [elicitation] = await here.asked();
		await polls.more(2);
		elicitation.decline();
		rawServer.answer(await rawServer.expect('tasks/update'), { resultType: 'complete' });
	}
	polls.report(modernTask('completed', { result: { content: [], structuredContent: { done: true } } }));
	await calling;
	const recorded = recordedOf(record(here, connection.definition, MODERN));
	expect(recorded).toMatchObject({
		isTask: true,
		elicitations: [
			{ turn: 1, asked: { message: 'one' } },
			{ turn: 2, asked: { message: 'two' } },
		],
		expected: { result: { content: [], structuredContent: { done: true } } },
	});
	expect(recorded.capabilities).toEqual({ elicitation: MODES, extensions: { [EXTENSION]: {} } });
});

it('a call of an older revision is recorded with the tasks of that revision alone (K05, K10)', async () => {
	const { capabilities } = recordedOf(await asked(world(), request({}), {}));
	expect(capabilities).toEqual({ elicitation: MODES, tasks: { requests: { elicitation: { create: {} } } } });
});

it('a URL that the server requests again and again is recorded as often as the user was asked', async () => {
	const here = world();
	const { rawServer, connection, calling, call } = await callRawServerTool(here, RawStdioServer.open, {
		revision: MODERN,
	});
	const page = { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: 'https://example.com/' } };
	const required = { resultType: 'input_required', inputRequests: { page } };
	rawServer.answer(call, required);
	const [first] = await here.asked();
	first.opened();
	rawServer.answer(await rawServer.expect('tools/call'), required);
	first.retried();
	rawServer.answer(await rawServer.expect('tools/call'), required);
	const [second] = await here.asked();
	second.opened();
	rawServer.answer(await rawServer.expect('tools/call'), { content: [], resultType: 'complete' });
	await calling;
	const { elicitations, capabilities } = recordedOf(record(here, connection.definition, MODERN));
	expect(elicitations.map(({ turn, answer }) => [turn, answer])).toEqual([
		[1, { action: 'accept' }],
		[2, { action: 'accept' }],
	]);
	expect(capabilities).toEqual({ elicitation: MODES });
});

it('a call is refused when the server has died in it, or its messages are gone', async () => {
	const here = world();
	const connection = await here.connect(sdk1);
	await expect(connection.callTool('crash', { ms: 0 })).rejects.toThrow();
	expect(refusal(record(here, sdk1))).toBe('The server never responded to it.');
	here.trace.clear();
	expect(refusal(record(here, sdk1))).toContain('no longer in the timeline');
});

it('a call with a truncated result is refused', async () => {
	const text = 'long '.repeat(500_000);
	expect(refusal(await asked(world(), request({ n: { type: 'string' } }), { n: text }))).toContain('shortened form');
});

it('a call is refused if one of its elicitations was', async () => {
	const here = world();
	const connection = await here.connect(sdk1);
	await connection.callTool('ask', { params: { mode: 'hologram', message: 'Look' } });
	expect(refusal(record(here, sdk1, '2025-11-25'))).toContain('refused before anybody could respond');
});

it('calls are refused if the protocol does not tell which of them an elicitation belongs to', async () => {
	const here = world();
	const connection = await here.connect(sdk1);
	const calls = [1, 2].map(() => connection.callTool('ask', { params: request({}) }));
	for (const each of await here.asked(2)) {
		each.decline();
	}
	await Promise.all(calls);
	expect(refusal(record(here, sdk1))).toContain('Other calls ran at the same time');
});

it('over HTTP it does tell', async () => {
	const here = world();
	const server = await listening(testServer('sdk1.mjs'), '--http', '0');
	try {
		const definition = define('sdk1', { url: server.url });
		const connection = await here.connect(definition);
		const calls = [1, 2].map((n) => connection.callTool('ask', { params: request({}, `Elicitation ${n}`) }));
		for (const each of await here.asked(2)) {
			each.decline();
		}
		await Promise.all(calls);
		expect(recordedOf(record(here, definition)).elicitations).toHaveLength(1);
	} finally {
		server.stop();
	}
});

it('a secret that is a name cannot be replaced, and is refused', async () => {
	const here = world();
	here.trace.secrets.add(['planted-name-4']);
	const connection = await here.connect(sdk1);
	await connection.callTool('progress', { 'planted-name-4': 1 });
	const result = recordCase({
		call: here.registry.calls[0] as never,
		elicitations: [],
		trace: here.trace,
		revision: '2025-11-25',
		capabilities: {},
		server: () => ({ type: 'http', url: 'http://localhost/', headers: {} }),
	});
	expect(refusal(result)).toContain('name of a property');
});
