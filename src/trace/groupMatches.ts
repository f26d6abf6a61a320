import type { Elicitation } from '../elicitation/elicitation.ts';
import type { Matcher } from './filter.ts';
import type { TraceEntry } from './log.ts';
import type { TimelineGroup } from './timeline.ts';

/** A pass through the elicitations of a group, which may take several slices. */
interface ElicitationCheck {
	/** The version of the group at its start. */
	readonly version: number;
	readonly rest: Iterator<Elicitation>;
	readonly matching: Elicitation[];
}

/** What of a group matches a filter. Found in slices, because a group may have many messages. */
export class GroupMatches {
	/** The version of the group that has been checked; -1 if none has. */
	version = -1;
	#entries: TraceEntry[] = [];
	/** The number of the last message that was checked. */
	#seen = -1;
	#elicitations: readonly Elicitation[] = [];
	/** The check of the elicitations that is under way. */
	#check: ElicitationCheck | undefined;

	/** The messages found so far, oldest first. */
	get entries(): readonly TraceEntry[] {
		return this.#entries;
	}

	get elicitations(): readonly Elicitation[] {
		return this.#elicitations;
	}

	get isEmpty(): boolean {
		return this.#entries.length + this.#elicitations.length === 0;
	}

	/**
	 * Checks what has changed. Returns false if the time ran out; call it again then.
	 * @param matcher always the same one
	 * @param end when the time runs out, as `performance.now()` tells it
	 */
	update(group: TimelineGroup, matcher: Matcher, end: number): boolean {
		if (matcher.active && matcher.mayContain(group)) {
			return this.#updateEntries(group, matcher, end) && this.#updateElicitations(group, matcher, end);
		}
		this.version = group.version;
		return true;
	}

	#updateEntries({ entries }: TimelineGroup, matcher: Matcher, end: number): boolean {
		const oldest = entries.at(0)?.seq ?? Number.POSITIVE_INFINITY;
		if ((this.#entries[0]?.seq ?? oldest) < oldest) {
			this.#entries = this.#entries.filter(({ seq }) => seq >= oldest);
		}
		for (let at = firstIndex(entries.length, (index) => (entries.at(index)?.seq ?? 0) > this.#seen); ; at++) {
			const entry = entries.at(at);
			if (!entry) {
				return true;
			}
			if (matcher.entry(entry)) {
				this.#entries.push(entry);
			}
			this.#seen = entry.seq;
			if (at % 64 === 63 && performance.now() > end) {
				return false;
			}
		}
	}

	/** Checks all elicitations for each version, because they change. */
	#updateElicitations(group: TimelineGroup, matcher: Matcher, end: number): boolean {
		while (this.version !== group.version) {
			this.#check ??= { version: group.version, rest: group.elicitations.values(), matching: [] };
			const { version, rest, matching } = this.#check;
			for (let each = rest.next(); !each.done; each = rest.next()) {
				if (matcher.elicitation(each.value)) {
					matching.push(each.value);
				}
				if (performance.now() > end) {
					return false;
				}
			}
			this.#elicitations = matching;
			this.version = version;
			this.#check = undefined;
		}
		return true;
	}
}

/** The first index that passes the test, which all later ones pass, too; `length` if none does. */
export function firstIndex(length: number, test: (index: number) => boolean): number {
	let low = 0;
	let high = length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (test(middle)) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	return low;
}
