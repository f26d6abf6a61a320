import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { CallsContext } from '../../../../src/editor/calls/calls.ts';
import { World } from '../../elicitation/world.ts';

/** VS Code, with the commands that are registered and what it tells the user. */
const editor = vi.hoisted(() => ({
	commands: new Map<string, (target?: unknown) => Promise<unknown>>(),
	told: [] as string[],
}));

vi.mock('vscode', () => {
	const disposable = { dispose: () => {} };
	return {
		l10n: { t: (text: string) => text, bundle: undefined },
		CancellationError: class extends Error {},
		ProgressLocation: { Window: 10, Notification: 15 },
		Disposable: { from: () => disposable },
		commands: {
			registerCommand: (id: string, run: (target?: unknown) => Promise<unknown>) => {
				editor.commands.set(id, run);
				return disposable;
			},
		},
		workspace: { isTrusted: false, onDidGrantWorkspaceTrust: () => disposable },
		window: {
			withProgress: async () => {},
			showErrorMessage: async () => {},
			showInformationMessage: async (text: string) => void editor.told.push(text),
		},
	};
});

const { registerCalls } = await import('../../../../src/editor/calls/calls.ts');

let world: World;
let started: string[];

beforeEach(() => {
	world = new World();
	started = [];
	editor.told.length = 0;
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
		memory: { get: () => undefined, update: async () => {} },
		secrets: { hide: (text: string) => text },
	} as unknown as CallsContext);
});

const run = (id: string, target: unknown) => editor.commands.get(`mcpElicitation.${id}`)?.(target);

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
	vi.useFakeTimers({ toFake: ['Date', 'performance'] });
	onTestFinished(() => void vi.useRealTimers());
	await Promise.all([run('callAgain', { call }), run('callAgain', { call })]);
	expect(started).toEqual(['s']);
	vi.advanceTimersByTime(500);
	await run('callAgain', { call });
	expect(started).toEqual(['s', 's']);
});

it.each(['getPrompt', 'readResource'])('%s is not offered for the temporary connection of a trial', async (command) => {
	await run(command, undefined);
	expect(started).toEqual(['one']);
});
