import { POLL } from '../conversation/task.ts';
import { Matcher, NO_FILTER, type TimelineFilter } from './filter.ts';
import { firstIndex, GroupMatches } from './groupMatches.ts';
import {
	type FoldedLine,
	foldPolls,
	inOrder,
	type Line,
	lineKey,
	roundsIn,
	type SeriesLine,
	type SingleLine,
	singleLines,
	topLines,
} from './line.ts';
import { methodOf, type TraceEntry } from './log.ts';
import type { Timeline, TimelineGroup } from './timeline.ts';

/** A visible line. */
export interface Row {
	readonly line: Line;
	/** Depth, from 1. */
	readonly level: number;
	/** Position among its siblings, from 1, and their number. */
	readonly position: number;
	readonly size: number;
	/** Distance to its parent's row; 0 if it has none. */
	readonly up: number;
	/** Whether it is expanded; undefined if it has no children. */
	readonly open?: boolean | undefined;
}

/** What the user has expanded and collapsed of a group. */
interface Folds {
	/** Undefined until then. */
	open?: boolean | undefined;
	readonly closedRounds: Set<number>;
	/** The polling of tasks, by the number of its first message. */
	readonly polls: Map<number, boolean>;
}

/** What the user has chosen in the outline of a recording, for that of the same recording when it is read again. */
export interface OutlineChoices {
	readonly filter: TimelineFilter;
	readonly all: boolean | undefined;
	/** By the key of the group. */
	readonly folds: ReadonlyMap<string, Folds>;
}

/** State of a group in this outline. */
interface GroupState extends Folds {
	/** What matches the filter. */
	matches: GroupMatches;
	/** Rows below the group; computed on demand. */
	rows?: readonly Row[] | undefined;
	/** The number of matching messages for which the rows were computed. */
	rowHits: number;
}

/** What a filter has not looked at yet. */
const UNSEEN = () => ({
	matches: new GroupMatches(),
	rows: undefined,
	rowHits: 0,
});

/** How many items match a filter. */
export interface MatchCount {
	readonly messages: number;
	readonly elicitations: number;
}

/** A row whose `open` is set when it is placed. */
type PlacedRow = Omit<Row, 'open'> & { open: boolean | undefined };

const NO_ROWS: readonly Row[] = [];

/** A visible group or series, and the index of its row. */
interface Placed {
	readonly row: Row;
	readonly at: number;
	/** The rows below it, other than those of the groups of a series. */
	readonly rows: readonly Row[];
}

/**
 * The filtered timeline as rows, with random access. `refresh` updates it, in slices if the filter has to check many
 * messages.
 */
export class Outline {
	/** Kept only for groups that differ from the rest, or that a filter looks at. Most of a long timeline stays as it is. */
	readonly #parts = new WeakMap<TimelineGroup, GroupState>();
	#matcher: Matcher;
	#placed: Placed[] = [];
	#size = 0;
	/** The version of the timeline for which the rows were placed; undefined if they have to be placed anew. */
	#version: number | undefined;
	#found: MatchCount | undefined;
	/** The visible groups, also those in collapsed series. */
	#shown: readonly TimelineGroup[] = [];
	/** What the user has expanded or collapsed of the series, and what ran while it was visible, by id. */
	readonly #series = new Map<string, boolean>();
	/** Default state of groups that the user has neither expanded nor collapsed. */
	#all: boolean | undefined;

	/** @param choices without them, the newest group is expanded */
	constructor(
		private readonly timeline: Timeline,
		choices?: OutlineChoices,
	) {
		const [newest] = timeline.groups;
		this.#matcher = new Matcher(choices?.filter ?? NO_FILTER, timeline);
		this.#all = choices?.all;
		for (const group of timeline.groups) {
			const folds = choices ? choices.folds.get(group.key) : group === newest && { open: true };
			if (folds) {
				Object.assign(this.#part(group), folds);
			}
		}
	}

	get choices(): OutlineChoices {
		const folds = this.timeline.groups.flatMap((group): [string, Folds][] => {
			const { open, closedRounds, polls } = this.#parts.get(group) ?? {};
			return closedRounds && polls ? [[group.key, { open, closedRounds, polls }]] : [];
		});
		return { filter: this.filter, all: this.#all, folds: new Map(folds) };
	}

	get filter(): TimelineFilter {
		return this.#matcher.filter;
	}

	get filtered(): boolean {
		return this.#matcher.active;
	}

	/** Number of rows. */
	get size(): number {
		return this.#size;
	}

	/** The matches that have been found so far; undefined without a filter. */
	get found(): MatchCount | undefined {
		return this.#found;
	}

	setFilter(filter: TimelineFilter): void {
		this.#version = undefined;
		this.#matcher = new Matcher(filter, this.timeline);
		for (const part of this.#known()) {
			Object.assign(part, UNSEEN());
		}
	}

	/** Expands or collapses a group or a round. */
	fold(line: Line, open: boolean): void {
		this.#version = undefined;
		const part = this.#part(line.group);
		if (line.kind === 'series') {
			this.#series.set(line.series.id, open);
		} else if (line.kind === 'group') {
			part.open = open;
		} else if (line.kind === 'round') {
			part.closedRounds[open ? 'delete' : 'add'](line.round.number);
			part.rows = undefined;
		} else if (line.kind === 'polls') {
			part.polls.set(line.entries[0]?.seq ?? 0, open);
			part.rows = undefined;
		}
	}

	foldAll(open: boolean): void {
		this.#version = undefined;
		this.#all = open;
		this.#series.clear();
		for (const part of this.#known()) {
			delete part.open;
			part.closedRounds.clear();
			part.polls.clear();
			part.rows = undefined;
		}
	}

	/**
	 * Updates the rows. Returns false if the time ran out; call it again then.
	 * @param maxTime max time (ms)
	 */
	refresh(maxTime = Number.POSITIVE_INFINITY): boolean {
		const { version } = this.timeline;
		if (version === this.#version) {
			return true;
		}
		const { groups } = this.timeline;
		const end = performance.now() + maxTime;
		const through = groups.every((group) => this.#update(group, end));
		this.#place(groups);
		this.#version = through ? version : undefined;
		return through;
	}

	rows(first: number, count: number): Row[] {
		const rows: Row[] = [];
		const end = Math.min(first + count, this.#size);
		let row = Math.max(0, first);
		for (let at = this.#search(row); row < end && at < this.#placed.length; at++) {
			const placed = this.#placed[at] as Placed;
			if (row === placed.at) {
				rows.push(placed.row);
				row++;
			}
			const inside = placed.rows.slice(row - placed.at - 1, end - placed.at - 1);
			rows.push(...inside);
			row += inside.length;
		}
		return rows;
	}

	/** The index of a line; undefined if it is not visible. */
	indexOf(line: Line): number | undefined {
		const key = lineKey(line);
		const isHead = line.kind === 'group' || line.kind === 'series';
		const head = isHead ? key : line.group.key;
		const placed = this.#placed.find(({ row }) => lineKey(row.line) === head);
		if (!placed || isHead) {
			return placed?.at;
		}
		const at = placed.rows.findIndex((row) => lineKey(row.line) === key);
		return at < 0 ? undefined : placed.at + 1 + at;
	}

	/** Expands the parents of a line. */
	reveal(line: Line): void {
		this.#version = undefined;
		const { series } = line.group.call ?? {};
		if (series && line.kind !== 'series') {
			this.#series.set(series.id, true);
		}
		if (line.kind === 'series' || line.kind === 'group') {
			return;
		}
		const part = this.#part(line.group);
		part.open = true;
		if (line.kind === 'round') {
			return;
		}
		part.closedRounds.clear();
		if (line.kind === 'message') {
			this.#revealPolls(part, line);
		}
		part.rows = undefined;
	}

	/** Expands the polling that a message belongs to. */
	#revealPolls(part: GroupState, { group, entry }: Extract<Line, { kind: 'message' }>): void {
		for (const { line } of this.#build(group, part)) {
			if (line.kind === 'polls' && line.entries.includes(entry)) {
				part.polls.set(line.entries[0]?.seq ?? 0, true);
			}
		}
	}

	/** The messages that match the filter. */
	messages(): ReadonlySet<TraceEntry> {
		this.refresh();
		return new Set(
			this.#shown.flatMap((group) => (this.filtered ? this.#part(group).matches.entries : group.entries.slice())),
		);
	}

	#part(group: TimelineGroup): GroupState {
		const found = this.#parts.get(group) ?? {
			closedRounds: new Set<number>(),
			polls: new Map<number, boolean>(),
			...UNSEEN(),
		};
		this.#parts.set(group, found);
		return found;
	}

	#known(): GroupState[] {
		return this.timeline.groups.flatMap((group) => this.#parts.get(group) ?? []);
	}

	/** Returns false if the time ran out. */
	#update(group: TimelineGroup, end: number): boolean {
		const matcher = this.#matcher;
		const runs = this.#all === undefined && group.call?.state === 'running';
		const part = runs || matcher.active ? this.#part(group) : this.#parts.get(group);
		if (part && runs) {
			// It stays expanded when it ends, so that nothing collapses while the user is reading.
			part.open ??= true;
		}
		if (!part || part.matches.version === group.version) {
			return true;
		}
		const through = part.matches.update(group, matcher, end);
		// In between only when the matches have doubled, because each time costs as much as there are matches.
		if (through || part.matches.entries.length >= 2 * part.rowHits) {
			part.rows = undefined;
		}
		return through;
	}

	#place(groups: readonly TimelineGroup[]): void {
		const matcher = this.#matcher;
		this.#shown = matcher.active ? groups.filter((group) => this.#matches(group)) : groups;
		this.#placed = [];
		this.#size = 0;
		const lines = topLines(this.#shown);
		for (const [index, line] of lines.entries()) {
			const row = { line, level: 1, position: index + 1, size: lines.length, up: 0, open: undefined };
			if (line.kind === 'group') {
				this.#placeGroup(line.group, row);
			} else {
				this.#placeSeries(line, row);
			}
		}
		this.#found = matcher.active ? foundIn(groups.map((group) => this.#part(group))) : undefined;
	}

	#matches(group: TimelineGroup): boolean {
		const matcher = this.#matcher;
		return !this.#part(group).matches.isEmpty || (matcher.mayContain(group) && matcher.group(group));
	}

	#placeSeries(line: SeriesLine, row: PlacedRow): void {
		const { id } = line.series;
		if (!this.#series.has(id) && this.#all === undefined && line.groups.some(({ call }) => call?.state === 'running')) {
			this.#series.set(id, true);
		}
		row.open = this.#series.get(id) ?? this.#all ?? this.#matcher.active;
		const head = this.#size++;
		this.#placed.push({ row, at: head, rows: NO_ROWS });
		for (const [index, group] of row.open ? line.groups.entries() : []) {
			this.#placeGroup(group, {
				line: { kind: 'group', group },
				...{ level: 2, position: index + 1, size: line.groups.length, up: this.#size - head, open: undefined },
			});
		}
	}

	#placeGroup(group: TimelineGroup, row: PlacedRow): void {
		const part = this.#parts.get(group);
		const { active } = this.#matcher;
		const isOpen = part?.open ?? this.#all ?? active;
		const isEmpty = active && part ? part.matches.isEmpty : group.entries.length + group.elicitations.size === 0;
		row.open = isEmpty ? undefined : isOpen;
		const rows = isOpen ? this.#rowsOf(group, this.#part(group), row.level) : NO_ROWS;
		this.#placed.push({ row, at: this.#size, rows });
		this.#size += 1 + rows.length;
	}

	/** @param level of the group */
	#rowsOf(group: TimelineGroup, part: GroupState, level: number): readonly Row[] {
		if (part.rows === undefined) {
			part.rows = this.#build(group, part).map((row) => ({ ...row, level: row.level + level - 1 }));
			part.rowHits = part.matches.entries.length;
		}
		return part.rows;
	}

	#build(group: TimelineGroup, part: GroupState): Row[] {
		const { active } = this.#matcher;
		const { entries, elicitations } = active ? part.matches : group;
		const rounds = roundsIn(group);
		const wanted = active ? new Set<unknown>([...entries, ...elicitations]) : undefined;
		if (rounds.length === 0) {
			const polls = part.matches.entries.some((entry) => methodOf(entry) === POLL);
			// Only polling depends on what the filter hides.
			const all = active && polls ? group : { elicitations, entries };
			return this.#childRows(part, this.#folded(inOrder(group, all.elicitations, all.entries), wanted), 2);
		}
		const shown = rounds
			.map((round) => ({ round, lines: this.#folded(inOrder(group, round.elicitations, round.entries), wanted) }))
			.filter(({ lines }) => lines.length > 0);
		const rows: Row[] = [];
		for (const [at, { round, lines }] of shown.entries()) {
			const open = !part.closedRounds.has(round.number);
			const line: Line = { kind: 'round', group, round };
			rows.push({ line, level: 2, position: at + 1, size: shown.length, up: rows.length + 1, open });
			rows.push(...(open ? this.#childRows(part, lines, 3) : []));
		}
		return rows;
	}

	/** Folds polling as it stands without the filter, so that each line of it can be found by its key; then filters. */
	#folded(lines: readonly SingleLine[], wanted: ReadonlySet<unknown> | undefined): FoldedLine[] {
		const folded = foldPolls(lines);
		return wanted ? folded.flatMap((line) => foldPolls(singleLines(line).filter(isIn(wanted)))) : folded;
	}

	/** The rows of a group or a round, which is directly above the first. */
	#childRows(part: GroupState, folded: readonly FoldedLine[], level: number): Row[] {
		const rows: Row[] = [];
		for (const [at, line] of folded.entries()) {
			const place = { level, position: at + 1, size: folded.length, up: rows.length + 1 };
			if (line.kind !== 'polls') {
				rows.push({ line, ...place });
				continue;
			}
			const { group, entries } = line;
			const open = part.polls.get(entries[0]?.seq ?? 0) ?? this.#all === true;
			rows.push({ line, ...place, open });
			for (const [index, entry] of open ? entries.entries() : []) {
				const position = index + 1;
				rows.push({
					line: { kind: 'message', group, entry },
					...{ level: level + 1, position, size: entries.length, up: position },
				});
			}
		}
		return rows;
	}

	/** The index of the visible group that contains a row. */
	#search(row: number): number {
		return firstIndex(this.#placed.length, (index) => (this.#placed[index] as Placed).at > row) - 1;
	}
}

function foundIn(parts: readonly GroupState[]): MatchCount {
	return {
		messages: parts.reduce((sum, { matches }) => sum + matches.entries.length, 0),
		elicitations: parts.reduce((sum, { matches }) => sum + matches.elicitations.length, 0),
	};
}

function isIn(wanted: ReadonlySet<unknown>): (line: SingleLine) => boolean {
	return (line) => wanted.has(line.kind === 'message' ? line.entry : line.elicitation);
}
