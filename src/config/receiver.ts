import { kindOfHost } from '../elicitation/url/hosts.ts';
import { parseUrl } from '../elicitation/url/parseUrl.ts';
import { hasUrl, type ServerDefinition } from './definition.ts';

/** The recipient of the secrets in a definition. */
export interface Receiver {
	/** Identifies the recipient. */
	readonly key: string;
	/** Description for the user: the URL or the command line. */
	readonly text: string;
	/** True if it depends on the machine who that is: a program, or a host that every machine or network has. */
	readonly isLocal: boolean;
}

/**
 * The recipient of the values that are entered for a definition: the URL, or the program with everything that decides
 * what it does.
 * @param definition the effective definition, with unresolved inputs
 */
export function receiverOf(definition: ServerDefinition): Receiver {
	if (hasUrl(definition)) {
		return { key: JSON.stringify([definition.url]), text: definition.url, isLocal: isLocalUrl(definition.url) };
	}
	const { command, args, cwd, env, envFile } = definition;
	const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
	return {
		key: JSON.stringify([command, args, cwd ?? null, variables, envFile ?? null]),
		text: [command, ...args].join(' '),
		isLocal: true,
	};
}

function isLocalUrl(url: string): boolean {
	const parsed = parseUrl(url);
	return !parsed || kindOfHost(parsed.hostname) !== 'public';
}
