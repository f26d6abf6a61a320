import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	ask,
	type Editor,
	everything,
	formOf,
	formOfServer,
	openEditor,
	program,
	servers,
	until,
} from './driver/index.ts';

const CHECK = 'Against All Revisions and Libraries';

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

const SLIPS = `{
  "type": "object",
  "properties": {
    "name": { "type": "string",
      "tittle": "Name",
      "maxlength": 9,
      "pattern": "^[a-z"
    }
  }
}
`;

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor({
		machineSettings: servers({ everything, sdk1: program('sdk1') }),
		settings: { 'mcpElicitation.form.presentation': 'webview', 'workbench.colorTheme': 'Default Dark Modern' },
		files: { 'request.json': REQUEST, 'schema.json': SCHEMA, 'slips.json': SLIPS },
	});
});

beforeEach(() => editor.closeTabs());

/** The rows of the Problems panel, once one of them says this. */
function problem(text: string): Promise<string> {
	return until(`the problem ${text}`, async () => (await editor.problems()).find((row) => row.includes(text)));
}

describe('a schema that is being written', () => {
	itByNight('is marked where it strays, and mended on request', async () => {
		await editor.openFile('request.json');
		expect(await problem('"region": not part of the specification: anyOf.')).toContain('[Ln 6, Col 19]');
		expect(await problem('Refused, with the whole request, by clients')).toMatch(
			/@modelcontextprotocol\/sdk 1\.\d+.*\[Ln 6,/,
		);
		await editor.screenshot('schema problems');

		await editor.page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'anyOf' }).first().dblclick();
		const fixed = editor.page.locator('.view-line').filter({ hasText: /"region":\s\{\s"type":\s"string"\s\},/ });
		await editor.applyFix('Write it as the specification allows', fixed);
		await until('the problem to be gone', async () => !(await editor.problems()).some((row) => row.includes('region')));
	});

	itByNight('is checked as a whole when it stands alone', async () => {
		await editor.openFile('schema.json');
		await editor.choose('MCP Elicitation: Check Schema…', CHECK, 'Choose how');
		const told = await editor.notification('schema.json: Warnings: 2.');
		await problem('The format "zip" is unknown and not checked here.');
		await told.press('Show Report');
		await editor.page.getByRole('tab', { name: /Schema report/ }).waitFor();
		await editor.page.locator('.view-line').filter({ hasText: '"2026-07-28"' }).waitFor();
		await editor.screenshot('schema report');
	});
});

describe('a schema with slips', () => {
	itByNight(
		'is marked where a keyword is misspelled, which a quick fix renames, and where a pattern does not compile',
		async () => {
			await editor.openFile('slips.json');
			await editor.choose('MCP Elicitation: Check Schema…', CHECK, 'Choose how');
			expect(await problem('Did you mean "title"?')).toContain('[Ln 5, Col 17]');
			expect(await problem('Did you mean "maxLength"?')).toContain('[Ln 6, Col 20]');
			expect(
				await problem(
					'Not checked here: the pattern ^[a-z does not compile in JavaScript (Unterminated character class).',
				),
			).toContain('[Ln 7,');
			await editor.screenshot('schema slips');
			await editor.page.locator('.markers-panel .monaco-list-row').filter({ hasText: '"title"?' }).first().dblclick();
			await editor.applyFix('Rename it to "title"', editor.page.locator('.view-line').filter({ hasText: '"title":' }));
			await until(
				'the problem to be gone',
				async () => !(await editor.problems()).some((row) => row.includes('"title"?')),
			);
		},
	);
});

describe('a preview', () => {
	itByNight(
		'is the form itself beside the text, which keeps the focus, follows what is written, and sends nothing',
		async () => {
			await editor.openFile('request.json');
			await editor.choose('MCP Elicitation: Preview Form…', 'As Here', 'Choose how');
			const form = await formOfServer(editor, 'request.json', 'Where to?');
			const groups = editor.page.locator('.editor-group-container');
			expect(await groups.first().getByRole('tab').allInnerTexts()).toEqual([
				expect.stringMatching(/^request\s*\.json$/),
			]);
			expect(await groups.last().getByRole('tab').allInnerTexts()).toEqual([
				expect.stringMatching(/^Preview of request\s*\.json$/),
			]);
			expect(await groups.first().evaluate((group) => group.classList.contains('active'))).toBe(true);
			expect(await form.locator('.banner').innerText()).toContain('preview');
			expect(await form.locator('.recipient').innerText()).toBe('Nothing is sent');
			await form.getByLabel('replicas').fill('12');
			await answerIn(form, 'Check Response');
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
			await answerIn(changed, 'Check Response');
			await editor.notification('Because it is a preview');
			await editor.page
				.locator('.view-line')
				.filter({ hasText: /"replicas":\s3/ })
				.waitFor();
		},
	);
});

describe('an elicitation that was asked', () => {
	itByNight('is checked as it came', async () => {
		await ask(editor, formOf({ n: { type: 'integer', enum: [1, 2] } }, [], 'How many?'), 'sdk1');
		await answerIn(await formOfServer(editor, 'sdk1', 'How many?'), 'Decline');
		await editor.closeTabs();
		await editor.choose('MCP Elicitation: Check Schema…', CHECK, 'Choose how');
		await editor.page.getByRole('tab', { name: /Request from sdk1/ }).waitFor();
		await problem('not part of the specification: enum.');
		await editor.closeTabs();
		await until('nothing to be said of it any more', async () => (await editor.problems()).length <= 1);
	});
});
