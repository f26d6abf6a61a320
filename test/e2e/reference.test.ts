import { pathToFileURL } from 'node:url';
import type { Frame } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	callTool,
	consentTo,
	type Editor,
	everything,
	formOfServer,
	openEditor,
	overHttp,
	resultOf,
	reuseEditor,
	servers,
	until,
} from './driver/index.ts';

const TOOLS = [
	'Echo Tool',
	'Get Annotated Message Tool',
	'Print Environment Tool',
	'Get Resource Links Tool',
	'Get Resource Reference Tool',
	'Get Roots List Tool',
	'Get Structured Content Tool',
	'Get Sum Tool',
	'Get Tiny Image Tool',
	'GZip File as Resource Tool',
	'Simulate Research Query',
	'Toggle Simulated Logging',
	'Toggle Subscriber Updates',
	'Trigger Async Elicitation Request Tool',
	'Trigger Async Sampling Request Tool',
	'Trigger Elicitation Request Tool',
	'Trigger Long Running Operation Tool',
	'Trigger Sampling Request Tool',
	'Trigger URL Elicitation Tool',
];
const TOOL = 'Trigger URL Elicitation Tool';
const MESSAGE = 'Please open the link to complete this action.';

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor({
		machineSettings: servers({
			'reference server': { ...everything, sampling: 'ask' },
			'over the wire': await overHttp('everything'),
		}),
		settings: { 'mcpElicitation.form.presentation': 'webview' },
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

describe('the reference server', () => {
	const server = 'reference server';

	itByNight('offers all of its tools', async () => {
		await editor.choose('MCP Elicitation: Start Server', server, 'Choose a server');
		await editor.showViews();
		await editor.treeItem(/2025-11-25 · 19 tools/);
		await editor.command('MCP Elicitation: Call…');
		await editor.quickInput.shows('Choose what to call');
		for (const tool of TOOLS) {
			await editor.quickInput.fill(tool);
			await editor.quickInput.entryNamed(tool).waitFor();
		}
		await editor.quickInput.escape();
	});

	itByNight('gets the folders of the workspace', async () => {
		await callTool(editor, { server, tool: 'Get Roots List Tool' });
		await resultOf(editor, `URI: ${pathToFileURL(editor.workspace).href}`);
	});

	itByNight('says so when a draft is wanted of an editor without a language model', async () => {
		await callTool(editor, { server, tool: 'Trigger Sampling Request Tool', args: { prompt: 'Anybody?' } });
		const form = await formOfServer(editor, server, 'Anybody?');
		await form.getByRole('button', { name: 'Draft with Language Model…' }).click();
		await (await editor.notification(/This editor has no language model/)).dismiss();
		await answerIn(form, 'Decline');
	});

	const respond = async (form: Frame) => {
		await form.getByText('Sampling request').waitFor();
		await form.getByRole('textbox', { name: 'Response', exact: true }).fill('Nobody.\nReally.');
	};

	itByNight.each([
		{
			tool: 'Trigger Elicitation Request Tool',
			saying: 'Please provide inputs',
			respond: (form: Frame) => form.getByLabel('String', { exact: true }).fill('Ada'),
			result: ['- Name: Ada'],
		},
		{
			tool: 'Trigger Async Elicitation Request Tool',
			saying: 'async task demo',
			respond: (form: Frame) => form.getByLabel('Your Name').fill('Ada'),
			result: ['- Name: Ada'],
		},
		{
			tool: 'Simulate Research Query',
			args: { topic: 'python' },
			choices: { ambiguous: 'Yes' },
			saying: 'Please clarify',
			respond: (form: Frame) => form.getByText('Python snake species').click(),
			result: ['python (snake)'],
		},
		{
			tool: 'Trigger Sampling Request Tool',
			args: { prompt: 'Who is there?' },
			saying: 'systemPrompt: You are a helpful test server.',
			respond,
			result: ['LLM sampling result', 'Nobody.\\nReally.'],
		},
		{
			tool: 'Trigger Async Sampling Request Tool',
			args: { prompt: 'Who is there?' },
			saying: 'systemPrompt: You are a helpful test server.',
			respond,
			result: ['[COMPLETED]', 'Nobody.\\nReally.'],
		},
	])('gets the response to what $tool requests (K03, K05, N02)', async ({ tool, args, choices, ...request }) => {
		await callTool(editor, { server, tool, ...(args && { args }), ...(choices && { choices }) });
		const form = await formOfServer(editor, server, request.saying);
		await request.respond(form);
		await editor.screenshot(tool);
		await answerIn(form, 'Accept');
		const shown = await resultOf(editor);
		for (const text of request.result) {
			expect(shown).toContain(text);
		}
	});
});

describe('a sampling request, where the editor has a language model', () => {
	const server = 'reference server';
	let other: Editor;

	beforeAll(async () => {
		other = await reuseEditor({
			machineSettings: servers({ [server]: { ...everything, sampling: 'ask' } }),
			settings: { 'mcpElicitation.form.presentation': 'webview' },
			beside: ['languageModel'],
		});
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

describe.each(['over the wire', 'reference server'])('a page of the %s', (server) => {
	itByNight('is opened after consent, and the call goes on (U02, U08)', async () => {
		const url = 'https://docs.example.com/start?next=%2Fhome';
		await callTool(editor, { server, tool: TOOL, args: { url } });
		await open(MESSAGE, url);
		await resultOf(editor, '"action": "accept"');
	});

	itByNight(
		'that the call requires (-32042) is never reported as finished: the user retries by hand (U10–U12)',
		async () => {
			const url = 'https://docs.example.com/required';
			await callTool(editor, { server, tool: TOOL, args: { url }, choices: { errorPath: 'Yes' } });
			await open('satisfy the prerequisite', 'https://modelcontextprotocol.io/');
			await editor.pending().click();
			await editor.quickInput.shows('Choose an elicitation');
			await editor.quickInput.pressOnEntry(/satisfy the prerequisite/, 'Retry Now');
			await editor.quickInput.escape();
			await open(MESSAGE, url);
			await resultOf(editor, '"action": "accept"');
		},
	);
});
