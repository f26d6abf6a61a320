import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readRefusal } from '../../../../src/mcp/http/httpError.ts';
import type { Connection } from '../../../../src/mcp/index.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY, MODERN, type Wire } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { callThrough } from '../rawServerSteps.ts';
import { testClients } from '../testClient.ts';
import { callRawServerTool, connectRawServer, form, wordsOf } from './rawServerFixtures.ts';

/* What servers write instead of a response: it ends the request at once, and their words are told. */

const world = testClients();
const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html; charset=utf-8' };
const NO_MESSAGE = 'The server responded to "act" with what is no MCP message: ';

const BODIES: readonly [what: string, status: number, headers: Record<string, string>, body: string, words: string][] =
	[
		['a page', 200, html, '<html><style>p{}</style><p>Please &amp; log in</p>', `${NO_MESSAGE}Please &amp; log in.`],
		['a text', 200, { 'content-type': 'text/plain' }, 'Session not found', `${NO_MESSAGE}Session not found.`],
		['a text without a type', 200, {}, 'Session not found', `${NO_MESSAGE}Session not found.`],
		['nothing', 200, json, '', 'The server accepted "act", but did not respond to it.'],
		['no content', 204, {}, '', 'The server accepted "act", but did not respond to it.'],
		['JSON that is cut off', 200, json, '{"jsonrpc":"2.0","id":', `${NO_MESSAGE}{"jsonrpc":"2.0","id":.`],
		['an error in words', 200, json, '{"error":"Session not found"}', `${NO_MESSAGE}Session not found.`],
		['an error of a framework', 200, json, '{"detail":"Not Found"}', `${NO_MESSAGE}Not Found.`],
		['an empty batch', 200, json, '[]', 'The server accepted "act", but did not respond to it.'],
		['null', 200, json, 'null', `${NO_MESSAGE}null.`],
		[
			'an error without "jsonrpc"',
			200,
			json,
			'{"error":{"code":-32000,"message":"Session not found"},"id":null}',
			`${NO_MESSAGE}Session not found.`,
		],
		[
			'an event stream of an error',
			200,
			{},
			'data: {"error":"Session not found"}\n\n',
			`${NO_MESSAGE}Session not found.`,
		],
		['an event named error', 200, {}, 'event: error\ndata: Session not found\n\n', `${NO_MESSAGE}Session not found.`],
		['an event stream of text', 200, {}, 'data: Session not found\n\n', `${NO_MESSAGE}Session not found.`],
		['an empty event stream', 200, {}, ': nothing\n\n', 'The connection was lost before "act" responded.'],
		[
			'an error of JSON-RPC without an id',
			200,
			{},
			'data: {"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}\n\n',
			'The server responded with error -32001: Session not found.',
		],
	];

describe.each([LEGACY, MODERN] as const)('over HTTP (%s), a call that gets', (revision) => {
	it.each(BODIES)('%s fails with it at once, and is sent once', async (what, status, headers, body, words) => {
		const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open, { revision });
		const type = what.includes('event') || body.startsWith('data:') ? { 'content-type': 'text/event-stream' } : headers;
		rawServer.refusePosts = ({ method }) => (method === 'tools/call' ? { status, headers: type, body } : undefined);
		expect(await wordsOf(connection.callTool('act', {}))).toContain(`raw-server: ${words} `);
		expect(rawServer.log.filter((line) => line === 'POST tools/call')).toHaveLength(1);
		rawServer.refusePosts = () => undefined;
		await callThrough(rawServer, connection);
	});
});

it('of long words, the first 500 characters are told', async () => {
	const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open);
	rawServer.refusePosts = ({ method }) =>
		method === 'tools/call' ? { status: 200, body: 'x'.repeat(9_000) } : undefined;
	expect(await wordsOf(connection.callTool('act', {}))).toContain(`: ${'x'.repeat(499)}… `);
});

it('an error on the stream of a call ends it while the stream is open', async () => {
	const { rawServer, calling, call } = await callRawServerTool(world(), RawHttpServer.open);
	rawServer.line('{"error":"Session not found"}', call);
	await expect(calling).rejects.toThrow(`${NO_MESSAGE}Session not found.`);
});

it.each([
	['without "jsonrpc"', (id: unknown) => ({ id, result: { content: [] } }), `${NO_MESSAGE}{`],
	[
		'an error without "jsonrpc"',
		(id: unknown) => ({ id: String(id), error: 'Out of order' }),
		`${NO_MESSAGE}Out of order.`,
	],
])('over stdio, a response %s ends its call', async (_what, written, words) => {
	const { rawServer, calling, call } = await callRawServerTool(world(), RawStdioServer.open);
	rawServer.line(JSON.stringify(written(call.id)));
	await expect(calling).rejects.toThrow(words);
});

it.each<[string, (on: Connection) => Promise<unknown>]>([
	['prompts/get', (on) => on.getPrompt('greet', {})],
	['resources/read', (on) => on.readResource('test:it')],
])('%s is told as well', async (method, call) => {
	const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open, {
		capabilities: { prompts: {}, resources: {} },
	});
	rawServer.refusePosts = (message) =>
		message.method === method ? { status: 200, headers: html, body: 'Hi' } : undefined;
	await expect(call(connection)).rejects.toThrow(' with what is no MCP message: Hi.');
});

it('a response in a body of any type is one', async () => {
	const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open);
	rawServer.refusePosts = ({ id, method }) =>
		method === 'tools/call'
			? { status: 200, headers: { 'content-type': 'text/plain' }, body: JSON.stringify(resultOf(id)) }
			: undefined;
	expect(await connection.callTool('act', {})).toEqual({ content: [] });
});

const resultOf = (id: unknown) => ({ jsonrpc: '2.0', id, result: { content: [] } });

it('status 202 in a session is followed by a response on the stream of the server, if there is one', async () => {
	const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open);
	await rawServer.until(() => rawServer.log.includes('GET'));
	let call: Wire;
	rawServer.refusePosts = (message) => {
		call = message.method === 'tools/call' ? message : call;
		return message.method === 'tools/call' ? { status: 202 } : undefined;
	};
	const calling = connection.callTool('act', {});
	await rawServer.until(() => call);
	rawServer.line(JSON.stringify(resultOf(call.id)), {});
	expect(await calling).toEqual({ content: [] });
	// What it has carried does not end it.
	rawServer.cut();
	await rawServer.until(() => rawServer.log.filter((line) => line.startsWith('GET')).length > 1);
});

it('status 202 ends the call where no stream could bring the response', async () => {
	const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open);
	rawServer.refuseStreams = 405;
	await connection.stop();
	await connection.start();
	rawServer.refusePosts = ({ method }) => (method === 'tools/call' ? { status: 202 } : undefined);
	await expect(connection.callTool('act', {})).rejects.toThrow('The server accepted "act", but did not respond to it.');
});

it('the response of a person that is refused with an error in a 200 is not delivered', async () => {
	const here = world();
	const { rawServer, calling, call } = await callRawServerTool(here, RawHttpServer.open);
	rawServer.ask(form, call);
	const [elicitation] = await here.asked();
	rawServer.refusePosts = ({ method }) =>
		method === undefined ? { status: 200, headers: json, body: '{"error":"Session not found"}' } : undefined;
	elicitation.decline();
	await here.until(() => elicitation.delivery?.problem);
	expect(JSON.stringify(elicitation.delivery?.problem)).toContain('Session not found.');
	rawServer.finish(call);
	await calling;
});

it.each([400, 404, 429, 500, 503])(
	'a refusal (%d) whose body never ends is waited for a few seconds',
	async (status) => {
		vi.useFakeTimers();
		onTestFinished(() => void vi.useRealTimers());
		const body = new ReadableStream({
			start: (controller) => controller.enqueue(new TextEncoder().encode('Out of order')),
		});
		const refused = readRefusal(new Response(body, { status }), { inSession: false });
		await vi.advanceTimersByTimeAsync(5_000);
		expect(await refused).toMatchObject({ status, refusal: { words: 'Out of order' } });
	},
);

it('of a refusal that is endless, only the beginning is read', async () => {
	let read = 0;
	const body = new ReadableStream({
		pull: (controller) => {
			read++;
			controller.enqueue(new Uint8Array(64 * 1024).fill(120));
		},
	});
	const { message } = await readRefusal(new Response(body, { status: 500 }), { inSession: false });
	expect(message).toContain('HTTP status 500: xxx');
	expect(read).toBeLessThan(5);
});

it('a server’s own error with a code that was once ours is told in its words, and makes no request sent again', async () => {
	for (const code of [-32097, -32098, -32099]) {
		const { rawServer, calling, call } = await callRawServerTool(world(), RawHttpServer.open);
		rawServer.fail(call, { code, message: 'Quota exhausted' });
		await expect(calling).rejects.toThrow(`The server responded with error ${code}: Quota exhausted.`);
	}
});
