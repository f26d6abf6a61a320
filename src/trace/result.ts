import { endIn } from '../conversation/task.ts';
import type { Call } from '../elicitation/call.ts';
import { given } from '../elicitation/json.ts';
import { methodOf, type TraceEntry } from './log.ts';

/** The messages of a call, oldest first. */
interface CallMessages {
	readonly call?: Call | undefined;
	readonly entries: { readonly length: number; at(index: number): TraceEntry | undefined };
}

/** True for a response to a request of the client, and for a notification of the server. */
export function mayEnd({ direction, exchange }: TraceEntry): boolean {
	return direction === 'received' && exchange?.from !== 'received';
}

/**
 * The result of a call's last response, if it is still remembered.
 * @param read what to read from an entry
 */
export function resultOf({ call, entries }: CallMessages, read: (entry: TraceEntry) => unknown = messageOf): unknown {
	for (let at = entries.length - 1; call?.state === 'succeeded' && at >= 0; at--) {
		const entry = entries.at(at);
		const end = entry && mayEnd(entry) ? endIn(methodOf(entry), read(entry)) : undefined;
		const result = given(end, 'result');
		if (result !== undefined) {
			return result;
		}
	}
	return call?.state === 'succeeded' ? call.outcome : undefined;
}

function messageOf({ message }: TraceEntry): unknown {
	return message;
}
