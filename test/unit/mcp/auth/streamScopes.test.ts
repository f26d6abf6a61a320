import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Connection } from '../../../../src/mcp/index.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY, MODERN } from '../../../rawServer/rawServer.ts';
import { form } from '../faults/rawServerFixtures.ts';
import { acceptSubscription, callThrough, createGuardedServer, createRawServer } from '../rawServerSteps.ts';
import { type TestClient, testClients } from '../testClient.ts';
import { eventually, shortenPauses } from '../timing.ts';

const world = testClients();

const refusal: NonNullable<Answer> = {
	status: 403,
	headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="listen"' },
};
/** No other pause is as long. */
const BUSY = 77;
const busy = { ...refusal, headers: { ...refusal.headers, 'retry-after': `${BUSY}` } };

/** The pauses before the next attempt are short in these tests, or last until the user has signed in. */
let pauses: readonly number[];
let signedIn: Promise<unknown> | undefined;
beforeEach(() => {
	signedIn = undefined;
	pauses = shortenPauses(() => signedIn);
});

/** A server with sign-in, whose stream of messages takes a scope that no call takes. */
async function guarded(revision: typeof LEGACY | typeof MODERN) {
	const here = world();
	const capabilities = { tools: { listChanged: true } };
	const { rawServer, ...on } = await createGuardedServer(here, { revision, capabilities });
	const { front } = rawServer;
	/** How the server answers a request for its stream that has a token; `undefined` opens it. */
	const answerStreams = (answer: () => Answer | Promise<Answer>) => {
		rawServer.front = async (request) =>
			(await front(request)) ??
			(request.method === 'GET' || request.headers['mcp-method'] === 'subscriptions/listen'
				? await answer()
				: undefined);
	};
	return { here, rawServer, answerStreams, ...on };
}

type Answer = { status: number; headers?: Record<string, string> } | undefined;

it('the stream of a session is opened after a sign-in for the scope that it takes', async () => {
	const { here, guest, rawServer, connection, answerStreams } = await guarded(LEGACY);
	answerStreams(() => (guest.requests.length < 2 ? refusal : undefined));
	await connection.start();
	await rawServer.until(() => rawServer.log.includes('GET'));
	rawServer.ask(form);
	(await here.asked())[0].decline();
	expect(guest.requests[1]).toMatchObject({ newScopes: ['listen'] });
	await here.until(() => !connection.lost);
});

describe.each([LEGACY, MODERN] as const)('as soon as the user has signed in, the stream is opened (%s)', (revision) => {
	/** Waits until a stream was lost and is open again, which may have happened before somebody looks. */
	async function foundAgain(here: TestClient, connection: Connection, rawServer: RawHttpServer): Promise<void> {
		await Promise.all([
			here.until(() => here.logs.some((line) => line.includes('Lost')) && !connection.lost),
			revision === MODERN && acceptSubscription(rawServer),
		]);
	}

	const signIns = (here: TestClient, count: number) =>
		here.until(() => here.logs.filter((line) => line.includes('Signed in at')).length === count);

	it('however long the pause is before its next attempt', async () => {
		const { here, rawServer, connection, answerStreams } = await guarded(revision);
		let attempts = 0;
		answerStreams(() => {
			signedIn = signIns(here, 2);
			return attempts++ === 0 ? busy : undefined;
		});
		await connection.start();
		await foundAgain(here, connection, rawServer);
		expect(attempts).toBe(2);
		expect(pauses).not.toContain(BUSY * 1_000);
	});

	it('also if its last attempt was being refused then', async () => {
		const { here, guest, rawServer, connection, answerStreams } = await guarded(revision);
		let attempts = 0;
		answerStreams(async () => {
			if (++attempts === 2) {
				await signIns(here, 2);
			}
			return [refusal, busy][attempts - 1];
		});
		const visit = guest.visit.bind(guest);
		guest.visit = async (...page) => {
			await eventually(() => guest.requests.length === 1 || attempts === 2);
			return visit(...page);
		};
		await connection.start();
		await foundAgain(here, connection, rawServer);
		expect(attempts).toBe(3);
		expect(pauses).not.toContain(BUSY * 1_000);
	});
});

it('the sign-in that a stream takes is asked for also where it was lost for another reason before', async () => {
	const { here, guest, rawServer, connection, answerStreams } = await guarded(LEGACY);
	const answers = [undefined, { status: 503 }, refusal];
	answerStreams(() => answers.shift());
	await connection.start();
	await rawServer.until(() => rawServer.log.includes('GET'));
	rawServer.open({});
	rawServer.cut();
	await here.until(() => connection.lost?.message.includes('503'));
	await eventually(() => guest.requests.length === 2);
	await here.until(() => !connection.lost);
});

it('says that a stream takes a sign-in also where it was lost for another reason before', async () => {
	const { here, rawServer, connection, answerStreams } = await guarded(LEGACY);
	const answers = [undefined, { status: 503 }];
	const ended = { status: 401, headers: { 'www-authenticate': 'Bearer' } };
	answerStreams(() => (answers.length > 0 ? answers.shift() : ended));
	await connection.start();
	await rawServer.until(() => rawServer.log.includes('GET'));
	rawServer.open({});
	rawServer.cut();
	await here.until(() => connection.lost?.message.includes('503'));
	await here.until(() => connection.lost?.message.includes('another sign-in'));
	expect(here.logs.filter((line) => line.includes('Lost'))).toHaveLength(2);
});

it('the sign-in that a stream takes is asked for once, whatever sessions the server forgets, until it is started anew', async () => {
	const { guest, rawServer, connection, answerStreams } = await guarded(LEGACY);
	answerStreams(() => refusal);
	await connection.start();
	await eventually(() => guest.requests.length === 2);
	let isForgotten = false;
	rawServer.refusePosts = ({ method }) => {
		const isLost = method === 'tools/call' && !isForgotten;
		isForgotten ||= isLost;
		return isLost ? { status: 404 } : undefined;
	};
	await callThrough(rawServer, connection);
	await callThrough(rawServer, connection);
	expect([rawServer.requests('initialize').length, guest.requests.length]).toEqual([2, 2]);
	await connection.stop();
	await connection.start();
	await eventually(() => guest.requests.length === 3);
});

it('the sign-in that a stream takes is not asked for once the server is stopped', async () => {
	const { here, guest, connection, answerStreams } = await guarded(LEGACY);
	// The rest of the body never comes. The client waits for it for a while, which a start may take on a busy machine.
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	onTestFinished(() => void vi.useRealTimers());
	let refused = () => {};
	answerStreams(() => {
		refused();
		return { ...refusal, headers: { ...refusal.headers, 'content-length': '100' } };
	});
	for (const _ of [1, 2, 3]) {
		const isRefused = new Promise<void>((resolve) => {
			refused = resolve;
		});
		await connection.start();
		await isRefused;
		await connection.stop();
	}
	expect([guest.requests.length, here.logs.filter((line) => line.includes('Lost'))]).toEqual([1, []]);
});

it('a subscription is made after a sign-in for the scope that it takes, which is asked for once', async () => {
	const { here, guest, rawServer, connection } = await guarded(MODERN);
	rawServer.refusePosts = ({ method }) => (method === 'subscriptions/listen' ? refusal : undefined);
	await connection.start();
	await eventually(() => guest.requests.length === 2);
	await here.until(() => connection.lost);
	expect(connection.lost?.message).toBe(
		'raw-server: The server requires another sign-in before it sends anything by itself. Restart the server to sign in.',
	);
	await rawServer.until(() => rawServer.log.filter((line) => line === 'POST subscriptions/listen').length > 2);
	expect([connection.state, guest.requests.length]).toEqual(['running', 2]);
	await connection.start();
	expect(guest.requests).toHaveLength(2);
	rawServer.refusePosts = () => undefined;
	await acceptSubscription(rawServer);
	await here.until(() => !connection.lost);
});

it.each([LEGACY, MODERN] as const)(
	'is done without where nobody can sign in, because the definition has a token (%s)',
	async (revision) => {
		const options = { revision, capabilities: { tools: { listChanged: true } } };
		const headers = { authorization: 'Bearer planted' };
		const { rawServer, connection } = await createRawServer(world(), RawHttpServer.open, options, { headers });
		rawServer.front = async ({ method }) => (method === 'GET' ? refusal : undefined);
		rawServer.refusePosts = ({ method }) => (method === 'subscriptions/listen' ? refusal : undefined);
		await connection.start();
		await callThrough(rawServer, connection);
		expect([connection.state, connection.lost]).toEqual(['running', undefined]);
	},
);
