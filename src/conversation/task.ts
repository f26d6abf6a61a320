import { isCallMethod } from '../elicitation/call.ts';
import { given, isObject, type Json, type JsonObject, own } from '../elicitation/json.ts';

/** Key in `_meta` of the task that a message belongs to (2025-11-25). */
export const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** The request for a report about a task. */
export const POLL = 'tasks/get';

/** Notifications that report about a task (2025-11-25 and 2026-07-28). */
const REPORTS: ReadonlySet<unknown> = new Set(['notifications/tasks/status', 'notifications/tasks']);

/** The id of the task that a message belongs to, from its params or its result (K03). */
export function relatedTask(holder: unknown): string | undefined {
	const meta = own(holder, '_meta');
	const id = meta === undefined ? undefined : own(own(meta, RELATED_TASK), 'taskId');
	return typeof id === 'string' ? id : undefined;
}

/** The `_meta` of a message that belongs to a task. */
export function relatedTaskMeta(taskId: string): { _meta: Record<string, { taskId: string }> } {
	return { _meta: { [RELATED_TASK]: { taskId } } };
}

/** The task that a response creates in place of a result. */
export function createdTask(response: unknown): JsonObject | undefined {
	const result = own(response, 'result');
	const task = own(result, 'resultType') === 'task' ? result : own(result, 'task');
	return isObject(task) && typeof own(task, 'taskId') === 'string' ? task : undefined;
}

/**
 * What a message reports about a task, other than that it is created.
 * @param method that of the message, or of the request that it responds to
 */
export function reportIn(method: string | undefined, message: unknown): JsonObject | undefined {
	const report = REPORTS.has(method) ? own(message, 'params') : method === POLL ? own(message, 'result') : undefined;
	return isObject(report) && typeof own(report, 'taskId') === 'string' ? report : undefined;
}

/**
 * What ends a call: an object with its result or its error. Undefined if the call goes on after the message. Tasks of 2026-07-28
 * report their result; the result of those of 2025-11-25 is a response of its own.
 * @param method that of the message, or of the request that it responds to
 */
export function endIn(method: string | undefined, message: unknown): Json | undefined {
	const report = reportIn(method, message);
	const isResponse = isCallMethod(method) || method === 'tasks/result' || (method === POLL && !report);
	const end = isResponse ? message : report;
	const goesOn =
		given(end, 'result') === undefined
			? given(end, 'error') === undefined
			: isResponse && (own(own(end, 'result'), 'resultType') === 'input_required' || createdTask(end) !== undefined);
	return goesOn ? undefined : (end as Json);
}
