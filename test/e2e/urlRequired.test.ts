import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	callTool,
	consentTo,
	type Editor,
	failureOf,
	openEditor,
	program,
	servers,
	structured,
} from './driver/index.ts';

const entry = (id: string) => ({
	mode: 'url',
	elicitationId: id,
	url: `https://accounts.example.com/${id}`,
	message: `Connect ${id}`,
});

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor({ machineSettings: servers({ sdk1: program('sdk1') }) });
});

beforeEach(() => editor.closeTabs());

afterEach(async () => {
	for (const page of editor.externalPages()) {
		await page.close();
	}
});

/** Calls a tool that refuses with -32042 until these pages are finished. */
const requirePages = (...ids: string[]) =>
	callTool(editor, { tool: 'require-url', args: { entries: JSON.stringify(ids.map(entry)) } });

/** Has the server finish pages, and tell so. */
async function finish(ids: readonly string[]): Promise<void> {
	await callTool(editor, { tool: 'finish' });
	const form = await editor.frameOf('button', 'Call');
	for (const [at, id] of ids.entries()) {
		await form.getByRole('button', { name: /^Add/ }).click();
		await form.getByRole('group', { name: 'ids' }).getByRole('textbox').nth(at).fill(id);
	}
	await form.getByRole('group', { name: 'notice' }).getByLabel('Yes', { exact: true }).check();
	await form.getByRole('button', { name: 'Call', exact: true }).click();
}

async function open(id: string): Promise<void> {
	await consentTo(editor, `Connect ${id}`, 'Open URL');
	await editor.externalPage(`https://accounts.example.com/${id}`);
}

itByNight(
	'asks for every page that the call requires, and retries the call once all are complete (U10, U12)',
	async () => {
		await requirePages('mail', 'calendar');
		await open('mail');
		await open('calendar');
		await editor.pending().click();
		await editor.quickInput.shows('Choose an elicitation');
		await editor.quickInput.entry('mail').waitFor();
		await editor.quickInput.entry('calendar').waitFor();
		await editor.screenshot('pending list');
		await editor.quickInput.escape();

		await finish(['mail', 'calendar']);
		await editor.pending().waitFor({ state: 'hidden' });
		await editor.page.getByRole('tab', { name: 'require-url: result' }).click();
		expect(await structured(editor)).toEqual({ finished: ['mail', 'calendar'] });
	},
);

itByNight('says why the call could not continue when a page was declined, and names the server', async () => {
	await requirePages('photos');
	await consentTo(editor, 'Connect photos', 'Decline');
	expect(await failureOf(editor, 'sdk1')).toContain('"require-url" could not continue');
	expect(await editor.pending().isVisible()).toBe(false);
});

itByNight('shows malformed requirements as the error of the server and opens nothing (U12)', async () => {
	await callTool(editor, { tool: 'require-url', args: { entries: '[{"mode":"url","url":"https://example.com/"}]' } });
	expect(await failureOf(editor, 'sdk1')).toContain('This needs pages to be opened first.');
	expect(editor.externalPages()).toEqual([]);
});
