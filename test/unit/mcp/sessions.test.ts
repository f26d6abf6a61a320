import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Connection } from '../../../src/mcp/index.ts';
import { Visitor } from '../../conformance/visitor.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { LEGACY, type Wire } from '../../rawServer/rawServer.ts';
import { authorizationServer } from '../../servers/authorization.mjs';
import { connectRawServer, demandTokens, form } from './faults/rawServerFixtures.ts';
import { callThrough, createGuardedServer } from './rawServerSteps.ts';
import { define, testClients } from './testClient.ts';

const world = testClients();
const pinned = { protocolVersion: LEGACY };

interface Refusal {
	readonly status: number;
	readonly headers?: Record<string, string>;
	readonly body?: string;
}

/** Makes the server forget all its sessions, and refuse what belongs to them. */
function forget(rawServer: RawHttpServer, refusal: (message: Wire) => Refusal = () => ({ status: 404 })): void {
	rawServer.session = `${rawServer.session}'`;
	const { front } = rawServer;
	rawServer.front = async (request) =>
		(await front(request)) ?? (request.url?.startsWith('/.well-known/') ? { status: 404 } : undefined);
	const known = rawServer.session;
	rawServer.refusePosts = (message, headers) =>
		message.method !== 'initialize' && headers['mcp-session-id'] !== known ? refusal(message) : undefined;
}

const posts = ({ log }: RawHttpServer, method: string) => log.filter((line) => line === `POST ${method}`).length;

const error = { code: -32000, message: 'Bad Request: No valid session ID or not an initialize request' };

describe('an HTTP session that the server has forgotten', () => {
	it('is replaced for the call that notices, which is sent once more, and only once', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open);
		forget(rawServer);
		const calling = connection.callTool('act', { n: 1 });
		rawServer.finish(await rawServer.expect('tools/call'), { renewed: true });
		expect(await calling).toMatchObject({ structuredContent: { renewed: true } });
		expect(rawServer.requests('tools/call')).toHaveLength(1);
		expect(rawServer.requests('initialize')).toHaveLength(2);
		expect(connection.state).toBe('running');
		expect(here.registry.calls.map(({ state }) => state)).toEqual(['succeeded']);
	});

	it('is replaced once for all calls that notice at the same time', async () => {
		const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open);
		forget(rawServer);
		const calls = [1, 2, 3].map((n) => connection.callTool('act', { n }));
		for (let answered = 0; answered < 3; answered++) {
			const call = await rawServer.expect('tools/call');
			rawServer.finish(call, call.params.arguments);
		}
		expect((await Promise.all(calls)).map(({ structuredContent }) => structuredContent)).toEqual([
			{ n: 1 },
			{ n: 2 },
			{ n: 3 },
		]);
		expect(rawServer.requests('initialize')).toHaveLength(2);
	});

	it('whose replacement takes too long ends the call with that reason', async () => {
		const here = world();
		here.timeout = 0.3;
		const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open);
		rawServer.hold('initialize');
		forget(rawServer);
		await expect(connection.callTool('act', {})).rejects.toThrow('raw-server: "act" did not finish within 0.3 s.');
	});

	it('is replaced in the user’s time while the user signs in for the new one (A04)', async () => {
		const here = world();
		const authorization = await authorizationServer();
		onTestFinished(authorization.stop);
		const rawServer = await RawHttpServer.open();
		onTestFinished(() => rawServer.close());
		const guest = new Visitor();
		here.signIn = guest;
		demandTokens(rawServer, authorization, rawServer.session);
		const definition = { ...rawServer.definition, protocolVersion: '2025-11-25' };
		const connection = await here.connect(define('raw-server', definition));
		authorization.expire('access', 'refresh');
		forget(rawServer);
		let goOn = () => {};
		const { visit } = guest;
		guest.visit = async (...args) => {
			await new Promise<void>((resolve) => {
				goOn = resolve;
			});
			return visit.apply(guest, args);
		};
		const calling = connection.callTool('act', {});
		const call = await here.until(() => here.registry.calls[0]);
		await vi.waitFor(() => expect([guest.requests.length, call.clock.asking]).toEqual([2, true]));
		await vi.waitFor(() => {
			goOn();
			expect(call.clock.asking).toBe(false);
		});
		rawServer.finish(await rawServer.expect('tools/call'), { renewed: true });
		expect(await calling).toMatchObject({ structuredContent: { renewed: true } });
		expect(rawServer.requests('initialize')).toHaveLength(2);
	});

	it('fails the call if the server forgets the new one as well: there is no third', async () => {
		const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open);
		rawServer.refusePosts = ({ method }) => (method === 'tools/call' ? { status: 404 } : undefined);
		await expect(connection.callTool('act', {})).rejects.toThrow(/^raw-server: .* responded with HTTP status 404\. /);
		expect(rawServer.requests('initialize')).toHaveLength(2);
	});

	it.each([{ status: 404 }, { status: 400, text: 'Invalid or missing session ID' }])(
		'is not what a tool’s own error is about, whose data is %j: it runs once',
		async (data) => {
			const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open);
			const calling = connection.callTool('act', {});
			rawServer.fail(await rawServer.expect('tools/call'), { code: -32000, message: 'No such issue', data });
			await expect(calling).rejects.toThrow('No such issue');
			expect(rawServer.requests('tools/call')).toHaveLength(1);
			expect(rawServer.requests('initialize')).toHaveLength(1);
		},
	);
});

describe('a refusal that names no request', () => {
	it.each([
		[404, ''],
		[404, '<h1>Not Found</h1>'],
		// mark3labs/mcp-go#689
		[400, 'Invalid session ID\n'],
		[400, ''],
		[400, JSON.stringify({ jsonrpc: '2.0', error, id: null })],
		[400, JSON.stringify({ error: 'unknown session' })],
		[400, JSON.stringify({ jsonrpc: '2.0', id: 'server-error', error })],
		// modelcontextprotocol/rust-sdk#689
		[401, 'Unauthorized: Session not found'],
		[401, ''],
	])('ends the session (%d %j): the call is sent once more, in a new one, without a sign-in', async (status, body) => {
		const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open);
		forget(rawServer, () => ({ status, body }));
		expect(await callThrough(rawServer, connection, { renewed: true })).toMatchObject({
			structuredContent: { renewed: true },
		});
		expect([posts(rawServer, 'tools/call'), posts(rawServer, 'initialize')]).toEqual([2, 2]);
	});

	it.each([
		['prompts/get', (on: Connection) => on.getPrompt('greet', {}), { messages: [] }],
		['resources/read', (on: Connection) => on.readResource('test:it'), { contents: [] }],
	])('ends the session for %s as well', async (method, call, result) => {
		const capabilities = { prompts: {}, resources: {} };
		const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open, { capabilities });
		forget(rawServer, () => ({ status: 401, body: 'Session not found' }));
		const calling = call(connection);
		rawServer.answer(await rawServer.expect(method), result);
		expect(await calling).toMatchObject(result);
		expect([posts(rawServer, method), posts(rawServer, 'initialize')]).toEqual([2, 2]);
	});

	it.each<[what: string, does: (rawServer: RawHttpServer) => void]>([
		['a list', (rawServer) => rawServer.notify('notifications/tools/list_changed')],
		['the response to a ping', (rawServer) => rawServer.notify('ping')],
		['the response to a question', (rawServer) => void rawServer.ask(form)],
	])('of %s has a new session begun, so that the next call needs none', async (what, does) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, {
			capabilities: { tools: { listChanged: true } },
		});
		await rawServer.until(() => rawServer.log.includes('GET'));
		rawServer.open({});
		forget(rawServer, () => ({ status: 400, body: 'Invalid session ID' }));
		if (what.includes('ping')) {
			rawServer.send({ id: 'p', method: 'ping' }, {});
		} else {
			does(rawServer);
		}
		if (what.includes('question')) {
			(await here.asked())[0].decline();
		}
		await here.until(() => posts(rawServer, 'initialize') === 2 && connection.state === 'running');
		await callThrough(rawServer, connection);
		expect(posts(rawServer, 'tools/call')).toBe(1);
	});
});

describe('a refusal after which the call may have run', () => {
	it.each([
		[400, (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, error })],
		[400, (id: unknown) => JSON.stringify({ id: String(id), error: 'Invalid session ID' })],
		[400, (id: unknown) => `{"jsonrpc":"2.0","id":${id},"error":{"message":"Invalid ses`],
		[401, (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, error })],
		[403, () => 'Invalid session ID'],
	])('(%d) is told, and changes nothing', async (status, body) => {
		const { rawServer, connection } = await connectRawServer(
			world(),
			RawHttpServer.open,
			{},
			{ headers: { Authorization: 'Bearer it' } },
		);
		rawServer.refusePosts = ({ id, method }) => (method === 'tools/call' ? { status, body: body(id) } : undefined);
		await expect(connection.callTool('act', {})).rejects.toThrow(/^raw-server: /);
		expect([posts(rawServer, 'tools/call'), posts(rawServer, 'initialize')]).toEqual([1, 1]);
	});

	it('(404 with its id) is told, and a new session is begun for what follows', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open);
		forget(rawServer, ({ id }) => ({ status: 404, body: JSON.stringify({ jsonrpc: '2.0', id, error }) }));
		await expect(connection.callTool('act', {})).rejects.toThrow(
			/ HTTP status 404: Bad Request: No valid .*\. Check the server's log to see whether it took effect/,
		);
		await here.until(() => posts(rawServer, 'initialize') === 2 && connection.state === 'running');
		await callThrough(rawServer, connection);
		expect(posts(rawServer, 'tools/call')).toBe(2);
	});
});

describe('status 401 in a session', () => {
	it('blames no header that was good enough to begin a session', async () => {
		const { rawServer, connection } = await connectRawServer(
			world(),
			RawHttpServer.open,
			{},
			{ headers: { Authorization: 'Bearer it' } },
		);
		forget(rawServer, () => ({ status: 401, body: 'Unauthorized: Session not found' }));
		await callThrough(rawServer, connection);
		rawServer.refusePosts = ({ method }) => (method === 'tools/call' ? { status: 401, body: 'Gone' } : undefined);
		await expect(connection.callTool('act', {})).rejects.toThrow(
			/ responded with HTTP status 401: Gone\. A new session did not help\. /,
		);
	});

	it.each([
		['with a challenge', { 'www-authenticate': 'Bearer' }, 1],
		['without one, where the server says how to sign in', {}, 1],
	])('%s leads to a sign-in, and the call is sent again in the same session', async (_how, headers, sessions) => {
		const here = world();
		const { guest, authorization, rawServer, connection } = await createGuardedServer(here, {}, pinned);
		const { front } = rawServer;
		let isLenient = true;
		rawServer.front = async (request) => {
			const answer = isLenient && request.method === 'POST' ? undefined : await front(request);
			return answer?.status === 401 ? { status: 401, headers } : answer;
		};
		await connection.start();
		isLenient = false;
		await callThrough(rawServer, connection);
		expect([guest.requests.length, posts(rawServer, 'initialize')]).toEqual([1, sessions]);
		expect(authorization).toBeDefined();
	});

	it('is no matter of a sign-in where the token is still good', async () => {
		const { guest, rawServer, connection } = await createGuardedServer(world(), {}, pinned);
		await connection.start();
		forget(rawServer, () => ({ status: 401, body: 'Unauthorized: Session not found' }));
		await callThrough(rawServer, connection);
		expect([guest.requests.length, posts(rawServer, 'initialize')]).toEqual([1, 2]);
	});
});
