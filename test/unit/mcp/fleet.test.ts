import { describe, expect, it, vi } from 'vitest';
import { Fleet } from '../../../src/mcp/index.ts';
import { isAlive } from '../../harness/processTree.mjs';
import { define, shown, stdio, testServer, worlds } from './world.ts';

const world = worlds();
const sdk1 = testServer('sdk1.mjs');

describe('the fleet', () => {
	it('lends a second connection that no definition concerns, that shares the sign-in and the log of its server and ends when it is taken back', async () => {
		const here = world();
		const fleet = new Fleet(here);
		const secrets = vi.spyOn(here.signIn, 'secret');
		try {
			fleet.lend(define('web · test', { url: 'http://127.0.0.1:9/mcp' }), 'web');
			expect(secrets.mock.calls).toEqual([['web']]);
			const lent = fleet.lend({ ...stdio('a', sdk1), name: 'a · test' }, 'a');
			await lent.start();
			await fleet.update([stdio('a', sdk1)]);
			expect([lent.state, fleet.get('a · test'), fleet.connections.length]).toEqual(['running', lent, 1]);
			expect(here.logs.find((line) => line.includes('Connected'))).toMatch(/^info: \[a · test\] Connected/);
			await fleet.takeBack('a · test');
			expect(here.logged).not.toContain('a · test');
			expect([lent.state, fleet.get('a · test')]).toEqual(['stopped', undefined]);
		} finally {
			await fleet.dispose();
		}
	});

	it('follows the wanted definitions: what stays runs on, what changed or is gone is stopped', async () => {
		const here = world();
		const fleet = new Fleet(here);
		const changed = vi.fn();
		fleet.onDidChange(changed);
		try {
			expect(await fleet.update([stdio('a', sdk1), stdio('b', sdk1), stdio('c', sdk1)])).toEqual([]);
			expect(fleet.connections.map(({ name, state }) => [name, state])).toEqual([
				['a', 'stopped'],
				['b', 'stopped'],
				['c', 'stopped'],
			]);
			const [a, b, c] = fleet.connections;
			await Promise.all([a?.start(), b?.start(), c?.start()]);
			expect(changed).toHaveBeenCalled();
			expect(await fleet.update([stdio('c', sdk1), stdio('a', sdk1, [], { env: { NEW: '1' } })])).toEqual(['a']);
			expect(fleet.connections.map(({ name, state }) => [name, state])).toEqual([
				['c', 'running'],
				['a', 'stopped'],
			]);
			expect(fleet.get('c')).toBe(c);
			expect([a?.state, b?.state, fleet.get('b')]).toEqual(['stopped', 'stopped', undefined]);
		} finally {
			await fleet.dispose();
		}
		expect(fleet.connections.map(({ state }) => state)).toEqual(['stopped', 'stopped']);
	});

	it('starts with what the variables stand for, and leaves alone what is wanted as before', async () => {
		const here = world();
		const fleet = new Fleet(here);
		const wanted = (more: object = {}) =>
			stdio('a', '${workspaceFolder}/sdk1.mjs', [], { env: { A: '1', B: '2' }, ...more });
		const resolved = stdio('a', sdk1, [], { env: { A: '1', B: '2' } });
		try {
			await fleet.update([wanted()]);
			const connection = await fleet.resolve(resolved);
			expect(connection).toBe(fleet.get('a'));
			expect(connection?.definition).toBe(resolved);
			await connection?.start();
			expect(await fleet.update([wanted({ env: { B: '2', A: '1' } })])).toEqual([]);
			expect(fleet.get('a')).toBe(connection);
			expect(connection?.state).toBe('running');
			expect(await fleet.resolve(stdio('a', sdk1, [], { env: { B: '2', A: '1' } }))).toBe(connection);
			expect(fleet.wanted('a')).toEqual(wanted());
			expect(await fleet.resolve(stdio('b', sdk1))).toBeUndefined();

			const other = await fleet.resolve(stdio('a', sdk1, [], { env: { A: '3' } }));
			expect(other).not.toBe(connection);
			expect([connection?.state, other?.state]).toEqual(['stopped', 'stopped']);
			await other?.start();
			expect(await fleet.update([wanted({ cwd: '/' })])).toEqual(['a']);
			expect(other?.state).toBe('stopped');
		} finally {
			await fleet.dispose();
		}
	});

	it('withdraws the questions of a server that is no longer wanted', async () => {
		const here = world();
		const fleet = new Fleet(here);
		await fleet.update([stdio('a', sdk1)]);
		const calling = fleet.get('a')?.callTool('ask', { params: { message: '', requestedSchema: { type: 'object' } } });
		calling?.catch(() => {});
		const [elicitation] = await here.asked();
		await fleet.update([]);
		expect(elicitation.state).toBe('withdrawn');
		await expect(calling).rejects.toThrow('a: The server was stopped while "ask" was running.');
	});

	it('leaves no process when it is disposed of', async () => {
		const here = world();
		const fleet = new Fleet(here);
		await fleet.update([stdio('stubborn', testServer('raw.mjs'), ['stubborn'])]);
		const { pid, child } = shown(await fleet.get('stubborn')?.callTool('pids', {}));
		await fleet.dispose();
		await vi.waitUntil(() => !isAlive(pid) && !isAlive(child), { timeout: 10_000 });
	});
});
