import { expect, it, vi } from 'vitest';
import type { Uri } from 'vscode';

/** VS Code with one file, and the panel of a result. */
const editor = vi.hoisted(() => ({
	isLink: false,
	written: [] as string[],
	errors: [] as string[],
	inBackground: [] as boolean[],
	receive: (_message: object) => {},
}));

vi.mock('vscode', async () => {
	const { fakeVscode, Uri } = await import('../vscode.ts');
	return fakeVscode({
		workspace: {
			workspaceFolders: [{ uri: Uri.file('/folder') }],
			asRelativePath: String,
			fs: {
				stat: async () => ({ type: editor.isLink ? 65 : 1 }),
				writeFile: async (file: Uri) => void editor.written.push(file.path),
			},
		},
		window: {
			tabGroups: { activeTabGroup: {} },
			showSaveDialog: async ({ defaultUri }: { defaultUri: Uri }) => defaultUri,
			showErrorMessage: async (text: string) => void editor.errors.push(text),
		},
	});
});
vi.mock('../../../../src/editor/common/webviewPage.ts', () => ({
	createPage: (_uri: unknown, { background }: { background: boolean }) => {
		editor.inBackground.push(background);
		return {
			panel: {
				webview: {
					onDidReceiveMessage: (receive: typeof editor.receive) => {
						editor.receive = receive;
					},
				},
				onDidDispose: () => {},
			},
		};
	},
}));

const { showOutcome } = await import('../../../../src/editor/calls/resultPanel.ts');

const context = (isUserElsewhere: boolean) =>
	({ registry: { elicitations: [] }, isUserElsewhere: () => isUserElsewhere }) as never;

it('opens without the focus where the user works elsewhere by now', () => {
	const call = { name: 'deploy', server: 's', state: 'succeeded' };
	for (const isUserElsewhere of [false, true]) {
		showOutcome(context(isUserElsewhere), call as never, { result: {} }, async () => {});
	}
	expect(editor.inBackground.splice(0)).toEqual([false, true]);
});

it('saves a resource to no symbolic link, which a workspace may have put under its name', async () => {
	const result = { contents: [{ uri: 'test://a/profile', text: 'of the server' }] };
	const call = { name: 'profile', server: 's' };
	showOutcome(context(false), call as never, { result }, async () => {});
	editor.receive({ type: 'save', index: 0 });
	await vi.waitFor(() => expect(editor.written).toEqual(['/folder/profile']));
	editor.isLink = true;
	editor.receive({ type: 'save', index: 0 });
	await vi.waitFor(() => expect(editor.errors).toEqual([expect.stringContaining('Nothing was written because')]));
	expect(editor.written).toHaveLength(1);
});
