import { isObject, type Json, own } from '../elicitation/json.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { type ConfigProblem, error, type JsonPath, notOneOf, unknownMembers, warning } from './problem.ts';

/** A value that the user enters once. Definitions refer to it as `${input:id}`. */
export interface Input {
	readonly id: string;
	readonly type: 'promptString' | 'pickString';
	readonly description: string | undefined;
	readonly default: string | undefined;
	/** Masked during input and kept in secret storage. */
	readonly password: boolean;
	/** Available options. Only for `pickString`. */
	readonly options: readonly InputOption[];
}

export interface InputOption {
	readonly label: string;
	readonly value: string;
}

/** Supported members. */
export const MEMBERS = ['id', 'type', 'description', 'default', 'password', 'options'];

/** Reads a list of inputs. Reports and skips invalid ones. */
export function readInputs(raw: unknown): { inputs: Input[]; problems: ConfigProblem[] } {
	const problems: ConfigProblem[] = [];
	const inputs: Input[] = [];
	if (raw !== undefined && !Array.isArray(raw)) {
		problems.push(error([], localizable('must be a list of inputs.')));
	}
	for (const [index, value] of (Array.isArray(raw) ? raw : []).entries()) {
		const reader = new InputReader(index, value);
		const input = reader.read();
		problems.push(...reader.problems);
		if (input && inputs.some(({ id }) => id === input.id)) {
			problems.push(error([index, 'id'], localizable('is also the id of an earlier input, which takes precedence.')));
		} else if (input) {
			inputs.push(input);
		}
	}
	return { inputs, problems };
}

class InputReader {
	readonly problems: ConfigProblem[] = [];

	constructor(
		private readonly index: number,
		private readonly value: Json,
	) {}

	read(): Input | undefined {
		if (!isObject(this.value)) {
			this.#fail([], localizable('must be an object with "id" and "type".'));
			return undefined;
		}
		this.problems.push(...unknownMembers(this.value, [this.index], MEMBERS));
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
			password: isMasked && !isPicked,
			options: isPicked ? this.#options() : [],
		};
		if (input.password && input.default !== undefined) {
			this.#warn(
				'default',
				localizable('has no effect: it stands in this file, so it is no secret. Remove it, or "password".'),
			);
		}
		if (this.problems.some(({ severity }) => severity === 'error')) {
			return undefined;
		}
		return input.password ? { ...input, default: undefined } : input;
	}

	#type(): Input['type'] {
		const type = own(this.value, 'type');
		if (type === 'promptString' || type === 'pickString') {
			return type;
		}
		this.problems.push(notOneOf([this.index, 'type'], ['promptString', 'pickString'], type));
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
		this.problems.push(error([this.index, ...path], message));
	}

	#warn(member: string, message: Sentence): void {
		this.problems.push(warning([this.index, member], message));
	}
}
