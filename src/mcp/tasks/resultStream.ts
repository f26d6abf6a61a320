import type { JsonObject } from '../../elicitation/json.ts';
import type { ActiveCall } from '../rounds/intake.ts';
import { canceledByServer, type TaskExchange, type TaskHost } from './taskExchange.ts';
import type { TaskState } from './taskState.ts';

/**
 * Tasks of 2025-11-25: `tasks/result` waits for the end of the task. Requests of the task arrive on its stream, so it is
 * sent as soon as the task requires input (K03).
 */
export class ResultStream implements TaskExchange {
	readonly answered = new Set<string>();
	readonly early: Promise<JsonObject>;
	#open: Promise<JsonObject> | undefined;
	#end!: (result: JsonObject) => void;

	/** @param persist sends a request until the server is reached */
	constructor(
		private readonly run: ActiveCall,
		private readonly host: TaskHost,
		private readonly taskId: string,
		private readonly persist: (method: string) => Promise<JsonObject>,
	) {
		this.early = new Promise((resolve) => {
			this.#end = resolve;
		});
	}

	observe({ status }: TaskState): void {
		if (status !== 'input_required' || this.#open) {
			return;
		}
		const open = this.host.request('tasks/result', { taskId: this.taskId });
		this.#open = open;
		// If it fails, the next poll tells whether the task is over or has to be listened to again.
		open.then(this.#end, () => {
			this.#open = undefined;
		});
	}

	async result(state: TaskState): Promise<JsonObject> {
		if (state.status === 'cancelled') {
			throw canceledByServer(this.run, state);
		}
		const again = () => this.persist('tasks/result');
		return this.#open ? this.#open.catch(again) : again();
	}
}
