import { isCallMethod } from '../elicitation/call.ts';
import type { Intake } from '../elicitation/elicitation.ts';
import { URL_ELICITATION_REQUIRED } from '../elicitation/errorCodes.ts';
import { sameJson } from '../elicitation/form/flatten.ts';
import { given, isObject, type Json, own } from '../elicitation/json.ts';
import { textOf } from '../elicitation/jsonText.ts';
import { type Direction, Exchange, type Spoken } from './exchange.ts';
import { Ids, isId, MAX_MEMORY, Newest } from './newest.ts';
import { createdTask, endIn, relatedTask, reportIn } from './task.ts';

/** Max number of requests without a response that are remembered, of each side. */
const MAX_OPEN = 10_000;

/** Max number of tasks, of calls with input requests, and of ids of URL elicitations that are remembered. */
const MAX_REMEMBERED = 1_000;

/** A response to a request of the server, in a message of its own or in the params of a request. */
export interface Settlement<M extends Spoken> {
	/** The request; undefined if it is unknown. */
	readonly exchange: Exchange<M> | undefined;
	/** Its params, raw; undefined if they are not known for certain. */
	readonly params: Json | undefined;
	/** Its key in `inputResponses`; undefined for a message of its own. */
	readonly key?: string;
	readonly result: Json | undefined;
	readonly error: Json | undefined;
}

/** What a message means. */
export interface Reading<M extends Spoken> {
	/** The call that it belongs to; undefined for none, or if that is not known. */
	readonly call: M['call'];
	/** The exchange that it begins, repeats, or ends. None for notifications and for responses to unknown requests. */
	readonly exchange: Exchange<M> | undefined;
	/** The request whose task it reports about. */
	readonly about: Exchange<M> | undefined;
	/** The requests that the server makes in it for the first time. */
	readonly asks: readonly Exchange<M>[];
	/** The responses to requests of the server that are in it. */
	readonly settles: readonly Settlement<M>[];
	/** The requests that it says are no longer made, by the side that made them. */
	readonly withdraws: readonly Exchange<M>[];
	/** The URL elicitations that the server reports as complete. */
	readonly completes: readonly Exchange<M>[];
}

const NONE: readonly never[] = [];
/** What is known of each side. */
type Sides<T> = Readonly<Record<Direction, T>>;

const otherSide = { sent: 'received', received: 'sent' } as const satisfies Sides<Direction>;

/** Requests of the server: entries of its results, of one call or task, by their keys; or URL elicitations with one id. */
class Entries<M extends Spoken, K> {
	readonly all = new Map<K, Exchange<M>>();
	/** The keys of those without a response. */
	readonly open = new Set<K>();
	weight = 0;

	release(): void {
		for (const exchange of this.all.values()) {
			exchange.release();
		}
	}
}

/** What outlives a connection: calls go on in the next one. */
class Lasting<M extends Spoken> {
	/** The requests that run as tasks, by the side that made them and the id of the task. */
	readonly tasks: Sides<Newest<string, Exchange<M>>> = {
		sent: new Newest(MAX_REMEMBERED),
		received: new Newest(MAX_REMEMBERED),
	};
	/** By the id of the task, or by call; `undefined` for those of no call. */
	readonly inputs = new Newest<string | M['call'], Entries<M, string>>(MAX_REMEMBERED);
}

/**
 * Reads the messages of a connection in their order, and finds out what belongs together: requests and responses by side and
 * id, entries of results and their responses, tasks, withdrawals, calls. The work is constant for each message and each entry
 * of one; the memory is bounded.
 */
export class Conversation<M extends Spoken> {
	/** Requests without a response, by the side that made them. */
	readonly #open: Sides<Ids<Exchange<M>>> = { sent: new Ids(MAX_OPEN), received: new Ids(MAX_OPEN) };
	/** The same, by the tokens of which progress is reported to them. */
	readonly #progress: Sides<Ids<Exchange<M>>> = { sent: new Ids(MAX_OPEN), received: new Ids(MAX_OPEN) };
	/** By elicitation id. */
	readonly #urls = new Newest<string, Entries<M, object>>(MAX_REMEMBERED);

	/**
	 * @param onlyCall returns the call in flight if it is the only one. Without it, a message belongs to the call that it names,
	 * and to no other
	 */
	constructor(
		private readonly onlyCall?: () => M['call'],
		private readonly lasting = new Lasting<M>(),
	) {}

	/** The conversation of the next connection to the server: ids begin anew, calls and tasks may go on. */
	next(onlyCall: () => M['call']): Conversation<M> {
		return new Conversation(onlyCall, this.lasting);
	}

	/** The only request of a side without a response; undefined if there are several. */
	onlyOpen(side: Direction): Exchange<M> | undefined {
		const [only, another] = this.#open[side].values();
		return another ? undefined : only;
	}

	/** Forgets what belongs to some calls. What arrives late belongs to none. */
	forgetCalls(isForgotten: (call: NonNullable<M['call']>) => boolean): void {
		for (const exchange of this.#remembered()) {
			if (exchange.call && isForgotten(exchange.call)) {
				exchange.call = undefined;
			}
		}
		const { inputs } = this.lasting;
		for (const asker of inputs.keys()) {
			if (typeof asker === 'object' && isForgotten(asker)) {
				inputs.delete(asker);
			}
		}
	}

	*#remembered(): Iterable<Exchange<M>> {
		for (const { sent, received } of [this.#open, this.#progress, this.lasting.tasks]) {
			for (const newest of [...sent.values(), ...received.values()]) {
				for (let each: Exchange<M> | undefined = newest; each; each = each.earlier) {
					yield each;
				}
			}
		}
		for (const { all } of [...this.lasting.inputs.values(), ...this.#urls.values()]) {
			yield* all.values();
		}
	}

	/** Call with every message. */
	read(spoken: M): Reading<M> {
		const { message, direction } = spoken;
		const [method, id] = [own(message, 'method'), own(message, 'id')];
		if (typeof method === 'string') {
			return isId(id) ? this.#request(spoken, method, id) : this.#notification(spoken, method);
		}
		const exchange = method === undefined ? this.#take(otherSide[direction], id) : undefined;
		exchange?.respond(spoken);
		const call = this.#callOf(exchange, spoken);
		return direction === 'sent'
			? this.#clientResponded(message, exchange, call)
			: this.#serverResponded(spoken, exchange, call);
	}

	#request(spoken: M, method: string, id: string | number): Reading<M> {
		const { direction, message } = spoken;
		const params = own(message, 'params');
		const open = this.#open[direction].get(id);
		if (direction === 'sent' && method === 'initialize') {
			// A recording may hold several sessions.
			this.#open.received.clear();
		} else if (direction === 'received') {
			const same = this.#open.received.named(id);
			if (same && isRepeated(same, method, params)) {
				return reading(this.#callOf(same, spoken), same);
			}
		}
		const task = this.#taskOf(direction, method, params);
		const call = this.#callOf(task, spoken) ?? (direction === 'received' ? this.onlyCall?.() : undefined);
		const about = method.startsWith('tasks/') ? task : undefined;
		const earlier = direction === 'received' && open && open.weight < MAX_MEMORY ? open : undefined;
		const asked = direction === 'received' ? params : undefined;
		const exchange = new Exchange(spoken, direction, 'request', method, asked, call, about, earlier);
		if (direction === 'received' && open) {
			exchange.shared = true;
			open.shared = true;
			if (!earlier) {
				open.release();
			}
		}
		this.#open[direction].set(id, exchange);
		const token = this.onlyCall && own(own(params, '_meta'), 'progressToken');
		if (isId(token)) {
			exchange.token = token;
			this.#progress[direction].set(token, exchange);
		}
		const withdraws = method === 'tasks/cancel' && about ? [about] : NONE;
		if (direction === 'sent') {
			return reading(call, exchange, { about, settles: this.#settled(params, call), withdraws });
		}
		this.#addUrl(exchange);
		return reading(call, exchange, { about, asks: [exchange], withdraws });
	}

	/** Finds the request that a response is for; of those with one id the last, as the client refuses all but the first at once. */
	#take(side: Direction, id: Json | undefined): Exchange<M> | undefined {
		const open = this.#open[side];
		const key = open.keyOf(id);
		const exchange = key === undefined ? undefined : open.get(key);
		if (key === undefined || !exchange) {
			return undefined;
		}
		let { earlier } = exchange;
		while (earlier?.withdrawn) {
			earlier = earlier.earlier;
		}
		exchange.earlier = undefined;
		if (earlier) {
			open.set(key, earlier);
		} else {
			open.delete(key);
		}
		return exchange;
	}

	#clientResponded(message: unknown, exchange: Exchange<M> | undefined, call: M['call']): Reading<M> {
		const [result, error] = [own(message, 'result'), given(message, 'error')];
		if (!exchange) {
			return reading(call, exchange, { settles: [{ exchange, params: undefined, result, error }] });
		}
		this.#forgetToken(exchange);
		const taskId = own(own(result, 'task'), 'taskId');
		if (typeof taskId === 'string' && !exchange.about) {
			this.lasting.tasks.received.set(taskId, exchange);
			return reading(call, exchange);
		}
		const asked = exchange.method === 'tasks/result' ? exchange.about : exchange;
		const params = exchange.shared || asked?.shared ? undefined : asked?.params;
		exchange.release();
		return reading(call, exchange, { settles: [{ exchange: asked, params, result, error }] });
	}

	#serverResponded(spoken: M, exchange: Exchange<M> | undefined, call: M['call']): Reading<M> {
		const { message } = spoken;
		const [result, error] = [own(message, 'result'), given(message, 'error')];
		const created = result === undefined || exchange?.about ? undefined : own(createdTask(message), 'taskId');
		if (exchange && typeof created === 'string') {
			this.lasting.tasks.sent.set(created, exchange);
		} else if (exchange) {
			this.#forgetToken(exchange);
		}
		const taskId = own(result, 'taskId');
		const isRound = own(result, 'resultType') === 'input_required';
		if (typeof taskId === 'string' && !isRound) {
			return reading(call, exchange, { about: exchange?.about, ...this.#reported(spoken, taskId, result, call) });
		}
		const inputs = own(result, 'inputRequests');
		if (isObject(inputs)) {
			// Whatever was required before is not any more.
			this.lasting.inputs.delete(call);
			const asks = this.#ask(spoken, Object.entries(inputs), call, call);
			return reading(call, exchange, { asks });
		}
		if (exchange && isCallMethod(exchange.method) && endIn(exchange.method, message) !== undefined) {
			this.lasting.inputs.delete(call);
		}
		const urls = own(error, 'code') === URL_ELICITATION_REQUIRED ? own(own(error, 'data'), 'elicitations') : undefined;
		const asks = Array.isArray(urls) ? urls.map((url) => this.#begin(spoken, 'urlRequired', ASKS, url, call)) : NONE;
		return reading(call, exchange, { asks });
	}

	/** A task repeats its requests until it has the responses. */
	#reported(spoken: M, taskId: string, report: Json | undefined, call: M['call']): Partial<Reading<M>> {
		const requests = own(report, 'inputRequests');
		const known = this.lasting.inputs.get(taskId);
		if (!isObject(requests) && (!known || own(report, 'status') === 'input_required')) {
			// Only a poll tells what it is that the task requires.
			return {};
		}
		const withdraws: Exchange<M>[] = [];
		for (const key of known?.open ?? NONE) {
			const exchange = known?.all.get(key);
			if (exchange && own(requests, key) === undefined) {
				known?.open.delete(key);
				known?.all.delete(key);
				exchange.withdrawn = true;
				withdraws.push(exchange);
			}
		}
		const added = isObject(requests) ? Object.entries(requests).filter(([key]) => !known?.all.has(key)) : NONE;
		const asks = added.length > 0 ? this.#ask(spoken, added, taskId, call) : NONE;
		return { asks, withdraws };
	}

	/** @param asker the task, or the call */
	#ask(
		spoken: M,
		requests: readonly (readonly [key: string, request: Json])[],
		asker: string | M['call'],
		call: M['call'],
	): readonly Exchange<M>[] {
		const entries = grown(this.lasting.inputs, asker, spoken.memorySize ?? 0);
		return requests.map(([key, request]) => {
			const method = own(request, 'method');
			const named = typeof method === 'string' ? method : '';
			const exchange = this.#begin(spoken, 'inputRequired', named, own(request, 'params'), call);
			entries.all.set(key, exchange);
			entries.open.add(key);
			return exchange;
		});
	}

	/** A request that the server makes in another message. */
	#begin(spoken: M, intake: Intake, method: string, params: Json | undefined, call: M['call']): Exchange<M> {
		const exchange = new Exchange(spoken, 'received', intake, method, params, call, undefined, undefined);
		this.#addUrl(exchange);
		return exchange;
	}

	/** The responses to entries of results. They stay known, as the request with the responses may be sent again. */
	#settled(params: Json | undefined, call: M['call']): readonly Settlement<M>[] {
		const responses = own(params, 'inputResponses');
		if (!isObject(responses)) {
			return NONE;
		}
		const taskId = own(params, 'taskId');
		const entries = this.lasting.inputs.get(typeof taskId === 'string' ? taskId : call);
		return Object.entries(responses).map(([key, result]) => {
			const exchange = entries?.all.get(key);
			entries?.open.delete(key);
			return { exchange, params: exchange?.params, key, result, error: undefined };
		});
	}

	#notification(spoken: M, method: string): Reading<M> {
		const { direction, message } = spoken;
		const params = own(message, 'params');
		if (method === 'notifications/elicitation/complete') {
			const id = own(params, 'elicitationId');
			const completes = typeof id === 'string' ? [...(this.#urls.get(id)?.all.values() ?? NONE)] : NONE;
			this.#urls.delete(id as string);
			return reading(this.#callOf(completes[0], spoken), undefined, { completes });
		}
		const task = this.#taskOf(direction, method, params);
		const report = direction === 'received' ? reportIn(method, message) : undefined;
		if (report) {
			const call = this.#callOf(task, spoken);
			return reading(call, undefined, {
				about: task,
				...this.#reported(spoken, textOf(own(report, 'taskId')), report, call),
			});
		}
		// A side cancels its own requests, and reports progress to the other.
		const cancelled =
			method === 'notifications/cancelled' ? this.#open[direction].named(own(params, 'requestId')) : undefined;
		const progressed =
			method === 'notifications/progress'
				? this.#progress[otherSide[direction]].named(own(params, 'progressToken'))
				: undefined;
		if (cancelled) {
			cancelled.withdrawn = true;
		}
		const known = this.#callOf(task, spoken) ?? (this.onlyCall ? (progressed ?? cancelled)?.call : undefined);
		return reading(known, undefined, { withdraws: cancelled ? [cancelled] : NONE });
	}

	/** The request that runs as the task which a message is about. */
	#taskOf(direction: Direction, method: string, params: Json | undefined): Exchange<M> | undefined {
		const id = relatedTask(params) ?? own(params, 'taskId');
		if (typeof id !== 'string') {
			return undefined;
		}
		const { tasks } = this.lasting;
		// A side asks about what it has asked for, and says what it does as a task.
		const first = method.startsWith('tasks/') ? direction : otherSide[direction];
		return tasks[first].get(id) ?? tasks[otherSide[first]].get(id);
	}

	/** @param exchange what the message belongs to */
	#callOf(exchange: Exchange<M> | undefined, { call }: M): M['call'] {
		return this.onlyCall ? (exchange?.call ?? call) : call;
	}

	#addUrl(exchange: Exchange<M>): void {
		const { method, params } = exchange;
		const id = method === ASKS && own(params, 'mode') === 'url' ? own(params, 'elicitationId') : undefined;
		if (typeof id === 'string') {
			grown(this.#urls, id, exchange.weight).all.set(exchange, exchange);
		}
	}

	#forgetToken(exchange: Exchange<M>): void {
		const { token, from } = exchange;
		if (token !== undefined && this.#progress[from].get(token) === exchange) {
			this.#progress[from].delete(token);
		}
	}
}

function reading<M extends Spoken>(
	call: M['call'],
	exchange: Exchange<M> | undefined,
	{ about, asks = NONE, settles = NONE, withdraws = NONE, completes = NONE }: Partial<Reading<M>> = {},
): Reading<M> {
	return { call, exchange, about, asks, settles, withdraws, completes };
}

/** The method of an elicitation. */
const ASKS = 'elicitation/create';

/** True for a request that is sent again while it waits for its response: it gets none of its own. */
function isRepeated(open: Exchange<Spoken>, method: string, params: Json | undefined): boolean {
	return !open.withdrawn && open.method === method && sameJson(open.params ?? null, params ?? null);
}

/** The entries of a key, with room for more. */
function grown<M extends Spoken, K, E>(map: Newest<K, Entries<M, E>>, key: K, weight: number): Entries<M, E> {
	const known = map.get(key);
	const entries = known && known.weight < MAX_MEMORY ? known : new Entries<M, E>();
	map.delete(key);
	entries.weight += weight;
	map.set(key, entries);
	return entries;
}
