import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { type Content, namesIn } from './content.ts';
import type { ServerDefinition } from './definition.ts';
import type { Input } from './inputs.ts';
import { type ConfigProblem, type DefinitionProblem, error, problemSentence } from './problem.ts';
import { referencesOf } from './variables.ts';

/**
 * Sources of definitions, in order of precedence. Settings precede files that other programs read, because they are
 * meant for this extension. Narrower settings precede wider ones, as usual.
 */
export const KINDS = ['folder', 'workspace', 'user', 'mcpJson', 'shared'] as const;

export type Kind = (typeof KINDS)[number];

/** In settings of these kinds, definitions may use inputs of wider settings. */
const SETTINGS: readonly Kind[] = ['folder', 'workspace', 'user'];

/** A source of definitions and its contents. */
export interface Written<S extends { readonly kind: Kind }> {
	readonly source: S;
	readonly content: Content;
}

/** A server by name: the definition that takes effect, and the sources that it overrides. */
export interface ResolvedServer<S> {
	readonly name: string;
	readonly source: S;
	/** Absent if it cannot be used. */
	readonly definition?: ServerDefinition;
	readonly problems: readonly DefinitionProblem[];
	/** The inputs that it uses. */
	readonly inputs: readonly Input[];
	/** Sources whose definition of the same name is overridden. */
	readonly others: readonly S[];
}

/** Resolves duplicate names: the source with the highest precedence wins, even if its definition is invalid. */
export function resolvePrecedence<S extends { readonly kind: Kind }>(
	written: readonly Written<S>[],
): ResolvedServer<S>[] {
	const byName = new Map<string, ResolvedServer<S>>();
	// Folders keep their order: the first one wins.
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
			const references = definition ? referencesOf(definition).filter((reference) => reference.name === 'input') : [];
			const used = new Map(
				references.flatMap(({ argument, path }) => {
					const input = known.find(({ id }) => id === argument);
					return input ? [[input, path] as const] : [];
				}),
			);
			const inputs = [...used.keys()];
			const unusable = [...used].flatMap(([{ id, problem }, path]) =>
				problem ? [{ server: name, ...error(path, uses(id, problem)) }] : [],
			);
			const problems = [...content.problems.filter(({ server }) => server === name), ...unusable];
			const isUsable = definition && unusable.length === 0;
			byName.set(name, { name, source, problems, inputs, others: [], ...(isUsable && { definition }) });
		}
	}
	return [...byName.values()];
}

/** Said of the server, not in the file: the mistake is in the input. */
function uses(id: string, problem: ConfigProblem): Sentence {
	return localizable('uses "${{0}}". {1}', `input:${id}`, problemSentence(problem));
}

/**
 * The inputs of wider settings, nearest first. Of the user's own settings, those of the remote machine precede the local ones. Never the
 * inputs of narrower settings, because a workspace must not decide what the user's own servers ask for.
 */
export function outerInputs<S extends { readonly kind: Kind }>(source: S, written: readonly Written<S>[]): Input[] {
	const later = written.slice(written.findIndex((other) => other.source === source) + 1);
	const beside = source.kind === 'user' ? later.filter((other) => other.source.kind === 'user') : [];
	const wider = SETTINGS.slice(SETTINGS.includes(source.kind) ? SETTINGS.indexOf(source.kind) + 1 : SETTINGS.length);
	return [...beside, ...wider.flatMap((kind) => written.filter((other) => other.source.kind === kind))].flatMap(
		({ content }) => content.inputs,
	);
}
