import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Field } from '../../src/elicitation/form/fields.ts';
import type { FormModel } from '../../src/protocol.ts';
import { button, byName, openField, openForm, pause, press, type } from './page.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
});

const base = { key: 'x', label: 'X', required: false, nullable: false };
const blank = { kind: 'text', text: '' } as const;
const line = (key: string): Field => ({ ...base, key, label: key, kind: 'text', entry: 'line' });
const named = (key: string, label: string): Field => ({ ...line(key), label });
const shownKeys = () => [...document.querySelectorAll('.key')].map((key) => key.textContent);
const helpOf = (field: Field) =>
	openField(field, blank).then(() =>
		[...document.querySelectorAll('.help > *')].map((part) => part.textContent).filter((text) => text !== ''),
	);

describe('the problems of a long form', () => {
	it('are counted beside the buttons, and Next goes from one to the next and around', async () => {
		const fields = ['a', 'b', 'c', 'd'].map(line);
		const page = await openForm({ fields, inputs: fields.map(() => blank) });
		expect(document.querySelector('.invalid')).toBeNull();
		button('Accept').click();
		page.review(
			[1, 3].map((field) => ({ field, text: 'Wrong.' })),
			true,
		);
		expect(document.querySelector('footer .invalid')?.textContent).toBe('2 problems · Next');
		const visited = [];
		for (let round = 0; round < 3; round++) {
			visited.push(document.activeElement?.id);
			button('Next').focus();
			button('Next').click();
		}
		expect(visited).toEqual(['field-1', 'field-3', 'field-1']);
		type(byName<HTMLInputElement>('input', 'b'), 'right');
		pause();
		page.review([{ field: 3, text: 'Wrong.' }]);
		expect(document.querySelector('footer .invalid')?.textContent).toBe('1 problem · Next');
	});
});

it('the suggestions of the server belong to their field only', async () => {
	const fields = ['a', 'b'].map(line);
	const page = await openForm({ fields, inputs: fields.map(() => blank) });
	expect(document.querySelector('[list], datalist')).toBeNull();
	page.receive({ type: 'suggestions', field: 1, values: ['one', 'two\u202e'] });
	const input = byName<HTMLInputElement>('input', 'b');
	expect([...(input.list?.options ?? [])].map(({ value, text }) => [value, text])).toEqual([
		['one', 'one'],
		['two\u202e', 'two‹U+202E›'],
	]);
	expect(byName<HTMLInputElement>('input', 'a').list).toBeNull();
	page.receive({ type: 'suggestions', field: 0, values: [] });
	expect(document.querySelector('[list], datalist')).toBeNull();
});

describe('Accept', () => {
	it.each([
		['Windows NT 10.0', 'Ctrl+Enter'],
		['Macintosh; Intel Mac OS X', '⌘Enter'],
	])('says the keys that press it on %s', async (system, keys) => {
		// Which system it is, the script finds out when it is loaded.
		vi.resetModules();
		onTestFinished(() => void vi.resetModules());
		vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 (${system})` });
		await openForm();
		expect(button('Accept').title).toBe(keys);
		expect(document.querySelector('footer .note')?.textContent).toBe(`Accept: ${keys}`);
	});

	it('is pressed by them', async () => {
		const page = await openForm({ fields: [line('a')], inputs: [blank] });
		press('Enter', { ctrlKey: true });
		expect(page.sent.at(-1)).toMatchObject({ type: 'submit' });
	});
});

describe('the name of a property', () => {
	it.each([
		['first_name', 'First name'],
		['firstName', 'First-Name'],
		['EMAIL', 'e mail'],
		['size', 'size'],
	])('%s is not shown beside a label that repeats it', async (key, label) => {
		await openForm({ fields: [named(key, label)], inputs: [blank] });
		expect(shownKeys()).toEqual([]);
	});

	it('is shown beside any other label', async () => {
		await openForm({ fields: [named('mail', 'Email'), named('naрe', 'nape')], inputs: [blank, blank] });
		expect(shownKeys()).toEqual(['mail', 'naрe']);
	});

	it('is not shown where it is our own, in a sampling request', async () => {
		await openForm({ purpose: 'sampling', fields: [named('text', 'Response')], inputs: [blank] });
		expect(shownKeys()).toEqual([]);
		expect(byName('input', 'Response').getAttribute('aria-describedby')).toBeNull();
	});
});

describe('a field for JSON', () => {
	const field: Field = {
		...base,
		kind: 'json',
		example: { city: 'Bern', tags: [] },
		shape: [
			{ name: 'city', type: 'string', required: true },
			{ name: 'tags', type: 'string[]', required: false },
		],
	};
	const area = () => byName<HTMLTextAreaElement>('textarea', 'X');

	it('shows the properties of its object under the label, and to those who do not see it', async () => {
		await openField(field, blank);
		const shape = document.querySelector('.label + .shape');
		expect(shape?.textContent).toBe('city: string, tags?: string[]');
		expect(area().getAttribute('aria-describedby')?.split(' ')).toContain(shape?.id);
	});

	it('takes an example as long as it is empty', async () => {
		const page = await openField(field, blank);
		button('Insert Example').click();
		pause();
		expect(JSON.parse(area().value)).toEqual({ city: 'Bern', tags: [] });
		expect(page.inputs()).toEqual([{ kind: 'text', text: area().value }]);
		expect(document.activeElement).toBe(area());
		expect(button('Insert Example').hidden).toBe(true);
		type(area(), ' ');
		expect(button('Insert Example').hidden).toBe(false);
	});

	it('offers none where there is none', async () => {
		await openField({ ...base, kind: 'json' }, blank);
		expect(button('Insert Example').hidden).toBe(true);
	});
});

describe('the form of the arguments of a call', () => {
	it.each(['arguments', 'elicitation'] as const)('says what is edited as JSON: %s', async (purpose) => {
		const page = await openForm({ purpose, fields: [line('a')], inputs: [blank] } satisfies Partial<FormModel>);
		page.review([]);
		const name = purpose === 'arguments' ? 'Arguments as JSON' : 'Response as JSON';
		button('Edit as JSON').click();
		expect(document.activeElement).toBe(byName<HTMLTextAreaElement>('textarea', name));
		expect(document.body.textContent?.includes('You are editing the arguments as JSON.')).toBe(purpose === 'arguments');
		expect(/response/i.test(document.body.textContent ?? '')).toBe(purpose === 'elicitation');
	});
});

describe('the help of a field', () => {
	const text = { ...base, kind: 'text', entry: 'line' } as const;
	const amount = { ...base, kind: 'number', integer: false } as const;

	it('has the description and the constraint in a line each', async () => {
		expect(await helpOf({ ...text, description: 'As in the passport.', maxLength: 50 })).toEqual([
			'As in the passport.',
			'At most 50 characters.',
		]);
		expect(document.querySelector('.help > :last-child')?.className).toBe('constraint');
	});

	it.each<[string, Field]>([
		['Up to 50 characters', { ...text, maxLength: 50 }],
		['3–8 letters', { ...text, minLength: 3, maxLength: 8 }],
		['Between 1 and 20', { ...amount, minimum: 1, maximum: 20 }],
		['An integer of at least 0', { ...amount, integer: true, minimum: 0 }],
		['1 到 20 之间的整数', { ...amount, integer: true, minimum: 1, maximum: 20 }],
		['Your email', { ...text, entry: 'email' }],
		['Like ^[A-Z]+$', { ...text, pattern: '^[A-Z]+$' }],
		['Select at most 2', { ...base, kind: 'choices', options: [], maxItems: 2 }],
		['Up to 20,000 characters', { ...text, maxLength: 20_000 }],
	])('does not repeat what its description says: %s', async (description, field) => {
		expect(await helpOf({ ...field, description })).toEqual([description]);
	});

	it('does not repeat what its label says', async () => {
		expect(await helpOf({ ...amount, label: 'Replicas (1 to 20)', minimum: 1, maximum: 20 })).toEqual([]);
	});

	it.each<[string, Field, string]>([
		['Up to 500 characters', { ...text, maxLength: 50 }, 'At most 50 characters.'],
		['At least 5 characters', { ...text, maxLength: 5 }, 'At most 5 characters.'],
		['Ask 50 people', { ...text, maxLength: 50 }, 'At most 50 characters.'],
		['20 is the default', { ...amount, minimum: 1, maximum: 20 }, '1 to 20.'],
	])('says what its description does not: %s', async (description, field, constraint) => {
		expect(await helpOf({ ...field, description })).toEqual([description, constraint]);
	});

	it('groups the digits of a long number, and sets the words of the server apart', async () => {
		expect(await helpOf({ ...text, maxLength: 100_000 })).toEqual(['At most 100,000 characters.']);
		await helpOf({ ...text, pattern: '^[A-Z]+$' });
		expect(document.querySelector('.constraint > code')?.textContent).toBe('^[A-Z]+$');
	});

	it.each<[Field, string]>([
		[{ ...base, kind: 'list', item: 'text', minItems: 1, maxItems: 1 }, 'Exactly 1 entry.'],
		[{ ...base, kind: 'list', item: 'text', minItems: 1 }, 'At least 1 entry.'],
		[{ ...text, minLength: 1, maxLength: 1 }, 'Exactly 1 character.'],
	])('counts one as one', async (field, constraint) => {
		expect(await helpOf(field)).toEqual([constraint]);
	});
});
