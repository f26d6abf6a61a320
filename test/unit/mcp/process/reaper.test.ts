import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Reaper } from '../../../../src/mcp/index.ts';
import { ProcessTree } from '../../../../src/mcp/process/processTree.ts';
import { isAlive } from '../../../harness/processTree.mjs';

/** A fake reaper process that records its input. */
const SCRIPT = `
const { appendFileSync } = require('node:fs');
const note = (line) => appendFileSync(__filename + '.log', process.pid + ' ' + line + '\\n');
note('begun');
require('node:readline').createInterface({ input: process.stdin }).on('line', note);
`;

/** Waits until the assertion holds. */
const soon = (assertion: () => void) => vi.waitFor(assertion);

const gone = (pid: number) => soon(() => expect(isAlive(pid), `${pid} still running`).toBe(false));

it('a reaper that is kept outlives the last server, until it is no longer kept', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'elicitation-reaper-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	const script = join(folder, 'reaper.cjs');
	await writeFile(script, SCRIPT);
	const lines = () => (existsSync(`${script}.log`) ? readFileSync(`${script}.log`, 'utf8').trim().split('\n') : []);
	const reaper = new Reaper(script);
	const kept = reaper.keep();
	for (const pid of [1_000_001, 1_000_002]) {
		reaper.watch(new ProcessTree(pid, 'mark'));
		reaper.release(pid);
	}
	await soon(() => expect(lines()).toHaveLength(5));
	const pid = Number(lines()[0]?.split(' ')[0]);
	expect(lines().every((line) => line.startsWith(`${pid} `))).toBe(true);
	expect(isAlive(pid)).toBe(true);
	kept.dispose();
	await gone(pid);
});

it('a reaper that was killed is replaced with the next server, and the new one learns of the older servers as well', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'elicitation-reaper-'));
	onTestFinished(() => rm(folder, { recursive: true }));
	const script = join(folder, 'reaper.cjs');
	await writeFile(script, SCRIPT);
	const told = () =>
		existsSync(`${script}.log`)
			? readFileSync(`${script}.log`, 'utf8')
					.trim()
					.split('\n')
					.map((line) => line.split(' '))
			: [];
	const reaper = new Reaper(script);
	reaper.watch(new ProcessTree(1_000_001, 'mark'));
	reaper.watch(new ProcessTree(1_000_002, 'mark'));
	reaper.release(1_000_001);
	await soon(() => expect(told()).toHaveLength(4));
	const first = Number(told()[0]?.[0]);
	process.kill(first, 'SIGKILL');
	await gone(first);
	reaper.watch(new ProcessTree(1_000_003, 'mark'));
	await soon(() => expect(told()).toHaveLength(7));
	expect(
		told()
			.slice(4)
			.map(([, line]) => line),
	).toEqual(['begun', '+1000002', '+1000003']);
	const second = Number(told()[4]?.[0]);
	reaper.release(1_000_002);
	reaper.release(1_000_003);
	await gone(second);
});
