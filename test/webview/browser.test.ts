import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { KEY_GUARD } from '../../src/elicitation/keyGuard.ts';
import type { FormModel } from '../../src/protocol.ts';
import { variants } from '../nightly.ts';
import { everything, partsOf, suspicious } from './models.ts';
import { type RealForm, RealForms, typesSentBy } from './realPage.ts';
import { callDetail, elicitationDetail } from './timelineHost.ts';

const forms = RealForms.ofFile();

const area = (page: Page) => page.getByRole('textbox', { name: 'Response as JSON' });
const review = (json: string) => ({ type: 'review', revision: 0, problems: [], json, refused: false }) as const;

async function answerAsJson(form: RealForm, text: string): Promise<void> {
	await form.receive(review('{}'));
	const edit = form.page.getByRole('button', { name: 'Edit as JSON' });
	// A form takes no Enter in its first moments.
	while (await edit.isVisible()) {
		await edit.press('Enter');
	}
	await area(form.page).fill(text);
}

/** A URL of the greatest length, under a message that runs from right to left. */
const longest = {
	...suspicious,
	message: 'مرحبا، الرجاء فتح هذه الصفحة: https://example.com/'.repeat(8),
	parts: partsOf(`https://example.com/?${'a=%20&'.repeat(1_300)}`.padEnd(8_192, 'x')),
	raw: 'x'.repeat(8_192),
	warnings: Array.from({ length: 12 }, () => `Warning of ${'x'.repeat(64)}.`),
};

describe('the panel of a URL', () => {
	it('keeps its buttons in view and scrolls down only, whatever it shows (U03)', async () => {
		const { page } = await forms().openUrl('vscode-dark', longest, { width: 400, height: 700 });
		const widths = await page.evaluate(() =>
			[...document.querySelectorAll('html, .body, blockquote')].map(
				({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
			),
		);
		expect(Math.max(...widths)).toBe(0);
		const open = await page.getByRole('button', { name: 'Open URL' }).boundingBox();
		expect((open?.y ?? 700) + (open?.height ?? 0)).toBeLessThanOrEqual(700);
		expect(await page.locator('dd').count()).toBeGreaterThan(1_300);
	});

	it.each(variants(320, 400, 420))(
		'has the length of a long URL on one line where it is %i pixels wide',
		async (width) => {
			const { page } = await forms().openUrl('vscode-dark', longest, { width, height: 700 });
			const length = page.getByText('8192 characters');
			const [lines, overflow] = await length.evaluate((note) => {
				const text = document.createRange();
				text.selectNodeContents(note);
				return [text.getClientRects().length, document.body.scrollWidth - document.body.clientWidth];
			});
			expect([lines, overflow]).toEqual([1, 0]);
		},
	);

	it.each(variants(320, 400))('has its buttons in pairs of one width where it is %i pixels wide', async (width) => {
		const { page } = await forms().openUrl('vscode-light', {}, { width, height: 700 });
		const boxes = await page.locator('.buttons > button').evaluateAll((all) =>
			all.map((each) => {
				const { left, top, right } = each.getBoundingClientRect();
				return { left, top, width: right - left };
			}),
		);
		expect(new Set(boxes.map(({ width: each }) => each)).size).toBe(1);
		expect([boxes[0]?.left, boxes[1]?.left]).toEqual([boxes[2]?.left, boxes[3]?.left]);
		expect([boxes[0]?.top, boxes[2]?.top]).toEqual([boxes[1]?.top, boxes[3]?.top]);
	});

	it('can be read to its end by keyboard', async () => {
		const { page } = await forms().openUrl('vscode-light', { ...longest, message: 'Short.' });
		expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
		for (const selector of ['.body', '.url', '.url:is(section + section > .url)']) {
			await page.keyboard.press('Tab');
			expect(await page.evaluate((focused) => document.activeElement?.matches(focused), selector)).toBe(true);
			await page.keyboard.press('End');
			await page.waitForFunction(() => {
				const { scrollTop, clientHeight, scrollHeight } = document.activeElement ?? document.body;
				return scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
			});
		}
		await page.keyboard.press('Tab');
		expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Open URL');
	});

	it.each([
		['low', 420, 'A line.'],
		['whose long message is shown whole', 700, 'A line.\n'.repeat(30)],
	])('stays where it is when its buttons get the focus, in a panel %s (U03)', async (_what, height, message) => {
		const { page } = await forms().openUrl('vscode-dark', { ...suspicious, message }, { width: 600, height });
		const more = page.getByRole('button', { name: 'Show All' });
		if (await more.isVisible()) {
			await more.click();
			await page.locator('blockquote.whole').waitFor();
		}
		const top = () => page.locator('h1').evaluate((element) => element.getBoundingClientRect().top);
		const before = await top();
		await page.getByRole('button', { name: 'Open URL' }).focus();
		await page.keyboard.press('Tab');
		expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy URL');
		expect(await top()).toBe(before);
	});

	it('gives the URL to the clipboard as it is when a user selects it', async () => {
		const { page } = await forms().openUrl('vscode-light', suspicious);
		await page.locator('.url').first().selectText();
		expect(await page.evaluate(() => String(getSelection()))).toBe(suspicious.parts?.href);
	});

	it('shows what the server wrote from left to right, whatever its script', async () => {
		const raw = 'https://example.com/אב/גד';
		const { page } = await forms().openUrl('vscode-light', { raw });
		const places = await page.evaluate(() => {
			const text = document.querySelector('bdo')?.firstChild as Text;
			return Array.from({ length: text.length }, (_each, at) => {
				const range = document.createRange();
				range.setStart(text, at);
				range.setEnd(text, at + 1);
				return range.getBoundingClientRect().left;
			});
		});
		expect(places).toHaveLength(raw.length);
		expect(places).toEqual([...places].sort((one, other) => one - other));
	});
});

describe('the timeline', () => {
	it.each(variants(320, 500, 1280))(
		'does not scroll sideways in a page of %i pixels, and shows lines and details',
		async (width) => {
			const { page, host } = await forms().openTimeline('vscode-light', { width, height: 600 });
			host.details = (key) => elicitationDetail(key, { message: 'x'.repeat(500), url: `https://${'x'.repeat(500)}` });
			await page.keyboard.press('End');
			await page.getByRole('heading', { name: 'Response', exact: true }).waitFor();
			expect(
				await page.evaluate(() =>
					[...document.querySelectorAll('html, .timeline, .list, .details')]
						.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
						.map(({ className }) => className),
				),
			).toEqual([]);
			const [lines, details] = await Promise.all(['.list', '.details'].map((part) => page.locator(part).boundingBox()));
			expect(lines?.height).toBeGreaterThan(150);
			expect(details?.height).toBeGreaterThan(150);
			expect((details?.y ?? 0) > (lines?.y ?? 0)).toBe(width <= 620);
		},
	);

	it('goes through 100,000 lines by mouse wheel and by keyboard without a gap', async () => {
		const { page, host } = await forms().openTimeline('vscode-dark', { messages: 100_000 });
		await page.locator('.list').hover();
		const gaps = () =>
			page.evaluate(() => {
				const list = document.querySelector('.list') as HTMLElement;
				const { top, bottom } = list.getBoundingClientRect();
				const rows = [...document.querySelectorAll('.row')].map((row) => row.getBoundingClientRect());
				return [top + 1, (top + bottom) / 2, bottom - 1].filter(
					(y) => !rows.some((row) => row.top <= y && row.bottom >= y),
				);
			});
		for (let at = 0; at < 20; at++) {
			await page.mouse.wheel(0, 1_500);
			await page.waitForFunction(
				(least) => (document.querySelector('.list')?.scrollTop ?? 0) >= least,
				(at + 1) * 1_000,
			);
			await expect.poll(gaps).toEqual([]);
		}
		await page.keyboard.press('End');
		await expect.poll(() => host.selected).toBe('message:99999');
		await expect.poll(gaps).toEqual([]);
		expect(await page.locator('.row').count()).toBeLessThan(60);
		expect(await page.locator('.row.active').innerText()).toContain('result #99998');
		await page.keyboard.press('Home');
		await expect.poll(() => host.selected).toBe('call:1');
	});

	it('comes back to the line where it was left, though it has its rows later than its size', async () => {
		const left = { edge: { key: 'message:299', index: 290, offset: 5 }, active: { key: 'message:300', index: 291 } };
		const { page } = await forms().openTimeline('vscode-dark', { left });
		expect(await page.locator('.row.active').innerText()).toContain('#300');
		const cut = () => {
			const [list, row] = ['.list', '#row-300'].map((each) => document.querySelector(each)?.getBoundingClientRect());
			return (list?.top ?? 0) - (row?.top ?? 0);
		};
		expect(await page.evaluate(cut)).toBe(5);
	});

	it('shows its focus, its selection and all three times in the colors of the system', async () => {
		const { page, host } = await forms().openTimeline('vscode-high-contrast');
		host.details = (key) => callDetail(key);
		await page.emulateMedia({ forcedColors: 'active' });
		await page.keyboard.press('ArrowDown');
		await page.locator('.clocks').waitFor();
		const styles = await page.locator('.row.active').evaluate((row) => {
			const { outlineStyle, outlineWidth } = getComputedStyle(row);
			return [outlineStyle, outlineWidth];
		});
		expect(styles).toEqual(['solid', '2px']);
		const tones = await page
			.locator('.clocks .times > span')
			.evaluateAll((parts) => parts.map((part) => getComputedStyle(part).backgroundColor));
		expect(new Set(tones).size).toBe(3);
	});
});

describe('the list of a very narrow timeline', () => {
	it('says what its lines are, not when they were', async () => {
		const { page } = await forms().openTimeline('vscode-dark', { width: 240, height: 800 });
		const row = page.locator('.row').first();
		expect(await row.locator('time').isVisible()).toBe(false);
		const clipped = await row.locator('.label').evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
		expect(clipped).toBe(false);
	});
});

describe('the splitter of the timeline', () => {
	it.each(
		variants<readonly [string, number, 'x' | 'y', 'width' | 'height']>(
			['wide', 1_000, 'x', 'width'],
			['narrow', 400, 'y', 'height'],
		),
	)('is dragged in a %s page, and a double click divides it evenly again', async (_name, width, axis, size) => {
		const { page, host } = await forms().openTimeline('vscode-dark', { width, height: 800 });
		const splitter = page.getByRole('separator', { name: 'Size of the list' });
		const sizeOf = async (part: string) => (await page.locator(part).boundingBox())?.[size] ?? 0;
		const before = await sizeOf('.lines');
		await splitter.hover();
		const box = (await splitter.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
		const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
		await page.mouse.down();
		await page.mouse.move(axis === 'x' ? x - 100 : x, axis === 'y' ? y - 100 : y, { steps: 5 });
		await page.mouse.up();
		await expect.poll(() => sizeOf('.lines')).toBeLessThan(before - 60);
		await expect.poll(() => host.sent('share').length).toBe(1);
		await splitter.dblclick();
		await expect.poll(async () => Math.abs((await sizeOf('.lines')) - (await sizeOf('.details')))).toBeLessThan(3);
	});
});

describe('keys', () => {
	it('open the JSON, and Tab leaves it again', async () => {
		const form = await forms().open('vscode-dark', {});
		await answerAsJson(form, '{}');
		await form.page.keyboard.press('Tab');
		expect(await form.page.evaluate(() => document.activeElement?.textContent)).toBe('Accept');
		await form.page.keyboard.press('Shift+Tab');
		expect(await area(form.page).evaluate((element) => element === document.activeElement)).toBe(true);
		expect(await area(form.page).inputValue()).toBe('{}');
	});
});

describe('a text', () => {
	const field = { key: 'name', label: 'Name', kind: 'text', entry: 'line', required: false, nullable: false } as const;
	const named: Partial<FormModel> = { fields: [field], inputs: [{ kind: 'text', text: '' }] };

	it('that is begun as the form appears is not sent by the Enter at its end, but by one after a pause', async () => {
		const form = await forms().open('vscode-dark', named);
		await form.page.keyboard.type('meant for the search', { delay: 50 });
		const says = form.page.getByRole('status').filter({ hasText: 'Press again.' });
		expect(await says.count()).toBe(0);
		await form.page.keyboard.press('Enter');
		expect(await typesSentBy(form.page)).not.toContain('submit');
		await says.waitFor();
		await form.page.waitForTimeout(2 * KEY_GUARD);
		await form.page.keyboard.press('Enter');
		expect(await typesSentBy(form.page)).toContain('submit');
	});

	it('that is not there yet is not sent by Ctrl+Enter as the form appears, which says so', async () => {
		const form = await forms().open('vscode-dark', named);
		await form.page.keyboard.press('Control+Enter');
		expect(await typesSentBy(form.page)).not.toContain('submit');
		await form.page.getByRole('status').filter({ hasText: 'Press again.' }).waitFor();
		await form.page.keyboard.type('x');
		await form.page.keyboard.press('Control+Enter');
		expect(await typesSentBy(form.page)).toContain('submit');
	});

	it('that is begun as the form appears keeps its line breaks', async () => {
		const form = await forms().open('vscode-dark', { ...named, fields: [{ ...field, entry: 'area' }] });
		await form.page.keyboard.type('\na line\nanother line', { delay: 50 });
		expect(await form.page.getByRole('textbox').first().inputValue()).toBe('a line\nanother line');
		// The end of no text: it is meant for the form in which something was written.
		await form.page.keyboard.press('Control+Enter');
		expect(await form.newest()).toMatchObject({ type: 'submit' });
	});

	it('that is begun as the form appears keeps its entries, but begins with none that was meant for something else', async () => {
		const list = { ...field, kind: 'list', item: 'text' } as const;
		const form = await forms().open('vscode-dark', { fields: [list], inputs: [{ kind: 'list', items: [''] }] });
		await form.page.keyboard.type('\none\ntwo', { delay: 50 });
		const entries = await form.page.getByRole('textbox').all();
		expect(await Promise.all(entries.map((entry) => entry.inputValue()))).toEqual(['one', 'two']);
	});

	it('that is begun after a click in the form is sent by the Enter at its end', async () => {
		const form = await forms().open('vscode-dark', named);
		await form.page.getByRole('textbox').first().click();
		await form.page.keyboard.type('meant for the form', { delay: 50 });
		await form.page.keyboard.press('Enter');
		expect(await form.newest()).toMatchObject({ type: 'submit' });
	});
});

describe('a click', () => {
	/** Their clock stands still but for what a test lets pass: no busy machine is too late for a first moment. */
	const forms = RealForms.ofFile(async ({ clock }) => {
		await clock.install({ time: 0 });
		await clock.pauseAt(1_000);
	});

	/** What the page sends on clicks at once, and on one by somebody who has seen the button. */
	async function sentBy(page: Page, button: string): Promise<unknown[]> {
		const target = page.getByRole('button', { name: button, exact: true });
		await target.dblclick({ force: true });
		const early = await typesSentBy(page);
		await page.getByRole('status').filter({ hasText: 'Press again.' }).waitFor();
		await page.clock.runFor(2 * KEY_GUARD);
		await target.click();
		return [early, await typesSentBy(page)];
	}

	it('answers nothing in the first moments of a form, which may have come under the pointer', async () => {
		const { page } = await forms().open('vscode-dark', {});
		expect(await sentBy(page, 'Accept')).toEqual([['ready'], ['ready', 'submit']]);
	});

	it.each([
		['URL', {}],
		['long URL', { parts: longest.parts }],
	])('on Open URL leads to the %s first where a long message has pushed it out of view (U03)', async (_what, more) => {
		const model = { message: 'A line.\n'.repeat(100), ...more };
		const { page } = await forms().openUrl('vscode-dark', model, { width: 600, height: 420 });
		const button = page.getByRole('button', { name: 'Open URL' });
		await page.clock.runFor(2 * KEY_GUARD);
		await button.click();
		await page.mouse.down();
		await page.mouse.up();
		expect(await typesSentBy(page)).not.toContain('open');
		const { height, y } = (await page.locator('.domain').first().boundingBox()) ?? { height: 0, y: 0 };
		expect(y).toBeGreaterThan(0);
		expect(y + height).toBeLessThan((await page.locator('footer').boundingBox())?.y ?? 0);
		await page.clock.runFor(2 * KEY_GUARD);
		await button.click();
		expect(await typesSentBy(page)).toContain('open');
	});

	it('by the keyboard on Open URL leads to the URL first, too, and opens it when it is repeated (U03)', async () => {
		const model = { ...suspicious, message: 'A line.\n'.repeat(100) };
		const { page } = await forms().openUrl('vscode-dark', model, { width: 600, height: 420 });
		await page.clock.runFor(2 * KEY_GUARD);
		await page.getByRole('button', { name: 'Open URL' }).focus();
		await page.keyboard.press('Enter');
		await page.keyboard.press('Enter');
		expect(await typesSentBy(page)).not.toContain('open');
		await page.clock.runFor(2 * KEY_GUARD);
		await page.keyboard.press('Enter');
		expect(await typesSentBy(page)).toContain('open');
	});

	it('opens no URL in the first moments of its panel (U02)', async () => {
		const { page } = await forms().openUrl('vscode-dark', {});
		expect(await sentBy(page, 'Open URL')).toEqual([['ready'], ['ready', 'open']]);
	});
});

describe('colors of the system', () => {
	it('leave the focus and the borders to be seen', async () => {
		const form = await forms().open('vscode-high-contrast', everything);
		await form.page.emulateMedia({ forcedColors: 'active' });
		await form.page.getByRole('textbox', { name: 'area' }).focus();
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
		expect(await line('textarea', 'border')).toBe('solid 1px');
		expect(await line('textarea:focus', 'outline')).toBe('solid 2px');
		expect(await line('button.secondary', 'border')).toBe('solid 1px');
	});

	it('nothing moves by itself', async () => {
		const form = await forms().open('vscode-dark', everything);
		await answerAsJson(form, '{}');
		expect(await form.page.evaluate(() => document.getAnimations().length)).toBe(0);
	});
});
