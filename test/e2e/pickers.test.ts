import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itByNight, variants } from '../nightly.ts';
import type { RawStdioServer } from '../rawServer/stdio.ts';
import {
	answerIn,
	ask,
	callTool,
	type Editor,
	formOf,
	formOfServer,
	openRawServer,
	program,
	reuseEditor,
	servers,
	structured,
} from './driver/index.ts';

const machineSettings = servers({ sdk1: program('sdk1') });
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
const twoFields = formOf({ name: { type: 'string' }, terms: { type: 'boolean' } }, ['name'], 'Two fields');
const confirmation = formOf({}, [], 'Go on?');

let editor: Editor;

beforeEach(() => editor.closeTabs());

describe('pickers, chosen in the settings', () => {
	beforeAll(async () => {
		editor = await reuseEditor({ machineSettings, settings: { 'mcpElicitation.form.presentation': 'quickPick' } });
	});

	it('ask one field after another with Back and Skip, and show the exact answer before it is sent (F02–F05, F13)', async () => {
		await ask(editor, person);
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
		expect(await quickInput.entries()).toEqual(['Who are you?', 'red', 'green', 'Skip (leave out)']);
		await quickInput.press('Back');
		await quickInput.shows('(1/5)');
		expect(await quickInput.input.inputValue()).toBe('Ada');
		await quickInput.enter('Grace');
		await quickInput.shows('(2/5)');
		await quickInput.pick('Skip (leave out)');

		await quickInput.shows('sdk1 · ask · Terms * (3/5)');
		expect(await quickInput.entries()).toEqual(['Who are you?', 'Yes', 'No']);
		await editor.screenshot('picker');
		await quickInput.pick('Yes');

		await quickInput.shows('sdk1 · ask · Days (4/5)');
		await quickInput.pick('Tue');
		await quickInput.accept();

		await quickInput.shows('sdk1 · ask · Review');
		const sent = { name: 'Grace', terms: true, days: ['Tue'] };
		await quickInput.entry(/Accept/).waitFor();
		expect(await quickInput.entry(/Accept/).innerText()).toContain(JSON.stringify(sent));
		await editor.screenshot('picker review');
		await quickInput.pick(/Accept/);
		expect(await structured(editor)).toEqual({ action: 'accept', content: sent });
	});

	itByNight('can be left by Decline and by Cancel in the review (F02)', async () => {
		for (const [entry, action] of [
			[/Decline/, 'decline'],
			[/Cancel/, 'cancel'],
		] as const) {
			await ask(editor, confirmation);
			await editor.quickInput.shows('Review');
			await editor.quickInput.pick(entry);
			expect(await structured(editor)).toEqual({ action });
			await editor.closeTabs();
		}
	});

	itByNight('can be declined at every step, and lead from the review to one field and back (F02)', async () => {
		await ask(editor, twoFields);
		const { quickInput } = editor;
		await quickInput.shows('name * (1/3)');
		await quickInput.enter('Ada');
		await quickInput.shows('terms (2/3)');
		await quickInput.pick('Yes');
		await quickInput.shows('Review');
		await quickInput.pick(/name \*/);
		await quickInput.shows('name * (1/3)');
		await quickInput.enter('Grace');
		await quickInput.shows('Review');
		await quickInput.pick('terms');
		await quickInput.shows('terms (2/3)');
		await quickInput.press('Decline');
		expect(await structured(editor)).toEqual({ action: 'decline' });
	});

	it('mask a secret in the box and, until it is wanted, in the review', async () => {
		await ask(editor, formOf({ api_key: { type: 'string' } }, ['api_key'], 'Which key?'));
		const { quickInput } = editor;
		await quickInput.shows('api_key * (1/2)');
		expect(await quickInput.input.getAttribute('type')).toBe('password');
		await quickInput.enter('planted');
		await quickInput.shows('Review');
		await quickInput.entry(/Accept/).waitFor();
		expect(await quickInput.element.innerText()).not.toContain('planted');
		await editor.screenshot('picker review masked');
		await quickInput.press('Show Secrets');
		await quickInput.entry(/planted/).waitFor();
		await quickInput.pick(/Accept/);
		expect(await structured(editor)).toEqual({ action: 'accept', content: { api_key: 'planted' } });
	});

	it('ask once before Escape throws away what was entered, then cancel (F14)', async () => {
		await ask(editor, person);
		const { quickInput } = editor;
		await quickInput.shows('(1/5)');
		await quickInput.enter('Ada');
		await quickInput.shows('(2/5)');
		await quickInput.escape();
		await quickInput.entry('Keep Editing').waitFor();
		await quickInput.pick(/Keep Editing/);
		await quickInput.shows('(2/5)');
		await quickInput.escape();
		await quickInput.pick(/Discard/);
		expect(await structured(editor)).toEqual({ action: 'cancel' });
	});

	itByNight('ask before Escape throws away what was only typed (F14)', async () => {
		await ask(editor, person);
		const { quickInput } = editor;
		await quickInput.shows('(1/5)');
		await quickInput.fill('Ada');
		await quickInput.escape();
		await quickInput.entry('Keep Editing').waitFor();
		await quickInput.pick(/Keep Editing/);
		await quickInput.shows('(1/5)');
		expect(await quickInput.input.inputValue()).toBe('Ada');
		await quickInput.escape();
		await quickInput.pick(/Discard/);
		expect(await structured(editor)).toEqual({ action: 'cancel' });
	});

	itByNight('cancel at once on Escape when nothing was entered (F14)', async () => {
		await ask(editor, person);
		await editor.quickInput.shows('(1/5)');
		await editor.quickInput.escape();
		expect(await structured(editor)).toEqual({ action: 'cancel' });
	});

	itByNight('hand what was entered over to the form (F03)', async () => {
		await ask(editor, person);
		await editor.quickInput.shows('(1/5)');
		await editor.quickInput.fill('Ada');
		await editor.quickInput.press('Open as Form');
		const form = await formOfServer(editor, 'sdk1');
		expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada');
		await form.getByRole('group', { name: 'Terms' }).getByLabel('No', { exact: true }).check();
		await answerIn(form, 'Accept');
		expect(await structured(editor)).toEqual({ action: 'accept', content: { name: 'Ada', terms: false } });
	});

	it('wait for one another when two elicitations come at once', async () => {
		await ask(editor, [confirmation, { ...twoFields }]);
		await editor.quickInput.shows('Review');
		expect(await editor.quickInput.entries()).toContain('Go on?');
		await editor.quickInput.pick(/Accept/);
		await editor.quickInput.shows('name * (1/3)');
		await editor.quickInput.enter('Ada');
		await editor.quickInput.shows('terms (2/3)');
		await editor.quickInput.pick('No');
		await editor.quickInput.shows('Review');
		await editor.quickInput.pick(/Accept/);
		expect(await structured(editor)).toEqual({
			answers: [
				{ action: 'accept', content: {} },
				{ action: 'accept', content: { name: 'Ada', terms: false } },
			],
		});
	});
});

describe('pickers of an elicitation that its server withdraws', () => {
	let raw: RawStdioServer;

	beforeAll(async () => {
		raw = await openRawServer('stdio');
		editor = await reuseEditor({
			machineSettings: servers({ raw: raw.definition }),
			settings: { 'mcpElicitation.form.presentation': 'quickPick' },
		});
	});

	itByNight('while they check its answer do not keep the next one from being asked (A02)', async () => {
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
	});
});

describe('without a choice in the settings', () => {
	beforeAll(async () => {
		editor = await reuseEditor({ machineSettings });
	});

	it.each(variants(['a confirmation', confirmation, 'Review'], ['two simple fields', twoFields, 'name * (1/3)']))(
		'%s is asked in pickers',
		async (_what, params, title) => {
			await ask(editor, params);
			await editor.quickInput.shows(title);
			await editor.quickInput.escape();
			expect(await structured(editor)).toEqual({ action: 'cancel' });
		},
	);

	itByNight.each([
		['more than three fields are', person],
		['a message of several lines is', formOf({ name: { type: 'string' } }, [], 'One\nTwo')],
		['a password is', formOf({ door: { type: 'string', format: 'password' } }, [], 'Open?')],
		['what is named like a secret is', formOf({ api_key: { type: 'string' } }, [], 'Which key?')],
		['a long message is', formOf({ name: { type: 'string' } }, [], 'Long. '.repeat(50).trim())],
	])('%s asked in a form', async (_what, params) => {
		await ask(editor, params);
		await answerIn(await formOfServer(editor, 'sdk1'), 'Cancel');
		expect(await structured(editor)).toEqual({ action: 'cancel' });
	});

	itByNight('a long message is never shown in pickers, not even from its form', async () => {
		for (const [message, count] of [
			['Long. '.repeat(50).trim(), 0],
			['Short', 1],
		] as const) {
			await ask(editor, formOf({ api_key: { type: 'string' } }, [], message));
			const form = await formOfServer(editor, 'sdk1', message);
			expect(await form.getByRole('button', { name: 'Use Pickers' }).count()).toBe(count);
			await answerIn(form, 'Cancel');
			await structured(editor);
			await editor.closeTabs();
		}
	});
});
