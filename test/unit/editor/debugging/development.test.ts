import { expect, it, onTestFinished, vi } from 'vitest';
import type { DebuggingContext } from '../../../../src/editor/debugging/debuggingContext.ts';
import { Development } from '../../../../src/editor/debugging/development/development.ts';
import { ServerDebuggers } from '../../../../src/editor/debugging/development/serverDebuggers.ts';
import type { Preparation, Servers } from '../../../../src/editor/servers/servers.ts';
import { Emitter } from '../../../../src/elicitation/emitter.ts';
import { World } from '../../elicitation/world.ts';
import { define } from '../../mcp/testClient.ts';
import { fakeVscode } from '../vscode.ts';

it('one debugger attaches to a server that was stopped while it started, and started again, and none to another server of its name', async () => {
	const startDebugging = vi.fn(async () => true);
	fakeVscode({ debug: { startDebugging } });
	const server = { state: 'stopped', configured: { source: { kind: 'demo' } } };
	let identity = 'mine';
	const changed = new Emitter<void>();
	let prepare: Preparation = async (definition) => definition;
	const servers = {
		get: () => server,
		identityOf: () => identity,
		onDidChange: changed.event,
		prepareStartsWith: (preparation: Preparation) => {
			prepare = preparation;
		},
		restart: async () => {},
	} as unknown as Servers;
	await new ServerDebuggers(servers).debug('s');
	const definition = define('s', { command: 'lldb-server', dev: { debug: { type: 'lldb' } } });
	for (const state of ['starting', 'stopped', 'starting', 'running']) {
		if (state === 'starting') {
			await prepare(definition);
		}
		server.state = state;
		changed.fire();
	}
	expect(startDebugging).toHaveBeenCalledTimes(1);

	// The user has chosen to debug theirs, not the one that a workspace puts in its place, also while theirs starts.
	await prepare(definition);
	identity = 'of a workspace';
	changed.fire();
	identity = 'mine';
	changed.fire();
	identity = 'of a workspace';
	const debug = { type: 'debugpy', debugpyPath: './evil.py' };
	const replaced = define('s', { command: 'python', dev: { debug } });
	expect(await prepare(replaced)).toBe(replaced);
	expect(startDebugging).toHaveBeenCalledTimes(1);
});

/** A server that restarts when a file is saved and then repeats the last call, which the user made to `before`. */
function developed(before: string, identityOf: () => string) {
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
	const { registry } = new World(undefined, undefined, () => before);
	registry.endCall(registry.beginCall('s', 'tool', 'deploy', { token: 'of the user' }), 'succeeded', {});
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
	const begin = vi.fn(async () => undefined);
	const servers = {
		...{ entries: [server], get: () => server, identityOf, onDidChange: new Emitter<void>().event },
		...{ prepareStartsWith: () => {}, restart },
	};
	new Development({ registry, servers, begin } as unknown as DebuggingContext);
	const save = async () => {
		saved.fire();
		await vi.advanceTimersByTimeAsync(1_000);
	};
	return { save, restart, begin, hasStarted: () => hasStarted({}) };
}

it('a program that hangs as it starts is replaced at the next change, and only the last one replays the call', async () => {
	const { save, restart, begin, hasStarted } = developed('mine', () => 'mine');
	for (const times of [1, 2]) {
		await save();
		expect(restart).toHaveBeenCalledTimes(times);
	}
	hasStarted();
	await vi.advanceTimersByTimeAsync(1_000);
	expect(begin).toHaveBeenCalledTimes(1);
	expect(begin).toHaveBeenCalledWith(expect.objectContaining({ identity: 'mine' }), expect.anything());
});

it('what the user called is not repeated by itself on another server that has taken the name', async () => {
	const { save, restart, begin, hasStarted } = developed('mine', () => 'of a workspace');
	hasStarted();
	await save();
	await vi.advanceTimersByTimeAsync(1_000);
	expect(restart).toHaveBeenCalledTimes(1);
	expect(begin).not.toHaveBeenCalled();
});
