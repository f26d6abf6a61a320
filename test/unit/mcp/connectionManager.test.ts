import { describe, expect, it, vi } from 'vitest';
import { ConnectionManager } from '../../../src/mcp/index.ts';
import { isAlive } from '../../harness/processTree.mjs';
import { define, shown, stdio, testClients, testServer } from './testClient.ts';

const world = testClients();
const sdk1 = testServer('sdk1.mjs');

describe('the connection manager', () => {
	it('opens a temporary connection outside the definitions that shares the credentials and the log of its server, until it is closed', async () => {
		const here = world();
		const connectionManager = new ConnectionManager(here);
		const secrets = vi.spyOn(here.signIn, 'secret');
		try {
			connectionManager.openTemporaryConnection(define('web · test', { url: 'http://127.0.0.1:9/mcp' }), 'web');
			expect(secrets.mock.calls).toEqual([['web']]);
			const temporary = connectionManager.openTemporaryConnection({ ...stdio('a', sdk1), name: 'a · test' }, 'a');
			await temporary.start();
			await connectionManager.update([stdio('a', sdk1)]);
			expect([temporary.state, connectionManager.get('a · test'), connectionManager.connections.length]).toEqual([
				'running',
				temporary,
				1,
			]);
			expect(here.logs.find((line) => line.includes('Connected'))).toMatch(/^info: \[a · test\] Connected/);
			await connectionManager.closeTemporaryConnection('a · test');
			expect(here.logged).not.toContain('a · test');
			expect([temporary.state, connectionManager.get('a · test')]).toEqual(['stopped', undefined]);
		} finally {
			await connectionManager.dispose();
		}
	});

	it('follows the configuration: unchanged servers keep running, changed and removed ones are stopped', async () => {
		const here = world();
		const connectionManager = new ConnectionManager(here);
		const changed = vi.fn();
		connectionManager.onDidChange(changed);
		try {
			expect(await connectionManager.update([stdio('a', sdk1), stdio('b', sdk1), stdio('c', sdk1)])).toEqual([]);
			expect(connectionManager.connections.map(({ name, state }) => [name, state])).toEqual([
				['a', 'stopped'],
				['b', 'stopped'],
				['c', 'stopped'],
			]);
			const [a, b, c] = connectionManager.connections;
			await Promise.all([a?.start(), b?.start(), c?.start()]);
			expect(changed).toHaveBeenCalled();
			expect(await connectionManager.update([stdio('c', sdk1), stdio('a', sdk1, [], { env: { NEW: '1' } })])).toEqual([
				'a',
			]);
			expect(connectionManager.connections.map(({ name, state }) => [name, state])).toEqual([
				['c', 'running'],
				['a', 'stopped'],
			]);
			expect(connectionManager.get('c')).toBe(c);
			expect([a?.state, b?.state, connectionManager.get('b')]).toEqual(['stopped', 'stopped', undefined]);
		} finally {
			await connectionManager.dispose();
		}
		expect(connectionManager.connections.map(({ state }) => state)).toEqual(['stopped', 'stopped']);
	});

	it('starts servers with resolved variables, and leaves unchanged ones alone', async () => {
		const here = world();
		const connectionManager = new ConnectionManager(here);
		const wanted = (more: object = {}) =>
			stdio('a', '${workspaceFolder}/sdk1.mjs', [], { env: { A: '1', B: '2' }, ...more });
		const resolved = stdio('a', sdk1, [], { env: { A: '1', B: '2' } });
		try {
			await connectionManager.update([wanted()]);
			const connection = await connectionManager.resolve(resolved);
			expect(connection).toBe(connectionManager.get('a'));
			expect(connection?.definition).toBe(resolved);
			await connection?.start();
			expect(await connectionManager.update([wanted({ env: { B: '2', A: '1' } })])).toEqual([]);
			expect(connectionManager.get('a')).toBe(connection);
			expect(connection?.state).toBe('running');
			expect(await connectionManager.resolve(stdio('a', sdk1, [], { env: { B: '2', A: '1' } }))).toBe(connection);
			expect(connectionManager.wanted('a')).toEqual(wanted());
			expect(await connectionManager.resolve(stdio('b', sdk1))).toBeUndefined();

			const other = await connectionManager.resolve(stdio('a', sdk1, [], { env: { A: '3' } }));
			expect(other).not.toBe(connection);
			expect([connection?.state, other?.state]).toEqual(['stopped', 'stopped']);
			await other?.start();
			expect(await connectionManager.update([wanted({ cwd: '/' })])).toEqual(['a']);
			expect(other?.state).toBe('stopped');
		} finally {
			await connectionManager.dispose();
		}
	});

	it.each([
		[
			'is no longer wanted',
			[],
			'It is not defined any more, or turned off. Define it again, then make the call again.',
		],
		['is wanted otherwise', [stdio('a', sdk1, ['more'])], 'Its definition has changed. Make the call again.'],
	])('withdraws the elicitations of a server that %s, and says what to do about its call', async (_what, then, fix) => {
		const here = world();
		const connectionManager = new ConnectionManager(here);
		await connectionManager.update([stdio('a', sdk1)]);
		const calling = connectionManager
			.get('a')
			?.callTool('ask', { params: { message: '', requestedSchema: { type: 'object' } } });
		calling?.catch(() => {});
		const [elicitation] = await here.asked();
		await connectionManager.update(then);
		expect(elicitation.state).toBe('withdrawn');
		await expect(calling).rejects.toThrow(`a: The server was stopped while "ask" was running. ${fix}`);
		await connectionManager.dispose();
	});

	it('leaves no process when it is disposed of', async () => {
		const here = world();
		const connectionManager = new ConnectionManager(here);
		await connectionManager.update([stdio('stubborn', testServer('raw.mjs'), ['stubborn'])]);
		const { pid, child } = shown(await connectionManager.get('stubborn')?.callTool('pids', {}));
		await connectionManager.dispose();
		await vi.waitUntil(() => !isAlive(pid) && !isAlive(child));
	});
});
