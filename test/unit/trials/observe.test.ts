import { describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../../src/elicitation/json.ts';
import { english, render, type Sentence } from '../../../src/elicitation/sentence.ts';
import { actionMatrix } from '../../../src/trials/actionMatrix.ts';
import { type Observation, observe, type RunContext, type Trial } from '../../../src/trials/observe.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { MODERN } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { modernTask } from '../mcp/tasks/taskFixtures.ts';
import { define, stdio, type TestClient, testClients, testServer } from '../mcp/testClient.ts';

const world = testClients();

const form = {
	message: 'How many?',
	requestedSchema: { type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] },
};
const page = { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e' };

/** Connects a server and returns what is needed to run its tool. */
async function openRunContext(stage: TestClient, server: 'sdk1' | 'sdk2'): Promise<RunContext> {
	const connection = await stage.connect(stdio(server, testServer(`${server}.mjs`)));
	return { registry: stage.registry, run: ({ name, args }, options) => connection.callTool(name, args, options) };
}

const never = new AbortController().signal;
const call = (name: string, args: JsonObject) => ({ server: 's', kind: 'tool', name, args }) as const;

async function matrix(
	context: RunContext,
	params: JsonObject,
	cancelAfter = 200,
): Promise<(Observation | undefined)[]> {
	const seen = [];
	for (const trial of actionMatrix(context.registry.validator, [])) {
		const bounded: Trial = trial.cancelAfter === undefined ? trial : { ...trial, cancelAfter };
		seen.push(await observe(context, call('ask', { params }), bounded, never));
	}
	return seen;
}

const outcomes = (seen: readonly (Observation | undefined)[]) => seen.map((each) => each?.outcome);
const notes = (seen: Observation | undefined) => seen?.notes.map((note) => render(note, english));

describe('the action matrix', () => {
	it('ends the elicitation of a session in every way and shows how the server reacted', async () => {
		const stage = world();
		const seen = await matrix(await openRunContext(stage, 'sdk1'), form);
		expect(outcomes(seen)).toEqual(['result', 'result', 'result', 'isError', 'waiting']);
		expect(seen.map((each) => each?.message)).toEqual([
			'{"action":"accept","content":{"n":3}}',
			'{"action":"decline"}',
			'{"action":"cancel"}',
			expect.stringContaining('The client failed on purpose.'),
			'',
		]);
		expect(seen.map((each) => each?.elicitations.length)).toEqual([1, 1, 1, 1, 1]);
		expect(seen.map((each) => each?.call?.trial?.text)).toEqual([
			'Action matrix: accept',
			'Action matrix: decline',
			'Action matrix: cancel',
			'Action matrix: error',
			'Action matrix: no response',
		]);
		expect(notes(seen[4])?.join()).toMatch(/^It was cancelled after [\d.]+ s, during which the server kept waiting\.$/);
		expect(stage.registry.live).toEqual([]);
	});

	it('ends the elicitation of a round trip in every way', async () => {
		const seen = await matrix(await openRunContext(world(), 'sdk2'), form);
		expect(outcomes(seen)).toEqual(['result', 'result', 'result', 'failed', 'waiting']);
	});

	it('responds to more elicitations than the rate limit permits, and never asks the user', async () => {
		const stage = world();
		stage.perMinute = 1;
		const context = await openRunContext(stage, 'sdk1');
		const asked: unknown[] = [];
		stage.registry.onDidAsk((request) => asked.push(request));
		const [accept] = actionMatrix(context.registry.validator, []);
		const many = call('ask-many', { params: Array.from({ length: 30 }, () => form) });
		const seen = await observe(context, many, accept as Trial, never);
		expect(seen?.outcome).toBe('result');
		expect(seen?.elicitations).toHaveLength(30);
		expect(asked).toEqual([]);
	});

	it('stops a call that never stops asking', async () => {
		const context = await openRunContext(world(), 'sdk2');
		const [accept] = actionMatrix(context.registry.validator, []);
		const seen = await observe(context, call('rounds', {}), accept as Trial, never);
		expect(seen?.outcome).toBe('failed');
		expect(render(seen?.message as never, english)).toContain('without finishing');
	});

	it('stops a call whose server does not take a response, and says why', async () => {
		const stage = world();
		const rawServer = await RawStdioServer.open({ revision: MODERN });
		onTestFinished(() => rawServer.close());
		const connection = await stage.connect(define('raw-server', rawServer.definition));
		const context: RunContext = {
			registry: stage.registry,
			run: ({ name, args }, options) => connection.callTool(name, args, options),
		};
		const inputRequests = { a: { method: 'elicitation/create', params: form } };
		const [accept] = actionMatrix(stage.registry.validator, []);
		const seen = observe(context, call('act', {}), accept as Trial, never);
		rawServer.answer(await rawServer.expect('tools/call'), modernTask('working', { resultType: 'task' }));
		rawServer.answer(
			await rawServer.expect('tasks/get'),
			modernTask('input_required', { inputRequests, pollIntervalMs: 60_000 }),
		);
		rawServer.fail(await rawServer.expect('tasks/update'), { code: -32602, message: 'Too few' });
		expect((await seen)?.outcome).toBe('waiting');
		expect(notes(await seen)).toEqual(['The server responded with error -32602: Too few.']);
	});

	// On Windows, Node never closes the file descriptors 0 to 2.
	it.skipIf(process.platform === 'win32').each([
		['ends', 'failed', /The server exited with code 3/],
		['stays', 'waiting', /The server no longer reads what is sent to it/],
	] as const)('tells of a server that no longer reads a response and %s', async (then, outcome, why) => {
		const stage = world();
		const rawServer = await RawStdioServer.open();
		onTestFinished(() => rawServer.close());
		const connection = await stage.connect(define('raw-server', rawServer.definition));
		const context: RunContext = {
			registry: stage.registry,
			run: ({ name, args }, options) => connection.callTool(name, args, options),
		};
		const answer: Trial['answer'] = async () => {
			await rawServer.deafen();
			return { action: 'decline' };
		};
		const [accept] = actionMatrix(stage.registry.validator, []);
		const seen = observe(context, call('act', {}), { ...(accept as Trial), answer }, never);
		rawServer.ask(form, await rawServer.expect('tools/call'));
		await stage.until(() => stage.logs.some((line) => line.includes('A response could not be delivered.')));
		await (then === 'ends' && rawServer.die(3));
		expect((await seen)?.outcome).toBe(outcome);
		const { message, notes } = (await seen) as Observation;
		expect(render((message || notes[0]) as Sentence, english)).toMatch(why);
	});

	it('goes on with a call whose server withdraws its request while the response is on its way', async () => {
		const stage = world();
		const rawServer = await RawHttpServer.open();
		onTestFinished(() => rawServer.close());
		rawServer.refusePosts = ({ method }) => (method === undefined ? { status: 503 } : undefined);
		const connection = await stage.connect(define('raw-server', rawServer.definition));
		const context: RunContext = {
			registry: stage.registry,
			run: ({ name, args }, options) => connection.callTool(name, args, options),
		};
		const [accept] = actionMatrix(stage.registry.validator, []);
		const seen = observe(context, call('act', {}), accept as Trial, never);
		const request = await rawServer.expect('tools/call');
		const { id } = rawServer.ask(form, request);
		await rawServer.until(() => rawServer.log.includes('POST response'));
		rawServer.notify('notifications/cancelled', { requestId: id }, request);
		await stage.until(() => stage.registry.elicitations[0]?.delivery?.state === 'undelivered');
		rawServer.finish(request);
		expect((await seen)?.outcome).toBe('result');
	});

	it('accepts a URL without opening it', async () => {
		const stage = world();
		const context = await openRunContext(stage, 'sdk1');
		const [accept] = actionMatrix(context.registry.validator, []);
		const seen = await observe(context, call('ask', { params: page }), accept as Trial, never);
		expect(seen?.message).toBe('{"action":"accept"}');
		expect(notes(seen)).toEqual(['The URL was not opened.']);
	});

	it('says when the settings prevent the test', async () => {
		const stage = world();
		const elicitation = { form: 'decline' };
		const connection = await stage.connect(stdio('sdk1', testServer('sdk1.mjs'), [], { elicitation }));
		const context: RunContext = {
			registry: stage.registry,
			run: ({ name, args }, options) => connection.callTool(name, args, options),
		};
		const [accept] = actionMatrix(context.registry.validator, []);
		const seen = await observe(context, call('ask', { params: form }), accept as Trial, never);
		expect(seen?.message).toBe('{"action":"decline"}');
		expect(notes(seen)).toEqual(['Your settings decline the requests of this server; nothing could be tried.']);
	});

	it('says when the user stops it', async () => {
		const context = await openRunContext(world(), 'sdk1');
		const stop = new AbortController();
		const [accept] = actionMatrix(context.registry.validator, []);
		const running = observe(context, call('slow', { ms: 600_000 }), accept as Trial, stop.signal);
		stop.abort();
		expect((await running)?.outcome).toBe('cancelled');
	});

	it('says when the server gives up, with the server’s message', async () => {
		const rawServer = await RawStdioServer.open();
		const stage = world();
		try {
			const connection = await stage.connect(define('raw-server', rawServer.definition));
			const context: RunContext = {
				registry: stage.registry,
				run: ({ name, args }, options) => connection.callTool(name, args, options),
			};
			const trial = actionMatrix(context.registry.validator, []).at(-1) as Trial;
			const running = observe(context, call('act', {}), trial, never);
			const made = await rawServer.expect('tools/call');
			const request = rawServer.ask(form, made);
			await stage.asked();
			rawServer.notify('notifications/cancelled', { requestId: request.id }, made);
			rawServer.fail(made, { code: -32001, message: 'Nobody answered.' });
			const seen = await running;
			expect(seen?.outcome).toBe('error');
			expect(seen?.message).toContain('Nobody answered.');
			expect(notes(seen)?.join()).toMatch(/^The server gave up after [\d.]+ s\.$/);
		} finally {
			await stage.close();
			await rawServer.close();
		}
	});
});
