import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { FormModel, ResultModel, StartModel, UrlModel } from '../../src/protocol.ts';
import type { ShownDetail } from '../../src/timelineProtocol.ts';
import { variants } from '../nightly.ts';
import { contrastRatio, overflows, shortcomings } from './measures.ts';
import { everyField, everything, partsOf, suspicious } from './models.ts';
import { paint, RealForms, type Size } from './realPage.ts';
import { testedThemes } from './themes.ts';
import { callDetail, elicitationDetail, messageDetail } from './timelineHost.ts';
import { ended, trialsOf } from './trialsModel.ts';

const pages = RealForms.ofFile();

/** Room for everything: what must be scrolled to is not looked at. */
const WIDE: Size = { width: 1_000, height: 2_000 };
const THEME = 'vscode-dark';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const result: ResultModel = {
	server: 'demo',
	call: { kind: 'tool', name: 'deploy' },
	isError: false,
	takesArguments: true,
	args: { environment: 'north' },
	at: 1_700_000_000_000,
	refusals: ['The URL has a user name in it.'],
	times: { server: 3_210, person: 41_000, automatic: 0 },
	result: {
		content: [
			{ type: 'text', text: 'Deployed. '.repeat(40) },
			{ type: 'image', data: PIXEL, mimeType: 'image/png' },
			{ type: 'resource_link', uri: `https://example.com/${'x'.repeat(200)}`, name: 'log', description: 'The log.' },
		],
		structuredContent: { replicas: 3, regions: [{ name: 'north', hosts: ['a', 'b'] }], done: true, left: null },
	},
};

const start: StartModel = {
	server: 'raw',
	reason: 'This workspace defines it.',
	place: 'Defined in: .mcp.json',
	sections: [
		{ title: 'Suspicious', level: 'alarm', rows: [{ text: 'https://xn--gthub-n2e.com/', notes: ['Letters.'] }] },
		{
			rows: [{ label: 'Command', text: `/usr/bin/node ${'--flag '.repeat(30)}`, notes: ['in this workspace'] }],
		},
		{ title: 'These decide', level: 'warning', rows: [{ text: `NODE_OPTIONS=${'x'.repeat(200)}`, notes: [] }] },
	],
};

/** A table with every outcome. */
const trials = trialsOf({
	rows: [
		...trialsOf().rows,
		ended({
			outcome: 'error',
			refusal: 'expected',
			outcomeText: 'JSON-RPC error, as expected',
			words: 'x'.repeat(150),
		}),
		ended({ outcome: 'waiting', outcomeText: 'No result until it was cancelled' }),
		ended({ outcome: 'isError', outcomeText: 'Result that reports an error', sent: JSON.stringify('x'.repeat(150)) }),
	],
	revisions: true,
});

const review = { type: 'review', revision: 0, problems: [], json: '{}', refused: false } as const;

const form = (model: Partial<FormModel>) => pages().open(THEME, model, WIDE.width, WIDE.height);
const url = async (model: Partial<UrlModel>) => (await pages().openUrl(THEME, model, WIDE)).page;

/** The timeline with the details of its second line; without details, an empty one. */
async function timeline(detail?: (key: string) => ShownDetail): Promise<Page> {
	const { page, host } = await pages().openTimeline(THEME, { ...WIDE, messages: 40 });
	host.more = { found: { messages: 7, elicitations: 1 }, servers: ['a', 'b'], only: 'deploy' };
	if (detail === undefined) {
		host.rows = [];
		host.more = { found: { messages: 0, elicitations: 0 }, only: 'deploy' };
		await host.push();
		await page.getByText('Nothing matches.').waitFor();
		return page;
	}
	host.details = detail;
	await host.push();
	await page.keyboard.press('Home');
	await page.keyboard.press('ArrowDown');
	await page.locator('.details pre').first().waitFor();
	return page;
}

async function invalidForm(): Promise<Page> {
	const { page, receive } = await form(everything);
	// Those before are right, as what is wrong must differ from.
	const problems = everyField.slice(4).map((_field, at) => ({ field: at + 4, text: 'Wrong.' }));
	await receive({ ...review, problems: [...problems, { text: 'Whole.' }], unchecked: 'Unchecked.', refused: true });
	await page.getByText('2 findings').click();
	await page.getByText('Response as JSON', { exact: true }).click();
	return page;
}

async function invalidJson(): Promise<Page> {
	const { page, receive, reviewJson } = await form(everything);
	await receive(review);
	await page.getByText('Edit as JSON', { exact: true }).click();
	await page.getByRole('textbox', { name: 'Response as JSON' }).fill(`{"${'x'.repeat(500)}": 1}`);
	await reviewJson({ inputs: [], problems: [{ text: 'x'.repeat(500) }] });
	await page.keyboard.press('Tab');
	await page.locator('.problem').waitFor();
	return page;
}

const shown: Readonly<Record<string, () => Promise<Page>>> = {
	'a form of every kind': async () => (await form(everything)).page,
	'the form with its errors': invalidForm,
	'a response as JSON that is wrong': invalidJson,
	'a preview that is blocked': async () => (await form({ purpose: 'preview', blocked: 'It cannot be met.' })).page,
	'a withdrawn form': async () => {
		const { page, receive } = await form({});
		await receive({ type: 'withdrawn', reason: 'Gone.' });
		return page;
	},
	'a URL': () => url({}),
	'a suspicious URL': () => url(suspicious),
	'a URL that is over': async () => {
		const { page, receive } = await pages().openUrl(THEME, suspicious, WIDE);
		await receive({ type: 'over', reason: 'The request was completed elsewhere; nothing was opened.' });
		return page;
	},
	'a refused URL': () => url({ parts: partsOf('javascript:alert(1)'), refused: 'Refused.' }),
	'a result': () => pages().show('result', THEME, result, WIDE),
	'a failed result': () => pages().show('result', THEME, { ...result, isError: true }, WIDE),
	'the timeline at a call': () => timeline((key) => callDetail(key)),
	'the timeline at an elicitation': () => timeline((key) => elicitationDetail(key)),
	'the timeline at a message': () => timeline((key) => messageDetail(key, { error: true, truncated: true })),
	'an empty timeline': () => timeline(),
	'the trials': () => pages().show('trials', THEME, trials, WIDE),
	'the consent to a start': () => pages().show('start', THEME, start, WIDE),
};

async function violations(page: Page): Promise<string[]> {
	await page.evaluate(axe.source);
	return page.evaluate(async () => {
		const { axe } = window as unknown as { axe: typeof import('axe-core') };
		return (await axe.run()).violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join('\n')}`);
	});
}

describe.each(Object.entries(shown))('%s', (_name, open) => {
	let page: Page;
	beforeAll(async () => {
		page = await open();
	});

	it.each(testedThemes)(
		'can be seen and hit, and tells no error by its color alone: WCAG 2.2 AA, in %s',
		async (theme) => {
			await paint(page, theme);
			expect(await shortcomings(page)).toEqual([]);
		},
	);

	it.each(
		variants(
			['at 320 pixels', 320, 600],
			['at 400 pixels', 400, 700],
			// A window of 1,280 × 800.
			['at a zoom of 200 %', 640, 400],
			['in a wide window', WIDE.width, WIDE.height],
		),
	)('does not scroll sideways, cuts nothing, and has nothing that axe finds %s', async (_what, width, height) => {
		await page.setViewportSize({ width, height });
		expect(await overflows(page)).toEqual([]);
		// What scrolls at this size can be focused as soon as the page has seen it.
		await vi.waitFor(async () => expect(await violations(page)).toEqual([]));
	});
});

it('the icon of an outcome is in the middle of its first line', async () => {
	const page = await pages().show('trials', 'vscode-light', trials, { width: 660, height: 900 });
	const found = await page.locator('.outcome:has(> .icon)').evaluateAll((all) =>
		all.map((each) => {
			const [whole, icon] = [each, each.querySelector('.icon')].map((part) => part?.getBoundingClientRect());
			return { height: whole?.height, middle: (icon?.top ?? 0) + (icon?.height ?? 0) / 2 - (whole?.top ?? 0) };
		}),
	);
	expect(new Set(found.map(({ height }) => height)).size).toBeGreaterThan(1);
	expect(found.filter(({ middle }) => Math.abs(middle - 10) > 1)).toEqual([]);
});

describe.each(testedThemes)('in %s', (theme) => {
	/** Properties of an element as they are shown. */
	const looks = (page: Page, selector: string, ...properties: string[]) =>
		page
			.locator(selector)
			.first()
			.evaluate((element, names) => names.map((name) => getComputedStyle(element).getPropertyValue(name)), properties);
	const ACCEPT = 'footer button:text-is("Accept")';
	const DECLINE = 'footer button:text-is("Decline")';

	it('Accept looks other than Decline, which has the border of secondary buttons', async () => {
		const { page } = await pages().open(theme, everything);
		const style = ['background-color', 'font-weight'];
		expect(await looks(page, ACCEPT, ...style)).not.toEqual(await looks(page, DECLINE, ...style));
		const border = await looks(page, DECLINE, 'border-top-color');
		await page.locator(DECLINE).evaluate((button) => {
			button.style.borderColor = 'var(--vscode-button-secondaryBorder)';
		});
		expect(await looks(page, DECLINE, 'border-top-color')).toEqual(border);
	});

	it('what is wrong can be told from what is right by a border, and by an icon with words', async () => {
		const { page, receive } = await pages().open(theme, everything);
		const right = await looks(page, '#field-0', 'border-top-color');
		const problems = everyField.map((_field, field) => ({ field, text: 'Wrong.' }));
		await receive({ ...review, problems, refused: true });
		await page.locator('footer .invalid').waitFor();
		const [border = '', ground = ''] = await looks(page, '#field-0', 'border-top-color', 'background-color');
		expect([border]).not.toEqual(right);
		expect(contrastRatio(border, ground)).toBeGreaterThanOrEqual(3);
		const errors = await page
			.locator('.problem')
			.evaluateAll((all) => all.map((each) => [getComputedStyle(each, '::before').clipPath, each.textContent]));
		expect(errors).toHaveLength(everyField.length);
		expect(errors.filter(([icon, text]) => !icon?.startsWith('path') || !text?.includes('Wrong'))).toEqual([]);
	});
});
