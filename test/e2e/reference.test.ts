import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { variants } from '../nightly.ts';
import {
	callTool,
	consentTo,
	type Editor,
	everything,
	openEditor,
	overHttp,
	resultOf,
	servers,
} from './driver/index.ts';

const TOOL = 'Trigger URL Elicitation Tool';
const MESSAGE = 'Please open the link to complete this action.';

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor({
		machineSettings: servers({ 'reference server': everything, 'over the wire': await overHttp('everything') }),
	});
});

beforeEach(() => editor.closeTabs());

afterEach(async () => {
	for (const page of editor.externalPages()) {
		await page.close();
	}
	await editor.page.bringToFront();
});

/** Gives consent in the notification that holds the text, and waits for the page. */
async function open(text: string, url: string): Promise<void> {
	await consentTo(editor, text, 'Open URL');
	await editor.externalPage(url);
}

describe.each(variants('over the wire', 'reference server'))('a page of the %s', (server) => {
	it('is opened after consent, and the call goes on (U02, U08)', async () => {
		const url = 'https://docs.example.com/start?next=%2Fhome';
		await callTool(editor, { server, tool: TOOL, args: { url } });
		await open(MESSAGE, url);
		expect(await resultOf(editor)).toContain('"action": "accept"');
	});

	it('that the call requires (-32042) is never reported as finished: the user retries by hand (U10–U12)', async () => {
		const url = 'https://docs.example.com/required';
		await callTool(editor, { server, tool: TOOL, args: { url }, choices: { errorPath: 'Yes' } });
		await open('satisfy the prerequisite', 'https://modelcontextprotocol.io/');
		await editor.pending().click();
		await editor.quickInput.shows('Choose an elicitation');
		await editor.quickInput.pressOnEntry(/satisfy the prerequisite/, 'Retry now');
		await editor.quickInput.escape();
		await open(MESSAGE, url);
		expect(await resultOf(editor)).toContain('"action": "accept"');
	});
});
