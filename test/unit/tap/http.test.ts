import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { tapHttp } from '../../../src/tap/http.ts';
import type { Recorder } from '../../../src/tap/recorder.ts';
import { itByNight, runs } from '../../nightly.ts';
import { FORM, played } from '../trace/recording/recorded.ts';
import { copying, inPieces, recordingHere, streams } from './tapped.ts';

const closing: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
	for (const close of closing.splice(0).reverse()) {
		await close();
	}
});

/** A server, and a tap before it. */
async function tapped(serve: RequestListener, recorder: Pick<Recorder, 'open'> = copying()): Promise<string> {
	const server = createServer(serve).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp?a=b`;
	const tap = await tapHttp(new URL(target), 0, recorder);
	closing.push(
		() => {
			server.closeAllConnections();
			server.close();
		},
		() => tap.close(),
	);
	return tap.url;
}

/** Sends a request. Unlike `fetch`, it decodes nothing, follows nothing, and sends any header. */
async function send(
	url: string,
	{ method = 'POST', headers = {}, body = [] as readonly Buffer[] } = {},
): Promise<IncomingMessage> {
	const sent = request(url, { method, headers, agent: false });
	Readable.from(inPieces(body)).pipe(sent);
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	return response;
}

/** Writes in pieces, at once. */
const write = (response: ServerResponse, pieces: readonly Buffer[]) => Readable.from(inPieces(pieces)).pipe(response);

describe('a server behind a tap over HTTP', () => {
	it.each(['application/json', 'text/event-stream', 'application/octet-stream'])(
		'gets and gives the same bytes in bodies of %s, whatever they are',
		async (type) => {
			const recorder = copying();
			const given: Buffer[] = [];
			let answer: readonly Buffer[] = [];
			const url = await tapped(async (incoming, response) => {
				given.push(await buffer(incoming));
				response.writeHead(200, { 'Content-Type': type });
				write(response, answer);
			}, recorder);
			const property = fc.asyncProperty(streams, streams, async (sent, received) => {
				answer = received;
				recorder.copies.length = 0;
				const response = await send(url, { headers: { 'Content-Type': type }, body: sent });
				const [asked, answered] = [Buffer.concat(sent), Buffer.concat(received)];
				expect((await buffer(response)).equals(answered)).toBe(true);
				expect(given.pop()?.equals(asked)).toBe(true);
				expect(recorder.bytesOf('request').equals(asked)).toBe(true);
				expect(recorder.bytesOf('response').equals(answered)).toBe(true);
			});
			await fc.assert(property, { numRuns: runs(100) });
		},
	);

	it('gets the method, the path, the query and the headers, and gives status and headers', async () => {
		const seen: IncomingMessage[] = [];
		const url = await tapped((incoming, response) => {
			seen.push(incoming);
			const headers = { Location: '/elsewhere', 'Set-Cookie': ['a=1', 'b=2'], 'X-Mixed': 'Case', Connection: 'X-Hop' };
			response.writeHead(307, 'Over There', { ...headers, 'X-Hop': 'dropped' }).end();
		});
		const headers = {
			Authorization: 'Bearer abc',
			'X-Mine': ['1', '2'],
			Connection: 'X-Mine-Only',
			'X-Mine-Only': '3',
		};
		const response = await send(`${url}&c=%20d`, { method: 'DELETE', headers });
		const [got] = seen;
		expect(got).toMatchObject({ method: 'DELETE', url: '/mcp?a=b&c=%20d', headers: { authorization: 'Bearer abc' } });
		expect(got?.headers.host).not.toBe(new URL(url).host);
		expect(got?.headers).toMatchObject({ 'x-mine': '1, 2' });
		expect(got?.headers).not.toHaveProperty('x-mine-only');
		expect([response.statusCode, response.statusMessage]).toEqual([307, 'Over There']);
		expect(response.headers).toMatchObject({ location: '/elsewhere', 'set-cookie': ['a=1', 'b=2'] });
		expect(response.rawHeaders).toContain('X-Mixed');
		expect(response.headers).not.toHaveProperty('x-hop');
	});

	it('gives each event as it comes, and learns that the client has cancelled', async () => {
		let stream: ServerResponse | undefined;
		const url = await tapped((_, response) => {
			stream = response.writeHead(200, { 'Content-Type': 'text/event-stream' });
			response.flushHeaders();
		});
		const response = await send(url);
		for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
			stream?.write(event);
			const [chunk] = await once(response, 'data');
			expect(String(chunk)).toBe(event);
		}
		response.destroy();
		await once(stream as ServerResponse, 'close');
	});

	it('that dies in the middle of a response breaks it off for the client, too', async () => {
		const url = await tapped((_, response) => {
			response.writeHead(200, { 'Content-Type': 'text/event-stream' });
			response.write('data: 1\n\n', () => response.destroy());
		});
		await expect(buffer(await send(url))).rejects.toThrow('aborted');
	});

	it('waits for a client that reads slowly, rather than collecting what it writes', async () => {
		const piece = Buffer.alloc(64 * 1024);
		let given = 0;
		const url = await tapped(async (_, response) => {
			for (let count = 0; count < 500; count++) {
				given += piece.length;
				response.write(piece) || (await once(response, 'drain'));
			}
			response.end();
		});
		let [read, most] = [0, 0];
		for await (const chunk of await send(url)) {
			read += chunk.length;
			most = Math.max(most, given - read);
			await new Promise((resolve) => setImmediate(resolve));
		}
		expect(read).toBe(500 * piece.length);
		// Four sockets have buffers, too.
		expect(most).toBeLessThan(20_000_000);
	});

	itByNight('passes a message of 60 MB on in both directions', async () => {
		const url = await tapped(async (incoming, response) => void response.end(await buffer(incoming)));
		const body = Buffer.alloc(60_000_000, '{"é":"é"}');
		expect((await buffer(await send(url, { body: [body] }))).equals(body)).toBe(true);
	});

	it('that cannot be reached is named', async () => {
		const url = await tapped((_, response) => response.destroy());
		const gone = new URL(url);
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		gone.port = String((server.address() as AddressInfo).port);
		server.close();
		await once(server, 'close');
		const recorder = recordingHere();
		const tap = await tapHttp(gone, 0, recorder);
		closing.push(() => tap.close());
		const response = await send(tap.url);
		expect(response.statusCode).toBe(502);
		const why = expect.stringMatching(`The tap could not reach ${gone.host}: .*ECONNREFUSED`);
		expect(JSON.parse(String(await buffer(response)))).toMatchObject({ error: { message: why } });
		expect(await recorder.entries()).toMatchObject([
			{ text: expect.stringMatching('^502 The tap could not .* for POST /mcp$') },
		]);
	});

	it.each([
		['page of another origin', { Origin: 'https://evil.example' }],
		['page without an origin', { Origin: 'null' }],
		['page that was rebound to this address', { Host: 'evil.example:80' }],
	])('is not reached by a %s', async (_, headers) => {
		let isReached = false;
		const url = await tapped((_incoming, response) => {
			isReached = true;
			response.end();
		});
		const response = await send(url, { headers });
		expect([response.statusCode, isReached]).toEqual([403, false]);
		expect((await send(url, { headers: { Origin: 'http://localhost:6274' } })).statusCode).toBe(200);
	});
});

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'deploy' } };
const done = { jsonrpc: '2.0', id: 1, result: { content: [] } };
const ask = { jsonrpc: '2.0', id: 'e', method: 'elicitation/create', params: FORM };
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('the recording of a server behind a tap over HTTP', () => {
	it.each<[string | undefined, (body: Buffer) => Buffer]>([
		[undefined, (body) => body],
		['gzip', gzipSync],
		['deflate', deflateSync],
		['br', brotliCompressSync],
	])('has what is said in bodies with the encoding %s', async (encoding, encode) => {
		const recorder = recordingHere();
		const headers = {
			'Content-Type': 'application/json',
			...(encoding !== undefined && { 'Content-Encoding': encoding }),
		};
		const url = await tapped((_, response) => response.writeHead(200, headers).end(encode(json(done))), recorder);
		await buffer(await send(url, { headers, body: [encode(json(call))] }));
		expect((await recorder.entries()).map(({ direction, message }) => [direction, message])).toEqual([
			['sent', call],
			['received', done],
		]);
	});

	it('has each event of a compressed stream in its place, and the call that it belongs to', async () => {
		const recorder = recordingHere();
		const url = await tapped((incoming, response) => {
			incoming.resume();
			if (incoming.method === 'POST' && incoming.headers['x-answer'] !== undefined) {
				response.writeHead(202).end();
				answered();
				return;
			}
			response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' });
			const packed = createGzip();
			packed.pipe(response);
			packed.write(`event: message\ndata: ${JSON.stringify(ask)}\n\n`);
			packed.flush();
			answered = () => packed.end(`data: ${JSON.stringify(done)}\n\n`);
		}, recorder);
		let answered = () => {};
		const stream = await send(url, { body: [json(call)] });
		const ended = once(stream, 'end');
		await once(stream, 'data');
		const answer = { jsonrpc: '2.0', id: 'e', result: { action: 'decline' } };
		await buffer(await send(url, { headers: { 'x-answer': '1' }, body: [json(answer)] }));
		await ended;
		const { registry } = played(await recorder.text());
		expect(registry.calls).toMatchObject([{ name: 'deploy', state: 'succeeded' }]);
		expect(registry.elicitations).toMatchObject([{ state: 'declined', origin: { calls: [{ name: 'deploy' }] } }]);
	});

	it('has no headers, no queries, and no bodies that are no messages', async () => {
		const recorder = recordingHere();
		const tokens = { access_token: 'planted-access', refresh_token: 'planted-refresh' };
		const url = await tapped((incoming, response) => {
			incoming.resume();
			const isToken = incoming.url?.startsWith('/token') === true;
			const said = {
				...done,
				result: { content: [{ type: 'text', text: 'You sent planted-bearer, planted-cookie' }] },
			};
			response.writeHead(200, { 'Content-Type': 'application/json', 'Set-Cookie': 'sid=planted-cookie; Path=/' });
			response.end(JSON.stringify(isToken ? tokens : said));
		}, recorder);
		await buffer(
			await send(new URL('/token?code=planted-code', url).href, { body: [Buffer.from('grant=planted-grant')] }),
		);
		const headers = { Authorization: 'Bearer planted-bearer', 'Mcp-Session-Id': 'planted-session' };
		await buffer(await send(url, { headers, body: [json(call)] }));
		const text = await recorder.text();
		expect(text).not.toContain('planted');
		expect(text).toContain('No message in the body of POST /token');
	});

	it('tells of refusals, and of responses that somebody ended', async () => {
		const recorder = recordingHere();
		let left = () => {};
		const hasLeft = new Promise<void>((resolve) => {
			left = resolve;
		});
		const url = await tapped((incoming, response) => {
			if (incoming.method === 'GET') {
				response.writeHead(401).end('No');
			} else {
				response.on('close', left);
				response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
			}
		}, recorder);
		await buffer(await send(url, { method: 'GET' }));
		(await send(url, { body: [json(call)] })).destroy();
		await hasLeft;
		await expect
			.poll(async () => (await recorder.entries()).flatMap(({ text, direction }) => (text ? [[direction, text]] : [])))
			.toEqual([
				['received', '401 Unauthorized for GET /mcp'],
				['sent', 'Ended by the client before it was complete: POST /mcp'],
			]);
	});

	it('keeps the sessions of 2024-11-05 together, which have an address of their own', async () => {
		const recorder = recordingHere();
		const streamsOf = new Map<string, ServerResponse>();
		const url = await tapped((incoming, response) => {
			incoming.resume();
			if (incoming.method === 'GET') {
				const name = `s${streamsOf.size}`;
				streamsOf.set(name, response.writeHead(200, { 'Content-Type': 'text/event-stream' }));
				response.write(`event: endpoint\ndata: /messages?session=${name}\n\n`);
			} else {
				response.writeHead(202).end();
				const name = new URL(incoming.url ?? '', 'http://s').searchParams.get('session') ?? '';
				streamsOf.get(name)?.write(`data: ${JSON.stringify({ ...done, result: { from: name } })}\n\n`);
			}
		}, recorder);
		for (const name of ['s0', 's1']) {
			const stream = await send(url, { method: 'GET' });
			await once(stream, 'data');
			await buffer(await send(new URL(`/messages?session=${name}`, url).href, { body: [json(call)] }));
			await once(stream, 'data');
		}
		const { registry } = played(await recorder.text());
		expect(registry.calls.map(({ outcome }) => outcome)).toEqual([{ from: 's0' }, { from: 's1' }]);
	});
});
