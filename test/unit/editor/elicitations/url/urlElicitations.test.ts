import { beforeEach, describe, expect, it, vi } from 'vitest';
import { commands } from 'vscode';
import type { Call } from '../../../../../src/elicitation/call.ts';
import { nextMoment } from '../../../../../src/elicitation/clock.ts';
import type { Elicitation } from '../../../../../src/elicitation/elicitation.ts';
import { KEY_GUARD } from '../../../../../src/elicitation/keyGuard.ts';
import { Registry } from '../../../../../src/elicitation/registry.ts';
import { localizable } from '../../../../../src/elicitation/sentence.ts';

/** VS Code under the control of the test: every message waits until the test responds. */
const editor = vi.hoisted(() => {
	interface Toast {
		readonly message: string;
		readonly buttons: readonly string[];
		choose(button?: string): void;
	}
	interface FakePanel {
		readonly posted: { type: string; reason?: string }[];
		revealed: number;
		disposed: boolean;
		send(type: string): void;
		close(): void;
	}
	const state = {
		toasts: [] as Toast[],
		panels: [] as FakePanel[],
		openings: [] as { url: unknown; answer(opened: boolean): void }[],
		copied: [] as (() => void)[],
		allowInsecure: 'loopback',
		isActive: true,
	};
	const show = (message: string, ...buttons: string[]) => {
		// As VS Code does.
		state.toasts.findLast((toast) => toast.message === message)?.choose();
		return new Promise<string | undefined>((resolve) => state.toasts.push({ message, buttons, choose: resolve }));
	};
	const disposable = { dispose: () => {} };
	return {
		state,
		show,
		createPage: () => {
			const receivers: ((message: unknown) => void)[] = [];
			const closers: (() => void)[] = [];
			const panel: FakePanel = {
				posted: [],
				revealed: 0,
				disposed: false,
				send: (type) => receivers.forEach((receive) => void receive({ type })),
				close: () => closers.forEach((close) => void close()),
			};
			state.panels.push(panel);
			const webview = {
				postMessage: (message: { type: string }) => panel.posted.push(message),
				onDidReceiveMessage: (receive: (message: unknown) => void) => {
					receivers.push(receive);
					return disposable;
				},
			};
			const dispose = () => {
				panel.disposed = true;
			};
			const onDidDispose = (close: () => void) => {
				closers.push(close);
				return disposable;
			};
			return {
				panel: { webview, onDidDispose, dispose, reveal: () => panel.revealed++ },
				isActive: () => state.isActive,
			};
		},
	};
});

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		workspace: { getConfiguration: () => ({ get: () => editor.state.allowInsecure, inspect: () => undefined }) },
		window: { showInformationMessage: editor.show, showWarningMessage: editor.show, showErrorMessage: editor.show },
		env: {
			openExternal: (url: unknown) => new Promise<boolean>((answer) => editor.state.openings.push({ url, answer })),
			clipboard: { writeText: () => new Promise<void>((done) => editor.state.copied.push(done)) },
		},
	}),
);
vi.mock('../../../../../src/editor/common/webviewPage.ts', () => ({ createPage: editor.createPage }));

const { UrlElicitations } = await import('../../../../../src/editor/elicitations/url/urlElicitations.ts');
const { showError } = await import('../../../../../src/editor/common/notifications.ts');
const { toasts, panels, openings, copied } = editor.state;

const PLAIN = 'https://login.example.com/start?next=%23a';
const SUSPICIOUS = 'https://login.example.com:8443/';

/** No other surface is open, and the user is waiting for the elicitation. */
const userFocus = {
	isTaken: false,
	isWaitingFor: () => true,
	markHandled: () => {},
	watch: () => ({ dispose: () => {} }),
};

/** The time, and how much of it passes between any two looks at the clock (ms). */
let now = 0;
let pace: number;
vi.spyOn(performance, 'now').mockImplementation(() => {
	now += pace;
	return now;
});

let registry: Registry;
let urls: InstanceType<typeof UrlElicitations>;

beforeEach(() => {
	pace = KEY_GUARD;
	editor.state.allowInsecure = 'loopback';
	editor.state.isActive = true;
	for (const list of [toasts, panels, openings, copied]) {
		list.length = 0;
	}
	registry = new Registry({ validate: () => Promise.resolve({ status: 'valid' }) }, () => Number.POSITIVE_INFINITY);
	urls = new UrlElicitations({} as never, registry, { get: () => undefined } as never, userFocus as never);
});

function ask(url: string, calls: readonly Call[] = [], server = 'weather'): Elicitation {
	const request = { mode: 'url', message: 'Sign in.', url, elicitationId: '1' } as const;
	const origin = {
		server,
		connection: 'c',
		intake: 'request',
		revision: '2025-11-25',
		calls,
		params: null,
	};
	return registry.add(request, origin as never);
}

/** The only element of a list, once there is one. */
const only = <T>(list: readonly T[]) =>
	vi.waitFor(() => {
		expect(list).toHaveLength(1);
		return list[0] as T;
	});
/** The last element of a list, once there are this many. */
const nth = <T>(list: readonly T[], count: number) =>
	vi.waitFor(() => {
		expect(list).toHaveLength(count);
		return list[count - 1] as T;
	});
/** Waits for all follow-up work. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

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
		await settle();
		expect(elicitations.map(({ state }) => state)).toEqual(['asking', 'asking', 'asking']);
		toasts[0]?.choose();
		await vi.waitFor(() => expect(elicitations.filter(({ state }) => state === 'cancelled')).toHaveLength(1));
		ask(PLAIN);
		await nth(toasts, 2);
	});

	it('shows the whole URL before the editor cuts off the notification, however long the name of the server is (U03)', async () => {
		const url = `https://login.example.com/${'x'.repeat(300 - 26)}`;
		ask(url, [], 'weather '.repeat(200));
		expect((await only(toasts)).message.slice(0, 1_000)).toContain(url);
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
		await settle();
		expect(toasts).toHaveLength(1);
		(await only(panels)).send('decline');
		expect(await elicitation.outcome).toEqual({ action: 'decline' });
	});

	it.each(['Open URL', 'Copy URL', 'Details', 'Decline'])(
		'is asked for again where %s is clicked in the first moments of the notification (U02)',
		async (button) => {
			pace = 0;
			const elicitation = ask(PLAIN);
			(await only(toasts)).choose(button);
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
		pace = 0;
		now += 2 * KEY_GUARD;
		toasts[0]?.choose('Decline');
		toasts[1]?.choose('Open URL');
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
			pace = 0;
			now += 2 * KEY_GUARD;
			move();
			await nth(toasts, 2);
			now += KEY_GUARD - 1;
			toasts[0]?.choose('Open URL');
			const again = await nth(toasts, 3);
			expect([elicitation.state, openings.length]).toEqual(['asking', 0]);
			now += KEY_GUARD;
			again.choose('Open URL');
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
		editor.state.allowInsecure = 'never';
		shown.choose('Open URL');
		expect(await elicitation.outcome).toEqual({ action: 'cancel' });
		expect((await nth(toasts, 2)).message).toBe('weather: The URL was not opened, so the request was cancelled.');
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
		editor.state.isActive = isActive;
		const replay = registry.beginCall('weather', 'tool', 'deploy', {});
		replay.trial = localizable('Replay');
		const elicitation = ask(SUSPICIOUS, [replay]);
		const panel = await only(panels);
		elicitation.withdraw(localizable('The connection has ended.'));
		await settle();
		expect([panel.disposed, panel.posted.some(({ type }) => type === 'over')]).toEqual([!isActive, isActive]);
	});

	it('reports what happened if the request ends while the editor shows its own dialog', async () => {
		const elicitation = ask(SUSPICIOUS);
		const panel = await only(panels);
		panel.send('open');
		const opening = await only(openings);
		elicitation.withdraw(localizable('The server withdrew its request.'));
		await settle();
		expect(panel.posted.some(({ type }) => type === 'over')).toBe(false);
		opening.answer(true);
		expect((await only(toasts)).message).toBe('weather: The URL was opened, but the request had already ended.');
		expect(panel.disposed).toBe(true);
	});

	it('reports once that nothing was opened if the request ends meanwhile and the URL was not opened', async () => {
		const elicitation = ask(SUSPICIOUS);
		(await only(panels)).send('open');
		const opening = await only(openings);
		elicitation.complete();
		opening.answer(false);
		expect((await only(toasts)).message).toBe('weather: The request was completed elsewhere; nothing was opened.');
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
			expect((await nth(toasts, 2)).message).toBe(`weather: ${end}`);
			toast.choose('Open URL');
			await settle();
			expect(toasts).toHaveLength(2);
			expect(openings).toEqual([]);
		},
	);

	it('is reported as declined elsewhere only if a button of the notification is pressed', async () => {
		const elicitation = ask(PLAIN);
		const toast = await only(toasts);
		elicitation.decline();
		await settle();
		expect(toasts).toHaveLength(1);
		toast.choose('Details');
		expect((await nth(toasts, 2)).message).toBe('weather: The request was declined elsewhere; nothing was opened.');
		expect(panels).toEqual([]);
	});

	it('is not taken from a panel after the request ended, and a reloaded panel still shows that', async () => {
		const elicitation = ask(SUSPICIOUS);
		const panel = await only(panels);
		elicitation.cancel();
		for (const type of ['open', 'copy', 'decline']) {
			panel.send(type);
		}
		panel.send('ready');
		await settle();
		expect(openings).toEqual([]);
		expect(copied).toEqual([]);
		expect(panel.posted.map(({ type }) => type)).toEqual(['show', 'over', 'show', 'over']);
		expect(panel.posted.at(-1)?.reason).toBe('The request was cancelled elsewhere; nothing was opened.');
		panel.close();
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
			await settle();
			expect(openings).toEqual([]);
			expect(panel.posted[0]).toMatchObject({ model: { accepted: true, parts: { href: PLAIN } } });

			panel.send('cancel');
			await vi.waitFor(() => expect(panel.disposed).toBe(true));
			expect([elicitation.state, elicitation.consented]).toEqual(['opened', false]);
			expect(openings).toEqual([]);

			await urls.reopen(elicitation);
			(await nth(panels, 2)).send('open');
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
		(await only(panels)).send('open');
		(await only(openings)).answer(false);
		expect((await only(toasts)).message).toBe('The URL was not opened.');
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
		panel.send('open');
		await settle();
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
		panel.send('cancel');
		await vi.waitFor(() => expect(panel.disposed).toBe(true));
	});
});
