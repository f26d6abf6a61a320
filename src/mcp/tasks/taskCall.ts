import { relatedTask } from '../../conversation/task.ts';
import { raceAbort } from '../../elicitation/abort.ts';
import type { TaskCheckpoint } from '../../elicitation/checkpoint.ts';
import { INVALID_PARAMS } from '../../elicitation/errorCodes.ts';
import { type Json, type JsonObject, own } from '../../elicitation/json.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { type Edges, StateMachine } from '../../elicitation/stateMachine.ts';
import type { ActiveCall } from '../rounds/intake.ts';
import { malformed } from '../rounds/rounds.ts';
import { Failure, messageOf } from '../wire/failure.ts';
import { ResultStream } from './resultStream.ts';
import type { TaskExchange, TaskHost } from './taskExchange.ts';
import { TaskInputs } from './taskInputs.ts';
import { isFinal, lacksDetails, MIN_INTERVAL, readTask, type TaskState } from './taskState.ts';

/** Max delay between two attempts to reach the server (ms), unless it asks for longer intervals. */
const MAX_PAUSE = 30_000;

/** `forgotten`: the server does not know the task any more. `over`: the call has ended. */
const EDGES: Edges<'followed' | 'forgotten' | 'over'> = {
	followed: ['forgotten', 'over'],
	forgotten: ['over'],
	over: [],
};

/** A call that runs as a task on the server, from its creation to its result (K02, K11). */
export class TaskCall {
	readonly #exchange: TaskExchange;
	/** When the task became known (ms since the epoch). */
	readonly #since: number;
	/** The last report that hasn't been looked at. */
	#reported: TaskState | undefined;
	#state: TaskState;
	#wake: () => void = () => {};
	readonly #machine = new StateMachine(EDGES, 'followed');

	/**
	 * @param created the task as the server created it; throws a Failure if it is malformed
	 * @param from where the task is resumed
	 */
	constructor(
		private readonly run: ActiveCall,
		private readonly host: TaskHost,
		created: Json,
		from: TaskCheckpoint | undefined,
	) {
		this.#since = from?.since ?? Date.now();
		const state = this.#read(created);
		this.#state = host.modern && lacksDetails(state) ? { ...state, status: 'working', interval: MIN_INTERVAL } : state;
		const persist = (method: string) => this.#persist(method);
		const keep = () => void run.keeper?.waits(this.checkpoint);
		this.#exchange = host.modern
			? new TaskInputs(run, host, this.id, from?.answered ?? [], keep)
			: new ResultStream(run, host, this.id, persist);
	}

	get id(): string {
		return this.#state.id;
	}

	/** From where another session can follow the task (K16). */
	get checkpoint(): TaskCheckpoint {
		const { id, ttl } = this.#state;
		const answered = [...this.#exchange.answered];
		return { kind: 'task', taskId: id, since: this.#since, answered, ...(ttl !== undefined && { ttl }) };
	}

	/** Polls at once. */
	pollNow(): void {
		this.#wake();
	}

	/** Handles a report that the server sent by itself. */
	see(report: Json): void {
		const state = readTask(report);
		if (state?.id === this.id && !isFinal(this.#state)) {
			if (!(this.host.modern && lacksDetails(state))) {
				this.#reported = state;
			}
			this.#wake();
		}
	}

	/** Resolves to the result. Cancels the task if the call ends before it. */
	async follow(): Promise<JsonObject> {
		const { signal } = this.run;
		try {
			const result = await raceAbort(Promise.race([this.#poll(), this.#exchange.early]), signal);
			this.#end(own(result, 'isError') === true ? 'failed' : 'completed');
			return result;
		} catch (error) {
			if (!this.#isFollowed || isFinal(this.#state)) {
				this.host.abandon(this.id);
			} else {
				this.host.cancel(this.id);
			}
			throw error;
		} finally {
			this.#machine.enter('over');
			this.#wake();
			this.#abandonRequests();
		}
	}

	/** Polls until the task is final. Never polls faster than the server asks for, up to the longest interval. */
	async #poll(): Promise<JsonObject> {
		for (;;) {
			this.run.signal.throwIfAborted();
			this.run.session.closed.throwIfAborted();
			this.#enter(this.#state);
			if (isFinal(this.#state)) {
				return this.#exchange.result(this.#state);
			}
			this.#exchange.observe(this.#state);
			if (!(await this.#sleep(this.#state.interval))) {
				return this.#exchange.early;
			}
			const polled = this.#reported ?? this.#read(await this.#get());
			// A report that arrived during the poll is newer, unless the task has ended since.
			this.#state = isFinal(polled) ? polled : (this.#reported ?? polled);
			this.#reported = undefined;
		}
	}

	#enter({ id, status, message, interval }: TaskState): void {
		const { call } = this.run;
		const news = message !== undefined && message !== call.task?.message;
		call.task = { id, status, message };
		call.clock.limitSilence(interval);
		if (news) {
			this.host.reports(message);
		}
	}

	/** In sessions, the result may come before a report of the final status. */
	#end(status: 'completed' | 'failed'): void {
		const { call } = this.run;
		if (call.task && !isFinal(this.#state)) {
			call.task = { ...call.task, status };
		}
	}

	async #get(): Promise<JsonObject> {
		try {
			return await this.#persist('tasks/get');
		} catch (error) {
			throw own(error, 'code') === INVALID_PARAMS ? this.#unknown(error) : error;
		}
	}

	/** Sends a request until the server is reached or reports by itself: a task outlives a broken connection. */
	async #persist(method: string): Promise<JsonObject> {
		const { interval } = this.#state;
		for (let pause = interval; ; pause = Math.max(interval, Math.min(2 * pause, MAX_PAUSE))) {
			try {
				return await this.host.request(method, { taskId: this.id });
			} catch (error) {
				const demanded = this.host.waitAfter(error);
				if (demanded) {
					// It is alive, and says how long it will not respond.
					this.run.call.clock.limitSilence(demanded);
				}
				if (demanded === undefined || !(await this.#sleep(Math.max(pause, demanded)))) {
					throw error;
				}
				if (this.#reported) {
					return this.#reported.raw as JsonObject;
				}
			}
		}
	}

	/** Ends early when there is something new. Resolves to false if the call has ended: nothing must be sent for it any more. */
	#sleep(ms: number): Promise<boolean> {
		return new Promise((resolve) => {
			const wake = () => {
				clearTimeout(timer);
				resolve(this.#isFollowed);
			};
			const timer = setTimeout(wake, ms);
			this.#wake = wake;
			if (this.#reported || !this.#isFollowed) {
				wake();
			}
		});
	}

	#read(report: Json): TaskState {
		const state = readTask(report);
		if (!state || (this.#state && state.id !== this.id)) {
			throw malformed(
				this.run,
				localizable('What the server reports about the task of "{0}" is malformed.', this.#name),
			);
		}
		return state;
	}

	/** The server doesn't know the task (K17). */
	#unknown(error: unknown): Failure {
		this.#machine.enter('forgotten');
		const { ttl } = this.#state;
		const { name } = this.run.session.definition;
		return ttl !== undefined && Date.now() - this.#since >= ttl
			? new Failure(
					name,
					localizable(
						'The server keeps the task of "{0}" for {1} s only, and that time is over.',
						this.#name,
						ttl / 1000,
					),
					localizable('Call it again.'),
					{ cause: error },
				)
			: new Failure(
					name,
					localizable('The server does not know the task of "{0}" any more: {1}', this.#name, messageOf(error)),
					localizable("See the server's log, then call it again."),
					{ cause: error },
				);
	}

	/** The requests of a task that has ended wait for nothing any more, but each of them gets a response (D02). */
	#abandonRequests(): void {
		const { registry, id } = this.run.session;
		for (const elicitation of registry.live) {
			const { origin } = elicitation;
			if (origin.connection === id && relatedTask(origin.params) === this.id) {
				elicitation.abandon(localizable('The task that needed it has ended.'));
			}
		}
	}

	get #isFollowed(): boolean {
		return this.#machine.state === 'followed';
	}

	get #name(): string {
		return this.run.call.name;
	}
}
