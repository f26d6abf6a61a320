import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	ask,
	type Editor,
	formOf,
	formOfServer,
	openEditor,
	program,
	runTrial,
	servers,
	structured,
	until,
} from './driver/index.ts';

const REQUEST = `{
  "message": "Who are you?",
  "requestedSchema": {
    "type": "object",
    "properties": {
      "name": { "type": "string", "title": "Name", "pattern": "^[a-z]+$" },
      "newsletter": { "type": "boolean", "title": "Newsletter", "default": false }
    }
  }
}
`;

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor({
		machineSettings: servers({ sdk1: program('sdk1') }),
		settings: { 'mcpElicitation.form.presentation': 'webview', 'workbench.colorTheme': 'Default Dark Modern' },
		files: { 'request.json': REQUEST },
	});
});

beforeEach(async () => {
	await editor.closeTabs();
	await editor.openFile('request.json');
});

/** Picks a client. The list is longer than what is shown of it. */
async function choose(prompt: string, name: string): Promise<void> {
	const input = await editor.quickInput.shows(prompt);
	await input.fill(name);
	await input.pick(new RegExp(name));
}

describe('other clients', () => {
	itByNight('lists what one of them does with a request, where it is written', async () => {
		await editor.command('MCP Elicitation: Check Schema…');
		await choose('Choose how', 'TypeScript SDK without handlers 1');
		await editor.notification('request.json: Warnings: 2. Notes: 1.');
		const row = await until('the problem', async () =>
			(await editor.problems()).find((each) => each.includes('Not visible to the client: pattern.')),
		);
		expect(row).toContain('[Ln 6,');
		await editor.screenshot('check as');

		await editor.choose('MCP Elicitation: Check Schema…', 'Against All Revisions and Libraries', 'Choose how');
		await until(
			'the client to be forgotten',
			async () => !(await editor.problems()).some((each) => each.includes('without handlers')),
		);
	});

	itByNight('shows the form as one of them does, and what it would send', async () => {
		await editor.command('MCP Elicitation: Preview Form…');
		await choose('Choose how', 'VS Code agent host');
		const form = await editor.frameOf('heading', 'request.json');
		await form.getByText('As VS Code agent host Insiders of July 2026').waitFor();
		await form.getByText('It is entered as text, such as "true".').waitFor();
		const json = form.getByRole('textbox', { name: 'Response as JSON' });
		await until('the response', async () => (await json.inputValue()).includes('"newsletter": false'));
		await editor.screenshot('preview as');
	});

	itByNight('says beforehand that one of them responds without a person', async () => {
		await editor.command('MCP Elicitation: Preview Form…');
		await choose('Choose how', 'Codex app server');
		const form = await editor.frameOf('heading', 'request.json');
		await form.getByText('It responds without a person: {"action":"decline"}').first().waitFor();
		expect(await form.getByRole('button', { name: 'Check Response' }).isDisabled()).toBe(true);
		await editor.screenshot('preview as one that declines');
	});

	itByNight('repeats a call as several of them', async () => {
		await ask(editor, formOf({ n: { type: 'integer', minimum: 3 } }, ['n'], 'How many?'));
		await answerIn(await formOfServer(editor, 'sdk1', 'How many?'), 'Decline');
		await structured(editor);
		await editor.closeTabs();

		await runTrial(editor, 'ask', 'Other clients');
		for (const name of ['TypeScript SDK without handlers 2', 'Codex app server', 'VS Code agent host']) {
			await choose('Choose the clients to run as', name);
		}
		await editor.quickInput.accept();
		const modal = await editor.modal();
		expect(await modal.message()).toBe('Call "ask" on sdk1 3 times?');
		await modal.press('Run');
		const frame = await editor.frameOf('heading', 'Other clients');
		await until('the runs to end', async () => !(await frame.getByRole('button', { name: 'Cancel' }).isVisible()));
		const rows = await Promise.all((await frame.locator('tbody tr').all()).map((row) => row.innerText()));
		expect(rows).toEqual([
			expect.stringContaining('As TypeScript SDK without handlers 2'),
			expect.stringContaining('{"action":"decline"}'),
			expect.stringContaining('{"action":"accept","content":{"n":3}}'),
		]);
		expect(rows[0]).toContain('as expected');
		// What the table tells needs no notification.
		expect((await editor.notifications()).filter((text) => text.includes('cannot be shown'))).toEqual([]);
		await editor.screenshot('run as');
	});
});
