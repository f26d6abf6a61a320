import type { Elicitation } from '../elicitation/elicitation.ts';
import { Matcher, NO_FILTER, type TimelineFilter } from './filter.ts';
import { inOrder, type Line, lineKey, roundsIn } from './line.ts';
import type { TraceEntry } from './log.ts';
import type { Group, Timeline } from './timeline.ts';

/** A visible line. */
export interface Row {
	readonly line: Line;
	/** Depth, from 1. */
	readonly level: number;
	/** Position among its siblings, from 1, and their number. */
	readonly position: number;
	readonly size: number;
	/** Distance to its parent's row; 0 for a group. */
	readonly up: number;
	/** Whether it is expanded; undefined if it has no children. */
	readonly open?: boolean | undefined;
}

/** State of a group in this outline. */
interface GroupState {
	/** Set by the user; undefined until then. */
	open?: boolean;
	readonly closedRounds: Set<number>;
	/** The version of the group for which the rest was computed. */
	version: number;
	/** Matching messages, and the number of the last message that was checked. */
	hits: TraceEntry[];
	seen: number;
	elicitations: Elicitation[];
	/** Rows below the group; computed on demand. */
	rows?: readonly Row[] | undefined;
}

/** Initial state of a part. */
const UNSEEN = () => ({ version: -1, hits: [], seen: -1, elicitations: [], rows: undefined });

/** How many items match a filter. */
export interface MatchCount {
	readonly messages: number;
	readonly elicitations: number;
}

/** A visible group and the index of its row. */
interface Placed {
	readonly group: Group;
	readonly part: GroupState;
	readonly at: number;
	readonly open: boolean;
}

/**
 * The filtered timeline as rows, with random access. `refresh` updates it, in slices if the filter has to check many
 * messages.
 */
export class Outline {
	readonly #parts = new WeakMap<Group, GroupState>();
	#matcher: Matcher;
	#placed: Placed[] = [];
	#size = 0;
	#found: MatchCount | undefined;
	/** Default state of groups that the user has neither expanded nor collapsed. */
	#all: boolean | undefined;

	constructor(private readonly timeline: Timeline) {
		this.#matcher = new Matcher(NO_FILTER, timeline.exchanges);
		const [newest] = timeline.groups;
		if (newest) {
			this.#part(newest).open = true;
		}
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
		this.#matcher = new Matcher(filter, this.timeline.exchanges);
		for (const group of this.timeline.groups) {
			Object.assign(this.#part(group), UNSEEN());
		}
	}

	/** Expands or collapses a group or a round. */
	fold(line: Line, open: boolean): void {
		const part = this.#part(line.group);
		if (line.kind === 'group') {
			part.open = open;
		} else if (line.kind === 'round') {
			part.closedRounds[open ? 'delete' : 'add'](line.round.number);
			part.rows = undefined;
		}
	}

	foldAll(open: boolean): void {
		this.#all = open;
		for (const group of this.timeline.groups) {
			const part = this.#part(group);
			delete part.open;
			part.closedRounds.clear();
			part.rows = undefined;
		}
	}

	/**
	 * Updates the rows. Returns false if the time ran out; call it again then.
	 * @param maxTime max time (ms)
	 */
	refresh(maxTime = Number.POSITIVE_INFINITY): boolean {
		const end = performance.now() + maxTime;
		const groups = this.timeline.groups;
		const through = groups.every((group) => this.#update(this.#part(group), group, end));
		this.#place(groups);
		return through;
	}

	rows(first: number, count: number): Row[] {
		const rows: Row[] = [];
		const end = Math.min(first + count, this.#size);
		let row = Math.max(0, first);
		for (let at = this.#search(row); row < end && at < this.#placed.length; at++) {
			const placed = this.#placed[at] as Placed;
			if (row === placed.at) {
				rows.push(this.#head(placed, at));
				row++;
			}
			const inside = placed.open ? this.#rowsOf(placed).slice(row - placed.at - 1, end - placed.at - 1) : [];
			rows.push(...inside);
			row += inside.length;
		}
		return rows;
	}

	/** The index of a line; undefined if it is not visible. */
	indexOf(line: Line): number | undefined {
		const placed = this.#placed.find(({ group }) => group === line.group);
		if (!placed || line.kind === 'group' || !placed.open) {
			return line.kind === 'group' ? placed?.at : undefined;
		}
		const key = lineKey(line);
		const at = this.#rowsOf(placed).findIndex((row) => lineKey(row.line) === key);
		return at < 0 ? undefined : placed.at + 1 + at;
	}

	/** Expands the parents of a line. */
	reveal(line: Line): void {
		const part = this.#part(line.group);
		if (line.kind === 'group') {
			return;
		}
		part.open = true;
		if (line.kind !== 'round') {
			part.closedRounds.clear();
			part.rows = undefined;
		}
	}

	/** The messages that match the filter. */
	messages(): ReadonlySet<TraceEntry> {
		this.refresh();
		return new Set(this.#placed.flatMap(({ group, part }) => (this.filtered ? part.hits : group.entries.slice())));
	}

	#part(group: Group): GroupState {
		const found = this.#parts.get(group) ?? { closedRounds: new Set<number>(), ...UNSEEN() };
		this.#parts.set(group, found);
		return found;
	}

	/** Returns false if the time ran out. */
	#update(part: GroupState, group: Group, end: number): boolean {
		if (part.open === undefined && this.#all === undefined && group.call?.state === 'running') {
			// It stays expanded when it ends, so that nothing collapses while the user is reading.
			part.open = true;
		}
		const matcher = this.#matcher;
		if (part.version === group.version) {
			return true;
		}
		part.rows = undefined;
		if (!matcher.active) {
			part.version = group.version;
			return true;
		}
		if (!matcher.mayContain(group)) {
			part.elicitations = [];
			part.version = group.version;
			return true;
		}
		part.elicitations = [...group.elicitations].filter((elicitation) => matcher.elicitation(elicitation));
		if (this.#updateEntries(part, group, end)) {
			part.version = group.version;
			return true;
		}
		return false;
	}

	#updateEntries(part: GroupState, { entries }: Group, end: number): boolean {
		const oldest = entries.at(0)?.seq ?? Number.POSITIVE_INFINITY;
		if ((part.hits[0]?.seq ?? oldest) < oldest) {
			part.hits = part.hits.filter(({ seq }) => seq >= oldest);
		}
		for (let at = firstAfter(entries, part.seen); ; at++) {
			const entry = entries.at(at);
			if (!entry) {
				return true;
			}
			if (this.#matcher.entry(entry)) {
				part.hits.push(entry);
			}
			part.seen = entry.seq;
			if (at % 64 === 63 && performance.now() > end) {
				return false;
			}
		}
	}

	#place(groups: readonly Group[]): void {
		const matcher = this.#matcher;
		let messages = 0;
		let elicitations = 0;
		let at = 0;
		this.#placed = [];
		for (const group of groups) {
			const part = this.#part(group);
			if (matcher.active) {
				messages += part.hits.length;
				elicitations += part.elicitations.length;
				const empty = part.hits.length + part.elicitations.length === 0;
				if (empty && !(matcher.mayContain(group) && matcher.group(group))) {
					continue;
				}
			}
			const open = part.open ?? this.#all ?? matcher.active;
			const placed: Placed = { group, part, at, open };
			this.#placed.push(placed);
			at += 1 + (open ? this.#rowsOf(placed).length : 0);
		}
		this.#size = at;
		this.#found = matcher.active ? { messages, elicitations } : undefined;
	}

	#head({ group, part, open }: Placed, at: number): Row {
		const empty = this.#matcher.active
			? part.hits.length + part.elicitations.length === 0
			: group.entries.length + group.elicitations.size === 0;
		return {
			line: { kind: 'group', group },
			level: 1,
			position: at + 1,
			size: this.#placed.length,
			up: 0,
			open: empty ? undefined : open,
		};
	}

	#rowsOf({ group, part }: Placed): readonly Row[] {
		part.rows ??= this.#build(group, part);
		return part.rows;
	}

	#build(group: Group, part: GroupState): Row[] {
		const { active } = this.#matcher;
		const entries = active ? part.hits : group.entries;
		const elicitations = active ? part.elicitations : group.elicitations;
		const rounds = roundsIn(group);
		if (rounds.length === 0) {
			return childRows(inOrder(group, elicitations, entries), 2, 1);
		}
		const wanted = active ? new Set<unknown>([...entries, ...elicitations]) : undefined;
		const shown = rounds
			.map((round) => ({ round, lines: inOrder(group, round.elicitations, round.entries).filter(isIn(wanted)) }))
			.filter(({ lines }) => lines.length > 0);
		const rows: Row[] = [];
		for (const [at, { round, lines }] of shown.entries()) {
			const open = !part.closedRounds.has(round.number);
			const line: Line = { kind: 'round', group, round };
			rows.push({ line, level: 2, position: at + 1, size: shown.length, up: rows.length + 1, open });
			rows.push(...(open ? childRows(lines, 3, 1) : []));
		}
		return rows;
	}

	/** The index of the visible group that contains a row. */
	#search(row: number): number {
		let low = 0;
		let high = this.#placed.length;
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if ((this.#placed[middle] as Placed).at <= row) {
				low = middle;
			} else {
				high = middle;
			}
		}
		return low;
	}
}

function isIn(wanted: ReadonlySet<unknown> | undefined): (line: ReturnType<typeof inOrder>[number]) => boolean {
	return (line) => !wanted || wanted.has(line.kind === 'message' ? line.entry : line.elicitation);
}

/** Rows of one level. The parent is directly above the first. */
function childRows(lines: readonly Line[], level: number, above: number): Row[] {
	return lines.map((line, at) => ({ line, level, position: at + 1, size: lines.length, up: at + above }));
}

/** Index of the first entry after a sequence number. */
function firstAfter(entries: Group['entries'], seen: number): number {
	let low = 0;
	let high = entries.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((entries.at(middle)?.seq ?? 0) <= seen) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}
