import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Uri } from 'vscode';
import { readBytes, readText } from '../../../../src/editor/common/files.ts';
import { bytesOfRecording } from '../../../../src/editor/common/recordingFiles.ts';
import { fakeVscode } from '../vscode.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-read-text-'));
const at = (name: string) => Uri.file(join(folder, name));

afterAll(() => rmSync(folder, { recursive: true }));

describe('a file of the workspace', () => {
	it('is read, unless there is none', async () => {
		writeFileSync(join(folder, 'mcp.json'), '{"ü":1}');
		expect(await readText(at('mcp.json'))).toEqual({ text: '{"ü":1}' });
		expect(await readText(at('missing'))).toEqual({});
		expect(await readText(at(join('mcp.json', 'inner')))).toEqual({});
		expect(await readText(Uri.file(folder))).toEqual({});
		expect(await readText(undefined)).toEqual({});
	});

	it.skipIf(process.platform === 'win32')('that has no end is not read, and said to be no file', async () => {
		symlinkSync('/dev/zero', join(folder, 'zero'));
		execFileSync('mkfifo', [join(folder, 'pipe')]);
		for (const name of ['zero', 'pipe']) {
			expect(await readText(at(name))).toEqual({ failure: 'It is not a file.' });
			await expect(bytesOfRecording(at(name))).rejects.toThrow('It is not a file.');
		}
	});

	it('that is too large is not read', async () => {
		writeFileSync(join(folder, 'large'), Buffer.alloc(16 * 1024 * 1024 + 1, ' '));
		expect(await readText(at('large'))).toEqual({ failure: 'It is larger than 16 MB.' });
	});
});

describe('a file of a virtual workspace', () => {
	const file = { scheme: 'vscode-vfs', path: '/mcp.json' } as never;
	const serve = (type: number, size: number, bytes: number) => {
		const readFile = vi.fn(async () => new Uint8Array(bytes));
		fakeVscode({ workspace: { fs: { stat: async () => ({ type, size }), readFile } } });
		return readFile;
	};

	it('is not even fetched if it says that it is too large, or no file', async () => {
		for (const readFile of [serve(1, 11, 11), serve(0, 1, 1), serve(2, 1, 1)]) {
			await expect(readBytes(file, 10)).rejects.toThrow();
			expect(readFile).not.toHaveBeenCalled();
		}
	});

	it('is not taken if it is larger than it says', async () => {
		serve(1, 0, 11);
		await expect(readBytes(file, 10)).rejects.toThrow('it is too large');
		serve(1 | 64, 10, 10);
		expect(await readBytes(file, 10)).toHaveLength(10);
	});
});
