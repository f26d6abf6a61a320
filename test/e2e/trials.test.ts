import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	ask,
	callTool,
	type Editor,
	everything,
	formOf,
	formOfServer,
	openEditor,
	program,
	runTrial,
	servers,
	structured,
	until,
} from './driver/index.ts';

const machineSettings = servers({ everything, sdk1: program('sdk1'), sdk2: program('sdk2') });
const settings = { 'mcpElicitation.form.presentation': 'webview', 'workbench.colorTheme': 'Default Dark Modern' };
const count = { n: { type: 'integer', minimum: 3, maximum: 9 } };

/** The table, once every run in it has ended. */
async function table(editor: Editor, heading: string): Promise<Frame> {
	const frame = await editor.frameOf('heading', heading);
	const cancel = frame.getByRole('button', { name: 'Cancel', exact: true });
	await until('the runs to end', async () => !(await cancel.isVisible()));
	return frame;
}

/** What the rows say, cell by cell, also what is folded. */
async function rows(frame: Frame): Promise<string[][]> {
	await frame.locator('tbody details').evaluateAll((all) => {
		for (const each of all) {
			each.setAttribute('open', '');
		}
	});
	const found = await frame.locator('tbody tr').all();
	return Promise.all(found.map((row) => row.locator('th, td').allInnerTexts()));
}

/** The second connections that the view of the servers shows. */
async function temporaryNow(editor: Editor): Promise<string[]> {
	const view = editor.page.locator('.pane').filter({ has: editor.page.getByRole('tree', { name: 'Servers' }) });
	const items = await view.locator('.monaco-list-row').allInnerTexts();
	return items.filter((text) => text.includes(' · test: '));
}

describe('trials', () => {
	let editor: Editor;

	beforeAll(async () => {
		editor = await openEditor({ machineSettings, settings });
	});

	itByNight('runs a call once for every way in which its elicitation can end', async () => {
		await ask(editor, formOf(count, ['n'], 'How many?'), 'sdk1');
		await answerIn(await formOfServer(editor, 'sdk1', 'How many?'), 'Decline');
		await structured(editor);
		await editor.closeTabs();

		await runTrial(editor, 'ask', 'Action matrix');
		const modal = await editor.modal();
		expect(await modal.message()).toBe('Call "ask" on sdk1 5 times?');
		expect(await modal.detail()).toContain('all its side effects');
		await modal.press('Run');

		const running = await editor.frameOf('heading', 'Action matrix');
		await until('four runs to end', async () => (await running.locator('tr.ended').count()) === 4);
		await running.locator('tr.running').waitFor();
		await editor.screenshot('trials matrix running');
		await running.getByRole('button', { name: 'Cancel', exact: true }).click();
		const frame = await table(editor, 'Action matrix');
		const cells = await rows(frame);
		expect(cells.map(([name, did]) => [name?.replace(/\s+/g, ' '), did?.split('\n').filter(Boolean)[0]])).toEqual([
			['Accept {"n":3}', 'Result'],
			['Decline', 'Result'],
			['Cancel', 'Result'],
			['JSON-RPC error', 'Result that reports an error, as expected'],
			['No response', 'No result until it was cancelled'],
		]);
		expect(cells[0]?.[1]).toContain('{"action":"accept","content":{"n":3}}');
		expect(cells[4]?.[1]).toContain('during which the server kept waiting');
		expect(cells.map(([, , clients]) => /VS Code outside/.test(clients ?? ''))).toEqual([
			true,
			true,
			false,
			false,
			false,
		]);
		expect(cells[4]?.[2]).toMatch(/Claude.* \(documented\)$/);
		expect(await frame.locator('.icon.running').count()).toBe(0);
		expect(await frame.locator('.icon.failed').count()).toBe(0);
		await editor.screenshot('trials matrix');

		await frame.getByRole('button', { name: 'Copy as Markdown' }).click();
		await frame.getByText('Copied without secrets.').waitFor();
		expect(await editor.page.evaluate(() => navigator.clipboard.readText())).toContain('| Decline | Result<br>');
		await frame.getByRole('button', { name: 'Show Accept in the timeline' }).click();
		const timeline = await editor.frameOf('tree', 'Calls and messages');
		const series = timeline.getByRole('treeitem').filter({ hasText: /^Action matrix\s*ask on sdk1 · 5 calls/ });
		await series.waitFor();
		const calls = timeline.locator('[role=treeitem][aria-level="2"]').filter({ hasText: /Action matrix: / });
		expect(await calls.count()).toBe(5);
		await series.click();
		await timeline.getByRole('heading', { name: 'Action matrix' }).waitFor();
		expect(await timeline.locator('.links li').allInnerTexts()).toEqual([
			expect.stringMatching(/accept.*succeeded/),
			expect.stringMatching(/decline.*succeeded/),
			expect.stringMatching(/cancel.*succeeded/),
			expect.stringMatching(/error.*failed/),
			expect.stringMatching(/cancelled$/),
		]);
		await editor.screenshot('trials in the timeline');
	});

	itByNight('answers a form at the limits of its schema, and tells where the server does not keep to it', async () => {
		await editor.closeTabs();
		await runTrial(editor, 'ask', 'Boundary values');
		expect(await (await editor.modal()).message()).toBe('Call "ask" on sdk1 9 times?');
		await (await editor.modal()).press('Run');
		const frame = await table(editor, 'Boundary values');
		await editor.screenshot('trials boundary');
		const cells = await rows(frame);
		const forbids = 'The server accepted what its own schema forbids.';
		expect(cells.map(([name, did]) => [name?.replace(/\s+/g, ' '), did?.includes(forbids)])).toEqual([
			['All valid {"n":3}', false],
			['n: just below the minimum invalid on purpose {"n":2}', true],
			['n: the maximum {"n":9}', false],
			['n: just above the maximum invalid on purpose {"n":10}', true],
			['n: a fraction invalid on purpose {"n":3.5}', true],
			['n: wrong type invalid on purpose {"n":"3"}', true],
			['n: null invalid on purpose {"n":null}', true],
			['n: missing invalid on purpose', true],
			['An unknown property {"not a property of this form":"x"}', false],
		]);
	});

	itByNight('tries out a server over second connections that end with their run', async () => {
		await editor.closeTabs();
		await callTool(editor, { server: 'sdk2', tool: 'rounds', args: { count: '2' } });
		await answerIn(await formOfServer(editor, 'sdk2', 'Round 1'), 'Decline');
		await answerIn(await formOfServer(editor, 'sdk2', 'Round 2'), 'Decline');
		await structured(editor);
		await editor.closeTabs();

		await editor.showViews();
		// Folded, the others leave room for the rows of temporary connections.
		for (const name of ['everything', 'sdk1']) {
			const item = await editor.treeItem(name);
			if ((await item.getAttribute('aria-expanded')) === 'true') {
				await item.click();
			}
		}
		await runTrial(editor, 'rounds', 'Protocol bench');
		await editor.quickInput.shows('Choose what to try');
		await editor.screenshot('trials bench choose');
		await editor.quickInput.accept();
		const modal = await editor.modal();
		expect(await modal.message()).toBe('Call "rounds" on sdk2 15 times?');
		expect(await modal.detail()).toContain('in addition to the connection that you use');
		// Its row is there for a moment only.
		const appears = editor.treeItem('sdk2 · test: Form mode only');
		await modal.press('Run');
		await appears;
		const running = await editor.frameOf('heading', 'Protocol bench');
		const frame = await table(editor, 'Protocol bench');
		await running.locator('tbody tr').last().scrollIntoViewIfNeeded();
		await editor.screenshot('trials bench');
		const found = new Map((await rows(frame)).map(([name, revision, did]) => [name?.split('\n')[0], [revision, did]]));
		expect(found.get('Form mode only')?.join()).toMatch(/^2026-07-28,Result/);
		expect(found.get('URL mode only')?.join()).toContain('do not declare the required capability');
		expect(found.get('Revision 2025-06-18')?.join()).toMatch(/^,No result/);
		expect(found.get('requestState with one bit flipped')?.join()).toContain('JSON-RPC error, as expected');
		expect(await frame.locator('.icon.failed').count()).toBe(0);
		expect(found.get('requestState left out')?.join()).toContain('The server sent the request again.');
		expect(found.get('Responses from an earlier call')?.join()).toContain('The server accepted the responses again.');
		await until('every second connection to be gone', async () => (await temporaryNow(editor)).length === 0);
	});

	itByNight('ends with its tab, whatever is still to be tried', async () => {
		await editor.closeTabs();
		await runTrial(editor, 'rounds', 'Protocol bench');
		await editor.quickInput.shows('Choose what to try');
		await editor.quickInput.accept();
		await (await editor.modal()).press('Run');
		const running = await editor.frameOf('heading', 'Protocol bench');
		await running.locator('tr.running').first().waitFor();
		await editor.closeTab('rounds: Protocol bench');
		await until('the bench to end', async () => {
			const told = await editor.notifications();
			return !told.some((text) => text.includes('Protocol bench'));
		});
		await until('the second connection to be gone', async () => (await temporaryNow(editor)).length === 0);
	});

	itByNight('copies its table without what is masked', async () => {
		await editor.closeTabs();
		const code = { code: { type: 'string', format: 'password' } };
		await ask(editor, formOf(code, ['code'], 'Which code?'), 'sdk1');
		const form = await formOfServer(editor, 'sdk1', 'Which code?');
		await form.getByLabel('code', { exact: true }).fill('planted-code');
		await answerIn(form, 'Accept');
		await structured(editor);
		await editor.closeTabs();
		await runTrial(editor, 'ask', 'Action matrix');
		await (await editor.modal()).press('Run');
		const running = await editor.frameOf('heading', 'Action matrix');
		await running.locator('tr.running').filter({ hasText: 'No response' }).waitFor();
		await running.getByRole('button', { name: 'Cancel', exact: true }).click();
		const frame = await table(editor, 'Action matrix');
		await frame.getByRole('button', { name: 'Copy as Markdown' }).click();
		await frame.getByText('Copied without secrets.').waitFor();
		const copied = await editor.page.evaluate(() => navigator.clipboard.readText());
		expect(copied).toContain('‹redacted›');
		expect(copied).not.toContain('planted');
		await editor.command('MCP Elicitation: Focus on Timeline View');
		await editor.treeItem(/^Action matrix\s*ask on sdk1 · 5 calls/);
	});
});
