import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { parseEnv } from 'node:util';

/** What Windows takes for a program where nothing else is said. */
const PATHEXT = '.COM;.EXE;.BAT;.CMD';

/** Where POSIX systems look when there is no `PATH`. */
const DEFAULT_PATH = '/usr/bin:/bin';

/** Where a program is looked for. */
export interface Lookup {
	/** The working directory of the program, absolute. */
	readonly cwd: string;
	/** The environment of the program, as `environmentOf` makes it. */
	readonly env: Readonly<Record<string, string>>;
	readonly platform?: string;
	/** True for a file that may be run. */
	readonly isProgram?: (file: string) => boolean;
}

/**
 * The absolute path of the file that a command stands for; undefined when there is none. A bare name is looked up in `PATH`
 * and nowhere else: Windows itself, and the libraries that imitate it, would look in the working directory first.
 */
export function findProgram(command: string, lookup: Lookup): string | undefined {
	const { cwd, env, platform = process.platform, isProgram = isProgramFile } = lookup;
	const windows = platform === 'win32';
	const path = windows ? win32 : posix;
	if (windows ? /[\\/:]/.test(command) : command.includes('/')) {
		const file = path.resolve(cwd, command);
		// What is not there is said by the attempt to run it.
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

/** The folders that `PATH` names, absolute. One without a name is the working directory; on Windows it is none. */
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

/** On Windows, the file itself where its ending is that of a program, and then with each such ending. */
function candidates(file: string, env: Lookup['env']): string[] {
	const endings = (variable(env, 'PATHEXT') ?? PATHEXT).split(';').filter(Boolean);
	const ends = endings.some((ending) => file.toLowerCase().endsWith(ending.toLowerCase()));
	return [...(ends ? [file] : []), ...endings.map((ending) => file + ending)];
}

/** Names of variables are the same in any case. */
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

/** What an environment file may hold (bytes): nobody reads more. */
const LARGEST_ENV_FILE = 1_000_000;

/** Reads an environment file, once; what it says is what is spawned with. Throws where it cannot be read. */
export function readEnvFile(file: string): { text: string; variables: Record<string, string> } {
	const about = statSync(file);
	if (!about.isFile() || about.size > LARGEST_ENV_FILE) {
		throw new Error('It is no file, or larger than 1 MB.');
	}
	const text = readFileSync(file, 'utf8');
	return { text, variables: parseEnv(text) as Record<string, string> };
}
