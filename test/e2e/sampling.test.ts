import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	callTool,
	type Editor,
	everything,
	formOfServer,
	resultOf,
	reuseEditor,
	servers,
	until,
} from './driver/index.ts';

const SERVER = 'reference server';
const TOOL = 'Trigger Sampling Request Tool';

function open(beside: 'languageModel'[] = []): Promise<Editor> {
	return reuseEditor({
		machineSettings: servers({ [SERVER]: { ...everything, sampling: 'ask' } }),
		settings: { 'mcpElicitation.form.presentation': 'webview' },
		beside,
	});
}

async function sampleIn(editor: Editor, prompt: string) {
	await callTool(editor, { tool: TOOL, args: { prompt } });
	return formOfServer(editor, SERVER, prompt);
}

describe('a sampling request, where the editor has a language model', () => {
	let editor: Editor;

	beforeAll(async () => {
		editor = await open(['languageModel']);
	});

	beforeEach(() => editor.closeTabs());

	itByNight(
		'is drafted by the model that the user chooses, below what they have written, and sent when they accept (N02)',
		async () => {
			const form = await sampleIn(editor, 'Who is there?');
			const response = form.getByRole('textbox', { name: 'Response', exact: true });
			await response.fill('Listen:');
			await form.getByRole('button', { name: 'Draft with Language Model…' }).click();
			await editor.quickInput.shows('The model that you choose gets the whole request');
			await editor.quickInput.pick('Echo');
			const model = form.getByRole('textbox', { name: 'Model', exact: true });
			await until('the draft', async () => (await model.inputValue()) === 'echo-1');
			expect(await response.inputValue()).toContain('Listen:\n\nuser: You are a helpful test server.\nuser: ');
			await editor.screenshot('a drafted response');
			await answerIn(form, 'Accept');
			const result = await resultOf(editor);
			expect(result).toContain('Who is there?');
			expect(result).toContain('echo-1');
		},
	);

	itByNight('stays as it is when the model fails, which is told', async () => {
		const form = await sampleIn(editor, 'Please fail.');
		await form.getByRole('button', { name: 'Draft with Language Model…' }).click();
		await editor.quickInput.shows('The model that you choose gets the whole request');
		await editor.quickInput.pick('Echo');
		await (await editor.notification(/Echo did not draft the response\..*out of order/)).dismiss();
		expect(await form.getByRole('textbox', { name: 'Response', exact: true }).inputValue()).toBe('');
		await answerIn(form, 'Decline');
		await resultOf(editor, 'User rejected sampling request');
	});
});

describe('a sampling request, where the editor has no language model', () => {
	let editor: Editor;

	beforeAll(async () => {
		editor = await open();
	});

	beforeEach(() => editor.closeTabs());

	itByNight('is an error for the server when the user declines', async () => {
		await answerIn(await sampleIn(editor, 'Anybody?'), 'Decline');
		await resultOf(editor, 'User rejected sampling request');
	});

	itByNight('says so when a draft is wanted', async () => {
		const form = await sampleIn(editor, 'Anybody?');
		await form.getByRole('button', { name: 'Draft with Language Model…' }).click();
		await editor.notification(/This editor has no language model/);
		await answerIn(form, 'Decline');
	});
});
