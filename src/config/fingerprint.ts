import type { ServerDefinition } from './definition.ts';

/**
 * Everything about a definition that decides what runs or where data goes, in one canonical text: consent is bound to
 * its hash. How questions are presented (`elicitation`, `protocolVersion`) is not part of it.
 */
export function effectiveContent(definition: ServerDefinition, source: string): string {
	const content =
		definition.type === 'stdio'
			? [
					definition.command,
					definition.args,
					definition.cwd ?? null,
					sorted(definition.env),
					definition.envFile ?? null,
				]
			: [definition.url, sorted(definition.headers)];
	return JSON.stringify([source, definition.name, definition.type, ...content]);
}

function sorted(map: Readonly<Record<string, string | null>>): [string, string | null][] {
	return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
}
