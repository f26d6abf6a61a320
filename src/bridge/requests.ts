import type { CallRequest } from '../elicitation/call.ts';
import { INVALID_PARAMS, METHOD_NOT_FOUND, URL_ELICITATION_REQUIRED } from '../elicitation/errorCodes.ts';
import { isObject, type JsonObject, own } from '../elicitation/json.ts';
import { textOf } from '../elicitation/jsonText.ts';
import { listedBy } from '../elicitation/lists.ts';
import type { CallOptions } from '../mcp/index.ts';
import type { BridgeHost } from './host.ts';

/** An error to send to the client as is. */
export class WireError extends Error {
	constructor(
		readonly code: number,
		message: string,
		readonly data?: unknown,
	) {
		super(message);
	}
}

/** Handles a client's request on behalf of the server. Rejects with the error to send to the client. */
export async function serveRequest(
	host: BridgeHost,
	server: string,
	method: string,
	params: unknown,
	options: Pick<CallOptions, 'signal' | 'onProgress'>,
): Promise<JsonObject> {
	const list = listedBy(method);
	if (method === 'ping') {
		return {};
	}
	if (list) {
		// The complete list on one page: all pages have been read already.
		return { [list]: (await host.connect(server)).listed(list) };
	}
	return call(host, server, requested(method, params), options);
}

/** Reads the request of a call. Throws the error to send to the client. */
export function requested(method: string, params: unknown): CallRequest {
	const args = own(params, 'arguments') ?? {};
	if (!isObject(args)) {
		throw new WireError(INVALID_PARAMS, '"arguments" is no object.');
	}
	switch (method) {
		case 'tools/call':
			return { kind: 'tool', name: text(params, 'name'), args };
		case 'prompts/get':
			return { kind: 'prompt', name: text(params, 'name'), args };
		case 'resources/read':
			return { kind: 'resource', name: text(params, 'uri'), args: {} };
		default:
			throw new WireError(METHOD_NOT_FOUND, `${method} is not bridged.`);
	}
}

function text(params: unknown, key: string): string {
	const value = own(params, key);
	if (typeof value !== 'string') {
		throw new WireError(INVALID_PARAMS, `"${key}" is no text.`);
	}
	return value;
}

/**
 * Makes a call. The client gets the server's last response exactly as it was sent, because the SDK drops unknown members.
 * Rejects with the error to send to the client.
 */
export async function call(
	host: BridgeHost,
	server: string,
	request: CallRequest,
	options: Pick<CallOptions, 'signal' | 'onProgress'>,
): Promise<JsonObject> {
	let response: unknown;
	const onResponse = (heard: unknown) => {
		response = heard;
	};
	try {
		const result = await host.call(server, request, { ...options, onResponse });
		const raw = own(response, 'result');
		// `resultType` is from a newer revision than the one that the client speaks.
		const { resultType: _, ...rest } = isObject(raw) ? raw : result;
		return rest;
	} catch (error) {
		const raw = own(response, 'error');
		const code = own(raw, 'code');
		// URL elicitations are handled here. The client must not prompt for them again.
		if (typeof code === 'number' && code !== URL_ELICITATION_REQUIRED) {
			throw new WireError(code, textOf(own(raw, 'message')), own(raw, 'data'));
		}
		throw error;
	}
}
