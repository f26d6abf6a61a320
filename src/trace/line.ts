import { POLL } from '../conversation/task.ts';
import type { Series } from '../elicitation/call.ts';
import type { Elicitation } from '../elicitation/elicitation.ts';
import { methodOf, type TraceEntry } from './log.ts';
import { type Round, roundsOf } from './rounds.ts';
import type { Timeline, TimelineGroup } from './timeline.ts';

/** A call, or the messages of a server outside of calls. */
export interface GroupLine {
	readonly kind: 'group';
	readonly group: TimelineGroup;
}

/** The calls of a series of tests, newest first. `group` is that of the newest. */
export interface SeriesLine {
	readonly kind: 'series';
	readonly group: TimelineGroup;
	readonly series: Series;
	readonly groups: readonly TimelineGroup[];
}

/** The polling of a task: `tasks/get` and its responses, with nothing in between. */
export interface PollsLine {
	readonly kind: 'polls';
	readonly group: TimelineGroup;
	readonly entries: readonly TraceEntry[];
}

/** Shorter runs of polling are not folded (messages). */
const LEAST_POLLS = 4;

/** A line of the timeline. */
export type Line =
	| SeriesLine
	| PollsLine
	| GroupLine
	| { readonly kind: 'round'; readonly group: TimelineGroup; readonly round: Round }
	| { readonly kind: 'elicitation'; readonly group: TimelineGroup; readonly elicitation: Elicitation }
	| { readonly kind: 'message'; readonly group: TimelineGroup; readonly entry: TraceEntry };

/** Identifies a line, also in webviews. */
export function lineKey(line: Line): string {
	switch (line.kind) {
		case 'series':
			return `series:${line.series.id}`;
		case 'group':
			return line.group.key;
		case 'polls':
			return `polls:${line.entries[0]?.seq}:${line.group.key}`;
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
	const [, kind, number, groupKey = ''] = /^(series|polls|round|elicitation|message):(\d+)(?::(.*))?$/s.exec(key) ?? [];
	if (kind === 'series') {
		return topLines(timeline.groups).find((line) => lineKey(line) === key);
	}
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
	if (kind === 'polls') {
		return group && pollsFrom(group, Number(number));
	}
	if (kind === 'round') {
		const round = group && roundsIn(group).find((each) => each.number === Number(number));
		return round && group && { kind, group, round };
	}
	const elicitation = group && [...group.elicitations].find(({ id }) => id === number);
	return elicitation && group && { kind: 'elicitation', group, elicitation };
}

type TopLine = SeriesLine | GroupLine;

/** The lines at the top: groups and, in the place of the newest call of a series, all of its calls. */
export function topLines(groups: readonly TimelineGroup[]): TopLine[] {
	const lines: TopLine[] = [];
	const all = new Map<Series, TimelineGroup[]>();
	for (const group of groups) {
		const series = group.call?.series;
		const known = series && all.get(series);
		if (known) {
			known.push(group);
		} else if (series) {
			const own = [group];
			all.set(series, own);
			lines.push({ kind: 'series', group, series, groups: own });
		} else {
			lines.push({ kind: 'group', group });
		}
	}
	return lines;
}

/** The rounds of a group; empty if there is only one. */
export function roundsIn({ call, entries, elicitations }: TimelineGroup): readonly Round[] {
	return call && call.rounds > 1 ? roundsOf(call, entries.slice(), [...elicitations]) : [];
}

/** The polling that begins with a message; undefined if there is none, or no more. */
function pollsFrom(group: TimelineGroup, seq: number): PollsLine | undefined {
	const rounds = roundsIn(group);
	const parts = rounds.length > 0 ? rounds : [group];
	for (const { elicitations, entries } of parts) {
		for (const line of foldPolls(inOrder(group, elicitations, entries))) {
			const at = line.kind === 'polls' ? line.entries.findIndex((entry) => entry.seq === seq) : -1;
			if (line.kind === 'polls' && at >= 0) {
				return { ...line, entries: line.entries.slice(at) };
			}
		}
	}
	return undefined;
}

/** Puts the polling of a task into one line, unless it is short. */
export function foldPolls(lines: readonly SingleLine[]): FoldedLine[] {
	const folded: FoldedLine[] = [];
	let run: Extract<Line, { kind: 'message' }>[] = [];
	const end = () => {
		const [first] = run;
		if (first && run.length >= LEAST_POLLS) {
			folded.push({ kind: 'polls', group: first.group, entries: run.map(({ entry }) => entry) });
		} else {
			folded.push(...run);
		}
		run = [];
	};
	for (const line of lines) {
		if (line.kind === 'message' && methodOf(line.entry) === POLL) {
			run.push(line);
		} else {
			end();
			folded.push(line);
		}
	}
	end();
	return folded;
}

export type SingleLine = Extract<Line, { kind: 'elicitation' | 'message' }>;

export type FoldedLine = SingleLine | PollsLine;

/** Undoes the folding of a line. */
export function singleLines(line: FoldedLine): SingleLine[] {
	return line.kind === 'polls'
		? line.entries.map((entry): SingleLine => ({ kind: 'message', group: line.group, entry }))
		: [line];
}

/** The children of a group or a round, oldest first. An elicitation precedes the next message. */
export function inOrder(
	group: TimelineGroup,
	elicitations: Iterable<Elicitation>,
	entries: Iterable<TraceEntry>,
): SingleLine[] {
	const lines: SingleLine[] = [];
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
