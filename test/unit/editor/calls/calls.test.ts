import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { commands } from 'vscode';
import type { CallsContext } from '../../../../src/editor/calls/calls.ts';
import { World } from '../../elicitation/world.ts';

/** What the editor tells the user. */
const told = vi.hoisted(() => [] as string[]);

vi.mock('vscode', async () =>
	(await import('../vscode.ts')).fakeVscode({
		window: {
			showErrorMessage: async () => {},
			showInformationMessage: async (text: string) => void told.push(text),
		},
	}),
);

const { registerCalls } = await import('../../../../src/editor/calls/calls.ts');

let world: World;
let started: string[];

beforeEach(() => {
	world = new World();
	started = [];
	told.length = 0;
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
