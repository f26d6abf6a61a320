import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { FormModel, FromForm, ToForm } from '../../src/protocol.ts';
import { launchBrowser } from '../harness/browser.mjs';
import { chromium } from '../harness/toolchain.mjs';
import { modelOf } from './models.ts';
import { type Theme, tokensOf } from './themes.ts';

type WithoutPanel<M> = M extends { panel: string } ? Omit<M, 'panel'> : never;

/** The form in a real browser, where colours, focus and keys are real; the test is the host. */
export interface RealForm {
	readonly page: Page;
	receive(message: WithoutPanel<ToForm>): Promise<void>;
	/** The newest message of the form. */
	newest(): Promise<FromForm>;
	/** Answers the newest JSON. */
	reviewJson(review: Partial<Extract<ToForm, { type: 'jsonReview' }>>): Promise<void>;
}

/** Built from the sources, so that no stale bundle is tested. */
async function bundle(): Promise<{ script: string; style: string }> {
	const entry = fileURLToPath(new URL('../../src/webview/form.ts', import.meta.url));
	const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, outdir: 'out' });
	const text = (ending: string) => outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
	return { script: text('.js'), style: text('.css') };
}

export class RealForms {
	private constructor(
		private readonly browser: Browser,
		private readonly parts: { script: string; style: string },
	) {}

	static async start(): Promise<RealForms> {
		const [browser, parts] = await Promise.all([chromium().then(launchBrowser), bundle()]);
		return new RealForms(browser, parts);
	}

	close(): Promise<void> {
		return this.browser.close();
	}

	async open(theme: Theme, model: Partial<FormModel>, width = 900, height = 900): Promise<RealForm> {
		const page = await this.browser.newPage({ viewport: { width, height } });
		await page.setContent(
			`<!DOCTYPE html><html lang="en"><head><title>MCP Elicitation</title><style>:root { ${tokensOf(theme)} }</style>
			<style>${this.parts.style}</style></head><body class="${theme}"><main id="app" data-panel="p"></main></body></html>`,
		);
		await page.evaluate(() => {
			const sent: unknown[] = [];
			Object.assign(window, {
				sent,
				acquireVsCodeApi: () => ({
					postMessage: (message: unknown) => sent.push(message),
					getState: () => undefined,
					setState: () => undefined,
				}),
			});
		});
		await page.addScriptTag({ content: this.parts.script });
		const form: RealForm = {
			page,
			receive: (message) =>
				page.evaluate((text) => {
					window.dispatchEvent(new MessageEvent('message', { data: { panel: 'p', ...JSON.parse(text) } }));
				}, JSON.stringify(message)),
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
		await form.receive({ type: 'show', model: modelOf(model), strings: {} });
		return form;
	}
}
