import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Field, Option } from '../../src/elicitation/form/fields.ts';
import type { Input } from '../../src/elicitation/form/inputs.ts';
import { alerts, button, byName, openField, openForm, pause, press, type } from './page.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const base = { key: 'x', label: 'X', required: false, nullable: false };
const options = (count: number): Option[] =>
	Array.from({ length: count }, (_each, at) => ({ value: at, label: `Option ${at}` }));
const textbox = () => byName<HTMLInputElement>('input, textarea', 'X');
const tick = (name: string) => byName<HTMLInputElement>('input', name).click();

interface Case {
	readonly what: string;
	readonly field: Field;
	readonly start: Input;
	readonly act: () => void;
	readonly sent: Input;
}

const cases: Case[] = [
	{
		what: 'a line of text',
		field: { ...base, kind: 'text', entry: 'line' },
		start: { kind: 'text', text: '' },
		act: () => type(textbox(), ' typed '),
		sent: { kind: 'text', text: ' typed ' },
	},
	{
		what: 'an international email address, unchanged',
		field: { ...base, kind: 'text', entry: 'email' },
		start: { kind: 'text', text: '' },
		act: () => type(textbox(), ' 用户@例子.公司 '),
		sent: { kind: 'text', text: ' 用户@例子.公司 ' },
	},
	{
		what: 'several lines',
		field: { ...base, kind: 'text', entry: 'area' },
		start: { kind: 'text', text: 'a' },
		act: () => type(textbox(), 'a\nb'),
		sent: { kind: 'text', text: 'a\nb' },
	},
	{
		what: 'a number as it was typed, even when it is none',
		field: { ...base, kind: 'number', integer: false },
		start: { kind: 'text', text: '' },
		act: () => type(textbox(), '1,5e'),
		sent: { kind: 'text', text: '1,5e' },
	},
	{
		what: 'a password',
		field: { ...base, kind: 'text', entry: 'password', secret: true },
		start: { kind: 'text', text: '' },
		act: () => type(textbox(), 'secret'),
		sent: { kind: 'text', text: 'secret' },
	},
	{
		what: 'JSON',
		field: { ...base, kind: 'json' },
		start: { kind: 'text', text: '' },
		act: () => type(textbox(), '{"a":1}'),
		sent: { kind: 'text', text: '{"a":1}' },
	},
	{
		what: 'a date',
		field: { ...base, kind: 'text', entry: 'date' },
		start: { kind: 'text', text: '' },
		act: () => type(textbox(), '2026-05-01'),
		sent: { kind: 'text', text: '2026-05-01' },
	},
	{
		what: 'a date typed as text',
		field: { ...base, kind: 'text', entry: 'date' },
		start: { kind: 'text', text: '' },
		act: () => {
			button('Type as Text').click();
			type(textbox(), 'tomorrow');
		},
		sent: { kind: 'text', text: 'tomorrow' },
	},
	{
		what: 'false, which is not "no response"',
		field: { ...base, kind: 'boolean' },
		start: { kind: 'boolean', value: null },
		act: () => tick('No'),
		sent: { kind: 'boolean', value: false },
	},
	{
		what: 'the way back to no answer for a boolean',
		field: { ...base, kind: 'boolean' },
		start: { kind: 'boolean', value: true },
		act: () => tick('Not set'),
		sent: { kind: 'boolean', value: null },
	},
	{
		what: 'a required boolean that may be null',
		field: { ...base, kind: 'boolean', required: true, nullable: true },
		start: { kind: 'boolean', value: true },
		act: () => tick('Empty (null)'),
		sent: { kind: 'boolean', value: null },
	},
	{
		what: 'one of few',
		field: { ...base, kind: 'choice', options: options(7) },
		start: { kind: 'choice', index: null },
		act: () => tick('Option 6'),
		sent: { kind: 'choice', index: 6 },
	},
	{
		what: 'the way back to no answer for one of few',
		field: { ...base, kind: 'choice', options: options(2) },
		start: { kind: 'choice', index: 0 },
		act: () => tick('Not set'),
		sent: { kind: 'choice', index: null },
	},
	{
		what: 'one of ten thousand, by searching',
		field: { ...base, kind: 'choice', options: options(10_000) },
		start: { kind: 'choice', index: null },
		act: () => {
			type(textbox(), 'option 9876');
			press('Enter');
		},
		sent: { kind: 'choice', index: 9876 },
	},
	{
		what: 'one of many, by arrow keys',
		field: { ...base, kind: 'choice', required: true, options: options(8) },
		start: { kind: 'choice', index: 2 },
		act: () => {
			textbox().focus();
			press('ArrowDown');
			press('ArrowDown');
			press('Enter');
		},
		sent: { kind: 'choice', index: 3 },
	},
	{
		what: 'one of many, emptied',
		field: { ...base, kind: 'choice', options: options(8) },
		start: { kind: 'choice', index: 2 },
		act: () => {
			type(textbox(), '');
			textbox().blur();
		},
		sent: { kind: 'choice', index: null },
	},
	{
		what: 'one of many, left with a text that names just one',
		field: { ...base, kind: 'choice', options: options(20) },
		start: { kind: 'choice', index: null },
		act: () => {
			type(textbox(), 'OPTION 1');
			textbox().blur();
		},
		sent: { kind: 'choice', index: 1 },
	},
	{
		what: 'several of few, in the order of the options',
		field: { ...base, kind: 'choices', options: options(3) },
		start: { kind: 'choices', indexes: null },
		act: () => {
			tick('Option 2');
			tick('Option 0');
		},
		sent: { kind: 'choices', indexes: [0, 2] },
	},
	{
		what: 'everything unticked where an answer is optional: no answer',
		field: { ...base, kind: 'choices', options: options(3) },
		start: { kind: 'choices', indexes: [1] },
		act: () => tick('Option 1'),
		sent: { kind: 'choices', indexes: null },
	},
	{
		what: 'everything unticked where an answer is required: the empty list',
		field: { ...base, kind: 'choices', required: true, options: options(3) },
		start: { kind: 'choices', indexes: [1] },
		act: () => tick('Option 1'),
		sent: { kind: 'choices', indexes: [] },
	},
	{
		what: 'several of many, by keyboard',
		field: { ...base, kind: 'choices', options: options(10_000) },
		start: { kind: 'choices', indexes: [3] },
		act: () => {
			type(byName('input', 'Search X'), 'option 500');
			press('ArrowDown');
			press(' ');
			press('ArrowDown');
			press(' ');
		},
		sent: { kind: 'choices', indexes: [3, 500, 1500] },
	},
	{
		what: 'several of many, cleared',
		field: { ...base, kind: 'choices', options: options(13) },
		start: { kind: 'choices', indexes: [3, 4] },
		act: () => button('Clear Selection').click(),
		sent: { kind: 'choices', indexes: null },
	},
	{
		what: 'a list, entered row by row',
		field: { ...base, kind: 'list', item: 'text' },
		start: { kind: 'list', items: null },
		act: () => {
			button('Add Entry').click();
			type(document.activeElement as HTMLInputElement, 'one');
			press('Enter');
			type(document.activeElement as HTMLInputElement, 'two');
		},
		sent: { kind: 'list', items: ['one', 'two'] },
	},
	{
		what: 'a list without its last row: no answer',
		field: { ...base, kind: 'list', item: 'text' },
		start: { kind: 'list', items: ['one'] },
		act: () => button('Remove entry 1').click(),
		sent: { kind: 'list', items: null },
	},
	{
		what: 'a required list without its last row: the empty list',
		field: { ...base, kind: 'list', required: true, item: 'integer' },
		start: { kind: 'list', items: ['1'] },
		act: () => button('Remove entry 1').click(),
		sent: { kind: 'list', items: [] },
	},
];

describe('what a field sends', () => {
	it.each(cases)('$what', async ({ field, start, act, sent }) => {
		const page = await openField(field, start);
		expect(page.sent.slice(1)).toEqual([{ type: 'change', revision: 1, inputs: [start] }]);
		act();
		pause();
		expect(page.sent.at(-1)).toEqual({ type: 'change', revision: 2, inputs: [sent] });
	});
});

describe('what nobody touched', () => {
	const untouched: [string, Field, Input][] = [
		['a line with a line break', { ...base, kind: 'text', entry: 'line' }, { kind: 'text', text: 'two\r\nlines' }],
		[
			'a moment in another zone',
			{ ...base, kind: 'text', entry: 'date-time' },
			{ kind: 'text', text: '2026-05-01T09:30:00+13:00' },
		],
		['a moment that is none', { ...base, kind: 'text', entry: 'date-time' }, { kind: 'text', text: 'soon' }],
		['a time in another zone', { ...base, kind: 'text', entry: 'time' }, { kind: 'text', text: '10:00:00+13:00' }],
		['a date that is none', { ...base, kind: 'text', entry: 'date' }, { kind: 'text', text: '01.05.2026' }],
		[
			'a date left out, for which the server proposes an empty text',
			{ ...base, kind: 'text', entry: 'date', default: '' },
			{ kind: 'text', text: null },
		],
		['an optional boolean', { ...base, kind: 'boolean' }, { kind: 'boolean', value: null }],
		['a required boolean', { ...base, kind: 'boolean', required: true }, { kind: 'boolean', value: null }],
		['one of few', { ...base, kind: 'choice', options: options(3) }, { kind: 'choice', index: null }],
		['one of many', { ...base, kind: 'choice', options: options(30) }, { kind: 'choice', index: null }],
		['several of few', { ...base, kind: 'choices', options: options(3) }, { kind: 'choices', indexes: null }],
		['several of few, empty', { ...base, kind: 'choices', options: options(3) }, { kind: 'choices', indexes: [] }],
		['several of many', { ...base, kind: 'choices', options: options(30) }, { kind: 'choices', indexes: null }],
		['a list', { ...base, kind: 'list', item: 'text' }, { kind: 'list', items: null }],
		['a list, empty', { ...base, kind: 'list', item: 'text' }, { kind: 'list', items: [] }],
		['a constant', { ...base, kind: 'const', value: { a: 1 } }, { kind: 'const' }],
	];
	it.each(untouched)('is sent as it came: %s', async (_what, field, input) => {
		const page = await openField(field, input);
		button('Accept').click();
		expect(page.sent.at(-1)).toEqual({ type: 'submit', revision: 2, inputs: [input] });
	});

	it.each([
		['a boolean', { ...base, kind: 'boolean', required: true }, { kind: 'boolean', value: null }],
		['a choice', { ...base, kind: 'choice', required: true, options: options(3) }, { kind: 'choice', index: null }],
	] satisfies [string, Field, Input][])('preselects nothing in %s that is required', async (_what, field, input) => {
		await openField(field, input);
		expect(document.querySelector('input:checked')).toBeNull();
	});

	it('shows "Not set" as the state of an optional choice', async () => {
		await openField({ ...base, kind: 'choice', options: options(3) }, { kind: 'choice', index: null });
		expect(byName<HTMLInputElement>('input', 'Not set').checked).toBe(true);
	});
});

describe('searched choices', () => {
	const many: Field = { ...base, kind: 'choice', options: options(10_000) };

	it('keeps few options in the page, and numbers them for assistive technology', async () => {
		await openField(many, { kind: 'choice', index: 5000 });
		textbox().click();
		const shown = [...document.querySelectorAll('[role=option]')];
		expect(shown.length).toBeLessThan(40);
		const active = document.getElementById(textbox().getAttribute('aria-activedescendant') ?? '');
		expect(active?.textContent).toBe('Option 5000');
		expect(active?.getAttribute('aria-selected')).toBe('true');
		expect(active?.getAttribute('aria-posinset')).toBe('5002');
		expect(active?.getAttribute('aria-setsize')).toBe('10001');
	});

	it('closes on Escape without cancelling the form, and shows the choice again', async () => {
		const page = await openField(many, { kind: 'choice', index: 7 });
		type(textbox(), 'zzz');
		expect(press('Escape')).toBe(true);
		expect(textbox().getAttribute('aria-expanded')).toBe('false');
		expect(textbox().value).toBe('Option 7');
		expect(page.sent.map((message) => message.type)).toEqual(['ready', 'change']);
	});

	it('take a typed text for the option of this name, also where no choice is called the same', async () => {
		const page = await openField(
			{ ...base, kind: 'choice', options: [...options(20), { label: 'Not set', value: 'unset' }] },
			{ kind: 'choice', index: 7 },
		);
		type(textbox(), 'Not set');
		button('Accept').click();
		expect(page.sent.at(-1)).toMatchObject({ type: 'submit', inputs: [{ kind: 'choice', index: 20 }] });
	});

	it('does not lose a text that matches nothing, and does not send the form with it', async () => {
		const page = await openField(many, { kind: 'choice', index: 7 });
		type(textbox(), 'Atlantis');
		button('Accept').click();
		expect(textbox().value).toBe('Atlantis');
		expect(alerts()).toEqual(['Choose one of the options.']);
		expect(document.activeElement).toBe(textbox());
		expect(page.sent.map((message) => message.type)).not.toContain('submit');
	});
});

describe('text from right to left', () => {
	it.each<[string, Field, string | null]>([
		['a line', { ...base, kind: 'text', entry: 'line' }, 'auto'],
		['several lines', { ...base, kind: 'text', entry: 'area' }, 'auto'],
		['a password', { ...base, kind: 'text', entry: 'password', secret: true }, 'auto'],
		['one of many', { ...base, kind: 'choice', options: options(20) }, 'auto'],
		['a constant', { ...base, kind: 'const', value: 'x' }, 'auto'],
		['JSON, which is code', { ...base, kind: 'json' }, 'ltr'],
	])('%s', async (_what, field, direction) => {
		await openField(field, { kind: 'text', text: '' });
		expect(textbox().getAttribute('dir')).toBe(direction);
	});
});

describe('secrets', () => {
	const shows = () => byName<HTMLButtonElement>('.field button', 'Show');

	it.each<[string, Field]>([
		['a password', { ...base, kind: 'text', entry: 'password', secret: true }],
		['a text', { ...base, kind: 'text', entry: 'line', secret: true }],
		['a number', { ...base, kind: 'number', integer: true, secret: true }],
	])('of %s are masked until they are shown', async (_what, field) => {
		await openField(field, { kind: 'text', text: '1234' });
		expect(textbox().type).toBe('password');
		expect(shows().getAttribute('aria-pressed')).toBe('false');
		shows().click();
		expect(textbox().type).toBe('text');
		expect(textbox().value).toBe('1234');
		expect(shows().getAttribute('aria-pressed')).toBe('true');
		shows().click();
		expect(textbox().type).toBe('password');
	});

	it('of a list are masked in every row', async () => {
		const { root } = await openField(
			{ ...base, kind: 'list', item: 'text', secret: true },
			{ kind: 'list', items: ['a', 'b'] },
		);
		const types = () => [...root.querySelectorAll('input')].map(({ type }) => type);
		expect(types()).toEqual(['password', 'password']);
		shows().click();
		expect(types()).toEqual(['text', 'text']);
	});

	it('of several lines are masked, too', async () => {
		await openField({ ...base, kind: 'json', secret: true }, { kind: 'text', text: '{"a":1}' });
		expect(textbox().className).toBe('code masked');
		shows().click();
		expect(textbox().className).toBe('code');
	});

	it('are warned of at the field, before anything is typed, but not where a call needs one', async () => {
		const field: Field = { ...base, kind: 'text', entry: 'line', secret: true };
		const warning = 'This looks like a secret. Servers must not ask for secrets in forms.';
		const model = { fields: [field], inputs: [{ kind: 'text', text: '' } as const] };
		await openForm(model);
		const described = textbox().getAttribute('aria-describedby')?.split(' ') ?? [];
		expect(described.map((id) => document.getElementById(id)?.textContent)).toContain(warning);
		const { root } = await openForm({ ...model, purpose: 'arguments' });
		expect(root.textContent).not.toContain(warning);
	});
});

describe('dates and times', () => {
	const zone = process.env.TZ;
	beforeEach(() => {
		process.env.TZ = 'Europe/Berlin';
	});
	afterEach(() => {
		if (zone === undefined) {
			delete process.env.TZ;
		} else {
			process.env.TZ = zone;
		}
	});
	const field: Field = { ...base, kind: 'text', entry: 'date-time' };

	it.each([
		['2026-07-01T09:30', '2026-07-01T09:30:00+02:00'],
		['2026-01-01T09:30:05', '2026-01-01T09:30:05+01:00'],
	])('%s is sent with seconds and the offset of that date', async (local, text) => {
		const page = await openField(field, { kind: 'text', text: '' });
		type(textbox(), local);
		pause();
		expect(page.inputs()).toEqual([{ kind: 'text', text }]);
		expect(page.root.textContent).toContain(`Sent as ${text}`);
		expect(page.root.querySelector('.offset')?.textContent).toBe(`UTC${text.slice(-6)}`);
	});

	it('asks which of two moments is meant when the clock is set back', async () => {
		const page = await openField(field, { kind: 'text', text: '' });
		type(textbox(), '2026-10-25T02:30:00');
		const choice = byName<HTMLSelectElement>('select', 'Offset from UTC');
		expect([...choice.options].map((option) => option.text)).toEqual(['UTC+02:00', 'UTC+01:00']);
		choice.selectedIndex = 1;
		choice.dispatchEvent(new Event('change', { bubbles: true }));
		pause();
		expect(page.inputs()).toEqual([{ kind: 'text', text: '2026-10-25T02:30:00+01:00' }]);
		expect(choice.selectedIndex).toBe(1);
	});

	it('says so when the clock skips the time', async () => {
		const page = await openField(field, { kind: 'text', text: '' });
		type(textbox(), '2026-03-29T02:30:00');
		expect(page.root.textContent).toContain('The clock skips this time on that day.');
	});

	it('shows a default in this zone and as text on request', async () => {
		await openField(field, { kind: 'text', text: '2026-07-01T07:30:00Z' });
		expect(textbox().value).toMatch(/^2026-07-01T09:30/);
		button('Type as Text').click();
		expect(textbox().value).toBe('2026-07-01T07:30:00Z');
		button('Use Picker').click();
		expect(textbox().type).toBe('datetime-local');
	});

	it.each([
		['2026-07-01T07:30:00Z', '2026-07-01T09:30', 'UTC+02:00'],
		['2026-01-01T16:30:00+09:00', '2026-01-01T08:30', 'UTC+01:00'],
	])('names the offset of the time that it shows for %s', async (text, local, offset) => {
		const page = await openField(field, { kind: 'text', text });
		expect(textbox().value.slice(0, 16)).toBe(local);
		expect(page.root.querySelector('.offset')?.textContent).toBe(offset);
		expect(page.root.textContent).toContain(`Sent as ${text}`);
	});

	it.each(['0000-12-25', '2026-02-30'])('shows as text what no picker for dates can show: %s', async (text) => {
		await openField({ ...base, kind: 'text', entry: 'date' }, { kind: 'text', text });
		expect([textbox().type, textbox().value]).toEqual(['text', text]);
	});

	it.each(['2026-02-30T10:00:00Z', '2026-07-01T24:00:00Z', '2026-06-31T10:00:00+02:00'])(
		'shows a moment that does not exist as text, not as another: %s',
		async (text) => {
			await openField(field, { kind: 'text', text });
			expect([textbox().type, textbox().value]).toEqual(['text', text]);
		},
	);

	it.each(['24:00:00Z', '09:60:00Z', '09:30:60Z'])(
		'shows as text what no picker for times can show: %s',
		async (text) => {
			process.env.TZ = 'UTC';
			await openField({ ...base, kind: 'text', entry: 'time' }, { kind: 'text', text });
			expect([textbox().type, textbox().value]).toEqual(['text', text]);
		},
	);

	it('refuses to send half an entry as no answer', async () => {
		const page = await openField(field, { kind: 'text', text: '' });
		vi.spyOn(textbox(), 'validity', 'get').mockReturnValue({ badInput: true } as ValidityState);
		button('Accept').click();
		expect(alerts()).toEqual(['This entry is incomplete.']);
		expect(page.sent.map((message) => message.type)).not.toContain('submit');
	});
});

describe('a file that is refused', () => {
	const field: Field = { ...base, kind: 'text', entry: 'line', file: { accept: [], maxSize: 1024 } };

	async function refuse() {
		const page = await openField(field, { kind: 'text', text: '' });
		const control = textbox();
		const choose = (...files: File[]) => {
			Object.defineProperty(control, 'files', { value: files, configurable: true });
			control.dispatchEvent(new Event('change', { bubbles: true }));
		};
		choose(new File([new Uint8Array(5000)], 'large.bin'));
		expect(alerts()).toEqual(['The file is 5 KB; at most 1 KB are allowed.']);
		return { page, choose };
	}

	it.each(['removed', 'no longer chosen'])('can be %s, and the form be sent without it', async (what) => {
		const { page, choose } = await refuse();
		if (what === 'removed') {
			button('Remove large.bin').click();
			expect(document.activeElement).toBe(textbox());
		} else {
			choose();
		}
		expect([alerts(), document.querySelectorAll('.row button').length]).toEqual([[], 0]);
		button('Accept').click();
		expect(page.sent.at(-1)).toMatchObject({ type: 'submit', inputs: [{ kind: 'text', text: '' }] });
	});
});
