import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import spawn from 'cross-spawn';
import { afterAll, beforeAll, expect, inject } from 'vitest';
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

type Variables = Readonly<Record<string, string>>;

/** What every program needs in its environment. */
const basics = () => ({ PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' });

/** Runs a program, also a script such as npm, with nothing in its environment but these variables and what every program needs. */
export function execute(
	command: string,
	args: readonly string[],
	{ cwd, env = {} }: { readonly cwd: string; readonly env?: Variables },
): Promise<Ran> {
	return new Promise((resolve) => {
		const child = spawn(command, [...args], { cwd, env: { ...basics(), ...env }, timeout: 110_000 });
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

let runs = 0;

/** Runs the packed program in this process, which spares it to start and to load what the program is made of. */
async function runHere(file: string, args: readonly string[], cwd: string, env: Variables): Promise<Ran> {
	const [stdout, stderr] = [new PassThrough(), new PassThrough()];
	const { argv, exitCode } = process;
	const own = Object.entries({ env: { ...basics(), ...env }, stdout, stderr, argv: [argv[0], file, ...args] });
	const before = own.map(([name]) => [name, Object.getOwnPropertyDescriptor(process, name) ?? {}] as const);
	const folder = process.cwd();
	try {
		for (const [name, value] of own) {
			Object.defineProperty(process, name, { value, configurable: true, writable: true });
		}
		process.chdir(cwd);
		// Its main module runs anew for each address; what that imports is loaded once.
		await import(`${pathToFileURL(file).href}?run=${++runs}`);
		return {
			status: Number(process.exitCode),
			stdout: String(stdout.read() ?? ''),
			stderr: String(stderr.read() ?? ''),
		};
	} finally {
		process.chdir(folder);
		for (const [name, descriptor] of before) {
			Object.defineProperty(process, name, descriptor);
		}
		process.exitCode = exitCode;
	}
}

/** The packed program, and an empty folder to run it in. */
export interface CommandLine {
	/** The current folder of the program. */
	readonly folder: string;
	readonly tarball: string;
	/** The program as it is packed, for what only a process of its own shows. */
	readonly file: string;
	/** Runs it. */
	run(args: readonly string[], env?: Variables): Promise<Ran>;
	/** Writes a file into the folder: a text, or anything else as JSON. */
	write(name: string, content: unknown): Promise<void>;
	/** Reads a file of the folder. */
	read(name: string): Promise<string>;
}

/** The packed program, for all test files of this process. */
let packing: ReturnType<typeof packageCli> | undefined;

/** Gives the tests of a file the packed program, and a folder of their own. */
export function commandLine(): () => CommandLine {
	let folder = '';
	let packed: Awaited<ReturnType<typeof packageCli>>;
	beforeAll(async () => {
		packing ??= mkdtemp(join(inject('folderOfRun'), 'cli-')).then((packages) => packageCli(packages));
		packed = await packing;
		folder = await mkdtemp(join(tmpdir(), 'mcp-elicitation-cli-'));
	});
	afterAll(() => rm(folder, { recursive: true, force: true }));
	return () => {
		const file = join(packed.folder, 'cli.mjs');
		return {
			...{ folder, tarball: packed.tarball, file },
			run: (args, env = {}) => runHere(file, args, folder, env),
			write: (name, content) =>
				writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content)),
			read: (name) => readFile(join(folder, name), 'utf8'),
		};
	};
}

/** A run that ended with this status, and what it wrote: nothing to one of the two if that is `''`. */
export function ending(status: number, stdout?: RegExp | '', stderr?: RegExp | ''): Ran {
	const written = (its: RegExp | '' | undefined) => (its ? expect.stringMatching(its) : (its ?? expect.any(String)));
	return { status, stdout: written(stdout), stderr: written(stderr) };
}

/** The command line of a server that is a script for Node. */
export function node(...words: readonly string[]): string {
	return [process.execPath, ...words].map((word) => `"${word}"`).join(' ');
}

/** The command line of a server in `peers`. */
export const peer = (name: string) => node(join(import.meta.dirname, 'peers', `${name}.mjs`));
