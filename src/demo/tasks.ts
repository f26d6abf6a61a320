import { randomUUID } from 'node:crypto';
import {
	type BaseContext,
	type CallToolResult,
	type InputRequest,
	type InputResponses,
	isInputRequiredResult,
	ProtocolError,
	ProtocolErrorCode,
	RELATED_TASK_META_KEY,
	type Result,
	type Server,
	type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import type { RoundResult } from './round.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** How long a task is kept (ms). */
const TTL = 60 * 60_000;

/** How long each step of a task takes (ms). */
const WORK = 1_500;

/** How often clients are asked to poll (ms). */
const POLL_INTERVAL = 500;

type Status = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** The id of a task that outlives the server, which starts again with the window: when it was created (ms), and how long it works (s). */
const LASTING = /^lasting\.(\d{1,15})\.(\d{1,4})\.[\w-]{36}$/;

/** Runs a tool with the responses so far. */
type Run = (responses: InputResponses) => Promise<RoundResult>;

/** A call that goes on in the background, until the client fetches its result. */
class Task {
	readonly createdAt: string;
	status: Status = 'working';
	lastUpdatedAt: string;
	result: CallToolResult | undefined;
	error: unknown;
	/** What the client has to respond to, by key. */
	requests: Readonly<Record<string, InputRequest>> = {};
	#responses: Record<string, unknown> = {};
	#changed: () => void = () => {};
	#change = this.#nextChange();

	constructor(
		readonly id: string,
		createdAt: number,
	) {
		this.createdAt = new Date(createdAt).toISOString();
		this.lastUpdatedAt = this.createdAt;
	}

	get isOver(): boolean {
		return this.status !== 'working' && this.status !== 'input_required';
	}

	/** Resolves when the status changes. */
	get change(): Promise<void> {
		return this.#change;
	}

	become(status: Status): void {
		if (!this.isOver) {
			this.status = status;
			this.lastUpdatedAt = new Date().toISOString();
			this.#changed();
			this.#change = this.#nextChange();
		}
	}

	fail(error: unknown): void {
		this.error = error;
		this.become('failed');
	}

	/** Resolves to the responses to all of the requests. */
	async ask(requests: Readonly<Record<string, InputRequest>>): Promise<InputResponses> {
		this.requests = requests;
		this.#responses = {};
		this.become('input_required');
		while (Object.keys(this.requests).length > 0 && !this.isOver) await this.change;
		return this.#responses as InputResponses;
	}

	/** Ignores what nobody asked for, as the extension demands. */
	respond(responses: Readonly<Record<string, unknown>>): void {
		for (const [key, response] of Object.entries(responses)) {
			const { [key]: request, ...rest } = this.requests;
			if (request !== undefined) {
				this.requests = rest;
				this.#responses[key] = response;
			}
		}
		this.become(Object.keys(this.requests).length > 0 ? 'input_required' : 'working');
	}

	#nextChange(): Promise<void> {
		return new Promise((resolve) => {
			this.#changed = resolve;
		});
	}
}

/** The tasks of the demo, in both eras. The SDK has no part in them. */
export class Tasks {
	readonly #tasks = new Map<string, Task>();

	/**
	 * The result of `tools/call` for a call that goes on in the background.
	 * @param seconds how long it works before it first runs the tool; the task then outlives the server
	 */
	create(isSession: boolean, run: Run, seconds?: number): CallToolResult {
		const now = Date.now();
		const task = new Task(seconds === undefined ? randomUUID() : `lasting.${now}.${seconds}.${randomUUID()}`, now);
		this.#begin(task, run, seconds === undefined ? WORK : seconds * 1000);
		const report = reportOf(task, isSession);
		// The SDK checks that results of tools have content.
		return { content: [], ...(isSession ? { task: report } : { ...report, resultType: 'task' }) };
	}

	/**
	 * Serves the methods with which a client follows its tasks.
	 * @param runLasting runs the tool whose tasks outlive the server
	 */
	serve(server: Server, isSession: boolean, runLasting: Run): void {
		const handle = (method: string, respond: (task: Task, ctx: BaseContext) => object | Promise<object>) =>
			server.setRequestHandler(method, { params: PARAMS }, async (params, ctx) => {
				const task = this.#tasks.get(params.taskId) ?? this.#continued(params.taskId, runLasting);
				if (task === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Task not found');
				return (await respond(task, ctx)) as Result;
			});
		handle('tasks/get', (task) => reportOf(task, isSession));
		handle('tasks/cancel', (task) => {
			if (isSession && task.isOver) throw new ProtocolError(ProtocolErrorCode.InvalidParams, MESSAGES[task.status]);
			task.become('cancelled');
			return isSession ? reportOf(task, isSession) : {};
		});
		if (isSession) {
			handle('tasks/result', resultOf);
		} else {
			handle('tasks/update', (task, ctx) => {
				task.respond(ctx.mcpReq.inputResponses ?? {});
				return {};
			});
		}
	}

	/** A task that was created before this server was started. Its id says all about it. */
	#continued(id: string, run: Run): Task | undefined {
		const [createdAt, seconds] = LASTING.exec(id)?.slice(1).map(Number) ?? [];
		if (createdAt === undefined || seconds === undefined || Math.abs(Date.now() - createdAt) > TTL) return undefined;
		const task = new Task(id, createdAt);
		this.#begin(task, run, Math.max(0, createdAt + seconds * 1000 - Date.now()));
		return task;
	}

	#begin(task: Task, run: Run, work: number): void {
		this.#tasks.set(task.id, task);
		setTimeout(() => this.#tasks.delete(task.id), TTL).unref();
		void this.#run(task, run, work);
	}

	/**
	 * Runs a tool again with each set of responses, as a client does in rounds.
	 * @param first how long it works before the first run (ms)
	 */
	async #run(task: Task, run: Run, first: number): Promise<void> {
		let responses: InputResponses = {};
		let work = first;
		try {
			while (!task.isOver) {
				await new Promise((resolve) => setTimeout(resolve, work));
				work = WORK;
				const result = await run(responses);
				if (!isInputRequiredResult(result)) {
					task.result = result;
					task.become('completed');
				} else {
					responses = { ...responses, ...(await task.ask(result.inputRequests ?? {})) };
				}
			}
		} catch (error) {
			task.fail(error);
		}
	}
}

interface Params {
	readonly taskId: string;
}

/** Only the id is checked. */
const PARAMS: StandardSchemaV1<unknown, Params> = {
	'~standard': {
		version: 1,
		vendor: 'demo',
		validate: (value) =>
			typeof (value as Params | undefined)?.taskId === 'string'
				? { value: value as Params }
				: { issues: [{ message: 'taskId must be a string' }] },
	},
};

const MESSAGES: Readonly<Record<Status, string>> = {
	working: 'Working on it.',
	input_required: 'Waiting for your response.',
	completed: 'Done.',
	failed: 'Failed.',
	cancelled: 'Canceled.',
};

function reportOf(task: Task, isSession: boolean): object {
	const { id: taskId, status, createdAt, lastUpdatedAt } = task;
	const report = { taskId, status, statusMessage: MESSAGES[status], createdAt, lastUpdatedAt };
	if (isSession) return { ...report, ttl: TTL, pollInterval: POLL_INTERVAL };
	return {
		...report,
		ttlMs: TTL,
		pollIntervalMs: POLL_INTERVAL,
		...(status === 'input_required' && { inputRequests: task.requests }),
		...(status === 'completed' && { result: task.result }),
		...(status === 'failed' && { error: { code: ProtocolErrorCode.InternalError, message: String(task.error) } }),
	};
}

/** In sessions, requests of a task travel with the response to `tasks/result`, which waits for the end. */
async function resultOf(task: Task, ctx: BaseContext): Promise<object> {
	const _meta = { [RELATED_TASK_META_KEY]: { taskId: task.id } };
	while (!task.isOver) {
		const [[key, request] = []] = Object.entries(task.requests);
		if (key === undefined || request === undefined) {
			await task.change;
			continue;
		}
		const params = { ...request.params, _meta };
		try {
			task.respond({ [key]: await ctx.mcpReq.send({ method: 'elicitation/create', params } as never) });
		} catch (error) {
			// A task outlives its connection, but not an error in place of a response.
			if (!(error instanceof ProtocolError)) throw error;
			task.fail(error);
		}
	}
	if (task.result === undefined) throw task.error ?? new ProtocolError(ProtocolErrorCode.InternalError, 'Canceled.');
	return { ...task.result, _meta };
}
