import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { FormModel, FromForm, ResultModel, StartModel, ToForm, ToUrl, UrlModel } from '../../src/protocol.ts';
import type { FromTimeline } from '../../src/timelineProtocol.ts';
import type { TrialsModel } from '../../src/trialsProtocol.ts';
import type { Left } from '../../src/webview/timeline/listState.ts';
import { launchBrowser } from '../harness/browser.mjs';
import { chromium } from '../harness/toolchain.mjs';
import { modelOf, urlModelOf } from './models.ts';
import { editorStyle, type Theme, tokensOf } from './themes.ts';
import { rowsOf, TimelineHost } from './timelineHost.ts';

/** The form in a real browser, where colors, focus and keys are real; the test is the host. */
export interface RealForm {
	readonly page: Page;
	receive(message: ToForm): Promise<void>;
	/** The newest message of the form. */
	newest(): Promise<FromForm>;
	/** Answers the newest JSON. */
	reviewJson(review: Partial<Extract<ToForm, { type: 'jsonReview' }>>): Promise<void>;
}

/** The panel of a URL in a real browser. */
export interface RealUrl {
	readonly page: Page;
	receive(message: ToUrl): Promise<void>;
}

/** The timeline in a real browser, with a host that serves so many messages of one call. */
export interface RealTimeline {
	readonly page: Page;
	readonly host: TimelineHost;
}

export interface Size {
	readonly width: number;
	readonly height: number;
}

/** The types of what a page has sent, oldest first. */
export function typesSentBy(page: Page): Promise<string[]> {
	return page.evaluate(() => (window as unknown as { sent: { type: string }[] }).sent.map(({ type }) => type));
}

/** Shows a page in a theme, as the editor does when the user changes it. */
export async function paint(page: Page, theme: Theme): Promise<void> {
	await page.evaluate(
		([name, style]) => {
			document.body.className = name;
			(document.getElementById('theme') as HTMLStyleElement).textContent = style;
		},
		[theme, `:root { ${tokensOf(theme)} } ${editorStyle}`] as const,
	);
}

/** Built from the sources, so that no stale bundle is tested. */
async function bundle(): Promise<(file: string) => string> {
	const source = (file: string) => fileURLToPath(new URL(`../../src/webview/${file}`, import.meta.url));
	const pages = ['form', 'result', 'start', 'timeline', 'trials', 'url'];
	const entryPoints = [
		'requests.ts',
		'records.ts',
		'common/base.css',
		...pages.map((page) => `${page}/${page}.css`),
	].map(source);
	const loader = { '.svg': 'text' } as const;
	const { outputFiles } = await build({ entryPoints, bundle: true, write: false, outdir: 'out', loader });
	return (file) => outputFiles.find(({ path }) => basename(path) === file)?.text ?? '';
}

const FETCHING_A_BROWSER = 300_000;

/** Pages of ours in the browser, one after the other: each test of a file shows its own in the place of the one before. */
export class RealForms {
	#hear: ((message: unknown) => unknown) | undefined;

	private constructor(
		private readonly page: Page,
		/** The text of a built file. */
		private readonly built: (file: string) => string,
	) {}

	/**
	 * The browser of a file of tests, from before its first test to after its last one.
	 * @param prepare called before anything is shown
	 */
	static ofFile(prepare?: (page: Page) => Promise<void>): () => RealForms {
		let browser: Browser;
		let forms: RealForms;
		beforeAll(async () => {
			const [started, built] = await Promise.all([chromium().then(launchBrowser), bundle()]);
			browser = started;
			const page = await browser.newPage();
			forms = new RealForms(page, built);
			await page.exposeFunction('hear', (message: unknown) => forms.#hear?.(message));
			await prepare?.(page);
		}, FETCHING_A_BROWSER);
		afterAll(() => browser?.close());
		return () => forms;
	}

	/** A page of ours with its script running, and what delivers a message to it. */
	async #open(
		name: 'form' | 'result' | 'start' | 'timeline' | 'trials' | 'url',
		theme: Theme,
		width: number,
		height: number,
		hear?: (message: unknown) => unknown,
		texts: Readonly<Record<string, string>> = {},
		state?: unknown,
	) {
		const { page } = this;
		this.#hear = undefined;
		await page.goto('about:blank');
		await page.emulateMedia({ forcedColors: null });
		await page.setViewportSize({ width, height });
		this.#hear = hear;
		await page.setContent(
			`<!DOCTYPE html><html lang="en"><head><title>MCP Elicitation</title><style id="theme"></style>
			<style>${this.built('base.css')}${this.built(`${name}.css`)}</style></head><body><main id="app" data-page="${name}"></main>
			<script type="application/json" id="texts">${JSON.stringify(texts)}</script></body></html>`,
		);
		await paint(page, theme);
		await page.evaluate((left) => {
			const sent: unknown[] = [];
			Object.assign(window, {
				sent,
				acquireVsCodeApi: () => ({
					postMessage: (message: unknown) => {
						sent.push(message);
						(window as unknown as { hear(message: unknown): void }).hear(message);
					},
					getState: () => left,
					setState: () => undefined,
				}),
			});
		}, state);
		await page.addScriptTag({
			content: this.built(['result', 'timeline', 'trials'].includes(name) ? 'records.js' : 'requests.js'),
		});
		const receive = (message: object) =>
			page.evaluate((text) => {
				window.dispatchEvent(new MessageEvent('message', { data: JSON.parse(text) }));
			}, JSON.stringify(message));
		return { page, receive };
	}

	/** A page that a model is shown in. */
	async show(
		name: 'result' | 'start' | 'trials',
		theme: Theme,
		model: ResultModel | StartModel | TrialsModel,
		{ width = 900, height = 900 }: Partial<Size> = {},
	): Promise<Page> {
		const { page, receive } = await this.#open(name, theme, width, height);
		await receive({ type: 'show', model });
		return page;
	}

	async openTimeline(
		theme: Theme,
		{
			width = 1000,
			height = 700,
			messages = 1_000,
			left,
		}: Partial<Size> & { readonly messages?: number; readonly left?: Left } = {},
	): Promise<RealTimeline> {
		let receive: ((message: object) => Promise<void>) | undefined;
		const host = new TimelineHost((message) => receive?.(message), rowsOf(messages));
		const hear = (message: unknown) => host.receive(message as FromTimeline);
		const opened = await this.#open('timeline', theme, width, height, hear, {}, left);
		receive = opened.receive;
		await host.show();
		await opened.page.getByRole('treeitem').first().waitFor();
		return { page: opened.page, host };
	}

	async openUrl(
		theme: Theme,
		model: Partial<UrlModel>,
		{ width = 900, height = 900 }: Partial<Size> = {},
	): Promise<RealUrl> {
		const url: RealUrl = await this.#open('url', theme, width, height);
		await url.receive({ type: 'show', model: urlModelOf(model) });
		return url;
	}

	async open(
		theme: Theme,
		model: Partial<FormModel>,
		width = 900,
		height = 900,
		texts?: Readonly<Record<string, string>>,
	): Promise<RealForm> {
		const { page, receive } = await this.#open('form', theme, width, height, undefined, texts);
		const form: RealForm = {
			page,
			receive,
			newest: () => page.evaluate(() => (window as unknown as { sent: FromForm[] }).sent.at(-1) as FromForm),
			reviewJson: async (review) => {
				await page.waitForFunction(() =>
					/json/i.test((window as unknown as { sent: FromForm[] }).sent.at(-1)?.type ?? ''),
				);
				const newest = await form.newest();
				const revision = 'revision' in newest ? newest.revision : 0;
				await form.receive({ type: 'jsonReview', revision, problems: [], rest: [], refused: false, ...review });
			},
		};
		await form.receive({ type: 'show', model: modelOf(model) });
		return form;
	}
}
