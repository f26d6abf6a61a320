import { expect, it, onTestFinished, vi } from 'vitest';
import type { DebuggingContext } from '../../../../src/editor/debugging/debuggingContext.ts';
import { Debuggers } from '../../../../src/editor/debugging/development/debuggers.ts';
import { Development } from '../../../../src/editor/debugging/development/development.ts';
import type { Preparation, Servers } from '../../../../src/editor/servers/servers.ts';
import { Emitter } from '../../../../src/elicitation/emitter.ts';
import { World } from '../../elicitation/world.ts';
import { define } from '../../mcp/testClient.ts';
import { fakeVscode } from '../vscode.ts';

it('one debugger attaches to a server that was stopped while it started, and started again', async () => {
	const startDebugging = vi.fn(async () => true);
	fakeVscode({ debug: { startDebugging } });
	const server = { state: 'stopped', configured: { source: { kind: 'demo' } } };
	const changed = new Emitter<void>();
	let prepare: Preparation = async (definition) => definition;
	const servers = {
		get: () => server,
		onDidChange: changed.event,
		prepareStartsWith: (preparation: Preparation) => {
			prepare = preparation;
		},
		restart: async () => {},
	} as unknown as Servers;
	await new Debuggers(servers).debug('s');
	const definition = define('s', { command: 'lldb-server', dev: { debug: { type: 'lldb' } } });
	for (const state of ['starting', 'stopped', 'starting', 'running']) {
		if (state === 'starting') {
			await prepare(definition);
		}
		server.state = state;
		changed.fire();
	}
	expect(startDebugging).toHaveBeenCalledTimes(1);
});

it('a program that hangs as it starts is replaced at the next change, and only the last one replays the call', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const saved = new Emitter<void>();
	const nothing = () => ({ dispose: () => {} });
	fakeVscode({
		workspace: {
			createFileSystemWatcher: () => ({
				...{ onDidChange: saved.event, onDidCreate: nothing, onDidDelete: nothing },
				dispose: () => {},
			}),
		},
	});
	const world = new World();
	const { registry } = world;
	registry.endCall(world.call(), 'succeeded', {});
	const definition = { dev: { watch: ['*.mjs'], replay: true } };
	const source = { folder: { uri: 'file:///workspace' } };
	const server = { configured: { name: 's', source, definition }, state: 'running' };
	let hasStarted = (_connection: object) => {};
	// A start that was replaced resolves with its successor.
	const started = new Promise<object>((resolve) => {
		hasStarted = resolve;
	});
	const restart = vi.fn(() => {
		server.state = 'starting';
		return started;
	});
	const run = vi.fn(async () => ({}));
	const servers = {
		...{ entries: [server], get: () => server, onDidChange: new Emitter<void>().event },
		...{ prepareStartsWith: () => {}, restart },
	};
	new Development({ registry, servers, run } as unknown as DebuggingContext);
	for (const times of [1, 2]) {
		saved.fire();
		await vi.advanceTimersByTimeAsync(1_000);
		expect(restart).toHaveBeenCalledTimes(times);
	}
	hasStarted({});
	await vi.advanceTimersByTimeAsync(1_000);
	expect(run).toHaveBeenCalledTimes(1);
});
