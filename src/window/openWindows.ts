import { chmod, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject, type Json, own } from '../elicitation/json.ts';
import { parsedJson } from '../elicitation/jsonText.ts';

/** A window of the editor that other programs of this user can reach. */
export interface OpenWindow {
	/** Path of its socket or named pipe. */
	readonly address: string;
	/** What a program has to know to be heard. */
	readonly secret: string;
	/** The process that listens. */
	readonly pid: number;
	/** Paths of the folders of its workspace. */
	readonly folders: readonly string[];
	/** Names of the servers that it offers to other clients. */
	readonly servers: readonly string[];
	/** When the user last turned to it (ms since the epoch). */
	readonly usedAt: number;
}

/** The first line that a program sends to a window. Everything after it is for whoever takes the purpose. */
export interface Hello {
	readonly version: 1;
	readonly secret: string;
	/** `connect`: lines of JSON-RPC to and from a server that the window offers. */
	readonly purpose: 'connect';
	/** Name of the server. */
	readonly server: string;
	/** The folder in which the program runs. */
	readonly folder: string;
	/** The program that started it, as the system names it; empty if that is not known. */
	readonly program: string;
}

/** What the window replies to it, in one line: why nothing more will come, if it refuses. */
export interface HelloReply {
	readonly error?: string;
}

/** How the path of the folder begins that holds the socket of a window. */
export const SOCKETS = join(tmpdir(), 'mcp-elicitation-window-');

/** Max length of a file that describes a window (bytes). */
const MAX_FILE = 256 * 1024;

/** Where the windows of this user are described, one file each; only they can read it. */
function windowsFolder(): string {
	return join(homedir(), '.mcp-elicitation', 'windows');
}

/** Describes a window for other programs, in place of what was written for its process before. Rejects with the error of the system. */
export async function publishWindow(window: OpenWindow): Promise<void> {
	const folder = windowsFolder();
	await mkdir(folder, { recursive: true, mode: 0o700 });
	// It may have been made before, by another version or by hand.
	await chmod(folder, 0o700);
	const file = fileOf(window.pid);
	await writeFile(`${file}.new`, JSON.stringify(window), { mode: 0o600 });
	await rename(`${file}.new`, file);
}

/** Never rejects. */
export async function withdrawWindow(pid: number): Promise<void> {
	await rm(fileOf(pid), { force: true }).catch(() => {});
}

/** The windows that run, the one that was used last first. Files of others, which ended without removing them, are removed. */
export async function openWindows(): Promise<OpenWindow[]> {
	const names = await readdir(windowsFolder()).catch(() => []);
	const windows = await Promise.all(names.filter((name) => /^\d+\.json$/.test(name)).map(readWindow));
	return windows.flatMap((window) => window ?? []).sort((one, other) => other.usedAt - one.usedAt);
}

async function readWindow(name: string): Promise<OpenWindow | undefined> {
	const pid = Number.parseInt(name, 10);
	const text = await readFile(fileOf(pid), 'utf8').catch(() => '');
	const window = text.length > MAX_FILE ? undefined : parsedJson(text);
	const described = isOpenWindow(window) && window.pid === pid ? window : undefined;
	if (isRunning(pid)) {
		return described;
	}
	await withdrawWindow(pid);
	if (described?.address.startsWith(SOCKETS)) {
		// The folder has to be empty: it is only the window's own.
		await rm(described.address, { force: true })
			.then(() => rmdir(dirname(described.address)))
			.catch(() => {});
	}
	return undefined;
}

function isOpenWindow(value: unknown): value is OpenWindow {
	return (
		isObject(value) &&
		['address', 'secret'].every((name) => typeof own(value, name) === 'string') &&
		['pid', 'usedAt'].every((name) => typeof own(value, name) === 'number') &&
		['folders', 'servers'].every((name) => isTexts(own(value, name)))
	);
}

function isTexts(value: unknown): boolean {
	return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Reads the first line of a program; undefined if it is none. */
export function readHello(line: string): Hello | undefined {
	const hello: Json | undefined = parsedJson(line);
	return isObject(hello) &&
		hello['version'] === 1 &&
		hello['purpose'] === 'connect' &&
		['secret', 'server', 'folder', 'program'].every((name) => typeof hello[name] === 'string')
		? (hello as unknown as Hello)
		: undefined;
}

function fileOf(pid: number): string {
	return join(windowsFolder(), `${pid}.json`);
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// It runs, and is another user's.
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
