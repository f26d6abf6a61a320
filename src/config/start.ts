import type { ServerDefinition } from './definition.ts';
import { referencesOf } from './variables.ts';

/** What starting a server will do. Known before anything is spawned or sent. */
export interface Start {
	/** The definition as written. */
	readonly written: ServerDefinition;
	/** The definition with variables resolved, except inputs and secrets (`effectiveDefinition`). */
	readonly shown: ServerDefinition;
	/** The program to run; absent for HTTP servers. */
	readonly program?: Program;
}

/** The resolved program of a server. All paths are absolute. */
export interface Program {
	readonly file: string;
	/** True if the file, or the target of its link, is in a workspace folder. */
	readonly inWorkspace: boolean;
	readonly cwd: string;
	readonly envFile?: EnvFile;
	/** True if names of environment variables are case-insensitive. */
	readonly windows: boolean;
}

/** An environment file. Read once; exactly these variables are passed to the server. */
export interface EnvFile {
	readonly file: string;
	readonly inWorkspace: boolean;
	readonly text: string;
	readonly variables: Readonly<Record<string, string>>;
}

/** The inputs that decide what runs, or which server is reached. They are asked for before consent, which shows the result. */
export function decidingInputs(definition: ServerDefinition, windows: boolean): ReadonlySet<string> {
	const deciding = referencesOf(definition).filter(
		({ path: [member, name], expression }) =>
			expression.startsWith('input:') &&
			(member === 'url' ||
				member === 'command' ||
				member === 'cwd' ||
				member === 'envFile' ||
				(member === 'env' && isPath(String(name), windows))),
	);
	return new Set(deciding.map(({ argument }) => argument ?? ''));
}

/** True for the name of the `PATH` variable. */
export function isPath(name: string, windows: boolean): boolean {
	return (windows ? name.toUpperCase() : name) === 'PATH';
}

/** How the open workspace affects a definition. */
export interface WorkspaceReach {
	/** True for a setting that the workspace sets. */
	sets(key: string): boolean;
	/** True if the working directory is relative to a workspace folder. */
	readonly relative: boolean;
	/** True if `PATH` contains a workspace folder. */
	readonly onPath: boolean;
}

/** True if something else would be started in another workspace or without one. */
export function dependsOnWorkspace({ written, program }: Start, reach: WorkspaceReach): boolean {
	return (
		referencesOf(written).some(
			({ name, argument = '' }) => name.startsWith('workspaceFolder') || (name === 'config' && reach.sets(argument)),
		) ||
		reach.relative ||
		reach.onPath ||
		program?.inWorkspace === true ||
		program?.envFile?.inWorkspace === true
	);
}
