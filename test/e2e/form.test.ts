import type { Frame } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itByNight } from '../nightly.ts';
import type { RawStdioServer } from '../rawServer/stdio.ts';
import { pickIn } from './driver/enterInto.ts';
import {
	answerIn,
	ask,
	callTool,
	type Editor,
	everything,
	formOf,
	formOfServer,
	openRawServer,
	program,
	resultOf,
	reuseEditor,
	servers,
	structured,
	until,
} from './driver/index.ts';

const REFERENCE = 'reference server';
const machineSettings = servers({ [REFERENCE]: everything, sdk1: program('sdk1'), sdk2: program('sdk2') });
const webview = { 'mcpElicitation.form.presentation': 'webview' };
const quickPick = { 'mcpElicitation.form.presentation': 'quickPick' };

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

const trip = formOf(
	{
		from: { type: 'string', title: 'From' },
		seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 9 },
		window: { type: 'boolean', title: 'Window seat' },
	},
	['from'],
	'Where are you going?',
);

const person = formOf(
	{
		name: { type: 'string', title: 'Name', minLength: 2 },
		color: { type: 'string', title: 'Color', enum: ['red', 'green'] },
		terms: { type: 'boolean', title: 'Terms' },
		days: { type: 'array', title: 'Days', items: { type: 'string', enum: ['Mon', 'Tue', 'Wed'] } },
	},
	['name', 'terms'],
	'Who are you?',
);

let editor: Editor;

beforeEach(() => editor.closeTabs());

/** Calls the tool that asks for a field of every kind and gives the form that opens. */
async function referenceForm(): Promise<Frame> {
	await callTool(editor, { server: REFERENCE, tool: 'Trigger Elicitation Request Tool' });
	return formOfServer(editor, REFERENCE);
}

/** What the reference server has received. */
async function received(): Promise<unknown> {
	const text = await resultOf(editor);
	return JSON.parse(text.slice(text.indexOf('Raw result: ') + 'Raw result: '.length));
}

/** The form for the trip, which the server asks for. */
async function tripForm(): Promise<Frame> {
	await ask(editor, trip, 'sdk1');
	return formOfServer(editor, 'sdk1');
}

const field = (form: Frame, label: string) => form.getByLabel(label, { exact: true });
const option = (form: Frame, group: string, label: string) =>
	form.getByRole('group', { name: group, exact: true }).getByLabel(label, { exact: true });

describe('a form', () => {
	beforeAll(async () => {
		editor = await reuseEditor({ machineSettings, settings: webview });
	});

	it('shows who asks and why, one control per kind of field, and the defaults (F01, F04, F06–F12)', async () => {
		const form = await referenceForm();

		expect(await form.getByRole('heading', { level: 1 }).innerText()).toBe(REFERENCE);
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
	});

	it('is not accepted without what is required, and then sends what was filled in and nothing else (F05, F13)', async () => {
		const form = await referenceForm();

		await answerIn(form, 'Accept');
		const name = field(form, 'String');
		await until('the focus on what is missing', () => name.evaluate((element) => element === document.activeElement));
		expect(await name.getAttribute('aria-invalid')).toBe('true');
		const [message] = (await name.getAttribute('aria-describedby'))?.split(' ') ?? [];
		expect(await form.locator(`#${message}`).innerText()).toMatch(/required/i);

		await name.fill('Ada');
		await option(form, 'Titled Multiple Select Enum', 'Salmon').check();
		await answerIn(form, 'Accept');
		expect(await received()).toEqual({
			action: 'accept',
			content: { ...defaults, name: 'Ada', titledMultipleSelectEnum: ['fish-1', 'fish-2'] },
		});
	});

	it('sends a decline for the button, and a cancel when its tab is closed (F02, F13, F14)', async () => {
		await answerIn(await referenceForm(), 'Decline');
		expect(await received()).toEqual({ action: 'decline' });
		await editor.closeTabs();
		await referenceForm();
		await editor.closeTab(REFERENCE);
		expect(await received()).toEqual({ action: 'cancel' });
	});

	it('can be edited as the exact JSON that is sent, judged like the form, and nothing is lost on the way back (F03, F05)', async () => {
		const form = await tripForm();
		await field(form, 'From').fill('Oslo');
		await form.getByText('Edit as JSON').click();
		const json = form.getByRole('textbox', { name: 'Response as JSON' });
		await until('the exact JSON', async () => (await json.inputValue()) === '{\n  "from": "Oslo"\n}');

		await json.fill('{"from": "Rome", "seats": 12, "note": "extra"}');
		await form.locator('.problem').filter({ hasText: 'Seats' }).waitFor();
		await answerIn(form, 'Accept');
		await until('the refused answer to have the focus', () => json.evaluate((area) => area === document.activeElement));
		await editor.screenshot('json refused');

		await json.fill('{"from": "Rome", "seats": 2, "note": "extra"}');
		const back = form.getByRole('button', { name: 'Back to Form' });
		await until('the way back', () => back.isEnabled());
		await back.click();
		await form.getByText('Also sent: note').waitFor();
		expect(await field(form, 'From').inputValue()).toBe('Rome');
		expect(await field(form, 'Seats').inputValue()).toBe('2');
		await field(form, 'Seats').fill('3');
		await answerIn(form, 'Accept');
		expect(await structured(editor)).toEqual({
			action: 'accept',
			content: { from: 'Rome', seats: 3, note: 'extra' },
		});
	});

	it('has nothing lie over it, and is still there when its hidden panel is shown again', async () => {
		const form = await tripForm();
		// The status bar tells of its call meanwhile.
		await editor.statusBar(/sdk1 · ask: server .* · you \d/);
		expect(await editor.notifications()).toEqual([]);
		await field(form, 'From').fill('Tromsø');
		await editor.command('File: New Untitled Text File');
		await until('the form to be hidden', () => form.isDetached());
		await editor.page.getByRole('tab', { name: 'sdk1', exact: true }).click();
		const shown = await formOfServer(editor, 'sdk1');
		await until('the draft', async () => (await field(shown, 'From').inputValue()) === 'Tromsø');
		await answerIn(shown, 'Accept');
		expect(await structured(editor)).toEqual({ action: 'accept', content: { from: 'Tromsø' } });
	});

	itByNight('opens the list of the editor for a long choice, and has the focus again afterwards', async () => {
		const countries = Array.from({ length: 10_000 }, (_each, at) => `Country ${at}`);
		const visits = { type: 'array', title: 'Visits', items: { type: 'string', enum: countries } };
		const home = { type: 'string', title: 'Home', enum: countries };
		await ask(editor, formOf({ home, visits }), 'sdk1');
		const form = await formOfServer(editor, 'sdk1');
		const button = (label: string) => form.locator('.field').filter({ hasText: label }).locator('.pick');
		for (const [label, ...chosen] of [
			['Home', 'Country 9876'] as const,
			['Visits', 'Country 3', 'Country 500'] as const,
		]) {
			await pickIn(form, form.locator('.field').filter({ hasText: label }), chosen);
			await until(`the focus on ${label}`, () =>
				button(label).evaluate((element) => element === document.activeElement),
			);
		}
		expect(await button('Home').innerText()).toBe('Country 9876');
		expect(await button('Visits').innerText()).toBe('2 selected');
		await editor.screenshot('long choices');
		await answerIn(form, 'Accept');
		expect(await structured(editor)).toEqual({
			action: 'accept',
			content: { home: 'Country 9876', visits: ['Country 3', 'Country 500'] },
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
			await ask(editor, params, 'sdk2');
			const form = await formOfServer(editor, 'sdk2');
			const file = form.getByLabel('report');
			const choose = (name: string, size: number) =>
				file.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 'a') });
			await choose('large.txt', 4096);
			await form.locator('.problem').filter({ hasText: 'The file is 4 KB; at most 2 KB are allowed.' }).waitFor();
			await choose('notes.md', 10);
			await form
				.locator('.problem')
				.filter({ hasText: 'The file is not of an allowed type: .txt, image/*.' })
				.waitFor();
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
});

describe('pickers', () => {
	beforeAll(async () => {
		editor = await reuseEditor({ machineSettings, settings: quickPick });
	});

	it('ask one field after another with Back and Leave Blank, and show the exact answer before it is sent (F02–F05, F13)', async () => {
		await ask(editor, person, 'sdk1');
		const { quickInput } = editor;

		await quickInput.shows('sdk1 · ask · Name * (1/5)');
		expect(await quickInput.prompt()).toContain('Who are you?');
		await quickInput.enter('A');
		await quickInput.shows('you have 1');
		expect(await quickInput.prompt()).toContain('At least 2 characters; you have 1. — Who are you?');
		expect((await quickInput.prompt()).match(/At least/g)).toHaveLength(1);
		await editor.screenshot('picker with an error');
		await quickInput.enter('Ada');

		await quickInput.shows('sdk1 · ask · Color (2/5)');
		await quickInput.shows('Who are you?');
		expect(await quickInput.entries()).toEqual(['red', 'green', 'Leave Blank']);
		expect(await quickInput.active()).toEqual([]);
		await quickInput.press('Back');
		await quickInput.shows('(1/5)');
		expect(await quickInput.input.inputValue()).toBe('Ada');
		await quickInput.enter('Grace');
		await quickInput.shows('(2/5)');
		await quickInput.press('Leave Blank');

		await quickInput.shows('sdk1 · ask · Terms * (3/5)');
		expect(await quickInput.entries()).toEqual(['Yes', 'No']);
		await editor.screenshot('picker');
		await quickInput.pick('Yes');

		await quickInput.shows('sdk1 · ask · Days (4/5)');
		await quickInput.pick('Tue');
		await quickInput.accept();

		await quickInput.shows('sdk1 · ask · Review');
		await quickInput.shows('Who are you?');
		const sent = { name: 'Grace', terms: true, days: ['Tue'] };
		await quickInput.entry(/Accept/).waitFor();
		expect(await quickInput.entry(/Accept/).innerText()).toContain(JSON.stringify(sent));
		await editor.screenshot('picker review');
		await quickInput.pick(/Accept/);
		expect(await structured(editor)).toEqual({ action: 'accept', content: sent });
	});

	it('are no answer when something else takes their place: they go on where they were left, and Escape cancels (F14)', async () => {
		const { quickInput } = editor;
		await ask(editor, trip, 'sdk1');
		await quickInput.shows('From * (1/4)');
		await quickInput.enter('Oslo');
		await quickInput.shows('Seats (2/4)');
		await quickInput.enter('2');
		await quickInput.shows('Window seat (3/4)');

		await editor.page.keyboard.press('F1');
		const left = await editor.notification('sdk1 is still waiting for your response.');
		await quickInput.escape();
		await editor.screenshot('left notice');
		await left.press('Resume');
		await quickInput.shows('Window seat (3/4)');
		await left.gone();
		await quickInput.pick('Yes');
		await quickInput.shows('Review');
		expect(await quickInput.entry(/Accept/).innerText()).toContain('{"from":"Oslo","seats":2,"window":true}');

		await quickInput.escape();
		await quickInput.pick('Discard what you entered and cancel');
		expect(await structured(editor)).toEqual({ action: 'cancel' });
	});

	itByNight(
		'that are withdrawn while they check a response do not keep the next one from being asked (A02)',
		async () => {
			const raw: RawStdioServer = await openRawServer('stdio');
			editor = await reuseEditor({ machineSettings: servers({ raw: raw.definition }), settings: quickPick });
			await callTool(editor, { tool: 'act' });
			const call = await raw.expect('tools/call');
			// There is nothing to choose, and the check takes as long as a check may.
			const endless = formOf({ x: { const: `${'a'.repeat(40)}!`, pattern: '^(a+)+$' } }, ['x'], 'Withdrawn');
			const { id } = raw.ask(endless, call);
			raw.notify('notifications/cancelled', { requestId: id }, call);
			const next = raw.ask(formOf({ name: { type: 'string' } }, [], 'Who?'), call);
			await editor.quickInput.shows('Who?');
			await editor.quickInput.escape();
			expect((await next.response).result).toEqual({ action: 'cancel' });
			raw.finish(call);
			await structured(editor);
		},
	);
});

describe('form.reveal', () => {
	itByNight.each([
		['background', 'a form opens beside what the person does, without taking the focus'],
		['notify', 'a form only tells of itself, and opens when the person wants it'],
	] as const)('%s: %s', async (reveal, _meaning) => {
		const settings = { 'mcpElicitation.form.presentation': 'webview', 'mcpElicitation.form.reveal': reveal };
		editor = await reuseEditor({ machineSettings, settings });
		await ask(editor, trip, 'sdk1');
		if (reveal === 'notify') {
			const notice = await editor.notification('sdk1 asks: Where are you going?');
			expect(await editor.page.getByRole('tab', { name: 'sdk1', exact: true }).count()).toBe(0);
			await notice.press('Respond');
			await notice.gone();
		}
		const form = await formOfServer(editor, 'sdk1');
		const focused = () => form.evaluate(() => document.hasFocus());
		if (reveal === 'background') {
			expect(await focused()).toBe(false);
		} else {
			await until('the form to have the focus', focused);
		}
		await field(form, 'From').fill('Bodø');
		await answerIn(form, 'Accept');
		expect(await structured(editor)).toEqual({ action: 'accept', content: { from: 'Bodø' } });
	});

	itByNight('a notification that leads to a form goes when the form is decided elsewhere', async () => {
		editor = await reuseEditor({ machineSettings, settings: { 'mcpElicitation.form.reveal': 'notify' } });
		await ask(editor, trip, 'sdk1');
		const notice = await editor.notification('sdk1 asks: Where are you going?');
		await editor.pending().click();
		await editor.quickInput.pressOnEntry(/sdk1/, 'Decline');
		await editor.quickInput.escape();
		expect(await structured(editor)).toEqual({ action: 'decline' });
		await notice.gone();
		expect(await editor.notifications()).toEqual([]);
	});
});
