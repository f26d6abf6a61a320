import { beforeEach, describe, expect, it } from 'vitest';
import type { TreeDataProvider, TreeItem } from 'vscode';
import { commands } from 'vscode';
import { timeText } from '../../../../src/editor/common/localize.ts';
import { showError } from '../../../../src/editor/common/notifications.ts';
import { ServerError } from '../../../../src/editor/servers/serverError.ts';
import { registerServersView, type ServerNode } from '../../../../src/editor/servers/serversView/serversView.ts';
import { Emitter } from '../../../../src/elicitation/emitter.ts';
import { messages, settled } from '../surfaces.ts';
import { testCommands } from '../testCommands.ts';
import { fakeVscode } from '../vscode.ts';

let view: TreeDataProvider<ServerNode>;
const revealed: unknown[] = [];
fakeVscode({
	workspace: { isTrusted: true },
	window: {
		createTreeView: (_id: string, { treeDataProvider }: { treeDataProvider: typeof view }) => {
			view = treeDataProvider;
			return {
				visible: false,
				reveal: async (...what: unknown[]) => void revealed.push(what),
				...{ onDidChangeVisibility: () => {}, onDidExpandElement: () => {}, onDidCollapseElement: () => {} },
				dispose: () => {},
			};
		},
	},
});
const shown = messages();

const changed = new Emitter<void>();
const tools = [{ name: 'pay', description: 'Pays.', inputSchema: {} }];
let entry: object;
const configured = {
	name: 'shop',
	source: { kind: 'demo', uri: '' },
	definition: {},
	problems: [],
	others: [],
	inputs: [],
};

/** The server, as it is from now on. */
function become(state: string, connection: object = {}, more: object = {}): void {
	const lists = { tools: [], prompts: [], resources: [], resourceTemplates: [], unsupportedExtensions: [] };
	entry = {
		configured,
		state,
		connection: { name: 'shop', definition: { type: 'stdio' }, ...lists, ...connection },
		...more,
	};
	changed.fire();
}

beforeEach(() => {
	const servers = {
		onDidChange: changed.event,
		get entries() {
			return [entry];
		},
		get: () => entry,
	};
	become('stopped');
	registerServersView(
		servers as never,
		{ sources: [] } as never,
		{} as never,
		{ isGiven: () => false } as never,
		testCommands(),
	);
});

/** The rows below the server. */
async function rows(): Promise<
	{ text: string; isUsable: boolean; menu: string | undefined; command: string | undefined }[]
> {
	const nodes = (await view.getChildren({ kind: 'server', server: 'shop' })) ?? [];
	return nodes.map((node) => {
		const { label, command, contextValue } = view.getTreeItem(node) as TreeItem;
		return { text: String(label), isUsable: command !== undefined, menu: contextValue, command: command?.title };
	});
}

async function serverRow(): Promise<string> {
	return String(((await view.getTreeItem({ kind: 'server', server: 'shop' })) as TreeItem).description);
}

describe('a server that restarts', () => {
	it('keeps its rows, which offer nothing until it runs again, and says when it was restarted', async () => {
		become('running', { tools, revision: '2026-07-28' });
		expect(await rows()).toMatchObject([{ text: 'pay', isUsable: true, menu: expect.stringContaining('.callTool.') }]);
		for (const state of ['restarting', 'starting']) {
			become(state);
			expect((await rows()).filter(({ text }) => text === 'pay')).toMatchObject([{ isUsable: false, menu: '.copy.' }]);
		}
		const at = Date.now();
		become('running', { tools, revision: '2026-07-28', restarted: { times: 1, at } });
		expect(await rows()).toMatchObject([{ text: 'pay', isUsable: true }]);
		expect(await serverRow()).toBe(`2026-07-28 · 1 tool · restarted ${timeText(at)}`);
		become('running', { tools, revision: '2026-07-28', restarted: { times: 3, at } });
		expect(await serverRow()).toContain(`restarted 3 times, last ${timeText(at)}`);
		become('running', { definition: { type: 'http' }, restarted: { times: 3, at } });
		expect(await serverRow()).toContain(`connected again ${timeText(at)}`);
	});

	it.each(['stopped', 'failed'])('has no rows of its tools once it has %s', async (state) => {
		become('running', { tools });
		become(state);
		become('starting');
		expect(await rows()).toEqual([]);
	});
});

describe('a server that could not be started', () => {
	const failure = new ServerError('shop', 'The command "no-such" was not found.', 'Check it.', ['command']);

	it('says why, in a row that leads to the part of its definition', async () => {
		become('failed', {}, { failure });
		expect(await serverRow()).toBe('failed');
		expect((await rows())[0]).toMatchObject({
			text: 'The command "no-such" was not found.',
			command: 'Show Definition',
		});
	});

	it('is told in a notification that leads there, too, and to its log', async () => {
		const ran: unknown[] = [];
		commands.registerCommand('mcpElicitation.showDefinition', (target) => ran.push(target));
		showError(failure);
		expect(shown).toMatchObject([{ buttons: ['Show Definition', 'Show Log'] }]);
		shown[0]?.choose('Show Definition');
		await settled();
		await settled();
		expect(ran).toEqual([{ server: 'shop', path: ['command'] }]);
	});

	it('leads to its log alone where the definition has nothing to do with it', () => {
		showError(new ServerError('shop', 'It is full.', 'Wait.'));
		expect(shown).toMatchObject([{ buttons: ['Show Log'] }]);
	});
});

it('a server that was added is shown and selected', async () => {
	await commands.executeCommand('mcpElicitation.revealServer', 'shop');
	expect(revealed).toEqual([
		[
			{ kind: 'server', server: 'shop' },
			{ select: true, focus: true, expand: true },
		],
	]);
});
