import { isObject, type Json, own } from '../elicitation/json.ts';
import type { TraceEntry } from './log.ts';

export const REDACTED = '‹redacted›';

/**
 * Takes masked values out of messages that leave the window: what was entered into a `format: password` or `writeOnly`
 * field, and every `requestState`, which is the server's secret and not ours to pass on. One instance reads one log, in its order,
 * because an answer is only recognised by the request before it.
 */
export class Redactor {
	readonly #masked = new Map<string, ReadonlySet<string>>();

	/** A copy of the message without its secrets; the message itself is left alone. */
	redact(entry: TraceEntry): unknown {
		this.#learn(entry);
		const id = own(entry.message, 'id');
		const masked = this.#masked.get(key(entry, id));
		return walk(entry.message as Json, (name, value, parents) => {
			if (name === 'requestState' && typeof value === 'string') {
				return REDACTED;
			}
			if (parents.at(-1) !== 'content') {
				return value;
			}
			const inputKey = parents.at(-3) === 'inputResponses' ? parents.at(-2) : undefined;
			const names = inputKey === undefined ? masked : this.#masked.get(inputId(entry, inputKey));
			return names?.has(name) ? REDACTED : value;
		});
	}

	#learn(entry: TraceEntry): void {
		const { message } = entry;
		if (own(message, 'method') === 'elicitation/create') {
			this.#masked.set(key(entry, own(message, 'id')), maskedNames(own(message, 'params')));
		}
		const inputs = own(own(message, 'result'), 'inputRequests');
		if (isObject(inputs)) {
			for (const [inputKey, request] of Object.entries(inputs)) {
				this.#masked.set(inputId(entry, inputKey), maskedNames(own(request, 'params')));
			}
		}
	}
}

/** Names of the properties of a `requestedSchema` that are masked when entered. */
export function maskedNames(params: Json | undefined): ReadonlySet<string> {
	const properties = own(own(params, 'requestedSchema') ?? own(params, 'schema'), 'properties');
	const names = new Set<string>();
	if (isObject(properties)) {
		for (const [name, schema] of Object.entries(properties)) {
			if (own(schema, 'format') === 'password' || own(schema, 'writeOnly') === true) {
				names.add(name);
			}
		}
	}
	return names;
}

function key(entry: TraceEntry, id: unknown): string {
	return JSON.stringify([entry.server, id]);
}

function inputId(entry: TraceEntry, inputKey: string): string {
	return JSON.stringify([entry.server, entry.call?.id, inputKey]);
}

function walk(
	value: Json,
	replace: (name: string, value: Json, parents: readonly string[]) => Json,
	parents: readonly string[] = [],
): Json {
	if (Array.isArray(value)) {
		return value.map((item) => walk(item, replace, parents));
	}
	if (!isObject(value)) {
		return value;
	}
	const copy: Record<string, Json> = Object.create(null);
	for (const [name, item] of Object.entries(value)) {
		const replaced = replace(name, item, parents);
		copy[name] = replaced === item ? walk(item, replace, [...parents, name]) : replaced;
	}
	return copy;
}
