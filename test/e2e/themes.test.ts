import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import { contrastRatio } from '../webview/measures.ts';
import { editorStyle, themes, tokensOf } from '../webview/themes.ts';
import { demo, type Editor, openEditor, servers, until } from './driver/index.ts';

const names = {
	'vscode-dark': 'Default Dark Modern',
	'vscode-light': 'Default Light Modern',
	'vscode-high-contrast': 'Default High Contrast',
	'vscode-high-contrast-light': 'Default High Contrast Light',
} as const;

/** The tokens that the pages and the editor's own style of pages use, other than fonts. */
async function usedTokens(): Promise<string[]> {
	const root = join(import.meta.dirname, '../../src/webview');
	const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.css'));
	const styles = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
	const found = [editorStyle, ...styles].join('\n').matchAll(/--vscode-[\w-]+/g);
	return [...new Set([...found].map(([name]) => name))].filter((name) => !/-font-(family|size)$/.test(name)).sort();
}

/** Contrast of an icon to what is behind it (WCAG 2.2, 1.4.11). */
async function contrastOf(icon: Locator): Promise<number> {
	const [color = '', background = ''] = await icon.evaluate((element) => {
		let behind: Element | null = element;
		while (behind && /^(rgba\(.*, 0\)|transparent)$/.test(getComputedStyle(behind).backgroundColor)) {
			behind = behind.parentElement;
		}
		return [getComputedStyle(element).color, getComputedStyle(behind ?? document.body).backgroundColor];
	});
	return contrastRatio(color, background);
}

describe('the themes in which the pages are measured', () => {
	let editor: Editor;
	let used: string[];

	beforeAll(async () => {
		used = await usedTokens();
		editor = await openEditor({
			settings: { 'workbench.colorTheme': names['vscode-dark'] },
			machineSettings: servers({ demo: demo('2025-11-25') }),
		});
		await editor.command('MCP Elicitation: Start Server');
		await editor.showViews();
		await editor.command('MCP Elicitation: Show Timeline');
	});

	itByNight.each(themes)('%s has the colors of the editor', async (theme) => {
		const settings = { 'workbench.colorTheme': names[theme] };
		await writeFile(join(editor.workspace, '.vscode/settings.json'), JSON.stringify(settings));
		const frame = await editor.frameOf('tree', 'Calls and messages');
		await until(`the theme ${theme}`, () =>
			frame.evaluate((kind) => document.body.dataset['vscodeThemeKind'] === kind, theme),
		);
		const real = await frame.evaluate(
			(tokens) => tokens.map((token) => `${token}: ${document.documentElement.style.getPropertyValue(token)}`),
			used,
		);
		const tested = tokensOf(theme);
		const expected = used.map((token) => `${token}: ${new RegExp(`${token}: ([^;]*);`).exec(tested)?.[1] ?? ''}`);
		expect(expected).toEqual(real);
		const icon = (await editor.treeItem(/demo\s*2025-11-25/)).locator('.codicon-server');
		expect(await contrastOf(icon), 'the icon of a running server').toBeGreaterThanOrEqual(3);
		await editor.screenshot(`timeline ${theme}`);
	});
});
