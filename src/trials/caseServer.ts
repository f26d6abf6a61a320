import { isAbsolute } from 'node:path';
import { hasUrl, type ServerDefinition } from '../config/definition.ts';
import { isSecretArgument } from '../config/launch.ts';
import { resolveVariables, type VariableSource } from '../config/variables.ts';
import { namesSecret } from '../elicitation/secretNames.ts';
import { beginsWithMark, type CaseSecrets } from '../trace/case/caseSecrets.ts';
import type { CaseServer, Place } from '../trace/case/recordedCase.ts';

/** A server as its definition is written, and what the definition depends on. */
export interface WrittenServer {
	/** With variables. */
	readonly definition: ServerDefinition;
	readonly variables: VariableSource;
	/** What the working directory is relative to. */
	readonly base: Place;
	/** The names of the variables in its `envFile`. */
	readonly fromFile: readonly string[];
	/** The server needs an access token from a sign-in. */
	readonly signedIn: boolean;
}

/**
 * Describes how a test starts or reaches the server: its definition, with environment variables in place of inputs,
 * headers, the server's own environment, and anything that looks like a secret.
 */
export function caseServer(server: WrittenServer, secrets: CaseSecrets): CaseServer {
	const { definition, base, fromFile, signedIn } = server;
	if (hasUrl(definition)) {
		const names = Object.keys(definition.headers);
		const all = signedIn ? [...names, 'Authorization'] : names;
		const { url } = resolved(server, { ...definition, headers: {} }, secrets);
		return {
			type: 'http',
			url: secrets.text(url, 'definition', 'url'),
			headers: Object.fromEntries(all.map((name) => [name, secrets.unknown(name, 'header')])),
		};
	}
	const { envFile: _, ...rest } = definition;
	const { command, args, cwd } = resolved(server, { ...rest, env: {} }, secrets);
	const folder = secrets.place(base);
	const variables = [...fromFile.map((name) => [name, ''] as const), ...Object.entries(definition.env)];
	return {
		type: 'stdio',
		command: secrets.text(command, 'definition', 'command'),
		args: args.map((arg, index) => argument(secrets, arg, args[index - 1] ?? '')),
		cwd: cwd === undefined ? folder : isAbsolute(cwd) || beginsWithMark(cwd) ? cwd : `${folder}/${cwd}`,
		// The names of the variables stay, their values do not.
		env: Object.fromEntries(
			variables.map(([name, value]) => [name, value === null ? null : secrets.environment(name, 'environment')]),
		),
	};
}

/** The definition with each variable replaced by its value or by a placeholder for it. */
function resolved<T extends ServerDefinition>({ variables }: WrittenServer, definition: T, secrets: CaseSecrets): T {
	const { definition: result } = resolveVariables(definition, {
		...variables,
		workspaceFolder: (name) =>
			name === undefined ? secrets.place('workspaceFolder') : variables.workspaceFolder(name),
		userHome: () => secrets.place('userHome'),
		environment: (name) =>
			variables.environment(name) === undefined ? undefined : secrets.environment(name, 'definition'),
		configuration: (key) => {
			const value = variables.configuration(key);
			return value !== undefined && namesSecret(key) ? secrets.unknown(key, 'definition') : value;
		},
		input: (id) => secrets.unknown(id, 'definition'),
	});
	return result as T;
}

function argument(secrets: CaseSecrets, arg: string, before: string): string {
	return isSecretArgument(arg, before)
		? String(secrets.sent(arg, undefined, 'definition', before))
		: secrets.text(arg, 'definition', 'argument');
}
