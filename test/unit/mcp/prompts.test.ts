import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ServerDefinition } from '../../../src/config/definition.ts';
import { Clock } from '../../../src/elicitation/clock.ts';
import type { CallOptions, Connection } from '../../../src/mcp/index.ts';
import { Failure } from '../../../src/mcp/index.ts';
import { ResourceTemplate } from '../../../src/mcp/resourceTemplate.ts';
import { readList } from '../../../src/mcp/wire/lists.ts';
import { variants } from '../../nightly.ts';
import { MODERN } from '../../rawServer/rawServer.ts';
import { ask, connectRawServer, form, page, REQUESTS, ROUNDS, request, required } from './faults/rawServerFixtures.ts';
import {
	define,
	everything,
	type Listening,
	listening,
	peer,
	stdio,
	type TestClient,
	testClients,
	testServer,
	type Wire,
} from './testClient.ts';
import { simulateTimers } from './timing.ts';

const world = testClients();

/** The two kinds of calls besides tools. */
const kinds = [
	{
		kind: 'prompt',
		method: 'prompts/get',
		name: 'greet',
		call: (connection: Connection, options?: CallOptions) => connection.getPrompt('greet', {}, options),
		result: { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] },
	},
	{
		kind: 'resource',
		method: 'resources/read',
		name: 'test:it',
		call: (connection: Connection, options?: CallOptions) => connection.readResource('test:it', options),
		result: { contents: [{ uri: 'test:it', text: 'Hello' }] },
	},
] as const;

const cases = [...variants(...REQUESTS.toReversed()), ...variants(...ROUNDS.toReversed())].flatMap(
	([wire, open, revision]) => kinds.map((each) => ({ wire, open, revision, ...each })),
);

describe.each(cases)('a $kind over $wire in $revision', ({ open, revision, kind, method, name, call, result }) => {
	const isModern = revision === MODERN;

	/** A call with an open elicitation. */
	async function asked(here: TestClient, options?: CallOptions) {
		const { rawServer, connection } = await connectRawServer(here, open, {
			capabilities: { prompts: {}, resources: {} },
		});
		const calling = call(connection, options);
		calling.catch(() => {});
		const first = await rawServer.expect(method);
		const pending = isModern
			? rawServer.answer(first, ask({ a: request(form) }))
			: rawServer.ask(form, first).response.then(({ result }) => result);
		const [elicitation] = await here.asked();
		/** Ends the call. Resolves to the response that the server has got. */
		const finish = async () => {
			const last = isModern ? await rawServer.expect(method) : first;
			const response = isModern ? last.params.inputResponses.a : await pending;
			rawServer.answer(last, { resultType: 'complete', ...result });
			expect(await calling).toEqual(result);
			return response;
		};
		return { rawServer, connection, calling, elicitation, finish };
	}

	it('asks in the middle, and the response arrives; all of it is in the timeline of the call (R06)', async () => {
		const here = world();
		const { rawServer, elicitation, finish } = await asked(here);
		expect(elicitation.origin.intake).toBe(isModern ? 'inputRequired' : 'request');
		expect(elicitation.origin.calls).toMatchObject([{ kind, name, state: 'running' }]);
		await here.registry.accept(elicitation, { name: 'Ada' });
		expect(await finish()).toEqual({ action: 'accept', content: { name: 'Ada' } });
		const [running] = here.registry.calls;
		expect(running).toMatchObject({ kind, name, state: 'succeeded', rounds: isModern ? 2 : 1 });
		expect(rawServer.requests(method)).toHaveLength(running?.rounds ?? 0);
		const mine = here.trace.entries.filter((entry) => entry.call === running).map(({ message }) => message as Wire);
		expect(mine.map((message) => message.method ?? 'answer')).toEqual(
			isModern ? [method, 'answer', method, 'answer'] : [method, 'elicitation/create', 'answer', 'answer'],
		);
	});

	it('is not timed out by the user, but by the server (A04)', async () => {
		const here = world();
		simulateTimers('performance');
		const { elicitation, finish } = await asked(here);
		const [running] = here.registry.calls;
		await vi.advanceTimersByTimeAsync(200_000);
		elicitation.decline();
		expect(await finish()).toEqual({ action: 'decline' });
		expect(running?.clock.humanTime).toBeGreaterThanOrEqual(200_000);
		expect(running?.clock.serverTime).toBeLessThan(60_000);
	});

	it('can be canceled with the elicitation open, which is over then (A02, D03)', async () => {
		const here = world();
		const abort = new AbortController();
		const { calling, elicitation } = await asked(here, { signal: abort.signal });
		abort.abort(new Error('Enough.'));
		await expect(calling).rejects.toThrow('Enough.');
		// A JSON-RPC request needs a response; an input request ends with its call.
		expect(await elicitation.ended).toBe(isModern ? 'withdrawn' : 'cancelled');
		expect(here.registry.calls.map(({ state }) => state)).toEqual(['cancelled']);
	});

	it('fails with a fitting error when the server is stopped', async () => {
		const { connection, calling } = await asked(world());
		await connection.stop();
		await expect(calling).rejects.toThrow(
			`raw-server: The server was stopped while "${name}" was running. Start it, then try`,
		);
	});

	it.skipIf(isModern)('goes through once a URL is opened that its server requires (-32042; U10, U12)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const calling = call(connection);
		rawServer.fail(await rawServer.expect(method), required(page('one')));
		const [elicitation] = await here.asked();
		expect(elicitation).toMatchObject({ origin: { intake: 'urlRequired' }, request: { elicitationId: 'one' } });
		elicitation.opened();
		rawServer.notify('notifications/elicitation/complete', { elicitationId: 'one' });
		rawServer.answer(await rawServer.expect(method), result);
		expect(await calling).toEqual(result);
		expect(elicitation.state).toBe('completed');
	});
});

const listeners: Record<string, Listening> = {};
beforeAll(async () => {
	for (const name of ['sdk1', 'sdk2']) {
		listeners[name] = await listening(testServer(`${name}.mjs`), '--http', '0');
	}
});
afterAll(() => {
	for (const { stop } of Object.values(listeners)) stop();
});

describe('what a server offers', () => {
	it.each([
		['stdio', 'sdk1'],
		['stdio', 'sdk2'],
		['HTTP', 'sdk1'],
		['HTTP', 'sdk2'],
	])('is listed over %s, got, and read (%s)', async (wire, name) => {
		const here = world();
		const connection = await here.connect(
			wire === 'stdio' ? stdio('s', testServer(`${name}.mjs`)) : define('s', { url: listeners[name]?.url }),
		);
		expect(connection.prompts.map(({ name }) => name)).toContain('greet');
		expect(connection.prompts[0]?.arguments).toEqual([{ name: 'language', required: true }]);
		expect(connection.resources[0]).toMatchObject({ uri: 'test://greeting', mimeType: 'application/json' });
		const [template] = connection.resourceTemplates;
		expect(template?.variables).toEqual([
			{ name: 'language', required: true },
			{ name: 'formal', required: false },
		]);
		const uri = template?.expand({ language: 'zh/TW', formal: 'ja & ü' }) ?? '';
		expect(uri).toBe('test://greetings/zh%2FTW?formal=ja%20%26%20%C3%BC');
		const reading = connection.readResource(uri);
		(await here.asked())[0].decline();
		expect(JSON.stringify(await reading)).toContain(uri);
		const getting = connection.getPrompt('greet', { language: 'en' });
		(await here.asked())[0].cancel();
		expect(JSON.stringify(await getting)).toContain('cancel');
		await connection.stop();
		expect([connection.prompts, connection.resources, connection.resourceTemplates]).toEqual([[], [], []]);
	});

	it('is got and read from the reference server, too', async () => {
		const here = world();
		const connection = await here.connect(stdio('everything', everything, ['stdio']));
		expect(
			[connection.prompts, connection.resources, connection.resourceTemplates].map((all) => all.length > 0),
		).toEqual([true, true, true]);
		const { messages } = (await connection.getPrompt('args-prompt', { city: 'Oslo' })) as Wire;
		expect(messages[0].content.text).toContain('Oslo');
		const uri = connection.resources[0]?.uri ?? '';
		const { contents } = (await connection.readResource(uri)) as Wire;
		expect(contents[0].uri).toBe(uri);
	});

	it.each(['legacy', 'modern'])('is read again when it has changed: %s', async (era) => {
		const here = world();
		const connection = await here.connect(lists('growing', era));
		const counts = () => [
			connection.tools.length,
			connection.prompts.length,
			connection.resources.length,
			connection.resourceTemplates.length,
		];
		expect(counts()).toEqual([1, 1, 1, 1]);
		await connection.callTool('grow', {});
		await here.until(() => counts().every((count) => count === 2));
	});

	it('is not asked for where the server does not say that it has it', async () => {
		const here = world();
		await here.connect(lists('extra'));
		const asked = here.wire('sent', ({ id }) => id !== undefined).map(({ method }) => method);
		expect(asked).toEqual(['server/discover', 'initialize', 'tools/list']);
	});
});

/** The test peer with misbehaving lists. */
function lists(scenario: string, era = 'legacy'): ServerDefinition {
	return stdio('s', peer('lists.mjs'), [scenario, ...(era === 'modern' ? ['new'] : [])]);
}

describe.each(['legacy', 'modern'])('a list (%s)', (era) => {
	const offers = ({ tools, prompts, resources, resourceTemplates }: Connection) =>
		[tools, prompts, resources, resourceTemplates].map(({ length }) => length);
	const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

	it.each(['endless', 'strange'])(
		'with endless pages is cut after 100 pages, and the log says so (fault 27): %s',
		async (scenario) => {
			const here = world();
			const connection = await here.connect(lists(scenario, era));
			expect(offers(connection)).toEqual([100, 100, 100, 100]);
			expect(connection.failure?.message).toContain('only used up to entry 100.');
			expect(connection.prompts.at(-1)?.name).toBe('prompt-99');
			for (const method of methods) {
				expect(here.wire('sent', (message) => message.method === method)).toHaveLength(100);
				expect(here.logs.filter((line) => line.includes(`"${method}" returns is too long`))).toHaveLength(1);
			}
			await connection.callTool('tool-7', {});
		},
	);

	it('of 12,000 entries is cut after 10,000, and the log says so (fault 27)', async () => {
		const here = world();
		const connection = await here.connect(lists('huge', era));
		expect(offers(connection)).toEqual([10_000, 10_000, 10_000, 10_000]);
		expect(here.logs.filter((line) => line.includes('only used up to entry 10,000'))).toHaveLength(4);
	});

	it('that is not implemented is empty, and no failure', async () => {
		const here = world();
		const connection = await here.connect(lists('missing', era));
		expect(offers(connection)).toEqual([1, 0, 0, 0]);
		expect(connection.failure).toBeUndefined();
		expect(here.logs.filter((line) => line.includes('Method not found'))).toHaveLength(3);
	});

	it('that fails is said to have failed, and the rest works', async () => {
		const here = world();
		const connection = await here.connect(lists('broken', era));
		expect([connection.state, ...offers(connection)]).toEqual(['running', 1, 0, 0, 0]);
		expect(connection.failure?.message).toMatch(/^s: The shelf has fallen down\./);
		await connection.callTool('grow', {});
	});
});

describe('a list that takes its time', () => {
	afterEach(() => vi.useRealTimers());

	it('is cut at the first page that comes after half a minute (fault 27)', async () => {
		vi.useFakeTimers();
		const request = async () => {
			vi.advanceTimersByTime(20_000);
			return { tools: [{ name: 'act' }], nextCursor: 'more' };
		};
		const { raw, entries, cut } = await readList('tools/list', request, new Clock());
		expect([raw.length, entries.length, cut?.args]).toEqual([2, 2, ['tools/list', 2]]);
	});
});

describe('an elicitation where none may be asked', () => {
	it('is an error that is explained, and nobody is asked (R06)', async () => {
		const here = world();
		const connection = await here.connect(lists('asks', 'modern'));
		expect(connection.state).toBe('running');
		expect(connection.failure).toBeInstanceOf(Failure);
		expect(connection.failure?.message).toBe(
			's: The server responded to "tools/list" with a request for input; only calls of tools, prompts, and resources allow ' +
				"that. Report it to the server's author; the timeline shows the request.",
		);
		expect(here.logs.filter((line) => line.includes('with a request for input'))).toHaveLength(4);
		expect(here.registry.elicitations).toEqual([]);
	});
});

describe('a URI template', () => {
	const template = (text: string) => new ResourceTemplate(text, 'name', undefined, undefined);

	it.each([
		['a:b', []],
		['file:///{+path}', ['path*']],
		['x:{a,b:3,c*}/{a}', ['a*', 'b*', 'c*']],
		['x:{/part}{.ext}{;p}{?q,r*}{&s}{#t}', ['part*', 'ext*', 'p', 'q', 'r', 's', 't']],
		['x:{?a}/{a}', ['a*']],
		['x:{__proto__}{constructor}', ['__proto__*', 'constructor*']],
		['x:{open/{}/}', []],
	])('%s has the variables %j, those that are required marked', (text, names) => {
		expect(template(text).variables.map(({ name, required }) => `${name}${required ? '*' : ''}`)).toEqual(names);
	});

	it.each([
		['file:///{+path}', { path: 'a b/ü%20' }, 'file:///a%20b/%C3%BC%20'],
		['x:{a,b}', { a: '1/2', b: 'ü' }, 'x:1%2F2,%C3%BC'],
		['x:y{?a,b}', {}, 'x:y'],
		['x:y{?a,b}', { b: '' }, 'x:y?b='],
		['x:{a:2}', { a: 'abc' }, 'x:ab'],
		['x:{a}', JSON.parse('{"constructor": "c"}'), 'x:'],
	])('%s with %j is %s', (text, values, uri) => {
		expect(template(text).expand(values)).toBe(uri);
	});
});
