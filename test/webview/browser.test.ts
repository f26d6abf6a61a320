// @vitest-environment node
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everything } from './models.ts';
import { type RealForm, RealForms } from './realPage.ts';
import { themes } from './themes.ts';

const fetchingABrowser = 300_000;
let forms: RealForms;
beforeAll(async () => {
	forms = await RealForms.start();
}, fetchingABrowser);
afterAll(() => forms?.close());

const area = (page: Page) => page.getByRole('textbox', { name: 'The answer as JSON' });
const review = (json: string) => ({ type: 'review', revision: 1, problems: [], json, refused: false }) as const;

async function violations(page: Page): Promise<string[]> {
	await page.evaluate(axe.source);
	const found = await page.evaluate(async () => {
		const { axe } = window as unknown as { axe: typeof import('axe-core') };
		return (await axe.run()).violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join('\n')}`);
	});
	return found;
}

async function answerAsJson(form: RealForm, text: string): Promise<void> {
	await form.receive(review('{}'));
	await form.page.getByText('Answer as JSON', { exact: true }).press('Enter');
	await area(form.page).fill(text);
}

describe.each(themes)('axe in %s', (theme) => {
	it('finds nothing in a form of every kind with all its errors, not even colours', async () => {
		const form = await forms.open(theme, everything);
		const problems = (everything.fields ?? []).map((_field, field) => ({ field, text: 'Wrong.' }));
		await form.receive({
			...review('{}'),
			problems: [...problems, { text: 'As a whole.' }],
			unchecked: 'Unchecked.',
			refused: true,
		});
		await form.page.getByText('2 findings').click();
		await form.page.getByText('Answer as JSON', { exact: true }).click();
		expect(await violations(form.page)).toEqual([]);
		await form.page.close();
	});

	it('finds nothing in an answer as JSON that is wrong', async () => {
		const form = await forms.open(theme, everything, 320);
		await answerAsJson(form, '[');
		await form.reviewJson({ problems: [{ text: 'This is not JSON.' }] });
		await form.page.keyboard.press('Tab');
		await form.page.getByRole('alert').waitFor();
		expect(await violations(form.page)).toEqual([]);
		await form.page.close();
	});
});

describe('keys', () => {
	it('open the JSON, and Tab leaves it again', async () => {
		const form = await forms.open('vscode-dark', {});
		await answerAsJson(form, '{}');
		await form.page.keyboard.press('Tab');
		expect(await form.page.evaluate(() => document.activeElement?.textContent)).toBe('Accept');
		await form.page.keyboard.press('Shift+Tab');
		expect(await area(form.page).evaluate((element) => element === document.activeElement)).toBe(true);
		expect(await area(form.page).inputValue()).toBe('{}');
		await form.page.close();
	});
});

describe('narrow pages', () => {
	it('do not scroll sideways, whatever is shown', async () => {
		const form = await forms.open('vscode-light', everything, 320);
		await answerAsJson(form, `{"${'x'.repeat(500)}": 1}`);
		await form.reviewJson({ inputs: [], problems: [{ text: 'x'.repeat(500) }] });
		await form.page.keyboard.press('Tab');
		await form.page.getByRole('alert').waitFor();
		const width = () =>
			form.page.evaluate(() =>
				Math.max(...[...document.querySelectorAll('html, .body')].map((each) => each.scrollWidth)),
			);
		expect(await width()).toBeLessThanOrEqual(320);
		await form.page.close();
	});
});

describe('colours of the system', () => {
	it('leave the focus, the borders and the active option to be seen', async () => {
		const form = await forms.open('vscode-high-contrast', everything);
		await form.page.emulateMedia({ forcedColors: 'active' });
		await form.page.getByRole('combobox', { name: 'many' }).press('ArrowDown');
		await form.page.getByRole('option').first().waitFor();
		await form.page.keyboard.press('ArrowDown');
		const line = (selector: string, side: 'outline' | 'border') =>
			form.page
				.locator(selector)
				.first()
				.evaluate((element, name) => {
					const style = getComputedStyle(element);
					const property = (part: string) =>
						style.getPropertyValue(name === 'border' ? `border-top-${part}` : `outline-${part}`);
					return `${property('style')} ${property('width')}`;
				}, side);
		expect(await line('[role=combobox]', 'border')).toBe('solid 1px');
		expect(await line('[role=combobox]', 'outline')).toBe('solid 2px');
		expect(await line('.row-option.active', 'outline')).toBe('solid 2px');
		expect(await line('button.secondary', 'border')).toBe('solid 1px');
		await form.page.close();
	});

	it('nothing moves by itself', async () => {
		const form = await forms.open('vscode-dark', everything);
		await answerAsJson(form, '{}');
		expect(await form.page.evaluate(() => document.getAnimations().length)).toBe(0);
		await form.page.close();
	});
});
