import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KEY_GUARD } from '../../src/elicitation/keyGuard.ts';
import { itByNight } from '../nightly.ts';
import {
	answerIn,
	appears,
	ask,
	callTool,
	type Definition,
	type Editor,
	formOf,
	formOfServer,
	openEditor,
	program,
	recordingStarts,
	reuseEditor,
	servers,
	startsOf,
	structured,
	until,
} from './driver/index.ts';

const SECRET = 'this-value-is-a-secret';

/** A server that leaves a file behind as soon as it runs. */
function marking({ args = [], ...more }: Definition & { args?: readonly string[] } = {}): Definition {
	const { command, args: own } = program('raw', 'noise');
	const code = `require('fs').writeFileSync(process.argv[1],'')`;
	return { command, args: ['-e', code, '${workspaceFolder}/started', ...(own as string[]), ...args], ...more };
}

const hasStarted = ({ workspace }: Editor) => existsSync(join(workspace, 'started'));

/** The pages that ask for consent to a start. */
const consents = (editor: Editor) => editor.page.getByRole('tab', { name: /: Start$/ }).count();

const write = ({ workspace }: Editor, file: string, text: string) => writeFile(join(workspace, file), text);

it('starts nothing in Restricted Mode, says why, and can start once the workspace is trusted', async () => {
	const editor = await openEditor({
		trusted: false,
		settings: servers({ workspace: marking() }),
		machineSettings: { 'mcpElicitation.autoStart': true },
	});
	await editor.statusBar('Restricted Mode');
	await editor.showViews();
	const view = editor.page.locator('.pane-body').filter({ hasText: 'Restricted Mode' });
	await view.getByText(/no MCP server is started/).waitFor();
	await editor.screenshot('restricted mode');
	expect(hasStarted(editor)).toBe(false);

	await view.getByText('Manage Workspace Trust').click();
	await editor.trust();
	// The user's trust in the folder is not yet their consent to this program.
	const consent = await editor.startConsent();
	expect(await consent.message()).toContain('workspace');
	expect(hasStarted(editor)).toBe(false);
	await consent.press('Start Server');
	await until('the server to run', () => hasStarted(editor));
});

// First of those that share a window: it waits until the first consent is stored.
it('remembers the consent to a definition and asks again when the definition has changed', async () => {
	const settings = servers({ workspace: program('raw', 'noise') });
	const editor = await reuseEditor({ settings });
	await editor.command('MCP Elicitation: Start Server');
	await (await editor.startConsent()).press('Start Server');
	await editor.showViews();
	await editor.treeItem(/workspace\s*2025-11-25/);

	await editor.reload('consents');
	await editor.command('MCP Elicitation: Start Server');
	// The window may have been reloaded before it had stored which view was open.
	await editor.showViews();
	await editor.treeItem(/workspace\s*2025-11-25/);
	expect(await consents(editor)).toBe(0);

	await editor.command('MCP Elicitation: Stop Server');
	await editor.treeItem(/workspace\s*stopped/);
	await editor.change({ settings: servers({ workspace: program('raw', 'noise', 'one argument more') }) });
	await editor.command('MCP Elicitation: Start Server');
	const again = await editor.startConsent();
	expect(await again.detail()).toContain('one argument more');
	await again.escape();

	await editor.command('MCP Elicitation: Reset Trust');
	await (await editor.notification('You will be asked again')).dismiss();
	await editor.change({ settings });
	await editor.command('MCP Elicitation: Start Server');
	await (await editor.startConsent()).escape();
});

it('shows what a workspace would run, whole, and spawns nothing without consent', async () => {
	const editor = await reuseEditor({
		settings: servers({ workspace: marking({ env: { TOKEN: SECRET, REGION: 'eu' } }) }),
	});
	await editor.command('MCP Elicitation: Start Server');
	const consent = await editor.startConsent();
	const detail = await consent.detail();
	expect(await consent.message()).toBe('Start the MCP server "workspace"?');
	expect(detail).toContain(process.execPath);
	for (const argument of marking().args as string[]) {
		expect(detail).toContain(argument.replace('${workspaceFolder}', editor.workspace));
	}
	expect(detail).toContain(`Working directory: ${editor.workspace}`);
	// What a workspace has written is no secret, whatever it is called.
	expect(detail).toMatch(new RegExp(`^TOKEN=${SECRET}$`, 'm'));
	expect(detail).toMatch(/^REGION=eu$/m);
	expect((await consent.buttons()).sort()).toEqual(['Cancel', 'Start Server']);
	await editor.screenshot('start consent');
	await consent.escape();
	await editor.showViews();
	await editor.treeItem(/workspace\s*stopped/);
	expect(hasStarted(editor)).toBe(false);
});

it('starts nothing for keys that are pressed without looking, and starts for one that is meant', async () => {
	const editor = await reuseEditor({ settings: servers({ workspace: marking() }) });
	await editor.command('MCP Elicitation: Start Server');
	const { frame } = await editor.startConsent();
	for (const key of ['Enter', 'Space', 'Enter', 'y']) {
		await editor.page.keyboard.press(key);
	}
	const button = frame.getByRole('button', { name: 'Start Server' });
	await until('the page to take keys', async () => !(await frame.locator('body.new').count()));
	expect(hasStarted(editor)).toBe(false);
	expect(await button.isEnabled()).toBe(true);
	await button.focus();
	await editor.page.waitForTimeout(2 * KEY_GUARD);
	await button.press('Enter');
	await until('the server to run', () => hasStarted(editor));
});

itByNight(
	'shows where an HTTP server is, what is unusual about it, and what it is told, and asks no secret that could decide it',
	async () => {
		const input = { id: 'tenant', type: 'promptString', password: true, default: 'evil.example/?' };
		const token = { id: 'token', type: 'promptString', password: true };
		const headers = { Authorization: 'Bearer ${input:token}' };
		const editor = await reuseEditor({
			settings: {
				...servers({
					company: { url: 'https://${input:tenant}.api.company.com/mcp', headers },
					lookalike: { url: 'https://gіthub.com:8443/mcp', headers, roots: 'none' },
					hidden: { url: 'https://api.githubcopilot.com@mcp.evil.example/mcp', headers },
				}),
				'mcpElicitation.inputs': [input, token],
			},
		});
		await editor.choose('MCP Elicitation: Start Server', 'company');
		const refused = await editor.notification('Its "url" depends on a secret');
		expect(await editor.quickInput.element.isVisible()).toBe(false);
		await refused.dismiss();

		await editor.choose('MCP Elicitation: Start Server', 'hidden');
		const unusable = await editor.notification('The URL contains user information in front of the host.');
		await unusable.dismiss();

		await editor.choose('MCP Elicitation: Start Server', 'lookalike');
		const consent = await editor.startConsent('lookalike');
		const detail = await consent.detail();
		expect(detail).toMatch(/^Host: xn--gthub-n2e\.com:8443/m);
		expect(detail).toContain('The host has letters that can look like others');
		expect(detail).toContain('none  ← no folders');
		expect(await consent.alarms()).not.toEqual([]);
		await editor.screenshot('start consent of a look-alike');
		await consent.escape();
		expect(await editor.quickInput.element.isVisible()).toBe(false);
	},
);

it('lets no workspace loosen what protects the user: nothing starts by itself, no http: page is opened, no agent is let in', async () => {
	const editor = await reuseEditor({
		machineSettings: servers({ guarded: program('sdk1') }),
		settings: {
			'mcpElicitation.autoStart': true,
			'mcpElicitation.url.allowInsecure': 'always',
			'mcpElicitation.rateLimit.perMinute': 100_000,
			'mcpElicitation.agentBridge': true,
		},
	});
	await editor.showViews();
	const own = await editor.treeItem(/guarded\s*stopped/);
	expect(await editor.tooltip(own)).not.toContain('agent mode');
	await callTool(editor, { tool: 'url', args: { url: 'http://pages.example.com/', message: 'Sign in' } });
	expect(JSON.stringify(await structured(editor))).toContain('-32602');
	expect(editor.externalPages()).toEqual([]);
	await editor.command('Preferences: Open Workspace Settings (JSON)');
	await until('the editor to say so at the setting', async (moment) => {
		// Only a mouse that moves brings it, and not before the setting has been looked at.
		await editor.page.mouse.move(0, 0);
		await editor.page.locator('.view-line').getByText('mcpElicitation.autoStart').hover();
		return appears(editor.page.getByText('This setting can only be applied in user settings').first(), moment);
	});
	await editor.screenshot('guards in a workspace');
});

itByNight('does not ask about what the user wrote into their own settings', async () => {
	const editor = await reuseEditor({ machineSettings: servers({ own: program('raw', 'noise') }) });
	await editor.command('MCP Elicitation: Start Server');
	await editor.showViews();
	await editor.treeItem(/own\s*2025-11-25/);
	expect(await consents(editor)).toBe(0);
});

itByNight('gives a server of the workspace nothing that was entered for the user’s own of its name', async () => {
	const editor = await reuseEditor({ machineSettings: servers({ mine: program('sdk1') }) });
	await callTool(editor, { tool: 'slow', args: { ms: '7' } });
	await structured(editor);
	// A branch that is checked out defines a server under the same name.
	await mkdir(join(editor.workspace, '.vscode'), { recursive: true });
	await write(editor, '.vscode/settings.json', JSON.stringify(servers({ mine: recordingStarts('mine') })));
	await (await editor.startConsent()).press('Start Server');
	await until('the other one to run', () => startsOf(editor, 'mine').length === 1);

	const asked = 'The MCP server "mine" is not the one that "slow" was called on.';
	await editor.showViews();
	await editor.chooseFromMenu(/^slow\s*mine ·/, 'Call Again');
	const modal = await editor.modal();
	expect(await modal.message()).toBe(asked);
	expect((await modal.buttons()).sort()).toEqual(['Cancel', 'Continue']);
	await editor.screenshot('call of another server');
	await modal.escape();
	expect(startsOf(editor, 'mine')).toHaveLength(1);
	expect(editor.faults()).toEqual([]);
});

itByNight('does not take a server of the workspace for one of the user’s that is not here', async () => {
	const editor = await reuseEditor({
		machineSettings: {
			'mcpElicitation.agentBridge': ['away'],
			'mcpElicitation.answers': [{ server: 'away', action: 'accept', content: {} }],
		},
		settings: { ...servers({ away: program('sdk1') }), 'mcpElicitation.form.presentation': 'webview' },
	});
	await editor.showViews();
	expect(await editor.tooltip(await editor.treeItem('away'))).not.toContain('agent mode');
	await editor.command('MCP Elicitation: Start Server');
	await (await editor.startConsent()).press('Start Server');
	await ask(editor, formOf({ name: { type: 'string' } }, [], 'Continue?'));
	await answerIn(await formOfServer(editor, 'away', 'Continue?'), 'Decline');
	expect(await structured(editor)).toEqual({ action: 'decline' });
});

itByNight('does not offer a server of the workspace to agent mode in the place of the user’s own', async () => {
	const editor = await reuseEditor({
		machineSettings: {
			...servers({ mine: program('sdk1'), other: program('sdk1') }),
			'mcpElicitation.agentBridge': ['mine', 'other'],
		},
		settings: servers({ mine: program('sdk1', 'of the workspace') }),
	});
	await editor.showViews();
	expect(await editor.tooltip(await editor.treeItem('other'))).toContain('Offered to agent mode');
	expect(await editor.tooltip(await editor.treeItem('mine'))).not.toContain('agent mode');
});

itByNight('keeps an argument with line breaks on its line, and shows all of it on a page that scrolls', async () => {
	const forged = `x${'\n'.repeat(60)}Command: /usr/bin/true\nWorking directory: /safe\u202e`;
	const long = `first ${'word '.repeat(60)}Working directory: /safe`;
	const env = { NODE_OPTIONS: '--max-old-space-size=400', PYTHONPATH: 'lib', NOTE: 'שלום Command: x', LANG: 'C' };
	const settings = {
		...servers({ ['n'.repeat(200)]: marking({ args: [forged, long], env }) }),
		'workbench.colorTheme': 'Default Dark Modern',
	};
	const editor = await reuseEditor({ settings });
	await editor.command('MCP Elicitation: Start Server');
	const page = await editor.startConsent();
	const rows = await page.frame.locator('.exact').allInnerTexts();
	expect(rows).toContain('x‹U+000A ×60›Command: /usr/bin/true‹U+000A›Working directory: /safe‹U+202E›');
	expect(rows).toContain(long);
	expect(rows).toContain(editor.workspace);
	expect(await page.alarms()).toEqual([
		'NODE_OPTIONS=--max-old-space-size=400',
		'PYTHONPATH=lib',
		'NOTE=שלום Command: x',
	]);
	await editor.screenshot('start page');
	await page.press('Cancel');
	await editor.page.getByRole('tab', { name: /: Start/ }).waitFor({ state: 'detached' });
	expect(hasStarted(editor)).toBe(false);

	await editor.change({ settings: { ...settings, 'workbench.colorTheme': 'Default Light Modern' } });
	await editor.command('MCP Elicitation: Start Server');
	const again = await editor.startConsent();
	await editor.screenshot('start page light');
	await again.press('Start Server');
	await until('the server to run', () => hasStarted(editor));
});

itByNight(
	'asks again when the environment file has changed, and starts with what was shown, also after a crash',
	async () => {
		const editor = await reuseEditor({
			settings: servers({ crashing: recordingStarts('crashing', { envFile: '${workspaceFolder}/.env' }) }),
		});
		await write(editor, '.env', `TOKEN=${SECRET}\nNODE_OPTIONS=--no-warnings\nREGION=eu\n`);
		await editor.command('MCP Elicitation: Start Server');
		const consent = await editor.startConsent();
		const detail = await consent.detail();
		await editor.screenshot('start consent env file');
		expect(detail).toContain(`Environment file: ${join(editor.workspace, '.env')}  ← in this workspace`);
		expect(detail).toMatch(/^NODE_OPTIONS=--no-warnings {2}← from the environment file$/m);
		expect(detail).toMatch(/^REGION=eu$/m);
		expect(detail).toMatch(new RegExp(`^TOKEN=${SECRET}$`, 'm'));
		// What is written to it now is not what was shown.
		await write(editor, '.env', 'NODE_OPTIONS=--require=./evil.js\nREGION=other\n');
		await consent.press('Start Server');
		await until('it to be started', () => startsOf(editor, 'crashing').length === 1);
		await editor.showViews();
		await editor.treeItem(/crashing\s*2025-11-25/);
		process.kill(startsOf(editor, 'crashing')[0]?.pid ?? 0, 'SIGKILL');
		await until('it to be restarted', () => startsOf(editor, 'crashing').length === 2);
		for (const { env } of startsOf(editor, 'crashing')) {
			expect([env['TOKEN'], env['NODE_OPTIONS'], env['REGION']]).toEqual([SECRET, '--no-warnings', 'eu']);
		}
		await editor.command('MCP Elicitation: Show Server Log');
		await editor.page.getByText('My token is ‹redacted›.').first().waitFor();

		await editor.command('MCP Elicitation: Restart Server');
		const changed = await editor.startConsent();
		expect(await changed.detail()).toContain(
			'What it starts has changed since you agreed to it: the environment file.',
		);
		expect(await changed.detail()).toContain('NODE_OPTIONS=--require=./evil.js');
		await changed.escape();
		expect(startsOf(editor, 'crashing')).toHaveLength(2);
	},
);

itByNight(
	'runs servers of the user’s own settings in the home folder, and asks where the workspace has a say in them',
	async () => {
		const { command } = program('raw');
		const place = join(await mkdtemp(join(tmpdir(), 'elicitation-own-')), 'cwd');
		const code = `require('node:fs').writeFileSync(process.argv[1], process.cwd())`;
		const editor = await reuseEditor({
			machineSettings: servers({
				own: { command, args: ['-e', code, place] },
				relative: { command: './bin/x', cwd: '.' },
				setting: { command, args: ['${config:files.encoding}'] },
				folder: recordingStarts('folder'),
			}),
			settings: { 'files.encoding': 'utf16le' },
			files: { 'bin/x': '' },
		});
		await editor.choose('MCP Elicitation: Start Server', 'own');
		await until(
			'it to be started without an elicitation',
			() => existsSync(place) && readFileSync(place, 'utf8') !== '',
		);
		expect(readFileSync(place, 'utf8')).toBe(homedir());

		for (const name of ['relative', 'setting', 'folder']) {
			await editor.choose('MCP Elicitation: Start Server', name);
			const consent = await editor.startConsent();
			expect(await consent.detail()).toContain('what it starts depends on this workspace');
			expect(await consent.detail()).toContain(
				name === 'relative'
					? `Command: ${join(editor.workspace, 'bin/x')}  ← in this workspace`
					: `Working directory: ${homedir()}`,
			);
			await consent.escape();
		}
		expect(startsOf(editor, 'folder')).toEqual([]);
	},
);
