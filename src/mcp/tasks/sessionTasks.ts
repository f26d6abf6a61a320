import { type JSONRPCMessage, ProtocolError } from '@modelcontextprotocol/client';
import { TASKS_EXTENSION, type TaskMode, taskCapabilitiesOf } from '../../config/capabilities.ts';
import { raceAbort } from '../../elicitation/abort.ts';
import { type Call, forgetEnded } from '../../elicitation/call.ts';
import { type Json, type JsonObject, own } from '../../elicitation/json.ts';
import { textOf } from '../../elicitation/jsonText.ts';
import { dropOldest } from '../../elicitation/limits.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import { memorySize } from '../../elicitation/truncate.ts';
import type { ActiveCall } from '../rounds/intake.ts';
import type { Session } from '../rounds/session.ts';
import { Failure } from '../wire/failure.ts';
import type { ServerRequest } from '../wire/wire.ts';
import { TaskCall } from './taskCall.ts';
import type { TaskHost } from './taskExchange.ts';
import { TaskReceiver } from './taskReceiver.ts';
import { type TaskRequests, taskRequests } from './taskRequests.ts';
import { CreatedTask, createdIn } from './taskState.ts';

/** How long servers are asked to keep a task (ms). Users may take their time. */
const TTL = 24 * 60 * 60_000;

/** Max ids of tasks to remember. */
const MAX_REMEMBERED = 500;

/** Max memory of a report about an unknown task (bytes). What isn't kept is polled for. */
const MAX_EARLY_SIZE = 16 * 1024;

/** The tasks of one session: calls that run as tasks, and elicitations that the server sends as tasks. */
export class SessionTasks {
	/** A server may give several the same id. */
	readonly #running = new Set<TaskCall>();
	/** The calls of running and recent tasks; messages about a task may arrive after its end. */
	readonly #calls = new Map<string, Call>();
	/** The last reports about tasks that aren't known yet: the response that creates a task is processed later. */
	readonly #early = new Map<string, Json>();
	/** Absent if tasks aren't declared to a server of 2025-11-25. */
	readonly #receiver: TaskReceiver | undefined;

	/**
	 * @param mode the setting when the session began
	 * @param created called when the server runs a call as a task
	 */
	constructor(
		private readonly session: Session,
		private readonly mode: TaskMode,
		private readonly created: (call: Call, task: TaskRequests) => void,
	) {
		if (taskCapabilitiesOf(session.definition, mode).tasks) {
			this.#receiver = new TaskReceiver(session, (method, params) => {
				session.client.notify(method, params).catch((error) => session.warn(`${method} could not be sent: ${error}`));
			});
		}
	}

	/** The call behind a task of either side. */
	callOf(taskId: unknown): Call | undefined {
		return this.#calls.get(taskId as string) ?? this.#receiver?.callOf(taskId);
	}

	/** True if calls of tools may run as tasks: the server declares it, and the setting allows it. */
	get supported(): boolean {
		const extensions = own(this.session.client.capabilities, 'extensions');
		return this.mode !== 'never' && (this.#modern ? own(extensions, TASKS_EXTENSION) !== undefined : this.#isDeclared);
	}

	/**
	 * What to add to the params of a call so that it runs as a task (K01). Throws a Failure if the tool requires a task and
	 * the setting forbids them.
	 */
	paramsOf(tool: unknown): { readonly task?: { readonly ttl: number } } {
		const { mode, session } = this;
		const support = own(own(tool, 'execution'), 'taskSupport');
		if (this.#modern || !this.#isDeclared) {
			return {};
		}
		if (support === 'required' && mode === 'never') {
			throw new Failure(
				session.definition.name,
				localizable('"{0}" runs only as a task, and tasks are turned off.', textOf(own(tool, 'name'))),
				localizable('Set "mcpElicitation.tasks" to "auto" or "required", then start the server again.'),
			);
		}
		return support === 'required' || (support === 'optional' && mode === 'auto') ? { task: { ttl: TTL } } : {};
	}

	/**
	 * Waits for the creation of a task. If the call is cancelled meanwhile, the task is cancelled once it exists, because its
	 * request must not be (K04).
	 */
	creating<T>(call: Call, signal: AbortSignal, creation: Promise<T>): Promise<T> {
		return raceAbort(creation, signal).catch((error) => {
			if (signal.aborted) {
				void creation.then(
					(result) => {
						const taskId = result instanceof CreatedTask && own(result.task, 'taskId');
						if (typeof taskId === 'string') {
							this.cancel(taskId, call);
						}
					},
					() => {},
				);
			}
			throw error;
		});
	}

	/** The result of a call as it is, or the task that the server has created instead. */
	read(result: JsonObject): JsonObject | CreatedTask {
		return (this.mode !== 'never' && createdIn(result, this.#modern)) || result;
	}

	/** Cancels the task that a result creates after its request was canceled: nobody would follow it. */
	createdLate(result: JsonObject): void {
		const created = this.read(result);
		const taskId = created instanceof CreatedTask && own(created.task, 'taskId');
		if (this.#modern && typeof taskId === 'string' && !this.#calls.has(taskId)) {
			this.cancel(taskId);
		}
	}

	/** Returns a result as is, or that of the task that the server created instead. */
	async follow(run: ActiveCall, created: JsonObject | CreatedTask): Promise<JsonObject> {
		if (!(created instanceof CreatedTask)) {
			return created;
		}
		const { call } = run;
		if (call.kind !== 'tool') {
			throw new Failure(
				this.session.definition.name,
				localizable('The server created a task for "{0}"; only tools may run as tasks.', call.name),
				localizable("Report it to the server's author; the timeline shows the response."),
			);
		}
		const { from } = run.keeper ?? {};
		const host = this.#hostOf(run);
		const task = new TaskCall(run, host, created.task, from?.kind === 'task' ? from : undefined);
		this.#running.add(task);
		remember(this.#calls, task.id, call);
		const report = this.#early.get(task.id);
		this.#early.delete(task.id);
		if (report !== undefined) {
			task.see(report);
		}
		await run.keeper?.waits(task.checkpoint);
		this.created(call, taskRequests(host, task.id));
		try {
			const end = await task.follow();
			this.#respond(call, { result: end });
			return end;
		} catch (error) {
			if (error instanceof ProtocolError) {
				const { code, message, data } = error;
				this.#respond(call, { error: { code, message, ...(data !== undefined && { data }) } });
			}
			throw error;
		} finally {
			this.#running.delete(task);
		}
	}

	/** The response of a call that ran as a task. */
	#respond(call: Call, response: object): void {
		this.session.calls.responded(call, { jsonrpc: '2.0', id: call.id, ...response } as JSONRPCMessage);
	}

	#hostOf({ call, signal }: ActiveCall): TaskHost {
		const { session } = this;
		const unguarded: TaskHost['request'] = (method, params) => this.#request(call, method, params);
		return {
			modern: this.#modern,
			request: (method, params) =>
				session
					.guard(() => unguarded(method, params), { signal, clock: call.clock })
					.catch((error) => {
						throw this.#withoutSession(call, error);
					}),
			cancel: (taskId) => this.cancel(taskId, call),
			abandon: (taskId) => session.abandon(taskId),
			deliver: (elicitation, send) => session.deliver(elicitation, signal, () => send(unguarded)),
			waitAfter: (error) => session.waitAfter(error),
			reports: (message) => session.calls.reported(call, message),
		};
	}

	/** True if any call is running, whose task may still become known. */
	get #isCalled(): boolean {
		return this.session.calls.running.length > 0;
	}

	get #modern(): boolean {
		return this.session.client.era === 'modern';
	}

	/** The tasks that a server of 2025-11-25 declares. */
	get #declared(): Json | undefined {
		return own(this.session.client.capabilities, 'tasks');
	}

	/** True if a server of 2025-11-25 declares calls as tasks. */
	get #isDeclared(): boolean {
		return own(own(own(this.#declared, 'requests'), 'tools'), 'call') !== undefined;
	}

	#request(call: Call | undefined, method: string, params: JsonObject): Promise<JsonObject> {
		return this.session.client.request(method, params, { call });
	}

	/** Handles a notification about a task that the server runs. */
	notified(params: unknown): void {
		const taskId = own(params, 'taskId');
		const tasks = [...this.#running].filter(({ id }) => id === taskId);
		for (const task of tasks) {
			task.see(params as Json);
		}
		const isEarly = tasks.length === 0 && this.#isCalled;
		if (isEarly && typeof taskId === 'string' && memorySize(params) <= MAX_EARLY_SIZE) {
			remember(this.#early, taskId, params as Json);
		}
	}

	/** A call has ended. Once none is running, early reports are about nothing. */
	callEnded(): void {
		if (!this.#isCalled) {
			this.#early.clear();
		}
	}

	/** Handles a request about a task of this client; undefined if it is about something else. */
	serve(request: ServerRequest): Promise<JsonObject> | undefined {
		return this.#receiver?.serves(request) ? this.#receiver.serve(request) : undefined;
	}

	/** @param reason why the connection is closed */
	close(reason: Sentence): void {
		this.#receiver?.close(reason);
	}

	/** The connection is closed: calls that wait for their next poll fail now. */
	interrupt(): void {
		for (const task of this.#running) {
			task.pollNow();
		}
	}

	/**
	 * Cancels a task, if the server can. It may have ended already, so that errors mean nothing.
	 * @param call the call that runs as this task, in this session
	 */
	cancel(taskId: string, call?: Call): void {
		if (this.#modern || own(this.#declared, 'cancel') !== undefined) {
			this.#request(call, 'tasks/cancel', { taskId }).catch(() => {});
		}
		this.session.abandon(taskId);
	}

	/** Forgets the calls that have ended. What arrives late belongs to none. */
	forgetEnded(): void {
		forgetEnded(this.#calls);
	}

	/** A call is sent again in a new session. A task isn't, because its tool has run already. */
	#withoutSession(call: Call, error: unknown): unknown {
		return this.session.hasExpired(error)
			? new Failure(
					this.session.definition.name,
					localizable('The server has forgotten the session of "{0}", and perhaps its task.', call.name),
					localizable("Check the server's log to see whether it took effect, then try again if necessary."),
					{ cause: error },
				)
			: error;
	}
}

/** Forgets the oldest entry if there are too many. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
	map.set(key, value);
	dropOldest(map, MAX_REMEMBERED);
}
