import type { CallKind } from './call.ts';
import { isObject, type JsonObject, own } from './json.ts';

/** A task of the server that a call waits for. */
export interface TaskCheckpoint {
	readonly kind: 'task';
	readonly taskId: string;
	/** How long the server keeps it (ms); absent if it tells no limit. */
	readonly ttl?: number;
	/** When the task became known (ms since the epoch). */
	readonly since: number;
	/** The keys of `inputRequests` whose responses the server has acknowledged (2026-07-28). */
	readonly answered: readonly string[];
}

/** Where a call waits for something, and from where it can be resumed without sending its request again (K16). */
export type Checkpoint =
	| TaskCheckpoint
	/** For input that an `input_required` result requires (2026-07-28). */
	| {
			readonly kind: 'round';
			/** The result, raw. */
			readonly result: JsonObject;
			/** The responses that are known already, by the keys of `inputRequests`. */
			readonly responses: JsonObject;
	  };

/** Keeps where one call waits, so that it outlives its session. No promise rejects. */
export interface CallKeeper {
	/** Where to resume a call of an earlier session. */
	readonly from?: Checkpoint | undefined;
	/** The call waits there. It does not go on before that is stored, or will be superseded by a later step. */
	waits(at: Checkpoint): Promise<void>;
	/**
	 * The responses are about to be sent. They are sent once or not at all, so the call can't be resumed from there. Resolves to
	 * false if they must not be sent, because those of another window were.
	 */
	sends(): Promise<boolean>;
	/** The call has ended and can't be resumed. Not called if its session has ended before it. */
	ends(): Promise<void>;
}

/** Reads what was stored; undefined if it is malformed. */
export function readCheckpoint(stored: unknown): Checkpoint | undefined {
	const [taskId, ttl, since, keys] = ['taskId', 'ttl', 'since', 'answered'].map((key) => own(stored, key));
	const answered = Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : undefined;
	const [result, responses] = [own(stored, 'result'), own(stored, 'responses')];
	switch (own(stored, 'kind')) {
		case 'task':
			return typeof taskId === 'string' && typeof since === 'number' && answered
				? { kind: 'task', taskId, since, answered, ...(typeof ttl === 'number' && { ttl }) }
				: undefined;
		case 'round':
			return isObject(result) && isObject(responses) ? { kind: 'round', result, responses } : undefined;
		default:
			return undefined;
	}
}

/** A call of this workspace that did not end before its session. */
export interface WaitingCall {
	readonly id: string;
	readonly server: string;
	/** The server that was called (`Servers.identityOf`). */
	readonly definition: string;
	readonly kind: CallKind;
	/** Name of the tool or prompt, or URI of the resource. Server text. */
	readonly name: string;
	/** Milliseconds since the epoch. */
	readonly startedAt: number;
	/** Its task. `round`: it waits for responses; secret storage has the rest. `sent`: responses may have been sent. */
	readonly at: TaskCheckpoint | 'round' | 'sent';
}
