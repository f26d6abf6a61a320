import { describe, expect, it, vi } from 'vitest';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, MODERN, type RawServer, type RawServerOptions } from '../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../rawServer/stdio.ts';
import { callRawServerTool, connectRawServer } from './faults/rawServerFixtures.ts';
import { acceptSubscription, callThrough, createRawServer } from './rawServerSteps.ts';
import { EXTENSION, modernTask } from './tasks/taskFixtures.ts';
import { shown, testClients, type Wire } from './testClient.ts';
import { shortenPauses, simulateTimers } from './timing.ts';

/*
 * A stdio server that doesn't respond to the probe in time is tried with an older revision. It may still be a modern
 * server, and may be replaced by another one (E05).
 */

const world = testClients();
const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const discovered = { ...complete, supportedVersions: [MODERN], capabilities: { tools: {} } };
const initialized = {
	protocolVersion: LEGACY,
	capabilities: { tools: {} },
	serverInfo: { name: 'raw-server', version: '1' },
};
const unknown = { code: -32601, message: 'Method not found' };
const PATIENCE = 15_000;

/** A server that didn't respond to the probe in time and has then received `initialize`. */
async function slow(options: RawServerOptions) {
	simulateTimers();
	const { rawServer, connection } = await createRawServer(world(), RawStdioServer.open, {
		...options,
		manual: ['server/discover', 'initialize'],
	});
	const calling = connection.callTool('act', {});
	calling.catch(() => {});
	const probe = await rawServer.expect('server/discover');
	vi.advanceTimersByTime(PATIENCE);
	return { rawServer, connection, calling, probe, initialize: await rawServer.expect('initialize') };
}

describe('a process that is slow to answer the probe', () => {
	it.each([
		['method not found', unknown],
		['an unknown method', { code: -32600, message: 'Unknown method: initialize' }],
		['its versions', { code: -32022, message: 'Unsupported protocol version', data: { supported: [MODERN] } }],
	])(
		'and has nothing but the newer protocol (it says %s) is asked once more, and waited for (E05)',
		async (_says, error) => {
			const { rawServer, connection, calling, initialize } = await slow({ revision: MODERN });
			rawServer.fail(initialize, error);
			const again = await rawServer.expect('server/discover');
			vi.advanceTimersByTime(3 * PATIENCE);
			rawServer.answer(again, discovered);
			rawServer.finish(await rawServer.expect('tools/call'), { done: true });
			expect(shown(await calling)).toEqual({ done: true });
			expect([connection.era, rawServer.pids.length]).toEqual(['modern', 2]);
			expect([rawServer.requests('initialize').length, rawServer.requests('tools/call').length]).toEqual([1, 1]);
		},
	);

	it('is not asked again for what it has answered too late (E05)', async () => {
		const { rawServer, connection, calling, probe, initialize } = await slow({ revision: MODERN });
		rawServer.answer(probe, discovered);
		rawServer.fail(initialize, unknown);
		rawServer.finish(await rawServer.expect('tools/call'));
		await calling;
		expect([connection.era, rawServer.requests('server/discover').length]).toEqual(['modern', 1]);
	});

	it('and has both is spoken to in the newer one from the next start on (E05)', async () => {
		const { rawServer, connection, calling, probe, initialize } = await slow({ revision: MODERN });
		rawServer.answer(probe, discovered);
		rawServer.answer(initialize, initialized);
		rawServer.finish(await rawServer.expect('tools/call'));
		await calling;
		expect(connection.era).toBe('legacy');
		await connection.stop();
		const starting = connection.start();
		const again = await rawServer.expect('server/discover');
		vi.advanceTimersByTime(3 * PATIENCE);
		rawServer.answer(again, discovered);
		await starting;
		expect([connection.era, rawServer.requests('initialize').length]).toEqual(['modern', 1]);
	});

	it('and has neither is asked twice and no more; what it said is told', async () => {
		const { rawServer, connection, calling, initialize } = await slow({ revision: LEGACY });
		rawServer.fail(initialize, unknown);
		rawServer.fail(await rawServer.expect('server/discover'), unknown);
		rawServer.fail(await rawServer.expect('initialize'), unknown);
		await expect(calling).rejects.toThrow('raw-server: Could not connect to the server: ');
		expect([connection.state, rawServer.pids.length]).toEqual(['failed', 2]);
	});
});

type Open = () => Promise<RawServer>;

const manual = ['server/discover', 'initialize', 'tools/list'];
const overStdio: Open = () => RawStdioServer.open({ manual });
const overHttp: Open = () => RawHttpServer.open({ manual });

/** A server with an older revision that has run once. */
async function known(open: Open) {
	const { rawServer, connection } = await createRawServer(world(), open);
	const starting = connection.start();
	rawServer.fail(await rawServer.expect('server/discover'), unknown);
	rawServer.answer(await rawServer.expect('initialize'), initialized);
	rawServer.answer(await rawServer.expect('tools/list'), { tools: [] });
	await starting;
	await connection.stop();
	return { rawServer, connection };
}

/** Responds with an error and, over HTTP, a status. */
function refusing(status: number, error: object) {
	return (rawServer: RawServer) => {
		(rawServer as RawHttpServer).refusePosts = ({ method, id }: Wire) =>
			method === 'initialize'
				? {
						status,
						headers: { 'content-type': 'application/json' },
						body: JSON.stringify({ jsonrpc: '2.0', id, error }),
					}
				: undefined;
	};
}

it('an older server that only accepts the probe (status 202) is initialized at once (E05)', async () => {
	const { rawServer, connection } = await createRawServer(world(), RawHttpServer.open, { revision: LEGACY });
	rawServer.refusePosts = ({ method }) => (method === 'server/discover' ? { status: 202 } : undefined);
	await connection.start();
	expect(connection.era).toBe('legacy');
});

describe('a server that has been replaced', () => {
	it.each([
		['over stdio', overStdio, undefined],
		['over HTTP', overHttp, undefined],
		['over HTTP, with status 404', overHttp, refusing(404, unknown)],
		['over HTTP, with status 400', overHttp, refusing(400, { code: -32022, message: 'No', data: { supported: [] } })],
	])(
		'by one that has nothing but the newer protocol is found out at the start (E05) %s',
		async (_way, open, refuse) => {
			const { rawServer, connection } = await known(open);
			refuse?.(rawServer);
			const calling = connection.callTool('act', {});
			if (!refuse) {
				rawServer.fail(await rawServer.expect('initialize'), unknown);
			}
			rawServer.answer(await rawServer.expect('server/discover'), discovered);
			rawServer.answer(await rawServer.expect('tools/list'), { ...complete, tools: [] });
			rawServer.finish(await rawServer.expect('tools/call'), { done: true });
			expect(shown(await calling)).toEqual({ done: true });
			expect([connection.era, rawServer.requests('tools/call').length]).toEqual(['modern', 1]);
		},
	);

	it.each([
		['over stdio', overStdio],
		['over HTTP', overHttp],
	])('there and back is found out as well (E05) %s', async (_way, open) => {
		const { rawServer, connection } = await known(open);
		const starting = connection.start();
		rawServer.fail(await rawServer.expect('initialize'), unknown);
		rawServer.answer(await rawServer.expect('server/discover'), discovered);
		rawServer.answer(await rawServer.expect('tools/list'), { ...complete, tools: [] });
		await starting;
		await connection.stop();

		const calling = connection.callTool('act', {});
		rawServer.fail(await rawServer.expect('server/discover'), unknown);
		rawServer.answer(await rawServer.expect('initialize'), initialized);
		rawServer.answer(await rawServer.expect('tools/list'), { tools: [] });
		rawServer.finish(await rawServer.expect('tools/call'));
		await calling;
		expect([connection.era, rawServer.requests('tools/call').length]).toEqual(['legacy', 1]);
	});

	it.each([
		[
			'with an error of older servers',
			{ error: { code: -32000, message: 'Bad Request: Server not initialized' }, id: null },
		],
		[
			'with an error of older servers without sessions',
			{
				error: {
					code: -32000,
					message: `Bad Request: Unsupported protocol version: ${MODERN} (supported versions: …)`,
				},
				id: null,
			},
		],
		[
			'with an error of servers in Python',
			{ error: { code: -32600, message: 'Bad Request: Missing session ID' }, id: 'server-error' },
		],
		['with the versions that it has', { error: { code: -32022, message: 'No', data: { supported: [LEGACY] } } }],
	])(
		'by an older one while it is running is spoken to in the older protocol, and called once (E05, E06) %s',
		async (_how, answer) => {
			const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open, {
				revision: MODERN,
				manual: ['initialize'],
			});
			rawServer.refusePosts = ({ id, params }) =>
				params?._meta?.['io.modelcontextprotocol/protocolVersion'] === undefined
					? undefined
					: {
							status: 400,
							headers: { 'content-type': 'application/json' },
							body: JSON.stringify({ jsonrpc: '2.0', id, ...answer }),
						};
			const calling = connection.callTool('act', {});
			rawServer.answer(await rawServer.expect('initialize'), initialized);
			rawServer.finish(await rawServer.expect('tools/call'), { done: true });
			expect(shown(await calling)).toEqual({ done: true });
			expect([connection.era, rawServer.requests('tools/call').length]).toEqual(['legacy', 1]);
		},
	);

	/** A server whose lists are subscribed to, and how it accepts the next subscription. */
	async function subscribed<Server extends RawServer>(
		open: (options?: RawServerOptions) => Promise<Server>,
		others: object = {},
	) {
		const here = world();
		shortenPauses();
		const capabilities = { ...others, tools: { listChanged: true } };
		const manual = ['initialize', 'prompts/list', 'server/discover'];
		const options = { revision: MODERN, capabilities, manual } as const;
		const { rawServer, connection } = await createRawServer<Server, RawServerOptions>(here, open, options);
		const accept = () => acceptSubscription(rawServer);
		const discover = async (more: object = {}) =>
			rawServer.answer(await rawServer.expect('server/discover'), {
				...discovered,
				capabilities: { ...capabilities, ...more },
			});
		const starting = connection.start();
		await discover();
		const listen = await accept();
		await starting;
		return { here, rawServer, connection, listen, accept, discover };
	}

	it('by one with other capabilities while nothing is called is found out with its subscription', async () => {
		const { here, rawServer, connection, listen, accept, discover } = await subscribed(RawHttpServer.open);
		rawServer.cut(listen);
		await accept();
		await discover({ prompts: {} });
		await discover({ prompts: {} });
		await accept();
		rawServer.answer(await rawServer.expect('prompts/list'), { ...complete, prompts: [{ name: 'plan' }] });
		await here.until(() => connection.state === 'running' && connection.prompts.length === 1);
	});

	// A server for several revisions may declare tasks of 2025-11-25 in each, and members have no order.
	it.each([
		[{}, {}],
		[{ tasks: { list: {} }, unknown: { a: 1 } }, {}],
		[{ extensions: { 'a/a': {}, 'b/b': {} } }, { extensions: { 'b/b': {}, 'a/a': {} } }],
	])('by one with the same capabilities while nothing is called goes on (%j)', async (others, again) => {
		const { here, rawServer, connection, listen, accept, discover } = await subscribed(RawHttpServer.open, others);
		rawServer.tools = ['act', 'another'];
		rawServer.cut(listen);
		await accept();
		await discover(again);
		await here.until(() => connection.tools.length === 2);
		await callThrough(rawServer, connection);
		expect(rawServer.requests('subscriptions/listen')).toHaveLength(2);
	});

	it('is not what a process is whose capabilities change: it goes on', async () => {
		const { rawServer, connection, listen, accept, discover } = await subscribed(RawStdioServer.open);
		rawServer.answer(listen, { resultType: 'complete' });
		await accept();
		await discover({ prompts: {} });
		for (let call = 0; call < 2; call++) {
			await callThrough(rawServer, connection);
		}
		expect(rawServer.requests('server/discover')).toHaveLength(2);
	});

	it('by an older one while nothing is called is found out with its subscription (E05)', async () => {
		const { here, rawServer, connection, listen } = await subscribed(RawHttpServer.open);
		rawServer.refusePosts = ({ params }) =>
			params?._meta?.['io.modelcontextprotocol/protocolVersion'] === undefined
				? undefined
				: { status: 400, body: 'Bad Request: Server not initialized' };
		rawServer.cut(listen);
		rawServer.answer(await rawServer.expect('initialize'), initialized);
		await here.until(() => connection.state === 'running' && connection.era === 'legacy');
	});

	it.each([
		['over stdio', RawStdioServer.open, {}],
		['where its definition names the revision', RawHttpServer.open, { protocolVersion: MODERN }],
	])('is spoken to in no older protocol %s: the call fails, and is not made again', async (_where, open, more) => {
		const options = { revision: MODERN } as const;
		const { rawServer, connection } = await connectRawServer<RawServer, RawServerOptions>(world(), open, options, more);
		const calling = connection.callTool('act', {});
		const error = { code: -32022, message: 'No', data: { supported: [LEGACY] } };
		rawServer.fail(await rawServer.expect('tools/call'), error);
		await expect(calling).rejects.toThrow(/-32022/);
		expect([connection.era, rawServer.requests('tools/call').length]).toEqual(['modern', 1]);
	});

	it('is not taken for replaced because a task failed with the error of another server: its tool has run', async () => {
		const { rawServer, connection, calling, call } = await callRawServerTool(world(), RawHttpServer.open, {
			revision: MODERN,
			capabilities: { extensions: { [EXTENSION]: {} } },
		});
		rawServer.answer(call, { ...modernTask('working'), resultType: 'task' });
		const error = { code: -32022, message: 'No', data: { supported: [LEGACY] } };
		rawServer.answer(await rawServer.expect('tasks/get'), modernTask('failed', { error }));
		await expect(calling).rejects.toThrow(/error -32022: No/);
		expect([connection.era, rawServer.requests('tools/call').length]).toEqual(['modern', 1]);
	});
});
