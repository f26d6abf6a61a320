import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { darkOf, filesOf } from '../harness/gallery.mjs';
import { nightly } from '../nightly.ts';
import { clicks, type Editor, openEditor, program, servers, succeeds, until } from './driver/index.ts';
import { comparable, hashOf } from './pictures/gallery.ts';
import { animation, contentOf, type Moment, still } from './pictures/png.ts';
import { type Look, type Scene, type Shown, scenes } from './pictures/scenes.ts';
import { type Language, type Words, wordsIn } from './pictures/words.ts';

/** True for `npm run pictures`; else what the pictures show is compared. */
const drawing = process.env['DRAW_PICTURES'] !== undefined;

/** A request that strays in several ways. */
const STRAYING = `{
  "message": "Where shall it be deployed?",
  "requestedSchema": {
    "type": "object",
    "properties": {
      "region": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
      "replicas": { "type": "integer", "minimum": 12, "maximum": 1 },
      "apiToken": { "type": "string", "title": "API token" }
    },
    "required": ["replicas", "owner"]
  }
}
`;

/** A request of which other clients make something else. */
function rollback({ server }: Words): object {
	return {
		message: server.rollbackAsks,
		requestedSchema: {
			type: 'object',
			properties: {
				version: { type: 'string', title: server.version, pattern: '^\\d+\\.\\d+$' },
				replicas: { type: 'integer', title: server.replicas, minimum: 1, maximum: 12 },
				tell: { type: 'boolean', title: server.tell },
			},
			required: ['version'],
		},
	};
}

/** The window is as dark as its page. */
const THEMES = {
	'window.autoDetectColorScheme': true,
	'workbench.preferredLightColorTheme': 'Default Light Modern',
	'workbench.preferredDarkColorTheme': 'Default Dark Modern',
};

/** Of the window, in CSS pixels. */
const SIZE = { width: 900, height: 780 };

const SETTINGS = {
	'window.title': '${activeEditorShort}',
	'workbench.activityBar.location': 'hidden',
	'breadcrumbs.enabled': false,
	'editor.minimap.enabled': false,
	'editor.cursorBlinking': 'solid',
	'editor.renderLineHighlight': 'none',
	'window.commandCenter': false,
};

function open(language: Language): Promise<Editor> {
	return openEditor({
		machineSettings: servers({ releases: program('releases', language) }),
		userSettings: THEMES,
		settings: SETTINGS,
		files: { 'deploy.json': STRAYING, 'rollback.json': JSON.stringify(rollback(wordsIn(language)), null, 2) },
		...(language !== 'en' && { language }),
		...(drawing && { scale: 1.5 }),
	});
}

async function textOf({ content }: Shown): Promise<string> {
	const parts = await Promise.all(content.map((each: Locator) => each.ariaSnapshot()));
	return comparable(`${parts.join('\n')}\n`);
}

/** What shows the pictures has tests of its own, which `npm test` runs. */
const itDraws = it.runIf(drawing || nightly);

itDraws.each<Language>(['en', 'zh-cn'])(
	'the pictures of the documentation (%s) show what the editor shows; if not: npm run pictures',
	async (language) => {
		const editor = await open(language);
		const { page } = editor;
		await editor.command('View: Toggle Primary Side Bar Visibility');
		await editor.command('Notifications: Toggle Do Not Disturb Mode');
		for (const scene of scenes) {
			await page.setViewportSize(SIZE);
			await (drawing ? draw : compare)(scene, editor, language);
			if (await editor.quickInput.element.isVisible()) {
				await editor.quickInput.escape();
			}
			await editor.closeTabs();
			await cancelPending(editor);
			// The result of a call that this has ended comes late, and would close a picker of the next scene.
			await page.locator('.statusbar-item', { hasText: 'releases ·' }).first().waitFor({ state: 'hidden' });
			await editor.closeTabs();
		}
	},
);

/** Cancels what is still pending: a form in which something was entered outlives its tab. */
async function cancelPending(editor: Editor): Promise<void> {
	await until('nothing to be pending', async (moment) => {
		if (await succeeds(editor.pending().waitFor({ state: 'hidden', timeout: 500 }))) {
			return true;
		}
		await clicks(editor.pending(), moment);
		const entry = editor.quickInput.entry(/ · /);
		await succeeds(entry.hover({ timeout: moment }));
		// The last of its buttons, in every language.
		await clicks(entry.getByRole('button').last(), moment);
		return false;
	});
}

async function compare(scene: Scene, editor: Editor, language: Language): Promise<void> {
	const shown = await scene.play({ editor, words: wordsIn(language) }, async () => {});
	const text = await textOf(shown);
	const files = filesOf(scene.name, language);
	expect.soft(existsSync(files.text), `${files.text}: npm run pictures`).toBe(true);
	expect.soft(text, `${files.picture} shows something else: npm run pictures`).toBe(await readFile(files.text, 'utf8'));
	const pictures = scene.moves ? [files.picture] : [files.picture, darkOf(files.picture)];
	for (const picture of pictures) {
		expect.soft(contentOf(await readFile(picture)), `${picture}: npm run pictures`).toBe(hashOf(text));
	}
}

async function draw(scene: Scene, editor: Editor, language: Language): Promise<void> {
	const { page } = editor;
	const moments: Moment[] = [];
	let first = 0;
	const look: Look = async (rests, place) => {
		first = place === 'first' ? moments.length : first;
		await page.mouse.move(0, 0);
		moments.push({ png: await page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' }), rests });
	};
	const shown = await scene.play({ editor, words: wordsIn(language) }, look);
	const text = await textOf(shown);
	const { text: file, picture } = filesOf(scene.name, language);
	await writeFile(file, text);
	if (scene.moves) {
		await writeFile(picture, animation([...moments.slice(first), ...moments.slice(0, first)], hashOf(text)));
		return;
	}
	await heighten(page, shown);
	for (const theme of ['light', 'dark'] as const) {
		await turn(page, theme);
		await page.mouse.move(0, 0);
		const png = await shown.part.screenshot({
			animations: 'disabled',
			caret: 'hide',
			style: shown.above ? '.part, iframe.webview { visibility: hidden !important; }' : '',
		});
		await writeFile(theme === 'light' ? picture : darkOf(picture), still(png, hashOf(text)));
	}
	await turn(page, 'light');
}

/** Makes the window as high as what it shows. */
async function heighten(page: Page, { part, end = [] }: Shown): Promise<void> {
	const [whole, last, ...below] = await Promise.all([part, ...end].map((each) => each.boundingBox()));
	if (whole && last) {
		const margin = 12;
		const bottom = below.reduce((sum, box) => sum + (box?.height ?? 0), last.y + last.height + margin);
		await page.setViewportSize({ ...SIZE, height: Math.round(SIZE.height + bottom - (whole.y + whole.height)) });
	}
}

/** Waits until the window and all that it shows have the theme. */
async function turn(page: Page, theme: 'light' | 'dark'): Promise<void> {
	await page.emulateMedia({ colorScheme: theme });
	await page.locator(`.monaco-workbench.${theme === 'light' ? 'vs' : 'vs-dark'}`).waitFor();
	await until(`the theme ${theme}`, async () => {
		const kinds = await Promise.all(
			page
				.frames()
				.map((frame) => frame.evaluate(() => document.body.dataset['vscodeThemeKind']).catch(() => undefined)),
		);
		return kinds.every((kind) => kind === undefined || kind === `vscode-${theme}`);
	});
}
