import { expect, it, onTestFinished, vi } from 'vitest';
import { TabInputText, type Uri } from 'vscode';
import { localizable } from '../../../../../src/elicitation/sentence.ts';
import { World } from '../../../elicitation/world.ts';

const editor = vi.hoisted(() => ({ tabs: [] as { input: TabInputText }[], told: [] as string[] }));

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		workspace: { openTextDocument: async () => ({ getText: () => '{}', save: async () => {} }) },
		window: {
			tabGroups: {
				all: [editor],
				onDidChangeTabs: () => ({ dispose: () => {} }),
				close: async () => editor.tabs.splice(0),
			},
			showInformationMessage: async (text: string) => void editor.told.push(text),
			showQuickPick: async (items: readonly { responseKind: string }[]) =>
				items.find(({ responseKind }) => responseKind === 'accept'),
			showTextDocument: async (uri: Uri) => void editor.tabs.push({ input: new TabInputText(uri) }),
		},
	}),
);

const { ForcedAnswers } = await import('../../../../../src/editor/debugging/forced/forcedAnswers.ts');

it.each([
	['is closed once it is sent', false],
	['stays open if its request ends while it is checked', true],
])('a response that is being edited %s', async (_, ends) => {
	editor.tabs.splice(0);
	editor.told.splice(0);
	const world = new World();
	const { registry } = world;
	const forced = new ForcedAnswers(registry);
	onTestFinished(() => forced.dispose());
	const form = world.form('One?');
	await forced.force(form.id);
	vi.spyOn(registry.autoResponders, 'schemaViolationOf')
		.mockResolvedValueOnce(undefined)
		.mockImplementationOnce(async () => {
			if (ends) {
				form.withdraw(localizable('Gone.'));
			}
			return undefined;
		});
	await forced.force(editor.tabs[0]?.input.uri);
	expect(editor.tabs).toHaveLength(ends ? 1 : 0);
	expect(editor.told).toEqual(ends ? ['The request has ended: nothing was sent.'] : []);
	expect(form.response?.action).toBe(ends ? undefined : 'accept');
});
