import type { Reading, Settlement } from '../conversation/conversation.ts';
import type { Spoken } from '../conversation/exchange.ts';
import type { Call } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { isObject, type Json, keyOf, mapMembers, own, plainObject, replace } from '../elicitation/json.ts';
import { textOf } from '../elicitation/jsonText.ts';
import { dropOldest } from '../elicitation/limits.ts';
import { memorySize } from '../elicitation/truncate.ts';
import { Budget, Masks } from './masks.ts';
import { REDACTED, Secrets } from './secrets.ts';

/**
 * Bounds of the remembered masked values: their number, and the total length of their spellings, each character of which needs 18 bytes
 * to be searched for. The newest are kept.
 */
const MAX_VALUES = 500;
const MAX_CHARACTERS = 1024 * 1024;

/** Max number of remembered schemas of tools. The newest are kept. */
const MAX_TOOLS = 20_000;

/** Max number of schemas of elicitations whose masks are remembered, and the longest of them (characters). */
const MAX_MASKS = 100;
const MAX_MASKS_SCHEMA = 10_000;

/** Max memory of the remembered schemas of tools (bytes). */
const MAX_SCHEMA_MEMORY = 16 * 1024 * 1024;

/** A message to be recorded. */
export interface Recorded extends Spoken {
	readonly server: string;
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
 * What is private in this window, and what hides it: the secrets of its configuration, which never leave it, and what was entered masked,
 * which is recognized in complete messages, as they cross the wire. A `Redactor` removes more.
 */
export class Privacy {
	/** The values that were entered masked. */
	readonly entered = new Secrets(MAX_VALUES, MAX_CHARACTERS);
	/** Masks of elicitations, by the text of their schema: servers ask with the same one again and again. */
	readonly #masks = new Map<string, Masks>();
	readonly #tools = new Tools();
	/** For values without a schema. */
	readonly #withoutSchema = new Masks({});

	/** @param configured the secrets of the configuration */
	constructor(readonly configured = new Secrets()) {}

	/** Removes the user's secrets and masked input from a value, so that it can be displayed or written. */
	hideIn<T>(value: T): T {
		return this.entered.hideIn(this.configured.hideIn(value));
	}

	/**
	 * Reads a message and returns it without masked values. Returns the same message if nothing is masked.
	 * @param isMasked true if there is known to be masked input in it
	 */
	read<M extends Recorded>(recorded: M, { settles }: Reading<M>, isMasked = false): Json {
		return recorded.direction === 'received' ? this.#received(recorded) : this.#sent(recorded, settles, isMasked);
	}

	/** The masked arguments of a call. */
	args({ server, kind, name, args }: Call): Json {
		return masked((args ?? {}) as Json, kind === 'tool' ? this.#ofTool(toolKey(server, name)) : this.#withoutSchema);
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

	#received({ server, message }: Recorded): Json {
		const tools = own(own(message, 'result'), 'tools');
		for (const tool of Array.isArray(tools) ? tools : []) {
			this.#tools.keep(toolKey(server, textOf(own(tool, 'name'))), own(tool, 'inputSchema') ?? {});
		}
		return message as Json;
	}

	#sent({ server, message }: Recorded, settles: readonly Settlement<Recorded>[], isMasked: boolean): Json {
		const params = own(message, 'params');
		const method = own(message, 'method');
		const secrets: string[] = [];
		const without = (value: Json, masks: Masks | undefined) =>
			masked(value, masks, (secret) => gather(secret, secrets));
		let copy = message as Json;
		if (settles.length > 0) {
			const byKey = new Map(settles.map((settlement) => [settlement.key, settlement]));
			const safe = (response: Json, key?: string) => {
				const masks = this.#masksFor(byKey.get(key));
				const hide = (value: Json) => without(value, masks);
				if (masks && own(response, 'role') === undefined) {
					return inResult(response, hide);
				}
				return hasFormContent(response) ? replace(response, ['content'], hide) : response;
			};
			copy = replace(copy, ['result'], (result) => safe(result));
			copy = replace(copy, ['params', 'inputResponses'], (responses) =>
				mapMembers(responses, (key, response) => safe(response, key)),
			);
		}
		if (method === 'tools/call' && own(params, 'arguments') !== undefined) {
			const key = toolKey(server, textOf(own(params, 'name')));
			if (isMasked && !this.#tools.has(key)) {
				this.#tools.keep(key, undefined);
			}
			const masks = this.#ofTool(key);
			copy = replace(copy, ['params', 'arguments'], (args) => without(args, masks));
		}
		if (method === 'prompts/get') {
			copy = replace(copy, ['params', 'arguments'], (args) => without(args, this.#withoutSchema));
		}
		if (method === 'completion/complete') {
			copy = this.#completed(copy, without);
		}
		if (secrets.length > 0) {
			this.entered.add(secrets);
		}
		return copy;
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

	/** The masks of what a response is for; undefined if that is unknown. */
	#masksFor({ exchange, params }: Partial<Settlement<Recorded>> = {}): Masks | undefined {
		return exchange?.method === 'elicitation/create' && params !== undefined ? this.#masksOf(params) : undefined;
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
		dropOldest(this.#masks, MAX_MASKS);
		return masks;
	}

	/** Arguments are sent by the client. If the server has not described them, nothing is masked. */
	#ofTool(key: string): Masks | undefined {
		return this.#tools.has(key) ? this.#tools.masks(key) : this.#withoutSchema;
	}
}

/** The newest schemas of tools. */
class Tools {
	readonly #kept = new Map<string, { readonly schema: Json | undefined; readonly weight: number; masks?: Masks }>();
	#weight = 0;
	#forgotten = false;

	/** True if there is a schema, or if it may have been forgotten. */
	has(key: string): boolean {
		return this.#forgotten || this.#kept.has(key);
	}

	/** @param schema undefined if it cannot be known */
	keep(key: string, schema: Json | undefined): void {
		this.#drop(key);
		const weight = memorySize(schema ?? null) + 2 * key.length;
		this.#kept.set(key, { schema, weight });
		this.#weight += weight;
		for (const oldest of this.#kept.keys()) {
			if (oldest === key || (this.#kept.size <= MAX_TOOLS && this.#weight <= MAX_SCHEMA_MEMORY)) {
				break;
			}
			this.#drop(oldest);
			this.#forgotten = true;
		}
	}

	/** The masks of a schema; undefined if it is unknown. */
	masks(key: string): Masks | undefined {
		const kept = this.#kept.get(key);
		if (kept?.schema === undefined) {
			return undefined;
		}
		kept.masks ??= new Masks(kept.schema);
		return kept.masks;
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

function toolKey(server: string, name: string): string {
	return keyOf(server, name);
}
