import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FromTimeline, ShownDetail, ShownRow } from '../../src/timelineProtocol.ts';
import { everyField } from './models.ts';
import { button, byName, type Page, press, startTimeline, type } from './page.ts';
import { callDetail, elicitationDetail, messageDetail, NO_FILTER, rowsOf, TimelineHost } from './timelineHost.ts';

/** The height of a row where the simulated page measures it. */
const ROW = 24;

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
});

interface Open {
	readonly page: Page<FromTimeline>;
	readonly host: TimelineHost;
	/** Lets the host hear what the page has said, until there is nothing more. */
	settle(): void;
	/** Something changes, and the page hears of it. */
	push(changes?: Parameters<TimelineHost['push']>[0]): void;
	/** Presses keys where the focus is, and lets the host hear of each. */
	keys(...pressed: string[]): void;
	/** Chooses from a list of the toolbar, and lets the host hear of it. */
	choose(name: string, value: string): void;
	/** Shows details, whatever is selected. */
	detail(detail?: ShownDetail): void;
}

async function open(rows: readonly ShownRow[] = rowsOf(20), state?: unknown): Promise<Open> {
	const page = await startTimeline(state);
	const host = new TimelineHost((message) => page.receive(message), rows);
	const settle = () => {
		for (let next = page.sent[host.received.length]; next; next = page.sent[host.received.length]) {
			host.receive(next);
		}
	};
	settle();
	return {
		...{ page, host, settle },
		push: (changes) => {
			host.push(changes);
			settle();
		},
		keys: (...pressed) => {
			for (const key of pressed) {
				press(key);
				settle();
			}
		},
		choose: (name, value) => {
			const select = byName<HTMLSelectElement>('select', name);
			select.value = value;
			select.dispatchEvent(new Event('change'));
			settle();
		},
		detail: (detail) => page.receive({ type: 'detail', ...(detail && { detail }) }),
	};
}

const list = () => document.querySelector('[role=tree]') as HTMLElement;
const drawn = () => [...document.querySelectorAll<HTMLElement>('[role=treeitem]')];
const byPlace = () => drawn().sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index));
const selected = () => document.querySelector('[role=treeitem][aria-selected=true]');
const details = () => document.querySelector('.details') as HTMLElement;

function scrollTo(row: number): void {
	list().scrollTop = row * ROW;
	list().dispatchEvent(new Event('scroll'));
}

describe('the lines', () => {
	it('exist only where they are seen, and only those near them are asked for', async () => {
		const { host, settle } = await open(rowsOf(100_000));
		expect(drawn().length).toBeLessThan(40);
		expect(byPlace()[0]?.textContent).toContain('deploy');
		scrollTo(50_000);
		settle();
		expect(drawn().length).toBeLessThan(40);
		expect(document.getElementById('row-50000')?.textContent).toContain('result #49998');
		expect(host.sent('rows').map(({ count }) => count)).toEqual([expect.closeTo(140, -1)]);
	});

	it('say what they are, where they stand and whether something is below them', async () => {
		await open();
		const [group, first, second] = byPlace();
		const said = (element: Element | undefined) =>
			['level', 'setsize', 'posinset', 'expanded'].map((name) => element?.getAttribute(`aria-${name}`));
		expect(said(group)).toEqual(['1', '1', '1', 'true']);
		expect(said(first)).toEqual(['2', '20', '1', null]);
		expect(said(second)).toEqual(['2', '20', '2', null]);
		expect(group?.textContent).toMatch(/^succeeded deploy demo · server 3.2 s · you 41 s \d\d:\d\d:\d\d$/);
		expect(second?.textContent).toMatch(/^received from the server result #0 deploy 12 ms \d\d:\d\d:\d\d.\d{3}$/);
	});

	it('say their day if it is not today, also once today is over', async () => {
		const { host, push, keys } = await open(rowsOf(2));
		const times = () => byPlace().map((row) => row.querySelector('time')?.textContent);
		expect(times()[0]).toMatch(/^\d\d:\d\d:\d\d$/);
		vi.setSystemTime(1_700_000_000_000 + 24 * 3_600_000);
		push({ rows: [...host.rows, { ...(host.rows[2] as ShownRow), key: 'message:2', at: Date.now() }] });
		expect(times()).toEqual([
			expect.stringMatching(/^Nov 1\d \d\d:\d\d:\d\d$/),
			expect.stringMatching(/^Nov 1\d \d\d:\d\d:\d\d\.\d{3}$/),
			expect.stringMatching(/^Nov 1\d \d\d:\d\d:\d\d\.\d{3}$/),
			expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}$/),
		]);
		keys('ArrowDown');
		expect(details().querySelector('time')?.textContent).toMatch(/^Nov 1\d, 2023 \d\d:\d\d:\d\d\.\d{3}$/);
	});

	it('are walked by keyboard, and the one that is walked to is selected', async () => {
		const { host, settle } = await open(rowsOf(100_000));
		expect(document.activeElement).toBe(list());
		expect(host.selected).toBe('call:1');
		for (const [key, expected] of [
			['ArrowDown', 'message:0'],
			['ArrowDown', 'message:1'],
			['ArrowUp', 'message:0'],
			['End', 'message:99999'],
			['ArrowDown', 'message:99999'],
			['PageUp', `message:${99_999 - 16}`],
			['Home', 'call:1'],
			['ArrowUp', 'call:1'],
			['PageDown', 'message:15'],
			['ArrowLeft', 'call:1'],
			['ArrowRight', 'message:0'],
		] as const) {
			expect(press(key)).toBe(true);
			settle();
			expect([key, host.selected]).toEqual([key, expected]);
			expect(list().getAttribute('aria-activedescendant')).toBe(selected()?.id);
		}
	});

	it('fold and unfold by keyboard and with the mouse', async () => {
		const { host, settle, push, keys } = await open();
		keys('ArrowLeft');
		expect(host.sent('fold').at(-1)).toMatchObject({ key: 'call:1', open: false });
		push({ rows: host.rows.slice(0, 1).map((row) => ({ ...row, open: false })) });
		expect(drawn()).toHaveLength(1);
		expect(press('ArrowRight')).toBe(true);
		press('Enter');
		document.querySelector('[data-fold]')?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
		settle();
		expect(host.sent('fold').map((message) => message.open)).toEqual([false, true, true, true]);
	});

	it('open as JSON with Enter or a double click, and are copied with Ctrl+C', async () => {
		const { host, settle, keys } = await open();
		keys('ArrowDown');
		press('Enter');
		selected()?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
		press('c', { ctrlKey: true });
		settle();
		expect(host.sent('open').map(({ key }) => key)).toEqual(['message:0', 'message:0']);
		expect(host.sent('copy')).toMatchObject([{ key: 'message:0', part: 'all' }]);
	});

	it('are selected with the mouse', async () => {
		const { host, settle } = await open();
		byPlace()[3]
			?.querySelector('bdi')
			?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
		settle();
		expect(host.selected).toBe('message:2');
		expect(selected()).toBe(byPlace()[3]);
	});

	it('show what is new at the top to whoever is there, and keep the selection on its line', async () => {
		const { host, push, keys } = await open(rowsOf(10));
		keys('ArrowDown');
		push({ rows: [...rowsOf(2, 'call:2').map((row) => ({ ...row, key: `new ${row.key}` })), ...host.rows] });
		expect(list().scrollTop).toBe(0);
		expect(byPlace()).toHaveLength(14);
		expect(selected()?.id).toBe('row-4');
		keys('ArrowDown');
		expect(host.selected).toBe('message:1');
	});

	it('stay where they are read, whatever comes above them', async () => {
		const { host, push, settle } = await open(rowsOf(1_000));
		scrollTo(50.5);
		settle();
		push({ rows: [...rowsOf(499, 'call:2').map((row) => ({ ...row, key: `new ${row.key}` })), ...host.rows] });
		expect([list().scrollTop, document.getElementById('row-551')?.textContent]).toEqual([
			550.5 * ROW,
			expect.stringContaining('tools/call #50'),
		]);
	});

	it('are asked for every second while a call runs', async () => {
		const { host, settle, push } = await open();
		push({ rows: host.rows.map((row, at) => (at === 0 ? { ...row, icon: 'running' } : row)) });
		const asked = host.sent('rows').length;
		for (let second = 1; second <= 3; second++) {
			vi.advanceTimersByTime(1_000);
			settle();
		}
		expect(host.sent('rows')).toHaveLength(asked + 3);
		expect(host.sent('detail').at(-1)).toEqual({ type: 'detail', key: 'call:1', known: '1' });
		push({ rows: rowsOf(20) });
		vi.advanceTimersByTime(2_000);
		settle();
		expect(host.sent('rows')).toHaveLength(asked + 5);
	});

	it('that have not changed are not drawn anew', async () => {
		const { host, push } = await open();
		const before = byPlace();
		push();
		expect(byPlace()).toEqual(before);
		push({ rows: host.rows.map((row, at) => (at === 1 ? { ...row, label: 'changed' } : row)) });
		const after = byPlace();
		expect(after[1]?.textContent).toContain('changed');
		expect([after[0], ...after.slice(2)]).toEqual([before[0], ...before.slice(2)]);
	});

	it('select another one when the selected one is gone', async () => {
		const { host, push, keys } = await open();
		keys('End');
		push({ rows: host.rows.slice(0, 5) });
		expect(host.selected).toBe('message:3');
	});

	it('begin to search when somebody types', async () => {
		const { host, settle } = await open();
		press('d');
		expect(document.activeElement).toBe(byName('input', 'Search'));
		expect(byName<HTMLInputElement>('input', 'Search').value).toBe('d');
		vi.advanceTimersByTime(200);
		settle();
		expect(host.sent('filter').at(-1)?.filter.text).toBe('d');
	});
});

describe('a page that was hidden', () => {
	it('comes back to where it was left, wherever that is by now', async () => {
		const { page, host, settle } = await open(rowsOf(1_000));
		page.receive({ type: 'reveal', line: { key: 'message:298', index: 299 }, ...host.part(260) });
		scrollTo(300.5);
		settle();
		const again = await startTimeline(page.state());
		const later = new TimelineHost((message) => again.receive(message), [...rowsOf(9, 'call:2'), ...host.rows]);
		later.receive(again.sent[0] as FromTimeline);
		const request = again.sent[1] as Extract<FromTimeline, { type: 'rows' }>;
		expect(request).toMatchObject({ anchor: { key: 'message:299', index: 300 }, selected: 'message:298' });
		later.receive(request);
		expect(list().scrollTop).toBe(310.5 * ROW);
		expect(document.getElementById('row-310')?.textContent).toContain('result #298');
		expect(selected()?.id).toBe('row-309');
	});

	it('shows the line that it is opened for, not where it was left', async () => {
		const { page, host, settle } = await open(rowsOf(1_000));
		scrollTo(300.5);
		settle();
		const again = await startTimeline(page.state());
		const later = new TimelineHost((message) => again.receive(message), host.rows);
		again.receive({ type: 'show', line: { key: 'message:699', index: 700 }, ...later.part(660) });
		expect(selected()?.id).toBe('row-700');
	});
});

describe('what a user looks for', () => {
	it('is asked for after a pause in typing, together with what was chosen', async () => {
		const { host, settle, choose } = await open();
		const search = byName<HTMLInputElement>('input', 'Search');
		type(search, 'pro');
		type(search, 'prod');
		vi.advanceTimersByTime(199);
		settle();
		expect(host.sent('filter')).toEqual([]);
		vi.advanceTimersByTime(1);
		settle();
		expect(host.sent('filter').map(({ filter }) => filter)).toEqual([{ ...NO_FILTER, text: 'prod' }]);
		choose('Show', 'errors');
		choose('Direction', 'sent');
		choose('Method', 'tools/call');
		expect(host.sent('filter').at(-1)?.filter).toEqual({
			...NO_FILTER,
			text: 'prod',
			show: 'errors',
			direction: 'sent',
			method: 'tools/call',
		});
	});

	it('is counted, and said to be incomplete while it is', async () => {
		const { page, host, settle, push } = await open();
		const count = () => document.querySelector('.count')?.textContent;
		expect(count()).toBe('21 messages');
		push({ more: { dropped: 7 } });
		expect(count()).toBe('21 messages; older ones forgotten: 7');
		push({ more: { found: { messages: 3, elicitations: 0 } } });
		expect(count()).toBe('3 of 21 messages');
		page.receive({ type: 'rows', ...host.rowsFrom(0), found: { messages: 3, elicitations: 1 }, searching: true });
		expect(count()).toBe('3 of 21 messages, 1 elicitation…');
		host.more = { found: { messages: 4, elicitations: 1 } };
		settle();
		expect(count()).toBe('4 of 21 messages, 1 elicitation');
	});

	it.each(['Enter', 'ArrowDown', 'Escape'])('leaves %s to an input method that is composing', async (key) => {
		await open();
		const search = byName<HTMLInputElement>('input', 'Search');
		type(search, 'ni');
		expect(press(key, { isComposing: true })).toBe(false);
		expect([search.value, document.activeElement]).toEqual(['ni', search]);
	});

	it('can be left: Enter leads to the lines, Escape takes the text away and then leads there as well', async () => {
		const { host, settle } = await open();
		const search = byName<HTMLInputElement>('input', 'Search');
		type(search, 'x');
		press('Enter');
		expect(document.activeElement).toBe(list());
		search.focus();
		press('Escape');
		expect([search.value, document.activeElement]).toEqual(['', search]);
		press('Escape');
		expect(document.activeElement).toBe(list());
		settle();
		expect(host.sent('filter').map(({ filter }) => filter.text)).toEqual(['x', '']);
	});

	it('offers servers where there are several, and keeps what is chosen when it is gone', async () => {
		const { push, choose } = await open();
		const server = byName<HTMLSelectElement>('select', 'Server');
		expect(server.hidden).toBe(true);
		push({ more: { servers: ['a', 'b'] } });
		expect([...server.options].map(({ text }) => text)).toEqual(['All servers', 'a', 'b']);
		choose('Server', 'b');
		push({ more: { servers: ['a'] } });
		expect([server.hidden, server.value]).toEqual([false, 'b']);
	});

	it('may be one call alone, and can be everything again', async () => {
		const { host, settle, push, keys } = await open();
		host.details = (key) => callDetail(key);
		keys('Home', 'ArrowDown', 'ArrowUp');
		button('More Actions…').click();
		button('Only This Call').click();
		settle();
		expect(host.sent('filter').at(-1)?.filter.group).toBe('call:1');
		push({ more: { only: 'deploy' } });
		button('Only deploy').click();
		settle();
		expect(host.sent('filter').at(-1)?.filter.group).toBe('');
	});

	it('may be warnings, which are marked in the lines', async () => {
		const { host, choose } = await open();
		expect(
			drawn()
				.filter((row) => row.querySelector('.icon.warned'))
				.map((row) => row.id),
		).toEqual(['row-6', 'row-16']);
		choose('Show', 'warnings');
		expect(host.sent('filter').at(-1)?.filter.show).toBe('warnings');
	});

	it('may be nothing that there is', async () => {
		const { page, host, settle, push } = await open([]);
		const empty = () => document.querySelector<HTMLElement>('.empty:not([hidden])')?.textContent;
		expect(empty()).toContain('Every call');
		page.receive({ type: 'rows', ...host.rowsFrom(0), found: { messages: 0, elicitations: 0 }, searching: true });
		expect(empty()).toBeUndefined();
		push({ more: { found: { messages: 0, elicitations: 0 } } });
		expect(empty()).toContain('Nothing matches.');
		button('Show Everything').click();
		settle();
		expect(host.sent('filter').at(-1)?.filter).toEqual(NO_FILTER);
		push({ rows: rowsOf(3), more: {} });
		expect(empty()).toBeUndefined();
	});
});

describe('the tools', () => {
	it('do what they say', async () => {
		const { host, settle } = await open();
		for (const name of ['Expand All', 'Collapse All', 'Copy the Selected Line', 'Export…', 'Clear Timeline']) {
			button(name).click();
		}
		settle();
		const told = host.received.filter(({ type: kind }) => kind !== 'rows');
		expect(told.slice(-5).map(({ type: kind, ...rest }) => [kind, rest])).toMatchObject([
			['foldAll', { open: true }],
			['foldAll', { open: false }],
			['copy', { key: 'call:1', part: 'all' }],
			['export', {}],
			['clear', {}],
		]);
	});

	it('have nothing to copy where nothing is selected', async () => {
		await open([]);
		expect(button('Copy the Selected Line').disabled).toBe(true);
	});

	it('say what was done', async () => {
		const { page } = await open();
		page.receive({ type: 'said', text: 'Copied.' });
		expect([...document.querySelectorAll('[role=status]')].map(({ textContent }) => textContent)).toContain('Copied.');
	});
});

describe('the search', () => {
	it('has the focus with Ctrl+F, and what was searched for is selected', async () => {
		await open();
		const box = byName<HTMLInputElement>('input', 'Search');
		type(box, 'deploy');
		list().focus();
		expect(press('f', { ctrlKey: true })).toBe(true);
		expect(document.activeElement).toBe(box);
		expect([box.selectionStart, box.selectionEnd]).toEqual([0, 6]);
	});

	it('marks each of its words in the lines and in the details, in any case, and hidden characters stay visible', async () => {
		const { keys, detail } = await open();
		detail(messageDetail('message:1', { label: 'RESULT\u202e #1' }));
		type(byName<HTMLInputElement>('input', 'Search'), 'result (true, x');
		keys('Enter');
		const marks = (root: Element | null) =>
			[...(root?.querySelectorAll('mark') ?? [])].map(({ textContent }) => textContent);
		expect(marks(document.getElementById('row-2'))).toEqual(['result']);
		expect(marks(details().querySelector('h1'))).toEqual(['RESULT']);
		expect(details().querySelector('h1')?.textContent).toBe('RESULT‹U+202E› #1');
		expect(marks(details().querySelector('pre'))).toEqual(['x']);
		expect(details().querySelector('pre')?.textContent).toBe('{\n  "a": [1, true, null, "x \\" y"]\n}');
		type(byName<HTMLInputElement>('input', 'Search'), '');
		press('Enter');
		expect(document.querySelector('mark')).toBeNull();
	});
});

describe('the actions of a line', () => {
	const names = (selector: string) => [...details().querySelectorAll(selector)].map(({ textContent }) => textContent);
	const actions = ['Replay…', 'Compare…', 'Export as Test'].map((text, at) => ({
		id: `${at}`,
		text,
		group: at === 0 ? '1' : '3',
	}));

	it('cannot be chosen while the details of another line are still shown', async () => {
		const { host, settle, keys, detail } = await open();
		keys('Home');
		detail(callDetail(host.selected ?? ''));
		expect(details().hasAttribute('inert')).toBe(false);
		press('ArrowDown');
		expect(details().hasAttribute('inert')).toBe(true);
		settle();
		detail(messageDetail(host.selected ?? ''));
		expect(details().hasAttribute('inert')).toBe(false);
	});

	it('are one button and a menu, which is gone through by keyboard', async () => {
		const { host, settle, detail } = await open();
		detail(callDetail('call:1', { actions }));
		expect(names('.head button.primary')).toEqual(['Replay…']);
		expect(names('[role=menuitem]')).toEqual([]);
		button('More Actions…').click();
		expect(names('[role=menuitem]')).toEqual(['Compare…', 'Export as Test', 'Open as JSON', 'Only This Call']);
		expect(names('hr + [role=menuitem]')).toEqual(['Open as JSON']);
		const focused = () => document.activeElement?.textContent;
		expect(focused()).toBe('Compare…');
		press('ArrowUp');
		expect(focused()).toBe('Only This Call');
		press('ArrowDown');
		press('ArrowDown');
		expect(focused()).toBe('Export as Test');
		button('Export as Test').click();
		settle();
		expect(host.sent('act')).toMatchObject([{ key: 'call:1', action: '2' }]);
		expect(names('[role=menuitem]')).toEqual([]);
		expect(document.activeElement).toBe(button('More Actions…'));
	});

	it('have what ends it in the first place, if there is nothing else, but never as the primary one', async () => {
		const { detail } = await open();
		detail(callDetail('call:1'));
		expect(names('.head .buttons > button')).toEqual(['Cancel Call']);
		expect(names('.head button.primary')).toEqual([]);
	});

	it('are out of the way again with Escape, or when the focus goes elsewhere', async () => {
		const { detail } = await open();
		detail(callDetail('call:1', { actions }));
		button('More Actions…').click();
		press('Escape');
		expect(document.activeElement).toBe(button('More Actions…'));
		expect(names('[role=menuitem]')).toEqual([]);
		button('More Actions…').click();
		list().focus();
		expect(names('[role=menuitem]')).toEqual([]);
	});
});

describe('the splitter', () => {
	const splitter = () => byName<HTMLElement>('[role=separator]', 'Size of the list');

	it('is moved by arrow keys between its ends, and what was chosen is remembered', async () => {
		const { page, host, keys } = await open();
		expect([splitter().ariaValueNow, splitter().ariaOrientation]).toEqual(['50', 'vertical']);
		splitter().focus();
		press('ArrowRight');
		press('ArrowRight');
		expect(splitter().ariaValueNow).toBe('54');
		press('Home');
		press('ArrowLeft');
		expect(splitter().ariaValueNow).toBe('20');
		keys('End');
		expect(host.sent('share').map(({ share }) => share)).toEqual([52, 54, 20, 20, 80]);
		expect(document.querySelector<HTMLElement>('.timeline')?.style.getPropertyValue('--list')).toBe('80fr');
		expect(page.root.querySelector('.lines')?.nextElementSibling).toBe(splitter());
	});

	it('is where the user has left it', async () => {
		const page = await startTimeline();
		new TimelineHost((message) => page.receive(message), rowsOf(1)).show(NO_FILTER, { share: 30 });
		expect(splitter().ariaValueNow).toBe('30');
	});
});

describe('the details', () => {
	const texts = (selector: string) => [...details().querySelectorAll(selector)].map(({ textContent }) => textContent);

	it('of a call are its outcome, both times, what was asked, its arguments and its result', async () => {
		const { detail } = await open();
		detail(callDetail('call:1'));
		expect(texts('h1')).toEqual(['deploy on demo']);
		expect(texts('h2')).toEqual(['Result', 'Elicitations', 'Arguments']);
		expect(texts('.clocks')).toEqual(['server 3.2 s · you 41 s']);
		expect(texts('.state')[0]).toMatch(/^running · .* · 2 rounds$/);
		expect(texts('.blocked')).toEqual(['It failed.']);
	});

	it('of a call tell whose each share of its time was: automatic is not you', async () => {
		const { detail } = await open();
		detail(callDetail('call:1', { times: { server: 30, person: 0, automatic: 41 } }));
		expect(texts('.clocks')).toEqual(['server 30 ms · automatic 41 ms']);
		const tones = [...details().querySelectorAll('.legend > span')].map(({ className, nextSibling }) => [
			className,
			nextSibling?.textContent,
		]);
		expect(tones).toEqual([
			['time-server', 'server 30 ms'],
			['time-automatic', 'automatic 41 ms'],
		]);
	});

	it('follow the clocks of a call without drawing anything else anew', async () => {
		const { detail } = await open();
		detail(callDetail('call:1'));
		const before = details().querySelector('pre');
		detail(callDetail('call:1', { times: { server: 4_200, person: 41_000, automatic: 0 } }));
		expect(texts('.clocks')).toEqual(['server 4.2 s · you 41 s']);
		expect(details().querySelector('pre')).toBe(before);
	});

	it('of an elicitation are what other revisions and libraries have to say of it, folded', async () => {
		const { detail } = await open();
		const note = {
			pointer: '/requestedSchema/properties/p',
			rule: 'refused',
			severity: 'info',
			text: 'Refused.',
		} as const;
		detail(elicitationDetail('elicitation:1:call:1', { notes: [note] }));
		expect(texts('.findings summary')).toEqual(['1 finding', 'Other revisions and libraries: 1']);
		expect([...details().querySelectorAll<HTMLDetailsElement>('.findings')].map(({ open }) => open)).toEqual([
			true,
			false,
		]);
	});

	it('of an elicitation are its message, states, fields, findings, answer and raw request', async () => {
		const { detail } = await open();
		detail(elicitationDetail('elicitation:1:call:1'));
		expect(texts('blockquote')).toEqual(['Deploy to production?\nNow?']);
		expect(texts('.steps li')).toEqual([expect.stringMatching(/^asked \d/), expect.stringMatching(/^accepted \d/)]);
		expect(texts('h2')).toEqual(['URL', 'Requested', 'Response', 'Request']);
		expect(texts('.fields > li')).toHaveLength(everyField.length + 1);
		expect(texts('.fields > li').at(-1)).toBe('3 more');
		expect(texts('.fields > li')[0]).toContain('Text · required');
		expect(details().querySelector('details')?.open).toBe(true);
		expect(details().querySelectorAll('.fields :is(input, select, textarea)')).toHaveLength(0);
	});

	it('of an elicitation name no revision where a recording does not tell it', async () => {
		const { detail } = await open();
		detail(elicitationDetail('elicitation:1:call:1', { revision: '' }));
		expect(details().querySelector('.note')?.textContent).toMatch(/^A request of [^·]+$/);
	});

	it('of a message are its JSON, its size, and what answers it after what time', async () => {
		const { host, settle, detail } = await open();
		detail(messageDetail('message:3', { truncated: true }));
		expect(details().textContent).toContain('Request: tools/call #1 · after 1.2 s');
		expect(details().textContent).toContain('123 bytes');
		expect(texts('.warning')).toHaveLength(1);
		expect(details().querySelector('pre')?.textContent).toBe('{\n  "a": [1, true, null, "x \\" y"]\n}');
		expect(texts('.json-name')).toEqual(['"a"']);
		expect(texts('.json-text')).toEqual(['"x \\" y"']);
		button('tools/call #1').click();
		button('deploy').click();
		settle();
		expect(host.sent('go').map(({ key }) => key)).toEqual(['message:1', 'call:1']);
	});

	it('can be copied in parts, opened, and acted upon', async () => {
		const { host, settle, detail } = await open();
		detail(callDetail('call:1'));
		button('Copy: Arguments').click();
		button('Copy: Result').click();
		button('More Actions…').click();
		button('Open as JSON').click();
		button('Cancel Call').click();
		detail(elicitationDetail('elicitation:1:call:1'));
		button('Copy: Response').click();
		button('Copy: Request').click();
		settle();
		expect(host.sent('copy').map(({ part }) => part)).toEqual(['arguments', 'result', 'answer', 'request']);
		expect(host.sent('open')).toMatchObject([{ key: 'call:1' }]);
		expect(host.sent('act')).toMatchObject([{ key: 'call:1', action: 'cancelCall' }]);
	});

	it('do nothing on a click on a button in whose place another one has just come', async () => {
		const { page, detail } = await open();
		const withAction = (id: string, text: string) =>
			detail(elicitationDetail('elicitation:1:call:1', { actions: [{ id, text, group: '' }] }));
		const acts = () => page.sent.filter(({ type }) => type === 'act');
		withAction('openElicitation', 'Respond');
		withAction('saveAnswerAsScript', 'Save Response as Script');
		button('Save Response as Script').click();
		expect(acts()).toEqual([]);
		vi.advanceTimersByTime(500);
		button('Save Response as Script').click();
		expect(acts()).toHaveLength(1);
	});

	it('show masked input only on request', async () => {
		const { detail } = await open();
		const answer = { text: '"planted"', cut: 0, masked: { text: '"‹redacted›"', cut: 0 } };
		detail(elicitationDetail('elicitation:1:call:1', { answer }));
		const shown = () => details().querySelector('pre')?.textContent;
		const show = () => button('Show: Response');
		expect([shown(), show().getAttribute('aria-pressed')]).toEqual(['"‹redacted›"', 'false']);
		show().click();
		expect([shown(), show().getAttribute('aria-pressed')]).toEqual(['"planted"', 'true']);
		detail(elicitationDetail('elicitation:2:call:1', { answer }));
		expect(shown()).toBe('"‹redacted›"');
	});

	it('keep the focus and the place when they change', async () => {
		const { detail } = await open();
		detail(callDetail('call:1'));
		button('Copy: Result').focus();
		details().scrollTop = 40;
		detail(callDetail('call:1', { rounds: 3 }));
		expect(document.activeElement).toBe(button('Copy: Result'));
		expect(details().scrollTop).toBe(40);
		detail(callDetail('call:2'));
		expect(details().scrollTop).toBe(0);
	});

	it('of a round and of what is outside of calls lead to their elicitations', async () => {
		const { host, settle, detail } = await open();
		const links = [{ key: 'elicitation:1:call:1', text: 'Deploy? · accepted' }];
		const base = { key: 'x', version: '', server: 'demo', actions: [], elicitations: links, messages: 3 };
		detail({ ...base, kind: 'round', number: 2, at: 1, call: { key: 'call:1', text: 'deploy' } });
		expect(texts('h1')).toEqual(['Round 2']);
		button('Deploy? · accepted').click();
		detail({ ...base, kind: 'outside' });
		expect(texts('h1')).toEqual(['Outside of calls demo']);
		button('Deploy? · accepted').click();
		settle();
		expect(host.sent('go')).toHaveLength(2);
	});

	it('say how much of a long JSON they leave out, and color no more than a page can bear', async () => {
		const { detail } = await open();
		const json = { text: `"${'x'.repeat(40_000)}"`, cut: 1_000 };
		detail(messageDetail('message:1', { json }));
		expect(details().querySelectorAll('.json-text')).toHaveLength(0);
		expect(details().textContent).toContain('Not shown: 1000 characters.');
	});

	it('are gone with their line', async () => {
		const { detail } = await open();
		detail(callDetail('call:1'));
		detail();
		expect(details().textContent).toBe('Select a line to see all of it.');
	});
});

describe('what the host says', () => {
	it('brings a line into view, and shows the filter that was changed for it', async () => {
		const { page, host, settle } = await open(rowsOf(1_000));
		const line = { key: 'message:499', index: 500 };
		page.receive({ type: 'reveal', line, ...host.part(460), filter: { ...NO_FILTER, show: 'errors' } });
		settle();
		expect(host.selected).toBe('message:499');
		expect(selected()?.id).toBe('row-500');
		expect(byName<HTMLSelectElement>('select', 'Show').value).toBe('errors');
	});

	it('is dropped where it is of an unknown type', async () => {
		const { page } = await open();
		const before = document.body.innerHTML;
		page.receive({ type: 'other' });
		expect(document.body.innerHTML).toBe(before);
	});

	it.each([
		['waits until a button of the mouse is released', ['pointerup'], [3]],
		['is what came last also if that comes right after the button is released', ['pointerup'], [3, 5]],
		// As for scrolling; and a menu of the system may take the release.
		['does not wait for a button whose press the system has taken away', ['pointercancel'], [3]],
		['does not wait for a button whose press opens a menu', ['contextmenu'], [3]],
	] as const)('%s', async (_what, [release], [during, after]) => {
		const { page } = await open();
		const rows = (messages: number) =>
			page.receive({ type: 'rows', ...new TimelineHost(() => {}, rowsOf(messages)).rowsFrom(0) });
		document.dispatchEvent(new Event('pointerdown', { bubbles: true }));
		rows(during);
		expect(drawn()).toHaveLength(21);
		document.dispatchEvent(new Event(release, { bubbles: true }));
		if (after !== undefined) {
			rows(after);
		}
		vi.runOnlyPendingTimers();
		expect(drawn()).toHaveLength(1 + (after ?? during));
	});
});
