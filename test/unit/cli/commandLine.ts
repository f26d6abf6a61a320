import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import spawn from 'cross-spawn';
import { afterAll, beforeAll, inject, vi } from 'vitest';
import { packageCli } from '../../../scripts/packageCli.mjs';

declare module 'vitest' {
	interface ProvidedContext {
		/** Outside of the checkout, removed when all tests have run. */
		folderOfRun: string;
	}
}

/** How a run of the program ended. */
export interface Ran {
	readonly status: number;
	readonly stdout: string;
	readonly stderr: string;
}

/** Runs a program, also a script such as npm, with nothing in its environment but these variables and what every program needs. */
export function execute(
	command: string,
	args: readonly string[],
	{ cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Ran> {
	const { PATH = '', HOME = '' } = process.env;
	return new Promise((resolve) => {
		const child = spawn(command, [...args], { cwd, env: { PATH, HOME, ...env }, timeout: 110_000 });
		let stdout = '';
		let stderr = '';
		child.stdout?.setEncoding('utf8').on('data', (chunk) => {
			stdout += chunk;
		});
		child.stderr?.setEncoding('utf8').on('data', (chunk) => {
			stderr += chunk;
		});
		child.on('error', (error) => resolve({ status: -1, stdout, stderr: `${stderr}${error.message}` }));
		child.on('close', (code) => resolve({ status: code ?? -1, stdout, stderr }));
	});
}

/** The packed program, and an empty folder to run it in. */
export interface CommandLine {
	/** The current folder of the program. */
	readonly folder: string;
	readonly tarball: string;
	/** The program as it is packed. */
	readonly file: string;
	/** Runs it. */
	run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
}

/** The packed program, for all test files of this process. */
let packing: ReturnType<typeof packageCli> | undefined;

/** Gives the tests of a file the packed program, and a folder of their own. */
export function commandLine(): () => CommandLine {
	// Each run starts several processes.
	vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });
	let folder = '';
	let packed: Awaited<ReturnType<typeof packageCli>>;
	beforeAll(async () => {
		packing ??= mkdtemp(join(inject('folderOfRun'), 'cli-')).then((packages) => packageCli(packages));
		packed = await packing;
		folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-cli-'));
	});
	afterAll(() => rm(folder, { recursive: true, force: true }));
	return () => ({
		folder,
		tarball: packed.tarball,
		file: join(packed.folder, 'cli.mjs'),
		run: (args, env = {}) => execute(process.execPath, [join(packed.folder, 'cli.mjs'), ...args], { cwd: folder, env }),
	});
}
