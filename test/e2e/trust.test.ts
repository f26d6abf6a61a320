import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { itByNight } from '../nightly.ts';
import {
	callTool,
	type Definition,
	type Editor,
	openEditor,
	program,
	reuseEditor,
	servers,
	structured,
	until,
} from './driver/index.ts';

const SECRET = 'this-value-is-a-secret';

/** A definition that leaves a file behind as soon as it runs. */
function marking(editor: Pick<Editor, 'workspace'> | undefined, file = 'started'): Definition {
	const place = editor === undefined ? `\${workspaceFolder}/${file}` : join(editor.workspace, file);
	const { args } = program('raw', 'noise');
	return {
		command: process.execPath,
		args: ['-e', `require('fs').writeFileSync(process.argv[1],'')`, place, ...(args as string[])],
		env: { TOKEN: SECRET, REGION: 'eu' },
	};
}

const hasStarted = (editor: Editor, file = 'started') => existsSync(join(editor.workspace, file));

it('starts nothing in Restricted Mode, says why, and can start once the workspace is trusted', async () => {
	const editor = await openEditor({
		trusted: false,
		settings: servers({ workspace: marking(undefined) }),
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
	const consent = await editor.modal();
	expect(await consent.message()).toContain('workspace');
	expect(hasStarted(editor)).toBe(false);
	await consent.press('Start Server');
	await until('the server to run', () => hasStarted(editor));
});

it('shows what a workspace would run, whole, and spawns nothing without consent', async () => {
	const editor = await reuseEditor({ settings: servers({ workspace: marking(undefined) }) });
	await editor.command('MCP Elicitation: Start Server');
	const consent = await editor.modal();
	const detail = await consent.detail();
	expect(await consent.message()).toContain('"workspace"');
	expect(detail).toContain(process.execPath);
	for (const argument of marking(editor).args as string[]) {
		expect(detail).toContain(argument);
	}
	expect(detail).toContain(`Working directory: ${editor.workspace}`);
	expect(detail).toMatch(/^TOKEN=••••••$/m);
	expect(detail).toMatch(/^REGION=eu$/m);
	expect(detail).not.toContain(SECRET);
	expect((await consent.buttons()).sort()).toEqual(['Cancel', 'Start Server']);
	await editor.screenshot('start consent');
	await consent.escape();
	await editor.showViews();
	await editor.treeItem(/workspace\s*stopped/);
	expect(hasStarted(editor)).toBe(false);
});

it('remembers the consent to a definition and asks again when the definition has changed', async () => {
	const settings = servers({ workspace: program('raw', 'noise') });
	const editor = await openEditor({ settings });
	await editor.command('MCP Elicitation: Start Server');
	await (await editor.modal()).press('Start Server');
	await editor.showViews();
	await editor.treeItem(/workspace\s*2025-11-25/);

	await editor.reload('consents');
	await editor.command('MCP Elicitation: Start Server');
	// The window may have been reloaded before it had stored which view was open.
	await editor.showViews();
	await editor.treeItem(/workspace\s*2025-11-25/);
	expect(await editor.page.locator('.monaco-dialog-box').count()).toBe(0);

	await editor.command('MCP Elicitation: Stop Server');
	await editor.treeItem(/workspace\s*stopped/);
	await editor.change({ settings: servers({ workspace: program('raw', 'noise', 'one argument more') }) });
	await editor.command('MCP Elicitation: Start Server');
	const again = await editor.modal();
	expect(await again.detail()).toContain('one argument more');
	await again.escape();

	await editor.command('MCP Elicitation: Reset Server Trust');
	await (await editor.notification('You will be asked again')).dismiss();
	await editor.change({ settings });
	await editor.command('MCP Elicitation: Start Server');
	await (await editor.modal()).escape();
});

itByNight('does not ask about what the user wrote into their own settings', async () => {
	const editor = await reuseEditor({ machineSettings: servers({ own: program('raw', 'noise') }) });
	await editor.command('MCP Elicitation: Start Server');
	await editor.showViews();
	await editor.treeItem(/own\s*2025-11-25/);
	expect(await editor.page.locator('.monaco-dialog-box').count()).toBe(0);
});

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
	await editor.page.locator('.view-line').getByText('mcpElicitation.autoStart').hover();
	await editor.page.getByText('This setting can only be applied in user settings').first().waitFor();
	await editor.screenshot('guards in a workspace');
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
