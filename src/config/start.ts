import { decidesWhatRuns, isHarmless } from './decidingVariables.ts';
import { hasUrl, type ServerDefinition } from './definition.ts';
import type { Input } from './inputs.ts';
import { isOfWorkspace, knownUrl, referencesOf } from './variables.ts';

/** What starting a server will do. Known before anything is spawned or sent. */
export interface Start {
	/** The definition as written. */
	readonly written: ServerDefinition;
	/** The definition with variables resolved, except inputs and secrets (`effectiveDefinition`). */
	readonly shown: ServerDefinition;
	/** The program to run; absent for HTTP servers. */
	readonly program?: Program;
	/** The inputs that it uses. */
	readonly inputs: readonly Input[];
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
				member === 'oauth' ||
				(member === 'env' && !isHarmless(String(name), windows))),
	);
	return new Set(deciding.map(({ argument }) => argument ?? ''));
}

/**
 * The part of a definition that decides what runs or which server is reached, although it depends on a secret, so that it cannot be
 * shown; undefined if there is none. A secret may stand in the path of a URL, but not before it.
 * @param shown the effective definition, in which secrets are variables
 * @param real the same with all secrets, at least in part
 */
export function decidedBySecret(shown: ServerDefinition, real: ServerDefinition, windows: boolean): string | undefined {
	if (hasUrl(shown)) {
		const isDocumentKnown = !shown.oauth?.clientMetadataUrl?.includes('${');
		return knownUrl(shown.url) === undefined ? 'url' : isDocumentKnown ? undefined : 'oauth.clientMetadataUrl';
	}
	if (hasUrl(real)) {
		return undefined;
	}
	return (
		(['command', 'cwd', 'envFile'] as const).find((member) => shown[member] !== real[member]) ??
		Object.keys(real.env).find((name) => decidesWhatRuns(name, windows) && shown.env[name] !== real.env[name])
	);
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
			(reference) => isOfWorkspace(reference) || (reference.name === 'config' && reach.sets(reference.argument ?? '')),
		) ||
		reach.relative ||
		reach.onPath ||
		program?.inWorkspace === true ||
		program?.envFile?.inWorkspace === true
	);
}
