import type { RawServer } from '../../rawServer/rawServer.ts';

/** A task of either era, as a raw server reports it. */
export const task = (status: string, more: object = {}) => ({
	resultType: 'complete',
	taskId: 'task-of-the-order',
	status,
	createdAt: '2026-07-28T10:30:00Z',
	lastUpdatedAt: '2026-07-28T10:30:00Z',
	pollIntervalMs: 50,
	pollInterval: 50,
	...more,
});

/** What a server of 2026-07-28 responds to a call that it runs as a task. */
export const created = (more: object = {}) => ({ ...task('working', { ttlMs: null, ...more }), resultType: 'task' });

/** The report that a task of 2026-07-28 is completed, with content that a test can look for. */
export const completed = (structuredContent: object) =>
	task('completed', {
		result: { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent },
	});

/** The elicitations that a task of 2026-07-28 waits for, by key. */
export const inputRequests = (params: Readonly<Record<string, object>>) =>
	Object.fromEntries(
		Object.entries(params).map(([key, each]) => [key, { method: 'elicitation/create', params: each }]),
	);

/** Answers every poll of a raw server, until it is stopped. */
export class Polls {
	/** How many polls were answered. */
	count = 0;
	#stopped = false;

	/** @param report the response to the next poll */
	constructor(
		private readonly server: RawServer,
		public report: object,
	) {
		void this.#serve();
	}

	/** Leaves all further polls to others. */
	stop(): void {
		this.#stopped = true;
	}

	async #serve(): Promise<void> {
		const poll = await this.server.expect(({ method }) => !this.#stopped && method === 'tasks/get');
		this.count++;
		this.server.answer(poll, this.report);
		await this.#serve();
	}
}
