import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addressOf } from '../../../site/addresses.mjs';
import { filesIn } from '../../checks/project.ts';
import { launchBrowser } from '../../harness/browser.mjs';
import { root } from '../../harness/paths.mjs';
import { run } from '../../harness/process.mjs';
import { chromium } from '../../harness/toolchain.mjs';
import { nightly } from '../../nightly.ts';

const PAGES = [
	'index.html',
	'zh-cn/index.html',
	// Decisions are for contributors, who have them in the repository.
	...filesIn('docs', /^docs\/(?!decisions\/).*\.md$/).map((name) => name.replace(/\.md$/, '.html')),
];

/** Of a narrow phone, in CSS pixels. */
const WIDTH = 360;

it('links to files that only the repository has lead there, once it has an address', () => {
	expect(addressOf('../SECURITY.md', 'docs/trust.md')).toBeUndefined();
	vi.stubEnv('REPOSITORY_URL', 'https://example.com/repository');
	expect(addressOf('../SECURITY.md#report', 'docs/trust.md')).toBe(
		'https://example.com/repository/blob/HEAD/SECURITY.md#report',
	);
	vi.unstubAllEnvs();
	expect(addressOf('../servers.md#start', 'docs/zh-cn/tasks.md')).toBe('../servers.html#start');
});

describe.runIf(nightly)('the site', () => {
	const folder = join(tmpdir(), `mcp-elicitation-site-${process.pid}`);
	const site = pathToFileURL(`${folder}/`).href;
	const requested: string[] = [];
	const contents = new Map<string, Awaited<ReturnType<typeof contentOf>>>();
	let browser: Browser;
	let page: Page;

	const contentOf = () =>
		page.evaluate(() => ({
			language: document.documentElement.lang,
			title: document.title,
			description: document.querySelector<HTMLMetaElement>('meta[name=description]')?.content ?? '',
			links: [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ href }) => href),
			ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
			width: document.documentElement.scrollWidth,
		}));

	/** What axe finds, by one of its rules or by all. */
	async function violations(rule?: string): Promise<string[]> {
		await page.evaluate(axe.source);
		return page.evaluate(async (only) => {
			const { axe } = window as unknown as { axe: typeof import('axe-core') };
			const { violations } = await axe.run(only === undefined ? {} : { runOnly: [only] });
			return violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join('\n')}`);
		}, rule);
	}

	/** The pictures that the page shows, and those of them that are not there. */
	const images = () =>
		page.evaluate(async () => {
			const all = [...document.querySelectorAll<HTMLImageElement>('main img')];
			for (const image of all) {
				image.loading = 'eager';
				await image.decode().catch(() => undefined);
			}
			return {
				shown: all.map(({ currentSrc }) => currentSrc.replace(/.*\//, '')),
				missing: all.filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src),
			};
		});

	beforeAll(async () => {
		const [built, executable] = await Promise.all([
			run('npm', ['run', '-s', 'site', '--', `--output=${folder}`], { cwd: root }),
			chromium(),
		]);
		expect(built.code, built.output).toBe(0);
		browser = await launchBrowser(executable);
		page = await browser.newPage({ viewport: { width: WIDTH, height: 740 } });
		page.on('request', (request) => void requested.push(request.url()));
		for (const name of PAGES) {
			await page.goto(site + name);
			contents.set(name, await contentOf());
		}
	});

	afterAll(async () => {
		await browser?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	it('has a page for every page of the documentation, and a landing page for each language', () => {
		const made = filesIn(folder, /\.html$/).map((path) => path.slice(folder.length + 1));
		expect(made).toEqual(PAGES.toSorted());
	});

	it.each(PAGES)('has nothing that axe finds in the page %s, neither in light nor in dark colors', async (name) => {
		await page.emulateMedia({ colorScheme: 'light' });
		await page.goto(site + name);
		expect(await violations()).toEqual([]);
		await page.emulateMedia({ colorScheme: 'dark' });
		expect(await violations('color-contrast')).toEqual([]);
	});

	it.each(PAGES)('does not scroll sideways on a phone, links to what exists, and says its language: %s', (name) => {
		const { width, links = [], language } = contents.get(name) ?? {};
		expect(width).toBe(WIDTH);
		const broken = links.filter((link) => {
			const [address = '', id] = link.split('#');
			if (!address.startsWith(site)) {
				return !address.startsWith('https://');
			}
			const ids = contents.get(address.slice(site.length))?.ids ?? [];
			return !existsSync(fileURLToPath(address)) || (id !== undefined && !ids.includes(decodeURIComponent(id)));
		});
		expect(broken).toEqual([]);
		const isChinese = name.includes('zh-cn/');
		expect(language).toBe(isChinese ? 'zh-Hans' : 'en');
		expect(links).toContain(site + (isChinese ? name.replace('zh-cn/', '') : name.replace(/[^/]*$/, 'zh-cn/$&')));
	});

	it('has titles and descriptions for each page, and requests nothing from elsewhere', () => {
		const all = [...contents.values()];
		expect(new Set(all.map(({ title }) => title)).size).toBe(PAGES.length);
		expect(all.filter(({ title, description }) => !title.includes('MCP Elicitation') || !description)).toEqual([]);
		expect(requested.length).toBeGreaterThan(PAGES.length);
		expect(requested.filter((url) => !url.startsWith(site))).toEqual([]);
	});

	it.each(
		['index.html', 'zh-cn/index.html', 'docs/forms.html', 'docs/zh-cn/forms.html'].flatMap((name) =>
			(['light', 'dark'] as const).map((colorScheme) => [name, colorScheme] as const),
		),
	)('shows the pictures of %s in the colors of the reader: %s', async (name, colorScheme) => {
		await page.emulateMedia({ colorScheme });
		await page.goto(site + name);
		const { shown, missing } = await images();
		expect(missing).toEqual([]);
		const ending = `${name.includes('zh-cn/') ? '.zh-cn' : ''}${colorScheme === 'dark' ? '.dark' : ''}.png`;
		const still = shown.filter((file) => !file.startsWith('tour.'));
		expect(still.map((file) => file.replace(/^\w+/, ''))).toEqual(still.map(() => ending));
		expect(shown).toContain(`form${ending}`);
	});

	it('shows the tour and six capabilities first, pauses its animation, and can skip to the content', async () => {
		await page.goto(`${site}index.html`);
		expect(await page.locator('.capabilities li:has(strong):has(img)').count()).toBe(6);
		expect(await page.locator('.tour img').first().getAttribute('src')).toBe('media/readme/tour.png');
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
		await page.getByLabel('Pause the animation').check();
		expect(await page.locator('.tour .moving').isVisible()).toBe(false);
		expect(await page.locator('.tour .still').isVisible()).toBe(true);
		for (const [colorScheme, picture] of [
			['light', /form\.png$/],
			['dark', /form\.dark\.png$/],
		] as const) {
			await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
			await page.reload();
			const moving = page.locator('.moving img');
			expect(await moving.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(picture);
		}
	});
});
