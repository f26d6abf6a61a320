import { type HttpDefinition, hasUrl, isProgram, type ServerDefinition, type StdioDefinition } from './definition.ts';
import { turnsOn } from './development.ts';
import type { Start } from './start.ts';

/** The parts of a definition that decide what runs, where data goes, or what is sent again. Changes are listed in this order. */
export const PARTS = [
	'type',
	'command',
	'args',
	'cwd',
	'env',
	'envFile',
	'url',
	'headers',
	'oauth',
	'roots',
	'inputs',
	'dev',
] as const;

export type Part = (typeof PARTS)[number];

/**
 * Canonical text of each of these parts. Consent is bound to the hashes of these texts.
 * Includes written and resolved values and the contents of the environment file, but not how elicitations are presented
 * (`elicitation`, `protocolVersion`).
 */
export function effectiveParts({ written, shown, program, inputs }: Start): Partial<Record<Part, string>> {
	const { dev } = shown;
	// Absent where it turns nothing on, so that consents to definitions without it stay valid.
	const development = turnsOn(dev) && { dev: JSON.stringify([dev.debug, dev.watch, dev.replay]) };
	const both = (read: (definition: ServerDefinition) => unknown) => JSON.stringify([read(written), read(shown)]);
	// Absent for what is usual, so that consents from before it was part of them stay valid.
	const listed = shown.roots !== 'workspace' && { roots: both(({ roots }) => roots) };
	const proposed = proposals(inputs).length > 0 && { inputs: JSON.stringify(proposals(inputs)) };
	if (isProgram(shown)) {
		const of = (read: (definition: StdioDefinition) => unknown) =>
			both((definition) => isProgram(definition) && read(definition));
		const { file, cwd, envFile } = program ?? {};
		return {
			type: shown.type,
			command: of(({ command }) => [command, file]),
			args: of(({ args }) => args),
			cwd: of((definition) => [definition.cwd, cwd]),
			env: of(({ env }) => sorted(env)),
			envFile: of((definition) => [definition.envFile, envFile?.file, envFile?.text]),
			...listed,
			...proposed,
			...development,
		};
	}
	const of = (read: (definition: HttpDefinition) => unknown) =>
		both((definition) => hasUrl(definition) && read(definition));
	return {
		type: shown.type,
		url: of(({ url }) => url),
		headers: of(({ headers }) => sorted(headers)),
		...(shown.oauth && { oauth: of(({ oauth }) => sorted(oauth ?? {})) }),
		...listed,
		...proposed,
		...development,
	};
}

/** What a definition proposes for values that are asked for, and what is run for those that are not. */
function proposals(inputs: Start['inputs']): unknown[] {
	return inputs.flatMap(({ id, default: value, options, command }): unknown[] =>
		command
			? [[id, command.id, command.args ?? null]]
			: value === undefined && options.length === 0
				? []
				: [[id, value, options.map((each) => [each.label, each.value])]],
	);
}

/**
 * True if two definitions refer to the same server: the same program, arguments and folder, or the same URL. Variables
 * and headers do not matter.
 */
export function sameServer(one: ServerDefinition, other: ServerDefinition): boolean {
	return telling(one) === telling(other);
}

function telling(definition: ServerDefinition): string {
	return JSON.stringify(isProgram(definition) ? [definition.command, definition.args, definition.cwd] : definition.url);
}

function sorted(map: object): unknown[] {
	return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
}
