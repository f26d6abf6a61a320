import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { Failure } from '../../../src/mcp/wire/failure.ts';
import {
	define,
	type Listening,
	listening,
	peer,
	shown,
	stdio,
	type TestClient,
	testClients,
	testServer,
	type Wire,
} from './testClient.ts';

const world = testClients();

const sdk1 = testServer('sdk1.mjs');
const sdk2 = testServer('sdk2.mjs');
const raw = testServer('raw.mjs');
const simple = { message: 'Your name?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };

/** A schema with everything that the SDK's own handler would strip or reject. */
const realWorld: JsonObject = {
	type: 'object',
	$schema: 'http://json-schema.org/draft-07/schema#',
	properties: {
		code: { type: 'string', pattern: '^\\p{L}{2}-\\d+$', 'x-vendor': { a: [1] } },
		kind: { const: 'fixed' },
		level: { type: 'integer', enum: [1, 2, 3], exclusiveMinimum: 0, multipleOf: 1 },
		maybe: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
		either: { type: ['string', 'null'], format: 'ipv4' },
		tags: { type: 'array', items: { type: 'string' } },
		place: { $ref: '#/$defs/place' },
		nested: { type: 'object', properties: { deep: { type: 'boolean' } }, required: ['deep'] },
	},
	$defs: { place: { type: 'string', maxLength: 7 } },
	additionalProperties: false,
	required: ['code', 'missing'],
};

interface Case {
	id: string;
	revisions: string[];
	params?: Wire;
	answer?: Wire;
	sequence?: Wire[];
	answers?: Wire[];
}
const { cases } = JSON.parse(
	readFileSync(new URL('../../fixtures/reference-elicitations.json', import.meta.url), 'utf8'),
) as { cases: Case[] };

/** Responds to the open elicitation as the case says. */
async function answer(here: TestClient, expected: Wire, how: Wire): Promise<void> {
	const [elicitation] = await here.asked();
	const { request } = elicitation;
	expect(elicitation.origin.params).toEqual(expected);
	if (request.mode === 'url') {
		elicitation.opened();
	} else {
		expect(request.requestedSchema).toEqual(expected.requestedSchema);
		await here.registry.accept(elicitation, how.content);
	}
}

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('in revision %s', (revision) => {
	const server = revision === '2026-07-28' ? sdk2 : sdk1;

	it.each(cases.filter(({ revisions }) => revisions.includes(revision)))(
		'the reference case $id arrives whole and is answered to the letter',
		async ({ params, answer: how, sequence = [params], answers = [how] }) => {
			const here = world();
			const connection = await here.connect(stdio('ref', server, [], { protocolVersion: revision }));
			for (const [at, each] of sequence.entries()) {
				const calling = connection.callTool('ask', { params: each });
				await answer(here, each, answers[at]);
				expect(shown(await calling)).toEqual(answers[at]);
			}
		},
	);

	it('the raw schema reaches the registry unchanged', async () => {
		const here = world();
		const connection = await here.connect(stdio('ref', server, [], { protocolVersion: revision }));
		const calling = connection.callTool('ask', { params: { message: '', requestedSchema: realWorld } });
		const [elicitation] = await here.asked();
		expect(JSON.stringify(elicitation.request)).toBe(
			JSON.stringify({ mode: 'form', message: '', requestedSchema: realWorld }),
		);
		const content = { code: 'ab-1', level: 2, nested: { deep: false }, tags: [], maybe: null };
		await here.registry.accept(elicitation, content);
		expect(JSON.stringify(here.judged)).toBe(JSON.stringify([[realWorld, content]]));
		expect(shown(await calling)).toEqual({ action: 'accept', content });
	});

	it.each(['decline', 'cancel'] as const)('%s carries no content (F13)', async (action) => {
		const here = world();
		const connection = await here.connect(stdio('ref', server, [], { protocolVersion: revision }));
		const calling = connection.callTool('ask', { params: simple });
		const [elicitation] = await here.asked();
		elicitation[action]();
		expect(shown(await calling)).toStrictEqual({ action });
		expect(here.registry.calls.map(({ state }) => state)).toEqual(['succeeded']);
	});

	it('a mode that the user has declined for good is declined without asking', async () => {
		const here = world();
		const definition = stdio('ref', server, [], { protocolVersion: revision, elicitation: { form: 'decline' } });
		const connection = await here.connect(definition);
		expect(shown(await connection.callTool('ask', { params: simple }))).toStrictEqual({ action: 'decline' });
		expect(here.registry.elicitations.map(({ state }) => state)).toEqual(['declined']);
	});
});

describe.each(['2025-06-18', '2025-11-25'])('a mode that was not declared, in revision %s', (revision) => {
	it.each([
		[{ ...simple, mode: 'form' }, 'url', 'form'],
		[simple, 'url', 'form'],
		[{ mode: 'url', message: '', url: 'https://example.com/', elicitationId: '1' }, 'form', 'url'],
		[{ ...simple, mode: 'voice' }, 'both', 'voice'],
	])('%j to a client that advertises %s is refused (E07)', async (params, advertise, mode) => {
		const here = world();
		const connection = await here.connect(
			stdio('ref', sdk1, [], { protocolVersion: revision, elicitation: { advertise } }),
		);
		const calling = connection.callTool('ask', { params });
		expect(shown(await calling)).toEqual({ error: { code: -32602, message: expect.stringContaining(mode) } });
		expect(here.answers()).toHaveLength(1);
		expect(here.refusals).toMatchObject([{ server: 'ref', params }]);
		expect(here.registry.elicitations).toEqual([]);
	});
});

describe('a malformed elicitation/create', () => {
	it.each([
		'no-params',
		'params-array',
		'missing-message',
		'message-number',
		'missing-schema',
		'schema-string',
		'schema-array',
		'unknown-mode',
		'mode-number',
		'missing-url',
		'invalid-url',
	])('%s is refused with -32602, once, and the user is told once (E07, U07)', async (tool) => {
		const here = world();
		const connection = await here.connect(stdio('raw', raw, ['malformed-elicit']));
		const result = shown(await connection.callTool(tool, {}));
		expect(result).toEqual({ error: { code: -32602, message: expect.stringMatching(/\w/) } });
		expect(here.answers()).toHaveLength(1);
		expect(here.refusals.map(({ server }) => server)).toEqual(['raw']);
		expect(here.registry.elicitations).toEqual([]);
	});
});

describe('a request of the server for something else', () => {
	it('is refused as unknown, not left without an answer (A03)', async () => {
		const here = world();
		const connection = await here.connect(stdio('raw', peer('legacy.mjs')));
		const result = shown(await connection.callTool('send', { method: 'sampling/createMessage', params: {} }));
		expect(result).toEqual({ error: { code: -32601, message: 'Method not found' } });
		expect(here.registry.elicitations).toEqual([]);
	});

	it('with an id that is in use is refused, and the first is unharmed (fault 2)', async () => {
		const here = world();
		const connection = await here.connect(stdio('raw', peer('legacy.mjs')));
		const calling = connection.callTool('send-twice', { method: 'elicitation/create', params: simple });
		const [elicitation] = await here.asked();
		await here.until(() => here.wire('sent', ({ id, error }) => id === 'q1' && error)[0]);
		expect(here.registry.elicitations).toHaveLength(1);
		await here.registry.accept(elicitation, { name: 'Ada' });
		expect(shown(await calling)).toEqual({
			responses: [
				{ jsonrpc: '2.0', id: 'q1', error: { code: -32600, message: expect.stringContaining('q1') } },
				{ jsonrpc: '2.0', id: 'q1', result: { action: 'accept', content: { name: 'Ada' } } },
			],
		});
	});
});

describe('an elicitation that the server withdraws (A02, fault 8)', () => {
	it('at once is withdrawn, and nothing is sent', async () => {
		const here = world();
		const connection = await here.connect(stdio('raw', raw, ['cancel-elicit']));
		expect(shown(await connection.callTool('ask-then-cancel', {}))).toEqual({ result: 'withdrawn' });
		await here.until(() => here.registry.elicitations.every(({ live }) => !live));
		expect(here.registry.elicitations.map(({ state }) => state).filter((state) => state !== 'withdrawn')).toEqual([]);
		expect(shown(await connection.callTool('late-answers', {}))).toEqual({ lateAnswers: [] });
	});

	it('while the user thinks is withdrawn, and nothing is sent any more', async () => {
		const here = world();
		const connection = await here.connect(stdio('raw', raw, ['cancel-elicit']));
		const asking = connection.callTool('ask', {});
		const [elicitation] = await here.asked();
		await connection.callTool('cancel', {});
		expect(await elicitation.ended).toBe('withdrawn');
		expect(elicitation.accept({ name: 'too late' })).toBe(false);
		expect(shown(await asking)).toEqual({ result: 'withdrawn' });
		expect(shown(await connection.callTool('late-answers', {}))).toEqual({ lateAnswers: [] });
		expect(here.answers()).toEqual([]);
	});
});

describe('a server that dies while it asks (fault 1)', () => {
	it('has its elicitation withdrawn, and the call fails with one Failure: server, cause and fix', async () => {
		const here = world();
		const connection = await here.connect(stdio('mortal', sdk1));
		const calling = connection.callTool('crash', { ms: 50 }).catch((error: unknown) => error);
		const [elicitation] = await here.asked();
		expect(await elicitation.outcome).toMatchObject({ action: 'withdrawn' });
		const failure = (await calling) as Failure;
		expect(failure).toBeInstanceOf(Failure);
		expect(failure.message).toBe(
			'mortal: The server exited with code 1 and wrote nothing. Run the command in a terminal to see why, or look at its log.',
		);
		await here.until(() => connection.state === 'restarting');
		expect(connection.failure?.message).toBe(failure.message);
		expect(here.registry.calls.map(({ state }) => state)).toEqual(['failed']);
	});

	it('can be started again, and asks again', async () => {
		const here = world();
		const connection = await here.connect(stdio('mortal', sdk1));
		await expect(connection.callTool('crash', { ms: 0 })).rejects.toThrow(Failure);
		const calling = connection.callTool('ask', { params: simple });
		const [elicitation] = await here.asked();
		elicitation.decline();
		expect(shown(await calling)).toEqual({ action: 'decline' });
	});

	it('over HTTP too: the stream is cut, and the call does not run a second time (fault 17)', async () => {
		const here = world();
		const server = await listening(sdk1, '--http', '0');
		const connection = await here.connect(define('mortal', { url: server.url }));
		const calling = connection.callTool('ask', { params: simple }).catch((error: unknown) => error);
		const [elicitation] = await here.asked();
		server.stop();
		expect(await calling).toBeInstanceOf(Failure);
		expect(((await calling) as Failure).message).toMatch(/^mortal: .+\. .+\.$/);
		expect(await elicitation.ended).toBe('withdrawn');
		expect(here.wire('sent', ({ method }) => method === 'tools/call')).toHaveLength(1);
	});
});

describe('a call', () => {
	it('that the user stops ends at once; the server is told of it, and its elicitation is canceled (D03)', async () => {
		const here = world();
		const connection = await here.connect(stdio('s', sdk1));
		const abort = new AbortController();
		const calling = connection.callTool('ask', { params: simple }, { signal: abort.signal });
		const [elicitation] = await here.asked();
		const reason = new Error('stopped by hand');
		abort.abort(reason);
		await expect(calling).rejects.toBe(reason);
		expect(await elicitation.outcome).toMatchObject({ action: 'cancel' });
		expect(here.wire('sent', ({ method }) => method === 'notifications/cancelled')).toHaveLength(1);
		expect(here.registry.calls.map(({ state }) => state)).toEqual(['cancelled']);
	});

	it('that was stopped before it began is never sent', async () => {
		const here = world();
		const connection = await here.connect(stdio('s', sdk1));
		await expect(connection.callTool('ask', {}, { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
		expect(here.wire('sent', ({ method }) => method === 'tools/call')).toEqual([]);
	});

	it('ends with a Failure that names server, cause and fix when the server is too slow', async () => {
		const here = world();
		here.timeout = 0.3;
		const connection = await here.connect(stdio('slow one', sdk1));
		await expect(connection.callTool('slow', { ms: 10_000 })).rejects.toThrow(
			/^slow one: "slow" did not finish within 0\.3 s\. Increase "mcpElicitation\.callTimeout"/,
		);
	});

	it('outlives its limit while the user thinks (A04, fault 9)', async () => {
		const here = world();
		here.timeout = 0.4;
		const connection = await here.connect(stdio('s', sdk1));
		const calling = connection.callTool('ask', { params: simple });
		const [elicitation] = await here.asked();
		const [call] = here.registry.calls;
		await new Promise<void>((resolve) => {
			const look = () => ((call?.clock.humanTime ?? 0) > 900 ? resolve() : setTimeout(look, 50));
			look();
		});
		elicitation.decline();
		expect(shown(await calling)).toEqual({ action: 'decline' });
		expect(call?.clock.serverTime).toBeLessThan(400);
	});

	it('reports its progress, and shows the failure of a tool as a result', async () => {
		const here = world();
		const connection = await here.connect(stdio('s', sdk1));
		const steps: unknown[] = [];
		await connection.callTool('progress', { steps: 3 }, { onProgress: ({ progress }) => steps.push(progress) });
		expect(steps).toEqual([1, 2, 3]);
		expect(await connection.callTool('fail', {})).toMatchObject({ isError: true });
		await expect(connection.callTool('fail', { protocol: true })).rejects.toThrow(/^s: .*It failed as a request\./);
	});
});

describe('which call an elicitation belongs to', () => {
	let http: Listening;
	beforeAll(async () => {
		http = await listening(sdk1, '--http', '0');
	});
	afterAll(() => http.stop());

	it('is exact over HTTP, where each call has a stream of its own', async () => {
		const here = world();
		const connection = await here.connect(define('s', { url: http.url }));
		const params = (message: string) => ({ params: { ...simple, message } });
		const calling = [connection.callTool('ask', params('first')), connection.callTool('ask', params('second'))];
		const allPending = await here.asked(2);
		const byMessage = Object.fromEntries(
			allPending.map(({ request, origin }) => [request.message, origin.calls.map(({ args }) => args)]),
		);
		expect(byMessage).toEqual({ first: [params('first')], second: [params('second')] });
		allPending[0].decline();
		expect(shown(await Promise.race(calling))).toEqual({ action: 'decline' });
		allPending[1]?.cancel();
		await Promise.all(calling);
		const traced = here.trace.entries.filter(({ message }) => (message as Wire).method === 'elicitation/create');
		expect(
			traced.map(({ call, message }) => [(call as Wire).args.params.message, (message as Wire).params.message]),
		).toEqual([
			['first', 'first'],
			['second', 'second'],
		]);
	});

	it('is uncertain over stdio with two in flight: both are named', async () => {
		const here = world();
		const connection = await here.connect(stdio('s', sdk1));
		const slow = connection.callTool('slow', { ms: 60_000 }, { signal: AbortSignal.timeout(15_000) }).catch(() => {});
		const calling = connection.callTool('ask', { params: simple });
		const [elicitation] = await here.asked();
		expect(elicitation.origin.calls).toEqual(here.registry.calls);
		expect(here.registry.calls.map(({ name }) => name)).toEqual(['slow', 'ask']);
		elicitation.cancel();
		await calling;
		await connection.stop();
		await slow;
	});

	it.each([
		['stdio', { calls: [] }],
		// The request may arrive before the result, because it uses another stream.
		['http', {}],
	])('is none over %s when the server asks outside calls (fault 28)', async (transport, calls) => {
		const here = world();
		const connection = await here.connect(transport === 'stdio' ? stdio('s', sdk1) : define('s', { url: http.url }));
		await connection.callTool('ask-later', { params: simple });
		const [elicitation] = await here.asked();
		expect(elicitation.origin).toMatchObject({ server: 's', intake: 'request', params: simple, ...calls });
		elicitation.decline();
		expect((await here.until(() => here.answers()[0])).result).toStrictEqual({ action: 'decline' });
	});
});

it('other output on stdout is tolerated and logged in part (fault 14)', async () => {
	const here = world();
	const connection = await here.connect(stdio('noisy', raw, ['noise']));
	expect(shown(await connection.callTool('echo', { a: 1 }))).toEqual({ arguments: { a: 1 } });
	const noise = here.logs.filter((line) => line.startsWith('warn: Ignored a line on stdout'));
	expect(noise.some((line) => line.includes('Server is starting…'))).toBe(true);
	expect(noise.some((line) => line.includes('{"hello":"world"}'))).toBe(true);
});
