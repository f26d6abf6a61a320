import { expect, it, onTestFinished } from 'vitest';
import type { ServerDefinition } from '../../../../src/config/definition.ts';
import type { JsonObject } from '../../../../src/elicitation/json.ts';
import type { Connection } from '../../../../src/mcp/index.ts';
import type { Recorded } from '../../../../src/trace/case/record.ts';
import { MODERN } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { callRawServerTool } from '../../mcp/faults/rawServerFixtures.ts';
import { EXTENSION, modernTask, Polls } from '../../mcp/tasks/taskFixtures.ts';
import { define, listening, stdio, testClients, testServer } from '../../mcp/testClient.ts';
import { accept, clerk, record, recordedCall, recordedOf, recording } from './stage.ts';

const world = testClients();
const sdk1 = stdio('sdk1', testServer('sdk1.mjs'));
const MODES = { form: {}, url: {} };

const request = (properties: JsonObject = {}, message = 'An elicitation'): JsonObject => ({
	message,
	requestedSchema: { type: 'object', properties },
});

/** Has the server send an elicitation. */
const ask = (params: JsonObject) => (each: Connection) => each.callTool('ask', { params });

/** Has the clerk take something. */
const taken = (env: Record<string, string>, content: JsonObject) =>
	recordedCall(world(), stdio('clerk', clerk, [], { env }), (each) => each.callTool('take', {}), accept(content));

const refusal = (recorded: Recorded) => ('refusal' in recorded ? recorded.refusal.text : recorded);

it('what was entered masked, or looks like a secret, becomes variables wherever it is repeated', async () => {
	const properties = {
		door: { type: 'string', format: 'password' },
		'API key!': { type: 'string' },
		card: { type: 'integer', title: 'Credit card number' },
		note: { type: 'string' },
		count: { type: 'integer' },
	} as const;
	const content = {
		...{ door: 'planted "1"', 'API key!': 'planted-2', card: 4711 },
		...{ note: 'of planted-2, too', count: 4711 },
	};
	const recorded = await recordedCall(world(), sdk1, ask(request(properties)), accept(content));
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
});

it('a UUID that contains a short secret by chance is still compared as one', async () => {
	const ticket = '0ed84711-bbec-488b-9ad9-fb37c0d5bcd0';
	const recorded = await taken({ TICKET: ticket }, { name: 'Ada', door_code: `planted-${ticket}`, pin: 4711 });
	expect(recorded.elicitations[0]?.asked['message']).toBe('Who is at the door? Ticket ‹uuid›.');
	expect(JSON.stringify(recorded.expected)).toContain('with ‹MCP_TEST_DOOR_CODE›');
	expect(JSON.stringify(recorded)).not.toMatch(/planted|4711/);
});

it('what this window keeps secret is written nowhere', async () => {
	const here = world();
	here.trace.privacy.configured.add(['planted-secret-3']);
	const params = request({ n: { type: 'string' } }, 'Not planted-secret-3');
	const recorded = await recordedCall(here, sdk1, ask(params), accept({ n: 'x' }));
	expect(JSON.stringify(recorded)).not.toContain('planted');
	expect(recorded.variables).toEqual([{ name: 'MCP_TEST_MESSAGE', type: 'string', role: 'argument' }]);
	expect(recorded.elicitations[0]?.asked['message']).toBe('‹MCP_TEST_MESSAGE›');
});

it('what a server says of secrets is compared as anything', async () => {
	const { expected } = await taken({ MOOD: 'usual' }, { name: 'Ada', door_code: 'a b', pin: 7 });
	expect(expected).toEqual({
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
	const params = [request({}, 'One'), request({}, 'Two')];
	const { elicitations } = await recordedCall(
		here,
		sdk1,
		(each) => each.callTool('ask-many', { params }),
		async () => (await here.asked(2)).forEach((each) => void each.decline()),
	);
	expect(elicitations.map(({ turn }) => turn)).toEqual([1, 1]);
});

it('rounds are turns of their own', async () => {
	const { elicitations, revision } = await recordedCall(
		world(),
		stdio('sdk2', testServer('sdk2.mjs')),
		(each) => each.callTool('rounds', { count: 2 }),
		accept({ name: 'a' }, { name: 'b' }),
	);
	expect(elicitations.map(({ turn, asked: { message } }) => [turn, message])).toEqual([
		[1, 'Round 1'],
		[2, 'Round 2'],
	]);
	expect(revision).toBe(MODERN);
});

it('a call that runs, or was cancelled, is refused', async () => {
	const here = world();
	const connection = await here.connect(sdk1);
	const abort = new AbortController();
	const call = connection.callTool('ask', { params: request() }, { signal: abort.signal });
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
		const inputRequests = { [key]: { method: 'elicitation/create', params: request({}, key) } };
		polls.report(modernTask('input_required', { inputRequests }));
		const [elicitation] = await here.asked();
		await polls.more(2);
		elicitation.decline();
		rawServer.answer(await rawServer.expect('tasks/update'), { resultType: 'complete' });
	}
	const result = { content: [], structuredContent: { done: true } };
	polls.report(modernTask('completed', { result }));
	await calling;
	const recorded = recordedOf(record(here, connection.definition, MODERN));
	expect(recorded).toMatchObject({
		isTask: true,
		elicitations: [
			{ turn: 1, asked: { message: 'one' } },
			{ turn: 2, asked: { message: 'two' } },
		],
		expected: { result },
	});
	expect(recorded.capabilities).toEqual({ elicitation: MODES, extensions: { [EXTENSION]: {} } });
});

it('a call of an older revision is recorded with the tasks of that revision alone (K05, K10)', async () => {
	const { capabilities } = await recordedCall(world(), sdk1, ask(request()), accept({}));
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
	const died = await recording(here, sdk1, (each) => each.callTool('crash', { ms: 0 }));
	expect(refusal(died)).toBe('The server never responded to it.');
	here.trace.clear();
	expect(refusal(record(here, sdk1))).toContain('no longer in the timeline');
});

it('a call with a truncated result is refused', async () => {
	const answer = accept({ n: 'long '.repeat(500_000) });
	const recorded = await recording(world(), sdk1, ask(request({ n: { type: 'string' } })), answer);
	expect(refusal(recorded)).toContain('shortened form');
});

it('a call is refused if one of its elicitations was', async () => {
	const recorded = await recording(world(), sdk1, ask({ mode: 'hologram', message: 'Look' }));
	expect(refusal(recorded)).toContain('refused before anybody could respond');
});

/** Makes two calls at once, whose elicitations are declined. */
async function twoCalls(definition: ServerDefinition): Promise<Recorded> {
	const here = world();
	const act = (each: Connection) => Promise.all([1, 2].map((n) => ask(request({}, `Elicitation ${n}`))(each)));
	return recording(here, definition, act, async () => (await here.asked(2)).forEach((each) => void each.decline()));
}

it('calls are refused if the protocol does not tell which of them an elicitation belongs to', async () => {
	expect(refusal(await twoCalls(sdk1))).toContain('Other calls ran at the same time');
});

it('over HTTP it does tell', async () => {
	const server = await listening(testServer('sdk1.mjs'), '--http', '0');
	onTestFinished(() => server.stop());
	expect(recordedOf(await twoCalls(define('sdk1', { url: server.url }))).elicitations).toHaveLength(1);
});

it('a secret that is a name cannot be replaced, and is refused', async () => {
	const here = world();
	here.trace.privacy.configured.add(['planted-name-4']);
	const recorded = await recording(here, sdk1, (each) => each.callTool('progress', { 'planted-name-4': 1 }));
	expect(refusal(recorded)).toContain('name of a property');
});
