import { randomUUID } from 'node:crypto';
import { createdTask } from '../conversation/task.ts';
import { INTERNAL_ERROR } from '../elicitation/errorCodes.ts';
import { isObject, type Json, type JsonObject, own, without } from '../elicitation/json.ts';
import { type Exchange, matches } from './exchanges.ts';
import { NotRecorded, type RecordedServer } from './recordedServer.ts';

const ENDED: readonly unknown[] = ['completed', 'failed', 'cancelled'];

/** A request about a task, as recorded. */
interface Request {
	/** The call that created the task. */
	readonly call: Exchange;
	readonly exchange: Exchange;
	/** Its place in the events of the task. */
	readonly at: number;
}

/**
 * A task of a served recording. The client learns about it by polling, whether or not the recorded client did: each poll gets
 * the next report, but none that was recorded after a request that the client has not made yet.
 */
export class PlayedTask {
	readonly id = randomUUID();
	readonly #createdAt = now();
	/** The recorded call that it repeats; another one like it once the client has responded as in that. */
	#call: Exchange;
	/** Place of the next event. */
	#at = 0;
	/** The last report: the response to a poll. */
	#report: JsonObject;
	/** The client's responses to input requests, by key, until the task goes on with all of a recorded update. */
	#given: JsonObject = {};

	/** @param call one that created a task */
	constructor(
		private readonly server: RecordedServer,
		call: Exchange,
	) {
		this.#call = call;
		this.#report = { result: this.#creation };
	}

	/** The response that creates it. */
	get created(): JsonObject {
		const [result, task] = [own(this.#call.response, 'result'), this.#described(this.#creation)];
		return { result: this.#isExtension ? task : { ...(isObject(result) ? result : {}), task } };
	}

	/** The response to `tasks/get`. */
	poll(): JsonObject {
		const event = this.#call.events[this.#at];
		if (event?.kind === 'report') {
			this.#report = event.response;
			this.#at++;
		}
		const result = own(this.#report, 'result');
		if (!isObject(result)) {
			return { error: own(this.#report, 'error') ?? null };
		}
		if (!event && !ENDED.includes(own(result, 'status'))) {
			throw new NotRecorded(INTERNAL_ERROR, 'The recording ends before this task does.');
		}
		return { result: { ...this.#described(result), ...(this.#isExtension && { resultType: 'complete' }) } };
	}

	/** The recorded `tasks/result` to play back (2025-11-25). */
	get result(): Exchange {
		const requests = requestsOf(this.#call, 'tasks/result');
		const next = requests.find(({ at }) => at >= this.#at) ?? requests.at(-1);
		if (!next) {
			throw new NotRecorded(INTERNAL_ERROR, 'The recording ends before the result of this task.');
		}
		return next.exchange;
	}

	/**
	 * The client gets the result.
	 * @param exchange that was played back, perhaps of another call
	 */
	hasResult({ task, response }: Exchange): void {
		this.#call = task ?? this.#call;
		this.#end(own(response, 'error') === undefined ? 'completed' : 'failed');
	}

	/** The response to `tasks/update` (2026-07-28). */
	update(params: Json): JsonObject {
		this.#given = { ...this.#given, ...responsesIn(params) };
		if (!this.#nextUpdates(this.#call)[0]) {
			throw new NotRecorded(INTERNAL_ERROR, 'The recording ends before this task gets a response.');
		}
		let response: JsonObject | undefined;
		for (let update = this.#givenUpdate(); update; update = this.#givenUpdate()) {
			this.#call = update.call;
			this.#at = update.at + 1;
			this.#given = without(this.#given, Object.keys(responsesIn(update.exchange.params)));
			response = update.exchange.response;
		}
		return response ?? { result: { resultType: 'complete' } };
	}

	/** The next recorded update if the client has given all responses in it, perhaps one by one or with others. */
	#givenUpdate(): Request | undefined {
		const requested = inputRequestsOf(this.#report);
		const fits = (update: Request) => {
			const [responses, before] = [responsesIn(update.exchange.params), requestedBefore(update)];
			return Object.keys(responses).every(
				(key) => isMatch(responses, this.#given, key) && isMatch(before, requested, key),
			);
		};
		const [recorded] = this.#nextUpdates(this.#call);
		const keys = Object.keys(responsesIn(recorded?.exchange.params));
		const isGiven = keys.every((key) => Object.hasOwn(this.#given, key));
		return (
			[this.#call, ...this.server.tasksLike(this.#call)].flatMap((call) => this.#nextUpdates(call)).find(fits) ??
			(isGiven ? recorded : undefined)
		);
	}

	/** The next update of a call, after as many as this task has gone on with; none if it has no more. */
	#nextUpdates(call: Exchange): readonly Request[] {
		const made = requestsOf(this.#call, 'tasks/update').filter(({ at }) => at < this.#at).length;
		return requestsOf(call, 'tasks/update').slice(made, made + 1);
	}

	/** The response to `tasks/cancel`. */
	cancel(): JsonObject {
		const task = this.#end('cancelled');
		return { result: this.#isExtension ? { resultType: 'complete' } : this.#described(task) };
	}

	/** The first report, in the response that creates the task. */
	get #creation(): JsonObject {
		return createdTask(this.#call.response) ?? {};
	}

	/** True in revision 2026-07-28, in which tasks are an extension. */
	get #isExtension(): boolean {
		return own(this.#creation, 'resultType') === 'task';
	}

	/** From now on, each poll gets the returned report: that the task has ended so, unless it had already. */
	#end(status: string): JsonObject {
		const result = own(this.#report, 'result');
		const last = isObject(result) ? result : this.#creation;
		const isOver = ENDED.includes(own(last, 'status'));
		const task = isOver ? last : { ...without(last, ['inputRequests', 'statusMessage']), status };
		this.#report = { result: task };
		this.#at = this.#call.events.length;
		return task;
	}

	/** A report with the id and the times of this task. */
	#described(report: JsonObject): JsonObject {
		const next = this.#call.events[this.#at];
		const asksForResult = next?.kind === 'request' && next.exchange.method === 'tasks/result';
		// The recorded client did not poll for what made it ask for the result.
		const status = asksForResult && own(report, 'status') === 'working' && { status: statusBefore(next.exchange) };
		return { ...report, ...status, taskId: this.id, createdAt: this.#createdAt, lastUpdatedAt: now() };
	}
}

function requestsOf(call: Exchange, method: string): readonly Request[] {
	return call.events.flatMap((event, at) =>
		event.kind === 'request' && event.exchange.method === method ? { call, exchange: event.exchange, at } : [],
	);
}

/** What the server required when a request was made. */
function requestedBefore({ call, at }: Request): Json {
	const report = call.events.slice(0, at).findLast(({ kind }) => kind === 'report');
	return inputRequestsOf(report?.kind === 'report' ? report.response : undefined);
}

function responsesIn(params: Json | undefined): JsonObject {
	const responses = own(params, 'inputResponses');
	return isObject(responses) ? responses : {};
}

function isMatch(recorded: Json, value: Json, key: string): boolean {
	return matches(own(recorded, key) ?? null, own(value, key) ?? null);
}

function inputRequestsOf(report: JsonObject | undefined): Json {
	return own(own(report, 'result'), 'inputRequests') ?? null;
}

/** The status of a task of which the client requests the result. */
function statusBefore({ steps }: Exchange): string {
	return steps.some(({ kind }) => kind === 'expect') ? 'input_required' : 'completed';
}

function now(): string {
	return new Date().toISOString();
}
