import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Field, Option } from '../../src/elicitation/form/fields.ts';
import type { Input } from '../../src/elicitation/form/inputs.ts';
import { alerts, button, byName, type FormPage, openField, openForm, pause, press, type } from './page.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const base = { key: 'x', label: 'X', required: false, nullable: false };
const options = (count: number): Option[] =>
	Array.from({ length: count }, (_each, at) => ({ value: at, label: `Option ${at}` }));
const textField = (entry: Extract<Field, { kind: 'text' }>['entry'], more: object = {}): Field => ({
	...{ ...base, kind: 'text', entry },
	...more,
});
const bool = (more: object = {}): Field => ({ ...base, kind: 'boolean', ...more });
const one = (count: number, more: object = {}): Field => ({
	...base,
	kind: 'choice',
	options: options(count),
	...more,
});
const several = (count: number, more: object = {}): Field => ({
	...{ ...base, kind: 'choices', options: options(count) },
	...more,
});
const list = (more: object = {}): Field => ({ ...base, kind: 'list', item: 'text', ...more });
const json: Field = { ...base, kind: 'json' };
const REQUIRED = { required: true } as const;
const SECRET = { secret: true } as const;

const text = (value: string | null): Input => ({ kind: 'text', text: value });
const truth = (value: boolean | null): Input => ({ kind: 'boolean', value });
const choice = (index: number | null): Input => ({ kind: 'choice', index });
const choices = (...indexes: number[]): Input => ({ kind: 'choices', indexes });
const items = (...entries: string[]): Input => ({ kind: 'list', items: entries });
const NO_CHOICES: Input = { kind: 'choices', indexes: null };
const NO_LIST: Input = { kind: 'list', items: null };

const textbox = () => byName<HTMLInputElement>('input, textarea', 'X');
function tick(...names: string[]): void {
	for (const name of names) {
		byName<HTMLInputElement>('input', name).click();
	}
}
function select(value: string): void {
	const menu = byName<HTMLSelectElement>('select', 'X');
	menu.value = value;
	menu.dispatchEvent(new Event('change', { bubbles: true }));
}
/** Chooses in the editor. */
function pick(input: Input): void {
	button('X').click();
	window.dispatchEvent(new MessageEvent('message', { data: { type: 'chosen', field: 0, input } }));
}
const enter = (value: string) => type(textbox(), value);
const types = (page: FormPage) => page.sent.map((message) => message.type);

const cases: [what: string, field: Field, start: Input, act: () => void, sent: Input][] = [
	['a line of text', textField('line'), text(''), () => enter(' typed '), text(' typed ')],
	[
		'an international email address, unchanged',
		textField('email'),
		text(''),
		() => enter(' 用户@例子.公司 '),
		text(' 用户@例子.公司 '),
	],
	['several lines', textField('area'), text('a'), () => enter('a\nb'), text('a\nb')],
	[
		'a number as it was typed, even when it is none',
		{ ...base, kind: 'number', integer: false },
		text(''),
		() => enter('1,5e'),
		text('1,5e'),
	],
	['a password', textField('password', SECRET), text(''), () => enter('secret'), text('secret')],
	['JSON', json, text(''), () => enter('{"a":1}'), text('{"a":1}')],
	['a date', textField('date'), text(''), () => enter('2026-05-01'), text('2026-05-01')],
	[
		'a date typed as text',
		textField('date'),
		text(''),
		() => {
			button('Type as Text').click();
			enter('tomorrow');
		},
		text('tomorrow'),
	],
	['false, which is not "no response"', bool(), truth(null), () => tick('No'), truth(false)],
	['the way back to no answer for a boolean', bool(), truth(true), () => tick('Not set'), truth(null)],
	[
		'a required boolean that may be null',
		bool({ ...REQUIRED, nullable: true }),
		truth(true),
		() => tick('Empty (null)'),
		truth(null),
	],
	['one of few', one(7), choice(null), () => tick('Option 6'), choice(6)],
	['the way back to no answer for one of few', one(2), choice(0), () => tick('Not set'), choice(null)],
	['one of many', one(8, REQUIRED), choice(2), () => select('3'), choice(3)],
	['the way back to no answer for one of many', one(8), choice(2), () => select(''), choice(null)],
	['one of ten thousand', one(10_000), choice(null), () => pick(choice(9876)), choice(9876)],
	['several of ten thousand', several(10_000), choices(3), () => pick(choices(3, 500)), choices(3, 500)],
	[
		'several of few, in the order of the options',
		several(3),
		NO_CHOICES,
		() => tick('Option 2', 'Option 0'),
		choices(0, 2),
	],
	[
		'everything unticked where an answer is optional: no answer',
		several(3),
		choices(1),
		() => tick('Option 1'),
		NO_CHOICES,
	],
	[
		'everything unticked where an answer is required: the empty list',
		several(3, REQUIRED),
		choices(1),
		() => tick('Option 1'),
		choices(),
	],
	[
		'everything unticked where the server proposes the empty list: that',
		several(3, { default: [] }),
		choices(1),
		() => tick('Option 1'),
		choices(),
	],
	['the empty list instead of no answer', several(3), NO_CHOICES, () => button('Send Empty List').click(), choices()],
	['no answer instead of the empty list', several(3), choices(), () => button('Leave Out').click(), NO_CHOICES],
	['the empty list of many', several(50), NO_CHOICES, () => button('Send Empty List').click(), choices()],
	['the empty list of a list', list(), NO_LIST, () => button('Send Empty List').click(), items()],
	['no empty list of a list', list(), items(), () => button('Leave Out').click(), NO_LIST],
	[
		'null instead of the empty list',
		several(3, { ...REQUIRED, nullable: true }),
		choices(),
		() => button('Send null').click(),
		NO_CHOICES,
	],
	['a required empty list', list(REQUIRED), NO_LIST, () => button('Send Empty List').click(), items()],
	[
		'no text instead of the empty one',
		textField('line', { default: '' }),
		text(''),
		() => button('Leave Out').click(),
		text(null),
	],
	[
		'the empty text instead of none',
		textField('line', { default: '' }),
		text(null),
		() => button('Send Empty Text').click(),
		text(''),
	],
	[
		'a list, entered row by row',
		list(),
		NO_LIST,
		() => {
			button('Add Entry').click();
			type(document.activeElement as HTMLInputElement, 'one');
			press('Enter');
			type(document.activeElement as HTMLInputElement, 'two');
		},
		items('one', 'two'),
	],
	['a list without its last row: no answer', list(), items('one'), () => button('Remove entry 1').click(), NO_LIST],
	[
		'a required list without its last row: the empty list',
		list({ ...REQUIRED, item: 'integer' }),
		items('1'),
		() => button('Remove entry 1').click(),
		items(),
	],
];

it.each(cases)('a field sends %s', async (_what, field, start, act, sent) => {
	const page = await openField(field, start);
	expect(page.sent.slice(1)).toEqual([]);
	act();
	pause();
	expect(page.sent.at(-1)).toEqual({ type: 'change', revision: page.revision(), inputs: [sent] });
});

describe('what nobody touched', () => {
	it.each<[string, Field, Input]>([
		['a line with a line break', textField('line'), text('two\r\nlines')],
		['a moment in another zone', textField('date-time'), text('2026-05-01T09:30:00+13:00')],
		['a moment that is none', textField('date-time'), text('soon')],
		['a time in another zone', textField('time'), text('10:00:00+13:00')],
		['a date that is none', textField('date'), text('01.05.2026')],
		['a date left out, for which the server proposes an empty text', textField('date', { default: '' }), text(null)],
		['an optional boolean', bool(), truth(null)],
		['a required boolean', bool(REQUIRED), truth(null)],
		['one of few', one(3), choice(null)],
		['one of many', one(30), choice(null)],
		['several of few', several(3), NO_CHOICES],
		['several of few, empty', several(3), choices()],
		['several of many', several(30), NO_CHOICES],
		['a list', list(), NO_LIST],
		['a list, empty', list(), items()],
		['a constant', { ...base, kind: 'const', value: { a: 1 } }, { kind: 'const' }],
	])('is sent as it came: %s', async (_what, field, input) => {
		const page = await openField(field, input);
		button('Accept').click();
		expect(page.sent.at(-1)).toEqual({ type: 'submit', revision: 1, inputs: [input] });
	});

	it.each<[string, Field, Input]>([
		['a boolean', bool(REQUIRED), truth(null)],
		['a choice', one(3, REQUIRED), choice(null)],
	])('preselects nothing in %s that is required', async (_what, field, input) => {
		await openField(field, input);
		expect(document.querySelector('input:checked')).toBeNull();
	});

	it('shows "Not set" as the state of an optional choice', async () => {
		await openField(one(3), choice(null));
		expect(byName<HTMLInputElement>('input', 'Not set').checked).toBe(true);
	});
});

it.each<[Field, Input]>([
	[several(3, { minItems: 1 }), NO_CHOICES],
	[list({ ...REQUIRED, minItems: 2 }), NO_LIST],
	[textField('line'), text('')],
	[several(3), choices(1)],
	[list(REQUIRED), items()],
])('no other emptiness is offered where there is none: %j %j', async (field, input) => {
	await openField(field, input);
	expect([...document.querySelectorAll('.field .texts button')]).toEqual([]);
});

describe('a long choice', () => {
	const labelled = (more: object = {}) => ({ options: options(8).map((option) => ({ ...option, ...more })) });
	const said = () => byName<HTMLButtonElement>('button', 'X').textContent;

	it.each<[string, Field, Input, string]>([
		['nothing', one(51), choice(null), 'Not set'],
		['nothing where an answer is required', one(51, REQUIRED), choice(null), 'Choose one of the options.'],
		['one', one(10_000), choice(9_999), 'Option 9999'],
		['one, where a menu could not describe it', one(0, labelled({ description: 'd' })), choice(7), 'Option 7'],
		['one whose text deceives', one(0, labelled({ label: '\u202eevil', description: 'd' })), choice(0), '‹U+202E›evil'],
		['none of several', several(13), NO_CHOICES, 'Not set'],
		['one of several', several(13), choices(12), 'Option 12'],
		['several', several(10_000), choices(1, 2), '2 selected'],
	])('says what is chosen: %s', async (_what, field, input, text) => {
		await openField(field, input);
		expect(said()).toBe(text);
		expect(document.querySelectorAll('option, [type=checkbox], [type=radio]')).toHaveLength(0);
	});

	it('names up to twenty of what is chosen', async () => {
		await openField(several(100), choices(...Array.from({ length: 22 }, (_each, at) => at)));
		expect(document.querySelector('.field .help')?.textContent).toMatch(/^Option 0 · .* · Option 19 · 2 more$/);
	});

	it('has the editor ask, after it has heard of what was entered before', async () => {
		const page = await openForm({
			fields: [{ ...textField('line'), key: 'a', label: 'A' }, one(100)],
			inputs: [text(''), choice(7)],
		});
		type(byName<HTMLInputElement>('input', 'A'), 'typed');
		button('X').click();
		expect(page.sent.slice(-2)).toEqual([
			{ type: 'change', revision: 1, inputs: [text('typed'), choice(7)] },
			{ type: 'choose', field: 1 },
		]);
		page.receive({ type: 'chosen', field: 1, input: choice(8) });
		pause();
		expect([said(), page.inputs()]).toEqual(['Option 8', [text('typed'), choice(8)]]);
	});

	it.each([
		['where the page has lost it', '', 'X'],
		['unless the user has moved on', 'A', 'A'],
	])('gets the focus back after the user has left it as it is, %s', async (_what, at, name) => {
		const page = await openForm({
			fields: [{ ...textField('line'), key: 'a', label: 'A' }, one(100)],
			inputs: [text(''), choice(7)],
		});
		button('X').click();
		(document.activeElement as HTMLElement).blur();
		if (at !== '') {
			byName('input', at).focus();
		}
		page.receive({ type: 'chosen', field: 1 });
		expect(document.activeElement).toBe(byName('input, button', name));
		expect(page.inputs()).toEqual([text(''), choice(7)]);
	});

	it('takes no choice once the request was withdrawn', async () => {
		const page = await openField(one(100), choice(7));
		page.receive({ type: 'withdrawn', reason: 'Gone.' });
		page.receive({ type: 'chosen', field: 0, input: choice(8) });
		expect([said(), byName<HTMLButtonElement>('button', 'X').disabled]).toEqual(['Option 7', true]);
	});
});

describe('text from right to left', () => {
	it.each<[string, Field, string | null]>([
		['a line', textField('line'), 'auto'],
		['several lines', textField('area'), 'auto'],
		['a password', textField('password', SECRET), 'auto'],
		['a constant', { ...base, kind: 'const', value: 'x' }, 'auto'],
		['JSON, which is code', json, 'ltr'],
	])('%s', async (_what, field, direction) => {
		await openField(field, text(''));
		expect(textbox().getAttribute('dir')).toBe(direction);
	});
});

describe('secrets', () => {
	const shows = () => byName<HTMLButtonElement>('.field button', 'Show');

	it.each<[string, Field]>([
		['a password', textField('password', SECRET)],
		['a text', textField('line', SECRET)],
		['a number', { ...base, kind: 'number', integer: true, secret: true }],
	])('of %s are masked until they are shown', async (_what, field) => {
		await openField(field, text('1234'));
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
		const { root } = await openField(list(SECRET), items('a', 'b'));
		const types = () => [...root.querySelectorAll('input')].map(({ type }) => type);
		expect(types()).toEqual(['password', 'password']);
		shows().click();
		expect(types()).toEqual(['text', 'text']);
	});

	it('of several lines are masked, too', async () => {
		await openField({ ...json, ...SECRET }, text('{"a":1}'));
		expect(textbox().className).toBe('code masked');
		shows().click();
		expect(textbox().className).toBe('code');
	});

	it('are warned of at the field, before anything is typed, but not where a call needs one', async () => {
		const warning = 'This looks like a secret. Servers must not ask for secrets in forms.';
		const model = { fields: [textField('line', SECRET)], inputs: [text('')] };
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
	const field = textField('date-time');

	it.each([
		['2026-07-01T09:30', '2026-07-01T09:30:00+02:00'],
		['2026-01-01T09:30:05', '2026-01-01T09:30:05+01:00'],
	])('%s is sent with seconds and the offset of that date', async (local, sent) => {
		const page = await openField(field, text(''));
		enter(local);
		pause();
		expect(page.inputs()).toEqual([text(sent)]);
		expect(page.root.textContent).toContain(`Sent as ${sent}`);
		expect(page.root.querySelector('.offset')?.textContent).toBe(`UTC${sent.slice(-6)}`);
	});

	it('asks which of two moments is meant when the clock is set back', async () => {
		const page = await openField(field, text(''));
		enter('2026-10-25T02:30:00');
		const choice = byName<HTMLSelectElement>('select', 'Offset from UTC');
		expect([...choice.options].map((option) => option.text)).toEqual(['UTC+02:00', 'UTC+01:00']);
		choice.selectedIndex = 1;
		choice.dispatchEvent(new Event('change', { bubbles: true }));
		pause();
		expect(page.inputs()).toEqual([{ kind: 'text', text: '2026-10-25T02:30:00+01:00' }]);
		expect(choice.selectedIndex).toBe(1);
	});

	it('says so when the clock skips the time', async () => {
		const page = await openField(field, text(''));
		enter('2026-03-29T02:30:00');
		expect(page.root.textContent).toContain('The clock skips this time on that day.');
	});

	it('shows a default in this zone and as text on request', async () => {
		await openField(field, text('2026-07-01T07:30:00Z'));
		expect(textbox().value).toMatch(/^2026-07-01T09:30/);
		button('Type as Text').click();
		expect(textbox().value).toBe('2026-07-01T07:30:00Z');
		button('Use Picker').click();
		expect(textbox().type).toBe('datetime-local');
	});

	it.each([
		['2026-07-01T07:30:00Z', '2026-07-01T09:30', 'UTC+02:00'],
		['2026-01-01T16:30:00+09:00', '2026-01-01T08:30', 'UTC+01:00'],
	])('names the offset of the time that it shows for %s', async (moment, local, offset) => {
		const page = await openField(field, text(moment));
		expect(textbox().value.slice(0, 16)).toBe(local);
		expect(page.root.querySelector('.offset')?.textContent).toBe(offset);
		expect(page.root.textContent).toContain(`Sent as ${moment}`);
	});

	it.each<['date' | 'time' | 'date-time', string]>([
		['date', '0000-12-25'],
		['date', '2026-02-30'],
		['date-time', '2026-02-30T10:00:00Z'],
		['date-time', '2026-07-01T24:00:00Z'],
		['date-time', '2026-06-31T10:00:00+02:00'],
		['time', '24:00:00Z'],
		['time', '09:60:00Z'],
		['time', '09:30:60Z'],
	])('shows as text, not as another moment, what no picker for a %s can show: %s', async (entry, shown) => {
		process.env.TZ = entry === 'time' ? 'UTC' : process.env.TZ;
		await openField(textField(entry), text(shown));
		expect([textbox().type, textbox().value]).toEqual(['text', shown]);
	});

	it('refuses to send half an entry as no answer', async () => {
		const page = await openField(field, text(''));
		vi.spyOn(textbox(), 'validity', 'get').mockReturnValue({ badInput: true } as ValidityState);
		button('Accept').click();
		expect(alerts()).toEqual(['This entry is incomplete.']);
		expect(types(page)).not.toContain('submit');
	});
});

describe('a file that is refused', () => {
	const field = textField('line', { file: { accept: [], maxSize: 1024 } });

	async function refuse() {
		const page = await openField(field, text(''));
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
		expect([alerts(), document.querySelectorAll('.field .bar button').length]).toEqual([[], 0]);
		button('Accept').click();
		expect(page.sent.at(-1)).toMatchObject({ type: 'submit', inputs: [{ kind: 'text', text: '' }] });
	});
});
