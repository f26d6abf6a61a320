import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type HttpOptions, RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, MODERN, type Wire } from '../../rawServer/rawServer.ts';
import { callRawServerTool, connectRawServer, form } from './faults/rawServerFixtures.ts';
import { failureOf } from './misbehaving/markedProcesses.ts';
import { acceptSubscription, callThrough, createGuardedServer, createRawServer } from './rawServerSteps.ts';
import { define, shown, type TestClient, testClients } from './testClient.ts';
import { shortenPauses, simulateTimers } from './timing.ts';

const world = testClients();

/** How long the client has wanted to wait between attempts (ms). */
let paused: () => number;
beforeEach(() => {
	const pauses = shortenPauses();
	paused = () => pauses.reduce((sum, pause) => sum + pause, 0);
});

/** Waits for the server's own stream, and has it reopened at once when it is cut. */
async function listening(rawServer: RawHttpServer): Promise<void> {
	await rawServer.until(() => rawServer.log.includes('GET'));
	rawServer.open({});
	rawServer.raw('retry: 50\n\n');
	await rawServer.fence();
}

/** A raw server with sessions and an open server stream. */
async function listened(here: TestClient, options: HttpOptions = {}) {
	const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, options);
	await listening(rawServer);
	/** Expects what the server asks on its stream to be shown and answered. */
	const asks = async () => {
		const pending = rawServer.ask(form);
		(await here.asked())[0].decline();
		expect((await pending.response).result).toEqual({ action: 'decline' });
	};
	return { rawServer, connection, asks };
}

const gets = (rawServer: RawHttpServer) => rawServer.log.filter((line) => line.startsWith('GET'));
const initialized = (rawServer: RawHttpServer) => rawServer.requests('initialize').length;

describe('the server stream of a session', () => {
	it('is reopened when it was cut, and what the server asks there then is shown (A02)', async () => {
		const { rawServer, asks } = await listened(world());
		rawServer.cut();
		await rawServer.until(() => gets(rawServer).length === 2);
		await asks();
	});

	it('that was cut and reopened at once does not hide what has changed in between, told at most once a minute', async () => {
		const here = world();
		const { rawServer, connection, asks } = await listened(here);
		rawServer.tools = ['act', 'another'];
		rawServer.cut();
		await here.until(() => connection.tools.length === 2);
		rawServer.cut();
		await rawServer.until(() => gets(rawServer).length === 3);
		await asks();
		expect(rawServer.requests('tools/list')).toHaveLength(2);
	});

	it('that is resumed brings what was missed, so that the lists are not read again', async () => {
		const { rawServer } = await listened(world(), { resumable: true });
		await rawServer.fence();
		rawServer.cut();
		await rawServer.until(() => gets(rawServer).length === 2);
		expect(gets(rawServer)[1]).not.toBe('GET');
		await rawServer.fence();
		expect(rawServer.requests('tools/list')).toHaveLength(1);
	});

	it.each(['open', 'answered'] as const)(
		'that is resumed shows a request once that the server sends again: it is %s',
		async (state) => {
			const here = world();
			const { rawServer } = await listened(here, { resumable: true });
			const pending = rawServer.ask(form);
			const [elicitation] = await here.asked();
			if (state === 'answered') {
				elicitation.decline();
				await pending.response;
			}
			// The whole stream, not only what follows the last event.
			rawServer.resumesFrom = 0;
			rawServer.cut();
			await rawServer.until(() => gets(rawServer).length === 2);
			await rawServer.fence();
			expect(
				here.logs.filter((line) => line.includes('"elicitation/create"') && line.includes('sent again')),
			).toHaveLength(1);
			expect(here.registry.elicitations).toEqual([elicitation]);
			elicitation.decline();
			await pending.response;
			await rawServer.fence();
			expect(rawServer.responses(pending.id)).toHaveLength(1);
		},
	);

	it('is reopened once the server is back; meanwhile the state says so, and the connection stays', async () => {
		const here = world();
		const { rawServer, connection, asks } = await listened(here);
		await rawServer.die();
		await here.until(() => connection.lost);
		expect(connection.lost?.message).toMatch(/^raw-server: Nothing responds at .* \(ECONNREFUSED\)\. /);
		expect([connection.state, connection.failure]).toEqual(['running', undefined]);
		expect(here.logs.filter((line) => line.includes("Lost the server's event stream"))).toHaveLength(1);
		rawServer.tools = ['act', 'another'];
		await rawServer.rise();
		// Notifications may have been lost, so the lists are refreshed.
		await here.until(() => !connection.lost && connection.tools.length === 2);
		await asks();
		expect(initialized(rawServer)).toBe(1);
	});

	it.each([500, 503, 429, 409])('is asked for until the server has got over its status %d', async (status) => {
		const here = world();
		const { rawServer, connection, asks } = await listened(here);
		rawServer.refuseStreams = status;
		rawServer.cut();
		await here.until(() => connection.lost);
		rawServer.refuseStreams = undefined;
		await here.until(() => !connection.lost);
		await asks();
		expect(initialized(rawServer)).toBe(1);
	});

	it.each([
		[404, ''],
		[400, 'Invalid session ID'],
		[401, 'Unauthorized: Session not found'],
	])('begins a new session automatically when the server has forgotten the old one (%d %s)', async (status, body) => {
		const here = world();
		const { rawServer, connection } = await listened(here);
		const states: string[] = [];
		connection.onDidChange(() => states.at(-1) !== connection.state && states.push(connection.state));
		rawServer.refuseStreams = status;
		rawServer.refusalOfStreams = body;
		simulateTimers();
		rawServer.cut();
		await here.until(() => connection.state === 'restarting');
		expect(connection.failure?.message).toBe(
			'raw-server: The session with the server has expired. A new one starts automatically.',
		);
		rawServer.refuseStreams = undefined;
		vi.advanceTimersByTime(1_000);
		await here.until(() => connection.state === 'running');
		expect(states).toEqual(['restarting', 'starting', 'running']);
		expect([initialized(rawServer), connection.failure]).toEqual([2, undefined]);
	});

	it('is reopened with a renewed token, and once the user has signed in again where that is not enough', async () => {
		const here = world();
		const pinned = { protocolVersion: LEGACY };
		const { guest, authorization, rawServer, connection } = await createGuardedServer(here, {}, pinned);
		await connection.start();
		await listening(rawServer);
		authorization.expire('access');
		rawServer.cut();
		await rawServer.until(() => gets(rawServer).length === 2);
		expect(connection.lost).toBeUndefined();
		// A refresh of the lists that is refused would have the user sign in first.
		await rawServer.until(() => rawServer.requests('tools/list').length === 2);
		authorization.expire('access', 'refresh');
		rawServer.cut();
		await here.until(() => connection.lost);
		expect(connection.lost?.message).toBe(
			'raw-server: The server requires another sign-in before it sends anything by itself. Call a tool to sign in.',
		);
		await callThrough(rawServer, connection);
		await here.until(() => !connection.lost);
		expect(guest.requests).toHaveLength(2);
	});

	it('is asked for also if it has the event ids of the stream of a call', async () => {
		const { rawServer, connection, asks } = await listened(world());
		const calling = connection.callTool('act', {});
		const call = await rawServer.expect('tools/call');
		for (const stream of [call, {}]) {
			rawServer.open(stream);
			rawServer.raw('id: same\ndata: \n\n', stream);
		}
		rawServer.finish(call);
		await calling;
		rawServer.refuseStreams = 503;
		rawServer.cut();
		// The stream of a call is not asked for so often.
		await rawServer.until(() => gets(rawServer).length > 8);
		rawServer.refuseStreams = undefined;
		await rawServer.until(() => gets(rawServer).length > 9);
		await asks();
		expect(gets(rawServer).at(-1)).toBe('GET same');
	});

	it('that the server forgets does no harm to the calls that still run', async () => {
		const here = world();
		const { rawServer, connection } = await listened(here);
		const calling = connection.callTool('act', {});
		const failing = failureOf(connection.callTool('act', {}));
		const [call, other] = [await rawServer.expect('tools/call'), await rawServer.expect('tools/call')];
		rawServer.open(call);
		rawServer.open(other);
		rawServer.refuseStreams = 404;
		simulateTimers();
		rawServer.cut();
		await here.until(() => connection.state === 'restarting');
		rawServer.refuseStreams = undefined;
		vi.advanceTimersByTime(1_000);
		await here.until(() => connection.state === 'running');
		rawServer.cut(other);
		expect((await failing).message).toMatch(/^raw-server: The connection was lost before "act" responded\. /);
		rawServer.finish(call, { survived: true });
		expect(await calling).toMatchObject({ structuredContent: { survived: true } });
	});

	it.each([404, 405, 500])('that a server never had (%d) is not asked for again', async (status) => {
		const { rawServer, connection } = await createRawServer(world(), RawHttpServer.open);
		rawServer.refuseStreams = status;
		await connection.start();
		await rawServer.until(() => gets(rawServer).length === 1);
		await callThrough(rawServer, connection);
		expect([connection.state, connection.lost, gets(rawServer)]).toEqual(['running', undefined, ['GET']]);
	});

	it('is not waited for any more when the server is stopped', async () => {
		const here = world();
		const { rawServer, connection } = await listened(here);
		await rawServer.die();
		await here.until(() => connection.lost);
		await connection.stop();
		expect([connection.state, connection.lost]).toEqual(['stopped', undefined]);
	});
});

describe('the stream of a call that can be resumed', () => {
	it.each([
		['cannot be reached', undefined],
		['refuses it with status 503', 503],
		['refuses it with status 409', 409],
	])('is asked for again while the server %s; its form stays, and the call goes on (A02)', async (_how, status) => {
		const here = world();
		const { rawServer, connection, calling, call } = await callRawServerTool(here, RawHttpServer.open, {
			resumable: true,
		});
		rawServer.retryIn(50, call);
		const pending = rawServer.ask(form, call);
		const [elicitation] = await here.asked();
		const resumed = () => rawServer.log.filter((line) => line === `GET ${call.id}/1`).length;
		if (status === undefined) {
			await rawServer.die();
			await here.until(() => connection.lost);
			await rawServer.rise();
		} else {
			rawServer.refuseStreams = status;
			rawServer.cut(call);
			// More attempts than the SDK makes.
			await rawServer.until(() => resumed() > 2);
			rawServer.refuseStreams = undefined;
		}
		const before = resumed();
		await rawServer.until(() => resumed() > before || before === 1);
		expect(elicitation.state).toBe('asking');
		elicitation.decline();
		await pending.response;
		rawServer.finish(call, { resumed: true });
		expect(await calling).toMatchObject({ structuredContent: { resumed: true } });
		expect(rawServer.requests('tools/call')).toHaveLength(1);
	});
});

describe('the subscription to the changes of a stateless server', () => {
	const discovered = {
		...{ resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
		supportedVersions: [MODERN],
		capabilities: { tools: { listChanged: true } },
	};
	const options = { revision: MODERN, manual: ['server/discover'] } as const;

	/** How its lists are read after the server has said that they have changed. */
	function follow(here: TestClient, { rawServer, connection }: Awaited<ReturnType<typeof created>>) {
		const introduce = async () => rawServer.answer(await rawServer.expect('server/discover'), discovered);
		return {
			...{ rawServer, connection, introduce },
			/** Starts the connection, and resolves to its subscription once it runs. */
			begin: async () => {
				const starting = connection.start();
				await introduce();
				const listen = await acceptSubscription(rawServer);
				await starting;
				return listen;
			},
			/** Adds tools, and tells of them. */
			changes: async (listen: Wire) => {
				const _meta = { 'io.modelcontextprotocol/subscriptionId': listen.id };
				rawServer.tools = ['act', 'another'];
				rawServer.notify('notifications/tools/list_changed', { _meta }, listen);
				await here.until(() => connection.tools.length === 2);
			},
		};
	}
	const created = (here: TestClient) => createRawServer(here, RawHttpServer.open, options);
	const subscribable = async (here: TestClient) => follow(here, await created(here));

	it('is made at every start, also where the server is known already (E05)', async () => {
		const { connection, begin, changes } = await subscribable(world());
		await begin();
		await connection.stop();
		const listen = await begin();
		expect(listen.params.notifications).toEqual({ toolsListChanged: true });
		await changes(listen);
	});

	it('is made again when it was cut, and for as long as the server cannot be reached', async () => {
		const here = world();
		const { rawServer, connection, begin, changes } = await subscribable(here);
		rawServer.cut(await begin());
		await changes(await acceptSubscription(rawServer));
		await rawServer.die();
		await here.until(() => connection.lost);
		expect(connection.lost?.message).toMatch(/^raw-server: Nothing responds at /);
		rawServer.tools = ['act', 'another', 'third'];
		await rawServer.rise();
		await acceptSubscription(rawServer);
		await here.until(() => !connection.lost && connection.tools.length === 3);
		expect(connection.state).toBe('running');
	});

	it('is made after the sign-in that a known server requires', async () => {
		const here = world();
		const { guest, authorization, ...guarded } = await createGuardedServer(here, options);
		const { connection, begin, changes } = follow(here, guarded);
		await begin();
		await connection.stop();
		authorization.expire('access', 'refresh');
		const listen = await begin();
		expect(guest.requests).toHaveLength(2);
		await changes(listen);
	});

	it('that was cut and made again at once does not hide what has changed in between', async () => {
		const here = world();
		const { rawServer, connection, begin } = await subscribable(here);
		rawServer.cut(await begin(), 'end');
		rawServer.tools = ['act', 'another'];
		await acceptSubscription(rawServer);
		await here.until(() => connection.tools.length === 2);
		expect(here.logs.filter((line) => line.includes('event stream'))).toEqual([]);
	});

	it('that ends at once each time is made again less and less often', async () => {
		const { rawServer, begin } = await subscribable(world());
		const pauses: number[] = [];
		let listen = await begin();
		for (const _ of [1, 2, 3]) {
			const before = paused();
			rawServer.cut(listen, 'end');
			listen = await acceptSubscription(rawServer);
			pauses.push(paused() - before);
		}
		expect(pauses).toEqual([1_000, 2_000, 4_000]);
	});

	it('that a busy server refuses is made again only after the time that it demands', async () => {
		const here = world();
		const { rawServer, connection, begin } = await subscribable(here);
		const listen = await begin();
		let refused: number | undefined;
		rawServer.refusePosts = ({ method }) => {
			if (method !== 'subscriptions/listen' || refused !== undefined) return undefined;
			refused = paused();
			return { status: 429, headers: { 'retry-after': '7' } };
		};
		rawServer.cut(listen);
		await acceptSubscription(rawServer);
		expect(paused() - (refused ?? 0)).toBe(7_000);
		await here.until(() => !connection.lost);
	});

	it('that the server refuses does not keep it from being connected', async () => {
		const here = world();
		const { rawServer, connection, introduce } = await subscribable(here);
		const starting = connection.start();
		await introduce();
		rawServer.fail(await rawServer.expect('subscriptions/listen'), { code: -32601, message: 'No such thing' });
		await starting;
		expect(connection.state).toBe('running');
		expect(here.logs).toContain('info: The server does not tell when its lists change: No such thing');
	});
});

it('a server that is known to be stateless is asked anew which era it speaks when it no longer understands the first request (E05)', async () => {
	const { rawServer, connection } = await createRawServer(world(), RawHttpServer.open, { manual: ['server/discover'] });
	const starting = connection.start();
	const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
	const discovered = { ...complete, supportedVersions: [MODERN], capabilities: { tools: {} } };
	rawServer.answer(await rawServer.expect('server/discover'), discovered);
	await starting;
	expect(connection.era).toBe('modern');
	await connection.stop();
	rawServer.refusePosts = ({ method }, headers) =>
		method === 'tools/list' && headers['mcp-session-id'] === undefined ? { status: 400 } : undefined;
	const again = connection.start();
	rawServer.fail(await rawServer.expect('server/discover'), { code: -32601, message: 'Method not found' });
	await again;
	expect([connection.state, connection.era, connection.tools.length]).toEqual(['running', 'legacy', 1]);
	expect(connection.failure).toBeUndefined();
});

describe('the HTTP+SSE transport', () => {
	/** A server whose stream the test can cut. */
	async function older(protocolVersion = '2024-11-05') {
		let stream: ServerResponse | undefined;
		let streams = 0;
		const results: Record<string, object> = {
			initialize: {
				protocolVersion,
				capabilities: { tools: {} },
				serverInfo: { name: 'older', version: '1.0.0' },
			},
			'tools/list': { tools: [{ name: 'act', inputSchema: { type: 'object' } }] },
		};
		const called: Wire[] = [];
		const responses: Wire[] = [];
		const say = (message: object) => stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
		const server = createServer(async (request, response) => {
			if (request.method === 'GET') {
				stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
				stream.write(`event: endpoint\ndata: /messages?session=${++streams}\n\n`);
				return;
			}
			if (request.url === '/sse') {
				response.writeHead(405).end();
				return;
			}
			let body = '';
			for await (const chunk of request) body += chunk;
			response.writeHead(202).end();
			const { id, method, ...rest } = JSON.parse(body);
			if (method === undefined) responses.push({ id, ...rest });
			if (Object.hasOwn(results, method)) say({ id, result: results[method] });
			if (method === 'tools/call') {
				called.push(id);
				if (called.length > 1) say({ id, result: { content: [], structuredContent: { well: true } } });
			}
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		onTestFinished(() => {
			server.closeAllConnections();
			server.close();
		});
		return {
			url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`,
			called,
			say,
			responses,
			cut: () => stream?.destroy(),
			streams: () => streams,
		};
	}

	it('is told apart by what the server speaks, not by its revision', async () => {
		const here = world();
		const { url } = await older('2025-06-18');
		expect((await here.connect(define('older', { type: 'http', url }))).usesSse).toBe(true);
		const { connection } = await connectRawServer(here, RawHttpServer.open, { revision: '2024-11-05' });
		expect(connection.usesSse).toBe(false);
	});

	it('gets an answer to every request, whatever else its envelope holds (D02)', async () => {
		const here = world();
		const { url, say, responses } = await older();
		await here.connect(define('older', { type: 'sse', url }));
		say({ id: 'a', method: 'elicitation/create', params: { ...form, _meta: 'odd' }, trace: 1 });
		say({ id: 'b', method: 'ping', jsonrpc: '1.0' });
		(await here.asked())[0].decline();
		await here.until(() => here.wire('sent', ({ id }) => id === 'a')[0]);
		while (responses.length < 2) await new Promise(setImmediate);
		expect(responses.sort((one, other) => (one.id < other.id ? -1 : 1))).toEqual([
			{ jsonrpc: '2.0', id: 'a', result: { action: 'decline' } },
			{ jsonrpc: '2.0', id: 'b', error: { code: -32600, message: '"jsonrpc" must be "2.0".' } },
		]);
	});

	it('ends with its stream: the call fails at once, and the server is reconnected automatically', async () => {
		const here = world();
		const { url, called, cut, streams } = await older();
		const connection = await here.connect(define('older', { type: 'sse', url }));
		const failing = failureOf(connection.callTool('act', {}));
		await here.until(() => here.wire('sent', ({ method }) => method === 'tools/call')[0]);
		while (called.length === 0) await new Promise(setImmediate);
		simulateTimers();
		cut();
		expect((await failing).message).toMatch(/^older: The connection was closed\. /);
		await here.until(() => connection.state === 'restarting');
		vi.advanceTimersByTime(1_000);
		await here.until(() => connection.state === 'running');
		expect(streams()).toBe(2);
		expect(shown(await connection.callTool('act', {}))).toEqual({ well: true });
		expect(called).toHaveLength(2);
	});
});
