import { localizable, type Sentence } from '../elicitation/sentence.ts';

/** A path in a JSON document: member names and array indexes, outermost first. */
export type JsonPath = readonly (string | number)[];

/** A problem in the user's configuration. */
export interface ConfigProblem {
	readonly path: JsonPath;
	/** Continues the name of the member: `must be …`, `is unknown …`. */
	readonly message: Sentence;
	/** An error makes the definition unusable; a warning does not. */
	readonly severity: 'error' | 'warning';
	/** The member's name is wrong, not its value. */
	readonly inName?: true;
	/** The name or value that was probably meant. */
	readonly meant?: string;
}

/** A problem of one definition. `path` is relative to the definition. */
export interface DefinitionProblem extends ConfigProblem {
	readonly server: string;
}

export function error(path: JsonPath, message: Sentence, meant?: string): ConfigProblem {
	return { path, message, severity: 'error', ...(meant !== undefined && { meant }) };
}

/** Reports an unknown name, because whoever writes it expects it to have an effect. */
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
