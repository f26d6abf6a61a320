import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import * as vscode from 'vscode';
import { commandProblems } from '../../config/commandLine.ts';
import { hasUrl, type ServerDefinition, type StdioDefinition } from '../../config/definition.ts';
import type { Input } from '../../config/inputs.ts';
import { effectiveDefinition, type InputValue, launchOf } from '../../config/launch.ts';
import {
	decidedBySecret,
	decidingInputs,
	dependsOnWorkspace,
	type EnvFile,
	type Program,
	type Start,
} from '../../config/start.ts';
import type { VariableSource } from '../../config/variables.ts';
import { environmentOf } from '../../mcp/process/environment.ts';
import { findProgram, foldersOnPath, readEnvFile } from '../../mcp/process/program.ts';
import { problemText } from '../common/descriptions.ts';
import { localize } from '../common/localize.ts';
import type { ConfiguredServer, Source } from '../common/serverEntry.ts';
import { fromWorkspace, sourceText } from './configSource.ts';
import { ServerError } from './serverError.ts';
import { inFolder } from './variables.ts';

const WINDOWS = process.platform === 'win32';

/** What a start will do, resolved in advance. The start uses exactly what was found and read here. */
export interface StartPlan {
	readonly start: Start;
	/** The workspace defines the server or influences its start. */
	readonly needsConsent: boolean;
}

/** The inputs that must be entered before the command or the URL is known. */
export function inputsBefore({ inputs }: ConfiguredServer, definition: ServerDefinition): Input[] {
	const deciding = decidingInputs(definition, WINDOWS);
	return inputs.filter(({ id, password }) => deciding.has(id) && !password);
}

/**
 * Resolves what a start will do. Throws an error that can be shown to the user.
 * @param entered inputs that have been entered already; nothing depends on the others
 */
export function planStart(
	server: ConfiguredServer,
	written: ServerDefinition,
	variables: VariableSource,
	entered: ReadonlyMap<string, InputValue>,
): StartPlan {
	const { source, inputs } = server;
	const shown = inFolder(effectiveDefinition(written, variables, entered).definition, source);
	if (hasUrl(shown)) {
		refuseSecrets(server, shown, shown);
		const start = { written, shown, inputs };
		const reach = { sets: (key: string) => variables.isOfWorkspace?.(key) === true, relative: false, onPath: false };
		return { start, needsConsent: needsConsent(source, dependsOnWorkspace(start, reach)) };
	}
	// Inputs that affect the command have been entered. Secret ones are replaced by a marker that `refuseSecrets`
	// recognizes.
	const named = server.inputs.map(
		({ id, password }) => [id, { value: password ? '' : `\${input:${id}}`, secret: false }] as const,
	);
	const values = new Map<string, InputValue>([...named, ...entered]);
	const real = launchOf(written, variables, values).definition as StdioDefinition;
	const located = inFolder(real, source);
	refuseSecrets(server, shown, located);
	const { program, env } = findIn(server, written as StdioDefinition, located);
	const start: Start = { written, shown, program, inputs };
	const reach = {
		sets: (key: string) => variables.isOfWorkspace?.(key) === true,
		relative: real.cwd !== undefined && !isAbsolute(real.cwd) && folders().length > 0,
		onPath: foldersOnPath({ cwd: program.cwd, env }).some(isInWorkspace),
	};
	return { start, needsConsent: needsConsent(source, dependsOnWorkspace(start, reach)) };
}

/** The definition to start, with resolved paths and files in place of the configured ones. */
export function started({ start: { program } }: StartPlan, resolved: ServerDefinition): ServerDefinition {
	if (hasUrl(resolved) || !program) {
		return resolved;
	}
	const { envFile: _, ...rest } = resolved;
	const { file, cwd, envFile } = program;
	return { ...rest, command: file, cwd, env: { ...envFile?.variables, ...resolved.env } };
}

/** A server of the user settings runs without consent, unless it depends on the workspace. */
function needsConsent(source: Source, dependsOnWorkspace: boolean): boolean {
	return fromWorkspace(source) || (source.kind === 'user' && dependsOnWorkspace);
}

/** Rejects secrets in what decides what runs or which server is reached, because the user could not see it. */
function refuseSecrets({ name, source }: ConfiguredServer, shown: ServerDefinition, real: ServerDefinition): void {
	const member = decidedBySecret(shown, real, WINDOWS);
	if (member !== undefined) {
		throw new ServerError(
			name,
			localize(
				'Its "{0}" depends on a secret, or on what a command of the editor returns, so what would be started cannot be shown.',
				member,
			),
			localize('Correct its definition in {0}.', sourceText(source)),
			hasUrl(shown) || member in shown ? member.split('.') : ['env', member],
		);
	}
}

function findIn({ name }: ConfiguredServer, written: StdioDefinition, located: StdioDefinition) {
	const { command, cwd = homedir() } = located;
	const envFile = located.envFile === undefined ? undefined : readFile(name, located.envFile, cwd);
	const env = environmentOf({ ...envFile?.variables, ...located.env });
	const file = findProgram(command, { cwd, env });
	const [line] = commandProblems(written, () => file !== undefined && existsSync(file));
	if (file === undefined || line) {
		throw new ServerError(
			name,
			localize('The command "{0}" was not found.', command),
			line
				? problemText(line)
				: localize(
						'Check "command" and "cwd" in its definition, and that the program is on the PATH that the editor was started with.',
					),
			['command'],
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

/** A relative path is resolved against the working directory. */
function readFile(server: string, written: string, cwd: string): EnvFile {
	const file = isAbsolute(written) ? written : join(cwd, written);
	try {
		return { file, inWorkspace: isInWorkspace(file), ...readEnvFile(file) };
	} catch {
		throw new ServerError(
			server,
			localize('The environment file "{0}" could not be read.', file),
			localize('Create it, or correct "envFile" in its definition.'),
			['envFile'],
		);
	}
}

function folders(): string[] {
	return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
}

/** True for a file in a workspace folder, by its path or by the target of its link. */
function isInWorkspace(file: string): boolean {
	return folders().some((folder) => isIn(folder, file) || isIn(realPathOf(folder), realPathOf(file)));
}

function isIn(folder: string, file: string): boolean {
	const way = relative(folder, file);
	return !/^\.\.([\\/]|$)/.test(way) && !isAbsolute(way);
}

function realPathOf(file: string): string {
	try {
		return realpathSync.native(file);
	} catch {
		return file;
	}
}
