import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Reaper } from '../../../../src/mcp/index.ts';
import { isAlive } from '../../../harness/processTree.mjs';
import { bundle, peer, shown, stdio, type TestClient, testClients, testServer } from '../testClient.ts';

const world = testClients();
const raw = testServer('raw.mjs');

let product: Awaited<ReturnType<typeof bundle>>;
const pids: number[] = [];
beforeAll(async () => {
	product = await bundle({ mcp: 'src/mcp/index.ts', reaper: 'src/mcp/process/reaper.ts' });
});
afterEach(() => {
	// Clean up after a failed test.
	for (const pid of pids.splice(0).filter(isAlive)) process.kill(pid, 'SIGKILL');
});
afterAll(() => product.remove());

/** Waits until all processes have exited. */
async function gone(...all: number[]): Promise<void> {
	await vi.waitFor(() => expect(all.filter(isAlive), 'still running').toEqual([]));
}

/** The processes whose command line contains the text. */
function running(text: string): number[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.filter((pid) => {
			try {
				return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
			} catch {
				return false;
			}
		})
		.map(Number);
}

it('the child of a server that dies by itself goes with it', async () => {
	const here = world();
	const connection = await here.connect(stdio('stubborn', raw, ['stubborn']));
	const { pid, child } = shown(await connection.callTool('pids', {}));
	pids.push(pid, child);
	process.kill(pid, 'SIGKILL');
	await here.until(() => connection.state === 'restarting');
	// Windows has no signals: the process is terminated with code 1.
	expect(connection.failure?.message).toMatch(
		process.platform === 'win32'
			? /^stubborn: The server exited with (signal SIGKILL|code 1)/
			: /^stubborn: The server exited with signal SIGKILL/,
	);
	await gone(pid, child);
});

it.runIf(process.platform === 'linux')('the reaper leaves with the last server', async () => {
	const file = product.file('reaper');
	const here = world(new Reaper(file));
	const first = await here.connect(stdio('one', testServer('sdk1.mjs')));
	const second = await here.connect(stdio('two', testServer('sdk1.mjs')));
	expect(running(file)).toHaveLength(1);
	await first.stop();
	expect(running(file)).toHaveLength(1);
	await second.stop();
	await vi.waitFor(() => expect(running(file), 'still running').toEqual([]));
});

describe.runIf(process.platform === 'linux')(
	'what a server has started in a session of its own, and what has lost its parent',
	() => {
		async function runaway(here: TestClient) {
			const connection = await here.connect(stdio('runaway', raw, ['runaway']));
			const { pid, child, orphan } = shown(await connection.callTool('pids', {}));
			pids.push(pid, child, orphan);
			expect([pid, child, orphan].map(isAlive)).toEqual([true, true, true]);
			return { connection, pid, child, orphan };
		}

		it('is gone when the server is stopped', async () => {
			const { connection, pid, child, orphan } = await runaway(world());
			await connection.stop();
			await gone(pid, child, orphan);
		});

		it('is gone when the server dies by itself', async () => {
			const here = world();
			const { connection, pid, child, orphan } = await runaway(here);
			process.kill(pid, 'SIGKILL');
			await here.until(() => connection.state === 'restarting');
			await gone(pid, child, orphan);
		});

		it('is gone when the host is killed (fault 30)', async () => {
			world();
			const host = spawn(
				process.execPath,
				[peer('host.mjs'), product.file('mcp'), product.file('reaper'), raw, 'runaway'],
				{
					stdio: ['ignore', 'pipe', 'inherit'],
				},
			);
			const [line] = await once(createInterface({ input: host.stdout }), 'line');
			const { pid, child, orphan } = JSON.parse(line);
			pids.push(host.pid as number, pid, child, orphan);
			expect([pid, child, orphan].map(isAlive)).toEqual([true, true, true]);
			host.kill('SIGKILL');
			await once(host, 'exit');
			await gone(pid, child, orphan);
		});

		it('of another server goes on', async () => {
			const here = world();
			const first = await runaway(here);
			const second = await runaway(here);
			await first.connection.stop();
			await gone(first.pid, first.child, first.orphan);
			expect([second.pid, second.child, second.orphan].map(isAlive)).toEqual([true, true, true]);
			await second.connection.stop();
			await gone(second.pid, second.child, second.orphan);
		});
	},
);

// On Linux, the test above is stricter.
it.skipIf(process.platform === 'linux')(
	'a host that is killed leaves neither the server nor its child behind (fault 30)',
	async () => {
		world();
		const host = spawn(process.execPath, [peer('host.mjs'), product.file('mcp'), product.file('reaper'), raw], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const [line] = await once(createInterface({ input: host.stdout }), 'line');
		const { pid, child } = JSON.parse(line);
		pids.push(host.pid as number, pid, child);
		expect([isAlive(pid), isAlive(child)]).toEqual([true, true]);
		host.kill('SIGKILL');
		await once(host, 'exit');
		await gone(pid, child);
	},
);
