import { expect, it, onTestFinished, vi } from 'vitest';
import { TabInputText, type Uri } from 'vscode';
import { KEY_GUARD } from '../../../../../src/elicitation/keyGuard.ts';
import { localizable } from '../../../../../src/elicitation/sentence.ts';
import { World } from '../../../elicitation/world.ts';

/** Two groups of tabs, of which a test opens and closes tabs. */
const editor = vi.hoisted(() => {
	const groups: { tabs: { input: TabInputText }[] }[] = [{ tabs: [] }, { tabs: [] }];
	let report: (event: { closed: object[] }) => void = () => {};
	return {
		groups,
		saved: 0,
		told: [] as string[],
		confirm: (): void => undefined,
		close: (group: number) => report({ closed: groups[group]?.tabs.splice(0) ?? [] }),
		onDidChangeTabs: (listener: typeof report) => {
			report = listener;
			return { dispose: () => {} };
		},
	};
});

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		workspace: { openTextDocument: async () => ({ getText: () => '{}', save: async () => editor.saved++ }) },
		window: {
			tabGroups: {
				all: editor.groups,
				onDidChangeTabs: editor.onDidChangeTabs,
				close: async () => editor.close(0),
			},
			showInformationMessage: async (text: string) => void editor.told.push(text),
			showWarningMessage: () =>
				new Promise((resolve) => {
					// A choice that comes sooner is meant for something else.
					editor.confirm = () => setTimeout(resolve, 2 * KEY_GUARD, 'Send Anyway');
				}),
			showTextDocument: async (uri: Uri) => void editor.groups[0]?.tabs.push({ input: new TabInputText(uri) }),
		},
	}),
);

const { Drafts } = await import('../../../../../src/editor/debugging/forced/drafts.ts');

it('a response that is being edited can be sent until the last of its tabs is closed', async () => {
	const world = new World();
	const drafts = new Drafts(world.registry);
	onTestFinished(() => drafts.dispose());
	await drafts.open(world.form('One?'), async () => true);
	const [one, other] = editor.groups;
	const input = one?.tabs[0]?.input as TabInputText;
	const lenses = () => drafts.provideCodeLenses(input as never).map(({ command }) => command?.command);
	expect(lenses()).toEqual(['mcpElicitation.forceAnswer']);
	// As when the tab is moved to another group.
	other?.tabs.push({ input });
	editor.close(0);
	expect(lenses()).toEqual(['mcpElicitation.forceAnswer']);
	editor.close(1);
	expect(lenses()).toEqual([]);
});

it('a response stays open if its request ends while the user confirms that it breaks the schema', async () => {
	const world = new World();
	const { registry } = world;
	const violation = vi.spyOn(registry.autoResponders, 'schemaViolationOf').mockResolvedValue(localizable('Wrong.'));
	const drafts = new Drafts(registry);
	onTestFinished(() => drafts.dispose());
	const send = vi.fn(async () => true);
	const form = world.form('One?');
	await drafts.open(form, send);
	const tabs = editor.groups[0]?.tabs ?? [];
	const sending = drafts.send(tabs[0]?.input.uri as Uri);
	await vi.waitFor(() => expect(violation).toHaveBeenCalled());
	form.withdraw(localizable('Gone.'));
	editor.confirm();
	await sending;
	expect(send).not.toHaveBeenCalled();
	expect(tabs).toHaveLength(1);
	expect(editor.told).toEqual(['The request has ended: this can no longer be sent.']);
});
