import type { ServerDefinition } from './definition.ts';
import { referencesOf } from './variables.ts';

/** What a start will do, as far as that is known before anything is spawned or sent. */
export interface Start {
	/** The definition as it is written. */
	readonly written: ServerDefinition;
	/** With values for its variables, except that inputs and secrets stand in it by their names (`effectiveDefinition`). */
	readonly shown: ServerDefinition;
	/** What is run; absent for a server that is reached over HTTP. */
	readonly program?: Program;
}

/** The program of a server, found. Its paths are absolute. */
export interface Program {
	readonly file: string;
	/** The file, or what it is a link to, lies in a folder of the workspace. */
	readonly inWorkspace: boolean;
	readonly cwd: string;
	readonly envFile?: EnvFile;
	/** Where names of environment variables are the same in any case. */
	readonly windows: boolean;
}

/** An environment file, read once: these variables are what is spawned with. */
export interface EnvFile {
	readonly file: string;
	readonly inWorkspace: boolean;
	readonly text: string;
	readonly variables: Readonly<Record<string, string>>;
}

/** The inputs on which it depends what is run: they are asked for before consent, which shows what comes of them. */
export function decidingInputs(definition: ServerDefinition, windows: boolean): ReadonlySet<string> {
	const deciding = referencesOf(definition).filter(
		({ path: [member, name], expression }) =>
			expression.startsWith('input:') &&
			(member === 'command' ||
				member === 'cwd' ||
				member === 'envFile' ||
				(member === 'env' && isPath(String(name), windows))),
	);
	return new Set(deciding.map(({ argument }) => argument ?? ''));
}

/** True for the name of the variable that holds the folders in which programs are found. */
export function isPath(name: string, windows: boolean): boolean {
	return (windows ? name.toUpperCase() : name) === 'PATH';
}

/** What the open workspace has to do with a definition. */
export interface WorkspaceReach {
	/** A setting that the workspace sets. */
	sets(key: string): boolean;
	/** The working directory is written relative to its folder. */
	readonly relative: boolean;
	/** The program finds others in it. */
	readonly onPath: boolean;
}

/** True where another workspace, or none, would have something else started. */
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
