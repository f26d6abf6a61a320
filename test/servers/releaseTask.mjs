// @ts-check
/** A tool of the server in the screenshots that runs as a task (2026-07-28). */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

export const TASKS = 'io.modelcontextprotocol/tasks';

/** How often clients are asked to poll (ms), and how many polls each part of the work takes. */
const [INTERVAL, POLLS] = [200, 4];

/** @type {any} */
const ANY_PARAMS = {
	'~standard': { version: 1, vendor: 'test', validate: (/** @type {unknown} */ value) => ({ value }) },
};

/**
 * Serves the methods with which a client follows a task. Returns what creates one.
 * @param {import('@modelcontextprotocol/server').Server} server
 * @param {readonly string[]} work the status messages of its parts
 * @param {readonly object[]} requests what it requests between these, by key
 * @param {object} result
 */
export function serveTask(server, work, requests, result) {
	/** The part that each task is at, and how often that was polled. @type {Map<string, { at: number, polls: number, createdAt: string }>} */
	const tasks = new Map();

	/** @param {string} taskId */
	const taskOf = (taskId) => {
		const task = tasks.get(taskId);
		if (task === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Task not found');
		return task;
	};
	/** @param {string} taskId */
	const report = (taskId) => {
		const { at, polls, createdAt } = taskOf(taskId);
		const times = { createdAt, lastUpdatedAt: new Date().toISOString(), ttlMs: 3_600_000, pollIntervalMs: INTERVAL };
		const inputRequests = requests[at];
		if (polls < POLLS) return { taskId, status: 'working', statusMessage: work[at], ...times };
		return inputRequests
			? { taskId, status: 'input_required', inputRequests, ...times }
			: { taskId, status: 'completed', result, ...times };
	};

	server.setRequestHandler('tasks/get', { params: ANY_PARAMS }, ({ taskId }) => {
		taskOf(taskId).polls++;
		return report(taskId);
	});
	server.setRequestHandler('tasks/update', { params: ANY_PARAMS }, ({ taskId }) => {
		const task = taskOf(taskId);
		task.at++;
		task.polls = 0;
		return {};
	});

	return () => {
		const taskId = `import-${tasks.size + 1}`;
		tasks.set(taskId, { at: 0, polls: 0, createdAt: new Date().toISOString() });
		// The SDK checks that results of tools have content.
		return { content: [], ...report(taskId), resultType: 'task' };
	};
}
