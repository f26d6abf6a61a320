import { createdTask, RELATED_TASK } from '../conversation/task.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST } from '../elicitation/errorCodes.ts';
import { given, idKey, isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';
import { type Exchange, type Step, turnsOf } from './exchanges.ts';
import { PlayedTask } from './playedTask.ts';
import { NotRecorded, type RecordedServer, TASKS_EXTENSION } from './recordedServer.ts';

/** Key of a subscription in `_meta`: the id of the request that opened it. */
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** Max time until a notification that was recorded after the response (ms). */
const MAX_DELAY = 60_000;

export type Send = (message: JsonObject) => void;

/** How far clients have got. All that have no session share it. */
export class Progress {
	/** How often each request has been made, see `RecordedServer.find`. */
	readonly counts = new Map<Exchange, number>();
	/** By id. */
	readonly tasks = new Map<Json | undefined, PlayedTask>();
}

/** Plays a recorded server back to one client: responds as recorded, and sends the requests that were recorded. */
export class Playback {
	/** The client's responses that are waited for, by the id of our request. */
	readonly #waiting = new Map<string, (response: JsonObject) => void>();
	/** Requests that are being played back, by their id. */
	readonly #running = new Map<string | undefined, AbortController>();
	readonly #timers = new Set<ReturnType<typeof setTimeout>>();
	#lastId = 0;

	constructor(
		private readonly server: RecordedServer,
		private readonly progress = new Progress(),
	) {}

	/**
	 * Handles a message of the client. Resolves once it needs nothing more.
	 * @param send sends messages that belong to it
	 */
	async receive(message: Json, send: Send): Promise<void> {
		const [method, id, params] = [own(message, 'method'), own(message, 'id'), own(message, 'params') ?? null];
		if (typeof method === 'string' && id === undefined) {
			if (method === 'notifications/cancelled') {
				this.cancel(own(params, 'requestId') ?? null);
			}
		} else if (typeof method === 'string' && (typeof id === 'string' || typeof id === 'number')) {
			await this.#respond(id, method, params, send);
		} else if (idKey(id) !== undefined && isObject(message) && method === undefined) {
			const key = idKey(id) ?? '';
			this.#waiting.get(key)?.(message);
			this.#waiting.delete(key);
		} else {
			send({ jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message: 'This is not a JSON-RPC message.' } });
		}
	}

	/** Stops playing a request back. */
	cancel(id: Json): void {
		this.#running.get(idKey(id))?.abort();
	}

	/** Ends everything that is being played back. */
	close(): void {
		for (const running of this.#running.values()) {
			running.abort();
		}
		for (const timer of this.#timers) {
			clearTimeout(timer);
		}
	}

	async #respond(id: string | number, method: string, params: Json, send: Send): Promise<void> {
		const abort = new AbortController();
		this.#running.set(idKey(id), abort);
		try {
			const response = await this.#responseTo(id, method, params, send, abort.signal);
			if (response && !abort.signal.aborted) {
				send({ jsonrpc: '2.0', id, ...response });
			}
		} catch (error) {
			if (!abort.signal.aborted) {
				const { code, message } =
					error instanceof NotRecorded ? error : { code: INTERNAL_ERROR, message: String(error) };
				send({ jsonrpc: '2.0', id, error: { code, message } });
			}
		} finally {
			this.#running.delete(idKey(id));
		}
	}

	/** Undefined if there is no response, as for a subscription. */
	async #responseTo(
		id: string | number,
		method: string,
		params: Json,
		send: Send,
		signal: AbortSignal,
	): Promise<JsonObject | undefined> {
		switch (method) {
			case 'ping':
				return { result: {} };
			case 'initialize':
				return { result: this.server.initialize(params) };
			case 'server/discover':
				return { result: this.server.discover() };
			case 'tasks/get':
				return this.#taskOf(params).poll();
			case 'tasks/update':
				return this.#taskOf(params).update(params);
			case 'tasks/cancel':
				return this.#taskOf(params).cancel();
		}
		const task = method === 'tasks/result' ? this.#taskOf(params) : undefined;
		const found = task ? { exchange: task.result } : this.#find(method, params);
		if ('result' in found) {
			return found;
		}
		const exchange = await this.#play(found.exchange, id, params, send, signal);
		const { response, late } = exchange;
		if (!response) {
			if (method === 'subscriptions/listen') {
				return undefined;
			}
			throw new NotRecorded(INTERNAL_ERROR, 'The recording ends before the response to this request.');
		}
		for (const { message, after } of late) {
			const timer = setTimeout(() => send(addressed(message, id, params, new Map())), Math.min(after, MAX_DELAY));
			timer.unref();
			this.#timers.add(timer);
		}
		task?.hasResult(exchange);
		return this.#recordedResponse(exchange, response, params);
	}

	#taskOf(params: Json): PlayedTask {
		const task = this.progress.tasks.get(own(params, 'taskId'));
		if (!task) {
			throw new NotRecorded(INVALID_PARAMS, 'There is no task with this ID.');
		}
		return task;
	}

	#find(method: string, params: Json): { readonly exchange: Exchange } | { readonly result: JsonObject } {
		try {
			return { exchange: this.server.find(method, params, this.progress.counts) };
		} catch (error) {
			const result = this.server.listFor(method);
			if (result) {
				return { result };
			}
			throw error;
		}
	}

	/** Sends what was recorded before the response. Resolves to the exchange that fits the client's responses. */
	async #play(first: Exchange, id: Json, params: Json, send: Send, signal: AbortSignal): Promise<Exchange> {
		let exchange = first;
		let turn = 0;
		/** Our ids of the requests, by turn. */
		const sent = new Map<number, number>();
		/** By recorded id: our ids of the requests, and those that the client gave to what it does as tasks. */
		const ids = new Map<Json, Json>();
		const responses = new Map<Json, Promise<JsonObject>>();
		for (let at = 0; at < exchange.steps.length && !signal.aborted; at++) {
			const step = exchange.steps[at];
			if (step?.kind === 'send') {
				const recorded = own(step.message, 'id');
				if (recorded === undefined) {
					send(addressed(step.message, id, params, ids));
				} else {
					const ours = ++this.#lastId;
					sent.set(turn++, ours);
					ids.set(recorded, ours);
					responses.set(ours, this.#response(ours, signal));
					send({ ...addressed(step.message, id, params, ids), id: ours });
				}
			} else if (step) {
				const response = await responses.get(ids.get(step.id) ?? null);
				const [recorded, theirs] = [step.response, response].map((each) => own(createdTask(each), 'taskId'));
				if (recorded !== undefined && theirs !== undefined) {
					ids.set(recorded, theirs);
				}
				exchange = response ? this.server.afterResponse(exchange, turn, response) : exchange;
				const turns = turnsOf(exchange);
				at = exchange.steps.indexOf(turns[turn++] ?? step);
				// Another exchange has other ids for what has been sent.
				for (const [before, ours] of sent) {
					ids.set(idOf(turns[before]), ours);
				}
			}
		}
		return exchange;
	}

	/** Rejects if the request during which it is waited for is aborted. */
	#response(id: number, signal: AbortSignal): Promise<JsonObject> {
		const response = new Promise<JsonObject>((resolve, reject) => {
			this.#waiting.set(String(id), resolve);
			signal.addEventListener('abort', () => {
				this.#waiting.delete(String(id));
				reject(signal.reason);
			});
		});
		// Nobody may be waiting for it: the recorded server did not wait either.
		response.catch(() => {});
		return response;
	}

	/** @param params of the request */
	#recordedResponse(exchange: Exchange, response: JsonObject, params: Json): JsonObject {
		const result = given(response, 'result');
		if (result === undefined) {
			return { error: own(response, 'error') ?? { code: INTERNAL_ERROR, message: 'The recorded response is empty.' } };
		}
		if (createdTask(response)) {
			if (!takesTasks(params, own(result, 'resultType') === 'task')) {
				throw new NotRecorded(INVALID_PARAMS, 'This call ran as a task when it was recorded. Call it as one.');
			}
			const task = new PlayedTask(this.server, exchange);
			this.progress.tasks.set(task.id, task);
			return task.created;
		}
		if (!isObject(result)) {
			return { result };
		}
		return own(result, 'resultType') === 'input_required'
			? { result: { ...result, requestState: this.server.stateAfter(exchange) } }
			: { result: inTask(this.server.ordered(exchange.method, result), params) };
	}
}

/** The recorded id of a request of the server. */
function idOf(step: Step | undefined): Json {
	return (step?.kind === 'send' ? own(step.message, 'id') : undefined) ?? null;
}

/**
 * A recorded message with the ids of this connection instead of the recorded ones.
 * @param id the request during which it is sent
 * @param params those of the request
 * @param ids by recorded id: ours of the requests, and those of the tasks of the client
 */
function addressed(message: JsonObject, id: Json, params: Json, ids: ReadonlyMap<Json, Json>): JsonObject {
	const its = own(message, 'params');
	if (!isObject(its)) {
		return message;
	}
	const [requestId, taskId, meta] = [own(its, 'requestId'), own(its, 'taskId'), own(its, '_meta')];
	const token = own(own(params, '_meta'), 'progressToken');
	return {
		...message,
		params: {
			...inTask(its, params),
			...(own(its, 'progressToken') !== undefined && token !== undefined && { progressToken: token }),
			...(requestId !== undefined && { requestId: ids.get(requestId) ?? requestId }),
			...(taskId !== undefined && { taskId: ids.get(taskId) ?? taskId }),
			...(isObject(meta) && own(meta, SUBSCRIPTION) !== undefined && { _meta: { ...meta, [SUBSCRIPTION]: id } }),
		},
	};
}

/**
 * The params or the result of a message with the id of our task instead of the recorded one.
 * @param params those of the request about the task
 */
function inTask(holder: JsonObject, params: Json): JsonObject {
	const [meta, taskId] = [own(holder, '_meta'), own(params, 'taskId')];
	return isObject(meta) && own(meta, RELATED_TASK) !== undefined && taskId !== undefined
		? { ...holder, _meta: { ...meta, [RELATED_TASK]: { taskId } } }
		: holder;
}

/**
 * True if a client wants the call to run as a task, or leaves that to the server.
 * @param isExtension true in revision 2026-07-28, in which tasks are an extension
 */
function takesTasks(params: Json, isExtension: boolean): boolean {
	const capabilities = own(own(params, '_meta'), 'io.modelcontextprotocol/clientCapabilities');
	return (isExtension ? own(own(capabilities, 'extensions'), TASKS_EXTENSION) : own(params, 'task')) !== undefined;
}
