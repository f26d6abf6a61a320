import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localize, localizeNative } from '../../../../src/editor/common/localize.ts';
import {
	notify,
	showInStatusBar,
	showModal,
	showNotice,
	showProgress,
} from '../../../../src/editor/common/notifications.ts';
import {
	createInputBox,
	createQuickPick,
	createStatusBarItem,
	showInputBox,
	showQuickPick,
	treeItem,
} from '../../../../src/editor/common/surfaces.ts';
import { native, together, withIcon } from '../../../../src/elicitation/display.ts';
import { messages } from '../surfaces.ts';

const shown = messages();

describe('what a server wrote', () => {
	it('is nothing that a surface takes as it is', () => {
		expect(rawTextIsRefused).toBeTypeOf('function');
	});

	it('keeps the icons of this extension beside it, and has none', () => {
		expect(together([withIcon('error', native('$(verified) a')), undefined, native('b')], ' · ')).toBe(
			'$(error) $\u200b(verified) a · b',
		);
		expect(localizeNative('Start {0}', '$(verified) [x](command:y)')).toBe(
			'Start $\u200b(verified) [x]\u200b(command:y)',
		);
	});

	it('has nothing that is hidden in the detail of a dialog', async () => {
		const answered = showModal('warning', native('Sure?'), 'Runs \u202edm.sh\u0000\nit', native('Yes'));
		await expect.poll(() => shown).toMatchObject([{ detail: 'Runs ‹U+202E›dm.sh‹U+0000›\nit' }]);
		// Other dialogs wait for it.
		shown[0]?.choose();
		await answered;
	});
});

/** The compiler demands it: where it does not, `@ts-expect-error` is an error. Nothing of this runs. */
async function rawTextIsRefused(text: string): Promise<void> {
	// @ts-expect-error A notification, its buttons, and its links.
	void notify('error', text);
	// @ts-expect-error
	void notify('error', native(text), text);
	// @ts-expect-error
	showNotice(native(text), { title: text, command: 'showPending', args: [] });
	// @ts-expect-error A question, and its buttons.
	void showModal('warning', text, '');
	// @ts-expect-error
	void showModal('warning', native(text), '', text);
	// @ts-expect-error A progress, and how far it is.
	void showProgress(text, async () => {});
	// @ts-expect-error
	void showProgress(native(text), async (progress) => progress.report({ message: text }));
	// @ts-expect-error The status bar.
	showInStatusBar(text, 1);
	// @ts-expect-error
	createStatusBarItem('id', 1).tooltip = text;
	// @ts-expect-error Lists: their rows, and what stands above them.
	void showQuickPick([{ label: text }], {});
	// @ts-expect-error
	void showQuickPick([{ label: native(text), description: text }], {});
	// @ts-expect-error
	void showQuickPick([{ label: native(text), detail: text }], {});
	// @ts-expect-error
	void showQuickPick([], { placeHolder: text });
	// @ts-expect-error
	void showQuickPick([], { title: text });
	// @ts-expect-error
	createQuickPick().placeholder = text;
	// @ts-expect-error Boxes.
	void showInputBox({ prompt: text });
	// @ts-expect-error
	void showInputBox({ validateInput: (entered) => entered });
	// @ts-expect-error
	createInputBox().validationMessage = text;
	// @ts-expect-error Rows of views.
	treeItem(text);
	// @ts-expect-error
	treeItem(native(text)).tooltip = text;
	// @ts-expect-error A translation with text of others is not safe yet; one of our own text is.
	treeItem(localize('Start {0}', text));
	treeItem(localize('Start Server'));
	// @ts-expect-error What others wrote is no text of our own.
	treeItem(localize(text));
	// @ts-expect-error
	withIcon(text);
	// @ts-expect-error
	together([native(text)], text);
}

it('no other file of the editor can reach a surface with a raw text: the linter refuses it', () => {
	const calls = [
		...['showInformationMessage', 'showWarningMessage', 'showErrorMessage', 'setStatusBarMessage', 'showQuickPick'],
		...['showInputBox', 'createQuickPick', 'createInputBox', 'createStatusBarItem', 'withProgress', 'createTerminal'],
	].map((name) => `vscode.window.${name}(text, 1);`);
	const made = ['TreeItem', 'CodeLens'].map((name) => `void new vscode.${name}(text);`);
	const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-lint-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	for (const file of readdirSync('.').filter((name) => name.endsWith('.grit'))) {
		copyFileSync(file, join(folder, file));
	}
	const config = JSON.parse(readFileSync('biome.json', 'utf8'));
	writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }));
	const file = join(folder, 'src', 'editor', 'calls', 'raw.ts');
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, [...calls, ...made, ''].join('\n'));
	const biome = resolve('node_modules', '@biomejs', 'biome', 'bin', 'biome');
	const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', '--max-diagnostics=none', 'src'], {
		...{ cwd: folder, encoding: 'utf8' },
	});
	expect((stdout + stderr).split('Use notifications.ts or surfaces.ts').length - 1).toBe(calls.length + made.length);
});
