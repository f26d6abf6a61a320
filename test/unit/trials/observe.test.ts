import { describe, expect, it } from 'vitest';
import type { Observation, TrialRun } from '../../../src/trials/observe.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { MODERN } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { modernTask } from '../mcp/tasks/taskFixtures.ts';
import { stdio, testClients, testServer } from '../mcp/testClient.ts';
import { rawStand, sdkServers, stand, textsOf } from './stand.ts';

const world = testClients();
const definitionOf = sdkServers();
const sdk = (server: 'sdk1' | 'sdk2', more: object = {}) => stand(world(), definitionOf(server, more));

const form = {
	message: 'How many?',
	requestedSchema: { type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] },
};

/** What every trial of the action matrix shows. */
async function allOf({ matrix, seen }: Awaited<ReturnType<typeof sdk>>): Promise<Observation[]> {
	const all = [];
	for (const trial of matrix) {
		all.push(
			await seen(trial.cancelAfter === undefined ? trial : { ...trial, cancelAfter: 200 }, 'ask', { params: form }),
		);
	}
	return all;
}

describe('the action matrix', () => {
	it('ends the elicitation of a session in every way and shows how the server reacted', async () => {
		const stage = await sdk('sdk1');
		const seen = await allOf(stage);
		expect(
			seen.map(({ outcome, message, elicitations, call }) => [
				outcome,
				message,
				elicitations.length,
				call?.trial?.text,
			]),
		).toEqual([
			['result', '{"action":"accept","content":{"n":3}}', 1, 'Action matrix: accept'],
			['result', '{"action":"decline"}', 1, 'Action matrix: decline'],
			['result', '{"action":"cancel"}', 1, 'Action matrix: cancel'],
			['isError', expect.stringContaining('The client failed on purpose.'), 1, 'Action matrix: error'],
			['waiting', '', 1, 'Action matrix: no response'],
		]);
		expect(textsOf(seen[4]?.notes ?? [])).toEqual([
			expect.stringMatching(/^It was cancelled after [\d.]+ s, during which the server kept waiting\.$/),
		]);
		expect(stage.here.registry.live).toEqual([]);
	});

	it('ends the elicitation of a round trip in every way', async () => {
		const seen = await allOf(await sdk('sdk2'));
		expect(seen.map(({ outcome }) => outcome)).toEqual(['result', 'result', 'result', 'failed', 'waiting']);
	});

	it('responds to more elicitations than the rate limit permits, and never asks the user', async () => {
		const { here, seen, accept } = await stand(world(), stdio('sdk1', testServer('sdk1.mjs')));
		here.perMinute = 1;
		const asked: unknown[] = [];
		here.registry.onDidAsk((request) => asked.push(request));
		const { outcome, elicitations } = await seen(accept, 'ask-many', { params: Array(30).fill(form) });
		expect([outcome, elicitations.length, asked]).toEqual(['result', 30, []]);
	});

	it('stops a call that never stops asking', async () => {
		const { seen, accept } = await sdk('sdk2');
		const { outcome, message } = await seen(accept, 'rounds');
		expect(outcome).toBe('failed');
		expect(textsOf([message as never])).toEqual([expect.stringContaining('without finishing')]);
	});

	it('stops a call whose server does not take a response, and says why', async () => {
		const { server, seen, accept } = await rawStand(world(), RawStdioServer.open({ revision: MODERN }));
		const inputRequests = { a: { method: 'elicitation/create', params: form } };
		const running = seen(accept);
		server.answer(await server.expect('tools/call'), modernTask('working', { resultType: 'task' }));
		const required = modernTask('input_required', { inputRequests, pollIntervalMs: 60_000 });
		server.answer(await server.expect('tasks/get'), required);
		server.fail(await server.expect('tasks/update'), { code: -32602, message: 'Too few' });
		const { outcome, notes } = await running;
		expect([outcome, textsOf(notes)]).toEqual(['waiting', ['The server responded with error -32602: Too few.']]);
	});

	// On Windows, Node never closes the file descriptors 0 to 2.
	it.skipIf(process.platform === 'win32').each([
		['ends', 'failed', /The server exited with code 3/],
		['stays', 'waiting', /The server no longer reads what is sent to it/],
	] as const)('tells of a server that no longer reads a response and %s', async (then, outcome, why) => {
		const { here, server, seen, accept } = await rawStand(world(), RawStdioServer.open());
		const answer: TrialRun['answer'] = async () => {
			await server.deafen();
			return { action: 'decline' };
		};
		const running = seen({ ...accept, answer });
		server.ask(form, await server.expect('tools/call'));
		await here.until(() => here.logs.some((line) => line.includes('A response could not be delivered.')));
		await (then === 'ends' && server.die(3));
		const { outcome: ended, message, notes } = await running;
		expect(ended).toBe(outcome);
		expect(textsOf([(message || notes[0]) as never])).toEqual([expect.stringMatching(why)]);
	});

	it('goes on with a call whose server withdraws its request while the response is on its way', async () => {
		const opening = RawHttpServer.open();
		(await opening).refusePosts = ({ method }) => (method === undefined ? { status: 503 } : undefined);
		const { here, server, seen, accept } = await rawStand(world(), opening);
		const running = seen(accept);
		const request = await server.expect('tools/call');
		const { id } = server.ask(form, request);
		await server.until(() => server.log.includes('POST response'));
		server.notify('notifications/cancelled', { requestId: id }, request);
		await here.until(() => here.registry.elicitations[0]?.delivery?.state === 'undelivered');
		server.finish(request);
		expect((await running).outcome).toBe('result');
	});

	it('accepts a URL without opening it', async () => {
		const { seen, accept } = await sdk('sdk1');
		const params = { mode: 'url', message: 'Sign in', url: 'https://example.com/in', elicitationId: 'e' };
		const { message, notes } = await seen(accept, 'ask', { params });
		expect([message, textsOf(notes)]).toEqual(['{"action":"accept"}', ['The URL was not opened.']]);
	});

	it('says when the settings prevent the test', async () => {
		const { seen, accept } = await sdk('sdk1', { elicitation: { form: 'decline' } });
		const { message, notes } = await seen(accept, 'ask', { params: form });
		expect(message).toBe('{"action":"decline"}');
		expect(textsOf(notes)).toEqual(['Your settings decline the requests of this server; nothing could be tried.']);
	});

	it('says when the user stops it', async () => {
		const { seen, accept } = await sdk('sdk1');
		const stop = new AbortController();
		const running = seen(accept, 'slow', { ms: 600_000 }, stop.signal);
		stop.abort();
		expect((await running).outcome).toBe('cancelled');
	});

	it('says when the server gives up, with the server’s message', async () => {
		const { here, server, seen, matrix } = await rawStand(world(), RawStdioServer.open());
		const running = seen(matrix.at(-1) as TrialRun);
		const made = await server.expect('tools/call');
		const request = server.ask(form, made);
		await here.asked();
		server.notify('notifications/cancelled', { requestId: request.id }, made);
		server.fail(made, { code: -32001, message: 'Nobody answered.' });
		const { outcome, message, notes } = await running;
		expect([outcome, message]).toEqual(['error', expect.stringContaining('Nobody answered.')]);
		expect(textsOf(notes)).toEqual([expect.stringMatching(/^The server gave up after [\d.]+ s\.$/)]);
	});
});
