import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { packageCli } from '../../scripts/packageCli.mjs';
import { itByNight } from '../nightly.ts';
import {
	actOnLine,
	answerIn,
	appears,
	ask,
	type Editor,
	formOf,
	formOfServer,
	openEditor,
	overHttp,
	program,
	servers,
	structured,
	until,
} from './driver/index.ts';

const PLANTED = {
	SERVICE_TOKEN: 'planted-token-1',
	FROM_FILE: 'planted-in-file-2',
	MCP_TEST_DOOR: 'planted-door-3',
	MCP_TEST_TOKEN: 'planted-argument-4',
	MCP_TEST_API_KEY: 'planted-input-5',
	MCP_TEST_X_API_KEY: 'planted-header-6',
};
const ELICITATION = formOf(
	{
		name: { type: 'string', title: 'Your name' },
		door: { type: 'string', title: 'Door code', format: 'password' },
	},
	['name'],
	'Who is "there"? */ \u2028 ${x}',
);

let editor: Editor;

beforeAll(async () => {
	const { SERVICE_TOKEN, MCP_TEST_TOKEN, MCP_TEST_X_API_KEY } = PLANTED;
	const args = ['--token', MCP_TEST_TOKEN, '--key=${input:api-key}', '${env:HOME}', '${workspaceFolder}/data'];
	const environment = { env: { SERVICE_TOKEN, LANG: null }, envFile: '${workspaceFolder}/.env' };
	const web = await overHttp('sdk1');
	editor = await openEditor({
		files: { '.env': `FROM_FILE=${PLANTED.FROM_FILE}` },
		machineSettings: {
			...servers({
				sdk1: { ...program('sdk1', ...args), ...environment },
				web: { ...web, headers: { 'X-Api-Key': MCP_TEST_X_API_KEY } },
			}),
			'mcpElicitation.inputs': [{ type: 'promptString', id: 'api-key', description: 'The key', password: true }],
		},
		settings: {
			'mcpElicitation.form.presentation': 'webview',
			'workbench.colorTheme': 'Default Dark Modern',
		},
	});
	await editor.choose('MCP Elicitation: Start Server', 'sdk1', 'Choose a server');
	// What it is started with lies in the workspace.
	await (await editor.startConsent()).press('Start Server');
	await editor.quickInput.shows('The key');
	await editor.quickInput.enter(PLANTED.MCP_TEST_API_KEY);
	for (const server of ['sdk1', 'web']) {
		await ask(editor, ELICITATION, server);
		const form = await formOfServer(editor, server, 'Who is');
		await form.getByLabel('Your name', { exact: true }).fill('Ada');
		await form.getByLabel('Door code', { exact: true }).fill(PLANTED.MCP_TEST_DOOR);
		await answerIn(form, 'Accept');
		expect(await structured(editor)).toMatchObject({ action: 'accept' });
		await editor.closeTabs();
	}
});

/** Chooses the framework and gives the file that is proposed. */
async function proposedFor(framework: 'vitest' | 'JSON scenario', name: RegExp): Promise<string> {
	await editor.quickInput.shows('Choose a test framework');
	await editor.screenshot(`export test ${framework}`);
	await editor.quickInput.pick(framework);
	return until('the name of the file', async () => {
		const proposed = await editor.quickInput.input.inputValue();
		return proposed.startsWith(editor.workspace) && name.test(basename(proposed)) && proposed;
	});
}

/** Chooses the framework and takes the file that is proposed. */
async function written(framework: 'vitest' | 'JSON scenario', name: RegExp) {
	const file = await proposedFor(framework, name);
	await editor.quickInput.accept();
	await editor.page.getByRole('tab', { name: basename(file) }).waitFor();
	// By its name: the notification of an earlier test may still be there.
	const notice = await editor.notification(basename(file));
	expect(await notice.message()).toContain('The test has been written');
	return { name: basename(file), notice, told: await notice.message(), text: await readFile(file, 'utf8') };
}

/** The program that the tests run. */
let packed: ReturnType<typeof packageCli> | undefined;

/** The scenario holds no secret, and passes; a secret that is missing is named. */
async function proves(scenario: string): Promise<string> {
	const file = join(editor.workspace, scenario);
	const text = await readFile(file, 'utf8');
	expect(text).not.toContain('planted');
	packed ??= mkdtemp(join(tmpdir(), 'mcp-elicitation-cli-')).then((folder) => packageCli(folder));
	const { folder } = await packed;
	const run = (planted: object) =>
		new Promise<string>((resolve) => {
			const env = { ...process.env, ...planted };
			const args = [join(folder, 'cli.mjs'), 'run', file];
			execFile(process.execPath, args, { env }, (_, stdout) => resolve(stdout));
		});
	const { MCP_TEST_DOOR: _, ...rest } = PLANTED;
	expect(await run(PLANTED)).toMatch(/^1 passed, 0 failed/m);
	expect(await run(rest)).toContain('The environment lacks MCP_TEST_DOOR.');
	return text;
}

/** Exports a call from the menu of the view. */
async function exportFromView(call: RegExp): Promise<void> {
	await editor.command('MCP Elicitation: Focus on Timeline View');
	await editor.chooseFromMenu(call, 'Export Call as Test…');
}

itByNight('a call in the timeline becomes a test that passes without the editor, without its secrets', async () => {
	await editor.command('MCP Elicitation: Show Timeline');
	const timeline = await editor.frameOf('tree', 'Calls and messages');
	await timeline
		.getByRole('treeitem')
		.filter({ hasText: /^succeeded ask.*sdk1/ })
		.first()
		.click();
	await actOnLine(timeline, 'Export Call as Test…');
	const { text, name, notice, told } = await written('vitest', /^ask\w*\.test\.mjs$/);
	expect(told).toContain(
		'Set FROM_FILE, HOME, MCP_TEST_API_KEY, MCP_TEST_DOOR, MCP_TEST_TOKEN, SERVICE_TOKEN in the environment',
	);
	expect(told).toContain(`npx vitest run ${name}`);
	await editor.screenshot('exported test');
	await notice.press('Copy Command');
	const copied = () => editor.page.evaluate(() => navigator.clipboard.readText());
	await until('the command to be copied', async () => (await copied()) === `npx vitest run ${name}`);
	const scenario = name.replace('.test.mjs', '.scenario.json');
	expect(text).toMatch(new RegExp(`"npx --yes mcp-elicitation@[\\d.]+ run ${scenario}"`));
	const { server } = JSON.parse(await proves(scenario));
	expect(server.args.slice(-5)).toEqual([
		'--token',
		'‹MCP_TEST_TOKEN›',
		'--key=‹MCP_TEST_API_KEY›',
		'‹HOME›',
		'‹workspaceFolder›/data',
	]);
	expect(server.env).toEqual({ FROM_FILE: '‹FROM_FILE›', SERVICE_TOKEN: '‹SERVICE_TOKEN›', LANG: null });
});

itByNight(
	'a call over HTTP becomes a scenario from the menu of the view, its headers left to the environment',
	async () => {
		await exportFromView(/ask.*web/s);
		const { name, told } = await written('JSON scenario', /^ask\w*\.scenario\.json$/);
		// The first one is still there.
		expect(name).not.toBe('ask.scenario.json');
		expect(told).toMatch(new RegExp(`npx --yes mcp-elicitation@[\\d.]+ run ${name}`));
		expect(JSON.parse(await proves(name)).server.headers).toEqual({ 'X-Api-Key': '‹MCP_TEST_X_API_KEY›' });
	},
);

itByNight('the command to copy does not run what the name of a folder says', async () => {
	const folder = 'tests $(touch pwned)';
	await mkdir(join(editor.workspace, folder));
	await exportFromView(/ask.*sdk1/s);
	await proposedFor('vitest', /^ask\w*\.test\.mjs$/);
	await editor.quickInput.enter(join(editor.workspace, folder, "it's.test.mjs"));
	const notice = await editor.notification('s.test.mjs');
	await editor.screenshot('exported test quoted');
	await notice.press('Copy Command');
	const copied = () => editor.page.evaluate(() => navigator.clipboard.readText());
	const command = `npx vitest run 'tests $(touch pwned)/it'\\''s.test.mjs'`;
	await until('the command to be copied', async () => (await copied()) === command);
});

itByNight('a test is not written through a symbolic link, even to where there is nothing', async () => {
	await exportFromView(/ask.*sdk1/s);
	const file = await proposedFor('vitest', /^ask\w*\.test\.mjs$/);
	const elsewhere = `${editor.workspace}-elsewhere`;
	await symlink(elsewhere, file);
	const refusal = editor.page.locator('.notification-list-item').filter({ hasText: 'is a symbolic link' });
	await until('the refusal', async (moment) => {
		// The first time, the editor may ask whether to overwrite.
		if (await editor.quickInput.element.isVisible()) {
			await editor.quickInput.accept();
		}
		return appears(refusal, moment);
	});
	expect(existsSync(elsewhere)).toBe(false);
	await rm(file);
});
