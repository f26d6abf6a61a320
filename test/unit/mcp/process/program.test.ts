import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram, foldersOnPath, readEnvFile } from '../../../../src/mcp/process/program.ts';

describe('a program on Windows', () => {
	const files = new Set(['C:\\work\\npx.CMD', 'C:\\work\\bin\\x.EXE', 'C:\\node\\npx.CMD', 'C:\\tools a\\tool.exe']);
	const env = { Path: 'C:\\none;;"C:\\tools a";C:\\node', PATHEXT: '.EXE;.CMD' };
	const find = (command: string, more: Record<string, string> = {}) =>
		findProgram(command, {
			cwd: 'C:\\work',
			env: { ...env, ...more },
			platform: 'win32',
			isProgram: (file) => files.has(file),
		});

	it.each([
		['npx', 'C:\\node\\npx.CMD'],
		['tool.exe', 'C:\\tools a\\tool.exe'],
		['bin\\x', 'C:\\work\\bin\\x.EXE'],
		['./bin/x.EXE', 'C:\\work\\bin\\x.EXE'],
		['.\\npx', 'C:\\work\\npx.CMD'],
		['C:\\node\\npx', 'C:\\node\\npx.CMD'],
		['missing', undefined],
		['C:\\missing', 'C:\\missing'],
	])('is never looked up in the working directory by its bare name: %s', (command, file) => {
		expect(find(command)).toBe(file);
	});

	it('is found nowhere without PATH', () => {
		expect(find('npx', { Path: '' })).toBeUndefined();
	});
});

describe('a program elsewhere', () => {
	let folder = '';

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'elicitation-program-'));
		for (const name of ['a', 'b', 'work']) {
			await mkdir(join(folder, name));
			await writeFile(join(folder, name, 'tool'), '');
		}
		await mkdir(join(folder, 'a', 'folder'));
		await chmod(join(folder, 'b', 'tool'), 0o755);
		await chmod(join(folder, 'work', 'tool'), 0o755);
	});

	afterAll(() => rm(folder, { recursive: true }));

	const find = (command: string, ...path: string[]) =>
		findProgram(command, {
			cwd: join(folder, 'work'),
			env: { PATH: path.map((each) => join(folder, each)).join(':') },
		});

	// Windows has neither these paths nor a permission to execute.
	it.skipIf(process.platform === 'win32')('is the first file on the PATH that may be run', () => {
		expect(find('tool', 'a', 'b', 'work')).toBe(join(folder, 'b', 'tool'));
		expect(find('folder', 'a')).toBeUndefined();
		expect(find('tool', 'a')).toBeUndefined();
	});

	it.skipIf(process.platform === 'win32')('with a path is that file, whether it is there or not', () => {
		expect(find('./tool', 'b')).toBe(join(folder, 'work', 'tool'));
		expect(find('../b/tool', 'a')).toBe(join(folder, 'b', 'tool'));
		expect(find('/nowhere/tool', 'b')).toBe('/nowhere/tool');
	});

	it('is looked up in the folders that the PATH means, the working directory by its empty name', () => {
		expect(foldersOnPath({ cwd: '/project', env: { PATH: '/bin::rel' }, platform: 'linux' })).toEqual([
			'/bin',
			'/project',
			'/project/rel',
		]);
	});

	it('has an environment file that is a file, and is read whole', async () => {
		const file = join(folder, '.env');
		await writeFile(file, '\ufeffA=1\nB="two\nlines"\n# TOKEN=x\n');
		expect(readEnvFile(file)).toEqual({
			text: 'A=1\nB="two\nlines"\n# TOKEN=x\n',
			variables: { A: '1', B: 'two\nlines' },
		});
		await writeFile(file, 'x'.repeat(1_000_001));
		for (const other of [file, folder, '/dev/zero', join(folder, 'missing')]) {
			expect(() => readEnvFile(other)).toThrow();
		}
	});
});
