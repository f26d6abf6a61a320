import { modernTask, task } from '../tasks/taskFixtures.ts';
import { EventStream, events } from './eventStream.ts';

export type TaskEnd = 'completed' | 'failed' | 'cancelled';

/** A task from the point of view of a server without sockets, and what its client does wrong. */
export class InProcessTask {
	/** Requests of 2026-07-28 by key, until the server is done with them. */
	readonly inputRequests = new Map<string, object>();
	/** The keys that the last poll carried. */
	listed: ReadonlySet<string> = new Set();
	/** True if it waits for responses to requests of 2025-11-25. */
	requiresInput = false;
	end: TaskEnd | undefined;
	/** How long the client has to wait between two polls (ms). */
	interval = 5_000;
	/** The request for its result (2025-11-25). */
	listening: { readonly id: string | number; readonly stream: EventStream; readonly afterEnd: boolean } | undefined;
	/** True if requests for its result must wait after its end. */
	holdsResult = false;
	/** True once the client must not poll it: it knows the end, or has canceled it. */
	over = false;
	/** True once the client has all that it can get. */
	closed = false;
	/** Number of requests to cancel it. */
	cancellations = 0;
	/** In place of its result if it fails. */
	error: object = { code: -32000, message: 'No luck' };
	/** Called when its error ends the call. */
	onError: (() => void) | undefined;
	readonly violations: string[] = [];
	#lastPoll = Date.now();
	/** The interval that the client was told last. */
	#told = this.interval;

	constructor(
		readonly id: string,
		private readonly modern: boolean,
	) {}

	get status(): string {
		return this.end ?? (this.requiresInput || this.inputRequests.size > 0 ? 'input_required' : 'working');
	}

	/** What the client gets to know about it. */
	report(): object {
		const { id: taskId, interval, modern, status } = this;
		this.#told = interval;
		this.listed = new Set(this.end ? [] : this.inputRequests.keys());
		if (this.end) {
			this.over = true;
			this.closed ||= modern || this.end === 'cancelled';
		}
		if (!modern) return task(status, { taskId, pollInterval: interval });
		return modernTask(status, {
			...{ taskId, pollIntervalMs: interval },
			...(status === 'input_required' && { inputRequests: Object.fromEntries(this.inputRequests) }),
			...(status === 'completed' && { result: { content: [] } }),
			...(status === 'failed' && { error: this.error }),
		});
	}

	/** Notes a poll, whether or not it will be served. */
	notePoll(): void {
		if (this.over) this.violations.push('polled after its end');
		if (Date.now() < this.#lastPoll + this.#told) this.violations.push('polled too early');
		this.#lastPoll = Date.now();
	}

	/** Serves `tasks/result`. */
	listen(id: string | number, signal?: AbortSignal | null): Response {
		if (this.listening?.stream.open) this.violations.push('listened to twice');
		this.listening = { id, stream: new EventStream(signal), afterEnd: this.over };
		const response = events(this.listening.stream);
		if (this.end && !this.holdsResult) this.answer();
		return response;
	}

	/** Answers `tasks/result`. After an error, the client asks again once it knows that the task has ended. */
	answer(): void {
		const { listening, end } = this;
		if (!listening?.stream.open || !end) return;
		const isError = end !== 'completed';
		this.closed ||= listening.afterEnd || !isError;
		this.over ||= !isError;
		listening.stream.send({ id: listening.id, ...(isError ? { error: this.error } : { result: { content: [] } }) });
		listening.stream.end();
		if (isError && listening.afterEnd) this.onError?.();
	}

	/** Completes it unless it has ended, and gives whatever the client waits for. */
	finish(): void {
		this.end ??= 'completed';
		this.holdsResult = false;
		this.answer();
	}

	cancel(): void {
		this.cancellations++;
		if (this.over) this.violations.push('canceled after its end');
		this.end ??= 'cancelled';
		this.over = true;
		this.closed = true;
	}
}
