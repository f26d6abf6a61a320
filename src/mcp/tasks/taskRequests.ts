import { type Json, type JsonObject, own } from '../../elicitation/json.ts';
import type { TaskHost } from './taskExchange.ts';

/**
 * Requests about the task of a call besides those of the call itself, to test what the server does. Each rejects with the
 * error that the server responds with.
 */
export interface TaskRequests {
	/** @param taskId another task than that of the call */
	get(taskId?: string): Promise<JsonObject>;
	cancel(): Promise<JsonObject>;
	/** The result of a task that has ended. */
	result(): Promise<Json | undefined>;
	/** Sends responses by key. Undefined in sessions, where a response is no request. */
	readonly update: ((inputResponses: JsonObject) => Promise<JsonObject>) | undefined;
}

export function taskRequests({ modern, request }: TaskHost, id: string): TaskRequests {
	const get = (taskId = id) => request('tasks/get', { taskId });
	return {
		get,
		cancel: () => request('tasks/cancel', { taskId: id }),
		result: () => (modern ? get().then((state) => own(state, 'result')) : request('tasks/result', { taskId: id })),
		update: modern ? (inputResponses) => request('tasks/update', { taskId: id, inputResponses }) : undefined,
	};
}
