// @vitest-environment node
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Field } from '../../src/elicitation/form/fields.ts';
import type { Input } from '../../src/elicitation/form/inputs.ts';
import { KEY_GUARD } from '../../src/elicitation/keyGuard.ts';
import { type RealForm, RealForms } from './realPage.ts';

const fetchingABrowser = 300_000;
let forms: RealForms;
beforeAll(async () => {
	forms = await RealForms.start();
}, fetchingABrowser);
afterAll(() => forms?.close());

const FRUITS = ['Apple', 'Apricot', 'Banana', 'Cherry', 'Chestnut', 'Date', 'Fig'];
const VEGETABLES = Array.from({ length: 30 }, (_each, at) => `Vegetable ${at}`);
const options = [...FRUITS, ...VEGETABLES].map((label) => ({ value: label, label }));
const base = { key: 'food', label: 'Food', required: false, nullable: false, options };
const one: Field = { ...base, kind: 'choice' };
const several: Field = { ...base, kind: 'choices' };

/** A form that has been there for long enough to take keys. */
async function open(field: Field, indexes: readonly number[] | null = null): Promise<RealForm> {
	const input: Input = field.kind === 'choice' ? { kind: 'choice', index: null } : { kind: 'choices', indexes };
	const form = await forms.open('vscode-light', { fields: [field], inputs: [input] }, 600, 900);
	await form.page.evaluate((time) => new Promise((resolve) => setTimeout(resolve, time)), 2 * KEY_GUARD);
	return form;
}

/** What is announced about the matches. */
const announced = (page: Page) => page.getByRole('status').filter({ hasText: /match/ });
const focused = (page: Page) =>
	page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);

/** The options that the form has sent. */
async function chosen(form: RealForm): Promise<string[]> {
	const newest = await form.newest();
	const [input] = newest.type === 'change' ? newest.inputs : [];
	return input?.kind === 'choices' ? (input.indexes ?? []).map((index) => options[index]?.label ?? '') : [];
}

describe.each([
	['a choice among many', one, 'combobox'],
	['several among many', several, 'searchbox'],
] as const)('%s', (_what, field, role) => {
	it('announces how many options match what is typed, and nothing before that', async () => {
		const form = await open(field);
		const box = form.page.getByRole(role);
		await box.click();
		expect(await announced(form.page).count()).toBe(0);
		for (const [typed, says] of [
			['ap', '2 options match.'],
			['apr', '1 option matches.'],
			['apx', 'No option matches.'],
			['fruit or', 'No option matches.'],
			['table 2', '12 options match.'],
		] as const) {
			await box.fill(typed);
			await expect.poll(() => announced(form.page).allTextContents()).toEqual([says]);
		}
		// Only what is nowhere else to be seen is for the ears only.
		const isSeen = () => announced(form.page).evaluate((element) => element.classList.contains('note'));
		expect(await isSeen()).toBe(false);
		await box.fill('apx');
		await expect.poll(isSeen).toBe(true);
		await box.fill('');
		await expect.poll(() => announced(form.page).count()).toBe(0);
		await form.page.close();
	});
});

describe('letters typed on a list', () => {
	const active = (page: Page) =>
		page.evaluate(() => {
			const id = document.activeElement?.getAttribute('aria-activedescendant');
			return id ? document.getElementById(id)?.textContent : undefined;
		});

	it('lead to the option that begins with them, one letter to the next one, and Space chooses it', async () => {
		const form = await open(several);
		const { page } = form;
		await page.getByRole('searchbox').press('ArrowDown');
		await expect.poll(() => active(page)).toBe('Apple');
		for (const [letters, option] of [
			['c', 'Cherry'],
			['ches', 'Chestnut'],
			['vegetable', 'Vegetable 0'],
			['A', 'Apple'],
			['a', 'Apricot'],
			['x', 'Apricot'],
		] as const) {
			// A pause begins anew.
			await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_100)));
			await page.keyboard.type(letters);
			await expect.poll(() => active(page)).toBe(option);
		}
		expect(await page.getByRole('option', { name: 'Apricot' }).isVisible()).toBe(true);
		await page.keyboard.press(' ');
		await expect.poll(() => chosen(form)).toEqual(['Apricot']);
		await page.close();
	});

	it('do not choose anything, and are no shortcut of the form', async () => {
		const form = await open(several);
		await form.page.getByRole('searchbox').press('ArrowDown');
		await form.page.keyboard.type('fig');
		await expect.poll(() => active(form.page)).toBe('Fig');
		expect(await chosen(form)).toEqual([]);
		expect(await form.page.getByRole('searchbox').inputValue()).toBe('');
		await form.page.close();
	});
});

describe('what is chosen of many', () => {
	const chips = (page: Page) => page.locator('.chips button');

	it('is listed by name, and each chip takes its option away; the focus goes to the next one, then to the search', async () => {
		const form = await open(several, [1, 3, 5]);
		const { page } = form;
		expect(await chips(page).allInnerTexts()).toEqual(['Apricot', 'Cherry', 'Date']);
		await page.getByText('3 selected').waitFor();
		for (const [name, rest, next] of [
			['Remove Cherry', ['Apricot', 'Date'], 'Remove Date'],
			['Remove Date', ['Apricot'], 'Remove Apricot'],
			['Remove Apricot', [], 'Search Food'],
		] as const) {
			await page.getByRole('button', { name }).press('Enter');
			await expect.poll(() => chips(page).allInnerTexts()).toEqual(rest);
			expect(await focused(page)).toBe(next);
			await expect.poll(() => chosen(form)).toEqual(rest);
		}
		await page.close();
	});

	it('keeps its chip while the search shows other options, and is counted beyond twenty', async () => {
		const form = await open(several, [0]);
		const { page } = form;
		await page.getByRole('searchbox').fill('Vegetable');
		expect(await chips(page).allInnerTexts()).toEqual(['Apple']);
		await page.getByRole('searchbox').press('ArrowDown');
		for (let at = 0; at < 24; at++) {
			await page.keyboard.press(' ');
			await page.keyboard.press('ArrowDown');
		}
		await page.getByText('25 selected').waitFor();
		expect(await chips(page).count()).toBe(20);
		expect(await page.locator('.chips .note').innerText()).toBe('5 more');
		await page.getByRole('button', { name: 'Clear Selection' }).click();
		expect(await chips(page).count()).toBe(0);
		expect(await focused(page)).toBe('Search Food');
		await page.close();
	});
});
