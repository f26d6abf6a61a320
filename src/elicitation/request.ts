import { given, isEmptyObject, isObject, type Json, type JsonObject, own } from './json.ts';
import { exceeds, LIMITS, schemaLimit } from './limits.ts';
import { localizable, type Sentence } from './sentence.ts';
import { jsonLength } from './truncate.ts';
import type { UrlLevel } from './url/urlSafety.ts';

/** A form mode elicitation. */
export interface FormRequest {
	readonly mode: 'form';
	readonly message: string;
	readonly requestedSchema: JsonObject;
}

/** A URL mode elicitation. `url` is as the server wrote it; `inspectUrl` decides how it is handled. */
export interface UrlRequest {
	readonly mode: 'url';
	readonly message: string;
	readonly url: string;
	/** Revision 2025-11-25 only. */
	readonly elicitationId?: string;
	/** How much attention the URL needs; absent if it is nothing unusual. */
	readonly level?: UrlLevel;
}

/** A request for the response of a language model, which the user writes or reviews. Its schema is ours. */
export interface SamplingRequest {
	readonly mode: 'sampling';
	readonly message: string;
	readonly requestedSchema: JsonObject;
}

/**
 * The modes that an elicitation capability declares. Without a mode, it stands for form mode: the oldest revision with
 * elicitation has no modes (E01).
 */
export function modesOf(capability: Json | undefined): 'both' | 'form' | 'url' | 'none' {
	if (!isObject(capability)) {
		return 'none';
	}
	const [form, url] = ['form', 'url'].map((mode) => own(capability, mode) !== undefined);
	return !url ? 'form' : form ? 'both' : 'url';
}

export type ElicitationRequest = FormRequest | UrlRequest | SamplingRequest;

/** A request, or why it is refused. */
export type ReadRequest =
	| { readonly ok: true; readonly request: ElicitationRequest }
	| { readonly ok: false; readonly reason: Sentence };

/** Reads the raw `params` of `elicitation/create`. A missing mode means form mode (E08). */
export function readElicitation(params: Json): ReadRequest {
	if (!isObject(params)) {
		return refuse(localizable('The params of the elicitation are missing.'));
	}
	const message = own(params, 'message');
	if (typeof message !== 'string') {
		return refuse(localizable('The member "{0}" must be a string.', 'message'));
	}
	if (exceeds(message, LIMITS.messageBytes)) {
		return refuse(localizable('The message is larger than {0} bytes.', LIMITS.messageBytes));
	}
	const read = readMode(params, message);
	return read.ok && jsonLength(params) > LIMITS.requestBytes
		? refuse(localizable('The request is larger than {0} bytes.', LIMITS.requestBytes))
		: read;
}

function readMode(params: JsonObject, message: string): ReadRequest {
	const mode = given(params, 'mode');
	switch (mode) {
		case undefined:
		case 'form':
			return readForm(params, message);
		case 'url':
			return readUrl(params, message);
		default:
			return refuse(
				typeof mode === 'string'
					? localizable('The elicitation mode "{0}" is unknown.', mode.slice(0, 64))
					: localizable('The member "{0}" must be a string.', 'mode'),
			);
	}
}

function readForm(params: JsonObject, message: string): ReadRequest {
	const name = schemaMember(params);
	const schema = own(params, name);
	const requestedSchema = isEmptyObject(schema) ? {} : schema;
	if (!isObject(requestedSchema)) {
		return refuse(localizable('The member "{0}" must be an object.', name));
	}
	const type = own(requestedSchema, 'type') ?? undefined;
	if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) {
		return refuse(localizable('The member "{0}" must be "object".', `${name}.type`));
	}
	const properties = own(requestedSchema, 'properties');
	if (!isEmptyObject(properties) && !isObject(properties)) {
		return refuse(localizable('The member "{0}" must be an object.', `${name}.properties`));
	}
	const limit = schemaLimit(requestedSchema);
	return limit === undefined ? { ok: true, request: { mode: 'form', message, requestedSchema } } : refuse(limit);
}

/** The member with the schema. Some servers follow an early draft that called it `schema`. */
export function schemaMember(params: JsonObject): 'requestedSchema' | 'schema' {
	return Object.hasOwn(params, 'requestedSchema') || !Object.hasOwn(params, 'schema') ? 'requestedSchema' : 'schema';
}

function readUrl(params: JsonObject, message: string): ReadRequest {
	const url = own(params, 'url');
	const elicitationId = given(params, 'elicitationId');
	if (typeof url !== 'string') {
		return refuse(localizable('The member "{0}" must be a string.', 'url'));
	}
	if (elicitationId !== undefined && typeof elicitationId !== 'string') {
		return refuse(localizable('The member "{0}" must be a string.', 'elicitationId'));
	}
	return { ok: true, request: { mode: 'url', message, url, ...(elicitationId !== undefined && { elicitationId }) } };
}

export function refuse(reason: Sentence): ReadRequest {
	return { ok: false, reason };
}
