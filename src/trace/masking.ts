import { weightOf } from '../elicitation/abridge.ts';
import type { Call } from '../elicitation/call.ts';
import { Masks } from '../elicitation/form/masks.ts';
import { isObject, type Json, own } from '../elicitation/json.ts';
import { mapMembers, replace } from './replace.ts';
import { REDACTED, Secrets } from './secrets.ts';

/** What was entered masked is hidden wherever it is repeated: so many values, the newest, of so many characters together. */
const VALUES = 500;
const CHARACTERS = 4 * 1024 * 1024;

/** The newest schemas are remembered: so many of questions, so many of tools. */
const QUESTIONS = 200;
const TOOLS = 20_000;

/** Together, the schemas of questions and of tools that are remembered take no more memory than this each (bytes). */
const MOST_SCHEMAS = 16 * 1024 * 1024;

/** A message as it is recorded. */
export interface Recorded {
	readonly server: string;
	readonly direction: 'sent' | 'received';
	readonly call?: Call | undefined;
	readonly message: unknown;
}

/**
 * Knows what is entered masked. It reads every message as it crosses the wire, whole, because an answer is only recognised by
 * the request before it; what becomes of the messages afterwards changes nothing.
 */
export class Masking {
	/** The values that were entered masked. */
	readonly entered = new Secrets(VALUES, CHARACTERS);
	readonly #questions = new Schemas(QUESTIONS, false);
	readonly #tools = new Schemas(TOOLS, true);

	/** Reads a message, and returns it without what is masked in it; the message itself where nothing is. */
	read(recorded: Recorded): Json {
		return recorded.direction === 'received' ? this.#received(recorded) : this.#sent(recorded);
	}

	/** The arguments of a call. */
	args({ server, kind, name, args }: Call): Json {
		return masked((args ?? {}) as Json, kind === 'tool' ? this.#ofTool(server, name) : new Masks({}));
	}

	/** What a question with these parameters was answered with. */
	content(content: Json, params: Json): Json {
		return masked(content, masksOf(params));
	}

	/** Any value without what the schemas in it propose for what is masked. */
	withoutProposals(value: Json): Json {
		if (Array.isArray(value)) {
			const items = value.map((item) => this.withoutProposals(item));
			return items.some((item, index) => item !== value[index]) ? items : value;
		}
		return mapMembers(value, (name, item) =>
			SCHEMAS.has(name) && isObject(item) ? new Masks(item).withoutProposals(REDACTED) : this.withoutProposals(item),
		);
	}

	#received(recorded: Recorded): Json {
		const { message, server } = recorded;
		if (own(message, 'method') === 'elicitation/create') {
			this.#questions.keep(requestKey(recorded), own(message, 'params'));
		}
		const result = own(message, 'result');
		const inputs = own(result, 'inputRequests');
		if (isObject(inputs)) {
			for (const [key, request] of Object.entries(inputs)) {
				this.#questions.keep(inputKey(recorded, key), own(request, 'params'));
			}
		}
		const tools = own(result, 'tools');
		for (const tool of Array.isArray(tools) ? tools : []) {
			this.#tools.keep(toolKey(server, String(own(tool, 'name'))), own(tool, 'inputSchema'));
		}
		return message as Json;
	}

	#sent(recorded: Recorded): Json {
		const { server, message } = recorded;
		const params = own(message, 'params');
		const told = new Set<string>();
		const without = (value: Json, masks: Masks | undefined) => masked(value, masks, (secret) => gather(secret, told));
		let copy = message as Json;
		if (own(own(message, 'result'), 'content') !== undefined) {
			const masks = this.#questions.masks(requestKey(recorded), masksOf);
			copy = replace(copy, ['result', 'content'], (content) => without(content, masks));
		}
		if (own(message, 'method') === 'tools/call' && own(params, 'arguments') !== undefined) {
			const masks = this.#ofTool(server, String(own(params, 'name')));
			copy = replace(copy, ['params', 'arguments'], (args) => without(args, masks));
		}
		if (isObject(own(params, 'inputResponses'))) {
			copy = replace(copy, ['params', 'inputResponses'], (responses) =>
				mapMembers(responses, (key, response) =>
					replace(response, ['content'], (content) =>
						without(content, this.#questions.masks(inputKey(recorded, key), masksOf)),
					),
				),
			);
		}
		if (told.size > 0) {
			this.entered.add(told);
		}
		return copy;
	}

	/** No server has asked for arguments: where it has not described them, nothing is masked. */
	#ofTool(server: string, name: string): Masks | undefined {
		const key = toolKey(server, name);
		return this.#tools.has(key) ? this.#tools.masks(key, (schema) => new Masks(schema)) : new Masks({});
	}
}

/** The masking of a log, which it gets when it is first asked for: the log itself is there long before. */
export function maskingOf(log: { masking?: Masking }): Masking {
	log.masking ??= new Masking();
	return log.masking;
}

/** Schemas by what they are for, the newest of them. */
class Schemas {
	readonly #kept = new Map<string, { readonly schema: Json; readonly weight: number; masks?: Masks }>();
	#weight = 0;
	#forgotten = false;

	/** @param reused whether a schema is read more than once, and what it masks worth being kept */
	constructor(
		private readonly most: number,
		private readonly reused: boolean,
	) {}

	/** Whether there is one, or may have been. */
	has(key: string): boolean {
		return this.#forgotten || this.#kept.has(key);
	}

	keep(key: string, schema: Json = {}): void {
		this.#drop(key);
		const weight = weightOf(schema) + 2 * key.length;
		this.#kept.set(key, { schema, weight });
		this.#weight += weight;
		for (const oldest of this.#kept.keys()) {
			if (oldest === key || (this.#kept.size <= this.most && this.#weight <= MOST_SCHEMAS)) {
				break;
			}
			this.#drop(oldest);
			this.#forgotten = true;
		}
	}

	/** What it masks; undefined where it is not known. */
	masks(key: string, read: (schema: Json) => Masks): Masks | undefined {
		const kept = this.#kept.get(key);
		if (kept === undefined) {
			return undefined;
		}
		const masks = kept.masks ?? read(kept.schema);
		if (this.reused) {
			kept.masks = masks;
		}
		return masks;
	}

	#drop(key: string): void {
		this.#weight -= this.#kept.get(key)?.weight ?? 0;
		this.#kept.delete(key);
	}
}

/** Without a schema every value may have been masked. */
function masked(value: Json, masks: Masks | undefined, tell?: (secret: Json) => void): Json {
	if (masks) {
		return masks.without(value, REDACTED, tell);
	}
	tell?.(value);
	return mapMembers(value, () => REDACTED);
}

/** What the form for a question masks. */
function masksOf(params: Json): Masks {
	return new Masks(own(params, 'requestedSchema') ?? own(params, 'schema') ?? {});
}

/** Members that hold the schema of what somebody enters. */
const SCHEMAS = new Set(['requestedSchema', 'inputSchema', 'outputSchema', 'schema']);

/** Texts and numbers, at any depth. */
function gather(value: Json, into: Set<string>): void {
	if (typeof value === 'string' || typeof value === 'number') {
		into.add(String(value));
	} else if (typeof value === 'object' && value !== null) {
		for (const item of Object.values(value)) {
			gather(item, into);
		}
	}
}

function requestKey({ server, message }: Recorded): string {
	return JSON.stringify([server, own(message, 'id')]);
}

function inputKey({ server, call }: Recorded, key: string): string {
	return JSON.stringify([server, call?.id, key]);
}

function toolKey(server: string, name: string): string {
	return JSON.stringify([server, name]);
}
