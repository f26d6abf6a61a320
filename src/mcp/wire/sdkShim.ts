import { randomUUID } from 'node:crypto';
import { CLIENT_CAPABILITIES_META_KEY, type JSONRPCMessage, type JSONRPCRequest } from '@modelcontextprotocol/client';
import { INVALID_REQUEST } from '../../elicitation/errorCodes.ts';
import { isSameRequest } from '../../elicitation/form/flatten.ts';
import {
	given,
	idKey,
	isObject,
	type Json,
	type JsonObject,
	mapMembers,
	own,
	without,
} from '../../elicitation/json.ts';
import { english, localizable, render, type Sentence } from '../../elicitation/sentence.ts';
import { type Malformed, readMessage, withoutNulls, withoutNullsWithin } from './envelope.ts';
import { type NoResponse, ResultMissing } from './failure.ts';
import type { ListBounds } from './listBounds.ts';

/** The last revision with JSON-RPC batches (2025-03-26, batching). */
const LAST_WITH_BATCHES = '2025-03-26';

/** Key under which a result carries the task that the server created instead. Random, so that no server can forge it. */
const CREATED_TASK = randomUUID();

/** The task that a server created instead of a result, raw. */
export function createdTask(result: unknown): JsonObject | undefined {
	const task = own(result, CREATED_TASK);
	return isObject(task) ? task : undefined;
}

/** A result in place of which the server created that task. */
export function resultOf(task: JsonObject): JsonObject {
	return { [CREATED_TASK]: task };
}

/** Key under which the result of a call passes the SDK, which would reject what it does not expect. Random, too. */
const RAW_RESULT = randomUUID();

/** The result of a call as the server sent it. */
export function rawResult(result: unknown): unknown {
	return own(result, RAW_RESULT) ?? result;
}

/** A response whose result the SDK accepts for every call. */
function passing(response: JSONRPCMessage, key: string, value: JsonObject): JSONRPCMessage {
	const empty = { content: [], messages: [], contents: [], ttlMs: 0, cacheScope: 'private' };
	return { ...response, result: { resultType: 'complete', ...empty, [key]: value } } as JSONRPCMessage;
}

/** What servers are told about a cancellation. What people read may name settings, and what they have configured. */
export const CANCELLATIONS = {
	timedOut: 'timed out',
	byUser: 'cancelled by the user',
	byProgram: 'cancelled by the program that called',
} as const;

/** What to do with a message from the server: pass it to the SDK, fail our request, respond in the SDK's place, or ignore it. */
export type ShimResult =
	| { readonly pass: JSONRPCMessage }
	| { readonly fail: NoResponse }
	| { readonly reason: string; readonly response?: JSONRPCMessage };

/** What the shim needs to know about the connection. */
export interface SdkShimContext {
	/** Whether the session speaks 2026-07-28 or later. */
	modern(): boolean;
	/** The negotiated revision; `undefined` before negotiation. */
	revision(): string | undefined;
	/** Whether tasks were declared to the server. */
	readonly tasks: boolean;
	/** Called for a malformed elicitation, to tell the user why it was refused. */
	refused(params: Json, reason: Sentence): void;
}

/** Patches the messages between the SDK and the wire. One instance per connection; it sees every message in order. */
export class SdkShim {
	/** Pending requests from the server, raw. */
	readonly #asked = new Map<string | undefined, JSONRPCRequest>();

	constructor(
		private readonly context: SdkShimContext,
		private readonly lists: ListBounds,
	) {}

	/**
	 * @param batched whether the message was part of a batch
	 * @param answersCall whether it is the response to a call
	 */
	received(message: Json, batched = false, answersCall = false): ShimResult {
		const received = readMessage(message);
		switch (received.kind) {
			case 'request':
				return this.#request(received.request, batched);
			case 'malformed':
				return this.#refuse(received);
			case 'notification':
				return { pass: this.#cancelled(received.message) };
			case 'response':
				return { pass: this.#complete(this.lists.received(received.message), answersCall) };
			case 'resultless':
				return { fail: new ResultMissing('The result is not an object.') };
			case 'noise':
				return { reason: `Ignored what is no JSON-RPC message: ${JSON.stringify(message)}` };
		}
	}

	/** The message to send for a message of the SDK. Responses to cancelled requests are dropped. */
	sent(message: JSONRPCMessage): JSONRPCMessage | undefined {
		this.lists.sent(message);
		if (own(message, 'method') === undefined) {
			return this.#asked.delete(idKey(own(message, 'id'))) ? message : undefined;
		}
		return withCapabilitiesOfEra(withPlainReason(message));
	}

	/** A pending request from the server, raw. The SDK sees only its method. */
	asked(id: unknown): JSONRPCRequest | undefined {
		return this.#asked.get(idKey(id));
	}

	/** The request won't get a response. A later one with the same id still does. */
	forget(request: JSONRPCRequest): void {
		if (this.asked(request.id) === request) {
			this.#asked.delete(idKey(request.id));
		}
	}

	#request(request: JSONRPCRequest, batched: boolean): ShimResult {
		const { id, method } = request;
		const refuse = (reason: Sentence, answered: Malformed['id'] = id) => {
			const params = (own(request, 'params') ?? null) as Json;
			return this.#refuse({ kind: 'malformed', id: answered, method, params, code: INVALID_REQUEST, reason });
		};
		const revision = this.context.revision();
		if (batched && revision !== undefined && revision > LAST_WITH_BATCHES) {
			return refuse(localizable('Protocol revision {0} has no batches of messages.', revision));
		}
		if (this.context.modern()) {
			return refuse(localizable('Protocol revision {0} has no requests from servers.', revision ?? ''));
		}
		const open = this.#asked.get(idKey(id));
		if (open && isSameRequest(open as unknown as JsonObject, request as unknown as JsonObject)) {
			return {
				reason: `Ignored a request (${JSON.stringify(method)}, id ${JSON.stringify(id)}) that the server sent again.`,
			};
		}
		if (open) {
			// A response with this id would be taken for that of the open request.
			return refuse(localizable('A request with the id {0} is open already.', JSON.stringify(id)), null);
		}
		this.#asked.set(idKey(id), request);
		return { pass: { jsonrpc: '2.0', id, method } };
	}

	/** Returns an error, except since 2026-07-28, when clients must not send responses. */
	#refuse({ id, method, params, code, reason }: Malformed): ShimResult {
		const message = render(reason, english);
		const logged = `Refused a request (${JSON.stringify(method)}, id ${JSON.stringify(id)}): ${message}`;
		if (method === 'elicitation/create') {
			this.context.refused(params, reason);
		}
		if (this.context.modern()) {
			return { reason: logged };
		}
		// The SDK's types lack the null id that JSON-RPC requires here.
		return { reason: logged, response: { jsonrpc: '2.0', id: id as string, error: { code, message } } };
	}

	/** Handles a cancellation. A reason that isn't a string is removed, because the SDK would drop the notification. */
	#cancelled(notification: JSONRPCMessage): JSONRPCMessage {
		const params = own(notification, 'params');
		if (own(notification, 'method') !== 'notifications/cancelled' || !isObject(params)) {
			return notification;
		}
		const { reason, requestId, ...rest } = params;
		// The SDK compares it to the letter.
		const id = this.asked(requestId)?.id ?? requestId;
		this.#asked.delete(idKey(id));
		return {
			...notification,
			params: { ...rest, requestId: id, ...(typeof reason === 'string' && { reason }) },
		} as JSONRPCMessage;
	}

	/**
	 * A result without `resultType` is complete (R05), but the SDK rejects it. It also rejects created tasks, lists without
	 * caching hints, servers that don't say their name and version, null for what is absent, and results of calls with
	 * content that it doesn't know, although the call has run.
	 */
	#complete(message: JSONRPCMessage, answersCall: boolean): JSONRPCMessage {
		const result = own(message, 'result');
		const task = this.context.tasks ? this.#created(result) : undefined;
		if (task) {
			return passing(message, CREATED_TASK, task);
		}
		if (!isObject(result)) {
			return message;
		}
		const modern = this.context.modern();
		const resultType = given(result, 'resultType') ?? 'complete';
		if (answersCall && (resultType === 'complete' || !modern)) {
			return passing(message, RAW_RESULT, without(result, ['resultType']));
		}
		const known = withServerInfo(withoutAbsent(result));
		return { ...message, result: modern ? { ...known, resultType, ...cacheHints(known) } : known } as JSONRPCMessage;
	}

	/** The task in a `CreateTaskResult` of either era. */
	#created(result: unknown): JsonObject | undefined {
		if (this.context.modern()) {
			return own(result, 'resultType') === 'task' ? (result as JsonObject) : undefined;
		}
		const task = own(result, 'task');
		const content = given(result, 'content');
		// Some SDKs send empty content along with it.
		const isEmpty = content === undefined || (Array.isArray(content) && content.length === 0);
		return isEmpty && isObject(task) && own(task, 'taskId') !== undefined ? task : undefined;
	}
}

/** The SDK gives the text of whatever error has cancelled a request as the reason. */
function withPlainReason(message: JSONRPCMessage): JSONRPCMessage {
	const params = own(message, 'params');
	const reasons: readonly Json[] = Object.values(CANCELLATIONS);
	return own(message, 'method') === 'notifications/cancelled' &&
		isObject(params) &&
		!reasons.includes(own(params, 'reason') ?? null)
		? ({ ...message, params: without(params, ['reason']) } as JSONRPCMessage)
		: message;
}

/** Members of results in which nobody takes null for a value. */
const PLAIN = ['capabilities', 'serverInfo', 'completion', '_meta'];

/** A result without null for what is absent. */
function withoutAbsent(result: JsonObject): JsonObject {
	const plain = (name: string, value: Json) => (PLAIN.includes(name) ? withoutNullsWithin(value) : value);
	return mapMembers(withoutNulls(result), plain) as JsonObject;
}

/** The result of `initialize` with an empty name or version for one that is missing. Any other result stays as it is. */
function withServerInfo(result: JsonObject): JsonObject {
	if (own(result, 'protocolVersion') === undefined) {
		return result;
	}
	const info = own(result, 'serverInfo');
	const texts = ['name', 'version'].map((member) => [member, own(info, member)] as const);
	const named = Object.fromEntries(texts.map(([member, text]) => [member, typeof text === 'string' ? text : '']));
	return { ...result, serverInfo: { ...(isObject(info) && info), ...named } };
}

/** The members that hold a list. */
const CACHEABLE = ['tools', 'prompts', 'resources', 'resourceTemplates'];

/** What replaces a missing or invalid hint about caching: such a list is stale at once (2026-07-28, caching). */
function cacheHints(result: JsonObject): JsonObject {
	if (!CACHEABLE.some((member) => Array.isArray(own(result, member)))) {
		return {};
	}
	const [ttl, scope] = [own(result, 'ttlMs'), own(result, 'cacheScope')];
	return {
		...(!(Number.isSafeInteger(ttl) && Number(ttl) >= 0) && { ttlMs: 0 }),
		...(scope !== 'public' && scope !== 'private' && { cacheScope: 'private' }),
	};
}

/**
 * The SDK declares the same capabilities in both eras. Removes the tasks of the other one (K05, K10), and the notification
 * about roots, which 2026-07-28 no longer has.
 */
function withCapabilitiesOfEra(message: JSONRPCMessage): JSONRPCMessage {
	const params = own(message, 'params');
	const meta = own(params, '_meta');
	const initialized = own(params, 'capabilities');
	const declared = own(meta, CLIENT_CAPABILITIES_META_KEY);
	if (own(message, 'method') === 'initialize' && isObject(params) && isObject(initialized)) {
		const { extensions: _, ...capabilities } = initialized;
		return { ...message, params: { ...params, capabilities } } as unknown as JSONRPCMessage;
	}
	if (isObject(params) && isObject(meta) && isObject(declared)) {
		const { tasks: _, roots, ...capabilities } = declared;
		const _meta = { ...meta, [CLIENT_CAPABILITIES_META_KEY]: { ...capabilities, ...(roots && { roots: {} }) } };
		return { ...message, params: { ...params, _meta } } as unknown as JSONRPCMessage;
	}
	return message;
}
