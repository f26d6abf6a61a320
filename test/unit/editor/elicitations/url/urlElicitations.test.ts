import { beforeEach, describe, expect, it, vi } from 'vitest';
import { commands } from 'vscode';
import { showError } from '../../../../../src/editor/common/notifications.ts';
import { UrlElicitations } from '../../../../../src/editor/elicitations/url/urlElicitations.ts';
import type { Call } from '../../../../../src/elicitation/call.ts';
import { nextMoment } from '../../../../../src/elicitation/clock.ts';
import type { Elicitation } from '../../../../../src/elicitation/elicitation.ts';
import { KEY_GUARD } from '../../../../../src/elicitation/keyGuard.ts';
import { localizable } from '../../../../../src/elicitation/sentence.ts';
import type { ToUrl } from '../../../../../src/protocol.ts';
import { World } from '../../../elicitation/world.ts';
import { messages, notices, nth, only, pages, passTime, settled, stopClock } from '../../surfaces.ts';
import { fakeVscode } from '../../vscode.ts';

/** Every notification, panel, and dialog of the editor waits until the test responds. */
const toasts = messages();
const told = notices();
const { panels, extensionUri } = pages<ToUrl, { type: string }>();
const openings: { url: unknown; answer(opened: boolean): void }[] = [];
const copied: (() => void)[] = [];
let allowInsecure: string;

fakeVscode({
	workspace: { getConfiguration: () => ({ get: () => allowInsecure, inspect: () => undefined }) },
	env: {
		openExternal: (url: unknown) => new Promise<boolean>((answer) => openings.push({ url, answer })),
		clipboard: { writeText: () => new Promise<void>((done) => copied.push(done)) },
	},
});

const PLAIN = 'https://login.example.com/start?next=%23a';
const SUSPICIOUS = 'https://login.example.com:8443/';

/** No other surface is open, and the user is waiting for the elicitation. */
const userFocus = {
	isTaken: false,
	isWaitingFor: () => true,
	markHandled: () => {},
	watch: () => ({ dispose: () => {} }),
};

let registry: World['registry'];
let urls: UrlElicitations;

beforeEach(() => {
	stopClock();
	allowInsecure = 'loopback';
	openings.length = 0;
	copied.length = 0;
	({ registry } = new World());
	urls = new UrlElicitations(extensionUri, registry, { get: () => undefined } as never, userFocus as never);
});

function ask(url: string, calls: readonly Call[] = [], server = 'weather'): Elicitation {
	const origin = { connection: 'c', intake: 'request', revision: '2025-11-25', params: null } as const;
	return registry.add({ mode: 'url', message: 'Sign in.', url, elicitationId: '1' }, { ...origin, server, calls });
}

describe('consent to a URL', () => {
	it('is asked for in a panel if the user started the call; what comes unasked, in a notification', async () => {
		ask(PLAIN, [registry.beginCall('weather', 'tool', 't', {}, undefined, nextMoment())]);
		await only(panels);
		expect(toasts).toEqual([]);
		ask(PLAIN, [registry.beginCall('weather', 'tool', 't', {})]);
		await only(toasts);
		expect(panels).toHaveLength(1);
	});

	it.each([
		['is suspicious', SUSPICIOUS],
		['is long', `https://login.example.com/${'x'.repeat(300)}`],
		['was written differently', 'https://Login.example.com/'],
	])('is asked for in a panel if the URL %s, otherwise in a notification', async (_what, url) => {
		ask(url);
		await only(panels);
		expect(toasts).toEqual([]);
		ask(`https://login.example.com/${'x'.repeat(300 - 26)}`);
		expect((await only(toasts)).buttons).toEqual(['Open URL', 'Copy URL', 'Details', 'Decline']);
		expect(panels).toHaveLength(1);
	});

	it('is asked for in a panel beside a notification that says the same, which another one would close', async () => {
		const elicitations = [ask(PLAIN), ask(PLAIN), ask(PLAIN)];
		await only(toasts);
		await nth(panels, 2);
		await settled();
		expect(elicitations.map(({ state }) => state)).toEqual(['asking', 'asking', 'asking']);
		toasts[0]?.click();
		await vi.waitFor(() => expect(elicitations.filter(({ state }) => state === 'cancelled')).toHaveLength(1));
		ask(PLAIN);
		await nth(toasts, 2);
	});

	it('shows the whole URL before the editor cuts off the notification, however long the name of the server is (U03)', async () => {
		const url = `https://login.example.com/${'x'.repeat(300 - 26)}`;
		ask(url, [], 'weather '.repeat(200));
		expect((await only(toasts)).text.slice(0, 1_000)).toContain(url);
	});

	it('is not asked for if the request ended before it could be shown', async () => {
		ask(SUSPICIOUS).withdraw(localizable('Gone.'));
		ask(PLAIN).withdraw(localizable('Gone.'));
		const last = ask(PLAIN);
		await only(toasts);
		expect(panels).toEqual([]);
		last.cancel();
	});

	it('is asked for in one panel, however often the request is opened', async () => {
		const elicitation = ask(SUSPICIOUS);
		await Promise.all([urls.ask(elicitation), urls.ask(elicitation), urls.reopen(elicitation)]);
		expect((await only(panels)).revealed).toBeGreaterThan(0);
	});

	it('is not asked for in a notification again after Copy if a panel is open by then', async () => {
		const elicitation = ask(PLAIN);
		(await only(toasts)).choose('Copy URL');
		const done = await only(copied);
		await urls.ask(elicitation);
		done();
		await settled();
		expect(toasts).toHaveLength(1);
		(await only(panels)).send({ type: 'decline' });
		expect(await elicitation.outcome).toEqual({ action: 'decline' });
	});

	it.each(['Open URL', 'Copy URL', 'Details', 'Decline'])(
		'is asked for again where %s is clicked in the first moments of the notification (U02)',
		async (button) => {
			const elicitation = ask(PLAIN);
			(await only(toasts)).click(button);
			await nth(toasts, 2);
			expect([elicitation.state, openings.length, copied.length, panels.length]).toEqual(['asking', 0, 0, 0]);
		},
	);

	it('is asked for in a notification whose first moments begin once the window has drawn it (U02)', async () => {
		const drawn: number[] = [];
		const caughtUp = vi.spyOn(commands, 'executeCommand').mockImplementation(async () => {
			drawn.push(toasts.length);
		});
		ask(PLAIN);
		await only(toasts);
		caughtUp.mockRestore();
		expect(drawn).toEqual([1]);
	});

	it('is not given by the second click of a double click, for which another notification has made room (U02)', async () => {
		const elicitation = ask(PLAIN);
		await only(toasts);
		const other = ask(`${PLAIN}b`);
		await nth(toasts, 2);
		await settled();
		passTime(2 * KEY_GUARD);
		toasts[0]?.click('Decline');
		toasts[1]?.click('Open URL');
		await nth(toasts, 3);
		expect([elicitation.state, other.state, openings.length]).toEqual(['declined', 'asking', 0]);
	});

	it.each([
		['by another request', () => void ask(`${PLAIN}b`)],
		['by an error', () => showError(new Error('Something else.'))],
	])(
		'is not given by a click on a notification that has just been moved %s, and is asked for again (U02)',
		async (_by, move) => {
			const elicitation = ask(PLAIN);
			await only(toasts);
			passTime(2 * KEY_GUARD);
			move();
			await nth(toasts, 2);
			await settled();
			passTime(KEY_GUARD - 1);
			toasts[0]?.click('Open URL');
			const again = await nth(toasts, 3);
			expect([elicitation.state, openings.length]).toEqual(['asking', 0]);
			await settled();
			passTime(KEY_GUARD);
			again.click('Open URL');
			await only(openings);
		},
	);

	it('sends accept only after exactly this URL was opened (U08)', async () => {
		const elicitation = ask(PLAIN);
		(await only(toasts)).choose('Open URL');
		const opening = await only(openings);
		expect(opening.url).toBe(PLAIN);
		expect(elicitation.state).toBe('asking');
		opening.answer(true);
		expect(await elicitation.outcome).toEqual({ action: 'accept' });
	});

	it('does not open a URL that the settings have refused since it was shown', async () => {
		const elicitation = ask('http://localhost:3000/');
		const shown = await only(toasts);
		allowInsecure = 'never';
		shown.choose('Open URL');
		expect(await elicitation.outcome).toEqual({ action: 'cancel' });
		expect((await nth(toasts, 2)).text).toBe('weather: The URL was not opened, so the request was cancelled.');
		expect(openings).toEqual([]);
	});

	it('is not asked for again while the editor shows its own dialog', async () => {
		const elicitation = ask(PLAIN);
		(await only(toasts)).choose('Open URL');
		await only(openings);
		await urls.ask(elicitation);
		expect(panels).toEqual([]);
	});

	it.each([
		['stays while the user is at it', true],
		['goes if nobody is at it: the next replay brings another one', false],
	])('of a replay that is given up %s', async (_, isActive) => {
		const replay = registry.beginCall('weather', 'tool', 'deploy', {});
		replay.trial = localizable('Replay');
		const elicitation = ask(SUSPICIOUS, [replay]);
		const panel = await only(panels);
		panel.focus(isActive);
		elicitation.withdraw(localizable('The connection has ended.'));
		await settled();
		expect([panel.closed, panel.posted.some(({ type }) => type === 'over')]).toEqual([!isActive, isActive]);
	});

	it('reports what happened if the request ends while the editor shows its own dialog', async () => {
		const elicitation = ask(SUSPICIOUS);
		const panel = await only(panels);
		panel.send({ type: 'open' });
		const opening = await only(openings);
		elicitation.withdraw(localizable('The server withdrew its request.'));
		await settled();
		expect(panel.posted.some(({ type }) => type === 'over')).toBe(false);
		opening.answer(true);
		expect((await only(toasts)).text).toBe('weather: The URL was opened, but the request had already ended.');
		expect(panel.closed).toBe(true);
	});

	it('reports once that nothing was opened if the request ends meanwhile and the URL was not opened', async () => {
		const elicitation = ask(SUSPICIOUS);
		(await only(panels)).send({ type: 'open' });
		const opening = await only(openings);
		elicitation.complete();
		opening.answer(false);
		expect((await only(toasts)).text).toBe('weather: The request was completed elsewhere; nothing was opened.');
	});

	it.each([
		['completed', 'The request was completed elsewhere; nothing was opened.'],
		['withdrawn', 'The server withdrew its request. Nothing was opened or sent.'],
		['cancelled', 'The call was cancelled. Nothing was opened; "cancel" was sent to the server.'],
	])(
		'is reported once as over if the request was %s, and the buttons of the notification do nothing (fault 5)',
		async (how, end) => {
			const elicitation = ask(PLAIN);
			const toast = await only(toasts);
			if (how === 'completed') {
				registry.complete('c', '1');
			} else if (how === 'cancelled') {
				elicitation.abandon(localizable('The call was cancelled.'));
			} else {
				elicitation.withdraw(localizable('The server withdrew its request.'));
			}
			expect((await nth(toasts, 2)).text).toBe(`weather: ${end}`);
			toast.choose('Open URL');
			await settled();
			expect(toasts).toHaveLength(2);
			expect(openings).toEqual([]);
		},
	);

	it('is reported as declined elsewhere only if a button of the notification is pressed', async () => {
		const elicitation = ask(PLAIN);
		const toast = await only(toasts);
		elicitation.decline();
		await settled();
		expect(toasts).toHaveLength(1);
		toast.choose('Details');
		expect((await nth(toasts, 2)).text).toBe('weather: The request was declined elsewhere; nothing was opened.');
		expect(panels).toEqual([]);
	});

	it('is not taken from a panel after the request ended, and a reloaded panel still shows that', async () => {
		const elicitation = ask(SUSPICIOUS);
		const panel = await only(panels);
		elicitation.cancel();
		for (const type of ['open', 'copy', 'decline']) {
			panel.send({ type });
		}
		panel.send({ type: 'ready' });
		await settled();
		expect(openings).toEqual([]);
		expect(copied).toEqual([]);
		expect(panel.posted.map(({ type }) => type)).toEqual(['show', 'over', 'show', 'over']);
		expect(panel.last('over')?.reason).toBe('The request was cancelled elsewhere; nothing was opened.');
		panel.dispose();
		expect(elicitation.state).toBe('cancelled');
	});
});

describe('a URL that an auto-responder accepted', () => {
	const responders = [
		{ kind: 'script', name: 'answers.json' },
		{ kind: 'extension', name: 'other' },
		{ kind: 'forced', name: '' },
	] as const;

	async function accepted(responder: (typeof responders)[number]): Promise<Elicitation> {
		const answer = async () => ({ action: 'accept' }) as const;
		const { dispose } = registry.autoResponders.add({ responder, respond: answer });
		const elicitation = ask(PLAIN);
		expect(await elicitation.outcome).toEqual({ action: 'accept' });
		dispose();
		return elicitation;
	}

	it.each(responders)(
		'by $kind is opened only after the user consents, and can then be opened again without asking',
		async (by) => {
			const elicitation = await accepted(by);
			expect(elicitation.consented).toBe(false);
			await urls.reopen(elicitation);
			const panel = await only(panels);
			await settled();
			expect(openings).toEqual([]);
			expect(panel.posted[0]).toMatchObject({ model: { accepted: true, parts: { href: PLAIN } } });

			panel.send({ type: 'cancel' });
			await vi.waitFor(() => expect(panel.closed).toBe(true));
			expect([elicitation.state, elicitation.consented]).toEqual(['opened', false]);
			expect(openings).toEqual([]);

			await urls.reopen(elicitation);
			(await nth(panels, 2)).send({ type: 'open' });
			const opening = await only(openings);
			expect(opening.url).toBe(PLAIN);
			opening.answer(true);
			await vi.waitFor(() => expect(elicitation.consented).toBe(true));
			void urls.reopen(elicitation);
			expect((await nth(openings, 2)).url).toBe(PLAIN);
			expect(panels).toHaveLength(2);
			expect(toasts).toEqual([]);
		},
	);

	it('needs consent again if the editor did not open it', async () => {
		const elicitation = await accepted(responders[0]);
		await urls.reopen(elicitation);
		(await only(panels)).send({ type: 'open' });
		(await only(openings)).answer(false);
		expect((await only(toasts)).text).toBe('The URL was not opened.');
		await urls.reopen(elicitation);
		await nth(panels, 2);
		expect(openings).toHaveLength(1);
	});

	it.each([
		['completed', 'The request was completed elsewhere; nothing was opened.'],
		['retried', 'The call was retried; nothing was opened.'],
	])('is not opened after the request is %s', async (how, end) => {
		const elicitation = await accepted(responders[0]);
		await urls.reopen(elicitation);
		const panel = await only(panels);
		expect(how === 'completed' ? elicitation.complete() : elicitation.retried()).toBe(true);
		expect(panel.posted.at(-1)).toMatchObject({ type: 'over', reason: end });
		panel.send({ type: 'open' });
		await settled();
		expect(openings).toEqual([]);
	});
});

it('a URL that the user has consented to is opened again without asking', async () => {
	const elicitation = ask(PLAIN);
	(await only(toasts)).choose('Open URL');
	(await only(openings)).answer(true);
	await elicitation.outcome;
	void urls.reopen(elicitation);
	expect((await nth(openings, 2)).url).toBe(PLAIN);
	expect(panels).toEqual([]);
});

describe('the details of a refused URL', () => {
	const refusal = (params: unknown) => ({
		server: 'weather',
		reason: localizable('Refused.'),
		params: params as never,
		calls: [],
	});

	it.each([
		['a URL', { mode: 'url', message: 'm', url: 'javascript:alert(1)' }, true],
		['no URL', { mode: 'url', message: 'm', url: 'login' }, false],
		['a form', { message: 'm', requestedSchema: { type: 'object' } }, false],
		['no params', null, false],
	])('of %s', (_what, params, offered) => {
		expect(urls.detailsOf(refusal(params)) !== undefined).toBe(offered);
	});

	it('have a max length, whatever the server sent', async () => {
		const url = `https://${'u'.repeat(9_000)}@example.com/${'p'.repeat(9_000)}?${'a=b&'.repeat(100_000)}#${'f'.repeat(9_000)}`;
		void urls.detailsOf(refusal({ mode: 'url', message: 'm', url }))?.();
		const panel = await only(panels);
		const shown = JSON.stringify(panel.posted);
		expect(shown).toContain('"refused":"Refused."');
		expect(shown).toContain('"host":"example.com"');
		expect(shown.length).toBeLessThan(150_000);
		panel.send({ type: 'cancel' });
		await vi.waitFor(() => expect(panel.closed).toBe(true));
	});
});

describe('a call that requires URLs', () => {
	it('offers its retry once all of them are open, until it goes on', async () => {
		const call = registry.beginCall('weather', 'tool', 'deploy', {});
		const origin = { connection: 'c', intake: 'urlRequired', revision: '2025-11-25', params: null } as const;
		const group = { call, round: 1, size: 2 };
		const [mail, drive] = ['mail', 'drive'].map((id) =>
			registry.add(
				{ mode: 'url', message: id, url: `https://${id}.example.com/`, elicitationId: id },
				{ ...origin, server: 'weather', calls: [call], group },
			),
		);
		mail?.opened();
		expect(told).toEqual([]);
		drive?.opened();
		expect(told).toMatchObject([{ text: expect.stringContaining('"deploy"'), actions: ['Retry Now', 'Reopen URL'] }]);
		await told[0]?.press('Retry Now');
		await settled();
		expect([mail?.state, told[0]?.isOpen]).toEqual(['retried', false]);
	});
});
