import type { Reading } from '../../conversation/conversation.ts';
import { createdTask, endIn, reportIn } from '../../conversation/task.ts';
import type { Call, CallTask } from '../../elicitation/call.ts';
import { given, type Json, own } from '../../elicitation/json.ts';
import { textOf } from '../../elicitation/jsonText.ts';
import type { TraceEntry } from '../log.ts';

const STATUSES: readonly unknown[] = [
	'working',
	'input_required',
	'completed',
	'failed',
	'cancelled',
] satisfies CallTask['status'][];

/** What the recording tells about the end of a call. */
interface End {
	/** The last response that may have ended it. */
	response?: Json;
	/** When that arrived, or the call was cancelled (ms since the epoch). */
	at: number;
	cancelled: boolean;
}

/** Finds out from recorded messages how calls ended. */
export class CallEnds {
	readonly #ends = new Map<Call, End>();

	/** @param call the call that the message itself names */
	read(
		{ direction, at, message }: TraceEntry,
		{ exchange, withdraws }: Reading<TraceEntry>,
		call: Call | undefined,
	): void {
		if (direction === 'sent') {
			const cancelled = own(message, 'method') === 'tasks/cancel' ? call : withdraws[0]?.call;
			if (cancelled) {
				this.#ends.set(cancelled, { at, cancelled: true });
			}
		} else if (exchange?.call && exchange.from === 'sent') {
			this.#readResponse(exchange.call, exchange.method, message, at);
		}
	}

	/** When a call ended (ms since the epoch); undefined if the recording does not tell. */
	timeOf(call: Call): number | undefined {
		return this.#ends.get(call)?.at;
	}

	/** Ends a call as recorded. */
	end(call: Call): void {
		const { response = null, cancelled = false } = this.#ends.get(call) ?? {};
		const [result, error] = [given(response, 'result'), given(response, 'error')];
		if (cancelled) {
			call.end('cancelled', undefined, true);
		} else if (result !== undefined) {
			call.end('succeeded', result);
		} else if (error !== undefined) {
			call.end('failed', new Error(textOf(own(error, 'message') ?? '')));
		} else {
			call.end('unfinished', undefined);
		}
	}

	#readResponse(call: Call, method: string, message: unknown, at: number): void {
		const task = createdTask(message) ?? reportIn(method, message);
		if (task) {
			const [status, said] = [own(task, 'status'), own(task, 'statusMessage')];
			call.task = {
				id: textOf(own(task, 'taskId')),
				status: STATUSES.includes(status) ? (status as CallTask['status']) : 'working',
				message: typeof said === 'string' ? said : undefined,
			};
		}
		const response = endIn(method, message);
		if (response !== undefined && !this.#ends.get(call)?.cancelled) {
			this.#ends.set(call, { response, at, cancelled: false });
		}
	}
}
