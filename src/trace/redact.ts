import { isObject, type Json, own, plainObject } from '../elicitation/json.ts';
import type { TraceEntry } from './log.ts';

export const REDACTED = '‹redacted›';

/**
 * Takes masked values out of messages that leave the window: what was entered into a `format: password` or `writeOnly`
 * field, and every `requestState`, which is the server's secret and not ours to pass on. One instance reads one log, in its order,
 * because an answer is only recognised by the request before it. An answer whose request is no longer in the log loses all its
 * values: any of them may have been masked.
 */
export class Redactor {
	readonly #masked = new Map<string, ReadonlySet<string>>();

	/** A copy of the message without its secrets; the message itself is left alone. */
	redact(entry: TraceEntry): unknown {
		this.#learn(entry);
		const message = entry.message as Json;
		if (entry.direction === 'received') {
			return replace(message, ['result', 'requestState'], secret);
		}
		const masked = this.#masked.get(key(entry, own(message, 'id')));
		const answered = replace(message, ['result', 'content'], (content) => withoutMasked(content, masked));
		const continued = replace(answered, ['params', 'requestState'], secret);
		return replace(continued, ['params', 'inputResponses'], (responses) =>
			mapMembers(responses, (inputKey, response) =>
				replace(response, ['content'], (content) => withoutMasked(content, this.#masked.get(inputId(entry, inputKey)))),
			),
		);
	}

	#learn(entry: TraceEntry): void {
		const { message, direction } = entry;
		if (direction === 'sent') {
			return;
		}
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

function secret(): Json {
	return REDACTED;
}

function withoutMasked(content: Json, masked: ReadonlySet<string> | undefined): Json {
	return mapMembers(content, (name, value) => (masked === undefined || masked.has(name) ? REDACTED : value));
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
