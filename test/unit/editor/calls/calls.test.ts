import { beforeEach, describe, expect, it, vi } from 'vitest';
import { commands } from 'vscode';
import { beginCall } from '../../../../src/editor/calls/beginCall.ts';
import { type CallsContext, registerCalls } from '../../../../src/editor/calls/calls.ts';
import { showOutcome } from '../../../../src/editor/calls/resultPanel.ts';
import { PendingTree } from '../../../../src/editor/elicitations/pending/pendingTree.ts';
import type { Call, CallRequest } from '../../../../src/elicitation/call.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import type { CallOptions } from '../../../../src/mcp/index.ts';
import { World } from '../../elicitation/world.ts';
import { memento } from '../storage.ts';
import { messages, only, pages, passTime, settled, textsOf } from '../surfaces.ts';
import { testCommands } from '../testCommands.ts';
import { fakeVscode, Uri } from '../vscode.ts';

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

/** The way that the user chooses to call again. */
let how: string;

interface Item {
	readonly label: string;
}

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
	how = 'With the Same Arguments';
	fakeVscode({ window: { showQuickPick: async (items: Item[]) => items.find(({ label }) => label === how) } });
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
		privacy: { hideIn: (text: string) => text },
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
	how = 'Edit Arguments…';
	await run('callAgain', call);
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

describe.each(['With the Same Arguments', 'Edit Arguments…'])(
	'when another server has the name of the one that was called, a call again: %s',
	(chosen) => {
		beforeEach(() => {
			how = chosen;
			askArguments = async (_server, _subject, values) => values as object;
		});

		it('sends it the arguments only if the user says so', async () => {
			const call = called();
			identityOf = () => 'of a workspace';
			await run('callAgain', call.id);
			expect(sent).toEqual([]);
			choice = 'Continue';
			await run('callAgain', call.id);
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
			await run('callAgain', call.id);
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

/** Shows the result of a call in its panel. */
function show(isUserElsewhere: boolean, result: object = {}): void {
	const servers = { get: () => undefined };
	const context = { extensionUri, registry: world.registry, servers, isUserElsewhere: () => isUserElsewhere };
	showOutcome(context as never, world.call('profile'), { result: result as never }, async () => {});
}

it('a result opens without the focus where the user works elsewhere by now', () => {
	show(false);
	show(true);
	expect(panels.map(({ background }) => background)).toEqual([false, true]);
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
	show(false, { contents: [{ uri: 'test://a/profile', text: 'of the server' }] });
	panels[0]?.send({ type: 'save', index: 0 });
	await vi.waitFor(() => expect(writeFile.mock.calls.map(([file]) => file.path)).toEqual(['/folder/profile']));
	type = 65;
	panels[0]?.send({ type: 'save', index: 0 });
	await only(shown);
	expect(textsOf(shown)).toEqual([expect.stringContaining('Nothing was written because')]);
	expect(writeFile).toHaveBeenCalledTimes(1);
});
