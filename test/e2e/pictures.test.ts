import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { nightly } from '../nightly.ts';
import { type Editor, openEditor, program, servers } from './driver/index.ts';
import { comparable, filesOf, hashOf } from './pictures/gallery.ts';
import { animation, contentOf, type Moment, still } from './pictures/png.ts';
import { type Look, type Scene, type Shown, scenes } from './pictures/scenes.ts';
import { type Language, wordsIn } from './pictures/words.ts';

/** True for `npm run pictures`; else what the pictures show is compared. */
const drawing = process.env['DRAW_PICTURES'] !== undefined;

/** What a server asks that strays in several ways. */
const REQUEST = `{
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

const SETTINGS = {
	'workbench.colorTheme': 'Default Light Modern',
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
		settings: SETTINGS,
		files: { 'deploy.json': REQUEST },
		...(language !== 'en' && { language }),
		...(drawing && { scale: 1.5 }),
	});
}

async function textOf({ content }: Shown): Promise<string> {
	const parts = await Promise.all(content.map((each: Locator) => each.ariaSnapshot()));
	return comparable(`${parts.join('\n')}\n`);
}

/** Both languages show the same scenes; one of them comes by day. */
const languages: readonly Language[] = drawing || nightly ? ['en', 'zh-cn'] : ['en'];

describe.each(languages)('the pictures of the README (%s)', (language) => {
	it('show what the editor shows; if not: npm run pictures', async () => {
		const editor = await open(language);
		const { page } = editor;
		await page.setViewportSize({ width: 900, height: 780 });
		await editor.command('View: Toggle Primary Side Bar Visibility');
		await editor.command('Notifications: Toggle Do Not Disturb Mode');
		for (const scene of scenes) {
			await (drawing ? draw : compare)(scene, editor, language);
			if (await editor.quickInput.element.isVisible()) {
				await editor.quickInput.escape();
			}
			await editor.closeTabs();
		}
	});
});

async function compare(scene: Scene, editor: Editor, language: Language): Promise<void> {
	const shown = await scene.play({ editor, words: wordsIn(language) }, async () => {});
	const text = await textOf(shown);
	const files = filesOf(scene.name, language);
	expect.soft(existsSync(files.text), `${files.text}: npm run pictures`).toBe(true);
	expect.soft(text, `${files.picture} shows something else: npm run pictures`).toBe(await readFile(files.text, 'utf8'));
	expect.soft(contentOf(await readFile(files.picture)), `${files.picture}: npm run pictures`).toBe(hashOf(text));
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
	const files = filesOf(scene.name, language);
	await page.mouse.move(0, 0);
	const picture =
		moments.length > 0
			? animation([...moments.slice(first), ...moments.slice(0, first)], hashOf(text))
			: still(await shown.part.screenshot({ animations: 'disabled', caret: 'hide' }), hashOf(text));
	await writeFile(files.text, text);
	await writeFile(files.picture, picture);
}
