import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itByNight } from '../nightly.ts';
import { MODERN, type RawServer, type Wire } from '../rawServer/rawServer.ts';
import { RawStdioServer } from '../rawServer/stdio.ts';
import {
	actOnLine,
	answerIn,
	callTool,
	consentTo,
	type Editor,
	formOf,
	formOfServer,
	openEditor,
	servers,
	structured,
	until,
} from './driver/index.ts';

const PLANTED = {
	environment: 'planted-environment-1',
	masked: 'planted-masked-2',
	state: 'planted-request-state-3',
	token: 'planted-token-4',
	header: 'planted-header-5',
	url: 'planted-url-6',
};

const PAGE = {
	mode: 'url',
	elicitationId: 'drive',
	message: 'Connect drive',
	url: `https://accounts.example.com/drive?access_token=${PLANTED.url}`,
};

const ELICITATION = formOf(
	{
		name: { type: 'string', title: 'Your name', minLength: 2 },
		door: { type: 'string', title: 'Door code', format: 'password' },
	},
	['name'],
	'Who deploys?',
);

let raw: RawServer;
let rounds: RawServer;
let editor: Editor;

beforeAll(async () => {
	raw = await RawStdioServer.open({ tools: ['deploy'] });
	rounds = await RawStdioServer.open({ tools: ['order'], revision: MODERN });
	editor = await openEditor({
		machineSettings: servers({
			raw: { ...raw.definition, env: { SERVICE_TOKEN: PLANTED.environment } },
			rounds: rounds.definition,
		}),
		settings: {
			'mcpElicitation.form.presentation': 'webview',
			'workbench.colorTheme': 'Default Dark Modern',
		},
	});
	await deploy();
	// The result of the next call is not to be taken for this one's.
	await editor.closeTabs();
	await order();
	await editor.closeTabs();
});

afterAll(() => Promise.all([raw?.close(), rounds?.close()]));

/** A call in which the server asks, requires a page, and is called again. */
async function deploy(): Promise<void> {
	await callTool(editor, { server: 'raw', tool: 'deploy' });
	const first = await raw.expect('tools/call');
	const pending = raw.ask(ELICITATION, first);
	const form = await formOfServer(editor, 'raw', 'Who deploys?');
	await form.getByLabel('Your name', { exact: true }).fill('Ada');
	await form.getByLabel('Door code', { exact: true }).fill(PLANTED.masked);
	await answerIn(form, 'Accept');
	await pending.response;
	raw.fail(first, { code: -32042, message: 'Pages first', data: { elicitations: [PAGE] } });
	await consentTo(editor, 'Connect drive', 'Open URL');
	await (await editor.externalPage(/^https:\/\/accounts\.example\.com\/drive/)).close();
	await editor.page.bringToFront();
	raw.notify('notifications/elicitation/complete', { elicitationId: 'drive' });
	const second = await raw.expect('tools/call');
	raw.finish(second, {
		deployed: true,
		saw: `env ${PLANTED.environment}, door ${PLANTED.masked}`,
		token: PLANTED.token,
		request: `GET /\r\nAuthorization: Bearer ${PLANTED.header}\r\n`,
	});
	expect(await structured(editor)).toMatchObject({ deployed: true });
}

/** A call of three rounds. */
async function order(): Promise<void> {
	await callTool(editor, { server: 'rounds', tool: 'order' });
	for (const [state, message] of [
		[PLANTED.state, 'Size?'],
		[`${PLANTED.state}-again`, 'Color?'],
	] as const) {
		rounds.answer(await rounds.expect('tools/call'), {
			resultType: 'input_required',
			requestState: state,
			inputRequests: { it: { method: 'elicitation/create', params: formOf({ it: { type: 'string' } }, [], message) } },
		});
		const form = await formOfServer(editor, 'rounds', message);
		await form.getByLabel('it', { exact: true }).fill('large');
		await answerIn(form, 'Accept');
	}
	rounds.finish(await rounds.expect('tools/call'), { ordered: true });
	expect(await structured(editor)).toMatchObject({ ordered: true });
}

async function open(): Promise<Frame> {
	await editor.command('MCP Elicitation: Show Timeline');
	return editor.frameOf('tree', 'Calls and messages');
}

/** The first line that says this; where none of its kind is unfolded, there is none. */
const lineOf = (timeline: Frame, text: RegExp): Locator =>
	timeline.getByRole('treeitem').filter({ hasText: text }).first();

/** Unfolds everything. */
async function unfolded(): Promise<Frame> {
	const timeline = await open();
	await timeline.getByRole('button', { name: 'Expand All' }).click();
	await lineOf(timeline, /initialize/).waitFor();
	return timeline;
}

const heading = (timeline: Frame, name: string | RegExp) => timeline.getByRole('heading', { name, exact: true });

/** What the lines say, top to bottom, without times. */
async function lines(timeline: Frame): Promise<string[]> {
	const rows = timeline.getByRole('treeitem');
	const said = await rows.evaluateAll((all) =>
		all
			.sort((a, b) => Number(a.dataset['index']) - Number(b.dataset['index']))
			.map(
				(row) =>
					`${row.getAttribute('aria-level')} ${[...row.querySelectorAll('bdi')].map((each) => each.textContent).join(' | ')}`,
			),
	);
	return said.map((line) =>
		line
			.replace(/(\d+ min )?\d+(\.\d)? m?s\b/g, 'N s')
			.replace(/ +/g, ' ')
			.trimEnd(),
	);
}

function clipboard(): Promise<string> {
	return editor.page.evaluate(() => navigator.clipboard.readText());
}

/** Exports the timeline under a name, by the panel's button, and reads the file. */
async function exported(timeline: Frame, name: string): Promise<string> {
	await timeline.getByRole('button', { name: 'Export…' }).click();
	await until('the name of the file', async () =>
		(await editor.quickInput.input.inputValue()).endsWith('mcp-timeline.jsonl'),
	);
	const file = join(editor.workspace, name);
	// An earlier attempt may have left one, about which the editor would ask.
	await rm(file, { force: true });
	await editor.quickInput.fill(file);
	await editor.quickInput.accept();
	// The editor creates the file before it writes it.
	return until(`the file ${name}`, async () => (await readFile(file, 'utf8').catch(() => '')) || undefined);
}

beforeEach(async () => {
	await editor.page.setViewportSize({ width: 1280, height: 800 });
	await editor.closeTabs();
});

describe('the timeline', () => {
	it('has one group per call: each round, its messages paired, each elicitation where it came, the retry, the result', async () => {
		const timeline = await unfolded();
		await editor.screenshot('timeline panel');
		expect((await lines(timeline)).slice(0, 24)).toEqual([
			'1 order | server N s · you N s · rounds',
			'2 Round 1 | 1 request',
			'3 tools/call #2 | order',
			'3 input_required #2 | tools/call',
			'3 Size? | accepted',
			'2 Round 2 | 1 request',
			'3 tools/call #3 | order',
			'3 input_required #3 | tools/call',
			'3 Color? | accepted',
			'2 Round 3 |',
			'3 tools/call #4 | order',
			'3 result #4 | tools/call',
			'1 deploy | server N s · you N s · raw',
			'2 Round 1 | 2 requests',
			'3 tools/call #3 | deploy',
			'3 elicitation/create #elicitation-1 | Who deploys?',
			'3 Who deploys? | accepted',
			'3 result #elicitation-1 | elicitation/create',
			'3 error -32042 #3 | tools/call · Pages first',
			'3 Connect drive | completed',
			'3 notifications/elicitation/complete |',
			'2 Round 2 |',
			'3 tools/call #4 | deploy',
			'3 result #4 | tools/call',
		]);
		await lineOf(timeline, /^succeeded deploy/).click();
		await heading(timeline, 'deploy on raw').waitFor();
		await heading(timeline, 'Result').waitFor();
		expect(await timeline.locator('.clocks').innerText()).toMatch(/server .* · you /);
		await editor.screenshot('timeline call');
	});

	itByNight('is opened at an entry of the view', async () => {
		await editor.command('MCP Elicitation: Focus on Timeline View');
		await (await editor.treeItem(/^order.*rounds/)).click();
		const timeline = await editor.frameOf('tree', 'Calls and messages');
		await timeline.locator('.row.active', { hasText: 'order' }).waitFor();
		await heading(timeline, 'order on rounds').waitFor();
	});
});

describe('what leaves the timeline', () => {
	const planted = /planted/;

	itByNight('has no secrets in the clipboard', async () => {
		const timeline = await unfolded();
		for (const [line, says] of [
			[/^succeeded deploy/, '"tools/call"'],
			[/^Form Warning Who deploys/, '"answer"'],
			[/error -32042/, '"Pages first"'],
			[/result #elicitation-1/, '"name": "Ada"'],
			[/input_required #2/, '"Size?"'],
		] as const) {
			await lineOf(timeline, line).click();
			await timeline.getByRole('button', { name: 'Copy the Selected Line' }).click();
			const text = await until('the copy', async () => {
				const copied = await clipboard();
				return copied.includes(says) && copied;
			});
			expect(text).not.toMatch(planted);
			expect(text).toContain('‹redacted›');
		}
	});

	it('has nothing in it that was entered masked, or repeated of that, where it is opened as JSON', async () => {
		const press = (timeline: Frame, name: string) => timeline.getByRole('button', { name }).click();
		for (const [line, says, openWith] of [
			[/^succeeded deploy/, '"deployed": true', actOnLine],
			[/^Form Warning Who deploys/, '"answer"', actOnLine],
			[/result #elicitation-1/, '"name": "Ada"', press],
		] as const) {
			const timeline = await unfolded();
			await lineOf(timeline, line).click();
			await openWith(timeline, 'Open as JSON');
			const document = editor.page.locator('.editor-instance .view-lines');
			await document.getByText('"').first().waitFor();
			const text = await until('the whole document', async () => {
				await document.click();
				await editor.page.keyboard.press('Control+a');
				await editor.page.keyboard.press('Control+c');
				const copied = await clipboard();
				return copied.includes(says) && copied;
			});
			expect(text).not.toContain(PLANTED.masked);
			expect(text).not.toContain(PLANTED.environment);
			expect(text).toContain('‹redacted›');
			await editor.page.keyboard.type('x');
			await editor.page.getByText('Cannot edit in read-only editor').first().waitFor();
			await editor.closeTabs();
		}
	});

	it('has no secrets as JSON Lines, unless the user insists', async () => {
		const timeline = await open();
		const text = await exported(timeline, 'all.jsonl');
		const messages = text
			.trimEnd()
			.split('\n')
			.map((line): Wire => JSON.parse(line).message);
		expect(messages.map(({ method }) => method)).toEqual(
			expect.arrayContaining(['initialize', 'tools/list', 'tools/call', 'elicitation/create']),
		);
		expect(text).not.toMatch(planted);
		const done = await editor.notification(/messages exported; secrets are left out/);
		expect(await done.buttons()).toEqual(['Open', 'Include Secrets…']);
		await done.press('Include Secrets…');
		const modal = await editor.modal();
		expect(await modal.detail()).toContain('Anyone who reads the file can use them.');
		await modal.press('Include Secrets');
		await (await editor.notification(/messages exported, with secrets/)).dismiss();
		const whole = await readFile(join(editor.workspace, 'all.jsonl'), 'utf8');
		for (const secret of [PLANTED.masked, PLANTED.state, PLANTED.token, PLANTED.header, PLANTED.url]) {
			expect(whole).toContain(secret);
		}
		expect(whole).not.toContain(PLANTED.environment);
	});

	itByNight('is only what is shown, where a filter is on', async () => {
		const timeline = await open();
		await timeline.getByRole('combobox', { name: 'Show' }).selectOption('errors');
		await timeline.getByText(/^1 of/).waitFor();
		const text = await exported(timeline, 'errors.jsonl');
		expect(text.trimEnd().split('\n')).toHaveLength(1);
		expect(text).toContain('-32042');
		await (await editor.notification('1 message exported')).dismiss();
		await timeline.getByRole('combobox', { name: 'Show' }).selectOption('all');
	});

	itByNight('is no secret in the log of the server either', async () => {
		await editor.choose('MCP Elicitation: Show Server Log', 'raw', 'Choose a server');
		const log = editor.page.locator('.output-view .view-lines');
		await log.getByText('Connected').first().waitFor();
		expect(await log.innerText()).not.toMatch(planted);
	});
});
