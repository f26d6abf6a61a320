import { describe, expect, it } from 'vitest';
import { testClients } from '../testClient.ts';
import {
	ask,
	callRawServerTool,
	connectRawServer,
	form,
	page,
	REQUESTS,
	ROUNDS,
	request,
	response,
} from './rawServerFixtures.ts';

const world = testClients();

describe.each(REQUESTS)('over %s', (_wire, open) => {
	it('fault 2: of two requests with one id the second is refused with -32600, and the first is unharmed', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		rawServer.ask(form, call, 'same');
		rawServer.ask({ ...form, message: 'Another one' }, call, 'same');
		const [elicitation] = await here.asked();
		const error = { code: -32600, message: expect.stringContaining('same') };
		expect(await rawServer.until(() => rawServer.responses('same')[0])).toEqual({ jsonrpc: '2.0', id: 'same', error });
		expect(here.registry.elicitations.map((each) => each.request.message)).toEqual([form.message]);
		await here.registry.accept(elicitation, { name: 'Ada' });
		await rawServer.until(() => rawServer.responses('same')[1]);
		// The id can be reused after the response.
		rawServer.ask({ ...form, message: 'Once more' }, call, 'same');
		(await here.asked())[0].decline();
		await rawServer.until(() => rawServer.responses('same')[2]);
		await rawServer.fence(call);
		expect(rawServer.responses('same').slice(1)).toEqual([
			response('same', { action: 'accept', content: { name: 'Ada' } }),
			response('same', { action: 'decline' }),
		]);
		rawServer.finish(call);
		await calling;
	});

	it('fault 7: an answer after the first one changes nothing: one reply', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const pending = rawServer.ask(form, call);
		const [elicitation] = await here.asked();
		expect(elicitation.cancel()).toBe(true);
		expect([elicitation.accept({ name: 'late' }), elicitation.decline(), elicitation.cancel()]).not.toContain(true);
		await pending.response;
		await rawServer.fence(call);
		expect(rawServer.responses(pending.id)).toEqual([response(pending.id, { action: 'cancel' })]);
		rawServer.finish(call);
		await calling;
	});

	it.each([
		['while the person thinks', false],
		['in the same breath as the elicitation', true],
	])(
		'fault 8: notifications/cancelled %s withdraws the elicitation with its reason: no reply (A02)',
		async (_when, atOnce) => {
			const here = world();
			const { rawServer, calling, call } = await callRawServerTool(here, open);
			const pending = rawServer.ask(form, call);
			if (!atOnce) {
				await here.asked();
			}
			rawServer.notify('notifications/cancelled', { requestId: pending.id, reason: 'Changed my mind' }, call);
			await here.until(() => here.registry.elicitations[0]?.state === 'withdrawn');
			const [elicitation] = here.registry.elicitations;
			expect(elicitation?.accept({ name: 'late' })).toBe(false);
			await rawServer.fence(call);
			expect(rawServer.responses(pending.id)).toEqual([]);
			expect(elicitation?.withdrawal?.args).toEqual(['Changed my mind']);
			rawServer.finish(call);
			await calling;
		},
	);

	it('fault 8: the id of a request that was canceled can be used again at once (A02, D02)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		rawServer.ask(form, call, 'same');
		const [first] = await here.asked();
		rawServer.notify('notifications/cancelled', { requestId: 'same' }, call);
		rawServer.ask({ ...form, message: 'Another one' }, call, 'same');
		const second = await here.until(() => here.registry.elicitations.find((each) => each !== first));
		await rawServer.fence(call);
		expect([first.state, second.state]).toEqual(['withdrawn', 'asking']);
		second.decline();
		await rawServer.until(() => rawServer.responses('same')[0]);
		await rawServer.fence(call);
		expect(rawServer.responses('same')).toEqual([response('same', { action: 'decline' })]);
		rawServer.finish(call);
		await calling;
	});

	it('fault 8: notifications/cancelled for what is unknown, answered or unnamed is ignored (A02)', async () => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const answered = rawServer.ask(form, call);
		(await here.asked())[0].decline();
		await answered.response;
		const pending = rawServer.ask({ ...form, message: 'Another one' }, call);
		const [elicitation] = await here.asked();
		for (const params of [{ requestId: answered.id }, { requestId: 'unknown' }, { requestId: null }, {}, undefined]) {
			rawServer.notify('notifications/cancelled', params, call);
		}
		await rawServer.fence(call);
		expect(elicitation.state).toBe('asking');
		elicitation.decline();
		expect(await pending.response).toEqual(response(pending.id, { action: 'decline' }));
		expect(rawServer.responses(answered.id)).toHaveLength(1);
		rawServer.finish(call);
		await calling;
	});

	it('fault 9: the timeout of a call is paused while the user thinks: it lives, however short its time (A04)', async () => {
		const here = world();
		here.timeout = 0.5;
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const pending = rawServer.ask(form, call);
		const [elicitation] = await here.asked();
		const [running] = here.registry.calls;
		while ((running?.clock.humanTime ?? 0) < 1000) await rawServer.fence(call);
		elicitation.decline();
		expect(await pending.response).toEqual(response(pending.id, { action: 'decline' }));
		rawServer.finish(call, { lived: true });
		expect(await calling).toMatchObject({ structuredContent: { lived: true } });
		expect(rawServer.requests('notifications/cancelled')).toEqual([]);
	});

	it('fault 9: the time after the answer counts again, and the server is told of the end (A04)', async () => {
		const here = world();
		here.timeout = 0.2;
		const { rawServer, connection } = await connectRawServer(here, open);
		const calling = connection.callTool('act', {});
		calling.catch(() => {});
		const call = await rawServer.expect('tools/call');
		const pending = rawServer.ask(form, call);
		(await here.asked())[0].decline();
		await pending.response;
		await expect(calling).rejects.toThrow(/^raw-server: "act" did not finish within 0\.2 s\. /);
		expect((await rawServer.expect('notifications/cancelled')).params).toMatchObject({ requestId: call.id });
	});

	it.each([0, -1, Number.POSITIVE_INFINITY, Number.NaN, 2_147_484, 1e300])(
		'fault 10: a time limit of %s s is none (A04)',
		async (timeout) => {
			const here = world();
			here.timeout = timeout;
			const { rawServer, calling, call } = await callRawServerTool(here, open);
			// A timer that overflows fires after 1 ms.
			for (const since = Date.now(); Date.now() - since < 100; ) await rawServer.fence(call);
			rawServer.finish(call, { lived: true });
			expect(await calling).toMatchObject({ structuredContent: { lived: true } });
			expect(rawServer.requests('notifications/cancelled')).toEqual([]);
		},
	);

	it.each(['accept', 'decline', 'cancel'])('fault 25: %s of a URL carries no content (U08)', async (action) => {
		const here = world();
		const { rawServer, calling, call } = await callRawServerTool(here, open);
		const pending = rawServer.ask(page('1'), call);
		const [elicitation] = await here.asked();
		await expect(here.registry.accept(elicitation, { name: 'Ada' })).rejects.toThrow(TypeError);
		expect(elicitation.accept({ name: 'Ada' })).toBe(false);
		action === 'accept' ? elicitation.opened() : elicitation[action as 'decline' | 'cancel']();
		expect(await pending.response).toEqual(response(pending.id, { action }));
		await rawServer.fence(call);
		expect(rawServer.responses(pending.id)).toHaveLength(1);
		rawServer.finish(call);
		await calling;
	});

	it.each([
		['an unknown mode', { ...form, mode: 'voice' }, 'both', 'voice'],
		['a mode that is no text', { ...form, mode: 1 }, 'both', 'mode'],
		['URL mode, undeclared', page('1'), 'form', 'url'],
		['form mode, undeclared', form, 'url', 'form'],
		['any mode, undeclared', form, 'none', 'form'],
	])(
		'fault 26: %s is refused with -32602, once, and the user is told (E07, A03)',
		async (_what, params, advertise, named) => {
			const here = world();
			const { rawServer, calling, call } = await callRawServerTool(here, open, {}, { elicitation: { advertise } });
			const pending = rawServer.ask(params, call);
			const error = { code: -32602, message: expect.stringContaining(named) };
			expect(await pending.response).toEqual({ jsonrpc: '2.0', id: pending.id, error });
			await rawServer.fence(call);
			expect(rawServer.responses(pending.id)).toHaveLength(1);
			expect(here.refusals).toMatchObject([{ server: 'raw-server', params }]);
			expect(here.registry.elicitations).toEqual([]);
			rawServer.finish(call);
			await calling;
		},
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
		expect(await pending.response).toEqual(response(pending.id, { action: 'decline' }));
		await rawServer.fence();
		expect(rawServer.responses(pending.id)).toHaveLength(1);
	});
});

describe.each(ROUNDS)('in rounds over %s', (_wire, open) => {
	it('fault 9: the timeout of a call is paused while the user thinks (A04)', async () => {
		const here = world();
		here.timeout = 0.5;
		const { rawServer, connection } = await connectRawServer(here, open);
		const calling = connection.callTool('act', {});
		rawServer.answer(await rawServer.expect('tools/call'), ask({ a: request(form) }));
		const [elicitation] = await here.asked();
		const [running] = here.registry.calls;
		while ((running?.clock.humanTime ?? 0) < 1000) await new Promise(setImmediate);
		elicitation.decline();
		rawServer.finish(await rawServer.expect('tools/call'), { lived: true });
		expect(await calling).toMatchObject({ structuredContent: { lived: true } });
	});

	it.each(['accept', 'decline', 'cancel'])('fault 25: %s of a URL carries no content (U08)', async (action) => {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const calling = connection.callTool('act', {});
		const { elicitationId: _, ...params } = page('1');
		rawServer.answer(await rawServer.expect('tools/call'), ask({ a: request(params) }));
		const [elicitation] = await here.asked();
		action === 'accept' ? elicitation.opened() : elicitation[action as 'decline' | 'cancel']();
		const retry = await rawServer.expect('tools/call');
		expect(retry.params.inputResponses).toStrictEqual({ a: { action } });
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
			const { rawServer, connection } = await connectRawServer(here, open, {}, { elicitation: { advertise } });
			const calling = connection.callTool('act', {});
			rawServer.answer(await rawServer.expect('tools/call'), ask({ a: request(params), b: request(form) }));
			await expect(calling).rejects.toThrow(named);
			expect(here.registry.elicitations.filter(({ live }) => live)).toEqual([]);
			expect(rawServer.requests('tools/call')).toHaveLength(1);
		},
	);
});
