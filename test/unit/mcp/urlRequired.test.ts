import { describe, expect, it } from 'vitest';
import type { Elicitation } from '../../../src/elicitation/elicitation.ts';
import type { Json } from '../../../src/elicitation/json.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { shown, stdio, type TestClient, testClients, testServer } from './testClient.ts';

const world = testClients();
const entry = (elicitationId: Json | undefined, more: object = {}) => ({
	mode: 'url',
	message: `Open ${String(elicitationId)}`,
	url: `https://example.com/${String(elicitationId)}`,
	...(elicitationId !== undefined && { elicitationId }),
	...more,
});

async function require(here: TestClient, entries: unknown) {
	const connection = await here.connect(stdio('strict', testServer('sdk1.mjs')));
	const calling = connection.callTool('require-url', { entries } as never);
	calling.catch(() => {});
	return { connection, calling };
}

const sent = (here: TestClient) =>
	here.wire('sent', ({ method, params }) => method === 'tools/call' && params.name === 'require-url');

describe('a call that is refused with -32042', () => {
	it('is retried by itself, with the same params and a fresh id, once every page is completed (U10)', async () => {
		const here = world();
		const { connection, calling } = await require(here, [entry('a'), entry('b')]);
		const forms = await here.asked(2);
		expect(forms.map(({ origin, request }) => [origin.intake, origin.calls, request])).toEqual(
			['a', 'b'].map((id) => ['urlRequired', [here.registry.calls[0]], entry(id)]),
		);
		for (const each of forms) each.opened();
		await connection.callTool('finish', { ids: ['a'] });
		await forms[0].ended;
		expect(sent(here)).toHaveLength(1);
		await connection.callTool('finish', { ids: ['b'] });
		expect(shown(await calling)).toEqual({ finished: ['a', 'b'] });
		expect(forms.map(({ state }) => state)).toEqual(['completed', 'completed']);
		const [first, second] = sent(here);
		expect([second.params.name, second.params.arguments]).toEqual([first.params.name, first.params.arguments]);
		expect(second.id).not.toBe(first.id);
	});

	it('is retried by hand when the notification never comes (U11)', async () => {
		const here = world();
		const { connection, calling } = await require(here, [entry('a')]);
		const [elicitation] = await here.asked();
		elicitation.opened();
		await connection.callTool('finish', { ids: ['a'], notice: false });
		elicitation.retried();
		expect(shown(await calling)).toEqual({ finished: ['a'] });
	});

	it('asks again when a retry by hand came too early', async () => {
		const here = world();
		const { calling } = await require(here, [entry('a')]);
		const [first] = await here.asked();
		first.opened();
		first.retried();
		const [second] = await here.asked();
		expect(second).not.toBe(first);
		second.decline();
		await expect(calling).rejects.toThrow('strict: ');
		expect(sent(here)).toHaveLength(2);
	});

	it.each(['decline', 'cancel', 'giveUp'] as const)(
		'fails with an explanation when the user wants not (%s), and is not retried',
		async (deed) => {
			const here = world();
			const { calling } = await require(here, [entry('a')]);
			const [elicitation] = await here.asked();
			if (deed === 'giveUp') elicitation.opened();
			elicitation[deed]();
			await expect(calling).rejects.toThrow(
				'strict: "require-url" could not continue because a URL that it requires was not opened or completed. Try again to be asked again.',
			);
			await expect(calling).rejects.toMatchObject({ cause: { code: -32042 } });
			expect(sent(here)).toHaveLength(1);
		},
	);

	it.each([
		['no list', 'text'],
		['an empty list', []],
		['more than ten entries', Array.from({ length: 11 }, (_, at) => entry(`id-${at}`))],
		['an entry that is no object', [entry('a'), null]],
		['an entry in form mode', [entry('a'), entry('b', { mode: 'form' })]],
		['an entry without mode', [entry('a', { mode: undefined })]],
		['an entry without id', [entry(undefined)]],
		['an entry with an id that is no text', [entry(7)]],
		['an entry with an empty id', [entry('')]],
	])('with %s shows the server’s error, asks nobody and is not retried (U12, fault 18)', async (_what, entries) => {
		const here = world();
		const { calling } = await require(here, entries);
		await expect(calling).rejects.toThrow(/^strict: .*This needs pages to be opened first\./);
		expect(here.registry.elicitations).toEqual([]);
		expect(sent(here)).toHaveLength(1);
	});

	it.each(['javascript:alert(1)', 'https://user:pass@example.com/', 'http://example.com/'])(
		'for a URL that may not be opened (%s) says so, and asks for none of the others',
		async (url) => {
			const here = world();
			const { calling } = await require(here, [entry('a'), entry('b', { url })]);
			await expect(calling).rejects.toThrow('strict: The server requires URLs that cannot be shown. ');
			expect(here.registry.elicitations).toEqual([]);
			expect(sent(here)).toHaveLength(1);
		},
	);

	it('ends its other URLs when one of them is not wanted: the call cannot go on without it', async () => {
		const here = world();
		const { calling } = await require(here, [entry('a'), entry('b'), entry('c')]);
		const [first, second, third] = await here.asked(3);
		first.opened();
		second?.decline();
		await expect(calling).rejects.toThrow('could not continue');
		expect([first.state, third?.state]).toEqual(['withdrawn', 'withdrawn']);
	});

	it('that comes back after everything was completed is a loop, which the user decides on (fault 19)', async () => {
		const here = world();
		const { connection, calling } = await require(here, [entry('a')]);
		const complete = async () => {
			const [each] = await here.asked();
			each.opened();
			await connection.callTool('complete', { elicitationId: 'a' });
			return each.ended;
		};
		expect(await complete()).toBe('completed');
		const loop = await here.until(() => here.registry.calls[0]?.atRoundLimit);
		expect(render(loop.reason, english)).toBe('"require-url" still requires a URL that you have already completed.');
		expect(here.registry.live).toEqual([]);
		loop.decide(true);
		expect(await complete()).toBe('completed');
		(await here.until(() => here.registry.calls[0]?.atRoundLimit)).decide(false);
		await expect(calling).rejects.toThrow(
			'strict: "require-url" still requires a URL that you have already completed. ',
		);
		expect(sent(here)).toHaveLength(3);
	});

	it('that comes back after everything was completed fails if its server is stopped before the user decides', async () => {
		const here = world();
		const { connection, calling } = await require(here, [entry('a')]);
		const [elicitation] = await here.asked();
		elicitation.opened();
		await connection.callTool('complete', { elicitationId: 'a' });
		const loop = await here.until(() => here.registry.calls[0]?.atRoundLimit);
		await connection.stop();
		await expect(calling).rejects.toThrow('strict: The server was stopped while "require-url" was running.');
		loop.decide(true);
		expect([here.registry.calls[0]?.atRoundLimit, here.registry.live]).toEqual([undefined, []]);
	});

	it('is retried automatically three times at most, whatever it requires (fault 19)', async () => {
		const here = world();
		const connection = await here.connect(stdio('strict', testServer('sdk1.mjs')));
		const calling = connection.callTool('require-url', { entries: [], fresh: true });
		calling.catch(() => {});
		for (let round = 0; round < 3; round++) {
			const [each] = await here.asked();
			each.opened();
			const id = each.request.mode === 'url' ? (each.request.elicitationId ?? '') : '';
			await connection.callTool('complete', { elicitationId: id });
			await each.ended;
		}
		const loop = await here.until(() => here.registry.calls[0]?.atRoundLimit);
		expect(render(loop.reason, english)).toBe('"require-url" required URLs 3 times without finishing.');
		expect(sent(here)).toHaveLength(4);
		loop.decide(false);
		await expect(calling).rejects.toThrow('required URLs 3 times');
	});

	it('is withdrawn with its elicitations when the call is stopped', async () => {
		const here = world();
		const connection = await here.connect(stdio('strict', testServer('sdk1.mjs')));
		const abort = new AbortController();
		const calling = connection.callTool('require-url', { entries: [entry('a')] }, { signal: abort.signal });
		const [elicitation] = await here.asked();
		elicitation.opened();
		abort.abort(new Error('stopped by hand'));
		await expect(calling).rejects.toThrow('stopped by hand');
		expect(elicitation.state).toBe('withdrawn');
	});
});

describe('a completion notification', () => {
	const url = 'https://example.com/in';

	it('after the accept completes the elicitation, and an accept has no content (U08)', async () => {
		const here = world();
		const connection = await here.connect(stdio('s', testServer('sdk1.mjs')));
		const calling = connection.callTool('url', { url, complete: 'after' });
		const [elicitation] = await here.asked();
		elicitation.opened();
		expect(shown(await calling)).toStrictEqual({ action: 'accept' });
		expect(await elicitation.ended).toBe('completed');
	});

	it('before the elicitation means nothing to it (U09)', async () => {
		const here = world();
		const connection = await here.connect(stdio('s', testServer('sdk1.mjs')));
		const calling = connection.callTool('url', { url, complete: 'before' });
		const [elicitation] = await here.asked();
		expect(elicitation.state).toBe('asking');
		elicitation.decline();
		expect(shown(await calling)).toStrictEqual({ action: 'decline' });
	});

	it('while the user decides closes the elicitation; the server is told cancel (fault 5)', async () => {
		const here = world();
		const connection = await here.connect(stdio('s', testServer('sdk1.mjs')));
		const calling = connection.callTool('url', { url, elicitationId: 'x', complete: 'never' });
		const [elicitation] = await here.asked();
		await connection.callTool('complete', { elicitationId: 'x' });
		expect(await elicitation.ended).toBe('completed');
		expect(shown(await calling)).toStrictEqual({ action: 'cancel' });
	});

	it.each([['nobody'], [7], [null], [{}]])('for %j does no harm (U09, faults 4 and 6)', async (elicitationId) => {
		const here = world();
		const connection = await here.connect(stdio('s', testServer('sdk1.mjs')));
		await connection.callTool('complete', { elicitationId });
		expect(await connection.callTool('complete', { elicitationId })).toMatchObject({ content: [{}] });
		expect(connection.state).toBe('running');
	});

	it('of one server does not complete the same id of another (fault 3)', async () => {
		const here = world();
		const one = await here.connect(stdio('one', testServer('sdk1.mjs')));
		const other = await here.connect(stdio('other', testServer('sdk1.mjs')));
		const calling = [one, other].map((each) => each.callTool('url', { url, elicitationId: 'x', complete: 'never' }));
		const forms: Elicitation[] = await here.asked(2);
		await other.callTool('complete', { elicitationId: 'x' });
		expect(forms.map(({ origin, state }) => [origin.server, state]).sort()).toEqual([
			['one', 'asking'],
			['other', 'completed'],
		]);
		for (const each of forms) each.cancel();
		await Promise.all(calling);
	});
});
