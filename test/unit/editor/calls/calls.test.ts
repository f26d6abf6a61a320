import { beforeEach, describe, expect, it, vi } from 'vitest';
import { commands } from 'vscode';
import { beginCall } from '../../../../src/editor/calls/beginCall.ts';
import { type CallsContext, registerCalls } from '../../../../src/editor/calls/calls.ts';
import { OutcomeTabs } from '../../../../src/editor/calls/resultPanel.ts';
import { PendingTree } from '../../../../src/editor/elicitations/pending/pendingTree.ts';
import type { Call, CallRequest } from '../../../../src/elicitation/call.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import type { CallOptions } from '../../../../src/mcp/index.ts';
import { World } from '../../elicitation/world.ts';
import { memento } from '../storage.ts';
import { messages, only, pages, passTime, settled, textsOf } from '../surfaces.ts';
import { testCommands } from '../testCommands.ts';
import { fakeVscode, TabInputWebview, Uri } from '../vscode.ts';

/** The button that the user chooses in dialogs. */
let choice: string | undefined;
const shown = messages(({ detail, choose, click }) => (detail === undefined ? click() : choose(choice)));
const { panels, extensionUri } = pages();

let world: World;
let started: string[];
/** The tools that were called, with their arguments. */
let sent: unknown[];
/** Identifies the server that has each name now. */
let identityOf: (server: string) => string | undefined;

/** What a server becomes when it is started; undefined if it is not. */
let connect: (name: string) => object | undefined;
/** Has the user enter arguments. */
let askArguments: (server: string, subject: object, values: unknown) => Promise<object | undefined>;

beforeEach(() => {
	connect = () => undefined;
	askArguments = async () => undefined;
	world = new World(undefined, undefined, (server) => identityOf(server));
	started = [];
	sent = [];
	choice = undefined;
	identityOf = () => 'mine';
	// The clicks of the test before are long ago.
	passTime(60_000);
	const servers = {
		settled: Promise.resolve(),
		start: async (name: string) => {
			started.push(name);
			return connect(name);
		},
		get: (name: string) => ({ configured: { name, definition: {} }, state: 'running' }),
		identityOf: (server: string) => identityOf(server),
		entries: [
			{ configured: { name: 'one', definition: {} }, state: 'running' },
			{ configured: { name: 'one (forms only)', definition: {} }, state: 'running', temporaryFor: 'one' },
		],
	};
	registerCalls({
		extensionUri,
		isUserElsewhere: () => false,
		registry: world.registry,
		servers,
		commands: testCommands(world.registry, servers),
		waiting: { all: [], keep: () => ({ release: async () => undefined }) },
		memory: memento(),
		privacy: { args: ({ args }: Call) => args, hideIn: (text: string) => text },
		askArguments: (server: string, subject: object, values: unknown) => askArguments(server, subject, values),
	} as unknown as CallsContext);
});

const run = (id: string, target: unknown) => commands.executeCommand(`mcpElicitation.${id}`, target);

it('a call is made again from the tab of its result, also after the timeline was cleared', async () => {
	const call = world.call('deploy', 's');
	await run('callAgain', { call });
	expect(started).toEqual([]);
	world.registry.endCall(call, 'succeeded', {});
	world.registry.forgetEnded();
	await run('callAgain', { call });
	await run('editArguments', call);
	expect(started).toEqual(['s', 's']);
});

it('a double click makes a call again once', async () => {
	const call = world.call('deploy', 's');
	world.registry.endCall(call, 'succeeded', {});
	await Promise.all([run('callAgain', { call }), run('callAgain', { call })]);
	expect(started).toEqual(['s']);
	passTime(500);
	await run('callAgain', { call });
	expect(started).toEqual(['s', 's']);
});

it('a server alone, as the demo is started, offers all that it has', async () => {
	const showQuickPick = vi.fn();
	fakeVscode({ window: { showQuickPick } });
	connect = (name) => ({ name, tools: [{ name: 'deploy' }], prompts: [], resources: [], resourceTemplates: [] });
	await run('callTool', 's');
	expect(textsOf(shown)).toEqual([]);
	expect(showQuickPick.mock.lastCall).toMatchObject([
		[{ label: 'deploy' }],
		{ placeHolder: 'Choose what to call on s' },
	]);
});

/** A server that runs, and whose tool was called with a token. */
function called(): Call {
	connect = (name) => ({
		name,
		state: 'running',
		tools: [{ name: 'deploy', inputSchema: { type: 'object', properties: { token: { type: 'string' } } } }],
		begin: async ({ args }: CallRequest) => ({ call: world.call('deploy', name), send: async () => sent.push(args) }),
	});
	const call = world.registry.beginCall('s', 'tool', 'deploy', { token: 'of the user' });
	world.registry.endCall(call, 'succeeded', {});
	return call;
}

const CHANGED = 'The MCP server "s" is not the one that "deploy" was called on.';

describe.each(['callAgain', 'editArguments'])(
	'when another server has the name of the one that was called, %s',
	(command) => {
		beforeEach(() => {
			askArguments = async (_server, _subject, values) => values as object;
		});

		it('sends it the arguments only if the user says so', async () => {
			const call = called();
			identityOf = () => 'of a workspace';
			await run(command, call.id);
			expect(sent).toEqual([]);
			choice = 'Continue';
			await run(command, call.id);
			expect(sent).toEqual([{ token: 'of the user' }]);
			expect(textsOf(shown)).toEqual([CHANGED, CHANGED]);
		});

		it('sends the one nothing that takes the place of both while the user is asked to start it', async () => {
			const call = called();
			const { name, ...connection } = connect('s') as { name: string };
			connect = () => {
				identityOf = () => 'of a workspace';
				return { name, ...connection };
			};
			await run(command, call.id);
			expect(sent).toEqual([]);
			expect(textsOf(shown)).toEqual([expect.stringContaining('so nothing was sent')]);
		});
	},
);

it('what is entered for a server goes to no other one that takes its name meanwhile, and is not remembered for it', async () => {
	called();
	askArguments = async () => {
		identityOf = () => 'of a workspace';
		return { token: 'typed' };
	};
	await run('callTool', { server: 's', tool: 'deploy' });
	expect(sent).toEqual([]);
	passTime(60_000);
	const values: unknown[] = [];
	askArguments = async (_server, _subject, remembered) => void values.push(remembered);
	await run('callTool', { server: 's', tool: 'deploy' });
	expect(values).toEqual([undefined]);
});

it.each([
	['runs', ['s']],
	['is stopped', ['s', 's']],
])(
	'a tool is called on the connection that has listed it, if that still %s after its arguments are entered',
	async (now, starts) => {
		called();
		const listed = connect('s') as { state: string };
		connect = () => listed;
		askArguments = async () => {
			listed.state = now === 'runs' ? 'running' : 'stopped';
			return { token: 'typed' };
		};
		await run('callTool', { server: 's', tool: 'deploy' });
		expect([started, sent]).toEqual([starts, [{ token: 'typed' }]]);
	},
);

it.each(['getPrompt', 'readResource'])('%s is not offered for the temporary connection of a trial', async (command) => {
	await run(command, undefined);
	expect(started).toEqual(['one']);
});

it('the items of the pending list lead to the call that they belong to', async () => {
	const cancelled: string[] = [];
	const begin = (name: string) => {
		const call = world.call(name);
		const send = ({ signal }: CallOptions) =>
			new Promise<never>((_resolve, reject) => {
				signal?.addEventListener('abort', () => reject(cancelled.push(name)));
			});
		const servers = { start: async () => ({ begin: async () => ({ call, send }) }) };
		const beginning = beginCall(servers as never, 's', { kind: 'tool', name, args: {} });
		beginning.then((begun) => begun?.send()).catch(() => {});
		return call;
	};
	const [, limited, asking] = ['other', 'limited', 'asking'].map(begin) as [Call, Call, Call];
	void world.registry.roundLimit(limited, localizable('Too many.'));
	world.together(asking, 'inputRequired', 'One?', 'Two?');
	await settled();
	const tree = new PendingTree(
		world.registry,
		() => [],
		() => undefined,
		(() => {}) as never,
	);
	const items = tree.getChildren(tree.getChildren()[0]);
	expect(items.map(({ kind }) => kind)).toEqual(['roundLimit', 'group']);
	for (const item of items) {
		await run('cancelCall', item);
	}
	expect(cancelled).toEqual(['limited', 'asking']);
});

it('the arguments of a tool that takes none are not edited, and it is not called for it', async () => {
	connect = (name) => ({ name, state: 'running', tools: [{ name: 'ping', inputSchema: { type: 'object' } }] });
	const call = world.registry.beginCall('s', 'tool', 'ping', {});
	world.registry.endCall(call, 'succeeded', {});
	await run('editArguments', { call });
	expect([textsOf(shown), sent]).toEqual([['s: "ping" takes no arguments.'], []]);
});

/** Groups of editors, and the tabs in them; the first one is active. */
function layout(...groups: readonly { readonly viewColumn: number; readonly tabs: readonly object[] }[]): void {
	const [first] = groups;
	const activeTabGroup = { ...first, activeTab: first?.tabs[0] };
	fakeVscode({ window: { tabGroups: { all: [activeTabGroup, ...groups.slice(1)], activeTabGroup } } });
}

/** The tabs of the results of calls in a window. */
function outcomes() {
	let isUserElsewhere = false;
	const context = {
		extensionUri,
		registry: world.registry,
		servers: { get: () => undefined },
		privacy: { args: ({ args }: Call) => args, hideIn: (value: unknown) => value },
		isUserElsewhere: () => isUserElsewhere,
	};
	const tabs = new OutcomeTabs(context as never);
	return {
		show: (name: string, result: object = {}, column?: number) =>
			tabs.show(world.call(name), { result: result as never }, { column, callAgain: async () => {} }),
		leave: () => {
			isUserElsewhere = true;
		},
	};
}

describe('the tab of a result', () => {
	const TEXT = { isActive: true };
	const resultTab = (isPinned: boolean) => ({
		label: 'profile: result',
		isPinned,
		isActive: false,
		input: new TabInputWebview('mainThreadWebview-mcpElicitation.result'),
	});

	it('is the same for each run of a tool, and another one for another tool', async () => {
		const { show } = outcomes();
		layout();
		show('profile', { content: [1] });
		show('deploy');
		show('profile', { content: [2] });
		await settled();
		expect(panels.map(({ title, revealed }) => [title, revealed])).toEqual([
			['profile: result', 1],
			['deploy: result', 0],
		]);
		expect(panels[0]?.posted.at(-1)).toMatchObject({ model: { result: { content: [2] } } });
		panels[0]?.dispose();
		show('profile');
		expect(panels).toHaveLength(3);
	});

	it('stays as it is if the user has pinned it', () => {
		const { show } = outcomes();
		show('profile');
		for (const panel of panels) {
			panel.visible = false;
		}
		layout({ viewColumn: 1, tabs: [TEXT, resultTab(true)] });
		show('profile');
		expect(panels).toHaveLength(2);
		// The next one is not pinned, though another one of the same name is.
		for (const panel of panels) {
			panel.visible = false;
		}
		layout({ viewColumn: 1, tabs: [TEXT, resultTab(true), resultTab(false)] });
		show('profile');
		expect(panels.map(({ revealed }) => revealed)).toEqual([0, 1]);
	});

	it('takes no place in front of what the user works in, either', () => {
		const { show, leave } = outcomes();
		layout({ viewColumn: 1, tabs: [TEXT, resultTab(false)] }, { viewColumn: 2, tabs: [TEXT] });
		show('profile');
		const [panel] = panels;
		expect(panel?.column).toBe(1);
		leave();
		if (panel) {
			panel.visible = false;
		}
		show('profile');
		expect([panels.length, panel?.column]).toEqual([1, 2]);
	});

	it.each([
		['where the call was started', false, [1, 2], 2, 2],
		['where the user is, if that group is gone', false, [1], 2, 1],
		['beside what the user works in', true, [1], 1, -2],
		['in the other group rather than in a new one', true, [2, 1], 2, 1],
		['where the call was started, if the user works in another group', true, [1, 2, 3], 3, 3],
	])('opens %s', (_where, isElsewhere, columns, column, opened) => {
		const { show, leave } = outcomes();
		layout(...columns.map((viewColumn) => ({ viewColumn, tabs: [TEXT] })));
		if (isElsewhere) {
			leave();
		}
		show('profile', {}, column);
		expect(panels.map(({ background, column }) => [background, column])).toEqual([[isElsewhere, opened]]);
	});
});

it('a resource is saved to no symbolic link, which a workspace may have put under its name', async () => {
	let type = 1;
	const writeFile = vi.fn(async (_file: Uri) => {});
	fakeVscode({
		workspace: {
			workspaceFolders: [{ uri: Uri.file('/folder') }],
			asRelativePath: String,
			fs: { stat: async () => ({ type }), writeFile },
		},
		window: { showSaveDialog: async ({ defaultUri }: { defaultUri: Uri }) => defaultUri },
	});
	outcomes().show('deploy', { contents: [{ uri: 'test://a/profile', text: 'of the server' }] });
	panels[0]?.send({ type: 'save', index: 0 });
	await vi.waitFor(() => expect(writeFile.mock.calls.map(([file]) => file.path)).toEqual(['/folder/profile']));
	type = 65;
	panels[0]?.send({ type: 'save', index: 0 });
	await only(shown);
	expect(textsOf(shown)).toEqual([expect.stringContaining('Nothing was written because')]);
	expect(writeFile).toHaveBeenCalledTimes(1);
});
