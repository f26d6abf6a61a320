import { type Content, namesIn } from './content.ts';
import type { ServerDefinition } from './definition.ts';
import type { Input } from './inputs.ts';
import type { DefinitionProblem } from './problem.ts';
import { inputsOf } from './variables.ts';

/**
 * Where definitions are written, the strongest first. Settings count before files that other programs read as well: they were
 * written for this extension. Among settings the narrower ones count, as for every setting.
 */
export const KINDS = ['folder', 'workspace', 'user', 'mcpJson', 'shared'] as const;

export type Kind = (typeof KINDS)[number];

/** Settings of these kinds may use the inputs that wider settings define. */
const SETTINGS: readonly Kind[] = ['folder', 'workspace', 'user'];

/** A place in which servers are defined, with what it defines. */
export interface Written<S extends { readonly kind: Kind }> {
	readonly source: S;
	readonly content: Content;
}

/** A server by its name: what defines it, and which other places would, too. */
export interface Arranged<S> {
	readonly name: string;
	readonly source: S;
	/** Absent when it cannot be used. */
	readonly definition?: ServerDefinition;
	readonly problems: readonly DefinitionProblem[];
	/** The inputs that it uses. */
	readonly inputs: readonly Input[];
	/** Where the same name is defined without counting. */
	readonly others: readonly S[];
}

/** One server per name: of several definitions, that of the strongest place counts, usable or not. */
export function arrange<S extends { readonly kind: Kind }>(written: readonly Written<S>[]): Arranged<S>[] {
	const byName = new Map<string, Arranged<S>>();
	// Folders keep their order: the first one counts.
	const strongest = written.toSorted((a, b) => KINDS.indexOf(a.source.kind) - KINDS.indexOf(b.source.kind));
	for (const { source, content } of strongest) {
		const known = [...content.inputs, ...outerInputs(source, written)];
		for (const name of namesIn(content)) {
			const counting = byName.get(name);
			if (counting) {
				byName.set(name, { ...counting, others: [...counting.others, source] });
				continue;
			}
			const definition = content.servers.find((server) => server.name === name);
			const used = definition ? inputsOf(definition) : [];
			const inputs = used.flatMap((id) => known.find((input) => input.id === id) ?? []);
			const problems = content.problems.filter(({ server }) => server === name);
			byName.set(name, { name, source, problems, inputs, others: [], ...(definition && { definition }) });
		}
	}
	return [...byName.values()];
}

/** Inputs of wider settings, nearest first. Never of narrower ones: a workspace must not decide what the user's own servers ask. */
export function outerInputs<S extends { readonly kind: Kind }>(source: S, written: readonly Written<S>[]): Input[] {
	const wider = SETTINGS.slice(SETTINGS.includes(source.kind) ? SETTINGS.indexOf(source.kind) + 1 : SETTINGS.length);
	return wider.flatMap((kind) => written.flatMap((other) => (other.source.kind === kind ? other.content.inputs : [])));
}
