import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addressOf } from '../../../site/addresses.mjs';
import { launchBrowser } from '../../harness/browser.mjs';
import { root } from '../../harness/paths.mjs';
import { run } from '../../harness/process.mjs';
import { chromium } from '../../harness/toolchain.mjs';
import { nightly } from '../../nightly.ts';

const namesIn = (folder: string, extension: string) =>
	readdirSync(folder, { encoding: 'utf8', recursive: true })
		.filter((name) => name.endsWith(extension))
		.map((name) => name.replaceAll('\\', '/'))
		.sort();

const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-site-'));
const site = pathToFileURL(`${folder}/`).href;
const PAGES = [
	'index.html',
	'zh-cn/index.html',
	...namesIn(join(root, 'docs'), '.md').map((name) => `docs/${name.replace(/\.md$/, '.html')}`),
];

/** Of a narrow phone, in CSS pixels. */
const WIDTH = 360;

interface Content {
	readonly language: string;
	readonly title: string;
	readonly description: string;
	readonly links: readonly string[];
	readonly ids: readonly string[];
	/** In CSS pixels, with what is beside the window. */
	readonly width: number;
}

let browser: Browser;
let page: Page;
const requested: string[] = [];
const contents = new Map<string, Content>();

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
		const loaded = all.map(async (image) => {
			image.loading = 'eager';
			await image.decode().catch(() => undefined);
			return image.naturalWidth > 0;
		});
		const results = await Promise.all(loaded);
		return {
			shown: all.map(({ currentSrc }) => currentSrc.replace(/.*\//, '')),
			missing: all.filter((_image, index) => !results[index]).map(({ src }) => src),
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
}, 300_000);

afterEach(() => void vi.unstubAllEnvs());
afterAll(async () => {
	await browser?.close();
	rmSync(folder, { recursive: true, force: true });
});

it('the site has a page for every page of the documentation, and a landing page for each language', () => {
	expect(namesIn(folder, '.html')).toEqual([...PAGES].sort());
});

describe.each(PAGES)('the page %s', (name) => {
	// By day, one page stands for all that have its template.
	it.runIf(nightly || ['index.html', 'docs/forms.html'].includes(name))(
		'has nothing that axe finds in the light scheme, nor in the colors of the dark one',
		async () => {
			await page.emulateMedia({ colorScheme: 'light' });
			await page.goto(site + name);
			expect(await violations()).toEqual([]);
			await page.emulateMedia({ colorScheme: 'dark' });
			expect(await violations('color-contrast')).toEqual([]);
		},
	);

	it('does not scroll sideways on a phone', () => {
		expect(contents.get(name)?.width).toBe(WIDTH);
	});

	it('has links only to pages and headings that exist', () => {
		const broken = (contents.get(name)?.links ?? []).filter((link) => {
			const [address = '', id] = link.split('#');
			if (!address.startsWith(site)) {
				return !address.startsWith('https://');
			}
			const ids = contents.get(address.slice(site.length))?.ids ?? [];
			return !existsSync(fileURLToPath(address)) || (id !== undefined && !ids.includes(decodeURIComponent(id)));
		});
		expect(broken).toEqual([]);
	});

	it('says its language, and links to the other one', () => {
		const { language, links } = contents.get(name) as Content;
		const isChinese = name.includes('zh-cn/');
		expect(language).toBe(isChinese ? 'zh-Hans' : 'en');
		const other = isChinese ? name.replace('zh-cn/', '') : name.replace(/[^/]*$/, 'zh-cn/$&');
		expect(links).toContain(site + other);
	});
});

it('pages have titles and descriptions of their own', () => {
	const all = [...contents.values()];
	expect(new Set(all.map(({ title }) => title)).size).toBe(PAGES.length);
	expect(all.filter(({ title, description }) => !title.includes('MCP Elicitation') || !description)).toEqual([]);
});

it('pages request nothing from elsewhere', () => {
	expect(requested.length).toBeGreaterThan(PAGES.length);
	expect(requested.filter((url) => !url.startsWith(site))).toEqual([]);
});

it.each([
	['index.html', ''],
	['zh-cn/index.html', '.zh-cn'],
	['docs/forms.html', ''],
	['docs/zh-cn/forms.html', '.zh-cn'],
])('%s shows its pictures in the scheme of the reader, all of them there', async (name, language) => {
	for (const [colorScheme, theme] of [
		['light', ''],
		['dark', '.dark'],
	] as const) {
		await page.emulateMedia({ colorScheme });
		await page.goto(site + name);
		const { shown, missing } = await images();
		expect(missing).toEqual([]);
		const still = shown.filter((file) => !file.startsWith('tour.'));
		expect(still.map((file) => file.replace(/^\w+/, ''))).toEqual(still.map(() => `${language}${theme}.png`));
		expect(shown).toContain(`form${language}${theme}.png`);
	}
});

describe('the landing page', () => {
	it('shows the tour and six capabilities with a picture each, all of them there', async () => {
		await page.goto(`${site}index.html`);
		expect(await page.locator('.capabilities li:has(strong):has(img)').count()).toBe(6);
		expect(await page.locator('.tour img').first().getAttribute('src')).toBe('media/readme/tour.png');
		expect((await images()).missing).toEqual([]);
	});

	it('pauses its animation for those who want it', async () => {
		await page.goto(`${site}index.html`);
		await page.getByLabel('Pause the animation').check();
		expect(await page.locator('.tour .moving').isVisible()).toBe(false);
		expect(await page.locator('.tour .still').isVisible()).toBe(true);
		for (const [colorScheme, picture] of [
			['light', /form\.png$/],
			['dark', /form\.dark\.png$/],
		] as const) {
			await page.emulateMedia({ reducedMotion: 'reduce', colorScheme });
			await page.reload();
			expect(await page.locator('.moving img').evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(
				picture,
			);
		}
	});

	it('begins with a link that skips to the content', async () => {
		await page.goto(`${site}index.html`);
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
	});
});

it('links to files that only the repository has lead there, once it has an address', () => {
	expect(addressOf('../SECURITY.md', 'docs/trust.md')).toBeUndefined();
	vi.stubEnv('REPOSITORY_URL', 'https://example.com/repository');
	expect(addressOf('../SECURITY.md#report', 'docs/trust.md')).toBe(
		'https://example.com/repository/blob/HEAD/SECURITY.md#report',
	);
	expect(addressOf('../servers.md#start', 'docs/zh-cn/tasks.md')).toBe('../servers.html#start');
});
