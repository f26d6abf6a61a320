import { describe, expect, it, vi } from 'vitest';
import { MODERN } from '../../../rawServer/rawServer.ts';
import { testClients } from '../testClient.ts';
import { simulateTimers } from '../timing.ts';
import {
	callRawServerTool,
	callWithRound,
	connectRawServer,
	duringCall,
	form,
	page,
	REQUESTS,
	ROUNDS,
	request,
	response,
	wordsOf,
} from './rawServerFixtures.ts';

const world = testClients();

describe.each(REQUESTS)('over %s', (_wire, open) => {
	it.each([
		['the same again is ignored', form, []],
		// An error with the id would end the open request.
		['another one is refused with -32600, without its id', { ...form, message: 'Another one' }, [-32600]],
	])('fault 2: of two requests with one id, %s, and the first is unharmed', (_what, second, errors) =>
		duringCall(world(), open, async ({ here, rawServer, call, ask, expectReplies }) => {
			const { elicitation } = await ask(form, '7');
			// On the same stream, and on that of the session, where it is a number.
			rawServer.ask(second, call, '7');
			rawServer.send({ id: 7, method: 'elicitation/create', params: second });
			await rawServer.fence();
			await rawServer.fence(call);
			expect(here.registry.elicitations.map((each) => each.request.message)).toEqual([form.message]);
			expect(here.logs.filter((line) => line.includes(errors[0] ? 'is open already' : 'sent again'))).toHaveLength(2);
			await rawServer.until(() => rawServer.responses(null).length === 2 * errors.length);
			expect(rawServer.responses(null).map(({ error }) => error.code)).toEqual([...errors, ...errors]);
			await here.registry.accept(elicitation, { name: 'Ada' });
			const accepted = { action: 'accept', content: { name: 'Ada' } };
			await expectReplies('7', accepted);
			// The id can be reused after the response.
			(await ask(form, '7')).elicitation.decline();
			await expectReplies('7', accepted, { action: 'decline' });
		}),
	);

	it('fault 7: an answer after the first one changes nothing: one reply', () =>
		duringCall(world(), open, async ({ ask, expectReplies }) => {
			const { id, elicitation } = await ask(form);
			expect(elicitation.cancel()).toBe(true);
			expect([elicitation.accept({ name: 'late' }), elicitation.decline(), elicitation.cancel()]).not.toContain(true);
			await expectReplies(id, { action: 'cancel' });
		}));

	it.each([
		['while the person thinks', false],
		['in the same breath as the elicitation', true],
	])(
		'fault 8: notifications/cancelled %s withdraws the elicitation with its reason: no reply; its id can be used again (A02, D02)',
		(_when, atOnce) =>
			duringCall(world(), open, async ({ here, rawServer, call, ask, expectReplies }) => {
				rawServer.ask(form, call, 'same');
				if (!atOnce) await here.asked();
				rawServer.notify('notifications/cancelled', { requestId: 'same', reason: 'Changed my mind' }, call);
				rawServer.ask({ ...form, message: 'Another one' }, call, 'same');
				const second = await here.until(() => here.registry.elicitations[1]);
				const [first] = here.registry.elicitations;
				await expectReplies('same');
				expect([first?.state, second.state]).toEqual(['withdrawn', 'asking']);
				expect(first?.accept({ name: 'late' })).toBe(false);
				expect(first?.withdrawal?.args).toEqual(['Changed my mind']);
				second.decline();
				await expectReplies('same', { action: 'decline' });

				// What is unknown, answered or unnamed is ignored.
				const { id, elicitation } = await ask(form);
				for (const params of [...['same', 'unknown', null].map((requestId) => ({ requestId })), {}, undefined]) {
					rawServer.notify('notifications/cancelled', params, call);
				}
				await rawServer.fence(call);
				expect(elicitation.state).toBe('asking');
				elicitation.decline();
				await expectReplies(id, { action: 'decline' });
				await expectReplies('same', { action: 'decline' });
			}),
	);

	it('fault 9: the time after the answer counts again, and the server is told of the end (A04)', async () => {
		const here = world();
		here.timeout = 60;
		simulateTimers('performance');
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const words = wordsOf(calling);
		const pending = rawServer.ask(form, call);
		const [elicitation] = await here.asked();
		elicitation.decline();
		await pending.response;
		await here.until(() => elicitation.delivery?.state === 'delivered');
		await vi.advanceTimersByTimeAsync(60_000);
		expect(await words).toMatch(
			/^raw-server: Your response to "act" was delivered, but the server has been silent for 60 s since\. /,
		);
		expect((await rawServer.expect('notifications/cancelled')).params).toMatchObject({ requestId: call.id });
	});

	it('fault 10: a time limit that a timer cannot hold is none (A04)', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const calls = [0, -1, Number.POSITIVE_INFINITY, Number.NaN, 2_147_484, 1e300].map((timeout) => {
			here.timeout = timeout;
			return connection.callTool('act', { timeout: String(timeout) });
		});
		const requests = await Promise.all(calls.map(() => rawServer.expect('tools/call')));
		// A timer that overflows fires after 1 ms.
		for (const since = Date.now(); Date.now() - since < 100; ) await rawServer.fence();
		for (const each of requests) rawServer.finish(each, { lived: each.params.arguments.timeout });
		expect((await Promise.all(calls)).map(({ structuredContent }) => structuredContent)).toEqual(
			['0', '-1', 'Infinity', 'NaN', '2147484', '1e+300'].map((lived) => ({ lived })),
		);
		expect(rawServer.requests('notifications/cancelled')).toEqual([]);
	});

	it('fault 25: no response to a URL carries content (U08)', () =>
		duringCall(world(), open, async ({ here, ask, expectReplies }) => {
			for (const action of ['accept', 'decline', 'cancel'] as const) {
				const { id, elicitation } = await ask(page(action));
				await expect(here.registry.accept(elicitation, { name: 'Ada' })).rejects.toThrow(TypeError);
				expect(elicitation.accept({ name: 'Ada' })).toBe(false);
				action === 'accept' ? elicitation.opened() : elicitation[action]();
				await expectReplies(id, { action });
			}
		}));

	it.each([
		['an unknown mode', { ...form, mode: 'voice' }, 'both', 'voice'],
		['a mode that is no text', { ...form, mode: 1 }, 'both', 'mode'],
		['URL mode, undeclared', page('1'), 'form', 'url'],
		['form mode, undeclared', form, 'url', 'form'],
		['any mode, undeclared', form, 'none', 'form'],
	])('fault 26: %s is refused with -32602, once, and the user is told (E07, A03)', (_what, params, advertise, named) =>
		duringCall(
			world(),
			open,
			async ({ here, rawServer, call }) => {
				const { id, response: refusal } = rawServer.ask(params, call);
				const error = { code: -32602, message: expect.stringContaining(named) };
				expect(await refusal).toEqual({ jsonrpc: '2.0', id, error });
				await rawServer.fence(call);
				expect(rawServer.responses(id)).toHaveLength(1);
				expect(here.refusals).toMatchObject([{ server: 'raw-server', params }]);
				expect(here.registry.elicitations).toEqual([]);
			},
			{},
			{ elicitation: { advertise } },
		),
	);

	it('fault 28: an elicitation without any call in flight is asked, attributed to the server alone', async () => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const calling = connection.callTool('act', {});
		rawServer.finish(await rawServer.expect('tools/call'));
		await calling;
		const pending = rawServer.ask(form);
		const [elicitation] = await here.asked();
		expect(elicitation.origin).toMatchObject({ server: 'raw-server', intake: 'request', params: form, calls: [] });
		elicitation.decline();
		await pending.response;
		await rawServer.fence();
		expect(rawServer.responses(pending.id)).toEqual([response(pending.id, { action: 'decline' })]);
	});
});

describe.each([...REQUESTS, ...ROUNDS])('over %s', (_wire, open, revision) => {
	it(`fault 9: the timeout of a call is paused while the user thinks: it lives, however long that takes (A04, ${revision})`, async () => {
		const here = world();
		here.timeout = 60;
		simulateTimers('performance');
		const inRounds = revision === MODERN;
		const { rawServer, calling, call } = inRounds
			? await callWithRound(here, open)
			: await callRawServerTool(here, open);
		const pending = inRounds ? undefined : rawServer.ask(form, call);
		const [elicitation] = await here.asked();
		const [running] = here.registry.calls;
		await vi.advanceTimersByTimeAsync(120_000);
		expect(running?.clock.humanTime).toBeGreaterThanOrEqual(120_000);
		elicitation.decline();
		await pending?.response;
		rawServer.finish(inRounds ? await rawServer.expect('tools/call') : call, { lived: true });
		expect(await calling).toMatchObject({ structuredContent: { lived: true } });
		expect(rawServer.requests('notifications/cancelled')).toEqual([]);
	});
});

describe.each(ROUNDS)('in rounds over %s', (_wire, open) => {
	it('fault 25: no response to a URL carries content (U08)', async () => {
		const here = world();
		const { elicitationId: _, ...params } = page('1');
		const actions = ['accept', 'decline', 'cancel'] as const;
		const requests = actions.map((message) => [message, request({ ...params, message })]);
		const { rawServer, calling } = await callWithRound(here, open, Object.fromEntries(requests));
		for (const [at, elicitation] of (await here.asked(3)).entries()) {
			const action = actions[at] ?? 'accept';
			action === 'accept' ? elicitation.opened() : elicitation[action]();
		}
		const retry = await rawServer.expect('tools/call');
		expect(retry.params.inputResponses).toStrictEqual(
			Object.fromEntries(actions.map((action) => [action, { action }])),
		);
		rawServer.finish(retry);
		await calling;
	});

	it.each([
		['an unknown mode', { ...form, mode: 'voice' }, 'both', 'voice'],
		['an undeclared mode', page('1'), 'form', 'url'],
	])(
		'fault 26: %s fails the call with an explanation, and nothing more is sent (E07, A03)',
		async (_what, params, advertise, named) => {
			const here = world();
			const more = { elicitation: { advertise } };
			const { rawServer, calling } = await callWithRound(
				here,
				open,
				{ a: request(params), b: request(form) },
				{},
				more,
			);
			expect(await wordsOf(calling)).toContain(named);
			expect(here.registry.elicitations.filter(({ live }) => live)).toEqual([]);
			expect(rawServer.requests('tools/call')).toHaveLength(1);
		},
	);
});
