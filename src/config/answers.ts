import { LONGEST_TIMER } from '../elicitation/clock.ts';
import type { ProperResponse } from '../elicitation/elicitation.ts';
import { INTERNAL_ERROR } from '../elicitation/errorCodes.ts';
import { globMatcher, MAX_GLOB_LENGTH } from '../elicitation/glob.ts';
import { isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';
import type { ScriptedAnswer, ScriptMatch } from '../elicitation/script.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { type ConfigProblem, error, type JsonPath, notOneOf, unknownMembers } from './problem.ts';

/** Supported members. */
export const MEMBERS = ['server', 'tool', 'message', 'mode', 'action', 'content', 'error', 'delayMs', 'times'] as const;

/** Members for editors and readers. Ignored. */
const FOREIGN = new Set(['$schema', '$comment', 'description']);

const ACTIONS = ['accept', 'decline', 'cancel', 'error'] as const;
const MATCH_MEMBERS = ['server', 'tool', 'message', 'mode'] as const;

/** Placeholder in a saved answer for a value that was not written to the file. */
export const PLACEHOLDER = '‹fill in›';

export interface ScriptedAnswers {
	/** In order, including invalid ones. Elicitations that match an invalid one go to the user. */
	readonly answers: readonly ScriptedAnswer[];
	readonly problems: readonly ConfigProblem[];
}

/** Reads a list of scripted answers, or a single one. */
export function readAnswers(raw: unknown): ScriptedAnswers {
	if (raw === undefined) {
		return { answers: [], problems: [] };
	}
	const readers = Array.isArray(raw)
		? raw.map((value: Json, index) => new Reader(value, [index]))
		: [new Reader(raw as Json, [])];
	const answers = readers.map((reader) => reader.read());
	return { answers, problems: readers.flatMap(({ problems }) => problems) };
}

/** Reads one scripted answer and collects all of its problems. */
class Reader {
	readonly problems: ConfigProblem[] = [];

	constructor(
		private readonly value: Json,
		private readonly path: JsonPath,
	) {}

	read(): ScriptedAnswer {
		if (!isObject(this.value)) {
			this.#fail([], localizable('must be an object with an "action".'));
			return { match: {}, delayMs: 0, times: Number.POSITIVE_INFINITY };
		}
		this.problems.push(...unknownMembers(this.value, this.path, MEMBERS, FOREIGN));
		const match = this.#match();
		const decision = this.#decision();
		const delayMs = this.#number('delayMs', 0, LONGEST_TIMER) ?? 0;
		const times = this.#number('times', 1, Number.MAX_SAFE_INTEGER) ?? Number.POSITIVE_INFINITY;
		const usable = decision && !this.problems.some(({ severity }) => severity === 'error');
		return { match, delayMs, times, ...(usable && { decision }) };
	}

	#match(): ScriptMatch {
		const match: { -readonly [K in keyof ScriptMatch]: ScriptMatch[K] } = {};
		for (const member of MATCH_MEMBERS) {
			const pattern = own(this.value, member);
			if (pattern === undefined) {
				continue;
			}
			if (typeof pattern !== 'string' || pattern === '') {
				this.#fail([member], localizable('must be a string that is not empty.'));
			} else if (pattern.length > MAX_GLOB_LENGTH) {
				this.#fail(
					[member],
					localizable('must not be longer than {0} characters; "*" stands for any.', MAX_GLOB_LENGTH),
				);
			} else {
				match[member] = pattern;
			}
		}
		if (match.mode !== undefined && !['form', 'url'].some(globMatcher(match.mode))) {
			this.#warn(['mode'], localizable('matches no request: their mode is "form" or "url".'));
		}
		return match;
	}

	#decision(): ProperResponse | undefined {
		const value = own(this.value, 'action');
		const action = ACTIONS.find((each) => each === value);
		const content = this.#content(action);
		const { code, message } = this.#error(action);
		switch (action) {
			case undefined:
				this.problems.push(notOneOf([...this.path, 'action'], ACTIONS, value));
				return undefined;
			case 'accept':
				return { action, content };
			case 'error':
				return { action, code, message };
			default:
				return { action };
		}
	}

	#content(action: string | undefined): JsonObject {
		const content = own(this.value, 'content');
		if (content === undefined) {
			return {};
		}
		if (action !== undefined && (action !== 'accept' || own(this.value, 'mode') === 'url')) {
			this.#warn(['content'], localizable('has no effect: only the response to a form that is accepted has content.'));
		}
		if (!isObject(content)) {
			this.#fail(['content'], localizable('must be an object: the name of each field with its value.'));
			return {};
		}
		for (const path of placeholdersIn(content, ['content'])) {
			this.#fail(path, localizable('is a placeholder; put the value in its place.'));
		}
		// Files keep the digits of such numbers.
		if (hasRounded(content)) {
			this.#fail(['content'], localizable('has a number beyond 2^53, which settings round. Write it in a file.'));
		}
		return content;
	}

	#error(action: string | undefined): { readonly code: number; readonly message: string } {
		const fallback = { code: INTERNAL_ERROR, message: 'Answered with an error on purpose.' };
		const value = own(this.value, 'error');
		if (value === undefined) {
			return fallback;
		}
		if (action !== undefined && action !== 'error') {
			this.#warn(['error'], localizable('has no effect unless the action is "error".'));
		}
		if (!isObject(value)) {
			this.#fail(['error'], localizable('must be an object with "code" and "message".'));
			return fallback;
		}
		this.problems.push(...unknownMembers(value, [...this.path, 'error'], ['code', 'message'], FOREIGN));
		const { code = fallback.code, message = fallback.message } = value;
		if (!Number.isSafeInteger(code)) {
			this.#fail(['error', 'code'], localizable('must be a whole number.'));
		}
		if (typeof message !== 'string') {
			this.#fail(['error', 'message'], localizable('must be a string.'));
		}
		return typeof code === 'number' && typeof message === 'string' ? { code, message } : fallback;
	}

	#number(member: string, least: number, most: number): number | undefined {
		const value = own(this.value, member);
		if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most)) {
			return value as number | undefined;
		}
		this.#fail([member], localizable('must be a whole number from {0} to {1}.', least, most));
		return undefined;
	}

	#fail(path: JsonPath, message: Sentence): void {
		this.problems.push(error([...this.path, ...path], message));
	}

	#warn(path: JsonPath, message: Sentence): void {
		this.problems.push({ path: [...this.path, ...path], message, severity: 'warning' });
	}
}

function placeholdersIn(value: Json, path: JsonPath): JsonPath[] {
	if (value === PLACEHOLDER) {
		return [path];
	}
	const members: [string | number, Json][] = Array.isArray(value)
		? [...value.entries()]
		: isObject(value)
			? Object.entries(value)
			: [];
	return members.flatMap(([name, item]) => placeholdersIn(item, [...path, name]));
}

function hasRounded(value: Json): boolean {
	return typeof value === 'object'
		? Object.values(value ?? {}).some(hasRounded)
		: Number.isInteger(value) && !Number.isSafeInteger(value);
}
