// @vitest-environment node
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Field } from '../../src/elicitation/form/fields.ts';
import type { FormModel } from '../../src/protocol.ts';
import { contrastRatio } from './measures.ts';
import { everything, modelOf } from './models.ts';
import { type RealForm, RealForms } from './realPage.ts';
import { themes } from './themes.ts';

const fetchingABrowser = 300_000;
let forms: RealForms;
beforeAll(async () => {
	forms = await RealForms.start();
}, fetchingABrowser);
afterAll(() => forms?.close());

const base = { required: false, nullable: false };

/** Shows every field as wrong, as after a submit. */
async function refuse(form: RealForm, fields: readonly Field[] = everything.fields ?? []): Promise<void> {
	const problems = fields.map((_field, field) => ({ field, text: `Wrong: ${'why '.repeat(20)}` }));
	await form.receive({ type: 'review', revision: 1, problems, json: '{}', refused: true });
	await form.page.locator('footer .invalid').waitFor();
}

/** The contrast of a property of an element to a background. */
async function contrast(page: Page, selector: string, property: string, ground: 'page' | 'own'): Promise<number> {
	const colors = await page
		.locator(selector)
		.first()
		.evaluate(
			(element, [name, behind]) => [
				getComputedStyle(element).getPropertyValue(name),
				getComputedStyle(behind === 'page' ? document.body : element).backgroundColor,
			],
			[property, ground] as const,
		);
	return contrastRatio(...(colors as [string, string]));
}

it.each(themes)('buttons other than Accept have the border of secondary buttons, in %s', async (theme) => {
	const form = await forms.open(theme, everything);
	const borders = await form.page.getByRole('button', { name: 'Decline' }).evaluate((button) => {
		const border = getComputedStyle(button).borderTopColor;
		button.style.borderColor = 'var(--vscode-button-secondaryBorder)';
		return [border, getComputedStyle(button).borderTopColor];
	});
	expect(borders[0]).toBe(borders[1]);
	await form.page.close();
});

describe.each(themes)('what is wrong, in %s', (theme) => {
	it('can be told from what is right by a border, and by an icon with words', async () => {
		const form = await forms.open(theme, everything);
		const border = (name: string) =>
			form.page
				.getByRole('textbox', { name, exact: true })
				.evaluate((element) => getComputedStyle(element).borderTopColor);
		const right = await border('line');
		await refuse(form);
		expect(await border('line')).not.toBe(right);
		expect(await contrast(form.page, '#field-0', 'border-top-color', 'page')).toBeGreaterThanOrEqual(3);
		expect(await contrast(form.page, '#field-0', 'border-top-color', 'own')).toBeGreaterThanOrEqual(3);
		const errors = await form.page
			.locator('.error')
			.evaluateAll((all) => all.map((each) => [getComputedStyle(each, '::before').content, each.textContent]));
		expect(errors.length).toBe(everything.fields?.length);
		expect(errors.filter(([icon, text]) => !icon?.includes('✗') || !text?.includes('Wrong'))).toEqual([]);
		await form.page.close();
	});

	it('is not what the mark of a required field looks like, which can be read', async () => {
		const form = await forms.open(theme, everything);
		expect(await contrast(form.page, '.mark', 'color', 'page')).toBeGreaterThanOrEqual(4.5);
		await form.page.close();
	});
});

it.each(themes)('Accept looks other than Decline, in %s', async (theme) => {
	const { page } = await forms.open(theme, everything);
	const look = (name: string) =>
		page.getByRole('button', { name, exact: true }).evaluate((element) => {
			const { backgroundColor, fontWeight } = getComputedStyle(element);
			return { backgroundColor, fontWeight };
		});
	expect(await look('Accept')).not.toEqual(await look('Decline'));
	await page.close();
});

describe('a long message', () => {
	const long = { message: 'A sentence of a long message.\n'.repeat(60), server: 'the sender' };

	it('fades out where it goes on, and can be shown whole while its sender stays in view', async () => {
		const { page } = await forms.open('vscode-dark', { ...everything, ...long }, 900, 600);
		const message = page.locator('#message');
		const mask = () => message.evaluate((element) => getComputedStyle(element).maskImage);
		expect(await mask()).toContain('gradient');
		await message.evaluate((element) => element.scrollTo(0, element.scrollHeight));
		await expect.poll(mask).toBe('none');
		const sender = page.locator('.recipient').getByText('the sender');
		await page.getByRole('button', { name: 'Show All' }).click();
		expect(await message.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
		expect(await mask()).toBe('none');
		for (const end of [0, 1_000_000]) {
			await page.locator('form').evaluate((element, top) => element.scrollTo(0, top), end);
			expect(await sender.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThanOrEqual(600);
		}
		await page.getByRole('button', { name: 'Show Less' }).click();
		expect(await mask()).toContain('gradient');
		await page.close();
	});

	it('is all there is where it fits', async () => {
		const { page } = await forms.open('vscode-dark', everything);
		expect(await page.getByRole('button', { name: 'Show All' }).count()).toBe(0);
		expect(await page.locator('#message').evaluate((element) => getComputedStyle(element).maskImage)).toBe('none');
		await page.close();
	});
});

/** Everything that takes the focus: whether it can be seen whole or, if it is too high, its top. */
async function hiddenWithFocus(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const all = document.querySelectorAll<HTMLElement>(
			'form :is(input, textarea, select, button, summary, [tabindex="0"])',
		);
		return [...all].flatMap((element) => {
			if (!element.checkVisibility() || element.matches(':disabled')) {
				return [];
			}
			element.focus();
			const { left, right, top, bottom } = element.getBoundingClientRect();
			const corners = [
				[left + 3, top + 3],
				[right - 3, Math.min(bottom - 3, top + 20)],
			] as const;
			const isSeen = corners.every(([x, y]) => {
				const found = document.elementFromPoint(x, y);
				return found !== null && (element.contains(found) || found.contains(element));
			});
			return isSeen ? [] : [element.outerHTML.slice(0, 80)];
		});
	});
}

const nested: Field = {
	...base,
	kind: 'json',
	key: 'address',
	label: 'Address',
	example: {},
	shape: Array.from({ length: 8 }, (_each, at) => ({ name: `property${at}`, type: 'string', required: false })),
};

describe.each([
	['400 pixels wide', 400, 800],
	['zoomed to 200 %', 450, 400],
	['low', 900, 420],
])('a form that is %s', (_what, width, height) => {
	const model: Partial<FormModel> = {
		...everything,
		fields: [...(everything.fields ?? []), nested],
		message: 'A sentence of a long message.\n'.repeat(20),
	};

	it('loses nothing: all that takes the focus comes into view, and nothing scrolls sideways', async () => {
		const form = await forms.open('vscode-light', model, width, height);
		await refuse(form, model.fields);
		for (const isWhole of [false, true]) {
			const more = form.page.getByRole('button', { name: 'Show All' });
			if (isWhole && (await more.count()) > 0) {
				await more.click();
			}
			expect(await hiddenWithFocus(form.page)).toEqual([]);
			const widest = await form.page
				.locator('html, form, .body, footer')
				.evaluateAll((all) => Math.max(...all.map((each) => each.scrollWidth)));
			expect(widest).toBeLessThanOrEqual(width);
		}
		await form.page.close();
	});

	it('has nothing to press that is smaller than 24 × 24 pixels', async () => {
		const form = await forms.open('vscode-light', model, width, height);
		await refuse(form, model.fields);
		const small = await form.page.evaluate(() => {
			const targets = document.querySelectorAll<HTMLElement>(
				'form :is(input:not([type=radio], [type=checkbox]), textarea, select, button, summary, label:has(input), .row-option)',
			);
			return [...targets].flatMap((element) => {
				const { width, height } = element.getBoundingClientRect();
				return element.checkVisibility() && (width < 24 || height < 24)
					? [`${width} × ${height}: ${element.outerHTML.slice(0, 80)}`]
					: [];
			});
		});
		expect(small).toEqual([]);
		await form.page.close();
	});
});

describe.each([320, 400, 600])('the foot of a form %i pixels wide', (width) => {
	const chinese = JSON.parse(readFileSync('l10n/bundle.l10n.zh-cn.json', 'utf8'));

	it.each([
		['English', {}],
		['Chinese', chinese],
	])('has its buttons in one line, and whatever begins a line begins at its edge, in %s', async (_what, strings) => {
		const form = await forms.open('vscode-light', everything, width);
		await form.receive({ type: 'show', model: modelOf(everything), strings, instead: true });
		const boxes = () =>
			form.page.locator('footer .buttons:not([hidden]) > *').evaluateAll((all) =>
				all
					.filter((each) => each.checkVisibility())
					.map((each) => {
						const { left, top, bottom } = each.getBoundingClientRect();
						return { name: each.className, left, middle: Math.round((top + bottom) / 2) };
					}),
			);
		for (const isWrong of [false, true]) {
			if (isWrong) {
				await refuse(form);
			}
			const shown = await boxes();
			expect(new Set(shown.slice(0, 3).map(({ middle }) => middle)).size).toBe(1);
			const lefts = shown.map(({ left }) => left);
			const begins = lefts.filter((left, at) => at === 0 || left <= (lefts[at - 1] ?? 0));
			expect(new Set(begins).size).toBe(1);
			// The shortcut is in the tooltip as well, so it makes room for the problems.
			const names = shown.slice(3).map(({ name }) => name);
			expect(names).toEqual([...(isWrong ? ['invalid'] : width > 480 ? ['note'] : []), 'recipient']);
		}
		await form.page.close();
	});
});

describe('a field from right to left', () => {
	const fields: Field[] = [
		{ ...base, kind: 'text', entry: 'line', key: 'name', label: 'שם מלא' },
		{ ...base, kind: 'text', entry: 'area', key: 'about', label: 'תיאור' },
		{ ...base, kind: 'text', entry: 'line', key: 'nick', label: 'Nickname' },
	];

	it('has one direction, also while it is empty; another field has its own', async () => {
		const { page } = await forms.open('vscode-light', { fields, inputs: [] });
		const directions = () =>
			page
				.locator('.field')
				.evaluateAll((all) =>
					all.map((field) =>
						[field, ...field.querySelectorAll('label, input, textarea')].map(
							(each) => getComputedStyle(each).direction,
						),
					),
				);
		expect(await directions()).toEqual([
			['rtl', 'rtl', 'rtl'],
			['rtl', 'rtl', 'rtl'],
			['ltr', 'ltr', 'ltr'],
		]);
		await page.getByRole('textbox', { name: 'Nickname' }).fill('שלום');
		expect((await directions())[2]).toEqual(['ltr', 'ltr', 'rtl']);
		await page.close();
	});

	it('has the sentences of the editor in their own direction, at its side', async () => {
		const { page } = await forms.open('vscode-light', {
			fields: [{ ...base, kind: 'text', entry: 'line', secret: true, key: 'name', label: 'שם מלא' }],
			inputs: [],
			constraints: [[{ text: 'At least {0} characters.', args: [2] }]],
		});
		const ends = await page.locator('.constraint, .caution').evaluateAll((all) =>
			all.map((each) => {
				const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
				const text = walker.nextNode() as Text;
				const right = (from: number, to: number) => {
					const range = document.createRange();
					range.setStart(text, from);
					range.setEnd(text, to);
					return Math.round(range.getBoundingClientRect().right);
				};
				return { period: right(text.length - 1, text.length), side: Math.round(each.getBoundingClientRect().right) };
			}),
		);
		expect(ends).toHaveLength(2);
		for (const { period, side } of ends) {
			expect(period).toBe(side);
		}
		await page.close();
	});
});
