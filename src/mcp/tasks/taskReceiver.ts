import { randomUUID } from 'node:crypto';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Call } from '../../elicitation/call.ts';
import type { Elicitation, ElicitationOutcome } from '../../elicitation/elicitation.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND } from '../../elicitation/errorCodes.ts';
import { given, isObject, type Json, type JsonObject, own } from '../../elicitation/json.ts';
import { resultFor } from '../../elicitation/sampling.ts';
import { localizable, type Sentence } from '../../elicitation/sentence.ts';
import {
	addElicitation,
	checkElicitation,
	isServed,
	refused,
	sourceOf,
	toResult,
	withdrawal,
} from '../rounds/intake.ts';
import type { Session } from '../rounds/session.ts';
import type { ServerRequest } from '../wire/wire.ts';
import { isFinal } from './taskState.ts';

/** How long a task is kept if the server asks for nothing else, and at most (ms). */
const DEFAULT_TTL = 60 * 60_000;
const MAX_TTL = 24 * 60 * 60_000;

/** Max tasks of one connection. Ended ones make room, oldest first. */
const MAX_TASKS = 100;

/** How often a server is asked to poll (ms). */
const POLL_INTERVAL = 1_000;

interface Task {
	readonly elicitation: Elicitation;
	readonly expiry: NodeJS.Timeout;
	/** As it is reported to the server. */
	report: {
		readonly taskId: string;
		readonly status: 'working' | 'completed' | 'failed' | 'cancelled';
		readonly createdAt: string;
		readonly lastUpdatedAt: string;
		readonly ttl: number;
		readonly pollInterval: number;
		readonly statusMessage?: string;
	};
}

/**
 * The elicitations that a server sends as tasks (2025-11-25, K05): accepted at once, and fetched when the user has
 * responded. There is one instance per connection, so no other connection can reach its tasks (K06).
 */
export class TaskReceiver {
	/** By id, oldest first. */
	readonly #tasks = new Map<string, Task>();

	/** @param notify sends a notification to the server; never rejects */
	constructor(
		private readonly session: Session,
		private readonly notify: (method: string, params: JsonObject) => void,
	) {}

	/** True if a request is about a task of this client. */
	serves({ method, params }: ServerRequest): boolean {
		return method.startsWith('tasks/') || (isServed(this.session, method) && given(params, 'task') !== undefined);
	}

	/** The call whose elicitation is that task. */
	callOf(taskId: unknown): Call | undefined {
		return typeof taskId === 'string' ? this.#tasks.get(taskId)?.elicitation.cause : undefined;
	}

	/** Handles a request that it serves. Rejects with the error for the server. */
	async serve(request: ServerRequest): Promise<JsonObject> {
		const { params, call } = request;
		switch (request.method) {
			case 'tasks/get':
				return { ...this.#task(params).report };
			case 'tasks/result':
				return this.#result(request, this.#task(params));
			case 'tasks/cancel':
				return this.#cancel(this.#task(params));
			case 'tasks/list':
				return this.#list(params);
			default:
				if (!isServed(this.session, request.method)) {
					throw new ProtocolError(METHOD_NOT_FOUND, 'Method not found');
				}
				return this.#create(request.method, params, call);
		}
	}

	/** @param reason why the connection is closed */
	close(reason: Sentence): void {
		for (const { elicitation, expiry } of this.#tasks.values()) {
			clearTimeout(expiry);
			endUnfetched(elicitation, reason);
		}
		this.#tasks.clear();
	}

	#create(method: string, params: Json, call: Call | undefined): JsonObject {
		const { session } = this;
		const checked = checkElicitation(session, params, method);
		if (!checked.ok) {
			throw refused(session, params, checked, call);
		}
		const wanted = own(own(params, 'task'), 'ttl') ?? DEFAULT_TTL;
		if (!isObject(own(params, 'task')) || typeof wanted !== 'number' || wanted < 0) {
			throw new ProtocolError(INVALID_PARAMS, '"task" must be an object, and its "ttl" a positive number.');
		}
		this.#makeRoom();
		const taskId = randomUUID();
		const ttl = Math.min(wanted, MAX_TTL);
		const createdAt = new Date().toISOString();
		const elicitation = addElicitation(session, checked.request, params, {
			intake: 'request',
			...sourceOf(session, params, call),
		});
		const expiry = setTimeout(() => this.#expire(taskId), ttl);
		expiry.unref();
		const task: Task = {
			elicitation,
			expiry,
			report: { taskId, status: 'working', createdAt, lastUpdatedAt: createdAt, ttl, pollInterval: POLL_INTERVAL },
		};
		this.#tasks.set(taskId, task);
		const created = { task: { ...task.report } };
		void elicitation.outcome.then((outcome) => {
			if (this.#tasks.has(taskId)) {
				this.#move(task, statusAfter(elicitation, outcome));
			}
		});
		return created;
	}

	/** Waits for the user, as the protocol demands. */
	async #result(request: ServerRequest, { elicitation, report: { taskId } }: Task): Promise<JsonObject> {
		const outcome = await elicitation.outcome;
		// A canceled request gets no response, and another one may have its id.
		request.signal.throwIfAborted();
		if (outcome.action === 'withdrawn') {
			throw new ProtocolError(INTERNAL_ERROR, 'The task was cancelled.');
		}
		request.elicitation = elicitation;
		return toResult(elicitation, outcome, taskId);
	}

	#cancel(task: Task): JsonObject {
		if (isFinal(task.report)) {
			const { status } = task.report;
			throw new ProtocolError(INVALID_PARAMS, `Cannot cancel task: already in terminal status '${status}'`);
		}
		this.#move(task, 'cancelled');
		task.elicitation.withdraw(withdrawal(undefined));
		return { ...task.report };
	}

	/** All of them fit on one page, so no cursor is valid. */
	#list(params: Json): JsonObject {
		if (own(params, 'cursor') !== undefined) {
			throw new ProtocolError(INVALID_PARAMS, 'Unknown cursor');
		}
		return { tasks: [...this.#tasks.values()].map(({ report }) => ({ ...report })) };
	}

	#task(params: Json): Task {
		const taskId = own(params, 'taskId');
		const task = typeof taskId === 'string' ? this.#tasks.get(taskId) : undefined;
		if (!task) {
			throw new ProtocolError(INVALID_PARAMS, 'Failed to retrieve task: Task not found');
		}
		return task;
	}

	#move(task: Task, status: Task['report']['status']): void {
		if (task.report.status === 'working') {
			task.report = { ...task.report, status, lastUpdatedAt: new Date().toISOString() };
			this.notify('notifications/tasks/status', { ...task.report });
		}
	}

	/** The server has lost its interest, so the user isn't asked any more. */
	#expire(taskId: string): void {
		const task = this.#tasks.get(taskId);
		this.#tasks.delete(taskId);
		const reason = localizable('The time that the server allowed for a response is over.');
		if (task && !task.elicitation.withdraw(reason)) {
			endUnfetched(task.elicitation, reason);
		}
	}

	#makeRoom(): void {
		if (this.#tasks.size < MAX_TASKS) {
			return;
		}
		for (const [taskId, { elicitation, expiry }] of this.#tasks) {
			if (!elicitation.live) {
				clearTimeout(expiry);
				this.#tasks.delete(taskId);
				endUnfetched(elicitation, localizable('The server has sent too many other requests since.'));
				return;
			}
		}
		throw new ProtocolError(INTERNAL_ERROR, `There are ${MAX_TASKS} unfinished tasks already.`);
	}
}

/** Reports a response that the server has not fetched, unless no call waits for it any more (D01). */
function endUnfetched(elicitation: Elicitation, reason: Sentence): void {
	if (elicitation.response && !elicitation.delivery && !elicitation.outlived) {
		elicitation.send().end(reason);
	}
}

/** The status of a task whose elicitation ended that way. */
function statusAfter({ request }: Elicitation, outcome: ElicitationOutcome): Task['report']['status'] {
	if (outcome.action === 'withdrawn') {
		return 'cancelled';
	}
	return outcome.action === 'error' || !resultFor(request, outcome) ? 'failed' : 'completed';
}
