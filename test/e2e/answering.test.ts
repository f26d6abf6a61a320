import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	ask,
	type Editor,
	formOf,
	formOfServer,
	program,
	reuseEditor,
	servers,
	structured,
	until,
} from './driver/index.ts';

const machineSettings = servers({ sdk1: program('sdk1') });
const trip = formOf(
	{
		from: { type: 'string', title: 'From' },
		seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 9 },
		window: { type: 'boolean', title: 'Window seat' },
	},
	['from'],
	'Where are you going?',
);

let editor: Editor;

describe('an answer', () => {
	beforeAll(async () => {
		editor = await reuseEditor({ machineSettings, settings: { 'mcpElicitation.form.presentation': 'webview' } });
	});
	beforeEach(() => editor.closeTabs());

	it('can be edited as the exact JSON that is sent, judged like the form, and nothing is lost on the way back (F03, F05)', async () => {
		await ask(editor, trip);
		const form = await formOfServer(editor, 'sdk1');
		await form.getByLabel('From', { exact: true }).fill('Oslo');
		await form.getByText('Edit as JSON').click();
		const json = form.getByRole('textbox', { name: 'Response as JSON' });
		await until('the exact JSON', async () => (await json.inputValue()) === '{\n  "from": "Oslo"\n}');

		await json.fill('{"from": "Rome", "seats": 12, "note": "extra"}');
		await form.getByRole('alert').filter({ hasText: 'Seats' }).waitFor();
		await answerIn(form, 'Accept');
		await until('the refused answer to have the focus', () => json.evaluate((area) => area === document.activeElement));
		await editor.screenshot('json refused');

		await json.fill('{"from": "Rome", "seats": 2, "note": "extra"}');
		const back = form.getByRole('button', { name: 'Back to Form' });
		await until('the way back', () => back.isEnabled());
		await back.click();
		await form.getByText('Also sent: note').waitFor();
		expect(await form.getByLabel('From', { exact: true }).inputValue()).toBe('Rome');
		expect(await form.getByLabel('Seats', { exact: true }).inputValue()).toBe('2');
		await form.getByLabel('Seats', { exact: true }).fill('3');
		await answerIn(form, 'Accept');
		expect(await structured(editor)).toEqual({
			action: 'accept',
			content: { from: 'Rome', seats: 3, note: 'extra' },
		});
	});

	it('has nothing lie over it: its call is told of in the status bar meanwhile', async () => {
		await ask(editor, trip);
		const form = await formOfServer(editor, 'sdk1');
		await editor.statusBar(/sdk1 · ask: server .* · you \d/);
		expect(await editor.notifications()).toEqual([]);
		await answerIn(form, 'Decline');
		expect(await structured(editor)).toEqual({ action: 'decline' });
	});

	itByNight('moves from the panel to the pickers and back with what was entered', async () => {
		await ask(editor, trip);
		const form = await formOfServer(editor, 'sdk1');
		await form.getByLabel('From', { exact: true }).fill('Bergen');
		await form.getByRole('button', { name: 'Use Pickers' }).click();
		const { quickInput } = editor;
		await quickInput.shows('From * (1/4)');
		expect(await quickInput.input.inputValue()).toBe('Bergen');
		await quickInput.accept();
		await quickInput.shows('Seats (2/4)');
		await quickInput.fill('4');
		await quickInput.press('Open as Form');
		const again = await formOfServer(editor, 'sdk1');
		expect(await again.getByLabel('From', { exact: true }).inputValue()).toBe('Bergen');
		await answerIn(again, 'Accept');
		expect(await structured(editor)).toMatchObject({ action: 'accept', content: { from: 'Bergen' } });
	});

	it('in a hidden panel is still there when the panel is shown again, and can be sent', async () => {
		await ask(editor, trip);
		const form = await formOfServer(editor, 'sdk1');
		await form.getByLabel('From', { exact: true }).fill('Tromsø');
		await editor.command('File: New Untitled Text File');
		await until('the form to be hidden', () => form.isDetached());
		await editor.page.getByRole('tab', { name: 'sdk1', exact: true }).click();
		const shown = await formOfServer(editor, 'sdk1');
		await until('the draft', async () => (await shown.getByLabel('From', { exact: true }).inputValue()) === 'Tromsø');
		await answerIn(shown, 'Accept');
		expect(await structured(editor)).toEqual({ action: 'accept', content: { from: 'Tromsø' } });
	});
});

describe('pickers that something else takes the place of', () => {
	it('are no answer: they go on where they were left, and Escape cancels (F14)', async () => {
		const window = await reuseEditor({
			machineSettings,
			settings: { 'mcpElicitation.form.presentation': 'quickPick' },
		});
		const { quickInput } = window;
		await ask(window, trip);
		await quickInput.shows('From * (1/4)');
		await quickInput.enter('Oslo');
		await quickInput.shows('Seats (2/4)');
		await quickInput.enter('2');
		await quickInput.shows('Window seat (3/4)');

		await window.page.keyboard.press('F1');
		const left = await window.notification('sdk1 is still waiting for your response.');
		await quickInput.escape();
		await window.screenshot('left notice');
		await left.press('Resume');
		await quickInput.shows('Window seat (3/4)');
		await left.gone();
		await quickInput.pick('Yes');
		await quickInput.shows('Review');
		expect(await quickInput.entry(/Accept/).innerText()).toContain('{"from":"Oslo","seats":2,"window":true}');

		await quickInput.escape();
		await quickInput.pick('Discard what you entered and cancel');
		expect(await structured(window)).toEqual({ action: 'cancel' });
	});
});

itByNight('a notification that leads to a form goes when the form is decided elsewhere', async () => {
	const settings = { 'mcpElicitation.form.reveal': 'notify' };
	const window = await reuseEditor({ machineSettings, settings });
	await ask(window, trip);
	const notice = await window.notification('sdk1 asks: Where are you going?');
	await window.command('MCP Elicitation: Decline Elicitation');
	expect(await structured(window)).toEqual({ action: 'decline' });
	await notice.gone();
	expect(await window.notifications()).toEqual([]);
});

describe('form.reveal', () => {
	itByNight.each([
		['background', 'a form opens beside what the person does, without taking the focus'],
		['notify', 'a form only tells of itself, and opens when the person wants it'],
	] as const)('%s: %s', async (reveal, _meaning) => {
		const settings = { 'mcpElicitation.form.presentation': 'webview', 'mcpElicitation.form.reveal': reveal };
		const window = await reuseEditor({ machineSettings, settings });
		await ask(window, trip);
		if (reveal === 'notify') {
			const notice = await window.notification('sdk1 asks: Where are you going?');
			expect(await window.page.getByRole('tab', { name: 'sdk1', exact: true }).count()).toBe(0);
			await notice.press('Respond');
			await notice.gone();
		}
		const form = await formOfServer(window, 'sdk1');
		const focused = () => form.evaluate(() => document.hasFocus());
		if (reveal === 'background') {
			expect(await focused()).toBe(false);
		} else {
			await until('the form to have the focus', focused);
		}
		await form.getByLabel('From', { exact: true }).fill('Bodø');
		await answerIn(form, 'Accept');
		expect(await structured(window)).toEqual({ action: 'accept', content: { from: 'Bodø' } });
	});
});
