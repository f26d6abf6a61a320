import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SentRounds } from '../../../../src/editor/calls/sentRounds.ts';

it('a round is sent by one of many windows, and forgotten after a month (K16)', async () => {
	const parent = await mkdtemp(join(tmpdir(), 'mcp-elicitation-rounds-'));
	onTestFinished(() => rm(parent, { recursive: true }));
	const folder = join(parent, 'sentRounds');
	const window = () => new SentRounds(folder);
	const added = await Promise.all(Array.from({ length: 20 }, () => window().add('one')));
	expect(added.filter(Boolean)).toHaveLength(1);
	expect([await window().has('one'), await window().has('two')]).toEqual([true, false]);
	const day = 24 * 60 * 60;
	const now = Date.now() / 1000;
	await utimes(join(folder, 'one'), now, now - 29 * day);
	expect(await window().add('two')).toBe(true);
	expect(await readdir(folder)).toEqual(['one', 'two']);
	await utimes(join(folder, 'one'), now, now - 31 * day);
	expect(await window().add('three')).toBe(true);
	expect((await readdir(folder)).sort()).toEqual(['three', 'two']);
});
