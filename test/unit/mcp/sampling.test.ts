import { describe, expect, it } from 'vitest';
import type { Elicitation } from '../../../src/elicitation/elicitation.ts';
import { variants } from '../../nightly.ts';
import { callRawServerTool, connectRawServer, REQUESTS, ROUNDS } from './faults/rawServerFixtures.ts';
import { type TestClient, testClients } from './testClient.ts';

const world = testClients();

const ASK = { sampling: 'ask' };
const params = {
	messages: [
		{ role: 'user', content: { type: 'text', text: 'Say hello' } },
		{
			role: 'assistant',
			content: [
				{ type: 'text', text: 'To whom?' },
				{ type: 'image', data: 'QUJD', mimeType: 'image/png' },
			],
		},
	],
	systemPrompt: 'Be brief.',
	maxTokens: 100,
	modelPreferences: { hints: [{ name: 'small' }] },
	_meta: { hidden: true },
};
const response = { role: 'assistant', content: { type: 'text', text: 'Hello!' }, model: 'user', stopReason: 'endTurn' };

async function accept(here: TestClient): Promise<Elicitation> {
	const [elicitation] = await here.asked();
	await here.registry.accept(elicitation, { text: 'Hello!', model: 'user' });
	return elicitation;
}

describe.each(variants(...REQUESTS.toReversed()))('a sampling request over %s', (_wire, open) => {
	it('is shown whole, and gets what the user writes (N02)', async () => {
		const here = world();
		const { rawServer, connection, call } = await callRawServerTool(here, open, {}, ASK);
		expect(rawServer.requests('initialize')[0].params.capabilities.sampling).toEqual({});
		rawServer.send({ id: 'sample', method: 'sampling/createMessage', params }, call);
		const { request, origin } = await accept(here);
		expect(request.message).toBe(
			[
				'user: Say hello',
				'assistant: To whom?\n‹image/png, 3 B›',
				'systemPrompt: Be brief.',
				'maxTokens: 100',
				'modelPreferences: {"hints":[{"name":"small"}]}',
			].join('\n\n'),
		);
		expect(origin.calls.map(({ name }) => name)).toEqual(['act']);
		expect((await rawServer.until(() => rawServer.responses('sample')[0])).result).toEqual(response);
		rawServer.finish(call);
		await connection.stop();
	});

	it.each(['decline', 'cancel'] as const)('to which the user responds with %s is rejected (N02)', async (action) => {
		const here = world();
		const { rawServer, call } = await callRawServerTool(here, open, {}, ASK);
		rawServer.send({ id: 'sample', method: 'sampling/createMessage', params }, call);
		const [elicitation] = await here.asked();
		elicitation[action]();
		const { error } = await rawServer.until(() => rawServer.responses('sample')[0]);
		expect(error).toEqual({ code: -1, message: 'User rejected sampling request' });
		rawServer.finish(call);
	});

	it('is never for an auto-responder (N02)', async () => {
		const here = world();
		const { rawServer, call } = await callRawServerTool(here, open, {}, ASK);
		here.registry.autoResponders.add({
			responder: { kind: 'script', name: 'all' },
			respond: async () => ({ action: 'decline' }),
		});
		rawServer.send({ id: 'sample', method: 'sampling/createMessage', params }, call);
		expect((await accept(here)).responder).toBeUndefined();
		rawServer.finish(call);
	});

	it.each([
		['without messages', { maxTokens: 1 }, 'The member "messages" must be a list of messages.'],
		[
			'with tools',
			{ ...params, tools: [] },
			'The request has "tools", but this client did not declare sampling with tools.',
		],
		['of 200 KB', { ...params, systemPrompt: 'x'.repeat(200_000) }, 'The message is larger than 102,400 bytes.'],
	])('%s is refused', async (_what, bad, message) => {
		const here = world();
		const { rawServer, call } = await callRawServerTool(here, open, {}, ASK);
		rawServer.send({ id: 'sample', method: 'sampling/createMessage', params: bad }, call);
		const { error } = await rawServer.until(() => rawServer.responses('sample')[0]);
		expect(error).toEqual({ code: -32602, message });
		expect(here.refusals).toHaveLength(1);
		rawServer.finish(call);
	});

	it('is not known unless the definition says "ask"', async () => {
		const here = world();
		const { rawServer } = await connectRawServer(here, open);
		expect(rawServer.requests('initialize')[0].params.capabilities).not.toHaveProperty('sampling');
		rawServer.send({ id: 'sample', method: 'sampling/createMessage', params });
		const { error } = await rawServer.until(() => rawServer.responses('sample')[0]);
		expect(error.code).toBe(-32601);
		expect(here.registry.elicitations).toEqual([]);
	});
});

describe.each(variants(...ROUNDS.toReversed()))('a round over %s', (_wire, open) => {
	const inputRequests = { text: { method: 'sampling/createMessage', params } };

	it('that requests sampling goes on with what the user writes', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open, {}, ASK);
		expect(call.params._meta['io.modelcontextprotocol/clientCapabilities'].sampling).toEqual({});
		rawServer.answer(call, { resultType: 'input_required', inputRequests });
		await accept(here);
		const retry = await rawServer.expect('tools/call');
		expect(retry.params.inputResponses).toEqual({ text: response });
		rawServer.finish(retry);
		await calling;
	});

	it('that requests sampling ends with its call if the user rejects it (N02)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open, {}, ASK);
		const failing = calling.catch((error: Error) => error.message);
		rawServer.answer(call, { resultType: 'input_required', inputRequests });
		const [elicitation] = await here.asked();
		elicitation.decline();
		expect(await failing).toBe(
			'raw-server: The sampling request of "act" was rejected. Call it again to respond differently.',
		);
		expect(rawServer.requests('tools/call')).toHaveLength(1);
	});
});
