import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRegularFile } from '../../../../src/mcp/process/regularFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcp-elicitation-regular-file-'));
const at = (name: string) => join(folder, name);

afterAll(() => rmSync(folder, { recursive: true }));

describe('a file', () => {
	it.each([0, 1, 4_095, 4_096, 4_097, 100_000])('of %i bytes is read whole, also through a link', (size) => {
		const bytes = Buffer.from(Array.from({ length: size }, (_, index) => index % 251));
		writeFileSync(at('file'), bytes);
		symlinkSync('file', at('link'));
		expect(Buffer.compare(readRegularFile(at('link'), 100_000), bytes)).toBe(0);
		rmSync(at('link'));
	});

	it('that is larger than it may be is not read, and one that is just as large is', () => {
		writeFileSync(at('file'), 'x'.repeat(11));
		expect(() => readRegularFile(at('file'), 10)).toThrow('it is too large');
		expect(readRegularFile(at('file'), 11)).toHaveLength(11);
	});

	it('that is missing, or a folder, is told as that', () => {
		expect(() => readRegularFile(at('missing'), 10)).toThrow('ENOENT');
		expect(() => readRegularFile(folder, 10)).toThrow('it is a folder');
	});
});

describe.skipIf(process.platform === 'win32')('what is no file', () => {
	it.each(['/dev/zero', '/dev/null', '/dev/urandom'])('is not read: %s', (device) => {
		symlinkSync(device, at('device'));
		expect(() => readRegularFile(at('device'), 10)).toThrow('it is not a regular file');
		rmSync(at('device'));
	});

	it('is not waited for: a pipe that nobody writes to', () => {
		execFileSync('mkfifo', [at('pipe')]);
		expect(() => readRegularFile(at('pipe'), 10)).toThrow('it is not a regular file');
	});

	// Says that it has no size.
	it.runIf(process.platform === 'linux')('counts by what is read, not by the size that the file system tells', () => {
		expect(readRegularFile('/proc/self/status', 100_000).length).toBeGreaterThan(100);
		expect(() => readRegularFile('/proc/self/status', 100)).toThrow('it is too large');
	});
});
