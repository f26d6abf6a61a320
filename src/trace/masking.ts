import type { Call } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { Budget, Masks } from '../elicitation/form/masks.ts';
import { idKey, isObject, type Json, keyOf, mapMembers, own, plainObject } from '../elicitation/json.ts';
import { textOf } from '../elicitation/jsonText.ts';
import { memorySize } from '../elicitation/truncate.ts';
import { replace } from './replace.ts';
import { REDACTED, Secrets } from './secrets.ts';

/**
 * Bounds of the remembered masked values: their number, and the total length of their spellings, each character of which needs 18 bytes
 * to be searched for. The newest are kept.
 */
const MAX_VALUES = 500;
const MAX_CHARACTERS = 1024 * 1024;

/** Max number of remembered schemas, of elicitations and of tools. The newest are kept. */
const MAX_ELICITATIONS = 200;
const MAX_TOOLS = 20_000;

/** Max number of schemas of elicitations whose masks are remembered, and the longest of them (characters). */
const MAX_MASKS = 100;
const MAX_MASKS_SCHEMA = 10_000;

/** Max memory of the remembered schemas of elicitations and of tools, each (bytes). */
const MAX_SCHEMA_MEMORY = 16 * 1024 * 1024;

/** A message to be recorded. */
export interface Recorded {
	readonly server: string;
	readonly direction: 'sent' | 'received';
	readonly call?: Call | undefined;
	readonly message: unknown;
	/** True if there is known to be masked input in it. */
	readonly masked?: boolean;
}

/** True for the content of a response to an elicitation. A response to a sampling request has a role, and nothing masked. */
function hasFormContent(result: Json | undefined): boolean {
	return own(result, 'content') !== undefined && own(result, 'role') === undefined;
}

/** A response as people read it: one that is malformed is what was sent. */
export function sentResponse({ response }: Elicitation): Json {
	return response?.action === 'malformed' ? response.result : ((response ?? null) as Json);
}

/** Hides from a result what was entered. In one that is no response to the request, it may stand anywhere. */
function inResult(result: Json, hide: (value: Json) => Json): Json {
	return mapMembers(result, (name, value) =>
		name === '_meta' || name === 'task' || (name === 'action' && typeof value === 'string') ? value : hide(value),
	);
}

/**
 * Recognizes masked input. Reads every complete message as it crosses the wire, because a response can only be
 * recognized after its request.
 */
export class Masking {
	/** The values that were entered masked. */
	readonly entered = new Secrets(MAX_VALUES, MAX_CHARACTERS);
	readonly #elicitations = new Schemas(MAX_ELICITATIONS, (params) => this.#masksOf(params), false);
	/** Masks of elicitations, by the text of their schema: servers ask with the same one again and again. */
	readonly #masks = new Map<string, Masks>();
	readonly #tools = new Schemas(MAX_TOOLS, (schema) => new Masks(schema), true);
	/** How often each server was initialized: its ids begin anew each time. */
	readonly #sessions = new Map<string, number>();
	/** For values without a schema. */
	readonly #withoutSchema = new Masks({});

	/** Reads a message and returns it without masked values. Returns the same message if nothing is masked. */
	read(recorded: Recorded): Json {
		return recorded.direction === 'received' ? this.#received(recorded) : this.#sent(recorded);
	}

	/** The masked arguments of a call. */
	args({ server, kind, name, args }: Call): Json {
		return masked((args ?? {}) as Json, kind === 'tool' ? this.#ofTool(server, name) : this.#withoutSchema);
	}

	/**
	 * The masked content of a response.
	 * @param params the params of the elicitation
	 */
	content(content: Json, params: Json): Json {
		return masked(content, this.#masksOf(params));
	}

	/** The masked response of an elicitation; null if there is none. */
	response(elicitation: Elicitation): Json {
		const sent = sentResponse(elicitation);
		const hide = (value: Json) => this.content(value, elicitation.origin.params);
		return elicitation.response?.action === 'malformed' ? inResult(sent, hide) : replace(sent, ['content'], hide);
	}

	/** Removes proposed values of masked properties from all schemas inside a value. */
	withoutProposals(value: Json, budget = new Budget()): Json {
		if (Array.isArray(value)) {
			const items = value.map((item) => this.withoutProposals(item, budget));
			return items.some((item, index) => item !== value[index]) ? items : value;
		}
		return mapMembers(value, (name, item) =>
			SCHEMAS.has(name) && isObject(item)
				? new Masks(item).withoutProposals(REDACTED, budget)
				: this.withoutProposals(item, budget),
		);
	}

	#received(recorded: Recorded): Json {
		const { message, server } = recorded;
		const [id, method, params] = [own(message, 'id'), own(message, 'method'), own(message, 'params')];
		if (id !== undefined && method !== undefined) {
			const task = method === 'tasks/result' ? taskKey(server, own(params, 'taskId')) : undefined;
			const asked = method === 'elicitation/create' ? (params ?? {}) : task && this.#elicitations.get(task);
			this.#elicitations.keepApart(this.#requestKey(recorded), asked);
		}
		const result = own(message, 'result');
		const inputs = own(result, 'inputRequests');
		if (isObject(inputs)) {
			for (const [key, request] of Object.entries(inputs)) {
				this.#elicitations.keep(inputKey(recorded, key), own(request, 'params') ?? {});
			}
		}
		const tools = own(result, 'tools');
		for (const tool of Array.isArray(tools) ? tools : []) {
			this.#tools.keep(toolKey(server, textOf(own(tool, 'name'))), own(tool, 'inputSchema') ?? {});
		}
		return message as Json;
	}

	#sent(recorded: Recorded): Json {
		const { server, message } = recorded;
		const params = own(message, 'params');
		const [method, result] = [own(message, 'method'), own(message, 'result')];
		if (method === 'initialize') {
			this.#sessions.set(server, (this.#sessions.get(server) ?? 0) + 1);
		}
		const secrets: string[] = [];
		const without = (value: Json, masks: Masks | undefined) =>
			masked(value, masks, (secret) => gather(secret, secrets));
		let copy = message as Json;
		if (result !== undefined) {
			copy = this.#responded(recorded, result, without);
		}
		if (method === 'tools/call' && own(params, 'arguments') !== undefined) {
			const name = textOf(own(params, 'name'));
			const key = toolKey(server, name);
			if (recorded.masked && !this.#tools.has(key)) {
				this.#tools.keep(key, undefined);
			}
			const masks = this.#ofTool(server, name);
			copy = replace(copy, ['params', 'arguments'], (args) => without(args, masks));
		}
		if (method === 'prompts/get') {
			copy = replace(copy, ['params', 'arguments'], (args) => without(args, this.#withoutSchema));
		}
		if (method === 'completion/complete') {
			copy = this.#completed(copy, without);
		}
		if (isObject(own(params, 'inputResponses'))) {
			copy = replace(copy, ['params', 'inputResponses'], (responses) =>
				mapMembers(responses, (key, response) => this.#given(inputKey(recorded, key), response, without)),
			);
		}
		if (secrets.length > 0) {
			this.entered.add(secrets);
		}
		return copy;
	}

	/** Hides what was entered from a response, and remembers which task it makes of its request. */
	#responded(recorded: Recorded, result: Json, without: (value: Json, masks: Masks | undefined) => Json): Json {
		const key = this.#requestKey(recorded);
		this.#elicitations.answered(key);
		const taskId = own(own(result, 'task'), 'taskId');
		const asked = this.#elicitations.get(key);
		if (taskId !== undefined && asked !== undefined) {
			this.#elicitations.keep(taskKey(recorded.server, taskId), asked);
		}
		return replace(recorded.message as Json, ['result'], () => this.#given(key, result, without));
	}

	/** What was given to the request of that key. */
	#given(key: string, result: Json, without: (value: Json, masks: Masks | undefined) => Json): Json {
		const masks = this.#elicitations.masks(key);
		const hide = (value: Json) => without(value, masks);
		if (masks && own(result, 'role') === undefined) {
			return inResult(result, hide);
		}
		return hasFormContent(result) ? replace(result, ['content'], hide) : result;
	}

	/** Hides what has been entered so far from a request for suggestions. The beginning of a secret is none by itself. */
	#completed(message: Json, without: (value: Json, masks: Masks) => Json): Json {
		const name = textOf(own(own(own(message, 'params'), 'argument'), 'name') ?? '');
		const typed = replace(
			message,
			['params', 'argument', 'value'],
			(value) => own(masked(plainObject([[name, value]]), this.#withoutSchema), name) ?? value,
		);
		return replace(typed, ['params', 'context', 'arguments'], (args) => without(args, this.#withoutSchema));
	}

	#requestKey({ server, message }: Recorded): string {
		return keyOf(server, 'request', this.#sessions.get(server), idKey(own(message, 'id')));
	}

	/** The masks of an elicitation. */
	#masksOf(params: Json): Masks {
		const schema = own(params, 'requestedSchema') ?? own(params, 'schema') ?? {};
		const text = JSON.stringify(schema);
		const masks = this.#masks.get(text) ?? new Masks(schema);
		this.#masks.delete(text);
		if (text.length <= MAX_MASKS_SCHEMA) {
			this.#masks.set(text, masks);
		}
		const [oldest] = this.#masks.keys();
		if (oldest !== undefined && this.#masks.size > MAX_MASKS) {
			this.#masks.delete(oldest);
		}
		return masks;
	}

	/** Arguments are sent by the client. If the server has not described them, nothing is masked. */
	#ofTool(server: string, name: string): Masks | undefined {
		const key = toolKey(server, name);
		return this.#tools.has(key) ? this.#tools.masks(key) : this.#withoutSchema;
	}
}

/** Returns the masking of a log. Created on first use, because the log exists long before. */
export function maskingOf(log: { masking?: Masking }): Masking {
	log.masking ??= new Masking();
	return log.masking;
}

/** The newest schemas, by purpose. */
class Schemas {
	readonly #kept = new Map<
		string,
		{ readonly schema: Json | undefined; readonly weight: number; masks?: Masks; answered?: boolean }
	>();
	#weight = 0;
	#forgotten = false;

	/** @param reused whether a schema is read more than once, so that its masks are worth caching */
	constructor(
		private readonly most: number,
		private readonly read: (schema: Json) => Masks,
		private readonly reused: boolean,
	) {}

	/** True if there is a schema, or if it may have been forgotten. */
	has(key: string): boolean {
		return this.#forgotten || this.#kept.has(key);
	}

	get(key: string): Json | undefined {
		return this.#kept.get(key)?.schema;
	}

	/** @param schema undefined if it cannot be known */
	keep(key: string, schema: Json | undefined): void {
		this.#drop(key);
		const weight = memorySize(schema ?? null) + 2 * key.length;
		this.#kept.set(key, { schema, weight });
		this.#weight += weight;
		for (const oldest of this.#kept.keys()) {
			if (oldest === key || (this.#kept.size <= this.most && this.#weight <= MAX_SCHEMA_MEMORY)) {
				break;
			}
			this.#drop(oldest);
			this.#forgotten = true;
		}
	}

	/**
	 * Keeps the schema of a request. If another open request has the same id, which of them a response is for cannot be known,
	 * and so neither what is masked in it.
	 * @param schema undefined for a request that has none
	 */
	keepApart(key: string, schema: Json | undefined): void {
		const before = this.#kept.get(key);
		const isOpen = before !== undefined && !before.answered;
		if (isOpen ? keyOf(before.schema) !== keyOf(schema) : schema !== undefined) {
			this.keep(key, isOpen ? undefined : schema);
		} else if (!isOpen) {
			this.#drop(key);
		}
	}

	answered(key: string): void {
		const kept = this.#kept.get(key);
		if (kept) {
			kept.answered = true;
		}
	}

	/** The masks of a schema; undefined if it is unknown. */
	masks(key: string): Masks | undefined {
		const kept = this.#kept.get(key);
		if (kept?.schema === undefined) {
			return undefined;
		}
		const masks = kept.masks ?? this.read(kept.schema);
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

/** If there is no schema, every value may have been masked. */
function masked(value: Json, masks: Masks | undefined, onSecret?: (secret: Json) => void): Json {
	if (masks) {
		return masks.without(value, REDACTED, onSecret);
	}
	onSecret?.(value);
	return mapMembers(value, () => REDACTED);
}

/** Members that contain the schema of user input. */
const SCHEMAS = new Set(['requestedSchema', 'inputSchema', 'outputSchema', 'schema']);

/** Collects strings and numbers at any depth. */
function gather(value: Json, into: string[]): void {
	if (typeof value === 'string' || typeof value === 'number') {
		into.push(String(value));
	} else if (typeof value === 'object' && value !== null) {
		for (const item of Object.values(value)) {
			gather(item, into);
		}
	}
}

function taskKey(server: string, taskId: Json | undefined): string {
	return keyOf(server, 'task', taskId);
}

function inputKey({ server, call }: Recorded, key: string): string {
	return keyOf(server, call?.id, key);
}

function toolKey(server: string, name: string): string {
	return keyOf(server, name);
}
