import { type Call, type CallTask, isCallMethod } from '../../elicitation/call.ts';
import { given, idKey, type Json, own } from '../../elicitation/json.ts';
import { textOf } from '../../elicitation/jsonText.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { PairMap } from '../pairMap.ts';
import type { RecordedMessage } from './readRecording.ts';

/** Requests whose response may end a call that runs as a task. */
const POLLS: readonly unknown[] = ['tasks/result', 'tasks/get'];

const STATUSES: readonly unknown[] = [
	'working',
	'input_required',
	'completed',
	'failed',
	'cancelled',
] satisfies CallTask['status'][];

/** A call that has no end in its recording. Has the shape of the failures that are shown to the user. */
class NoEnd extends Error {
	readonly what = localizable('The recording does not contain the end of this call.');
	readonly fix = localizable('It was exported during the call, or with a filter.');

	constructor(readonly server: string) {
		super();
	}
}

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
	/** Calls by server and id of their requests. */
	readonly #requests = new PairMap<string, unknown, Call>();
	/** By server: to create an error takes long, and a recording may have very many calls without an end. */
	readonly #noEnds = new Map<string, NoEnd>();

	/** @param now the time of the recording (ms since the epoch) */
	read({ server, direction, message }: RecordedMessage, call: Call | undefined, now: number): void {
		const [method, id, params] = [own(message, 'method'), idKey(own(message, 'id')), own(message, 'params')];
		if (direction === 'sent') {
			if (call && (isCallMethod(method) || POLLS.includes(method))) {
				this.#requests.set(server, id, call);
			}
			const cancelled =
				method === 'tasks/cancel'
					? call
					: method === 'notifications/cancelled'
						? this.#requests.get(server, idKey(own(params, 'requestId')))
						: undefined;
			if (cancelled) {
				this.#ends.set(cancelled, { at: now, cancelled: true });
			}
			return;
		}
		const responded = method === undefined ? this.#requests.get(server, id) : undefined;
		if (responded) {
			this.#requests.delete(server, id);
			this.#readResponse(responded, message, now);
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
			const { server } = call;
			const noEnd = this.#noEnds.get(server) ?? new NoEnd(server);
			this.#noEnds.set(server, noEnd);
			call.end('failed', noEnd);
		}
	}

	#readResponse(call: Call, response: Json, now: number): void {
		const result = own(response, 'result');
		const task = own(result, 'task') ?? (own(result, 'taskId') === undefined ? undefined : result);
		const [inner, failure] = [given(task, 'result'), given(task, 'error')];
		const [taskId, status, said] = [own(task, 'taskId'), own(task, 'status'), own(task, 'statusMessage')];
		if (typeof taskId === 'string') {
			call.task = {
				id: taskId,
				status: STATUSES.includes(status) ? (status as CallTask['status']) : 'working',
				message: typeof said === 'string' ? said : undefined,
			};
			if (inner === undefined && failure === undefined) {
				return;
			}
		}
		const final = inner !== undefined ? { result: inner } : failure !== undefined ? { error: failure } : response;
		if (own(result, 'resultType') !== 'input_required' && !this.#ends.get(call)?.cancelled) {
			this.#ends.set(call, { response: final, at: now, cancelled: false });
		}
	}
}
