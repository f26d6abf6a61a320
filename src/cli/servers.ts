import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, sep } from 'node:path';
import { commandProblems, type RawDefinition } from '../config/commandLine.ts';
import { NOTHING, readContent } from '../config/content.ts';
import { hasUrl, isProgram, type ServerDefinition, type StdioDefinition } from '../config/definition.ts';
import { type InputValue, isSecretArgument, launchOf, secretsIn } from '../config/launch.ts';
import { nearest } from '../config/names.ts';
import { type Kind, type ResolvedServer, resolvePrecedence, type Written } from '../config/precedence.ts';
import { problemSentence } from '../config/problem.ts';
import { proposedName } from '../config/proposedName.ts';
import { readServers } from '../config/readDefinition.ts';
import { SHAPES, type Shape } from '../config/shape.ts';
import { recognize } from '../config/snippet.ts';
import type { VariableSource } from '../config/variables.ts';
import { own } from '../elicitation/json.ts';
import { secretsAmong } from '../elicitation/secretNames.ts';
import { english, render } from '../elicitation/sentence.ts';
import { environmentOf } from '../mcp/process/environment.ts';
import { findProgram, readEnvFile } from '../mcp/process/program.ts';
import { REDACTED } from '../privacy/secrets.ts';
import { variableName } from '../trace/case/caseSecrets.ts';
import type { WrittenServer } from '../trials/caseServer.ts';
import type { Context } from './command.ts';
import { CannotRun, messageOf, withoutSecrets } from './errors.ts';
import { jsonIn, readTextIfThere } from './files.ts';

/** A server that can be started: its definition has no variables, and `envFile` has been read into `env`. */
export interface Startable {
	readonly definition: ServerDefinition;
	/** What must not be shown. */
	readonly secrets: readonly string[];
	/** With variables, for an exported call. */
	readonly written: WrittenServer;
}

/** Where definitions are looked up, relative to the current folder. */
interface Source {
	readonly kind: Kind;
	readonly file: string;
	readonly shape: Shape;
}

const SOURCES: readonly Source[] = [
	{ kind: 'workspace', file: join('.vscode', 'settings.json'), shape: SHAPES.settings },
	{ kind: 'mcpJson', file: join('.vscode', 'mcp.json'), shape: SHAPES.mcpJson },
	{ kind: 'shared', file: '.mcp.json', shape: SHAPES.shared },
];

/**
 * The server that a person wrote down: a URL, a command line of several words, or else a configured name. The text alone decides
 * which of them it is, whatever the names in the folder are. Rejects with a CannotRun.
 */
export function serverOf(text: string, context: Context): Promise<Startable> {
	return /\s|^[a-z][a-z\d+.-]*:/i.test(text.trim()) ? described(text, context) : serverNamed(text, context);
}

/** The server of a configured name. Rejects with a CannotRun. */
export async function serverNamed(text: string, context: Context): Promise<Startable> {
	const { servers, settings, broken } = await configuredServers(context.folder);
	const server = servers.find(({ name }) => name === text);
	for (const { text: content, error } of broken) {
		// Another definition of that name may be in it.
		if (!server || content.includes(JSON.stringify(text))) {
			throw error;
		}
		context.output.tell(messageOf(error));
	}
	if (server) {
		return configured(server, settings, context);
	}
	const names = servers.map(({ name }) => name);
	const meant = nearest(text, names);
	throw new CannotRun(
		`No server is named "${text}" in ${SOURCES.map(({ file }) => file).join(', ')} of ${context.folder}.`,
		meant !== undefined
			? `Did you mean "${meant}"?`
			: names.length > 0
				? `Servers there: ${names.join(', ')}.`
				: 'Name a server that is defined there, or give a command line or a URL instead.',
	);
}

/** The server that a command line, a URL, or a link that installs it describes. Rejects with a CannotRun. */
export async function described(text: string, context: Context): Promise<Startable> {
	const recognized = recognize(text);
	if (!recognized || !('snippet' in recognized)) {
		throw new CannotRun(
			recognized ? render(recognized, english) : 'The command line of the server is empty.',
			'Give a command line, or the URL of a server.',
		);
	}
	const { servers, inputs } = recognized.snippet;
	const [first] = servers;
	if (recognized.kind === 'json' && first) {
		// As in a file, it may have variables.
		const source: Source = { kind: 'mcpJson', file: 'what you gave', shape: SHAPES.mcpJson };
		const name = first.name ?? (proposedName(first.definition) || 'server');
		const content = readContent({ servers: { [name]: first.definition }, inputs }, source.shape);
		const [server] = resolvePrecedence([{ source, content }]);
		if (server) {
			return configured(server, {}, context);
		}
	}
	const { folder, env } = context;
	const definition = definitionFrom(first?.definition ?? {});
	const variables = variablesOf(false, undefined, folder, env);
	return {
		definition: startable(definition, folder),
		secrets: secretsIn(definition),
		written: writtenFrom(definition, variables, []),
	};
}

/** Reads a definition that is no entry of a file. Throws a CannotRun. */
export function definitionFrom(raw: RawDefinition): ServerDefinition {
	const { servers, problems } = readServers({ [proposedName(raw) || 'server']: raw });
	const [definition] = servers;
	if (!definition) {
		const [problem] = problems;
		throw new CannotRun(problem ? render(problemSentence(problem), english) : '', 'Correct the server.');
	}
	return definition;
}

/** What will be started or connected to, on one line. Without arguments that are secrets by the names before them. */
export function startText(definition: ServerDefinition): string {
	return isProgram(definition)
		? `${[quoted(definition.command), ...argumentsText(definition)].join(' ')} (in ${definition.cwd})`
		: definition.url;
}

function argumentsText({ args }: StdioDefinition): string[] {
	return args.map((arg, index) => (isSecretArgument(arg, args[index - 1] ?? '') ? REDACTED : quoted(arg)));
}

function quoted(word: string): string {
	return /^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word);
}

/**
 * Looks up the program and reads the environment file of a definition without variables. Throws a CannotRun.
 * @param folder what relative paths are based on
 */
export function startable(definition: ServerDefinition, folder: string): ServerDefinition {
	if (hasUrl(definition)) {
		return definition;
	}
	const { envFile: _, ...rest } = definition;
	const cwd = folderOf(definition, folder);
	const env = { ...variablesIn(definition, folder), ...rest.env };
	const command = findProgram(rest.command, { cwd, env: environmentOf(env) });
	const [line] = commandProblems(definition, () => command !== undefined && existsSync(command));
	if (command === undefined || line) {
		throw new CannotRun(
			`The command "${rest.command}" of the server was not found.`,
			line ? render(problemSentence(line), english) : 'Check its spelling, and that it is on the PATH.',
		);
	}
	return { ...rest, command, cwd, env };
}

function folderOf({ cwd }: StdioDefinition, folder: string): string {
	return cwd === undefined ? folder : isAbsolute(cwd) ? cwd : join(folder, cwd);
}

/** The variables in the environment file of a definition; none without one. */
function variablesIn(definition: StdioDefinition, folder: string): Record<string, string> {
	const { envFile } = definition;
	if (envFile === undefined) {
		return {};
	}
	const file = isAbsolute(envFile) ? envFile : join(folderOf(definition, folder), envFile);
	try {
		return readEnvFile(file).variables;
	} catch (error) {
		throw new CannotRun(
			`The environment file "${file}" could not be read: ${messageOf(error)}.`,
			'Create it, or correct "envFile" in the definition of the server.',
		);
	}
}

interface Configured {
	readonly servers: readonly ResolvedServer<Source>[];
	/** The settings of the folder. */
	readonly settings: unknown;
	/** The files that cannot be read, or are not JSON, and why. */
	readonly broken: readonly { readonly text: string; readonly error: unknown }[];
}

async function configuredServers(folder: string): Promise<Configured> {
	let settings: unknown;
	const written: Written<Source>[] = [];
	const broken: Configured['broken'][number][] = [];
	for (const source of SOURCES) {
		let text = '';
		try {
			text = (await readTextIfThere(join(folder, source.file))) ?? '';
			const value = jsonIn(text, source.file);
			settings = source.kind === 'workspace' ? value : settings;
			written.push({ source, content: value === undefined ? NOTHING : readContent(value, source.shape) });
		} catch (error) {
			broken.push({ text, error });
		}
	}
	return { servers: resolvePrecedence(written), settings, broken };
}

/** Resolves the variables of a configured server; its inputs are environment variables here. */
function configured(
	{ name, source, definition, problems, inputs }: ResolvedServer<Source>,
	settings: unknown,
	{ folder, env, output }: Context,
): Startable {
	for (const problem of problems) {
		const what = render(problemSentence(problem), english);
		if (problem.severity === 'error') {
			throw new CannotRun(`The definition of "${name}" cannot be used: ${what}`, `Correct it in ${source.file}.`);
		}
		output.tell(`In the definition of "${name}", ${what}`);
	}
	if (!definition) {
		throw new CannotRun(`The definition of "${name}" cannot be used.`, `Correct it in ${source.file}.`);
	}
	if (definition.disabled) {
		throw new CannotRun(`The server "${name}" is turned off in its definition.`, `Turn it on in ${source.file}.`);
	}
	const values = new Map<string, InputValue>();
	for (const input of inputs) {
		const variable = variableName(input.id);
		const value = env[variable] ?? (input.password ? undefined : input.default);
		if (value === undefined) {
			throw new CannotRun(
				`The server "${name}" needs a value for "\${input:${input.id}}".`,
				`Set the environment variable ${variable}.`,
			);
		}
		values.set(input.id, { value, secret: input.password });
	}
	const variables = variablesOf(source.shape.shell, settings, folder, env);
	const launch = launchOf(definition, variables, values);
	try {
		const [problem] = launch.problems;
		if (problem) {
			throw new CannotRun(
				`The definition of "${name}" cannot be used: ${render(problemSentence(problem), english)}`,
				`Correct it in ${source.file}, or set the variable.`,
			);
		}
		const fromFile = isProgram(launch.definition) ? variablesIn(launch.definition, folder) : {};
		return {
			definition: startable(launch.definition, folder),
			secrets: [...launch.secrets, ...secretsAmong(fromFile)],
			written: writtenFrom(definition, variables, Object.keys(fromFile)),
		};
	} catch (error) {
		throw withoutSecrets(error, launch.secrets);
	}
}

function writtenFrom(
	definition: ServerDefinition,
	variables: VariableSource,
	fromFile: readonly string[],
): WrittenServer {
	return { definition, variables, base: 'workspaceFolder', fromFile, signedIn: false };
}

function variablesOf(shell: boolean, settings: unknown, folder: string, env: Context['env']): VariableSource {
	return {
		workspaceFolder: (name) => (name === undefined ? folder : undefined),
		userHome: homedir,
		pathSeparator: () => sep,
		environment: (name) => env[name],
		configuration: (key) => {
			const value = own(settings, key);
			return typeof value === 'object' || value === undefined ? undefined : String(value);
		},
		input: () => undefined,
		shell,
	};
}
