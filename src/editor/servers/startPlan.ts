import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import * as vscode from 'vscode';
import type { ServerDefinition, StdioDefinition } from '../../config/definition.ts';
import type { InputValue } from '../../config/launch.ts';
import type { EnvFile, Program, Start } from '../../config/start.ts';
import type { VariableSource } from '../../config/variables.ts';
import { environmentOf } from '../../mcp/process/environment.ts';
import { findProgram, foldersOnPath, readEnvFile } from '../../mcp/process/program.ts';
import { type Config, loadConfig } from '../common/loadConfig.ts';
import { localize } from '../common/localize.ts';
import { fromWorkspace, type Source, sourceText } from './configSource.ts';
import type { ConfiguredServer } from './configuration.ts';
import { ServerError } from './serverError.ts';
import { inFolder } from './variables.ts';

const WINDOWS = process.platform === 'win32';

/** A start, looked at before it happens. What was found and read is what is started: nothing is looked up again. */
export interface StartPlan {
	readonly start: Start;
	/** The workspace brings it along, or has a say in it. */
	readonly needsConsent: boolean;
}

/** The inputs that have to be entered before it can be said what is run. */
export async function inputsBefore(definition: ServerDefinition): Promise<ReadonlySet<string>> {
	return (await loadConfig()).decidingInputs(definition, WINDOWS);
}

/**
 * Finds out what a start will do. Throws an error made for people.
 * @param entered the inputs that have been entered already; of the others nothing depends
 */
export async function planStart(
	server: ConfiguredServer,
	written: ServerDefinition,
	variables: VariableSource,
	entered: ReadonlyMap<string, InputValue>,
): Promise<StartPlan> {
	const config = await loadConfig();
	const { source } = server;
	const shown = inFolder(config.effectiveDefinition(written, variables, entered).definition, source);
	if (shown.type !== 'stdio') {
		const start = { written, shown };
		const reach = { sets: (key: string) => isSetByWorkspace(key, source), relative: false, onPath: false };
		return { start, needsConsent: needsConsent(source, config.dependsOnWorkspace(start, reach)) };
	}
	// What decides what is run has been entered, unless it is a secret: in its place stands what `refuseSecrets` recognises.
	const named = server.inputs.map(
		({ id, password }) => [id, { value: password ? '' : `\${input:${id}}`, secret: false }] as const,
	);
	const values = new Map<string, InputValue>([...named, ...entered]);
	const real = config.launchOf(written, variables, values).definition as StdioDefinition;
	const located = inFolder(real, source);
	refuseSecrets(config, server, shown, located);
	const { program, env } = findIn(server, located);
	const start: Start = { written, shown, program };
	const reach = {
		sets: (key: string) => isSetByWorkspace(key, source),
		relative: real.cwd !== undefined && !isAbsolute(real.cwd) && folders().length > 0,
		onPath: foldersOnPath({ cwd: program.cwd, env }).some(isInWorkspace),
	};
	return { start, needsConsent: needsConsent(source, config.dependsOnWorkspace(start, reach)) };
}

/** The definition as it is started: what was found and read in the place of what was written. */
export function started({ start: { program } }: StartPlan, resolved: ServerDefinition): ServerDefinition {
	if (resolved.type !== 'stdio' || !program) {
		return resolved;
	}
	const { envFile: _, ...rest } = resolved;
	const { file, cwd, envFile } = program;
	return { ...rest, command: file, cwd, env: { ...envFile?.variables, ...resolved.env } };
}

/** What was written into the user's own settings runs as they wrote it, unless it depends on what is open. */
function needsConsent(source: Source, dependsOnWorkspace: boolean): boolean {
	return fromWorkspace(source) || (source.kind === 'user' && dependsOnWorkspace);
}

/** Nobody could see what is run if a secret decided it. */
function refuseSecrets(
	{ isPath }: Config,
	{ name, source }: ConfiguredServer,
	shown: StdioDefinition,
	real: StdioDefinition,
): void {
	const path = Object.keys(real.env).find((variable) => isPath(variable, WINDOWS)) ?? '';
	const member =
		(['command', 'cwd', 'envFile'] as const).find((each) => shown[each] !== real[each]) ??
		(shown.env[path] === real.env[path] ? undefined : path);
	if (member !== undefined) {
		throw new ServerError(
			name,
			localize('Its "{0}" depends on a secret, so that nobody could see what would be run.', member),
			localize('Correct its definition in {0}.', sourceText(source)),
		);
	}
}

function findIn({ name }: ConfiguredServer, located: StdioDefinition) {
	const { command, cwd = homedir() } = located;
	const envFile = located.envFile === undefined ? undefined : readFile(name, located.envFile, cwd);
	const env = environmentOf({ ...envFile?.variables, ...located.env });
	const file = findProgram(command, { cwd, env });
	if (file === undefined) {
		throw new ServerError(
			name,
			localize('The command "{0}" was not found.', command),
			localize(
				'Check "command" and "cwd" in its definition, and that the program is on the PATH that the editor was started with.',
			),
		);
	}
	const program: Program = {
		file,
		inWorkspace: isInWorkspace(file),
		cwd,
		...(envFile && { envFile }),
		windows: WINDOWS,
	};
	return { program, env };
}

/** A relative file is relative to the working directory. */
function readFile(server: string, written: string, cwd: string): EnvFile {
	const file = isAbsolute(written) ? written : join(cwd, written);
	try {
		return { file, inWorkspace: isInWorkspace(file), ...readEnvFile(file) };
	} catch {
		throw new ServerError(
			server,
			localize('The environment file "{0}" could not be read.', file),
			localize('Create it, or correct "envFile" in its definition.'),
		);
	}
}

function folders(): string[] {
	return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
}

/** True for a file in a folder of the workspace, by its name or by what it is a link to. */
function isInWorkspace(file: string): boolean {
	return folders().some((folder) => isIn(folder, file) || isIn(real(folder), real(file)));
}

function isIn(folder: string, file: string): boolean {
	const way = relative(folder, file);
	return !/^\.\.([\\/]|$)/.test(way) && !isAbsolute(way);
}

function real(file: string): string {
	try {
		return realpathSync.native(file);
	} catch {
		return file;
	}
}

/** True for a setting whose value would be another one if this workspace did not set it. */
function isSetByWorkspace(key: string, source: Source): boolean {
	const folder = source.kind === 'demo' ? undefined : source.folder;
	const found = vscode.workspace.getConfiguration(undefined, folder?.uri).inspect(key);
	return found?.workspaceValue !== undefined || found?.workspaceFolderValue !== undefined;
}
