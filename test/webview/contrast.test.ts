// @vitest-environment node
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResultModel, StartModel } from '../../src/protocol.ts';
import { variants } from '../nightly.ts';
import { overflows, shortcomings } from './measures.ts';
import { everything, partsOf, suspicious } from './models.ts';
import { RealForms } from './realPage.ts';
import { type Theme, testedThemes } from './themes.ts';
import { callDetail, elicitationDetail, messageDetail } from './timelineHost.ts';
import { ended, trialsOf } from './trialsModel.ts';

const fetchingABrowser = 300_000;
let pages: RealForms;
beforeAll(async () => {
	pages = await RealForms.start();
}, fetchingABrowser);
afterAll(() => pages?.close());

interface Size {
	readonly width: number;
	readonly height: number;
}

const result: ResultModel = {
	server: 'demo',
	call: { kind: 'tool', name: 'deploy' },
	isError: false,
	takesArguments: true,
	times: { server: 3_210, person: 41_000, automatic: 0 },
	result: {
		content: [
			{ type: 'text', text: 'Deployed. '.repeat(40) },
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
		{
			alarm: false,
			rows: [{ label: 'Command', text: `/usr/bin/node ${'--flag '.repeat(30)}`, notes: ['in this workspace'] }],
		},
		{ title: 'These decide:', alarm: true, rows: [{ text: `NODE_OPTIONS=${'x'.repeat(200)}`, notes: [] }] },
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

async function timeline(
	theme: Theme,
	size: Size,
	detail: typeof callDetail | typeof elicitationDetail | typeof messageDetail,
) {
	const { page, host } = await pages.openTimeline(theme, { ...size, messages: 40 });
	host.more = { found: { messages: 7, elicitations: 1 }, servers: ['a', 'b'], only: 'deploy' };
	host.details = (key) => detail(key, {});
	await host.push();
	await page.keyboard.press('Home');
	await page.keyboard.press('ArrowDown');
	await page.locator('.details pre').first().waitFor();
	return page;
}

async function invalidForm(theme: Theme, { width, height }: Size): Promise<Page> {
	const form = await pages.open(theme, everything, width, height);
	const problems = (everything.fields ?? []).slice(4).map((_field, at) => ({ field: at + 4, text: 'Wrong.' }));
	await form.receive({
		type: 'review',
		revision: 1,
		problems: [...problems, { text: 'Whole.' }],
		json: '{}',
		refused: true,
	});
	await form.page.getByText('2 findings').click();
	await form.page.getByText('Edit as JSON', { exact: true }).click();
	return form.page;
}

async function openList(theme: Theme, { width, height }: Size): Promise<Page> {
	const { page } = await pages.open(theme, everything, width, height);
	await page.getByRole('combobox', { name: 'many' }).click();
	await page.keyboard.press('ArrowDown');
	await page.locator('.popup [role=option].active').waitFor();
	return page;
}

const opened: Readonly<Record<string, (theme: Theme, size: Size) => Promise<Page>>> = {
	'the form with its errors': invalidForm,
	'a list of the form': openList,
	'a URL': async (theme, size) => (await pages.openUrl(theme, suspicious, size)).page,
	'a refused URL': async (theme, size) =>
		(await pages.openUrl(theme, { parts: partsOf('javascript:alert(1)'), refused: 'Refused.' }, size)).page,
	'a result': (theme, size) => pages.show('result', theme, result, size),
	'a failed result': (theme, size) => pages.show('result', theme, { ...result, isError: true }, size),
	'the timeline at a call': (theme, size) => timeline(theme, size, callDetail),
	'the timeline at an elicitation': (theme, size) => timeline(theme, size, elicitationDetail),
	'the timeline at a message': (theme, size) =>
		timeline(theme, size, (key: string) => messageDetail(key, { error: true, truncated: true })),
	'the trials': (theme, size) => pages.show('trials', theme, trials, size),
	'the consent to a start': (theme, size) => pages.show('start', theme, start, size),
};

describe.each(testedThemes)('in %s, WCAG 2.2 AA', (theme) => {
	it.each(Object.entries(opened))(
		'%s can be seen and hit, and no error is told by its color alone',
		async (_name, open) => {
			const page = await open(theme, { width: 1_000, height: 2_000 });
			expect(await shortcomings(page)).toEqual([]);
			await page.close();
		},
	);
});

it('the icon of an outcome is in the middle of its first line', async () => {
	const page = await pages.show('trials', 'vscode-light', trials, { width: 660, height: 900 });
	const found = await page.locator('.outcome:has(> .icon)').evaluateAll((all) =>
		all.map((each) => {
			const [whole, icon] = [each, each.querySelector('.icon')].map((part) => part?.getBoundingClientRect());
			return { height: whole?.height, middle: (icon?.top ?? 0) + (icon?.height ?? 0) / 2 - (whole?.top ?? 0) };
		}),
	);
	expect(new Set(found.map(({ height }) => height)).size).toBeGreaterThan(1);
	expect(found.filter(({ middle }) => Math.abs(middle - 10) > 1)).toEqual([]);
	await page.close();
});

describe.each(
	variants<readonly [string, { readonly width: number; readonly height: number }]>(
		['at 320 pixels', { width: 320, height: 600 }],
		['at 400 pixels', { width: 400, height: 700 }],
		// A window of 1,280 × 800.
		['at a zoom of 200 %', { width: 640, height: 400 }],
	),
)('%s', (_name, size) => {
	it.each(Object.entries(opened))('%s does not scroll sideways, and cuts nothing', async (_what, open) => {
		const page = await open('vscode-light', size);
		expect(await overflows(page)).toEqual([]);
		await page.close();
	});
});
