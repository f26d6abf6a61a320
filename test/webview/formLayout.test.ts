import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Field } from '../../src/elicitation/form/fields.ts';
import type { FormModel } from '../../src/protocol.ts';
import { variants } from '../nightly.ts';
import { everyField, everything } from './models.ts';
import { type RealForm, RealForms } from './realPage.ts';

const forms = RealForms.ofFile();
const THEME = 'vscode-light';
const base = { required: false, nullable: false };

/** Shows every field as wrong, as after a submit. */
async function refuse(form: RealForm, fields: readonly Field[] = everyField): Promise<void> {
	const problems = fields.map((_field, field) => ({ field, text: `Wrong: ${'why '.repeat(20)}` }));
	await form.receive({ type: 'review', revision: 0, problems, json: '{}', refused: true });
	await form.page.locator('footer .invalid').waitFor();
}

describe('a long message', () => {
	const long = { message: 'A sentence of a long message.\n'.repeat(60), server: 'the sender' };

	it('fades out where it goes on, and can be shown whole while its sender stays in view', async () => {
		const { page } = await forms().open(THEME, { ...everything, ...long }, 900, 600);
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
	});

	it('is all there is where it fits', async () => {
		const { page } = await forms().open(THEME, everything);
		expect(await page.getByRole('button', { name: 'Show All' }).count()).toBe(0);
		expect(await page.locator('#message').evaluate((element) => getComputedStyle(element).maskImage)).toBe('none');
	});
});

it('what is unfolded at the end of a form is shown', async () => {
	const { page, receive } = await forms().open(THEME, everything, 900, 600);
	await receive({ type: 'review', revision: 0, problems: [], json: '{}', refused: false });
	await page.getByText('Response as JSON', { exact: true }).click();
	const bottom = async (selector: string) => {
		const { y, height } = (await page.locator(selector).boundingBox()) ?? { y: 0, height: 0 };
		return y + height;
	};
	await expect.poll(() => bottom('#json-answer')).toBeGreaterThan(0);
	const end = (await bottom('.body')) + 1;
	await expect.poll(() => bottom('#json-answer')).toBeLessThanOrEqual(end);
});

it('nothing moves while JSON is typed that is wrong, nor when Escape asks', async () => {
	const form = await forms().open(THEME, everything, 900, 600);
	const { page } = form;
	await form.receive({ type: 'review', revision: 0, problems: [], json: '{}', refused: false });
	await page.getByRole('button', { name: 'Edit as JSON' }).click();
	const json = page.getByRole('textbox', { name: 'Response as JSON' });
	const places = async () => [await json.boundingBox(), await page.locator('footer').boundingBox()];
	const before = await places();
	await json.fill('{\n\n\n');
	await form.reviewJson({ problems: [{ text: 'Wrong.' }] });
	await page.locator('.problem').waitFor();
	expect(await places()).toEqual(before);
	await page.keyboard.press('Escape');
	await page.getByRole('button', { name: 'Keep Editing' }).waitFor();
	expect(await places()).toEqual(before);
});

/** Everything that takes the focus, but cannot be seen whole then or, if it is too high, with its top. */
async function hiddenWithFocus(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const all = document.querySelectorAll<HTMLElement>(
			'form :is(input, textarea, select, button, summary, [tabindex="0"])',
		);
		return [...all].flatMap((element) => {
			if (!element.checkVisibility({ visibilityProperty: true }) || element.matches(':disabled')) {
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

/** Everything to press that is smaller than 24 × 24 pixels. */
async function tooSmall(page: Page): Promise<string[]> {
	return page.evaluate(() => {
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
}

it.each(variants(['400 pixels wide', 400, 800], ['zoomed to 200 %', 450, 400], ['low', 900, 420]))(
	'a form that is %s loses nothing: all that takes the focus comes into view and can be hit; nothing scrolls sideways',
	async (_what, width, height) => {
		const nested: Field = {
			...base,
			kind: 'json',
			key: 'address',
			label: 'Address',
			example: {},
			shape: Array.from({ length: 8 }, (_each, at) => ({ name: `property${at}`, type: 'string', required: false })),
		};
		const model: Partial<FormModel> = {
			...everything,
			fields: [...everyField, nested],
			message: 'A sentence of a long message.\n'.repeat(20),
		};
		const form = await forms().open(THEME, model, width, height);
		await refuse(form, model.fields);
		expect(await tooSmall(form.page)).toEqual([]);
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
	},
);

const languages = { Chinese: JSON.parse(readFileSync('l10n/bundle.l10n.zh-cn.json', 'utf8')), English: {} };

it.each(
	variants([320, 'Chinese'], [400, 'Chinese'], [600, 'Chinese'], [320, 'English'], [400, 'English'], [600, 'English']),
)(
	'the foot of a form %i pixels wide has its buttons in one line, and whatever begins a line begins at its edge, in %s',
	async (width, language) => {
		const form = await forms().open(THEME, everything, width, 900, languages[language]);
		const boxes = () =>
			form.page.locator('footer .buttons:not([hidden]) > *').evaluateAll((all) =>
				all
					.filter((each) => each.checkVisibility())
					.map((each) => {
						const { left, top, bottom } = each.getBoundingClientRect();
						return {
							name: each.classList.item(each.classList.length - 1),
							left,
							middle: Math.round((top + bottom) / 2),
						};
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
			expect(names).toEqual([...(isWrong ? ['invalid'] : width > 600 ? ['shortcut'] : []), 'recipient']);
		}
	},
);

describe('a field from right to left', () => {
	const line: Field = { ...base, kind: 'text', entry: 'line', key: 'name', label: 'שם מלא' };

	it('has one direction, also while it is empty; another field has its own', async () => {
		const fields: Field[] = [
			line,
			{ ...line, entry: 'area', key: 'about', label: 'תיאור' },
			{ ...line, key: 'nick', label: 'Nickname' },
		];
		const { page } = await forms().open(THEME, { fields, inputs: [] });
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
	});

	it('has its name begin where its description does, and the sentences of the editor in their own direction, at its side', async () => {
		const described = { ...line, description: 'הזן את שמך המלא', required: true };
		const { page } = await forms().open(THEME, {
			fields: [
				{ ...described, secret: true },
				{ ...base, kind: 'boolean', key: 'sure', label: 'שם מלא', description: 'הזן את שמך המלא', required: true },
			],
			inputs: [],
			constraints: [[{ text: 'At least {0} characters.', args: [2] }], []],
		});
		const right = (selector: string) =>
			page.locator(selector).evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().right)));
		const names = await right('label > bdi:dir(rtl), legend > bdi:dir(rtl)');
		expect(names).toHaveLength(2);
		expect(names).toEqual(await right('.help > bdi'));
		const ends = await page.locator('.constraint, .caution').evaluateAll((all) =>
			all.map((each) => {
				const text = document.createTreeWalker(each, NodeFilter.SHOW_TEXT).nextNode() as Text;
				const range = document.createRange();
				range.setStart(text, text.length - 1);
				range.setEnd(text, text.length);
				const period = Math.round(range.getBoundingClientRect().right);
				return { period, side: Math.round(each.getBoundingClientRect().right) };
			}),
		);
		expect(ends).toHaveLength(2);
		for (const { period, side } of ends) {
			expect(period).toBe(side);
		}
	});
});
