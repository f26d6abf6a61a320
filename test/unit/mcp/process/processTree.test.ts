import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProcessTree, taskkill } from '../../../../src/mcp/process/processTree.ts';
import { parsePs, type Running, running } from '../../../../src/mcp/process/running.ts';
import { isAlive } from '../../../harness/processTree.mjs';

/** Modifies the process list, because a reused pid can't be produced on demand. */
const told = vi.hoisted(() => ({ change: (all: readonly unknown[]) => all }));
vi.mock('../../../../src/mcp/process/running.ts', async (original) => {
	const real = await original<typeof import('../../../../src/mcp/process/running.ts')>();
	return { ...real, running: async () => told.change(await real.running()) };
});

describe.skipIf(process.platform === 'win32')('the process tree of a server', () => {
	let leader: ReturnType<typeof spawn>;
	let pid: number;
	beforeEach(async () => {
		leader = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { detached: true, stdio: 'ignore' });
		await once(leader, 'spawn');
		pid = leader.pid as number;
	});
	afterEach(() => {
		told.change = (all) => all;
		leader.kill('SIGKILL');
	});

	it('is ended as long as the pid is still that of the server', async () => {
		const tree = new ProcessTree(pid, 'mark');
		await tree.look();
		await tree.signal('SIGKILL');
		expect(await once(leader, 'exit')).toEqual([null, 'SIGKILL']);
	});

	it('leaves alone a process that has reused the pid of a server', async () => {
		const tree = new ProcessTree(pid, 'mark');
		await tree.look();
		told.change = (all) => (all as Running[]).map((each) => (each.pid === pid ? { ...each, started: 'later' } : each));
		await tree.signal('SIGKILL');
		await tree.signal('SIGTERM');
		expect(isAlive(pid)).toBe(true);
	});

	it('is seen where the system lists it, with the time of its start', async () => {
		const [first, second] = [await running(), await running()].map((all) => all.find((each) => each.pid === pid));
		expect(first).toMatchObject({ pid, parent: process.pid, started: expect.stringMatching(/\d/) });
		expect(second).toEqual(first);
	});
});

it('the process list of macOS is parsed', () => {
	const list = [
		'    1     0 Sat Nov 21 09:00:01 2026    ',
		' 4242     1 Sun Nov  2 13:27:07 2026    ',
		'rubbish',
		'',
	].join('\n');
	expect(parsePs(list)).toEqual([
		{ pid: 1, parent: 0, started: 'Sat Nov 21 09:00:01 2026' },
		{ pid: 4242, parent: 1, started: 'Sun Nov  2 13:27:07 2026' },
	]);
});

it.each([
	['D:\\Win', 'D:\\Win\\System32\\taskkill.exe'],
	['bin', 'C:\\Windows\\System32\\taskkill.exe'],
	[undefined, 'C:\\Windows\\System32\\taskkill.exe'],
])('on Windows the system’s own taskkill is run, whatever is on the PATH (SystemRoot %j)', (SystemRoot, command) => {
	expect(taskkill(17, SystemRoot === undefined ? {} : { SystemRoot })).toEqual([command, ['/pid', '17', '/T', '/F']]);
});
