import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import * as vscode from 'vscode';
import type { ServerDefinition, StdioDefinition } from '../../../config/definition.ts';
import type { CaseSecrets } from '../../../trace/case/caseSecrets.ts';
import type { CaseServer } from '../../../trace/case/recordedCase.ts';
import { type Config, loadConfig } from '../../common/loadConfig.ts';
import { readText } from '../../common/readText.ts';
import type { Source } from '../../servers/configSource.ts';
import type { ConfiguredServer } from '../../servers/configuration.ts';
import { inFolder, variablesOf } from '../../servers/variables.ts';

/** Workspace folder that the definition's relative paths are based on. */
export function folderOf(source: Source): vscode.WorkspaceFolder | undefined {
	return source.kind === 'demo' ? undefined : source.folder;
}

/**
 * Describes how a test starts or reaches the server: its definition, with environment variables in place of inputs,
 * headers, the server's own environment, and anything that looks like a secret.
 * @param signedIn the server needs an access token from a sign-in
 */
export async function exportedServer(
	{ source, definition }: ConfiguredServer & { readonly definition: ServerDefinition },
	signedIn: boolean,
): Promise<(secrets: CaseSecrets) => CaseServer> {
	const config = await loadConfig();
	if (definition.type !== 'stdio') {
		return (secrets) => {
			const names = Object.keys(definition.headers);
			const all = signedIn ? [...names, 'Authorization'] : names;
			const { url } = resolved(config, { ...definition, headers: {} }, source, secrets);
			return {
				type: 'http',
				url: secrets.text(url, 'definition', 'url'),
				headers: Object.fromEntries(all.map((name) => [name, secrets.unknown(name, 'header')])),
			};
		};
	}
	const fromFile = await namesInFile(config, definition, source);
	return (secrets) => {
		const { envFile: _, ...rest } = definition;
		const { command, args, cwd } = resolved(config, { ...rest, env: {} }, source, secrets);
		const inWorkspace = folderOf(source)?.uri.scheme === 'file' && (cwd !== undefined || source.kind !== 'user');
		const base = secrets.place(inWorkspace ? 'workspaceFolder' : 'userHome');
		return {
			type: 'stdio',
			command: secrets.text(command, 'definition', 'command'),
			args: args.map((arg, index) => argument(config, secrets, arg, args[index - 1] ?? '')),
			cwd: cwd === undefined ? base : isAbsolute(cwd) || cwd.startsWith(base) ? cwd : `${base}/${cwd}`,
			env: environmentOf([...fromFile, ...Object.entries(definition.env)], secrets),
		};
	};
}

/** The definition with each variable replaced by its value or by a placeholder for it. */
function resolved<T extends ServerDefinition>(config: Config, definition: T, source: Source, secrets: CaseSecrets): T {
	const values = variablesOf(source);
	const { definition: result } = config.resolveVariables(definition, {
		...values,
		workspaceFolder: (name) => (name === undefined ? secrets.place('workspaceFolder') : values.workspaceFolder(name)),
		userHome: () => secrets.place('userHome'),
		environment: (name) =>
			values.environment(name) === undefined ? undefined : secrets.environment(name, 'definition'),
		configuration: (key) => {
			const value = values.configuration(key);
			return value !== undefined && config.namesSecret(key) ? secrets.unknown(key, 'definition') : value;
		},
		input: (id) => secrets.unknown(id, 'definition'),
	});
	return result as T;
}

/** `--token abc` is as secret as `--token=abc`. */
function argument(config: Config, secrets: CaseSecrets, arg: string, before: string): string {
	const named = /^-[^=]+$/.test(before) && !arg.startsWith('-') && config.namesSecret(before);
	return named
		? String(secrets.sent(arg, undefined, 'definition', before))
		: secrets.text(arg, 'definition', 'argument');
}

/** Keeps the names of environment variables and leaves their values out. */
function environmentOf(
	variables: readonly (readonly [name: string, value: string | null | undefined])[],
	secrets: CaseSecrets,
): Record<string, string | null> {
	return Object.fromEntries(
		variables.map(([name, value]) => [name, value === null ? null : secrets.environment(name, 'environment')]),
	);
}

/** Names of the variables in `envFile`; none if it cannot be read. */
async function namesInFile(
	config: Config,
	definition: StdioDefinition,
	source: Source,
): Promise<[string, string | undefined][]> {
	const effective = inFolder(config.effectiveDefinition(definition, variablesOf(source)).definition, source);
	if (effective.type !== 'stdio' || effective.envFile === undefined) {
		return [];
	}
	const { envFile, cwd = '' } = effective;
	const { text = '' } = await readText(vscode.Uri.file(isAbsolute(envFile) ? envFile : join(cwd, envFile)));
	return Object.entries(parseEnv(text));
}
