import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { TabInputText, type Uri } from 'vscode';
import { Drafts } from '../../../../src/editor/debugging/forced/drafts.ts';
import { ForcedAnswers } from '../../../../src/editor/debugging/forced/forcedAnswers.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import { World } from '../../elicitation/world.ts';
import { messages, nth, textsOf } from '../surfaces.ts';
import { testCommands } from '../testCommands.ts';
import { fakeVscode } from '../vscode.ts';

const shown = messages();

/** Two groups of tabs. Documents open in the first. */
const groups: [Group, Group] = [{ tabs: [] }, { tabs: [] }];
interface Group {
	readonly tabs: { readonly input: TabInputText }[];
}
let closed = (_event: { readonly closed: object[] }) => {};
const close = ({ tabs }: Group) => closed({ closed: tabs.splice(0) });

fakeVscode({
	workspace: { openTextDocument: async () => ({ getText: () => '{}', save: async () => {} }) },
	window: {
		tabGroups: {
			all: groups,
			onDidChangeTabs: (listener: typeof closed) => {
				closed = listener;
				return { dispose: () => {} };
			},
			close: async () => close(groups[0]),
		},
		showQuickPick: async (items: readonly { responseKind: string }[]) =>
			items.find(({ responseKind }) => responseKind === 'accept'),
		showTextDocument: async (uri: Uri) => void groups[0].tabs.push({ input: new TabInputText(uri) }),
	},
});

let world: World;

beforeEach(() => {
	world = new World();
	for (const { tabs } of groups) tabs.length = 0;
});

/** The drafts of this window, and a request to which one responds. */
async function open(send: () => Promise<boolean>) {
	const drafts = new Drafts(world.registry);
	onTestFinished(() => drafts.dispose());
	const form = world.form('One?');
	await drafts.open(form, send);
	return { drafts, form, input: groups[0].tabs[0]?.input as TabInputText };
}

it('a response that is being edited can be sent until the last of its tabs is closed', async () => {
	const { drafts, input } = await open(async () => true);
	const lenses = () => drafts.provideCodeLenses(input as never).map(({ command }) => command?.command);
	expect(lenses()).toEqual(['mcpElicitation.forceAnswer']);
	// As when the tab is moved to another group.
	groups[1].tabs.push({ input });
	close(groups[0]);
	expect(lenses()).toEqual(['mcpElicitation.forceAnswer']);
	close(groups[1]);
	expect(lenses()).toEqual([]);
});

it('a response stays open if its request ends while the user confirms that it breaks the schema', async () => {
	const { autoResponders } = world.registry;
	vi.spyOn(autoResponders, 'schemaViolationOf').mockResolvedValue(localizable('Wrong.'));
	const send = vi.fn(async () => true);
	const { drafts, form, input } = await open(send);
	const sending = drafts.send(input.uri);
	const confirmation = await nth(shown, 1);
	form.withdraw(localizable('Gone.'));
	confirmation.choose('Send Anyway');
	const told = await nth(shown, 2);
	told.click();
	await sending;
	expect(send).not.toHaveBeenCalled();
	expect(groups[0].tabs).toHaveLength(1);
	expect(told.text).toBe('The request has ended: this can no longer be sent.');
});

it.each([
	['is closed once it is sent', false],
	['stays open if its request ends while it is checked', true],
])('a response that is being edited %s', async (_, ends) => {
	const { registry } = world;
	const forced = new ForcedAnswers(registry, testCommands(registry));
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
	await forced.force(groups[0].tabs[0]?.input.uri);
	expect(groups[0].tabs).toHaveLength(ends ? 1 : 0);
	expect(textsOf(shown)).toEqual(ends ? ['The request has ended: nothing was sent.'] : []);
	expect(form.response?.action).toBe(ends ? undefined : 'accept');
});
