import { isObject, type Json, own } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { nearest } from './names.ts';

/** A path in a JSON document: member names and array indexes, outermost first. */
export type JsonPath = readonly (string | number)[];

/** The value at a path of member names; undefined if there is none. */
export function valueAt(document: unknown, path: JsonPath): Json | undefined {
	return path.reduce<unknown>((value, name) => own(value, String(name)), document) as Json | undefined;
}

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
	readonly fix?: Fix;
}

/** What corrects a problem, if more than the name or the value is to change. */
export interface Fix {
	/** What it does, as a command: `Move …`. */
	readonly title: Sentence;
	/** Changes, in this order. A change without a value removes a member. Paths have the same root as the problem's. */
	readonly changes: readonly { readonly path: JsonPath; readonly value?: Json }[];
}

/** A problem of one definition. `path` is relative to the definition. */
export interface DefinitionProblem extends ConfigProblem {
	readonly server: string;
}

export function error(path: JsonPath, message: Sentence, meant?: string): ConfigProblem {
	return { path, message, severity: 'error', ...(meant !== undefined && { meant }) };
}

export function warning(path: JsonPath, message: Sentence): ConfigProblem {
	return { path, message, severity: 'warning' };
}

/** The value is none of the allowed ones. */
export function notOneOf(path: JsonPath, allowed: readonly string[], value: unknown): ConfigProblem {
	const meant = typeof value === 'string' ? nearest(value, allowed) : undefined;
	return error(path, localizable('must be one of {0}.', allowed.map((item) => `"${item}"`).join(', ')), meant);
}

/**
 * Reports unknown members of an object, because whoever writes them expects them to have an effect.
 * @param foreign members that others use
 */
export function unknownMembers(
	value: unknown,
	path: JsonPath,
	known: readonly string[],
	foreign: ReadonlySet<string> = new Set(),
): ConfigProblem[] {
	const unknown = Object.keys(isObject(value) ? value : {}).filter(
		(name) => !known.includes(name) && !foreign.has(name),
	);
	return unknown.map((name) => unknownMember([...path, name], nearest(name, known)));
}

function unknownMember(path: JsonPath, meant: string | undefined): ConfigProblem {
	const problem = { path, severity: 'warning', inName: true } as const;
	return meant === undefined
		? { ...problem, message: localizable('is unknown and has no effect.') }
		: { ...problem, message: localizable('is unknown and has no effect. Did you mean "{0}"?', meant), meant };
}

/** A problem as a sentence with its subject. */
export function problemSentence({ path, message }: Pick<ConfigProblem, 'path' | 'message'>): Sentence {
	return localizable('{0} {1}', path.length === 0 ? localizable('The definition') : `"${path.join('.')}"`, message);
}
