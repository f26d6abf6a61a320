import type { CallTask } from '../../elicitation/call.ts';
import { given, isObject, type Json, type JsonObject, own } from '../../elicitation/json.ts';

/** Min and max interval between two polls (ms), and the interval if the server asks for none. A call waits for each poll. */
export const MIN_INTERVAL = 50;
const MAX_INTERVAL = 60_000;
const DEFAULT_INTERVAL = 1_000;

const STATUSES: readonly unknown[] = ['working', 'input_required', 'completed', 'failed', 'cancelled'];

/** A task that a server has created in place of a result, raw. */
export class CreatedTask {
	constructor(readonly task: JsonObject) {}
}

/** The task in a `CreateTaskResult` of either era. */
export function createdIn(result: JsonObject, isModern: boolean): CreatedTask | undefined {
	if (isModern) {
		return own(result, 'resultType') === 'task' ? new CreatedTask(result) : undefined;
	}
	const task = own(result, 'task');
	const content = given(result, 'content');
	// Some SDKs send empty content along with it.
	const isEmpty = content === undefined || (Array.isArray(content) && content.length === 0);
	return isEmpty && isObject(task) && own(task, 'taskId') !== undefined ? new CreatedTask(task) : undefined;
}

/** A task as the server reports it, in either era. */
export interface TaskState extends CallTask {
	/** How long the server keeps it from its creation (ms); undefined if it tells no limit. */
	readonly ttl: number | undefined;
	/** How long to wait before the next poll (ms). */
	readonly interval: number;
	/** The whole report, raw. */
	readonly raw: Json;
}

/** Reads a task of 2025-11-25 or of the extension of 2026-07-28; undefined if it is malformed. */
export function readTask(raw: Json): TaskState | undefined {
	const id = own(raw, 'taskId');
	const status = own(raw, 'status');
	if (typeof id !== 'string' || !STATUSES.includes(status)) {
		return undefined;
	}
	const ttl = own(raw, 'ttlMs') ?? own(raw, 'ttl');
	const interval = own(raw, 'pollIntervalMs') ?? own(raw, 'pollInterval');
	const message = own(raw, 'statusMessage');
	return {
		id,
		status: status as CallTask['status'],
		message: typeof message === 'string' ? message : undefined,
		ttl: typeof ttl === 'number' ? ttl : undefined,
		interval:
			typeof interval === 'number' ? Math.min(Math.max(interval, MIN_INTERVAL), MAX_INTERVAL) : DEFAULT_INTERVAL,
		raw,
	};
}

/** What comes with a status in the extension of 2026-07-28. */
const DETAILS: Partial<Record<CallTask['status'], string>> = {
	input_required: 'inputRequests',
	completed: 'result',
	failed: 'error',
};

/** True if only a poll tells what comes with the status. The response that creates a task doesn't (`CreateTaskResult`). */
export function lacksDetails({ status, raw }: TaskState): boolean {
	const detail = DETAILS[status];
	return detail !== undefined && given(raw, detail) === undefined;
}

/** True if the status can't change any more. */
export function isFinal({ status }: Pick<CallTask, 'status'>): boolean {
	return status === 'completed' || status === 'failed' || status === 'cancelled';
}
