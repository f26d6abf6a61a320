import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Output } from '../../../src/cli/output.ts';
import { testServer } from '../mcp/testClient.ts';
import { commandLine, node } from './commandLine.ts';

const program = commandLine();

it('is written to the end of a call although nobody reads it any more', async () => {
	const { folder, file } = program();
	const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
	const server = node(testServer('sdk1.mjs'));
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

it('as JSON has no character that controls a terminal, and says the same', () => {
	let written = '';
	const stdout = { write: (text: string) => (written += text) } as unknown as NodeJS.WriteStream;
	const value = { '\u009b2J': ['\u001b[31m', '\u202egnp', '\u{e0041}', 'line\nline', '名'] };
	new Output(stdout, stdout).json(value);
	expect(written).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
	expect(JSON.parse(written)).toEqual(value);
});
