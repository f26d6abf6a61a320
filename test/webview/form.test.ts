import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Field } from '../../src/elicitation/form/fields.ts';
import type { FormModel } from '../../src/protocol.ts';
import {
	alerts,
	button,
	byName,
	type FormPage,
	formPage,
	modelOf,
	openForm,
	pause,
	press,
	startForm,
	type,
} from './page.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const text = (key: string, more: Partial<Field> = {}): Field =>
	({ kind: 'text', entry: 'line', key, label: key, required: false, nullable: false, ...more }) as Field;
const blank = { kind: 'text', text: '' } as const;
const one = (model: Partial<FormModel> = {}) => openForm({ fields: [text('a')], inputs: [blank], ...model });
const area: Partial<Field> = { kind: 'text', entry: 'area' };
const withArea = () => openForm({ fields: [text('a'), text('notes', area)], inputs: [blank, blank] });
const many = Array.from({ length: 20 }, (_each, at) => ({ value: at, label: `${at}` }));
const box = (name: string) => byName<HTMLInputElement>('input', name);
const twoFields = () => openForm({ fields: [text('a'), text('b')], inputs: [blank, blank] });
const types = (page: FormPage) => page.sent.map((message) => message.type);
/** What the buttons at the end of the form say. */
const buttons = () =>
	[...document.querySelectorAll('footer button')]
		.filter((each) => !each.closest('[hidden], [inert]'))
		.map((each) => each.textContent);
const status = () => document.querySelector('footer [role=status]')?.textContent;

describe('the conversation with the host', () => {
	it('starts with ready, and says nothing more before the user acts', async () => {
		const page = formPage(await startForm());
		expect(page.sent).toEqual([{ type: 'ready' }]);
		page.receive({ type: 'show', model: modelOf({}) });
		page.review([{ text: 'Incomplete.' }]);
		expect(page.sent).toEqual([{ type: 'ready' }]);
	});

	it('sends the first change at once, and one after each pause in typing, with a growing revision', async () => {
		const page = await twoFields();
		type(box('a'), '1');
		expect(page.sent.slice(1)).toEqual([{ type: 'change', revision: 1, inputs: [{ kind: 'text', text: '1' }, blank] }]);
		type(box('a'), '12');
		vi.advanceTimersByTime(24);
		type(box('a'), '123');
		vi.advanceTimersByTime(24);
		expect(page.revision()).toBe(1);
		vi.advanceTimersByTime(1);
		expect(page.sent.slice(2)).toEqual([
			{ type: 'change', revision: 2, inputs: [{ kind: 'text', text: '123' }, blank] },
		]);
	});

	it('keeps what was entered when the webview is hidden and restored', async () => {
		const page = await twoFields();
		type(box('a'), 'kept');
		const restored = formPage(await startForm(page.state()));
		restored.receive({
			type: 'show',
			model: modelOf({ fields: [text('a'), text('b')], inputs: [blank, blank] }),
		});
		expect(box('a').value).toBe('kept');
		expect(restored.inputs()[0]).toEqual({ kind: 'text', text: 'kept' });
		press('Escape');
		expect(types(restored)).not.toContain('cancel');
	});

	it('translates what it says, and nothing that the server says', async () => {
		await openForm({ message: 'Accept' }, { Accept: '接受', 'Sent to {0} only': '仅发送给 {0}' });
		expect(button('接受').disabled).toBe(false);
		expect(document.querySelector('.recipient')?.textContent).toBe('仅发送给 demo');
		expect(document.querySelector('blockquote')?.textContent).toBe('Accept');
	});
});

it('the preview of another client says whose it is and what it does to each field, and shows what it would send', async () => {
	await openForm({
		purpose: 'preview',
		fields: [text('a'), text('b')],
		inputs: [blank, blank],
		notice: ['As Client 1.0', 'There is no Decline button.'],
		notes: [['Not checked: pattern.'], []],
		declines: false,
	});
	expect(document.querySelector('.body [role=note]')?.textContent).toBe('As Client 1.0There is no Decline button.');
	expect(document.querySelectorAll('.notes')).toHaveLength(1);
	expect(box('a').getAttribute('aria-describedby')).toContain(document.querySelector('.notes')?.id);
	expect(() => button('Decline')).toThrow();
	expect(document.querySelector('details.json')?.hasAttribute('open')).toBe(true);
	expect(document.querySelector<HTMLTextAreaElement>('#json-answer')?.readOnly).toBe(true);
});

describe('submitting', () => {
	it('sends at once, and disables the buttons until the answer', async () => {
		const page = await twoFields();
		type(box('b'), 'now');
		button('Accept').click();
		expect(page.sent.at(-1)).toEqual({
			type: 'submit',
			revision: 2,
			inputs: [blank, { kind: 'text', text: 'now' }],
		});
		expect(['Accept', 'Decline', 'Cancel'].filter((name) => !button(name).disabled)).toEqual([]);
		button('Accept').click();
		pause();
		expect(types(page)).toEqual(['ready', 'change', 'submit']);
	});

	it('shows every problem of a refusal, goes to the first and can be tried again', async () => {
		const page = await twoFields();
		box('b').focus();
		button('Accept').click();
		page.review([{ field: 1, text: 'Second.' }, { field: 0, text: 'First.' }, { text: 'Whole.' }], true);
		expect(alerts()).toEqual(['First.', 'Second.', 'Whole.']);
		expect(document.activeElement).toBe(box('a'));
		expect(button('Accept').disabled).toBe(false);
		const mark = document.querySelector('.invalid');
		button('Decline').focus();
		press('Enter', { ctrlKey: true });
		expect(types(page).filter((each) => each === 'submit')).toHaveLength(2);
		page.review([{ field: 1, text: 'Second.' }, { field: 0, text: 'First.' }, { text: 'Whole.' }], true);
		// It is drawn anew, which shows that the key was heard.
		expect(document.querySelector('.invalid')).not.toBe(mark);
	});

	it('goes to the message when the problem belongs to no field', async () => {
		const page = await twoFields();
		button('Accept').click();
		page.review([{ field: 99, text: 'Whole.' }], true);
		expect(document.activeElement?.textContent).toBe('Whole.');
	});

	it.each([
		['Enter in a line', {}, 'a'],
		['Ctrl+Enter', { ctrlKey: true }, 'a'],
		['Cmd+Enter', { metaKey: true }, 'a'],
		['Ctrl+Enter in a text area', { ctrlKey: true }, 'notes'],
	])('%s submits', async (_what, modifiers, field) => {
		const page = await withArea();
		type(byName<HTMLInputElement>('input, textarea', field), 'x');
		press('Enter', modifiers);
		expect(types(page).at(-1)).toBe('submit');
	});

	it('Enter in a field submits only what the user has changed or moved something in: it may be meant for something else', async () => {
		const page = await twoFields();
		press('Enter');
		expect(types(page)).not.toContain('submit');
		press('ArrowRight');
		press('Enter');
		expect(types(page).at(-1)).toBe('submit');
	});

	it.each([0, 50, 400, 499])('no key settles anything %i ms after the form has appeared', async (after) => {
		const page = await one();
		type(box('a'), 'x');
		for (const [key, modifiers] of [
			['Enter', {}],
			['Enter', { ctrlKey: true }],
			['Escape', {}],
		] as const) {
			expect(press(key, modifiers, after), key).toBe(true);
		}
		button('Accept').focus();
		expect(press(' ', {}, after), 'Space').toBe(true);
		box('a').focus();
		expect(types(page)).toEqual(['ready', 'change']);
		expect(button('Accept').closest('[inert]')).toBe(null);
		press('Enter', {}, 550);
		expect(types(page).at(-1)).toBe('submit');
	});

	it('a space is written into a text field from the first moment on', async () => {
		await one();
		box('a').focus();
		expect(press(' ', {}, 0)).toBe(false);
	});

	it('a key that is held down since before settles nothing, nor does one right after the form has got the focus', async () => {
		const page = await one();
		type(box('a'), 'x');
		press('Enter', { repeat: true });
		window.dispatchEvent(new Event('focus'));
		press('Enter', {}, 100);
		expect(types(page)).not.toContain('submit');
		press('Enter');
		expect(types(page).at(-1)).toBe('submit');
	});

	it.each([
		['Enter in a text area', 'notes', {}],
		['Enter that ends an input method', 'a', { isComposing: true }],
		['Enter that has ended an input method in Safari', 'a', { keyCode: 229 }],
	])('%s does not', async (_what, field, more) => {
		const page = await withArea();
		byName<HTMLElement>('input, textarea', field).focus();
		press('Enter', more);
		expect(types(page)).not.toContain('submit');
	});

	it('Enter on a control for files does not, and opens its dialog', async () => {
		const report = text('report', { file: { accept: [], maxSize: 1024 } } as Partial<Field>);
		const page = await openForm({ fields: [report], inputs: [blank] });
		byName<HTMLInputElement>('input', 'report').focus();
		press('Tab');
		expect(press('Enter')).toBe(false);
		expect(types(page)).not.toContain('submit');
	});

	it('is impossible when the request is blocked, and says why', async () => {
		const page = await openForm({ blocked: 'It cannot be met.' });
		expect(button('Accept').disabled).toBe(true);
		expect(document.getElementById(button('Accept').getAttribute('aria-describedby') ?? '')?.textContent).toBe(
			'It cannot be met.',
		);
		press('Enter', { ctrlKey: true });
		expect(types(page)).not.toContain('submit');
		expect(document.activeElement?.textContent).toBe('It cannot be met.');
		button('Decline').click();
		expect(types(page).at(-1)).toBe('decline');
	});
});

describe('errors', () => {
	it.each([
		['that only had the focus', () => {}, []],
		['that was changed back', () => ['x', ''].map((entry) => type(box('a'), entry)), ['Missing.']],
	])('are shown at a field %s: %s', async (_what, act, shown) => {
		const page = await twoFields();
		page.review([{ field: 0, text: 'Missing.' }]);
		box('a').focus();
		act();
		pause();
		page.review([{ field: 0, text: 'Missing.' }]);
		box('b').focus();
		expect(alerts()).toEqual(shown);
	});

	it.each<[Partial<Field>, string, boolean]>([
		[{ kind: 'number', integer: true }, '4x', true],
		[{ kind: 'number', integer: false }, '-1.5e', false],
		[{ kind: 'number', integer: false }, 'one', true],
		[{ kind: 'text' }, '4x', false],
	] as [Partial<Field>, string, boolean][])(
		'wait only as long as typing on can mend it: %j %s',
		async (field, entry, isHopeless) => {
			const page = await openForm({ fields: [text('a', field)], inputs: [blank] });
			type(box('a'), entry);
			pause();
			page.review([{ field: 0, text: 'Wrong.' }]);
			expect(alerts()).toEqual(isHopeless ? ['Wrong.'] : []);
		},
	);

	it('wait until the field was left, then follow the typing', async () => {
		const page = await twoFields();
		type(box('a'), 'x');
		pause();
		page.review([
			{ field: 0, text: 'Too short.' },
			{ field: 1, text: 'Missing.' },
		]);
		expect(alerts()).toEqual([]);
		box('b').focus();
		expect(alerts()).toEqual(['Too short.']);
		type(box('a'), 'long enough');
		pause();
		page.review([{ field: 1, text: 'Missing.' }]);
		expect(alerts()).toEqual([]);
	});

	it('wait, too, while only another part of the window has the focus', async () => {
		const page = await twoFields();
		box('a').focus();
		type(box('a'), '');
		// The page keeps its active element then.
		box('a').dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
		pause();
		page.review([{ field: 0, text: 'Missing.' }]);
		expect(alerts()).toEqual([]);
	});

	it('are tied to their control', async () => {
		const page = await twoFields();
		page.review([{ field: 0, text: 'Wrong.' }], true);
		const error = document.querySelector('.field > .problem');
		expect(box('a').getAttribute('aria-invalid')).toBe('true');
		expect(box('a').getAttribute('aria-describedby')?.split(' ')).toContain(error?.id);
		page.review([]);
		expect(box('a').hasAttribute('aria-invalid')).toBe(false);
		expect(box('a').hasAttribute('aria-describedby')).toBe(false);
	});

	it('leave an unchanged alert alone, so that it is not read out again', async () => {
		const page = await twoFields();
		page.review([{ field: 0, text: 'Wrong.' }, { text: 'Whole.' }], true);
		const nodes = () => [...document.querySelectorAll('[role=alert]')].map((alert) => alert.firstChild);
		const before = nodes();
		page.review([{ field: 0, text: 'Wrong.' }, { text: 'Whole.' }]);
		expect(before).toHaveLength(1);
		expect(nodes().every((node, at) => node === before[at])).toBe(true);
	});
});

describe('leaving', () => {
	it('Escape cancels at once when nothing was entered', async () => {
		const page = await twoFields();
		press('Escape');
		expect(page.sent.at(-1)).toEqual({ type: 'cancel' });
	});

	it('Escape asks first when something was entered; a second Escape goes on editing', async () => {
		const page = await twoFields();
		type(box('b'), 'x');
		press('Escape');
		expect(types(page)).not.toContain('cancel');
		expect(document.activeElement).toBe(button('Keep Editing'));
		expect(buttons()).toEqual(['Keep Editing', 'Discard']);
		expect(document.getElementById('discard-prompt')?.textContent).toContain('The server is told that you cancelled.');
		press('Escape');
		expect(document.activeElement).toBe(box('b'));
		press('Escape');
		button('Keep Editing').click();
		expect(document.activeElement).toBe(box('b'));
		press('Escape');
		button('Discard').click();
		expect(types(page).filter((each) => each === 'cancel')).toHaveLength(1);
	});

	it('Escape asks first when something was entered in pickers', async () => {
		const page = await openForm({ fields: [text('a')], inputs: [{ kind: 'text', text: 'x' }], edited: true });
		press('Escape');
		expect(types(page)).not.toContain('cancel');
		button('Discard').click();
		expect(types(page)).toContain('cancel');
	});

	it('each button sends its message, once', async () => {
		const page = await twoFields();
		button('Decline').click();
		button('Cancel').click();
		press('Escape');
		expect(types(page)).toEqual(['ready', 'decline']);
	});
});

describe('withdrawn', () => {
	it('D03: it says what the server was told, where it was told anything', async () => {
		const page = await openForm({});
		page.receive({ type: 'withdrawn', reason: 'The call was cancelled.', cancelled: true });
		expect(status()).toBe('The call was cancelled. "cancel" was sent to the server.');
	});

	it('no longer says how and to whom the response is sent', async () => {
		const page = await openForm({});
		const says = () => ['Sent to', 'Ctrl+Enter'].map((words) => document.body.textContent?.includes(words));
		expect(says()).toEqual([true, true]);
		page.receive({ type: 'withdrawn', reason: 'The server went away.' });
		expect(says()).toEqual([false, false]);
	});

	it('disables everything, says why in one line, and sends nothing any more', async () => {
		const page = await openForm({
			fields: [text('a'), { kind: 'choices', key: 'c', label: 'c', required: false, nullable: false, options: many }],
			inputs: [blank, { kind: 'choices', indexes: null }],
		});
		type(box('a'), 'draft');
		page.receive({ type: 'withdrawn', reason: 'The server went away.' });
		expect(status()).toBe('The server went away. Nothing was sent.');
		expect(document.querySelectorAll('input:enabled, button:enabled')).toHaveLength(0);
		expect(box('a').value).toBe('draft');
		const before = page.sent.length;
		type(box('a'), 'later');
		press('Escape');
		(document.activeElement as HTMLElement).blur();
		press('Enter', { ctrlKey: true });
		pause();
		expect(page.sent.slice(before)).toEqual([]);
		expect(document.activeElement).toBe(document.querySelector('footer .status'));
	});
});

describe('focus', () => {
	it('starts on the first field that can be filled, never on Accept', async () => {
		const fixed: Field = { kind: 'const', key: 'v', label: 'v', required: true, nullable: false, value: 1 };
		await openForm({ fields: [fixed, text('a')], inputs: [{ kind: 'const' }, blank] });
		expect(document.activeElement).toBe(box('a'));
	});

	it('starts on the heading when there are no fields', async () => {
		await openForm({});
		expect(document.activeElement?.tagName).toBe('H1');
	});

	it('is not taken by a form in the background, but given to it when the user comes', async () => {
		const page = formPage(await startForm());
		vi.spyOn(document, 'hasFocus').mockReturnValue(false);
		page.receive({ type: 'show', model: modelOf({ fields: [text('a')], inputs: [blank] }) });
		expect(document.activeElement).toBe(document.body);
		window.dispatchEvent(new Event('focus'));
		expect(document.activeElement).toBe(box('a'));
	});
});

describe('the header', () => {
	const origin = () => document.querySelector('.origin')?.textContent;

	it.each([
		[[{ kind: 'tool', name: 'deploy' }], 'requested by tool deploy · 12 s ago'],
		[[{ kind: 'prompt', name: 'greet' }], 'requested by prompt greet · 12 s ago'],
		[
			[{ kind: 'tool', name: 'a', via: 'called by agent mode' }],
			'requested by tool a, called by agent mode · 12 s ago',
		],
		[[{ kind: 'resource', name: 'a:b' }], 'requested by resource a:b · 12 s ago'],
		[
			[
				{ kind: 'tool', name: 'deploy' },
				{ kind: 'resource', name: 'a:b' },
			],
			'requested by one of deploy, a:b · 12 s ago',
		],
		[[], 'requested by the server itself · 12 s ago'],
	] as const)('names who asks: %j', async (calls, shown) => {
		await openForm({ calls, receivedAt: Date.now() - 12_000 });
		expect(origin()).toBe(shown);
	});

	it('grows older while it is seen, without a timer while it is hidden', async () => {
		await openForm({});
		expect(origin()).toContain('just now');
		vi.advanceTimersByTime(20_000);
		expect(origin()).toContain('20 s ago');
		vi.advanceTimersByTime(100_000);
		expect(origin()).toContain('2 min ago');
		pause();
		const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
		document.dispatchEvent(new Event('visibilitychange'));
		expect(vi.getTimerCount()).toBe(0);
		vi.setSystemTime(Date.now() + 3_600_000);
		hidden.mockReturnValue('visible');
		document.dispatchEvent(new Event('visibilitychange'));
		expect(origin()).toContain('1 h ago');
	});

	it('shows the configured name, and what the server calls itself only beside it and shortened', async () => {
		await openForm({ serverTitle: 'x'.repeat(100) });
		expect(document.querySelector('h1')?.textContent).toBe('demo');
		expect(document.querySelector('.own')?.textContent).toBe(`calls itself ${'x'.repeat(63)}…`);
	});

	it('asks for arguments with Call and Cancel', async () => {
		await openForm({ purpose: 'arguments', message: '' });
		expect(document.querySelector('h1')?.textContent).toBe('deploy on demo');
		expect(document.querySelector('blockquote')).toBeNull();
		expect(buttons()).toEqual(['Call', 'Cancel']);
	});
});

describe('a preview', () => {
	it('is the form itself and says that nothing is sent', async () => {
		await openForm({ purpose: 'preview', server: 'schema.json', calls: [] });
		expect(document.querySelector('h1')?.textContent).toBe('schema.json');
		expect(document.querySelector('header > .banner')?.textContent).toBe(
			'This is a preview. Nothing is sent to a server.',
		);
		expect(document.querySelector('.recipient')?.textContent).toBe('Nothing is sent');
		expect(buttons()).toEqual(['Check Response', 'Decline', 'Cancel']);
	});

	it('gives way to the next one, with the answers that the host has carried over', async () => {
		const page = await openForm({ purpose: 'preview', fields: [text('a')], inputs: [{ kind: 'text', text: 'old' }] });
		const model = modelOf({
			purpose: 'preview',
			message: 'Another elicitation',
			fields: [text('b')],
			inputs: [{ kind: 'text', text: 'carried' }],
		});
		page.receive({ type: 'show', model, instead: true });
		expect(document.querySelector('blockquote')?.textContent).toBe('Another elicitation');
		expect(document.querySelectorAll('form')).toHaveLength(1);
		expect(document.querySelector<HTMLInputElement>('input')?.value).toBe('carried');
	});
});

describe('findings', () => {
	it('are folded, with the place, the rule, what is done about it and a mark for warnings', async () => {
		await openForm({
			findings: [
				{
					pointer: '/requestedSchema/properties/a',
					rule: 'nested',
					severity: 'info',
					text: 'It is nested.',
					handling: 'It is asked as JSON.',
				},
				{ pointer: '', rule: 'sensitive', severity: 'warning', text: 'It asks for a secret.' },
			],
		});
		const list = document.querySelector<HTMLDetailsElement>('details.findings');
		expect(list?.open).toBe(false);
		expect(list?.querySelector('summary')?.textContent).toBe('2 findings');
		const items = [...(list?.querySelectorAll('li') ?? [])];
		expect(items.map((item) => item.querySelector('p')?.textContent)).toEqual([
			'It is nested. It is asked as JSON.',
			'Warning: It asks for a secret.',
		]);
		expect(items.map((item) => [...item.querySelectorAll('code')].map((code) => code.textContent))).toEqual([
			['/requestedSchema/properties/a', 'nested'],
			['sensitive'],
		]);
		expect(items.map((item) => item.querySelector('.caution') !== null)).toEqual([false, true]);
	});

	it('leave nothing behind when there are none', async () => {
		await openForm({});
		expect([...document.querySelectorAll('summary')].map((each) => each.textContent)).toEqual(['Response as JSON']);
	});

	it('do not hide a warning: it stands by the buttons', async () => {
		await openForm({ warnings: ['It asks for a secret.'] });
		expect(document.querySelector('footer .warning')?.textContent).toBe('It asks for a secret.');
	});
});

describe('the way to the pickers', () => {
	it('is offered only where there is one', async () => {
		await openForm({});
		expect(() => button('Use Pickers')).toThrow();
	});

	it('takes along what was entered, without waiting', async () => {
		const page = await one({ pickers: true });
		type(box('a'), 'x');
		button('Use Pickers').click();
		expect(page.sent.at(-1)).toEqual({
			type: 'pickers',
			inputs: [{ kind: 'text', text: 'x' }],
		});
		pause();
		expect(types(page)).toEqual(['ready', 'change', 'pickers']);
	});
});

describe('what is read out', () => {
	const said = () => document.querySelector('form > [role=status]')?.textContent;

	it('is how many problems a refusal has, and nothing while typing', async () => {
		const page = await twoFields();
		type(box('a'), 'x');
		pause();
		page.review([{ field: 0, text: 'Wrong.' }]);
		expect(said()).toBe('');
		button('Accept').click();
		page.review([{ field: 0, text: 'Wrong.' }, { text: 'Whole.' }], true);
		expect(said()).toBe('2 problems');
		button('Accept').click();
		expect(said()).toBe('');
		page.review([{ field: 0, text: 'Wrong.' }], true);
		expect(said()).toBe('1 problem');
	});

	it('is each problem once: the only region that speaks names the field that was left, until that is mended', async () => {
		const page = await twoFields();
		type(box('a'), 'x');
		pause();
		page.review([{ field: 0, text: 'Wrong.' }]);
		box('b').focus();
		expect(said()).toBe('a: Wrong.');
		expect(document.querySelectorAll('[role=alert], [aria-live]')).toHaveLength(0);
		type(box('a'), 'xy');
		pause();
		page.review([]);
		expect(said()).toBe('');
	});

	it('is not said again while it stays the same', async () => {
		const page = await twoFields();
		const review = {
			type: 'review',
			problems: [],
			json: '{}',
			refused: false,
			unchecked: 'The server\u202e will check.',
		};
		page.receive({ ...review, revision: 0 });
		expect(status()).toBe('The server‹U+202E› will check.');
		const node = document.querySelector('footer [role=status]')?.firstChild;
		type(box('a'), 'x');
		pause();
		page.receive({ ...review, revision: 1 });
		expect(document.querySelector('footer [role=status]')?.firstChild).toBe(node);
	});
});

describe('the draft of a language model', () => {
	it('is requested by a button, where one can be made', async () => {
		const page = await one({ purpose: 'sampling' });
		button('Draft with Language Model…').click();
		expect(page.sent.at(-1)).toEqual({ type: 'draft' });
		await openForm({});
		expect(() => button('Draft with Language Model…')).toThrow();
	});

	it('fills the form, and is checked like what is entered', async () => {
		const page = await one({ purpose: 'sampling' });
		const inputs = [{ kind: 'text', text: 'drafted' }] as const;
		page.receive({ type: 'drafted', inputs });
		expect(box('a').value).toBe('drafted');
		expect(page.sent.at(-1)).toMatchObject({ type: 'change', inputs });
	});
});
