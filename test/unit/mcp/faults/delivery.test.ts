import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Delivery } from '../../../../src/elicitation/delivery.ts';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import { REDACTED } from '../../../../src/privacy/secrets.ts';
import { Visitor } from '../../../conformance/visitor.ts';
import { RawHttpServer } from '../../../rawServer/http.ts';
import { LEGACY, MODERN } from '../../../rawServer/rawServer.ts';
import { RawStdioServer } from '../../../rawServer/stdio.ts';
import { authorizationServer } from '../../../servers/authorization.mjs';
import { type TestClient, testClients } from '../testClient.ts';
import { simulateTimers } from '../timing.ts';
import {
	callRawServerTool,
	callWithRound,
	connectRawServer,
	demandTokens,
	form,
	page,
	request,
	response,
	wordsOf,
} from './rawServerFixtures.ts';

const world = testClients();

type Refusal = ReturnType<RawHttpServer['refusePosts']>;

/** An elicitation of an HTTP server that refuses the next responses as given; `undefined` accepts one. */
async function askedWith(here: TestClient, params: object, ...refusals: Refusal[]) {
	const on = await callRawServerTool(here, RawHttpServer.open, { revision: LEGACY });
	on.calling.catch(() => {});
	const bodies: string[] = [];
	on.rawServer.refusePosts = (message) => {
		if (message.method !== undefined) {
			return undefined;
		}
		bodies.push(JSON.stringify(message));
		return refusals.length > 1 ? refusals.shift() : refusals[0];
	};
	const pending = on.rawServer.ask(params, on.call);
	const [elicitation] = await here.asked();
	const take = () => {
		on.rawServer.refusePosts = () => undefined;
	};
	const finish = async () => {
		on.rawServer.finish(on.call);
		await on.calling;
	};
	return { ...on, pending, elicitation, bodies, take, finish };
}

const asked = (here: TestClient, ...refusals: Refusal[]) => askedWith(here, form, ...refusals);

function deliveryOf({ delivery }: Elicitation): Delivery {
	expect(delivery).toBeDefined();
	return delivery as Delivery;
}

/** Waits until the response is undelivered and no automatic retry is pending. */
function undelivered(here: TestClient, elicitation: Elicitation): Promise<Delivery> {
	return here.until(() => elicitation.delivery?.state === 'undelivered' && elicitation.delivery);
}

const text = ({ problem }: Delivery) => problem && JSON.stringify(problem);

const GONE = { status: 410 } as const;

describe('D01: a response', () => {
	it('that is refused, or meets a broken connection, is sent again by itself, whatever it is: the same bytes, not before the server wants it', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, RawHttpServer.open, { revision: LEGACY });
		const wait = { status: 429, headers: { 'retry-after': '1' } };
		const byScript = { kind: 'script', name: 's' } as const;
		const cases: Record<string, [Refusal, (elicitation: Elicitation) => unknown, object]> = {
			accept: [
				{ status: 500 },
				(each) => here.registry.accept(each, { name: 'Ada' }),
				{ result: { action: 'accept', content: { name: 'Ada' } } },
			],
			decline: [{ status: 503 }, (each) => each.decline(), { result: { action: 'decline' } }],
			cancel: ['broken', (each) => each.cancel(), { result: { action: 'cancel' } }],
			error: [
				wait,
				(each) => each.respond({ action: 'error', code: -32000, message: 'no' }),
				{ error: { code: -32000, message: 'no' } },
			],
			script: [
				{ status: 502 },
				(each) => each.respondFor(byScript, () => each.decline()),
				{ result: { action: 'decline' } },
			],
			malformed: [{ status: 502 }, () => {}, { error: { code: -32602, message: expect.any(String) } }],
		};
		const sent = Object.keys(cases).map((id) => ({ id, bodies: [] as string[], at: [] as number[] }));
		rawServer.refusePosts = (message) => {
			const each = sent.find(({ id }) => message.method === undefined && id === message.id);
			each?.bodies.push(JSON.stringify(message));
			each?.at.push(performance.now());
			return each && each.bodies.length < 3 ? cases[each.id]?.[0] : undefined;
		};
		for (const { id } of sent) rawServer.ask(id === 'malformed' ? { message: 7 } : { ...form, message: id }, call, id);
		for (const elicitation of await here.asked(5)) await cases[elicitation.request.message]?.[1](elicitation);
		await rawServer.until(() => sent.every(({ id }) => rawServer.responses(id).length > 0));
		for (const { id, bodies, at } of sent) {
			expect([id, bodies.length, new Set(bodies).size]).toEqual([id, 3, 1]);
			expect([id, rawServer.responses(id)]).toEqual([id, [{ jsonrpc: '2.0', id, ...cases[id]?.[2] }]]);
			if (id === 'error')
				expect(Math.min(...at.slice(1).map((each, last) => each - (at[last] ?? 0)))).toBeGreaterThan(990);
		}
		const deliveries = here.registry.elicitations.map(({ delivery }) => delivery);
		await here.until(() => deliveries.every((delivery) => delivery?.state === 'delivered'));
		rawServer.finish(call);
		await calling;
	});

	it('that is refused with words that repeat a password is not told with them', async () => {
		const here = world();
		const requestedSchema = { type: 'object', properties: { password: { type: 'string' } } };
		const body = JSON.stringify({ error: { message: 'Not hunter-22.' } });
		const { elicitation } = await askedWith(here, { ...form, requestedSchema }, { status: 422, body });
		await here.registry.accept(elicitation, { password: 'hunter-22' });
		const problem = text(await undelivered(here, elicitation));
		expect(problem).toContain(`Not ${REDACTED}.`);
		expect(problem).not.toContain('hunter-22');
	});

	it('that the server does not want for minutes is left to the user, who reads why', async () => {
		const here = world();
		const { elicitation, bodies } = await asked(here, { status: 429, headers: { 'retry-after': '600' } });
		elicitation.decline();
		const delivery = await undelivered(here, elicitation);
		expect(text(delivery)).toContain('accepts no more requests for now');
		expect([bodies.length, delivery.canSendAgain]).toEqual([1, true]);
	});

	it('that cannot be delivered is undelivered, holds the clock, and reaches the server once it is sent again', async () => {
		const here = world();
		const { rawServer, elicitation, pending, bodies, take, finish } = await asked(here, { status: 500 });
		await here.registry.accept(elicitation, { name: 'Ada' });
		const delivery = await undelivered(here, elicitation);
		expect(bodies).toHaveLength(4);
		expect(elicitation).toMatchObject({ state: 'accepted', response: { action: 'accept', content: { name: 'Ada' } } });
		expect(here.registry.unsent).toEqual([elicitation]);
		expect(text(delivery)).toContain('500');
		const [running] = here.registry.calls;
		expect(running?.clock.asking).toBe(true);
		take();
		expect(delivery.sendAgain()).toBe(true);
		expect(await pending.response).toEqual(response(pending.id, { action: 'accept', content: { name: 'Ada' } }));
		await here.until(() => delivery.state === 'delivered');
		expect(here.registry.unsent).toEqual([]);
		expect(running?.clock.asking).toBe(false);
		expect(elicitation.history.map(({ state }) => state)).toEqual([
			'asking',
			'accepted',
			'undelivered',
			'sending',
			'delivered',
		]);
		await finish();
		expect(rawServer.responses(pending.id)).toHaveLength(1);
	});

	it('to a URL, too: the URL stays open, and its response can be sent again', async () => {
		const here = world();
		const { rawServer, call, elicitation, pending, take, finish } = await askedWith(here, page('1'), GONE);
		elicitation.opened();
		const delivery = await undelivered(here, elicitation);
		expect(elicitation.state).toBe('opened');
		take();
		delivery.sendAgain();
		expect(await pending.response).toEqual(response(pending.id, { action: 'accept' }));
		await here.until(() => delivery.state === 'delivered');
		rawServer.notify('notifications/elicitation/complete', { elicitationId: '1' }, call);
		await here.until(() => elicitation.state === 'completed');
		await finish();
	});

	it('of a session that the server has forgotten (404) is told as undelivered, and not offered again', async () => {
		const here = world();
		here.timeout = 60;
		simulateTimers('performance');
		const { calling, elicitation, bodies } = await asked(here, { status: 404 });
		const failed = expect(calling).rejects.toThrow(
			'raw-server: Your response to "act" could not be delivered. "act" did not finish within 60 s. Call it again',
		);
		await here.registry.accept(elicitation, { name: 'Ada' });
		const delivery = await undelivered(here, elicitation);
		expect([bodies.length, delivery.canSendAgain, text(delivery)]).toEqual([
			1,
			false,
			expect.stringContaining('session with the server has expired'),
		]);
		// The call that waits for it isn't reported as the server's fault.
		await vi.advanceTimersByTimeAsync(60_000);
		await failed;
	});

	it.each<[string, (on: Awaited<ReturnType<typeof asked>>) => unknown]>([
		[
			'the server cancels its request',
			({ rawServer, call, pending }) => rawServer.notify('notifications/cancelled', { requestId: pending.id }, call),
		],
		['the call ends', ({ rawServer, call }) => rawServer.finish(call)],
		['the connection of the call breaks', ({ rawServer, call }) => rawServer.cut(call)],
		['the server is stopped', ({ connection }) => connection.stop()],
		['the person dismisses it', ({ elicitation }) => elicitation.delivery?.end()],
	])('that is undelivered is offered no longer once %s', async (_when, end) => {
		const here = world();
		const on = await asked(here, GONE);
		on.elicitation.decline();
		const delivery = await undelivered(here, on.elicitation);
		expect(delivery.canSendAgain).toBe(true);
		await end(on);
		await here.until(() => !delivery.canSendAgain);
		expect(delivery.state).toBe('undelivered');
		expect(here.registry.unsent).toEqual([]);
		expect(delivery.sendAgain()).toBe(false);
		expect(on.bodies).toHaveLength(1);
		on.take();
		if (here.registry.calls[0]?.state === 'running') {
			on.rawServer.finish(on.call);
		}
		await on.calling.catch(() => {});
	});

	it('to what belongs to no call is offered no longer once the server is stopped', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, RawHttpServer.open, { revision: LEGACY });
		rawServer.refusePosts = ({ method }) => (method === undefined ? GONE : undefined);
		rawServer.ask(form);
		const [elicitation] = await here.asked();
		elicitation.decline();
		const delivery = await undelivered(here, elicitation);
		expect(delivery.canSendAgain).toBe(true);
		await connection.stop();
		expect([delivery.state, delivery.canSendAgain]).toEqual(['undelivered', false]);
		expect(text(delivery)).toContain('The connection to the server has ended.');
		expect(here.registry.unsent).toEqual([]);
	});

	it('that is still on its way when its call has ended gets there all the same', async () => {
		const here = world();
		const { elicitation, pending, bodies, finish } = await asked(here, { status: 503 }, undefined);
		elicitation.decline();
		await here.until(() => elicitation.delivery?.problem);
		await finish();
		expect(await pending.response).toEqual(response(pending.id, { action: 'decline' }));
		await here.until(() => deliveryOf(elicitation).state === 'delivered');
		expect(bodies).toHaveLength(2);
	});

	it('that fails with the connection of its call does not fail it by the server’s fault', async () => {
		const here = world();
		const { rawServer, calling, call, elicitation } = await asked(here, { status: 503 });
		elicitation.decline();
		await here.until(() => elicitation.delivery?.problem);
		rawServer.cut(call);
		await expect(calling).rejects.toThrow('Your response to "act" could not be delivered. The connection was lost');
	});

	// On Windows, Node never closes the file descriptors 0 to 2.
	it.skipIf(process.platform === 'win32')(
		'to a process that no longer reads is undelivered, and not offered again',
		async () => {
			const here = world();
			const { rawServer, calling, call } = await callRawServerTool(here, RawStdioServer.open, { revision: LEGACY });
			calling.catch(() => {});
			rawServer.ask(form, call);
			const [elicitation] = await here.asked();
			await rawServer.deafen();
			await here.registry.accept(elicitation, { name: 'Ada' });
			const delivery = await undelivered(here, elicitation);
			expect(delivery.canSendAgain).toBe(false);
			expect(text(delivery)).toContain('no longer reads what is sent to it');
			await rawServer.die();
			await expect(calling).rejects.toThrow('Your response to "act" could not be delivered.');
		},
	);
});

describe('D01: a response that is refused with 401', () => {
	/** An elicitation of a server that requires tokens. */
	async function demanding(here: TestClient) {
		const authorization = await authorizationServer();
		onTestFinished(authorization.stop);
		const visitor = new Visitor();
		here.signIn = visitor;
		const open = async () => {
			const rawServer = await RawHttpServer.open({ revision: LEGACY });
			demandTokens(rawServer, authorization);
			return rawServer;
		};
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const pending = rawServer.ask(form, call);
		const [elicitation] = await here.asked();
		const finish = async () => {
			rawServer.finish(call);
			await calling;
		};
		return { authorization, visitor, pending, elicitation, finish };
	}

	it.each([
		['the token is renewed, without asking the user', false],
		['the user has signed in', true],
	])('is sent again once %s', async (_what, ended) => {
		const here = world();
		const { elicitation, pending, visitor, authorization, finish } = await demanding(here);
		authorization.expire('access', ...(ended ? (['refresh'] as const) : []));
		await here.registry.accept(elicitation, { name: 'Ada' });
		expect(await pending.response).toEqual(response(pending.id, { action: 'accept', content: { name: 'Ada' } }));
		expect(visitor.requests).toHaveLength(ended ? 2 : 1);
		await finish();
	});

	it('is undelivered where the user does not sign in, once, and asks again when it is sent again', async () => {
		const here = world();
		const { elicitation, pending, visitor, authorization, finish } = await demanding(here);
		authorization.expire('access', 'refresh');
		const { consent } = visitor;
		visitor.consent = async (wanted) => {
			await consent.call(visitor, wanted);
			return false;
		};
		elicitation.decline();
		const delivery = await undelivered(here, elicitation);
		expect(text(delivery)).toContain('You did not sign in');
		expect(visitor.requests).toHaveLength(2);
		visitor.consent = consent;
		delivery.sendAgain();
		expect(await pending.response).toEqual(response(pending.id, { action: 'decline' }));
		await finish();
	});
});

describe('D01: responses that a retry of the call carries (2026-07-28)', () => {
	it.each<[string, Refusal, string]>([
		['its connection breaks', 'broken', 'The connection was lost before "act" responded.'],
		['it is refused with 503', { status: 503 }, 'HTTP status 503'],
	])('are undelivered where %s; the call is not run again, and says so', async (_how, refusal, lost) => {
		const here = world();
		const inputRequests = { a: request(form), b: request({ ...form, message: 'And?' }) };
		const { rawServer, calling } = await callWithRound(here, RawHttpServer.open, inputRequests, { revision: MODERN });
		const words = wordsOf(calling);
		const [first, second] = await here.asked(2);
		rawServer.refusePosts = ({ method }) => (method === 'tools/call' ? refusal : undefined);
		await here.registry.accept(first, { name: 'Ada' });
		second?.decline();
		expect(await words).toContain('Your response to "act" could not be delivered.');
		expect(await words).toContain(lost);
		expect([first, second].map((each) => [each?.delivery?.state, each?.delivery?.canSendAgain])).toEqual([
			['undelivered', false],
			['undelivered', false],
		]);
		expect(rawServer.log.filter((line) => line === 'POST tools/call')).toHaveLength(2);
	});

	it('are delivered where the server says anything to it, be it an error', async () => {
		const here = world();
		const { rawServer, calling } = await callWithRound(here, RawHttpServer.open, undefined, { revision: MODERN });
		const [elicitation] = await here.asked();
		elicitation.decline();
		rawServer.fail(await rawServer.expect('tools/call'), { code: -32603, message: 'No.' });
		await expect(calling).rejects.toThrow('raw-server: The server responded with error -32603: No.');
		expect(elicitation.delivery?.state).toBe('delivered');
	});
});
