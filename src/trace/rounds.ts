import { type Call, isCallMethod } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { own } from '../elicitation/json.ts';
import type { TraceEntry } from './log.ts';

/** One round of a call. Both lists are oldest first. */
export interface Round {
	/** From 1. */
	readonly number: number;
	readonly entries: TraceEntry[];
	readonly elicitations: Elicitation[];
}

/**
 * The rounds of a call, oldest first. Counted from the last one, because the oldest messages may have been dropped.
 * @param entries the messages of this call, oldest first
 * @param elicitations the elicitations of this call, oldest first
 */
export function roundsOf(
	call: Call,
	entries: readonly TraceEntry[],
	elicitations: readonly Elicitation[],
): readonly Round[] {
	const rounds = new Map<number, Round>();
	const round = (number: number): Round => {
		const found = rounds.get(number) ?? { number, entries: [], elicitations: [] };
		rounds.set(number, found);
		return found;
	};
	let number = Math.max(0, call.rounds - entries.filter(startsRound).length);
	for (const entry of entries) {
		number += startsRound(entry) ? 1 : 0;
		round(Math.max(1, number)).entries.push(entry);
	}
	const seen = [...rounds.values()];
	let last = 0;
	for (const elicitation of elicitations) {
		const { origin, receivedAt } = elicitation;
		// A server's own request does not tell the round.
		while ((seen[last + 1]?.entries[0]?.at ?? Number.POSITIVE_INFINITY) <= receivedAt) {
			last++;
		}
		round(origin.group?.round ?? seen[last]?.number ?? 1).elicitations.push(elicitation);
	}
	return [...rounds.values()].sort((a, b) => a.number - b.number);
}

/** Calls are sent again with responses, or after URL elicitations completed. */
function startsRound({ direction, message }: TraceEntry): boolean {
	return direction === 'sent' && isCallMethod(own(message, 'method')) && own(message, 'id') !== undefined;
}
