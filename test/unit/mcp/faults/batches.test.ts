import { describe, expect, it } from 'vitest';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { BATCHING, LEGACY, type RawServer, type RawServerOptions, type Wire } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { testClients } from '../testClient.ts';
import { callRawServerTool, form, response } from './rawServerFixtures.ts';

const world = testClients();

const WIRES: readonly [string, (options?: RawServerOptions) => Promise<RawServer>][] = [
	['stdio', RawStdioServer.open],
	['HTTP', RawHttpServer.open],
];

const batch = (rawServer: RawServer, messages: readonly unknown[], call: Wire) =>
	rawServer.line(JSON.stringify(messages), call);

const elicitation = (id: string) => ({ jsonrpc: '2.0', id, method: 'elicitation/create', params: form });
const resultOf = ({ id }: Wire) => ({
	jsonrpc: '2.0',
	id,
	result: { content: [], structuredContent: { batched: true } },
});
const notice = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };

describe.each(WIRES)('over %s', (_wire, open) => {
	it('each request of a batch is answered once, and none waits for the others (D07)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open, { revision: BATCHING });
		batch(
			rawServer,
			[
				elicitation('a'),
				notice,
				{ jsonrpc: '2.0', id: 'b', method: 'ping' },
				elicitation('c'),
				{ jsonrpc: '2.0', id: 'd', method: 'nothing/known' },
				{ jsonrpc: '1.0', id: 'e', method: 'ping' },
				7,
			],
			call,
		);
		const open_ = await here.asked(2);
		await rawServer.until(() => ['b', 'd', 'e'].every((id) => rawServer.responses(id).length > 0));
		expect(['a', 'c'].flatMap((id) => rawServer.responses(id))).toEqual([]);
		await here.registry.accept(open_[0], { name: 'Ada' });
		open_[1]?.decline();
		await rawServer.until(() => ['a', 'c'].every((id) => rawServer.responses(id).length > 0));
		await rawServer.fence(call);
		expect(['a', 'b', 'c', 'd', 'e'].flatMap((id) => rawServer.responses(id))).toEqual([
			response('a', { action: 'accept', content: { name: 'Ada' } }),
			response('b', {}),
			response('c', { action: 'decline' }),
			{ jsonrpc: '2.0', id: 'd', error: { code: -32601, message: 'Method not found' } },
			{ jsonrpc: '2.0', id: 'e', error: { code: -32600, message: '"jsonrpc" must be "2.0".' } },
		]);
		expect(open_.map(({ cause }) => cause?.name)).toEqual(['act', 'act']);
		batch(rawServer, [notice, resultOf(call)], call);
		expect(await calling).toMatchObject({ structuredContent: { batched: true } });
	});

	it('in a revision without batches their requests get -32600 each, and the user is told; a result still counts (D07, D02)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open, { revision: LEGACY });
		batch(rawServer, [elicitation('a'), { jsonrpc: '2.0', id: 'b', method: 'ping' }], call);
		await rawServer.until(() => ['a', 'b'].every((id) => rawServer.responses(id).length > 0));
		await rawServer.fence(call);
		const error = { code: -32600, message: `Protocol revision ${LEGACY} has no batches of messages.` };
		expect(['a', 'b'].flatMap((id) => rawServer.responses(id))).toEqual(
			['a', 'b'].map((id) => ({ jsonrpc: '2.0', id, error })),
		);
		expect(here.refusals.map(({ reason }) => reason.text)).toEqual([
			'Protocol revision {0} has no batches of messages.',
		]);
		batch(rawServer, [resultOf(call)], call);
		expect(await calling).toMatchObject({ structuredContent: { batched: true } });
	});
});

it('a batch as the whole body of an HTTP response is taken as well (D07)', async () => {
	const here = world();
	const { rawServer, calling, call } = await callRawServerTool(here, RawHttpServer.open, { revision: BATCHING });
	rawServer.open(call, 'application/json');
	rawServer.raw(JSON.stringify([elicitation('a'), resultOf(call)]), call);
	rawServer.cut(call, 'end');
	expect(await calling).toMatchObject({ structuredContent: { batched: true } });
	(await here.asked())[0].decline();
	await rawServer.until(() => rawServer.responses('a')[0]);
	expect(rawServer.responses('a')).toEqual([response('a', { action: 'decline' })]);
});
