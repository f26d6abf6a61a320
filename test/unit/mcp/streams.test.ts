import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HttpPuppet } from '../../puppet/http.ts';
import { MODERN, type Wire } from '../../puppet/puppet.ts';
import { form, stage } from '../faults/stage.ts';
import { failureOf } from '../misbehaving/support.ts';
import { define, shown, type World, worlds } from './world.ts';

const world = worlds();

/** A puppet with sessions whose own stream is open; a stream that was cut is asked for again at once. */
async function listened(here: World) {
	const { puppet, connection } = await stage(here, HttpPuppet.open);
	await puppet.until(() => puppet.log.includes('GET'));
	puppet.open({});
	puppet.raw('retry: 50\n\n');
	return { puppet, connection };
}

const gets = (puppet: HttpPuppet) => puppet.log.filter((line) => line.startsWith('GET')).length;

describe('the stream on which a server with sessions speaks by itself', () => {
	it('is asked for again when it was cut, and what the server asks there then is shown (A02)', async () => {
		const here = world();
		const { puppet } = await listened(here);
		puppet.cut();
		await puppet.until(() => gets(puppet) === 2);
		const question = puppet.ask(form);
		const [elicitation] = await here.asked();
		elicitation.decline();
		expect((await question.response).result).toEqual({ action: 'decline' });
	});

	it('is asked for until the server is back; meanwhile it is said, and the connection lives', async () => {
		const here = world();
		const { puppet, connection } = await listened(here);
		await puppet.die();
		await here.until(() => connection.lost);
		expect(connection.lost?.message).toMatch(/^puppet: Nothing answers at .* \(ECONNREFUSED\)\. /);
		expect([connection.state, connection.failure]).toEqual(['running', undefined]);
		const warnings = here.logs.filter((line) => line.includes('not heard any more'));
		expect(warnings).toHaveLength(1);
		puppet.tools = ['act', 'another'];
		await puppet.rise();
		await here.until(() => !connection.lost);
		// What it said meanwhile is lost: its lists are read again.
		await here.until(() => connection.tools.length === 2);
		const question = puppet.ask(form);
		(await here.asked())[0].decline();
		await question.response;
		expect(puppet.requests('initialize')).toHaveLength(1);
	});

	it.each([
		[500, ''],
		[503, ''],
		[429, ''],
		[400, 'There is no browser session yet.'],
	])('is asked for until the server has got over its status %d %s', async (status, body) => {
		const here = world();
		const { puppet, connection } = await listened(here);
		puppet.refuseStreams = status;
		puppet.refusalOfStreams = body;
		puppet.cut();
		await here.until(() => connection.lost);
		puppet.refuseStreams = undefined;
		await here.until(() => !connection.lost);
		puppet.ask(form);
		(await here.asked())[0].decline();
		expect(puppet.requests('initialize')).toHaveLength(1);
	});

	it.each([
		[404, ''],
		[400, 'Invalid or missing session ID'],
	])('begins a new session by itself when the server has forgotten the old one (%d %s)', async (status, body) => {
		const here = world();
		const { puppet, connection } = await listened(here);
		const states: string[] = [];
		connection.onDidChange(() => states.at(-1) !== connection.state && states.push(connection.state));
		puppet.refuseStreams = status;
		puppet.refusalOfStreams = body;
		puppet.cut();
		await here.until(() => connection.state === 'restarting');
		expect(connection.failure?.message).toBe(
			'puppet: The session with the server has expired. A new one is begun by itself.',
		);
		puppet.refuseStreams = undefined;
		await here.until(() => connection.state === 'running');
		expect(states).toEqual(['restarting', 'starting', 'running']);
		expect(puppet.requests('initialize')).toHaveLength(2);
		expect(connection.failure).toBeUndefined();
	});

	it('that the server forgets does no harm to the calls that still run', async () => {
		const here = world();
		const { puppet, connection } = await listened(here);
		const calling = connection.callTool('act', {});
		const failing = failureOf(connection.callTool('act', {}));
		const [call, other] = [await puppet.expect('tools/call'), await puppet.expect('tools/call')];
		puppet.open(call);
		puppet.open(other);
		puppet.refuseStreams = 404;
		puppet.cut();
		await here.until(() => connection.state === 'restarting');
		puppet.refuseStreams = undefined;
		await here.until(() => connection.state === 'running');
		puppet.cut(other);
		expect((await failing).message).toMatch(/^puppet: The connection was cut before "act" had answered\. /);
		puppet.finish(call, { survived: true });
		expect(await calling).toMatchObject({ structuredContent: { survived: true } });
	});

	it.each([404, 405, 500])('that a server never had (%d) is not asked for again', async (status) => {
		const here = world();
		const puppet = await HttpPuppet.open();
		onTestFinished(() => puppet.close());
		puppet.refuseStreams = status;
		const connection = await here.connect(define('puppet', puppet.definition));
		await puppet.until(() => gets(puppet) === 1);
		const calling = connection.callTool('act', {});
		puppet.finish(await puppet.expect('tools/call'));
		await calling;
		expect([connection.state, connection.lost, gets(puppet)]).toEqual(['running', undefined, 1]);
	});

	it('is not waited for any more when the server is stopped', async () => {
		const here = world();
		const { puppet, connection } = await listened(here);
		await puppet.die();
		await here.until(() => connection.lost);
		await connection.stop();
		expect([connection.state, connection.lost]).toEqual(['stopped', undefined]);
	});
});

describe('the stream of a call that can be resumed', () => {
	it('is asked for while the server cannot be reached, and the call goes on when it is back (A02)', async () => {
		const here = world();
		const { puppet, connection } = await stage(here, HttpPuppet.open, { resumable: true });
		const calling = connection.callTool('act', {});
		const call = await puppet.expect('tools/call');
		puppet.retryIn(50, call);
		const question = puppet.ask(form, call);
		const [elicitation] = await here.asked();
		await puppet.die();
		await here.until(() => connection.lost);
		await puppet.rise();
		await puppet.until(() => puppet.log.includes(`GET ${call.id}/1`));
		expect(elicitation.state).toBe('asking');
		elicitation.decline();
		await question.response;
		puppet.finish(call, { resumed: true });
		expect(await calling).toMatchObject({ structuredContent: { resumed: true } });
		expect(puppet.requests('tools/call')).toHaveLength(1);
	});
});

describe('the subscription to the changes of a stateless server', () => {
	/** Takes the subscription. */
	async function subscribed(puppet: HttpPuppet): Promise<Wire> {
		const listen = await puppet.expect('subscriptions/listen');
		const _meta = { 'io.modelcontextprotocol/subscriptionId': listen.id };
		const params = { _meta, notifications: listen.params.notifications };
		puppet.notify('notifications/subscriptions/acknowledged', params, listen);
		return listen;
	}

	async function subscribable(here: World) {
		const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
		const puppet = await HttpPuppet.open({ revision: MODERN, manual: ['server/discover'] });
		onTestFinished(() => puppet.close());
		const connection = here.create(define('puppet', puppet.definition));
		const introduce = async () =>
			puppet.answer(await puppet.expect('server/discover'), {
				...complete,
				supportedVersions: [MODERN],
				capabilities: { tools: { listChanged: true } },
			});
		return { puppet, connection, introduce };
	}

	const changed = (puppet: HttpPuppet, listen: Wire) => {
		const _meta = { 'io.modelcontextprotocol/subscriptionId': listen.id };
		puppet.notify('notifications/tools/list_changed', { _meta }, listen);
	};

	it('is made at every start, also where the server is known already (E05)', async () => {
		const here = world();
		const { puppet, connection, introduce } = await subscribable(here);
		const starting = connection.start();
		await introduce();
		await subscribed(puppet);
		await starting;
		await connection.stop();
		const again = connection.start();
		const listen = await subscribed(puppet);
		await again;
		expect(listen.params.notifications).toEqual({ toolsListChanged: true });
		puppet.tools = ['act', 'another'];
		changed(puppet, listen);
		await here.until(() => connection.tools.length === 2);
	});

	it('is made again when it was cut, and for as long as the server cannot be reached', async () => {
		const here = world();
		const { puppet, connection, introduce } = await subscribable(here);
		const starting = connection.start();
		await introduce();
		const first = await subscribed(puppet);
		await starting;
		puppet.cut(first);
		const again = await subscribed(puppet);
		puppet.tools = ['act', 'another'];
		changed(puppet, again);
		await here.until(() => connection.tools.length === 2);
		await puppet.die();
		await here.until(() => connection.lost);
		expect(connection.lost?.message).toMatch(/^puppet: Nothing answers at /);
		puppet.tools = ['act', 'another', 'third'];
		await puppet.rise();
		await subscribed(puppet);
		await here.until(() => !connection.lost && connection.tools.length === 3);
		expect(connection.state).toBe('running');
	});

	it('that the server refuses does not keep it from being connected', async () => {
		const here = world();
		const { puppet, connection, introduce } = await subscribable(here);
		const starting = connection.start();
		await introduce();
		puppet.fail(await puppet.expect('subscriptions/listen'), { code: -32601, message: 'No such thing' });
		await starting;
		expect(connection.state).toBe('running');
		expect(here.logs).toContain('info: The server does not tell when its lists change: No such thing');
	});
});

describe('a server that is known to be stateless', () => {
	it('is asked anew which era it speaks when it no longer understands the first request (E05)', async () => {
		const here = world();
		const puppet = await HttpPuppet.open({ manual: ['server/discover'] });
		onTestFinished(() => puppet.close());
		const connection = here.create(define('puppet', puppet.definition));
		const starting = connection.start();
		puppet.answer(await puppet.expect('server/discover'), {
			resultType: 'complete',
			ttlMs: 0,
			cacheScope: 'private',
			supportedVersions: [MODERN],
			capabilities: { tools: {} },
		});
		await starting;
		expect(connection.era).toBe('modern');
		await connection.stop();
		puppet.refusePosts = ({ method }, headers) =>
			method === 'tools/list' && headers['mcp-session-id'] === undefined ? { status: 400 } : undefined;
		const again = connection.start();
		puppet.fail(await puppet.expect('server/discover'), { code: -32601, message: 'Method not found' });
		await again;
		expect([connection.state, connection.era, connection.tools.length]).toEqual(['running', 'legacy', 1]);
		expect(connection.failure).toBeUndefined();
	});
});

describe('the older transport', () => {
	/** A server of 2024-11-05 whose stream a test can cut. */
	async function older() {
		let stream: ServerResponse | undefined;
		let streams = 0;
		const results: Record<string, object> = {
			initialize: {
				protocolVersion: '2024-11-05',
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

	it('ends with its stream: the call fails at once, and the server is connected anew by itself', async () => {
		const here = world();
		const { url, called, cut, streams } = await older();
		const connection = await here.connect(define('older', { type: 'sse', url }));
		const failing = failureOf(connection.callTool('act', {}));
		await here.until(() => here.wire('sent', ({ method }) => method === 'tools/call')[0]);
		while (called.length === 0) await new Promise(setImmediate);
		cut();
		expect((await failing).message).toMatch(/^older: The connection was closed\. /);
		await here.until(() => connection.state === 'running');
		expect(streams()).toBe(2);
		expect(shown(await connection.callTool('act', {}))).toEqual({ well: true });
		expect(called).toHaveLength(2);
	});
});
