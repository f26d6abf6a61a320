import { createdTask } from '../conversation/task.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND } from '../elicitation/errorCodes.ts';
import { given, isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';
import { writeJson } from '../elicitation/jsonText.ts';
import { type RecordedMessage, revisionIn } from '../trace/recording/readRecording.ts';
import { contentOf, type Exchange, essence, exchangesIn, matches, sameUntil, turnsOf } from './exchanges.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** What names the target of a call, by method. */
const NAMES: Readonly<Record<string, string>> = {
	'tools/call': 'name',
	'prompts/get': 'name',
	'resources/read': 'uri',
};

/** The member of a list that holds its entries, and the method that calls one of them. */
const LISTS: Readonly<Record<string, readonly [member: string, called: string]>> = {
	'tools/list': ['tools', 'tools/call'],
	'prompts/list': ['prompts', 'prompts/get'],
	'resources/list': ['resources', 'resources/read'],
};

/** Requests of which the first recorded one counts, whatever its params were. */
const HANDSHAKES: readonly string[] = ['initialize', 'server/discover', 'logging/setLevel', 'subscriptions/listen'];

/** Max number of recorded calls that an error lists, and the longest of them (characters). */
const MAX_LISTED = 5;
const MAX_SHOWN = 200;

/** Begins every `requestState`: the recorded ones are redacted. */
const STATE = 'recording:';

/** A JSON-RPC error for what the recording does not cover. */
export class NotRecorded extends Error {
	constructor(
		readonly code: number,
		message: string,
	) {
		super(message);
	}
}

/** What a recorded server did: finds the recorded exchange for each request. */
export class RecordedServer {
	readonly #exchanges: readonly Exchange[];
	readonly #byMethod = new Map<string, Exchange[]>();
	/** True if it was recorded in sessions that begin with `initialize`, up to revision 2025-11-25. */
	readonly hasSessions: boolean;
	/** True if it was recorded in revision 2026-07-28, without sessions. */
	readonly isStateless: boolean;
	/** The names of the tools that ran as tasks. */
	readonly #ranAsTasks: ReadonlySet<Json | undefined>;

	/** @param messages those of one server, oldest first */
	constructor(
		readonly name: string,
		messages: readonly RecordedMessage[],
	) {
		this.#exchanges = exchangesIn(messages);
		for (const exchange of this.#exchanges) {
			const known = this.#byMethod.get(exchange.method) ?? [];
			known.push(exchange);
			this.#byMethod.set(exchange.method, known);
		}
		const initialized = this.#succeeded('initialize') !== undefined;
		this.isStateless =
			this.#succeeded('server/discover') !== undefined ||
			this.#exchanges.some(({ method, params }) => method !== 'server/discover' && revisionIn(params) !== undefined);
		this.hasSessions = initialized || !this.isStateless;
		const tasks = this.#exchanges.filter(({ response }) => createdTask(response));
		this.#ranAsTasks = new Set(tasks.map(({ params }) => own(params, 'name')));
	}

	/**
	 * The result of the request that opens a session.
	 * @throws NotRecorded if the server had no sessions
	 */
	initialize(params: Json): JsonObject {
		if (!this.hasSessions) {
			throw new NotRecorded(
				METHOD_NOT_FOUND,
				'This recording is of a server without sessions. Connect with revision 2026-07-28.',
			);
		}
		const wanted = own(params, 'protocolVersion');
		const results = this.#of('initialize').flatMap(({ response }) => own(response, 'result') ?? []);
		const result = results.find((each) => own(each, 'protocolVersion') === wanted) ?? results[0];
		return isObject(result)
			? this.#declared(result)
			: {
					protocolVersion: wanted ?? '',
					capabilities: this.#capabilities({ tasks: { cancel: {}, requests: { tools: { call: {} } } } }),
					serverInfo: this.#info(),
				};
	}

	/**
	 * The result of the request that stands at the beginning in revision 2026-07-28.
	 * @throws NotRecorded if the server had only sessions
	 */
	discover(): JsonObject {
		if (!this.isStateless) {
			throw new NotRecorded(METHOD_NOT_FOUND, 'This recording is of a server with sessions. Connect with initialize.');
		}
		const result = own(this.#succeeded('server/discover')?.response, 'result');
		return isObject(result)
			? this.#declared(result)
			: {
					resultType: 'complete',
					ttlMs: 0,
					cacheScope: 'private',
					supportedVersions: [...new Set(this.#exchanges.flatMap(({ params }) => revisionIn(params) ?? []))],
					capabilities: this.#capabilities({ extensions: { [TASKS_EXTENSION]: {} } }),
					serverInfo: this.#info(),
				};
	}

	/**
	 * Finds the exchange for a request. Repeated requests get the recorded ones in turn, then the first again.
	 * @param counts how often each request has been made, by the first exchange recorded of it
	 * @throws NotRecorded if there is none
	 */
	find(method: string, params: Json, counts: Map<Exchange, number>): Exchange {
		const state = own(params, 'requestState');
		if (typeof state === 'string') {
			return this.#nextRound(state, params);
		}
		const recorded = this.#of(method);
		const wanted = essence(params);
		const all = HANDSHAKES.includes(method)
			? recorded.slice(0, 1)
			: recorded.filter(({ params: its, previous }) => !previous && matches(essence(its), wanted));
		const [first] = all;
		if (!first) {
			throw this.#unknown(method, params, recorded);
		}
		const count = counts.get(first) ?? 0;
		counts.set(first, count + 1);
		return all[count % all.length] ?? first;
	}

	/** Which recorded exchange fits after the client's response at a turn; the given one if none does. */
	afterResponse(exchange: Exchange, turn: number, response: JsonObject): Exchange {
		const fits = (each: Exchange) => {
			const expected = turnsOf(each)[turn];
			return (
				expected?.kind === 'expect' &&
				matches(contentOf(expected.response), contentOf(response)) &&
				isSameCall(each, exchange) &&
				sameUntil(exchange, each, turn)
			);
		};
		return fits(exchange) ? exchange : (this.#of(exchange.method).find(fits) ?? exchange);
	}

	/** The recorded calls that are like one and created tasks. */
	tasksLike(call: Exchange): readonly Exchange[] {
		return this.#of(call.method).filter((each) => createdTask(each.response) && isSameCall(each, call));
	}

	/** A recorded list with what can be called first. A call of anything else could only fail, so its description says so. */
	ordered(method: string, result: JsonObject): JsonObject {
		const [member, called] = LISTS[method] ?? [];
		const entries = member !== undefined && own(result, member);
		if (called === undefined || !Array.isArray(entries)) {
			return result;
		}
		const names = new Set(this.#called(called));
		const isRecorded = (entry: Json) => names.has(own(entry, NAMES[called] ?? '') ?? null);
		const others = entries.filter((entry) => !isRecorded(entry)).map((entry) => marked(entry));
		return { ...result, [String(member)]: [...entries.filter(isRecorded), ...others] };
	}

	/** The names of what was called with a method. */
	#called(method: string): Json[] {
		return [...new Set(this.#of(method).flatMap(({ params }) => own(params, NAMES[method] ?? '') ?? []))];
	}

	/** A list that the recording lacks, made from its calls; undefined for any other request. */
	listFor(method: string): JsonObject | undefined {
		const complete = this.isStateless ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
		switch (method) {
			case 'tools/list':
				return {
					...complete,
					tools: this.#called('tools/call').map((each) => ({
						name: each,
						inputSchema: { type: 'object' },
						...(this.#ranAsTasks.has(each) && { execution: { taskSupport: 'required' } }),
					})),
				};
			case 'prompts/list':
				return { ...complete, prompts: this.#called('prompts/get').map((each) => ({ name: each })) };
			case 'resources/list':
				return { ...complete, resources: this.#called('resources/read').map((each) => ({ name: each, uri: each })) };
			default:
				return undefined;
		}
	}

	/** The `requestState` after a round. */
	stateAfter({ index }: Exchange): string {
		return `${STATE}${index}`;
	}

	#nextRound(state: string, params: Json): Exchange {
		const before = state.startsWith(STATE) ? this.#exchanges[Number(state.slice(STATE.length))] : undefined;
		const later = before
			? this.#of(before.method).filter(({ previous }) => previous && isSameRound(previous, before))
			: [];
		const responses = own(params, 'inputResponses') ?? {};
		const next =
			later.find((each) => matches(own(each.params, 'inputResponses') ?? {}, responses)) ??
			later.find(({ previous }) => previous === before) ??
			later[0];
		if (!next) {
			throw before
				? new NotRecorded(INTERNAL_ERROR, 'The recording ends before the next round of this call.')
				: new NotRecorded(INVALID_PARAMS, 'The requestState is not one of this server.');
		}
		return next;
	}

	#of(method: string): readonly Exchange[] {
		return this.#byMethod.get(method) ?? [];
	}

	#succeeded(method: string): Exchange | undefined {
		return this.#of(method).find(({ response }) => given(response, 'result') !== undefined);
	}

	#unknown(method: string, params: Json, recorded: readonly Exchange[]): NotRecorded {
		const naming = NAMES[method];
		if (naming === undefined || recorded.length === 0) {
			const methods = listed([...this.#byMethod.keys()]);
			return new NotRecorded(METHOD_NOT_FOUND, `This recording has no request ${quoted(method)}; it has ${methods}.`);
		}
		const name = own(params, naming);
		const same = recorded.filter((each) => own(each.params, naming) === name);
		if (same.length === 0) {
			const names = listed(recorded.map((each) => quoted(own(each.params, naming))));
			return new NotRecorded(INVALID_PARAMS, `This recording has no call of ${quoted(name)}; it has ${names}.`);
		}
		const args = listed(same.map((each) => quoted(own(each.params, 'arguments') ?? {})));
		return new NotRecorded(
			INVALID_PARAMS,
			`This recording has no call of ${quoted(name)} with these arguments; it has ${args}.`,
		);
	}

	/** The result of a handshake. Without a task in the recording, tasks are not declared: none could be played back. */
	#declared(result: JsonObject): JsonObject {
		return this.#ranAsTasks.size > 0 ? result : withoutTasks(result);
	}

	/** @param tasks how tasks are declared */
	#capabilities(tasks: JsonObject): JsonObject {
		const has = (...methods: string[]) => methods.some((method) => this.#of(method).length > 0);
		return {
			...(this.#ranAsTasks.size > 0 && tasks),
			...(has('tools/call', 'tools/list') && { tools: {} }),
			...(has('prompts/get', 'prompts/list') && { prompts: {} }),
			...(has('resources/read', 'resources/list') && { resources: {} }),
		};
	}

	#info(): JsonObject {
		return { name: this.name, version: 'recorded' };
	}
}

/** An entry of a list of which the recording has no call. */
function marked(entry: Json): Json {
	const description = own(entry, 'description');
	const said = typeof description === 'string' ? ` ${description}` : '';
	return isObject(entry) ? { ...entry, description: `Not recorded.${said}` } : entry;
}

function withoutTasks(result: JsonObject): JsonObject {
	const capabilities = own(result, 'capabilities');
	if (!isObject(capabilities)) {
		return result;
	}
	const { tasks: _, extensions, ...rest } = capabilities;
	const others = isObject(extensions)
		? { extensions: Object.fromEntries(Object.entries(extensions).filter(([name]) => name !== TASKS_EXTENSION)) }
		: {};
	return { ...result, capabilities: { ...rest, ...others } };
}

/** True if two requests are the same, or are about tasks of which the calls are. */
function isSameCall(a: Exchange, b: Exchange): boolean {
	return matches(essence((a.task ?? a).params), essence((b.task ?? b).params));
}

/** True if two requests, and all rounds before them, are the same. */
function isSameRound(one: Exchange, other: Exchange): boolean {
	const inputs = ({ response }: Exchange) => own(own(response, 'result'), 'inputRequests') ?? null;
	let [a, b]: (Exchange | undefined)[] = one.round === other.round ? [one, other] : [one, undefined];
	while (a && b && a !== b && isSameCall(a, b) && matches(inputs(a), inputs(b))) {
		[a, b] = [a.previous, b.previous];
	}
	return a === b;
}

function quoted(value: Json | undefined): string {
	const text = writeJson(value ?? null);
	return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function listed(texts: readonly string[]): string {
	const all = [...new Set(texts)];
	const more = all.length - MAX_LISTED;
	return all.length === 0 ? 'none' : `${all.slice(0, MAX_LISTED).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
