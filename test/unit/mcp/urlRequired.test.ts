import { describe, expect, it } from 'vitest';
import { variants } from '../../nightly.ts';
import { connectRawServer, page, REQUESTS, required } from './faults/rawServerFixtures.ts';
import { testClients } from './testClient.ts';

/* What is malformed, and loops: see faults/rounds.test.ts. Completion notifications: see faults/completion.test.ts. */

const world = testClients();

const entry = (id: string, more: object = {}) => ({ ...page(id, `https://example.com/${id}`), ...more });

describe.each(variants(...REQUESTS.toReversed()))('over %s, a call that is refused with -32042', (_wire, open) => {
	/** A call that requires these URLs first. */
	async function refused(...entries: object[]) {
		const here = world();
		const { rawServer, connection } = await connectRawServer(here, open);
		const abort = new AbortController();
		const calling = connection.callTool('act', { n: 1 }, { signal: abort.signal });
		calling.catch(() => {});
		const call = await rawServer.expect('tools/call');
		rawServer.fail(call, required(...entries));
		const complete = (elicitationId: string) =>
			rawServer.notify('notifications/elicitation/complete', { elicitationId });
		/** Fails unless the call was sent as often. */
		const sent = async (times: number) => {
			await rawServer.fence();
			expect(rawServer.requests('tools/call')).toHaveLength(times);
		};
		return { here, rawServer, connection, abort, calling, call, complete, sent };
	}

	it('is retried by itself, with the same params and a fresh id, once every page is completed (U10)', async () => {
		const { here, rawServer, calling, call, complete, sent } = await refused(entry('a'), entry('b'));
		const forms = await here.asked(2);
		expect(forms.map(({ origin, request }) => [origin.intake, origin.calls, request])).toEqual(
			['a', 'b'].map((id) => ['urlRequired', [here.registry.calls[0]], entry(id)]),
		);
		for (const each of forms) each.opened();
		complete('a');
		await forms[0].ended;
		await sent(1);
		complete('b');
		const { id, params } = await rawServer.expect('tools/call');
		expect([params.name, params.arguments]).toEqual([call.params.name, call.params.arguments]);
		expect(id).not.toBe(call.id);
		rawServer.finish({ id }, { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
		expect(forms.map(({ state }) => state)).toEqual(['completed', 'completed']);
	});

	it('is retried by hand when the notification never comes, and asks again when that was too early (U11)', async () => {
		const { here, rawServer, calling, sent } = await refused(entry('a'));
		const [first] = await here.asked();
		first.opened();
		first.retried();
		rawServer.fail(await rawServer.expect('tools/call'), required(entry('a')));
		const [second] = await here.asked();
		expect(second).not.toBe(first);
		second.opened();
		second.retried();
		rawServer.finish(await rawServer.expect('tools/call'), { done: true });
		expect(await calling).toMatchObject({ structuredContent: { done: true } });
		await sent(3);
	});

	it.each(['decline', 'cancel', 'giveUp'] as const)(
		'fails with an explanation when the user wants not (%s), and is not retried',
		async (deed) => {
			const { here, calling, sent } = await refused(entry('a'));
			const [elicitation] = await here.asked();
			if (deed === 'giveUp') elicitation.opened();
			elicitation[deed]();
			await expect(calling).rejects.toThrow(
				'raw-server: "act" could not continue because a URL that it requires was not opened or completed. Try again to be asked again.',
			);
			await expect(calling).rejects.toMatchObject({ cause: { code: -32042 } });
			await sent(1);
		},
	);

	it.each([
		['without a mode', { mode: undefined }],
		['with javascript:', { url: 'javascript:alert(1)' }],
		['with a password', { url: 'https://user:pass@example.com/' }],
		['without encryption', { url: 'http://example.com/' }],
	])('for a URL that may not be opened (%s) says so, and asks for none of the others (U12)', async (_what, bad) => {
		const { here, calling, sent } = await refused(entry('a'), entry('b', bad));
		await expect(calling).rejects.toThrow('raw-server: The server requires URLs that cannot be shown. ');
		expect(here.registry.elicitations).toEqual([]);
		await sent(1);
	});

	it('ends its other URLs when one of them is not wanted: the call cannot go on without it', async () => {
		const { here, calling } = await refused(entry('a'), entry('b'), entry('c'));
		const [first, second, third] = await here.asked(3);
		first.opened();
		second?.decline();
		await expect(calling).rejects.toThrow('could not continue');
		expect([first.state, third?.state]).toEqual(['withdrawn', 'withdrawn']);
	});

	it('that comes back after everything was completed fails if its server is stopped before the user decides', async () => {
		const { here, rawServer, connection, calling, complete } = await refused(entry('a'));
		(await here.asked())[0].opened();
		complete('a');
		rawServer.fail(await rawServer.expect('tools/call'), required(entry('a')));
		const loop = await here.until(() => here.registry.calls[0]?.atRoundLimit);
		await connection.stop();
		await expect(calling).rejects.toThrow('raw-server: The server was stopped while "act" was running.');
		loop.decide(true);
		expect([here.registry.calls[0]?.atRoundLimit, here.registry.live]).toEqual([undefined, []]);
	});

	it('is withdrawn with its elicitations when the call is stopped', async () => {
		const { here, abort, calling } = await refused(entry('a'));
		const [elicitation] = await here.asked();
		elicitation.opened();
		abort.abort(new Error('stopped by hand'));
		await expect(calling).rejects.toThrow('stopped by hand');
		expect(elicitation.state).toBe('withdrawn');
	});
});
