import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import { appears, argumentsForm, type Editor, program, resultOf, reuseEditor, servers, until } from './driver/index.ts';

itByNight(
	'keeps the selection and the focus on a server while it starts and stops, and unfolds what it offers',
	async () => {
		const editor = await reuseEditor({ machineSettings: servers({ sdk1: program('sdk1'), sdk2: program('sdk2') }) });
		await editor.showViews();
		const { page } = editor;
		const row = (text: RegExp) => page.locator('.pane-body .monaco-list-row').filter({ hasText: text });
		const chosen = (text: RegExp) => row(text).and(page.locator('.selected.focused'));
		await (await editor.treeItem(/sdk2\s*stopped/)).click();
		await chosen(/sdk2\s*stopped/).waitFor();
		for (const round of ['first', 'second']) {
			await editor.choose('MCP Elicitation: Start Server', 'sdk2');
			await row(/sdk2\s*2026-07-28/).waitFor();
			await chosen(/sdk2\s*2026-07-28/)
				.and(page.locator('[aria-expanded="true"]'))
				.waitFor();
			await row(/^\s*Tools/)
				.first()
				.waitFor();
			await editor.screenshot(`servers view ${round} start`);
			await editor.command('MCP Elicitation: Stop Server');
			await chosen(/sdk2\s*stopped/).waitFor();
		}
		await row(/sdk1\s*stopped/).waitFor();
	},
);

itByNight('restarts a server that has failed from the palette as well as from its menu', async () => {
	const [script = ''] = program('sdk1').args as string[];
	const mended = join(await mkdtemp(join(tmpdir(), 'mcp-elicitation-mended-')), 'mended');
	const start = 'require("fs").existsSync(process.argv[1]) ? import(process.argv[2]) : process.exit(1)';
	const frail = { command: process.execPath, args: ['-e', start, mended, script] };
	const editor = await reuseEditor({ machineSettings: servers({ frail }) });
	await editor.showViews();
	await editor.treeItem(/frail\s*stopped/);
	await editor.command('MCP Elicitation: Start Server');
	// Not by its color alone.
	await (await editor.treeItem(/frail\s*failed/)).locator('.codicon-error').waitFor();
	await writeFile(mended, '');
	await editor.command('MCP Elicitation: Restart Server');
	await editor.treeItem(/frail\s*2025-11-25/);
});

describe('a row', () => {
	let editor: Editor;

	beforeAll(async () => {
		editor = await reuseEditor({ settings: servers({ sdk1: program('sdk1') }) });
		await editor.showViews();
		// A view without rows gives the focus to its welcome text.
		await editor.treeItem(/^sdk1/);
	});

	/** Goes to a row with the arrow keys. */
	async function goTo(text: RegExp): Promise<void> {
		const list = editor.page.locator('.pane-body .monaco-list:focus-within');
		const row = list.locator('.monaco-list-row.focused');
		if (!(await list.isVisible())) {
			// A tab had the focus.
			await editor.command('MCP Elicitation: Focus on Servers View');
		}
		await editor.page.keyboard.press('Home');
		await until(`${text} to have the focus`, async (moment) => {
			if (await row.filter({ hasText: text }).isVisible()) {
				return true;
			}
			const before = await row.getAttribute('id', { timeout: moment }).catch(() => null);
			await editor.page.keyboard.press('ArrowDown');
			const next = editor.page.locator(`.monaco-list:focus-within .monaco-list-row.focused:not([id="${before}"])`);
			if (!(await appears(next, moment))) {
				// The end: what is looked for may have come in between.
				await editor.page.keyboard.press('Home');
			}
			return false;
		});
	}

	/** The entries of the menu that its key opens. */
	async function menuOf(text: RegExp): Promise<string[]> {
		const entries = editor.page.locator('.monaco-menu .action-item:not(.disabled) .action-label');
		await goTo(text);
		await until(`the menu of ${text}`, async (moment) => {
			await editor.page.keyboard.press('ContextMenu');
			return appears(entries.first(), moment);
		});
		await editor.screenshot(`menu of ${text.source}`);
		const names = await entries.allInnerTexts();
		await editor.page.keyboard.press('Escape');
		await entries.first().waitFor({ state: 'hidden' });
		return names.filter((name) => name.trim() !== '');
	}

	itByNight('is reached by the keyboard alone: Enter unfolds a server, starts it and runs what it offers', async () => {
		const { keyboard } = editor.page;
		await until('sdk1 to be unfolded', async (moment) => {
			// The view of a window that has just opened may be drawn anew, which ends what a key has begun.
			await goTo(/^sdk1/);
			await keyboard.press('Enter');
			return appears(editor.page.locator('.monaco-list-row').filter({ hasText: /^Start Server/ }), moment);
		});
		await goTo(/^Start Server/);
		await keyboard.press('Enter');
		await (await editor.startConsent()).press('Start Server');
		await goTo(/^Tools/);
		await keyboard.press('Enter');
		await goTo(/^mixed-content/);
		await keyboard.press('Enter');
		await resultOf(editor);
		await editor.closeTabs();

		await goTo(/^slow/);
		await keyboard.press('Enter');
		await argumentsForm(editor);
		await editor.closeTabs();
	});

	itByNight('has a menu of everything that can be done with it', async () => {
		expect(await menuOf(/^sdk1/)).toEqual([
			'Call…',
			'Restart Server',
			'Stop Server',
			'Show Server Log',
			'Show Definition',
			'Reset Trust',
			'Offer Server to Another Client…',
			'Record Another Client…',
			'Copy',
		]);
		expect(await menuOf(/^mixed-content/)).toEqual(['Call…', 'Show Schema', 'Copy']);
		// The row is in view now.
		await editor.chooseFromMenu(/^mixed-content/, 'Copy');
		const copied = () => editor.page.evaluate(() => navigator.clipboard.readText());
		await until('the name to be copied', async () => (await copied()) === 'mixed-content');
		await goTo(/^slow/);
		await editor.chooseFromMenu(/^slow/, 'Show Schema');
		await editor.page.getByRole('tab', { name: 'Schema of slow.json' }).waitFor();
		await editor.page.locator('.view-line').filter({ hasText: '"ms"' }).waitFor();
		await editor.closeTabs();
		await goTo(/^sdk1/);
		await editor.chooseFromMenu(/^sdk1/, 'Reset Trust');
		await (await editor.notification('You will be asked again before "sdk1" is started.')).dismiss();
		await until('nothing to be forgotten', async () => !(await menuOf(/^sdk1/)).includes('Reset Trust'));
	});

	itByNight('runs once for a double click', async () => {
		const calls = editor.page.getByRole('treeitem').filter({ hasText: /^mixed-content\s*\d.*server.* · sdk1/ });
		const before = await calls.count();
		await goTo(/^mixed-content/);
		await (await editor.treeItem(/^mixed-content/)).dblclick();
		await until('a call', async () => (await calls.count()) === before + 1);
		await goTo(/^mixed-content/);
		await editor.page.keyboard.press('Enter');
		await until('another call', async () => (await calls.count()) > before + 1);
		expect(await calls.count()).toBe(before + 2);
	});
});
