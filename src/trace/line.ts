import type { Elicitation } from '../elicitation/elicitation.ts';
import type { TraceEntry } from './log.ts';
import { type Round, roundsOf } from './rounds.ts';
import type { Group, Timeline } from './timeline.ts';

/** A line of the timeline. */
export type Line =
	| { readonly kind: 'group'; readonly group: Group }
	| { readonly kind: 'round'; readonly group: Group; readonly round: Round }
	| { readonly kind: 'elicitation'; readonly group: Group; readonly elicitation: Elicitation }
	| { readonly kind: 'message'; readonly group: Group; readonly entry: TraceEntry };

/** Identifies a line, also in webviews. */
export function lineKey(line: Line): string {
	switch (line.kind) {
		case 'group':
			return line.group.key;
		case 'round':
			return `round:${line.round.number}:${line.group.key}`;
		case 'elicitation':
			return `elicitation:${line.elicitation.id}:${line.group.key}`;
		case 'message':
			return `message:${line.entry.seq}`;
	}
}

/** Returns the line with a key while it is remembered. */
export function lineOf(timeline: Timeline, key: string): Line | undefined {
	const [, kind, number, groupKey = ''] = /^(round|elicitation|message):(\d+)(?::(.*))?$/s.exec(key) ?? [];
	if (kind === undefined) {
		const group = timeline.group(key);
		return group && { kind: 'group', group };
	}
	if (kind === 'message') {
		const entry = timeline.trace.get(Number(number));
		const group = entry && timeline.groupOf(entry);
		return entry && group && { kind, group, entry };
	}
	const group = timeline.group(groupKey);
	if (kind === 'round') {
		const round = group && roundsIn(group).find((each) => each.number === Number(number));
		return round && group && { kind, group, round };
	}
	const elicitation = group && [...group.elicitations].find(({ id }) => id === number);
	return elicitation && group && { kind: 'elicitation', group, elicitation };
}

/** The rounds of a group; empty if there is only one. */
export function roundsIn({ call, entries, elicitations }: Group): readonly Round[] {
	return call && call.rounds > 1 ? roundsOf(call, entries.slice(), [...elicitations]) : [];
}

/** The children of a group or a round, oldest first. An elicitation precedes the next message. */
export function inOrder(
	group: Group,
	elicitations: Iterable<Elicitation>,
	entries: Iterable<TraceEntry>,
): Exclude<Line, { kind: 'group' | 'round' }>[] {
	const lines: Exclude<Line, { kind: 'group' | 'round' }>[] = [];
	const waiting = [...elicitations];
	let next = 0;
	for (const entry of entries) {
		for (let each = waiting[next]; each && each.receivedAt < entry.at; each = waiting[++next]) {
			lines.push({ kind: 'elicitation', group, elicitation: each });
		}
		lines.push({ kind: 'message', group, entry });
	}
	for (const elicitation of waiting.slice(next)) {
		lines.push({ kind: 'elicitation', group, elicitation });
	}
	return lines;
}
