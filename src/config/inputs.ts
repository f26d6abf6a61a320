import { isObject, type Json, own } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { type ConfigProblem, error, type JsonPath, notOneOf, unknownMembers, warning } from './problem.ts';

const TYPES = ['promptString', 'pickString', 'command'] as const;

/** A value that the user enters once, or that a command of the editor returns. Definitions refer to it as `${input:id}`. */
export interface Input {
	readonly id: string;
	readonly type: (typeof TYPES)[number];
	readonly description: string | undefined;
	readonly default: string | undefined;
	/** Masked during input and kept in secret storage. What a command returns is as unknown as a secret before a start. */
	readonly password: boolean;
	/** What is run. Only for `command`. */
	readonly command?: { readonly id: string; readonly args: Json | undefined };
	/** Why it cannot be used. It is kept, so that nobody takes it for missing. */
	readonly problem?: ConfigProblem;
	/** Available options. Only for `pickString`. */
	readonly options: readonly InputOption[];
}

export interface InputOption {
	readonly label: string;
	readonly value: string;
}

/** True for an input that the user enters. */
export function isEntered({ type }: Input): boolean {
	return type !== 'command';
}

/** Supported members. */
export const MEMBERS = ['id', 'type', 'description', 'default', 'password', 'options', 'command', 'args'];

/**
 * Reads a list of inputs. Reports invalid ones.
 * @param at where it stands
 * @param wanted the ids that are used: if there is no list, all of them cannot be used for that reason
 */
export function readInputs(
	raw: unknown,
	at: JsonPath = [],
	wanted: readonly string[] = [],
): { inputs: Input[]; problems: ConfigProblem[] } {
	if (raw !== undefined && !Array.isArray(raw)) {
		const problem = error(at, localizable('must be a list of inputs.'));
		return { inputs: wanted.map((id) => unusable(id, problem)), problems: [problem] };
	}
	const problems: ConfigProblem[] = [];
	const inputs: Input[] = [];
	for (const [index, value] of (raw ?? []).entries()) {
		const reader = new InputReader([...at, index], value);
		const input = reader.read();
		problems.push(...reader.problems);
		if (input && inputs.some(({ id }) => id === input.id)) {
			problems.push(
				error([...at, index, 'id'], localizable('is also the id of an earlier input, which takes precedence.')),
			);
		} else if (input) {
			inputs.push(input);
		}
	}
	return { inputs, problems };
}

function unusable(id: string, problem: ConfigProblem): Input {
	const type = 'promptString';
	return { id, type, description: undefined, default: undefined, password: false, options: [], problem };
}

class InputReader {
	readonly problems: ConfigProblem[] = [];

	constructor(
		private readonly at: JsonPath,
		private readonly value: Json,
	) {}

	read(): Input | undefined {
		if (!isObject(this.value)) {
			this.#fail([], localizable('must be an object with "id" and "type".'));
			return undefined;
		}
		this.problems.push(...unknownMembers(this.value, this.at, MEMBERS));
		const id = own(this.value, 'id');
		if (typeof id !== 'string' || id.trim() === '') {
			this.#fail(['id'], localizable('must be a string that is not empty.'));
		}
		const type = this.#type();
		const isMasked = this.#password();
		const isPicked = type === 'pickString';
		if (isMasked && isPicked) {
			this.#warn('password', localizable('has no effect: what can be chosen stands in this file, so it is no secret.'));
		}
		const input = {
			id: typeof id === 'string' ? id : '',
			type,
			description: this.#text('description'),
			default: this.#text('default'),
			password: (isMasked && !isPicked) || type === 'command',
			options: isPicked ? this.#options() : [],
			...(type === 'command' && { command: this.#command() }),
		};
		if (input.password && input.default !== undefined) {
			this.#warn(
				'default',
				localizable('has no effect: it stands in this file, so it is no secret. Remove it, or "password".'),
			);
		}
		const problem = this.problems.find(({ severity }) => severity === 'error');
		if (problem) {
			return input.id.trim() === '' ? undefined : unusable(input.id, problem);
		}
		return input.password ? { ...input, default: undefined } : input;
	}

	#type(): Input['type'] {
		const type = own(this.value, 'type');
		const known = TYPES.find((each) => each === type);
		if (known !== undefined) {
			return known;
		}
		this.problems.push(notOneOf([...this.at, 'type'], TYPES, type));
		return 'promptString';
	}

	#text(member: string): string | undefined {
		const value = own(this.value, member);
		if (value !== undefined && typeof value !== 'string') {
			this.#fail([member], localizable('must be a string.'));
			return undefined;
		}
		return value;
	}

	#command(): NonNullable<Input['command']> {
		const id = own(this.value, 'command');
		if (typeof id !== 'string' || id.trim() === '') {
			this.#fail(['command'], localizable('must be the id of a command of the editor.'));
		}
		return { id: String(id), args: own(this.value, 'args') };
	}

	#password(): boolean {
		const value = own(this.value, 'password');
		if (value !== undefined && typeof value !== 'boolean') {
			this.#fail(['password'], localizable('must be true or false.'));
		}
		return value === true;
	}

	#options(): InputOption[] {
		const value = own(this.value, 'options');
		if (!Array.isArray(value) || value.length === 0) {
			this.#fail(['options'], localizable('must be a list of what can be chosen.'));
			return [];
		}
		return value.flatMap((item: Json, index) => {
			const text = own(item, 'value') ?? item;
			const label = own(item, 'label') ?? text;
			if (typeof text === 'string' && typeof label === 'string') {
				return [{ label, value: text }];
			}
			this.#fail(['options', index], localizable('must be a string, or an object with "label" and "value".'));
			return [];
		});
	}

	#fail(path: JsonPath, message: Sentence): void {
		this.problems.push(error([...this.at, ...path], message));
	}

	#warn(member: string, message: Sentence): void {
		this.problems.push(warning([...this.at, member], message));
	}
}
