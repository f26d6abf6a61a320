import { onTestFinished } from 'vitest';
import { type Wire as Message, MODERN, type RawServer, type RawServerOptions } from '../../../rawServer/rawServer.ts';
import { connectRawServer, form, request } from '../faults/rawServerFixtures.ts';
import type { TestClient, Wire } from '../testClient.ts';

export const RELATED = 'io.modelcontextprotocol/related-task';
export const EXTENSION = 'io.modelcontextprotocol/tasks';

/** Params of a request that belongs to a task (2025-11-25). */
export const related = (taskId: string, params: object = form) => ({ ...params, _meta: { [RELATED]: { taskId } } });

const times = { createdAt: '2025-11-25T10:30:00Z', lastUpdatedAt: '2025-11-25T10:30:00Z' };

/** A task of 2025-11-25. */
export const task = (status: string, more: object = {}) => ({
	taskId: 'task-1',
	status,
	...times,
	ttl: 60_000,
	pollInterval: 50,
	...more,
});

/** A task of the extension of 2026-07-28. */
export const modernTask = (status: string, more: object = {}) => ({
	resultType: 'complete',
	taskId: 'task-1',
	status,
	...times,
	ttlMs: 60_000,
	pollIntervalMs: 50,
	...more,
});

/** A tool that runs only, also, or never as a task. */
export const taskTool = (taskSupport?: string, name = 'act') => ({
	name,
	inputSchema: { type: 'object' },
	...(taskSupport !== undefined && { execution: { taskSupport } }),
});

/** What a server of 2025-11-25 declares. */
export const CAPABILITIES = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

type Open = (options?: RawServerOptions) => Promise<RawServer>;

/** Connects to a raw server of 2025-11-25 that declares tasks. */
export async function connectTaskServer(
	here: TestClient,
	open: Open,
	{ tools = [taskTool('required')], tasks = CAPABILITIES as object | null, definition = {} } = {},
) {
	const opening = open({ tools, manual: ['initialize'] }).then((rawServer) => {
		void rawServer.expect('initialize').then((request) =>
			rawServer.answer(request, {
				protocolVersion: '2025-11-25',
				capabilities: { tools: { listChanged: true }, ...(tasks !== null && { tasks }) },
				serverInfo: { name: 'raw-server', version: '1.0.0' },
			}),
		);
		return rawServer;
	});
	return connectRawServer(here, () => opening, {}, definition);
}

/** Calls the tool of such a server, and creates the task. */
export async function callAsTask(here: TestClient, open: Open, more: object = {}) {
	const { rawServer, connection } = await connectTaskServer(here, open);
	const abort = new AbortController();
	const told: Wire[] = [];
	const calling = connection.callTool(
		'act',
		{ n: 1 },
		{ signal: abort.signal, onProgress: (progress) => told.push(progress) },
	);
	// Some tests look at its failure only at their end.
	calling.catch(() => {});
	const call = await rawServer.expect('tools/call');
	rawServer.answer(call, { task: task('working', more) });
	return { rawServer, connection, calling, call, abort, told };
}

/** Connects to a server of either revision, whose tool runs as a task. The rest is how that revision says a thing. */
export async function connectTasks(here: TestClient, open: Open, revision: string) {
	const isModern = revision === MODERN;
	const { rawServer, connection } = await (isModern ? connectRawServer(here, open) : connectTaskServer(here, open));
	/** A task with this status. */
	const report = (status: string, { interval, ttl, ...more }: TaskOptions = {}) =>
		isModern
			? modernTask(status, {
					...(interval !== undefined && { pollIntervalMs: interval }),
					...(ttl !== undefined && { ttlMs: ttl }),
					...more,
				})
			: task(status, {
					...(interval !== undefined && { pollInterval: interval }),
					...(ttl !== undefined && { ttl }),
					...more,
				});
	/** What a call gets that creates a task. */
	const created = (more: TaskOptions = {}) =>
		isModern ? { ...report('working', more), resultType: 'task' } : { task: report('working', more) };
	/** A report that the server sends by itself. */
	const notice = (status: string, more: TaskOptions = {}) =>
		rawServer.notify(isModern ? 'notifications/tasks' : 'notifications/tasks/status', report(status, more));
	/** Has the task end with a result. */
	const complete = async (polls: Polls, structuredContent: object = {}) => {
		polls.report(report('completed', isModern ? { result: { content: [], structuredContent } } : {}));
		if (!isModern) rawServer.finish(await rawServer.expect('tasks/result'), structuredContent);
	};
	/** Has the task end with an error. */
	const fail = async (polls: Polls, error: { code: number; message: string; data?: unknown }) => {
		polls.report(report('failed', isModern ? { error } : {}));
		if (!isModern) rawServer.fail(await rawServer.expect('tasks/result'), error);
	};
	/** Has the task ask for input. */
	const ask = async (polls: Polls) => {
		polls.report(report('input_required', isModern ? { inputRequests: { name: request(form) } } : {}));
		if (!isModern) rawServer.ask(related('task-1'), await rawServer.expect('tasks/result'));
		return (await here.asked())[0];
	};
	/** Calls the tool, and creates the task. */
	const call = async (more: TaskOptions = {}) => {
		const abort = new AbortController();
		const told: Wire[] = [];
		const onProgress = (progress: Wire) => told.push(progress);
		const calling = connection.callTool('act', {}, { signal: abort.signal, onProgress });
		// Some tests look at its failure only at their end.
		calling.catch(() => {});
		const request = await rawServer.expect('tools/call');
		rawServer.answer(request, created(more));
		return { calling, request, abort, told };
	};
	return { rawServer, connection, isModern, report, created, notice, complete, fail, ask, call };
}

interface TaskOptions {
	/** How long the client must wait between two polls (ms). */
	readonly interval?: number;
	/** How long the server keeps the task (ms). */
	readonly ttl?: number;
	readonly [more: string]: unknown;
}

/** Answers every poll with what the test says at that time. */
export class Polls {
	/** How many there were. */
	count = 0;
	#report: object;
	#over = false;

	constructor(
		private readonly rawServer: RawServer,
		first: object,
	) {
		this.#report = first;
		void this.#serve();
		onTestFinished(() => this.stop());
	}

	/** Leaves further polls unanswered. */
	stop(): void {
		this.#over = true;
	}

	report(report: object): void {
		this.#report = report;
	}

	/** Resolves after that many more polls. */
	async more(count: number): Promise<void> {
		const enough = this.count + count;
		await this.rawServer.until(() => this.count >= enough);
	}

	async #serve(): Promise<void> {
		for (;;) {
			const poll: Message = await this.rawServer.expect('tasks/get');
			if (this.#over) {
				return;
			}
			this.count++;
			this.rawServer.answer(poll, this.#report);
		}
	}
}
