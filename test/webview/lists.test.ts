import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Field } from '../../src/elicitation/form/fields.ts';
import { button, byName, type FormPage, openField, pause, press, type } from './page.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const FRUITS = ['Apple', 'Apricot', 'Banana', 'Cherry', 'Chestnut', 'Date', 'Fig'];
const VEGETABLES = Array.from({ length: 30 }, (_each, at) => `Vegetable ${at}`);
const options = [...FRUITS, ...VEGETABLES].map((label) => ({ value: label, label }));
const base = { key: 'food', label: 'Food', required: false, nullable: false, options };
const one: Field = { ...base, kind: 'choice' };
const several: Field = { ...base, kind: 'choices' };

const open = (indexes: readonly number[] | null = null) => openField(several, { kind: 'choices', indexes });
const search = () => byName<HTMLInputElement>('input', 'Search Food');
const chips = () => [...document.querySelectorAll<HTMLElement>('.chips button')];
const names = () => chips().map((chip) => chip.textContent?.trim());
const focused = () => document.activeElement?.getAttribute('aria-label');
const active = () =>
	document.getElementById(document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.textContent;

/** The options that the form has sent. */
function chosen(page: FormPage): string[] {
	pause();
	const [input] = page.inputs();
	return input?.kind === 'choices' ? (input.indexes ?? []).map((index) => options[index]?.label ?? '') : [];
}

it.each([
	['a choice among many', 'Food', () => openField(one, { kind: 'choice', index: null })],
	['several among many', 'Search Food', () => open()],
] as const)('%s announces how many options match what is typed, and nothing before that', async (_what, name, show) => {
	await show();
	const box = byName<HTMLInputElement>('input', name);
	const announced = () =>
		[...document.querySelectorAll('[role=status]')].filter((each) => /match/.test(each.textContent));
	box.click();
	expect(announced()).toEqual([]);
	for (const [typed, says] of [
		['ap', '2 options match.'],
		['apr', '1 option matches.'],
		['apx', 'No option matches.'],
		['fruit or', 'No option matches.'],
		['table 2', '12 options match.'],
	] as const) {
		type(box, typed);
		expect(announced().map((each) => [each.textContent, each.className])).toEqual([
			// Only what is nowhere else to be seen is for the eyes, too.
			[says, says.startsWith('No') ? 'note' : 'spoken'],
		]);
	}
	type(box, '');
	expect(announced()).toEqual([]);
});

describe('letters typed on a list', () => {
	it('lead to the option that begins with them, one letter to the next one; nothing is chosen before Space', async () => {
		const page = await open();
		search().focus();
		press('ArrowDown');
		expect(active()).toBe('Apple');
		let at = 0;
		for (const [letters, option] of [
			['c', 'Cherry'],
			['ches', 'Chestnut'],
			['vegetable', 'Vegetable 0'],
			['A', 'Apple'],
			['a', 'Apricot'],
			['x', 'Apricot'],
		] as const) {
			// A pause begins anew.
			at += 1_000;
			for (const letter of letters) {
				at += 100;
				expect(press(letter, {}, at), 'no shortcut of the form').toBe(true);
			}
			expect(active()).toBe(option);
		}
		expect([chosen(page), search().value]).toEqual([[], '']);
		press(' ');
		expect(chosen(page)).toEqual(['Apricot']);
	});
});

describe('what is chosen of many', () => {
	it('is listed by name, and each chip takes its option away; the focus goes to the next one, then to the search', async () => {
		const page = await open([1, 3, 5]);
		expect(names()).toEqual(['Apricot', 'Cherry', 'Date']);
		expect(page.root.textContent).toContain('3 selected');
		for (const [name, rest, next] of [
			['Remove Cherry', ['Apricot', 'Date'], 'Remove Date'],
			['Remove Date', ['Apricot'], 'Remove Apricot'],
			['Remove Apricot', [], 'Search Food'],
		] as const) {
			button(name).click();
			expect([names(), focused(), chosen(page)]).toEqual([rest, next, rest]);
		}
	});

	it('keeps its chip while the search shows other options, and is counted beyond twenty', async () => {
		const page = await open([0]);
		type(search(), 'Vegetable');
		expect(names()).toEqual(['Apple']);
		press('ArrowDown');
		for (let at = 0; at < 24; at++) {
			press(' ');
			press('ArrowDown');
		}
		expect(page.root.textContent).toContain('25 selected');
		expect(chips()).toHaveLength(20);
		expect(document.querySelector('.chips .note')?.textContent).toBe('5 more');
		button('Clear Selection').click();
		expect([chips(), focused()]).toEqual([[], 'Search Food']);
	});
});
