import { expect, it, onTestFinished, vi } from 'vitest';
import type { DebuggingContext } from '../../../../../src/editor/debugging/debuggingContext.ts';
import { Emitter } from '../../../../../src/elicitation/emitter.ts';
import { World } from '../../../elicitation/world.ts';

/** The listeners to changes of the watched file. */
const saved = vi.hoisted(() => [] as (() => void)[]);

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({
		workspace: {
			createFileSystemWatcher: () => ({
				onDidChange: (listener: () => void) => saved.push(listener),
				onDidCreate: () => {},
				onDidDelete: () => {},
				dispose: () => {},
			}),
		},
	}),
);

const { Development } = await import('../../../../../src/editor/debugging/development/development.ts');

it('a program that hangs as it starts is replaced at the next change, and only the last one replays the call', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const world = new World();
	const { registry } = world;
	registry.endCall(world.call(), 'succeeded', {});
	let starts = 0;
	let hasStarted = () => {};
	const started = new Promise<object>((resolve) => {
		hasStarted = () => resolve({});
	});
	const server = {
		configured: {
			name: 's',
			source: { folder: { uri: 'file:///workspace' } },
			definition: { dev: { watch: ['*.mjs'], replay: true } },
		},
		state: 'running',
	};
	const run = vi.fn(async () => ({}));
	const servers = {
		entries: [server],
		get: () => server,
		onDidChange: new Emitter<void>().event,
		prepareStartsWith: () => {},
		restart: () => {
			server.state = 'starting';
			starts++;
			// A start that was replaced resolves with its successor.
			return started;
		},
	};
	new Development({ registry, servers, run } as unknown as DebuggingContext);
	for (const at of [1, 2]) {
		for (const listener of saved) {
			listener();
		}
		await vi.advanceTimersByTimeAsync(1_000);
		expect(starts).toBe(at);
	}
	hasStarted();
	await vi.advanceTimersByTimeAsync(1_000);
	expect(run).toHaveBeenCalledTimes(1);
});
