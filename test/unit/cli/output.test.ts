import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testServer } from '../mcp/testClient.ts';
import { commandLine } from './commandLine.ts';

const program = commandLine();

it('is written to the end of a call although nobody reads it any more', async () => {
	const { folder, file } = program();
	const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
	const server = `"${process.execPath}" "${testServer('sdk1.mjs')}"`;
	const args = ['record', server, 'ask', JSON.stringify({ params: form }), '--timeline', 'the.jsonl'];
	const child = spawn(process.execPath, [file, ...args], { cwd: folder });
	child.stdout.destroy();
	child.stderr.destroy();
	expect(await once(child, 'exit')).toEqual([0, null]);
	expect(await readFile(join(folder, 'the.jsonl'), 'utf8')).toContain('tools/call');
});

it.skipIf(process.platform !== 'linux')('is a failure where it cannot be written', async () => {
	const { folder, file } = program();
	const full = openSync('/dev/full', 'w');
	try {
		const child = spawn(process.execPath, [file, '--help'], { cwd: folder, stdio: ['ignore', full, 'pipe'] });
		let stderr = '';
		child.stderr?.on('data', (data) => {
			stderr += data;
		});
		expect(await once(child, 'close')).toEqual([2, null]);
		expect(stderr).toMatch(/^The output could not be written: ENOSPC.* Check where it goes\.\n$/);
	} finally {
		closeSync(full);
	}
});
