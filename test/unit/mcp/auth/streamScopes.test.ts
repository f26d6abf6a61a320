import { expect, it, onTestFinished, vi } from 'vitest';
import { Visitor } from '../../../conformance/visitor.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { MODERN } from '../../../rawServer/rawServer.ts';
import { authorizationServer } from '../../../servers/authorization.mjs';
import { demandTokens, form } from '../faults/rawServerFixtures.ts';
import { define, testClients } from '../testClient.ts';

const world = testClients();

const refusal = { status: 403, headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="listen"' } };

/** A server with sign-in, whose stream of messages takes a scope that no call takes. */
async function guarded(revision: '2025-11-25' | typeof MODERN) {
	const here = world();
	const guest = new Visitor();
	here.signIn = guest;
	const authorization = await authorizationServer();
	onTestFinished(authorization.stop);
	const rawServer = await RawHttpServer.open({ revision, capabilities: { tools: { listChanged: true } } });
	onTestFinished(() => rawServer.close());
	demandTokens(rawServer, authorization);
	const connection = here.create(define('raw-server', rawServer.definition));
	return { here, guest, rawServer, connection };
}

it('the stream of a session is opened after a sign-in for the scope that it takes', async () => {
	const { here, guest, rawServer, connection } = await guarded('2025-11-25');
	const { front } = rawServer;
	rawServer.front = async (request) =>
		(await front(request)) ?? (request.method === 'GET' && guest.requests.length < 2 ? refusal : undefined);
	await connection.start();
	await rawServer.until(() => rawServer.log.includes('GET'));
	rawServer.ask(form);
	(await here.asked())[0].decline();
	expect(guest.requests[1]).toMatchObject({ newScopes: ['listen'] });
	await here.until(() => !connection.lost);
});

it('the stream is opened as soon as the user has signed in, however long the pause is before its next attempt', async () => {
	const { here, rawServer, connection } = await guarded('2025-11-25');
	const { front } = rawServer;
	const busy = { ...refusal, headers: { ...refusal.headers, 'retry-after': '60' } };
	let refusals = 0;
	rawServer.front = async (request) =>
		(await front(request)) ?? (request.method === 'GET' && refusals++ === 0 ? busy : undefined);
	await connection.start();
	await here.until(() => connection.lost);
	await here.until(() => !connection.lost);
	expect(refusals).toBe(2);
});

it('the stream is opened as soon as the user has signed in, also if its last attempt was being refused then', async () => {
	const { here, guest, rawServer, connection } = await guarded('2025-11-25');
	const { front } = rawServer;
	const busy = { ...refusal, headers: { ...refusal.headers, 'retry-after': '60' } };
	let attempts = 0;
	rawServer.front = async (request) => {
		const other = await front(request);
		if (other || request.method !== 'GET' || ++attempts > 2) {
			return other;
		}
		if (attempts === 2) {
			await here.until(() => here.logs.filter((line) => line.includes('Signed in at')).length === 2);
		}
		return attempts === 1 ? refusal : busy;
	};
	const visit = guest.visit.bind(guest);
	guest.visit = async (...page) => {
		await vi.waitUntil(() => guest.requests.length === 1 || attempts === 2, 10_000);
		return visit(...page);
	};
	await connection.start();
	await here.until(() => connection.lost);
	await here.until(() => !connection.lost);
	expect(attempts).toBe(3);
});

it('the sign-in that a stream takes is asked for also where it was lost for another reason before', async () => {
	const { here, guest, rawServer, connection } = await guarded('2025-11-25');
	const { front } = rawServer;
	const answers = [undefined, { status: 503 }, refusal];
	rawServer.front = async (request) =>
		(await front(request)) ?? (request.method === 'GET' ? answers.shift() : undefined);
	await connection.start();
	await rawServer.until(() => rawServer.log.includes('GET'));
	rawServer.open({});
	rawServer.cut();
	await here.until(() => connection.lost?.message.includes('503'));
	await here.until(() => guest.requests.length === 2);
	await here.until(() => !connection.lost);
});

it('says that a stream takes a sign-in also where it was lost for another reason before', async () => {
	const { here, rawServer, connection } = await guarded('2025-11-25');
	const { front } = rawServer;
	const answers = [undefined, { status: 503 }];
	const ended = { status: 401, headers: { 'www-authenticate': 'Bearer' } };
	rawServer.front = async (request) =>
		(await front(request)) ?? (request.method === 'GET' ? (answers.length > 0 ? answers.shift() : ended) : undefined);
	await connection.start();
	await rawServer.until(() => rawServer.log.includes('GET'));
	rawServer.open({});
	rawServer.cut();
	await here.until(() => connection.lost?.message.includes('503'));
	await here.until(() => connection.lost?.message.includes('another sign-in'));
	expect(here.logs.filter((line) => line.includes('Lost'))).toHaveLength(2);
});

it('the sign-in that a stream takes is asked for once, whatever sessions the server forgets, until it is started anew', async () => {
	const { guest, rawServer, connection } = await guarded('2025-11-25');
	const { front } = rawServer;
	rawServer.front = async (request) => (await front(request)) ?? (request.method === 'GET' ? refusal : undefined);
	await connection.start();
	await rawServer.until(() => guest.requests.length === 2);
	let isForgotten = false;
	rawServer.refusePosts = ({ method }) => {
		const isLost = method === 'tools/call' && !isForgotten;
		isForgotten ||= isLost;
		return isLost ? { status: 404 } : undefined;
	};
	const calling = connection.callTool('act', {});
	rawServer.finish(await rawServer.expect('tools/call'));
	await calling;
	const again = connection.callTool('act', {});
	rawServer.finish(await rawServer.expect('tools/call'));
	await again;
	expect([rawServer.requests('initialize').length, guest.requests.length]).toEqual([2, 2]);
	await connection.stop();
	await connection.start();
	await rawServer.until(() => guest.requests.length === 3);
});

it('the sign-in that a stream takes is not asked for once the server is stopped', async () => {
	const { here, guest, rawServer, connection } = await guarded('2025-11-25');
	const { front } = rawServer;
	let refusals = 0;
	rawServer.front = async (request) => {
		const other = await front(request);
		if (other || request.method !== 'GET') {
			return other;
		}
		refusals++;
		// The rest of the body never comes.
		return { ...refusal, headers: { ...refusal.headers, 'content-length': '100' } };
	};
	for (const start of [1, 2, 3]) {
		await connection.start();
		await here.until(() => refusals === start);
		await connection.stop();
	}
	expect([guest.requests.length, here.logs.filter((line) => line.includes('Lost'))]).toEqual([1, []]);
});

it('a subscription is made after a sign-in for the scope that it takes, which is asked for once', async () => {
	const { here, guest, rawServer, connection } = await guarded(MODERN);
	rawServer.refusePosts = ({ method }) => (method === 'subscriptions/listen' ? refusal : undefined);
	await connection.start();
	await here.until(() => guest.requests.length === 2);
	await here.until(() => connection.lost);
	expect(connection.lost?.message).toBe(
		'raw-server: The server requires another sign-in before it sends anything by itself. Restart the server to sign in.',
	);
	await rawServer.until(() => rawServer.log.filter((line) => line === 'POST subscriptions/listen').length > 2);
	expect([connection.state, guest.requests.length]).toEqual(['running', 2]);
	await connection.start();
	expect(guest.requests).toHaveLength(2);
	rawServer.refusePosts = () => undefined;
	const listen = await rawServer.expect('subscriptions/listen');
	const _meta = { 'io.modelcontextprotocol/subscriptionId': listen.id };
	const params = { _meta, notifications: listen.params.notifications };
	rawServer.notify('notifications/subscriptions/acknowledged', params, listen);
	await here.until(() => !connection.lost);
});

it('a subscription is made as soon as the user has signed in, however long the pause is before its next attempt', async () => {
	const { here, guest, rawServer, connection } = await guarded(MODERN);
	let [attempts, signedIn] = [0, 0];
	rawServer.refusePosts = ({ method }) => {
		const isRefused = method === 'subscriptions/listen' && signedIn === 0;
		attempts += Number(isRefused);
		return isRefused ? refusal : undefined;
	};
	const visit = guest.visit.bind(guest);
	guest.visit = async (...page) => {
		await vi.waitUntil(() => guest.requests.length === 1 || attempts === 4, 20_000);
		return visit(...page);
	};
	await connection.start();
	await here.until(() => here.logs.filter((line) => line.includes('Signed in at')).length === 2);
	signedIn = performance.now();
	await rawServer.expect('subscriptions/listen');
	// The pause before the fifth attempt is 8 s.
	expect(performance.now() - signedIn).toBeLessThan(4_000);
});

it.each(['2025-11-25', MODERN] as const)(
	'is done without where nobody can sign in, because the definition has a token (%s)',
	async (revision) => {
		const here = world();
		const rawServer = await RawHttpServer.open({ revision, capabilities: { tools: { listChanged: true } } });
		onTestFinished(() => rawServer.close());
		rawServer.front = async ({ method }) => (method === 'GET' ? refusal : undefined);
		rawServer.refusePosts = ({ method }) => (method === 'subscriptions/listen' ? refusal : undefined);
		const headers = { authorization: 'Bearer planted' };
		const connection = await here.connect(define('raw-server', { ...rawServer.definition, headers }));
		const calling = connection.callTool('act', {});
		rawServer.finish(await rawServer.expect('tools/call'));
		await calling;
		expect([connection.state, connection.lost]).toEqual(['running', undefined]);
	},
);
