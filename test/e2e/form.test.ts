import type { Frame } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itByNight, variants } from '../nightly.ts';
import {
	answerIn,
	ask,
	callTool,
	type Editor,
	everything,
	formOfServer,
	openEditor,
	overHttp,
	program,
	resultOf,
	servers,
	structured,
	until,
} from './driver/index.ts';

const TOOL = 'Trigger Elicitation Request Tool';

/** What the reference server prefills, as it must come back when nobody touched it. */
const defaults = {
	firstLine: 'It was a dark and stormy night.',
	integer: 42,
	number: 3.14,
	untitledSingleSelectEnum: 'Monica',
	untitledMultipleSelectEnum: ['Guitar'],
	titledSingleSelectEnum: 'hero-1',
	titledMultipleSelectEnum: ['fish-1'],
	legacyTitledEnum: 'pet-1',
};

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor({
		machineSettings: servers({
			'reference server': everything,
			'over the wire': await overHttp('everything'),
			files: program('sdk2'),
		}),
	});
});

beforeEach(() => editor.closeTabs());

/** Calls the tool that asks for a field of every kind and gives the form that opens. */
async function formFrom(server: string): Promise<Frame> {
	await callTool(editor, { server, tool: TOOL });
	return formOfServer(editor, server);
}

/** What the reference server has received. */
async function received(): Promise<unknown> {
	const text = await resultOf(editor);
	return JSON.parse(text.slice(text.indexOf('Raw result: ') + 'Raw result: '.length));
}

const field = (form: Frame, label: string) => form.getByLabel(label, { exact: true });
const option = (form: Frame, group: string, label: string) =>
	form.getByRole('group', { name: group, exact: true }).getByLabel(label, { exact: true });

describe.each(variants('reference server', 'over the wire'))('a form of the %s', (server) => {
	it('shows who asks and why, one control per kind of field, and the defaults (F01, F04, F06–F12)', async () => {
		const form = await formFrom(server);

		expect(await form.getByRole('heading', { level: 1 }).innerText()).toBe(server);
		expect(await form.getByRole('form').getAttribute('aria-describedby')).toBe('message');
		expect(await form.locator('#message').innerText()).toBe('Please provide inputs for the following fields:');
		expect(await field(form, 'String').inputValue()).toBe('');
		expect(await field(form, 'String with default').inputValue()).toBe(defaults.firstLine);
		expect(await field(form, 'Integer').inputValue()).toBe('42');
		expect(await field(form, 'Number in range 1-1000').inputValue()).toBe('3.14');
		expect(await field(form, 'String with date format').getAttribute('type')).toBe('date');
		expect(await option(form, 'Boolean', 'Not set').isChecked()).toBe(true);
		expect(await option(form, 'Untitled Single Select Enum', 'Monica').isChecked()).toBe(true);
		expect(await option(form, 'Untitled Multiple Select Enum', 'Guitar').isChecked()).toBe(true);
		expect(await option(form, 'Titled Single Select Enum', 'Superman').isChecked()).toBe(true);
		expect(await option(form, 'Titled Multiple Select Enum', 'Tuna').isChecked()).toBe(true);
		expect(await option(form, 'Legacy Titled Single Select Enum', 'Cats').isChecked()).toBe(true);
		await answerIn(form, 'Cancel');
		await received();
	});

	it('is not accepted without what is required, and then sends what was filled in and nothing else (F05, F13)', async () => {
		const form = await formFrom(server);

		await answerIn(form, 'Accept');
		const name = field(form, 'String');
		await until('the focus on what is missing', () => name.evaluate((element) => element === document.activeElement));
		expect(await name.getAttribute('aria-invalid')).toBe('true');
		const message = await name.getAttribute('aria-errormessage');
		expect(await form.locator(`#${message}`).innerText()).toMatch(/required/i);

		await name.fill('Ada');
		await option(form, 'Titled Multiple Select Enum', 'Salmon').check();
		await answerIn(form, 'Accept');
		expect(await received()).toEqual({
			action: 'accept',
			content: { ...defaults, name: 'Ada', titledMultipleSelectEnum: ['fish-1', 'fish-2'] },
		});
	});

	it('sends a decline without content (F02, F13)', async () => {
		await answerIn(await formFrom(server), 'Decline');
		expect(await received()).toEqual({ action: 'decline' });
	});

	it('sends a cancel for the button (F02, F13)', async () => {
		await answerIn(await formFrom(server), 'Cancel');
		expect(await received()).toEqual({ action: 'cancel' });
	});

	it('sends a cancel when its tab is closed (F14)', async () => {
		await formFrom(server);
		await editor.closeTab(server);
		expect(await received()).toEqual({ action: 'cancel' });
	});
});

itByNight(
	'sends a chosen file within the response, if it has a size and a type that the server accepts (SEP-2356)',
	async () => {
		const params = {
			message: 'Your report?',
			requestedSchema: {
				type: 'object',
				properties: {
					report: { type: 'string', format: 'uri', 'x-mcp-file': { accept: ['.txt', 'image/*'], maxSize: 2048 } },
				},
			},
		};
		await ask(editor, params, 'files');
		const form = await formOfServer(editor, 'files');
		const file = form.getByLabel('report');
		const choose = (name: string, size: number) =>
			file.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 'a') });
		await choose('large.txt', 4096);
		await form.getByRole('alert').filter({ hasText: 'The file is 4 KB; at most 2 KB are allowed.' }).waitFor();
		await choose('notes.md', 10);
		await form.getByRole('alert').filter({ hasText: 'The file is not of an allowed type: .txt, image/*.' }).waitFor();
		await editor.screenshot('file that is refused');
		await choose('Bericht für Ada.txt', 3);
		await form.getByText('Bericht für Ada.txt (1 KB)').waitFor();
		await form.getByRole('button', { name: 'Remove Bericht für Ada.txt' }).click();
		await until('the focus on the field', () => file.evaluate((element) => element === document.activeElement));
		await choose('Bericht für Ada.txt', 3);
		await form.getByText('Bericht für Ada.txt (1 KB)').waitFor();
		await editor.screenshot('file that is chosen');
		await answerIn(form, 'Accept');
		expect(await structured(editor)).toEqual({
			action: 'accept',
			content: { report: 'data:text/plain;name=Bericht%20f%C3%BCr%20Ada.txt;base64,YWFh' },
		});
	},
);
