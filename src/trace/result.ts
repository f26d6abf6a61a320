import type { Call } from '../elicitation/call.ts';
import { own } from '../elicitation/json.ts';
import type { TraceEntry } from './log.ts';

/** The messages of a call, oldest first. */
interface CallMessages {
	readonly call?: Call | undefined;
	readonly entries: { readonly length: number; at(index: number): TraceEntry | undefined };
}

/**
 * The result of a call's last response, if it is still remembered.
 * @param read what to read from an entry
 */
export function resultOf({ call, entries }: CallMessages, read: (entry: TraceEntry) => unknown = messageOf): unknown {
	for (let at = entries.length - 1; call?.state === 'succeeded' && at >= 0; at--) {
		const entry = entries.at(at);
		const response = entry?.direction === 'received' ? own(read(entry), 'result') : undefined;
		const result = call.task ? resultOfTask(response, call.task.id) : response;
		if (result !== undefined && own(result, 'resultType') !== 'input_required') {
			return result;
		}
	}
	return call?.state === 'succeeded' ? call.outcome : undefined;
}

/** Tasks of 2026-07-28 report their result; the result of those of 2025-11-25 is a response of its own. */
function resultOfTask(response: unknown, taskId: string): unknown {
	if (own(response, 'taskId') === taskId) {
		return own(response, 'result');
	}
	const isCreation = own(response, 'task') !== undefined;
	return !isCreation && own(response, 'content') !== undefined ? response : undefined;
}

function messageOf({ message }: TraceEntry): unknown {
	return message;
}
