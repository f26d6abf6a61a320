import type { HttpDefinition, ServerDefinition, StdioDefinition } from './definition.ts';
import type { Start } from './start.ts';

/** What of a definition decides what runs or where data goes, in the order in which changes are told. */
export const PARTS = ['type', 'command', 'args', 'cwd', 'env', 'envFile', 'url', 'headers', 'oauth'] as const;

export type Part = (typeof PARTS)[number];

/**
 * Everything that decides what runs or where data goes, in a canonical text for each part: consent is bound to their hashes.
 * Both what is written and what has come of it count, and all of the environment file. How questions are presented
 * (`elicitation`, `protocolVersion`) is not among them.
 */
export function effectiveParts({ written, shown, program }: Start): Partial<Record<Part, string>> {
	const both = (read: (definition: ServerDefinition) => unknown) => JSON.stringify([read(written), read(shown)]);
	if (shown.type === 'stdio') {
		const of = (read: (definition: StdioDefinition) => unknown) =>
			both((definition) => definition.type === 'stdio' && read(definition));
		const { file, cwd, envFile } = program ?? {};
		return {
			type: shown.type,
			command: of(({ command }) => [command, file]),
			args: of(({ args }) => args),
			cwd: of((definition) => [definition.cwd, cwd]),
			env: of(({ env }) => sorted(env)),
			envFile: of((definition) => [definition.envFile, envFile?.file, envFile?.text]),
		};
	}
	const of = (read: (definition: HttpDefinition) => unknown) =>
		both((definition) => definition.type !== 'stdio' && read(definition));
	return {
		type: shown.type,
		url: of(({ url }) => url),
		headers: of(({ headers }) => sorted(headers)),
		...(shown.oauth && { oauth: of(({ oauth }) => sorted(oauth ?? {})) }),
	};
}

/**
 * True for two definitions of one server: the same program with the same arguments in the same folder, or the same address.
 * What it is given besides (variables, headers) makes no other server of it.
 */
export function sameServer(one: ServerDefinition, other: ServerDefinition): boolean {
	return telling(one) === telling(other);
}

function telling(definition: ServerDefinition): string {
	return JSON.stringify(
		definition.type === 'stdio' ? [definition.command, definition.args, definition.cwd] : definition.url,
	);
}

function sorted(map: object): unknown[] {
	return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
}
