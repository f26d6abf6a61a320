import type { Frame } from 'playwright-core';
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

const server = 'reference server';
const kind = {
	machineSettings: servers({ [server]: { ...everything, sampling: 'ask' } }),
	settings: { 'mcpElicitation.form.presentation': 'webview' },
};

itByNight('a draft that is wanted of an editor without a language model is not possible, which it says', async () => {
	const editor = await reuseEditor(kind);
	await callTool(editor, { tool: 'Trigger Sampling Request Tool', args: { prompt: 'Anybody?' } });
	const form = await formOfServer(editor, server, 'Anybody?');
	await form.getByRole('button', { name: 'Draft with Language Model…' }).click();
	await (await editor.notification(/This editor has no language model/)).dismiss();
	await answerIn(form, 'Decline');
});

describe('a sampling request, where the editor has a language model', () => {
	let other: Editor;

	beforeAll(async () => {
		other = await reuseEditor({ ...kind, beside: ['languageModel'] });
	});

	beforeEach(() => other.closeTabs());

	/** The form of a sampling request, in which the user wants a draft. */
	async function drafting(prompt: string, written: string): Promise<Frame> {
		await callTool(other, { tool: 'Trigger Sampling Request Tool', args: { prompt } });
		const form = await formOfServer(other, server, prompt);
		await form.getByRole('textbox', { name: 'Response', exact: true }).fill(written);
		await form.getByRole('button', { name: 'Draft with Language Model…' }).click();
		await other.quickInput.shows('The model that you choose gets the whole request');
		await other.quickInput.pick('Echo');
		return form;
	}

	itByNight(
		'is drafted by the model that the user chooses, below what they have written, and sent when they accept (N02)',
		async () => {
			const form = await drafting('Who is there?', 'Listen:');
			const model = form.getByRole('textbox', { name: 'Model', exact: true });
			await until('the draft', async () => (await model.inputValue()) === 'echo-1');
			const response = form.getByRole('textbox', { name: 'Response', exact: true });
			expect(await response.inputValue()).toContain('Listen:\n\nuser: You are a helpful test server.\nuser: ');
			await other.screenshot('a drafted response');
			await answerIn(form, 'Accept');
			const result = await resultOf(other);
			expect(result).toContain('Who is there?');
			expect(result).toContain('echo-1');
		},
	);

	itByNight('stays as it is when the model fails, which is told; a decline is an error for the server', async () => {
		const form = await drafting('Please fail.', '');
		await (await other.notification(/Echo did not draft the response\..*out of order/)).dismiss();
		expect(await form.getByRole('textbox', { name: 'Response', exact: true }).inputValue()).toBe('');
		await answerIn(form, 'Decline');
		await resultOf(other, 'User rejected sampling request');
	});
});
