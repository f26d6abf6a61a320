import { localizable, type Sentence } from '../elicitation/sentence.ts';

/** Where something stands in a JSON document: names of members and positions in lists, from the outside in. */
export type JsonPath = readonly (string | number)[];

/** Something that is wrong with what a user has configured. */
export interface ConfigProblem {
	readonly path: JsonPath;
	/** Goes on from the name of the place: `must be …`, `is unknown …`. */
	readonly message: Sentence;
	/** An error makes what is defined there unusable, a warning does not. */
	readonly severity: 'error' | 'warning';
	/** It is the member's name that is wrong, not its value. */
	readonly inName?: true;
	/** What was probably meant instead of that name or value. */
	readonly meant?: string;
}

/** What is wrong with one definition; the path is the one inside of it. */
export interface DefinitionProblem extends ConfigProblem {
	readonly server: string;
}

export function error(path: JsonPath, message: Sentence, meant?: string): ConfigProblem {
	return { path, message, severity: 'error', ...(meant !== undefined && { meant }) };
}

/** Somebody who writes a name that nobody reads has a reason to believe that it is read. */
export function unknownName(path: JsonPath, meant: string | undefined): ConfigProblem {
	const problem = { path, severity: 'warning', inName: true } as const;
	return meant === undefined
		? { ...problem, message: localizable('is unknown and has no effect.') }
		: { ...problem, message: localizable('is unknown and has no effect. Did you mean "{0}"?', meant), meant };
}

/** A problem as a sentence with its subject. */
export function problemSentence({ path, message }: Pick<ConfigProblem, 'path' | 'message'>): Sentence {
	return localizable('{0} {1}', path.length === 0 ? localizable('The definition') : `"${path.join('.')}"`, message);
}
