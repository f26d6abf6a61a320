import { isObject, type Json, type JsonObject } from './json.ts';
import { localizable, type Sentence } from './sentence.ts';
import { jsonLength } from './truncate.ts';

/** Limits of a request. Exceeding one is answered with -32602 and reported to the user. */
export const LIMITS = {
	schemaBytes: 1024 * 1024,
	messageBytes: 100 * 1024,
	/** Everything that an elicitation consists of. */
	requestBytes: 2 * 1024 * 1024,
	nesting: 32,
	properties: 1_000,
	options: 10_000,
} as const;

/** Length of a text in UTF-8 (bytes). */
function utf8Bytes(text: string): number {
	return new TextEncoder().encode(text).length;
}

/** True if a text exceeds `bytes` in UTF-8. Encodes only if the length alone does not decide. */
export function exceeds(text: string, bytes: number): boolean {
	return text.length > bytes || (text.length * 3 > bytes && utf8Bytes(text) > bytes);
}

/** Removes the entry that was set first if there are too many. */
export function dropOldest<K>(map: Map<K, unknown>, most: number): void {
	if (map.size > most) {
		map.delete(map.keys().next().value as K);
	}
}

/** Max bytes of JSON for each character that `jsonLength` counts: those of an escape, `\u001f`. */
const MOST_BYTES = 6;

/** Which limit a schema exceeds; `undefined` if none. */
export function schemaLimit(schema: Json): Sentence | undefined {
	return structureLimit(schema) ?? sizeLimit(schema);
}

/** Serializes only if the approximate length does not decide. */
function sizeLimit(schema: Json): Sentence | undefined {
	return jsonLength(schema) * MOST_BYTES > LIMITS.schemaBytes && exceeds(JSON.stringify(schema), LIMITS.schemaBytes)
		? localizable('The schema is larger than {0} bytes.', LIMITS.schemaBytes)
		: undefined;
}

/** Iterative, because the nesting depth is not known yet. */
function structureLimit(schema: Json): Sentence | undefined {
	let properties = 0;
	let level: Json[] = [schema];
	for (let depth = 1; level.length > 0; depth++) {
		if (depth > LIMITS.nesting) {
			return localizable('The schema is nested deeper than {0} levels.', LIMITS.nesting);
		}
		const next: Json[] = [];
		for (const node of level) {
			for (const name of Object.keys(node as object)) {
				const value = (node as JsonObject)[name] as Json;
				if (name === 'properties' && isObject(value)) {
					properties += Object.keys(value).length;
				}
				if (
					(name === 'enum' || name === 'oneOf' || name === 'anyOf') &&
					Array.isArray(value) &&
					value.length > LIMITS.options
				) {
					return localizable('The schema lists more than {0} options for one choice.', LIMITS.options);
				}
				if (typeof value === 'object' && value !== null) {
					next.push(value);
				}
			}
		}
		if (properties > LIMITS.properties) {
			return localizable('The schema has more than {0} properties.', LIMITS.properties);
		}
		level = next;
	}
	return undefined;
}
