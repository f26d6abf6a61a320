import type { ServerDefinition } from './definition.ts';

/** What of a definition decides what runs or where data goes, in the order in which changes are told. */
export const PARTS = ['type', 'command', 'args', 'cwd', 'env', 'envFile', 'url', 'headers', 'oauth'] as const;

export type Part = (typeof PARTS)[number];

/**
 * Every part of a definition that decides what runs or where data goes, in a canonical text: consent is bound to their
 * hashes. How questions are presented (`elicitation`, `protocolVersion`) is not among them.
 */
export function effectiveParts(definition: ServerDefinition): Partial<Record<Part, string>> {
	return definition.type === 'stdio'
		? {
				type: definition.type,
				command: definition.command,
				args: JSON.stringify(definition.args),
				cwd: definition.cwd ?? '',
				env: sorted(definition.env),
				envFile: definition.envFile ?? '',
			}
		: {
				type: definition.type,
				url: definition.url,
				headers: sorted(definition.headers),
				...(definition.oauth && { oauth: JSON.stringify(Object.entries(definition.oauth).sort()) }),
			};
}

/**
 * True for two definitions of one server: the same program with the same arguments in the same folder, or the same address.
 * What it is given besides (variables, headers) makes no other server of it.
 */
export function sameServer(one: ServerDefinition, other: ServerDefinition): boolean {
	const [a, b] = [effectiveParts(one), effectiveParts(other)];
	const telling = ['command', 'args', 'cwd', 'url'] as const;
	return telling.every((part) => a[part] === b[part]);
}

function sorted(map: Readonly<Record<string, string | null>>): string {
	return JSON.stringify(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}
