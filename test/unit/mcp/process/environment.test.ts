import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { environmentOf } from '../../../../src/mcp/process/environment.ts';

describe('the environment of a server', () => {
	const own = {
		PATH: '/usr/bin',
		HOME: '/home/ada',
		LANG: 'C.UTF-8',
		VSCODE_IPC_HOOK: '/run/vscode.sock',
		ELECTRON_RUN_AS_NODE: '1',
		GITHUB_TOKEN: 'secret',
		SHELL: '() { echo exported; }',
	};

	it('has the basics that every program needs, and what is configured', () => {
		expect(environmentOf({ TOKEN: 'mine', PATH: '/opt/bin', HOME: null }, own, 'linux')).toEqual({
			PATH: '/opt/bin',
			LANG: 'C.UTF-8',
			TOKEN: 'mine',
		});
	});

	it('distinguishes upper and lower case, but not on Windows, where the configured spelling replaces every other', () => {
		const windows = { PATH: 'C:\\Windows', PATHEXT: '.EXE;.CMD', SYSTEMROOT: 'C:\\Windows', VSCODE_PID: '1' };
		expect(environmentOf({ Path: 'C:\\Tools', systemroot: null }, windows, 'win32')).toEqual({
			Path: 'C:\\Tools',
			PATHEXT: '.EXE;.CMD',
		});
		expect(environmentOf({ Path: '/opt/bin' }, own, 'linux')).toMatchObject({ PATH: '/usr/bin', Path: '/opt/bin' });
	});
});

/*
 * cross-spawn resolves commands on Windows. What it passes to Windows can be tested on any system that claims to be
 * Windows; that Windows then runs it can't.
 */
describe('a command on Windows', () => {
	const require = createRequire(import.meta.url);
	const modules = () =>
		Object.keys(require.cache).filter((file) => /node_modules\/(cross-spawn|which|path-key|isexe)\//.test(file));
	const forget = () => {
		for (const file of modules()) delete require.cache[file];
	};
	const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;
	afterEach(() => {
		Object.defineProperty(process, 'platform', platform);
		forget();
	});

	/** The spawned program for a command, with these programs on the PATH. */
	async function started(command: string, args: string[], programs: readonly string[]) {
		const folder = await mkdtemp(join(tmpdir(), 'elicitation-windows-'));
		onTestFinished(() => rm(folder, { recursive: true }));
		await mkdir(join(folder, 'bin'));
		for (const program of programs) {
			await writeFile(join(folder, 'bin', program), '');
			await chmod(join(folder, 'bin', program), 0o755);
		}
		forget();
		Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
		const { PATHEXT, comspec } = process.env;
		process.env['PATHEXT'] = '.EXE;.CMD';
		process.env['comspec'] = 'cmd.exe';
		try {
			const { _parse } = require('cross-spawn');
			const { file, ...parsed } = _parse(command, args, { env: { Path: join(folder, 'bin') } });
			return { file, command: parsed.command, args: parsed.args, options: parsed.options };
		} finally {
			for (const [name, value] of Object.entries({ PATHEXT, comspec })) {
				if (value === undefined) delete process.env[name];
				else process.env[name] = value;
			}
		}
	}

	it('that is a script (npx) is found by its extension on the configured PATH and run by the shell, its arguments untouched', async () => {
		const { file, command, args, options } = await started('npx', ['-y', 'a server', 'x&calc', '100%'], ['npx.CMD']);
		expect(file).toMatch(/bin.npx\.CMD$/);
		expect(command).toBe('cmd.exe');
		expect(args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
		expect(args[3]).toBe('"npx ^"-y^" ^"a^ server^" ^"x^&calc^" ^"100^%^""');
		expect(options.windowsVerbatimArguments).toBe(true);
	});

	it('that is a program is started as it is, without a shell', async () => {
		const { command, args } = await started('node', ['a server', 'x&calc'], ['node.EXE']);
		expect([command, args]).toEqual(['node', ['a server', 'x&calc']]);
	});
});
