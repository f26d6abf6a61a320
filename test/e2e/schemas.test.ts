import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
	answerIn,
	appears,
	ask,
	callTool,
	type Editor,
	everything,
	formOf,
	formOfServer,
	openEditor,
	program,
	servers,
	until,
} from './driver/index.ts';

const REQUEST = `{
  "message": "Where to?",
  "requestedSchema": {
    "type": "object",
    "properties": {
      "region": { "anyOf": [{ "type": "string" }, { "type": "null" }], "default": null },
      "replicas": { "type": "integer", "minimum": 1, "maximum": 9 }
    },
    "required": ["replicas"]
  }
}
`;

const SCHEMA = '{ "type": "object", "properties": { "name": { "type": "string", "format": "zip" } } }';

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor({
		machineSettings: servers({ everything, sdk1: program('sdk1') }),
		settings: { 'mcpElicitation.form.presentation': 'webview', 'workbench.colorTheme': 'Default Dark Modern' },
		files: { 'request.json': REQUEST, 'schema.json': SCHEMA },
	});
});

beforeEach(() => editor.closeTabs());

/** Opens a file of the workspace. */
async function open(file: string): Promise<void> {
	await until(`${file} to open`, async () => {
		await editor.page.keyboard.press('Control+P');
		await editor.quickInput.fill(file);
		await editor.quickInput.pick(file);
		return editor.page.getByRole('tab', { name: file }).isVisible();
	});
}

/** The rows of the Problems panel, once one of them says this. */
function problem(text: string): Promise<string> {
	return until(`the problem ${text}`, async () => (await editor.problems()).find((row) => row.includes(text)));
}

describe('a schema that is being written', () => {
	it('is marked where it strays, and mended on request', async () => {
		await open('request.json');
		expect(await problem('"region": not part of the specification: anyOf.')).toContain('[Ln 6, Col 19]');
		expect(await problem('Refused, with the whole request, by clients')).toMatch(
			/@modelcontextprotocol\/sdk 1\.\d+.*\[Ln 6,/,
		);
		await editor.screenshot('schema problems');

		await editor.page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'anyOf' }).first().dblclick();
		const fix = editor.page
			.locator('.action-widget .monaco-list-row')
			.filter({ hasText: 'Write it as the specification allows' });
		await until('the fix to be offered', async (moment) => {
			await editor.page.keyboard.press('Control+.');
			return (await appears(fix.first(), moment)) || editor.page.keyboard.press('Escape').then(() => false);
		});
		await fix.first().click();
		await until('the problem to be gone', async () => !(await editor.problems()).some((row) => row.includes('region')));
		await editor.page
			.locator('.view-line')
			.filter({ hasText: /"region":\s\{\s"type":\s"string"\s\},/ })
			.waitFor();
	});

	it('is checked as a whole when it stands alone', async () => {
		await open('schema.json');
		await editor.command('MCP Elicitation: Check Schema');
		const told = await editor.notification('schema.json: Warnings: 2.');
		await problem('The format "zip" is unknown and not checked here.');
		await told.press('Show Report');
		await editor.page.getByRole('tab', { name: /Schema report/ }).waitFor();
		await editor.page.locator('.view-line').filter({ hasText: '"2026-07-28"' }).waitFor();
		await editor.screenshot('schema report');
	});
});

describe('a preview', () => {
	it('is the form itself, follows what is written, and sends nothing', async () => {
		await open('request.json');
		await editor.command('MCP Elicitation: Preview Form');
		const form = await formOfServer(editor, 'request.json', 'Where to?');
		expect(await form.locator('.origin').innerText()).toContain('Preview');
		expect(await form.locator('.recipient').innerText()).toBe('Nothing is sent');
		await form.getByLabel('replicas').fill('12');
		await answerIn(form, 'Accept');
		await form.getByText('At most 9.').waitFor();
		await editor.screenshot('preview of a form');
		await editor.page.getByRole('tab', { name: 'request.json', exact: true }).click();
		await editor.page.locator('.view-line').filter({ hasText: '"message"' }).click();
		await editor.page.keyboard.press('End');
		await editor.page.keyboard.press('ArrowLeft');
		await editor.page.keyboard.press('ArrowLeft');
		await editor.page.keyboard.type(' And how many');
		await editor.page.getByRole('tab', { name: 'Preview of request.json' }).click();
		const changed = await formOfServer(editor, 'request.json', 'Where to? And how many');
		expect(await changed.getByLabel('replicas').inputValue()).toBe('12');
		await changed.getByLabel('replicas').fill('3');
		await answerIn(changed, 'Accept');
		await editor.notification('It was a preview');
		await editor.page
			.locator('.view-line')
			.filter({ hasText: /"replicas":\s3/ })
			.waitFor();
	});

	it('is asked in pickers as well', async () => {
		await open('schema.json');
		await editor.command('MCP Elicitation: Preview Form');
		const form = await formOfServer(editor, 'schema.json');
		await form.getByRole('button', { name: 'Answer in pickers' }).click();
		await editor.quickInput.shows('schema.json · name (1/2)');
		await editor.quickInput.fill('Ada');
		await editor.quickInput.accept();
		await editor.quickInput.shows('schema.json · Review');
		await editor.quickInput.pick(/Accept/);
		await editor.page
			.locator('.view-line')
			.filter({ hasText: /"name":\s"Ada"/ })
			.waitFor();
	});
});

describe('a question that was asked', () => {
	it('is checked as it came', async () => {
		await ask(editor, formOf({ n: { type: 'integer', enum: [1, 2] } }, [], 'How many?'), 'sdk1');
		await answerIn(await formOfServer(editor, 'sdk1', 'How many?'), 'Decline');
		await editor.closeTabs();
		await editor.command('MCP Elicitation: Check Schema');
		await editor.quickInput.shows('Choose a question');
		await editor.quickInput.pick('sdk1');
		await editor.page.getByRole('tab', { name: /Request of sdk1/ }).waitFor();
		await problem('not part of the specification: enum.');
		await editor.closeTabs();
		await until('nothing to be said of it any more', async () => (await editor.problems()).length <= 1);
	});

	it('is checked from its menu in the list of what is pending', async () => {
		await ask(editor, formOf({ n: { type: 'integer', enum: [1, 2] } }, [], 'How many now?'), 'sdk1');
		await formOfServer(editor, 'sdk1', 'How many now?');
		await editor.command('MCP Elicitation: Focus on Pending View');
		await editor.chooseFromMenu(/How many now/, 'Check Schema');
		await problem('not part of the specification: enum.');
		await editor.closeTabs();
	});

	it('of the reference server is checked and shown again', async () => {
		await callTool(editor, { server: 'everything', tool: 'Trigger Elicitation Request Tool' });
		await answerIn(await formOfServer(editor, 'everything'), 'Decline');
		await editor.closeTabs();
		await editor.command('MCP Elicitation: Check Schema');
		await editor.quickInput.shows('Choose a question');
		await editor.quickInput.pick('everything');
		await editor.page.getByRole('tab', { name: /Request of everything/ }).waitFor();
		await problem('Revision 2025-06-18 has no multiple choice.');
		await editor.command('MCP Elicitation: Show Timeline');
		const timeline = await editor.frameOf('tree', 'Calls and messages');
		await timeline.getByText('· declined').click();
		await timeline.getByText(/^Other revisions and libraries: \d+/).click();
		await editor.screenshot('schema notes of a question');
		await timeline.getByRole('button', { name: 'Preview Form' }).click();
		await answerIn(await formOfServer(editor, 'everything'), 'Decline');
		await editor.page
			.locator('.view-line')
			.filter({ hasText: /"action":\s"decline"/ })
			.waitFor();
	});
});
