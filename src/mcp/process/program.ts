import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { parseEnv } from 'node:util';
import { readRegularFile } from './regularFile.ts';

/** Default of PATHEXT on Windows. */
const PATHEXT = '.COM;.EXE;.BAT;.CMD';

/** The search path on POSIX if PATH isn't set. */
const DEFAULT_PATH = '/usr/bin:/bin';

/** Where to look for a program. */
export interface Lookup {
	/** The absolute working directory of the program. */
	readonly cwd: string;
	/** The environment of the program, from `environmentOf`. */
	readonly env: Readonly<Record<string, string>>;
	readonly platform?: string;
	/** True for an executable file. */
	readonly isProgram?: (file: string) => boolean;
}

/**
 * Resolves a command to the absolute path of a file; `undefined` if there is none. A bare name is looked up in PATH
 * only, whereas Windows and libraries that imitate it search the working directory first.
 */
export function findProgram(command: string, lookup: Lookup): string | undefined {
	const { cwd, env, platform = process.platform, isProgram = isProgramFile } = lookup;
	const windows = platform === 'win32';
	const path = windows ? win32 : posix;
	if (windows ? /[\\/:]/.test(command) : command.includes('/')) {
		const file = path.resolve(cwd, command);
		// A missing file is reported when it is spawned.
		return windows ? (candidates(file, env).find(isProgram) ?? file) : file;
	}
	for (const folder of foldersOnPath(lookup)) {
		const file = path.join(folder, command);
		const found = (windows ? candidates(file, env) : [file]).find(isProgram);
		if (found !== undefined) {
			return found;
		}
	}
	return undefined;
}

/** The absolute folders in PATH. An empty entry means the working directory on POSIX and nothing on Windows. */
export function foldersOnPath({ cwd, env, platform = process.platform }: Lookup): string[] {
	if (platform !== 'win32') {
		return (env['PATH'] ?? DEFAULT_PATH).split(':').map((folder) => posix.resolve(cwd, folder));
	}
	const folders = variable(env, 'PATH')?.split(';') ?? [];
	return folders.flatMap((folder) => {
		const name = folder.replace(/^"(.*)"$/, '$1');
		return name === '' ? [] : [win32.resolve(cwd, name)];
	});
}

/** On Windows, the file itself if it has an executable extension, then the file with each such extension. */
function candidates(file: string, env: Lookup['env']): string[] {
	const endings = (variable(env, 'PATHEXT') ?? PATHEXT).split(';').filter(Boolean);
	const ends = endings.some((ending) => file.toLowerCase().endsWith(ending.toLowerCase()));
	return [...(ends ? [file] : []), ...endings.map((ending) => file + ending)];
}

/** Looks up a variable case-insensitively. */
function variable(env: Lookup['env'], name: string): string | undefined {
	return Object.entries(env).find(([other]) => other.toUpperCase() === name)?.[1];
}

function isProgramFile(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}

/** Max size of an environment file (bytes). */
const LARGEST_ENV_FILE = 1_000_000;

/** Reads an environment file. Call it once: the user consents to its content. Throws if it can't be read. */
export function readEnvFile(file: string): { text: string; variables: Record<string, string> } {
	// Without the byte order mark, which would become part of the first name.
	const text = new TextDecoder().decode(readRegularFile(file, LARGEST_ENV_FILE));
	return { text, variables: parseEnv(text) as Record<string, string> };
}
