import { pathToFileURL } from 'node:url';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
	answerIn,
	callTool,
	demo,
	type Editor,
	everything,
	formOfServer,
	openEditor,
	resultOf,
	servers,
} from './driver/index.ts';

let editor: Editor;

beforeAll(async () => {
	editor = await openEditor({
		machineSettings: servers({
			'reference server': { ...everything, sampling: 'ask' },
			'sessions demo': demo('2025-11-25'),
			'rounds demo': demo('2026-07-28'),
		}),
		settings: { 'mcpElicitation.form.presentation': 'webview' },
	});
});

beforeEach(() => editor.closeTabs());

it('the reference server offers all of its tools', async () => {
	await editor.command('MCP Elicitation: Start Server');
	await editor.quickInput.shows('Choose a server');
	await editor.quickInput.pick('reference server');
	await editor.showViews();
	await editor.treeItem(/2025-11-25 · 19 tools/);
});

it('a tool gets the folders of the workspace', async () => {
	await callTool(editor, { server: 'reference server', tool: 'Get Roots List Tool' });
	expect(await resultOf(editor)).toContain(`URI: ${pathToFileURL(editor.workspace).href}`);
});

it('a task asks while it runs, and goes on with the response (K03)', async () => {
	const args = { topic: 'python' };
	const choices = { ambiguous: 'Yes' };
	await callTool(editor, { server: 'reference server', tool: 'Simulate Research Query', args, choices });
	const form = await formOfServer(editor, 'reference server', 'Please clarify');
	await form.getByText('Python snake species').click();
	await editor.screenshot('a form of a task');
	await answerIn(form, 'Accept');
	expect(await resultOf(editor)).toContain('python (snake)');
});

it.each([
	['Trigger Sampling Request Tool', 'LLM sampling result'],
	['Trigger Async Sampling Request Tool', '[COMPLETED]'],
])('%s gets the response that the user writes in the place of a model', async (tool, result) => {
	await callTool(editor, { server: 'reference server', tool, args: { prompt: 'Who is there?' } });
	const form = await formOfServer(editor, 'reference server', 'Who is there?');
	await form.getByText('Sampling request').waitFor();
	await form.getByText('systemPrompt: You are a helpful test server.').waitFor();
	await form.getByRole('textbox', { name: 'Response', exact: true }).fill('Nobody.\nReally.');
	await editor.screenshot(`sampling ${result}`);
	await answerIn(form, 'Accept');
	const shown = await resultOf(editor);
	expect(shown).toContain(result);
	expect(shown).toContain('Nobody.\\nReally.');
});

it('a sampling request that the user declines is an error for the server', async () => {
	const tool = 'Trigger Sampling Request Tool';
	await callTool(editor, { server: 'reference server', tool, args: { prompt: 'Anybody?' } });
	await answerIn(await formOfServer(editor, 'reference server', 'Anybody?'), 'Decline');
	expect(await resultOf(editor)).toContain('User rejected sampling request');
});

it('an elicitation that is sent as a task is shown and fetched (K05)', async () => {
	await callTool(editor, { server: 'reference server', tool: 'Trigger Async Elicitation Request Tool' });
	const form = await formOfServer(editor, 'reference server', 'async task demo');
	await form.getByLabel('Your Name').fill('Ada');
	await answerIn(form, 'Accept');
	expect(await resultOf(editor)).toContain('- Name: Ada');
});

describe.each(['sessions demo', 'rounds demo'])('a tool of the %s that runs as a task', (server) => {
	it('asks twice (K01, K10)', async () => {
		await callTool(editor, { server, tool: 'Slow order' });
		await answerIn(await formOfServer(editor, server, 'Step 1 of 2'), 'Accept');
		await answerIn(await formOfServer(editor, server, 'Step 2 of 2'), 'Accept');
		expect(await resultOf(editor)).toContain('Ordered in the background.');
	});
});
