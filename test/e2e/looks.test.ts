import { expect } from 'vitest';
import { itByNight } from '../nightly.ts';
import { answerIn, ask, callTool, demo, formOf, formOfServer, program, reuseEditor, servers } from './driver/index.ts';

const LONG = 'Before this goes on, please say in which region it is to run and who pays for it. '.repeat(4).trim();
const chinese = formOf(
	{
		姓名: { type: 'string', title: '姓名', description: '请输入您的全名，与护照上的一致。', minLength: 2 },
		城市: { type: 'string', title: '所在城市', enum: ['北京', '上海', '广州'], default: '上海' },
		订阅: { type: 'boolean', title: '订阅新闻通讯' },
	},
	['姓名'],
	'请填写以下信息，以便我们为您完成预订。',
);

/** No scrolling sideways: everything that the form says fits its width. */
const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;

itByNight('the form fits its panel in high contrast, with long messages and with Chinese ones', async () => {
	const editor = await reuseEditor({
		machineSettings: servers({ demo: demo('2026-07-28'), sdk1: program('sdk1') }),
		settings: {
			'workbench.colorTheme': 'Default High Contrast',
			'mcpElicitation.form.presentation': 'webview',
		},
	});
	await callTool(editor, { server: 'demo', tool: 'All fields' });
	const all = await formOfServer(editor, 'demo');
	await answerIn(all, 'Accept');
	await all.getByRole('alert').first().waitFor();
	expect(await all.evaluate(fits)).toBe(true);
	await editor.screenshot('form high contrast');
	await editor.closeTabs();

	for (const [name, params, says] of [
		['form Chinese', chinese, '请填写以下信息'],
		['form long message', formOf({ region: { type: 'string', title: 'Region' } }, [], LONG), LONG],
	] as const) {
		await ask(editor, params, 'sdk1');
		const form = await formOfServer(editor, 'sdk1', says);
		expect(await form.evaluate(fits)).toBe(true);
		await editor.screenshot(name);
		await editor.closeTabs();
	}
});

itByNight('pickers show long and Chinese messages whole (F04)', async () => {
	const editor = await reuseEditor({
		machineSettings: servers({ sdk1: program('sdk1') }),
		settings: { 'workbench.colorTheme': 'Default Dark Modern', 'mcpElicitation.form.presentation': 'quickPick' },
	});
	const { quickInput } = editor;
	await ask(editor, formOf({ sure: { type: 'boolean', title: 'Sure' } }, ['sure'], LONG));
	await quickInput.shows('Sure * (1/2)');
	expect((await quickInput.entries()).join('').replace(/\s+/g, ' ')).toContain(LONG);
	await editor.screenshot('picker long message');
	await quickInput.escape();
	await editor.frameOf('button', 'Open Raw JSON');
	await editor.closeTabs();

	const days = { type: 'array', title: 'Days', items: { enum: ['Mon', 'Tue'] } };
	await ask(editor, formOf({ days }, [], LONG));
	await quickInput.shows('Days (1/2)');
	await quickInput.fill('M');
	expect(await quickInput.prompt()).toContain(LONG);
	await editor.screenshot('picker long message of several');
	await quickInput.escape();
	await editor.frameOf('button', 'Open Raw JSON');
	await editor.closeTabs();

	await ask(editor, chinese);
	await quickInput.shows('姓名');
	expect(await quickInput.prompt()).toContain('请填写以下信息，以便我们为您完成预订。');
	await quickInput.enter('李雷');
	await quickInput.shows('所在城市');
	expect(await quickInput.entries()).toContain('北京');
	await editor.screenshot('picker Chinese');
});
