import type { ServerDefinition } from './definition.ts';

/** Who gets the secrets that a definition asks for. */
export interface Receiver {
	/** The same for the same receiver only. */
	readonly key: string;
	/** What it is, for people: the URL, or the command line. */
	readonly text: string;
}

/**
 * The receiver of what is entered for a definition: over HTTP the URL, on stdio the program with everything that decides what
 * it does.
 * @param definition the effective one, in which inputs stand by their names
 */
export function receiverOf(definition: ServerDefinition): Receiver {
	if (definition.type !== 'stdio') {
		return { key: JSON.stringify([definition.url]), text: definition.url };
	}
	const { command, args, cwd, env, envFile } = definition;
	const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
	return {
		key: JSON.stringify([command, args, cwd ?? null, variables, envFile ?? null]),
		text: [command, ...args].join(' '),
	};
}
