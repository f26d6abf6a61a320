import { describe, expect, it, onTestFinished } from 'vitest';
import { callRawServerTool, connectRawServer, REQUESTS, ROUNDS } from './faults/rawServerFixtures.ts';
import { define, testClients } from './testClient.ts';

/* The SDK rejects results with anything that it does not expect. The call has run by then, so its result is shown. */

const world = testClients();
const text = { type: 'text', text: 'done' };

describe.each([...REQUESTS, ...ROUNDS])('over %s, the result of a call that has run is shown', (_wire, open) => {
	it.each<[string, object]>([
		['with a day instead of a moment', { content: [{ ...text, annotations: { lastModified: '2026-01-31' } }] }],
		['with content of an unknown kind', { content: [text, { type: 'chart', points: [1, 2] }] }],
		['without content', { structuredContent: { done: true } }],
		['with a list as its structured content', { content: [text], structuredContent: [1, 2] }],
		['with members that no revision has', { content: [{ ...text, color: 'red' }], more: { deep: null } }],
	])('%s', async (_what, result) => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		rawServer.answer(call, { resultType: 'complete', ...result });
		expect(await calling).toEqual(result);
	});

	it('for prompts and resources, too', async () => {
		const here = world();
		const capabilities = { prompts: {}, resources: {} };
		const { rawServer, connection } = await connectRawServer(here, open, { capabilities });
		const prompt = { messages: [{ role: 'tool', content: text }] };
		const getting = connection.getPrompt('greet', {});
		rawServer.answer(await rawServer.expect('prompts/get'), { resultType: 'complete', ...prompt });
		expect(await getting).toEqual(prompt);
		const resource = { contents: [{ uri: 'test:it', blob: '-_-_' }] };
		const reading = connection.readResource('test:it');
		rawServer.answer(await rawServer.expect('resources/read'), { resultType: 'complete', ...resource });
		expect(await reading).toEqual(resource);
	});
});

it('a result of a kind that 2026-07-28 does not have is invalid', async () => {
	const here = world();
	const [, open] = ROUNDS[0] as (typeof ROUNDS)[number];
	const { rawServer, calling, call } = await callRawServerTool(here, open);
	rawServer.answer(call, { resultType: 'partial', content: [text] });
	await expect(calling).rejects.toThrow(/Unsupported result type 'partial' for tools\/call/);
});

describe.each([...REQUESTS, ...ROUNDS])('over %s, what nobody looks at in an entry', (_wire, open) => {
	it('does not spoil the whole list', async () => {
		const here = world();
		const rawServer = await open({
			capabilities: { resources: {} },
			tools: ['act', { name: 'odd', inputSchema: { type: 'object' }, outputSchema: { type: 'array' }, icons: 'star' }],
			manual: ['resources/list'],
		});
		onTestFinished(() => rawServer.close());
		const connection = here.create(define('raw-server', rawServer.definition));
		const starting = connection.start();
		const resource = { uri: 'test:it', name: 'it', size: '3 KB', annotations: { lastModified: '2026-01-31' } };
		const hints = { ttlMs: 0, cacheScope: 'private' };
		const list = await rawServer.expect('resources/list');
		rawServer.answer(list, { resultType: 'complete', ...hints, resources: [resource] });
		await starting;
		expect(connection.tools.map(({ name }) => name)).toEqual(['act', 'odd']);
		expect(connection.resources.map(({ uri }) => uri)).toEqual(['test:it']);
		expect(connection.listed('resources')).toEqual([resource]);
		expect(connection.failure).toBeUndefined();
	});
});

it.each([...REQUESTS, ...ROUNDS])(
	'a list in which null stands for what is absent is read (%s)',
	async (_wire, open) => {
		const here = world();
		const rawServer = await open({ manual: ['tools/list'] });
		onTestFinished(() => rawServer.close());
		const connection = here.create(define('raw-server', rawServer.definition));
		const starting = connection.start();
		const tool = { name: 'act', title: null, description: null, inputSchema: { type: 'object' }, execution: null };
		const list = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [tool], nextCursor: null };
		rawServer.answer(await rawServer.expect('tools/list'), list);
		await starting;
		expect([connection.tools.length, connection.failure]).toEqual([1, undefined]);
	},
);
