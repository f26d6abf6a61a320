import type { Call } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { isObject, type Json, own, plainObject } from '../elicitation/json.ts';
import type { TraceEntry } from './log.ts';
import { isSecretName, scrub } from './scrub.ts';
import { REDACTED, Secrets } from './secrets.ts';

export { REDACTED } from './secrets.ts';

/** What was entered masked is hidden wherever it is repeated: so many values, each up to so long. */
const VALUES = 500;
const LONGEST_VALUE = 1_000;

/** Schemas are no deeper than this where they say what is masked. */
const DEEPEST = 8;

/**
 * Takes secrets out of what leaves the window: what was entered into a `format: password` or `writeOnly` field, wherever it
 * is repeated; every `requestState`, which is the server's secret and not ours to pass on; whatever stands under a name like
 * `token`, or looks like a credential. It reads the messages once, in their order, because an answer is only recognised by the
 * request before it. An answer whose request is no longer in the log loses all its values: any of them may have been masked.
 */
export class Redactor {
	readonly #schemas = new Map<string, Json>();
	/** The schemas that say what is masked in a message of ours, by the place in it. */
	readonly #known = new Map<TraceEntry, ReadonlyMap<string, Json | undefined>>();
	readonly #values = new Set<string>();
	readonly #states = new Set<string>();
	readonly #secrets = new Secrets();

	constructor(entries: Iterable<TraceEntry>) {
		for (const entry of entries) {
			if (entry.direction === 'received') {
				this.#learn(entry);
			} else {
				this.#recognise(entry);
			}
		}
		this.#secrets.add(this.#values);
	}

	/** A copy of the message without its secrets; the message itself is left alone. */
	message(entry: TraceEntry): Json {
		const message = entry.message as Json;
		const known = this.#known.get(entry);
		const state = (value: Json) => replace(value, ['requestState'], () => REDACTED);
		const masked = (place: string, otherwise?: Json) => (value: Json) =>
			this.#masked(value, known?.get(place) ?? otherwise);
		const redacted =
			entry.direction === 'received'
				? replace(message, ['result'], state)
				: [
						(value: Json) => replace(value, ['params'], state),
						(value: Json) => replace(value, ['result', 'content'], masked('content')),
						(value: Json) => replace(value, ['params', 'arguments'], masked('arguments', {})),
						(value: Json) =>
							replace(value, ['params', 'inputResponses'], (responses) =>
								mapMembers(responses, (key, response) => replace(response, ['content'], masked(`input:${key}`))),
							),
					].reduce((value, step) => step(value), message);
		return this.value(redacted);
	}

	/** The arguments of a call. */
	args({ server, kind, name, args }: Call): Json {
		const schema = kind === 'tool' ? this.#schemas.get(toolKey(server, name)) : undefined;
		return this.value(this.#masked((args ?? {}) as Json, schema ?? {}));
	}

	/** What an elicitation was answered with; null where there is no answer. */
	answer({ answer, origin }: Elicitation): Json {
		const given = (answer ?? null) as Json;
		return this.value(replace(given, ['content'], (content) => this.#masked(content, schemaOf(origin.params))));
	}

	/** Any other value: without what is known to be a secret, or looks like one. */
	value(value: Json): Json {
		return this.#within(value);
	}

	text(text: string): string {
		return this.#states.has(text) ? REDACTED : scrub(this.#secrets.hide(text));
	}

	/** A received message tells what will be masked. */
	#learn(entry: TraceEntry): void {
		const { message, server } = entry;
		const result = own(message, 'result');
		if (own(message, 'method') === 'elicitation/create') {
			this.#schemas.set(requestKey(entry), schemaOf(own(message, 'params')));
		}
		this.#remember(own(result, 'requestState'));
		const inputs = own(result, 'inputRequests');
		if (isObject(inputs)) {
			for (const [key, request] of Object.entries(inputs)) {
				this.#schemas.set(inputKey(entry, key), schemaOf(own(request, 'params')));
			}
		}
		const tools = own(result, 'tools');
		for (const tool of Array.isArray(tools) ? tools : []) {
			this.#schemas.set(toolKey(server, String(own(tool, 'name'))), own(tool, 'inputSchema') ?? {});
		}
	}

	/** A message of ours is recognised by what was learnt before. */
	#recognise(entry: TraceEntry): void {
		const { message, server } = entry;
		const params = own(message, 'params');
		const known = new Map<string, Json | undefined>();
		const recognise = (place: string, value: Json | undefined, schema: Json | undefined) => {
			if (value !== undefined) {
				known.set(place, schema);
				this.#collect(value, schema);
			}
		};
		recognise('content', own(own(message, 'result'), 'content'), this.#schemas.get(requestKey(entry)));
		if (own(message, 'method') === 'tools/call') {
			const schema = this.#schemas.get(toolKey(server, String(own(params, 'name')))) ?? {};
			recognise('arguments', own(params, 'arguments'), schema);
		}
		this.#remember(own(params, 'requestState'));
		const responses = own(params, 'inputResponses');
		if (isObject(responses)) {
			for (const [key, response] of Object.entries(responses)) {
				recognise(`input:${key}`, own(response, 'content'), this.#schemas.get(inputKey(entry, key)));
			}
		}
		if (known.size > 0) {
			this.#known.set(entry, known);
		}
	}

	#remember(state: Json | undefined): void {
		if (typeof state === 'string' && state !== '') {
			this.#states.add(state);
		}
	}

	/** Keeps the values that were entered masked. */
	#collect(value: Json, schema: Json | undefined): void {
		for (const secret of schema === undefined ? [] : maskedValues(value, schema)) {
			if (this.#values.size < VALUES && secret.length <= LONGEST_VALUE) {
				this.#values.add(secret);
			}
		}
	}

	/** Without a schema every value may have been masked. Of arguments that is not assumed: no server has asked for them. */
	#masked(value: Json, schema: Json | undefined): Json {
		return schema === undefined ? mapMembers(value, () => REDACTED) : withoutMasked(value, schema);
	}

	#within(value: Json): Json {
		if (typeof value === 'string') {
			return this.text(value);
		}
		if (Array.isArray(value)) {
			return value.map((item) => this.#within(item));
		}
		return mapMembers(value, (name, item) => {
			if (isSecretName(name) && !isObject(item)) {
				return withoutScalars(item);
			}
			return name === 'properties' && isObject(item)
				? mapMembers(item, (each, s) => this.#property(each, s))
				: this.#within(item);
		});
	}

	/** A schema is no secret; what it proposes for a secret may be one. */
	#property(name: string, schema: Json): Json {
		const inner = this.#within(schema);
		return isSecretName(name) || isMasked(schema)
			? mapMembers(inner, (keyword, value) =>
					keyword === 'default' || keyword === 'const' || keyword === 'examples' ? REDACTED : value,
				)
			: inner;
	}
}

/** Names of the properties of a `requestedSchema` that are masked when entered. */
export function maskedNames(params: Json | undefined): ReadonlySet<string> {
	const properties = own(schemaOf(params), 'properties');
	const names = isObject(properties)
		? Object.entries(properties).flatMap(([name, s]) => (isMasked(s) ? [name] : []))
		: [];
	return new Set(names);
}

function isMasked(schema: Json | undefined, depth = 0): boolean {
	if (own(schema, 'format') === 'password' || own(schema, 'writeOnly') === true) {
		return true;
	}
	return (
		depth < DEEPEST &&
		(['anyOf', 'oneOf', 'allOf'] as const).some((keyword) => {
			const branches = own(schema, keyword);
			return Array.isArray(branches) && branches.some((branch) => isMasked(branch, depth + 1));
		})
	);
}

/** What was entered masked, at whatever depth. */
function maskedValues(value: Json, schema: Json): string[] {
	const found: string[] = [];
	withoutMasked(value, schema, (secret) => found.push(...scalars(secret)));
	return found;
}

function withoutMasked(value: Json, schema: Json | undefined, tell?: (secret: Json) => void): Json {
	if (isMasked(schema)) {
		tell?.(value);
		return REDACTED;
	}
	if (Array.isArray(value)) {
		const items = own(schema, 'items');
		return value.map((item) => withoutMasked(item, items, tell));
	}
	const properties = own(schema, 'properties');
	return mapMembers(value, (name, item) => withoutMasked(item, own(properties, name), tell));
}

function scalars(value: Json): string[] {
	if (typeof value === 'string' || typeof value === 'number') {
		return [String(value)];
	}
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalars) : [];
}

/** What stands under a secret's name: texts and numbers, alone or in a list. */
function withoutScalars(value: Json): Json {
	return Array.isArray(value)
		? value.map(withoutScalars)
		: typeof value === 'string' || typeof value === 'number'
			? REDACTED
			: value;
}

function schemaOf(params: Json | undefined): Json {
	return own(params, 'requestedSchema') ?? own(params, 'schema') ?? {};
}

function requestKey({ server, message }: TraceEntry): string {
	return JSON.stringify([server, own(message, 'id')]);
}

function inputKey({ server, call }: TraceEntry, key: string): string {
	return JSON.stringify([server, call?.id, key]);
}

function toolKey(server: string, name: string): string {
	return JSON.stringify([server, 'tool', 'named', name]);
}

/** A copy in which the value at `path`, if there is one, is another. */
function replace(value: Json, path: readonly string[], change: (value: Json) => Json): Json {
	const [name, ...rest] = path;
	if (name === undefined) {
		return change(value);
	}
	return own(value, name) === undefined
		? value
		: mapMembers(value, (member, item) => (member === name ? replace(item, rest, change) : item));
}

function mapMembers(value: Json, change: (name: string, value: Json) => Json): Json {
	return isObject(value) ? plainObject(Object.entries(value).map(([name, item]) => [name, change(name, item)])) : value;
}
