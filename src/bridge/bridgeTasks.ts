import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/server';
import { raceAbort } from '../elicitation/abort.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND } from '../elicitation/errorCodes.ts';
import { type JsonObject, own } from '../elicitation/json.ts';
import type { CallOptions } from '../mcp/index.ts';
import type { BridgeHost } from './host.ts';
import { call, requested, WireError } from './requests.ts';

/** How long a task is kept (ms). Clients ask for as long as a server may need; users may take their time. */
const TTL = 24 * 60 * 60_000;

/** How often the client is asked to poll (ms). */
const POLL_INTERVAL = 1_000;

/**
 * After this time (ms) without a request about a task, its client has given up: VS Code 1.139 doesn't send `tasks/cancel`.
 * Hidden browser windows poll once a minute.
 */
const MAX_SILENCE = 90_000;

/** Max tasks of one session. Ended ones make room, oldest first. */
const MAX_TASKS = 100;

interface Task {
	readonly abort: AbortController;
	/** Rejects with the error for the client. */
	readonly result: Promise<JsonObject>;
	readonly silence: NodeJS.Timeout;
	readonly expiry: NodeJS.Timeout;
	/** Number of `tasks/result` requests in flight. */
	waiting: number;
	/** The state as it is reported to the client. */
	report: {
		readonly taskId: string;
		readonly status: 'working' | 'completed' | 'failed' | 'cancelled';
		readonly statusMessage?: string;
		readonly createdAt: string;
		readonly lastUpdatedAt: string;
		readonly ttl: number;
		readonly pollInterval: number;
	};
}

/**
 * The calls that one client makes as tasks (2025-11-25). Whether the server runs them as tasks, too, doesn't matter. They are
 * never `input_required`, because the user is asked here. Ids are random, and no other session knows them.
 */
export class BridgeTasks {
	/** By id, oldest first. */
	readonly #tasks = new Map<string, Task>();

	/** @param notify sends a notification to the client; never rejects */
	constructor(
		private readonly host: BridgeHost,
		private readonly server: string,
		private readonly notify: (method: string, params: JsonObject) => void,
	) {}

	/** True while a call runs. */
	get busy(): boolean {
		return [...this.#tasks.values()].some(({ report }) => report.status === 'working');
	}

	/** True if a request makes a call as a task, or is about one. */
	serves(method: string, params: unknown): boolean {
		return method.startsWith('tasks/') || (method === 'tools/call' && own(params, 'task') !== undefined);
	}

	/** Handles a request that it serves. Rejects with the error to send to the client. */
	async serve(
		method: string,
		params: unknown,
		{ signal, onProgress }: Pick<CallOptions, 'onProgress'> & { readonly signal: AbortSignal },
	): Promise<JsonObject> {
		switch (method) {
			case 'tools/call':
				return { task: { ...(await this.#create(params, signal, onProgress)) } };
			case 'tasks/get':
				return { ...this.#task(params).report };
			case 'tasks/result':
				return this.#result(this.#task(params), signal);
			case 'tasks/cancel':
				return this.#cancel(this.#task(params));
			case 'tasks/list':
				return this.#list(params);
			default:
				throw new WireError(METHOD_NOT_FOUND, `${method} is not bridged.`);
		}
	}

	/** Cancels every call that still runs. */
	close(): void {
		for (const task of this.#tasks.values()) {
			this.#forget(task);
		}
	}

	/** @param signal aborts when the client cancels the request or disconnects before it knows the task */
	async #create(params: unknown, signal: AbortSignal, onProgress: CallOptions['onProgress']): Promise<Task['report']> {
		const request = requested('tools/call', params);
		const tools = (await this.host.connect(this.server)).listed('tools');
		const support = own(
			own(
				tools.find((tool) => own(tool, 'name') === request.name),
				'execution',
			),
			'taskSupport',
		);
		if (support !== 'required' && support !== 'optional') {
			throw new WireError(METHOD_NOT_FOUND, `"${request.name}" does not run as a task.`);
		}
		signal.throwIfAborted();
		this.#makeRoom();
		const abort = new AbortController();
		const result = call(this.host, this.server, request, {
			signal: abort.signal,
			onProgress: (progress) => {
				this.#move(task, 'working', progress.message);
				onProgress?.(progress);
			},
		});
		const taskId = crypto.randomUUID();
		const createdAt = new Date().toISOString();
		const task: Task = {
			abort,
			result,
			silence: setTimeout(() => this.#onSilence(task), MAX_SILENCE).unref(),
			expiry: setTimeout(() => this.#forget(task), TTL).unref(),
			waiting: 0,
			report: { taskId, status: 'working', createdAt, lastUpdatedAt: createdAt, ttl: TTL, pollInterval: POLL_INTERVAL },
		};
		this.#tasks.set(taskId, task);
		const { report } = task;
		result.then(
			(ended) =>
				ended['isError'] === true ? this.#move(task, 'failed', textOf(ended)) : this.#move(task, 'completed'),
			(error) => this.#move(task, 'failed', error instanceof Error ? error.message : String(error)),
		);
		return report;
	}

	/** Waits for the end of the call. A client that waits no more doesn't cancel it. */
	async #result(task: Task, signal: AbortSignal): Promise<JsonObject> {
		task.waiting++;
		try {
			const { _meta, ...result } = await raceAbort(task.result, signal);
			const { taskId } = task.report;
			return {
				...result,
				_meta: { ...(_meta as JsonObject | undefined), [RELATED_TASK_META_KEY]: { taskId } },
			};
		} catch (error) {
			throw task.report.status === 'cancelled' ? new WireError(INTERNAL_ERROR, 'The task was cancelled.') : error;
		} finally {
			task.waiting--;
			task.silence.refresh();
		}
	}

	#cancel(task: Task): JsonObject {
		const { status } = task.report;
		if (status !== 'working') {
			throw new WireError(INVALID_PARAMS, `Cannot cancel task: already in terminal status '${status}'`);
		}
		this.#move(task, 'cancelled');
		task.abort.abort();
		return { ...task.report };
	}

	/** All of them fit on one page, so no cursor is valid. */
	#list(params: unknown): JsonObject {
		if (own(params, 'cursor') !== undefined) {
			throw new WireError(INVALID_PARAMS, 'Unknown cursor');
		}
		return { tasks: [...this.#tasks.values()].map(({ report }) => ({ ...report })) };
	}

	#task(params: unknown): Task {
		const task = this.#tasks.get(own(params, 'taskId') as string);
		if (!task) {
			throw new WireError(INVALID_PARAMS, 'Failed to retrieve task: Task not found');
		}
		task.silence.refresh();
		return task;
	}

	#move(task: Task, status: Task['report']['status'], statusMessage?: string): void {
		const { report } = task;
		if (
			report.status === 'working' &&
			(status !== 'working' || (statusMessage ?? report.statusMessage) !== report.statusMessage)
		) {
			const { statusMessage: _, ...rest } = report;
			task.report = {
				...rest,
				status,
				lastUpdatedAt: new Date().toISOString(),
				...(statusMessage !== undefined && { statusMessage }),
			};
			this.notify('notifications/tasks/status', { ...task.report });
		}
	}

	#onSilence(task: Task): void {
		// Whoever waits begins the time anew at the end.
		if (task.waiting === 0 && task.report.status === 'working') {
			this.#cancel(task);
		}
	}

	#forget({ abort, silence, expiry, report: { taskId } }: Task): void {
		clearTimeout(silence);
		clearTimeout(expiry);
		this.#tasks.delete(taskId);
		abort.abort();
	}

	#makeRoom(): void {
		if (this.#tasks.size < MAX_TASKS) {
			return;
		}
		const ended = [...this.#tasks.values()].find(({ report }) => report.status !== 'working');
		if (!ended) {
			throw new WireError(INTERNAL_ERROR, `There are ${MAX_TASKS} unfinished tasks already.`);
		}
		this.#forget(ended);
	}
}

/** The text of a result that reports an error: clients show the status message of a failed task, and VS Code nothing else. */
function textOf(result: JsonObject): string {
	const { content } = result;
	const texts = Array.isArray(content) ? content.map((item) => own(item, 'text')) : [];
	return texts.filter((text) => typeof text === 'string').join('\n');
}
