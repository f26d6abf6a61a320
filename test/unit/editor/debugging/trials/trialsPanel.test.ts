import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Uri } from 'vscode';
import type { Table } from '../../../../../src/editor/debugging/trials/table.ts';
import { localizable } from '../../../../../src/elicitation/sentence.ts';
import type { ToTrials } from '../../../../../src/trialsProtocol.ts';
import { trialsOf } from '../../../../webview/trialsModel.ts';

/** VS Code in Chinese, with a webview that sends `ready` when the test says so. */
const editor = vi.hoisted(() => {
	const never = () => ({ dispose() {} });
	const state = { posted: [] as unknown[], receive: (_: unknown) => {}, html: '' };
	const webview = {
		set html(html: string) {
			state.html = html;
		},
		asWebviewUri: String,
		postMessage: async (message: unknown) => state.posted.push(message) > 0,
		onDidReceiveMessage: (listener: (message: unknown) => void) => {
			state.receive = listener;
			return { dispose() {} };
		},
	};
	const panel = { webview, onDidDispose: never, onDidChangeViewState: never };
	return { panel, state };
});

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		env: { language: 'zh-cn' },
		l10n: { bundle: { Stop: '停止' } },
		window: { createWebviewPanel: () => editor.panel },
	}),
);

const { TrialsPanel } = await import('../../../../../src/editor/debugging/trials/trialsPanel.ts');

/** A folder with what a build of the page leaves. */
function built(): string {
	const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-page-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const webview = join(folder, 'dist', 'webview');
	mkdirSync(webview, { recursive: true });
	for (const file of ['tokens.css', 'trials.css', 'records.js']) {
		writeFileSync(join(webview, file), '');
	}
	return folder;
}

it('sends translations when the webview loads, and not with each update of the table', () => {
	const plan = { heading: localizable('Action matrix'), call: { name: 'deploy' } };
	const table = { plan, model: trialsOf() } as unknown as Table;
	const actions = { open: async () => {}, copy: async () => {}, stop: () => {} };
	const panel = new TrialsPanel(Uri.file(built()), table, actions);
	const words = () => (editor.state.posted as ToTrials[]).map((message) => 'strings' in message && message.strings);
	editor.state.receive({ type: 'ready' });
	expect(words()).toEqual([{ Stop: '停止' }]);
	panel.update();
	panel.update();
	expect(words().slice(1).filter(Boolean)).toEqual([]);
	expect(editor.state.posted).toHaveLength(3);
	// The webview was hidden and is loaded again.
	editor.state.receive({ type: 'ready' });
	expect(words().at(-1)).toEqual({ Stop: '停止' });
});
