import { beforeEach, expect, it, vi } from 'vitest';
import { commands } from 'vscode';
import { type CallsContext, registerCalls } from '../../../../src/editor/calls/calls.ts';
import { cancelCall, performCall } from '../../../../src/editor/calls/performCall.ts';
import { showOutcome } from '../../../../src/editor/calls/resultPanel.ts';
import { PendingTree } from '../../../../src/editor/elicitations/pending/tree.ts';
import type { Call } from '../../../../src/elicitation/call.ts';
import { localizable } from '../../../../src/elicitation/sentence.ts';
import type { CallOptions } from '../../../../src/mcp/index.ts';
import { World } from '../../elicitation/world.ts';
import { memento } from '../storage.ts';
import { messages, only, pages, passTime, settled, textsOf } from '../surfaces.ts';
import { fakeVscode, Uri } from '../vscode.ts';

const shown = messages(({ click }) => click());
const { panels, extensionUri } = pages();

let world: World;
let started: string[];

beforeEach(() => {
	world = new World();
	started = [];
	// The clicks of the test before are long ago.
	passTime(60_000);
	const keeper = { begins: () => {}, release: async () => undefined };
	registerCalls({
		registry: world.registry,
		servers: {
			start: async (server: string) => void started.push(server),
			get: () => undefined,
			entries: [
				{ configured: { name: 'one', definition: {} }, state: 'running' },
				{ configured: { name: 'one (forms only)', definition: {} }, state: 'running', temporaryFor: 'one' },
			],
		},
		waiting: { get: async () => ({ keep: () => keeper }) },
		memory: memento(),
		secrets: { hide: (text: string) => text },
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

it.each(['getPrompt', 'readResource'])('%s is not offered for the temporary connection of a trial', async (command) => {
	await run(command, undefined);
	expect(started).toEqual(['one']);
});

it('the items of the pending list lead to the call that they belong to', async () => {
	const cancelled: string[] = [];
	const begin = (name: string) => {
		const call = world.call(name);
		const send = (_: unknown, { signal, onCall }: CallOptions) =>
			new Promise<never>((_resolve, reject) => {
				onCall?.(call);
				signal?.addEventListener('abort', () => reject(cancelled.push(name)));
			});
		performCall({ start: async () => ({}) } as never, 's', { name, send }).catch(() => {});
		return call;
	};
	const [, limited, asking] = ['other', 'limited', 'asking'].map(begin) as [Call, Call, Call];
	void world.registry.roundLimit(limited, localizable('Too many.'));
	world.together(asking, 'inputRequired', 'One?', 'Two?');
	await settled();
	const items = new PendingTree(world.registry, () => [], (() => {}) as never).getChildren();
	expect(items.map(({ kind }) => kind)).toEqual(['roundLimit', 'group']);
	for (const item of items) {
		await cancelCall(item as never);
	}
	expect(cancelled).toEqual(['limited', 'asking']);
});

/** Shows the result of a call in its panel. */
function show(isUserElsewhere: boolean, result: object = {}): void {
	const context = { extensionUri, registry: world.registry, isUserElsewhere: () => isUserElsewhere };
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
