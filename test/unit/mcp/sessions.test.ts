import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Visitor } from '../../conformance/visitor.ts';
import { RawHttpServer } from '../../rawServer/http.ts';
import { authorizationServer } from '../../servers/authorization.mjs';
import { connectRawServer, demandTokens } from './faults/rawServerFixtures.ts';
import { callThrough } from './rawServerSteps.ts';
import { define, testClients } from './testClient.ts';

const world = testClients();

/** Makes the server forget all its sessions. */
function forget(rawServer: RawHttpServer): void {
	rawServer.session = `${rawServer.session}'`;
	const known = rawServer.session;
	rawServer.refusePosts = (message, headers) =>
		message.method !== 'initialize' && headers['mcp-session-id'] !== known ? { status: 404 } : undefined;
}

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
		await vi.waitFor(() => expect([guest.requests.length, call.clock.asking]).toEqual([2, true]), 20_000);
		await vi.waitFor(() => {
			goOn();
			expect(call.clock.asking).toBe(false);
		}, 20_000);
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

/** Bodies of status 400, with the request id where they have one. */
const refusals = (id: unknown): readonly [name: string, body: string][] => [
	[
		'a JSON-RPC error of the tool',
		JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602, message: 'No browser session' } }),
	],
	[
		'an error without an id',
		JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No session for "x".' } }),
	],
	[
		'known words with the id of the request',
		JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: UNKNOWN } }),
	],
	['words', 'Your session at the shop has expired.'],
];

const UNKNOWN = 'Bad Request: No valid session ID provided';

describe('a call that is refused with status 400', () => {
	it.each(refusals(0).map(([name]) => name))('is not sent again for the word "session" in %s', async (name) => {
		const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open);
		let sent = 0;
		rawServer.refusePosts = ({ id, method }) => {
			if (method !== 'tools/call') return undefined;
			sent++;
			return { status: 400, body: refusals(id).find((each) => each[0] === name)?.[1] ?? '' };
		};
		await expect(connection.callTool('act', {})).rejects.toThrow(/^raw-server: .* HTTP status 400/);
		expect(sent).toBe(1);
		expect(rawServer.requests('initialize')).toHaveLength(1);
		expect(connection.state).toBe('running');
	});

	it.each([
		['text', UNKNOWN],
		['an error without an id', JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: UNKNOWN } })],
	])('is sent again in a new session where an SDK says in %s that it has not looked at it', async (_name, body) => {
		const { rawServer, connection } = await connectRawServer(world(), RawHttpServer.open);
		rawServer.session = 'another';
		rawServer.refusePosts = ({ method }, headers) =>
			method !== 'initialize' && headers['mcp-session-id'] !== 'another' ? { status: 400, body } : undefined;
		expect(await callThrough(rawServer, connection, { renewed: true })).toMatchObject({
			structuredContent: { renewed: true },
		});
		expect(rawServer.requests('tools/call')).toHaveLength(1);
		expect(rawServer.requests('initialize')).toHaveLength(2);
	});
});
