import { isObject, type JsonObject, own } from '../elicitation/json.ts';
import type { CallOptions, ListName } from '../mcp/index.ts';
import type { BridgeHost, CallRequest } from './host.ts';

/** JSON-RPC's own codes, and the one by which a server asks for pages to be visited before it goes on. */
export const INTERNAL_ERROR = -32603;
export const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const URL_REQUIRED = -32042;

/** An error as it crosses the wire. */
export class WireError extends Error {
	constructor(
		readonly code: number,
		message: string,
		readonly data?: unknown,
	) {
		super(message);
	}
}

/** The lists, by the methods that ask for them. */
const LISTS: ReadonlyMap<string, ListName> = new Map([
	['tools/list', 'tools'],
	['prompts/list', 'prompts'],
	['resources/list', 'resources'],
	['resources/templates/list', 'resourceTemplates'],
]);

/** Answers a request of a client in the server's place. Rejects with what the client is to be told. */
export async function serveRequest(
	host: BridgeHost,
	server: string,
	method: string,
	params: unknown,
	options: Pick<CallOptions, 'signal' | 'onProgress'>,
): Promise<JsonObject> {
	const list = LISTS.get(method);
	if (method === 'ping') {
		return {};
	}
	if (list) {
		// Whole, and on one page: it has been read page by page already.
		return { [list]: (await host.connect(server)).listed(list) };
	}
	return call(host, server, requested(method, params), options);
}

function requested(method: string, params: unknown): CallRequest {
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

/** What the server says last is what the client gets, as it crossed the wire: this client's SDK leaves out what it does not know. */
async function call(
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
		// No client of a session knows what a newer revision calls the kind of a result.
		const { resultType: _, ...rest } = isObject(raw) ? raw : result;
		return rest;
	} catch (error) {
		const raw = own(response, 'error');
		const code = own(raw, 'code');
		// Pages are asked for here; a client that heard of them would ask again.
		if (typeof code === 'number' && code !== URL_REQUIRED) {
			throw new WireError(code, String(own(raw, 'message')), own(raw, 'data'));
		}
		throw error;
	}
}
