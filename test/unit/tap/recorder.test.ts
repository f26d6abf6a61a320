import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bundlePrograms } from '../../../scripts/build.mjs';
import { Recorder } from '../../../src/tap/recorder.ts';

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-tap-'));
	await bundlePrograms({ recorder: 'src/tap/worker.ts' }, folder);
	await writeFile(join(folder, 'crashing.mjs'), 'throw new Error("it has crashed")');
	await writeFile(join(folder, 'stuck.mjs'), 'for (;;);');
});

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

const message = Buffer.from('{"jsonrpc":"2.0","method":"notifications/message","params":{}}\n');

/** A recorder, what it records, and why it has failed. */
function recorderOf(program: string, mostWaiting?: number) {
	const file = join(folder, `${program}.jsonl`);
	const onFailure = vi.fn<(why: string) => void>();
	const options = { file, server: 's', id: 'r', secrets: [] };
	const recorder = new Recorder(join(folder, `${program}.mjs`), options, onFailure, mostWaiting);
	return { recorder, onFailure, read: () => readFile(file, 'utf8') };
}

it('what comes faster than it can be recorded is missing, which the recording says', async () => {
	const { recorder, read, onFailure } = recorderOf('recorder', 10_000);
	const copy = recorder.open({ kind: 'stdio', direction: 'received' });
	for (let count = 0; count < 1_000; count++) {
		copy.write(message);
	}
	copy.end();
	await recorder.close();
	const lines = (await read())
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));
	const messages = lines.filter((line) => line.message !== undefined).length;
	const missing = lines.reduce((sum, line) => sum + (line.missing ?? 0), 0);
	expect(messages).toBeGreaterThan(10);
	// The line feeds between the missing lines count, too.
	expect(messages * message.length + missing).toBe(1_000 * message.length);
	expect(onFailure).not.toHaveBeenCalled();
});

it.each([
	['crashes', 'crashing', 'it has crashed'],
	['cannot keep up at all', 'stuck', 'it is too slow'],
])('a recorder that %s says so once, and disturbs nobody', async (_, program, why) => {
	const { recorder, onFailure } = recorderOf(program, 1_000);
	const begin = () => recorder.open({ kind: 'stdio', direction: 'sent' });
	begin().write(message);
	await vi.waitFor(() => {
		begin().write(message);
		expect(onFailure).toHaveBeenCalledOnce();
	});
	expect(onFailure).toHaveBeenCalledWith(expect.stringContaining(why));
	begin().write(Buffer.alloc(100_000));
	await recorder.close();
	expect(onFailure).toHaveBeenCalledOnce();
});
