import type { Frame } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import { type Editor, formOf, program, reuseEditor, servers, textIn, until } from './driver/index.ts';

const person = formOf(
	{
		name: { type: 'string', title: 'Name', minLength: 2, maxLength: 40 },
		age: { type: 'integer', title: 'Age', minimum: 0 },
		color: { type: 'string', title: 'Color', enum: ['red', 'green'] },
		days: { type: 'array', title: 'Days', items: { type: 'string', enum: ['Mon', 'Tue'] }, minItems: 1 },
	},
	['name'],
	'Who are you?',
);
const BOOKING = '请填写以下信息，以便我们为您完成预订。';
const two = formOf({ name: { type: 'string', minLength: 2 }, terms: { type: 'boolean' } }, ['name'], BOOKING);

/** Everything of ours that a user reads, and hears, must be free of English: no two Latin words in a row. */
const ENGLISH = /[A-Za-z]{2,} [a-z]{2,}/;

let editor: Editor;

/** Calls a tool of the test server, in Chinese. */
async function call(tool: string, args: Readonly<Record<string, string>>): Promise<Frame> {
	await editor.command('MCP Elicitation: 调用…');
	await editor.quickInput.shows('选择要在 sdk1 上调用的内容');
	await editor.quickInput.fill(tool);
	await editor.quickInput.pick(tool);
	const form = await editor.frameOf('button', '调用');
	for (const [label, text] of Object.entries(args)) {
		await form.getByLabel(label, { exact: true }).fill(text);
	}
	return form;
}

async function ask(params: object): Promise<void> {
	const form = await call('ask', { params: JSON.stringify(params) });
	await form.getByRole('button', { name: '调用', exact: true }).click();
}

/** What the server has received. */
async function received(): Promise<unknown> {
	// The result of the test before may be on its way out.
	const text = await until('the result', async () => {
		const result = await editor.frameOf('button', '以 JSON 打开');
		const title = await result
			.locator('h1')
			.innerText()
			.catch(() => '');
		return title === 'sdk1 上的 ask' && textIn(result).catch(() => undefined);
	});
	return JSON.parse(text);
}

describe('a window in Chinese', () => {
	beforeAll(async () => {
		editor = await reuseEditor({ machineSettings: servers({ sdk1: program('sdk1') }), language: 'zh-cn' });
	});

	// The result of the test before would be taken for the next one.
	beforeEach(() => editor.closeTabs());

	itByNight('has Chinese views', async () => {
		await editor.page.getByRole('tab', { name: 'MCP Elicitation' }).click();
		for (const view of ['服务器', '待处理', '时间线']) {
			await editor.page.locator('.pane-header').filter({ hasText: view }).waitFor();
		}
		await editor.treeItem(/sdk1\s*已停止/);
		await editor.page.getByText('没有服务器在请求输入。').waitFor();
		await editor.screenshot('zh views');
	});

	itByNight('asks in a Chinese form, says in Chinese what is wrong, and names the controls in Chinese', async () => {
		await ask(person);
		const form = await editor.frameOf('button', '接受');

		expect(await form.locator('html').getAttribute('lang')).toBe('zh-cn');
		expect(await form.getByRole('button').allInnerTexts()).toEqual(
			expect.arrayContaining(['接受', '拒绝', '取消', '使用快速选取']),
		);
		await form.getByRole('button', { name: '接受', exact: true }).click();
		const name = form.getByLabel('Name', { exact: true });
		await form.locator('.problem').first().waitFor();
		const [error] = (await name.getAttribute('aria-describedby'))?.split(' ') ?? [];
		expect(await form.locator(`#${error}`).innerText()).toBe('此项必填。');
		const text = await form.locator('body').innerText();
		expect(text).toContain('由工具 ask 发起');
		expect(text).toContain('2 到 40 个字符。');
		expect(text).toContain('不小于 0。整数。');
		expect(text).toContain('仅发送给 sdk1');
		expect(text.replace('Who are you?', '')).not.toMatch(ENGLISH);
		expect(await form.locator('body').ariaSnapshot()).not.toMatch(/"(Accept|Decline|Cancel|Show|Search|Clear)/);
		await editor.screenshot('zh form');

		await form.getByRole('button', { name: '拒绝', exact: true }).click();
		expect(await received()).toEqual({ action: 'decline' });
		await editor.screenshot('zh result');
	});

	itByNight('asks in Chinese pickers', async () => {
		await ask(two);
		const { quickInput } = editor;
		await quickInput.shows('sdk1 · ask · name * (1/3)');
		expect(await quickInput.prompt()).toContain(BOOKING);
		expect(await quickInput.prompt()).toContain('至少 2 个字符');
		await quickInput.fill('A');
		await quickInput.shows('至少 2 个字符；当前为 1 个。');
		await quickInput.enter('Ada');
		await quickInput.shows('sdk1 · ask · terms (2/3)');
		await quickInput.entryNamed('留空').waitFor();
		expect(await quickInput.prompt()).toContain(BOOKING);
		expect(await quickInput.entries()).toEqual(['是', '否', '留空']);
		await editor.screenshot('zh picker');
		await quickInput.pick('是');
		await quickInput.shows('sdk1 · ask · 核对');
		// The title is there before the entries are.
		for (const entry of ['接受', '拒绝', '取消', '以表单打开']) {
			await quickInput.entryNamed(entry).waitFor();
		}
		await editor.screenshot('zh review');
		await quickInput.pick(/接受/);
		expect(await received()).toEqual({ action: 'accept', content: { name: 'Ada', terms: true } });
	});

	itByNight('asks for consent to a page in Chinese', async () => {
		const url = 'https://login.example.com/start';
		const form = await call('url', { url, message: 'Sign in', elicitationId: 'id-1' });
		await form.getByRole('group', { name: 'complete', exact: true }).getByLabel('after', { exact: true }).check();
		await form.getByRole('button', { name: '调用', exact: true }).click();
		const panel = await editor.frameOf('button', '打开 URL');
		await editor.statusBar('1');
		expect(await editor.tooltip(editor.pending())).toContain('MCP 征询：1 项待处理');
		await editor.treeItem(/Sign in\s*url · /);
		await editor.screenshot('zh consent');
		expect(await panel.getByRole('button').allInnerTexts()).toEqual(['打开 URL', '复制 URL', '拒绝', '取消']);
		const text = await panel.locator('body').innerText();
		expect(text).toContain('如果你同意，将原样打开此 URL');
		expect(text.replace('Sign in', '')).not.toMatch(ENGLISH);
		await editor.screenshot('zh url panel');
		await panel.getByRole('button', { name: '拒绝' }).click();
		await until('the status bar to be empty', async () => !(await editor.pending().isVisible()));
	});

	itByNight('asks in Chinese before it starts what a workspace brings along', async () => {
		const other = await reuseEditor({ settings: servers({ own: program('sdk1') }), language: 'zh-cn' });
		await other.command('MCP Elicitation: 启动服务器');
		const consent = await other.startConsent();
		expect(await consent.message()).toBe('是否启动 MCP 服务器“own”？');
		expect(await consent.detail()).toContain(`命令: ${process.execPath}\n`);
		expect(await consent.buttons()).toEqual(['启动服务器', '取消']);
		await other.screenshot('zh start consent');
		await consent.press('取消');
	});
});
