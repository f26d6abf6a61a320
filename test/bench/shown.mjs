// @ts-check
/** When pages show what they are about, as they tell it themselves. */
import { ask, inWebview } from './editor.mjs';

/**
 * Closes all tabs.
 * @param {import('playwright-core').Page} page
 * @param {number} panel
 */
export async function close(page, panel) {
	await ask(panel, '/run/workbench.action.closeAllEditors');
	await page.locator('.tabs-container .tab').first().waitFor({ state: 'detached' });
}

/**
 * Runs in every webview: when did it first show an input, a row, and a heading? It looks itself, because questions from outside take
 * the time of the processor that is measured.
 */
export function rememberShown() {
	if (window === window.top) {
		return;
	}
	/** @type {Record<string, number>} */
	const shownAt = {};
	const look = () => {
		for (const selector of ['input', '[role=treeitem]', 'h1']) {
			if (document.querySelector(selector)) {
				shownAt[selector] ??= Date.now();
			}
		}
		setTimeout(look, 5);
	};
	Object.assign(globalThis, { shownAt });
	look();
}

/**
 * Milliseconds from a request to the other extension until a webview shows an element. Then it is closed.
 * @param {import('playwright-core').Page} page
 * @param {number} panel
 * @param {string} path
 * @param {'input' | '[role=treeitem]' | 'h1'} selector
 */
export async function timeUntil(page, panel, path, selector) {
	const { t0 } = await ask(panel, path);
	const { found } = await frameThatShows(page, selector);
	await close(page, panel);
	return found - t0;
}

/**
 * The webview that shows an element, and since when.
 * @param {import('playwright-core').Page} page
 * @param {'input' | '[role=treeitem]' | 'h1'} selector
 */
export function frameThatShows(page, selector) {
	return inWebview(page, selector, (each) =>
		each.evaluate(
			(element) => /** @type {number | undefined} */ (Reflect.get(globalThis, 'shownAt')?.[element]),
			selector,
		),
	);
}
