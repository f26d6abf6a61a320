import type { ShownPlace, ShownRow, ShownRows } from '../../timelineProtocol.ts';
import type { Next } from '../common/store.ts';

/** A row and its line, which it moves with. */
interface Spot {
	/** Absent while the row is still on its way. */
	readonly key?: string;
	readonly index: number;
}

/** A tree of which only the rows near the visible part exist, and only those near them are known. Measures are in pixels. */
export interface ListState {
	/** Of a row. */
	readonly height: number;
	/** Of the visible part. */
	readonly view: number;
	/** The row at the upper edge, and how much of it is cut. It has no key at the very top, where new lines are to be seen. */
	readonly edge: Spot & { readonly offset: number };
	readonly total: number;
	/** The place of the first known row. */
	readonly first: number;
	readonly rows: readonly ShownRow[];
	/** Whether rows are on their way. Scrolling asks for others when they have arrived: those of where it stands by then. */
	readonly isWaiting: boolean;
	/** The selected row. */
	readonly active: Spot | undefined;
}

/** How a list was left. */
export type Left = Pick<ListState, 'edge' | 'active'>;

export type ListEffect =
	| { readonly type: 'scroll'; readonly top: number }
	/** The details of a line are wanted. */
	| { readonly type: 'detail'; readonly key: string; readonly known: string }
	| {
			readonly type: 'rows';
			readonly first: number;
			readonly count: number;
			readonly anchor: ShownPlace | undefined;
			readonly selected: string | undefined;
	  };

type NextList = Next<ListState, ListEffect>;

/** Rows beyond the visible ones that exist, and that are asked for. */
const OVERSCAN = 6;
const AHEAD = 60;

const TOP = { index: 0, offset: 0 };

export function firstList({ edge, active }: Left = { edge: TOP, active: undefined }): ListState {
	return { height: 22, view: 400, edge, total: 0, first: 0, rows: [], isWaiting: false, active };
}

export function rowAt({ rows, first }: ListState, index: number): ShownRow | undefined {
	return rows[index - first];
}

export function visibleRows({ view, height }: ListState): number {
	return Math.ceil(view / height) + 1;
}

/** The places of the rows that exist: those around the visible part. */
export function drawnRows(list: ListState): readonly [first: number, end: number] {
	const { index } = list.edge;
	return [Math.max(0, index - OVERSCAN), Math.min(list.total, index + visibleRows(list) + OVERSCAN)];
}

/** How far it is scrolled. */
export function topOf({ edge, height }: ListState): number {
	return edge.index * height + edge.offset;
}

/** Does one after the other. */
function chain(list: ListState, ...steps: readonly ((list: ListState) => NextList)[]): NextList {
	return steps.reduce<NextList>(
		([before, ...effects], step) => {
			const [after, ...more] = step(before);
			return [after, ...effects, ...more];
		},
		[list],
	);
}

/** It has another size: it may not have been able to scroll to where it stands before. */
export function measured(list: ListState, height: number, view: number): NextList {
	const sized = { ...list, height, view };
	return list.total === 0 ? [sized] : chain(sized, (next) => scrollTo(next, topOf(next)), askAround);
}

export function scrolled(list: ListState, top: number): NextList {
	return top === topOf(list) ? [list] : askAround({ ...list, edge: edgeAt(list, top) });
}

/** Takes rows from the host, and stays on the line that is read. */
export function take(list: ListState, shown: ShownRows): NextList {
	const { first, rows, selected, searching } = shown;
	const { edge, height } = list;
	const at = edge.key === undefined ? -1 : rows.findIndex(({ key }) => key === edge.key);
	const moved = at < 0 ? 0 : first + at - edge.index;
	return chain(
		withRows(list, shown),
		(next) =>
			moved === 0 && list.total > 0
				? [{ ...next, edge: edgeAt(next, topOf(next)) }]
				: scrollTo(next, topOf(next) + moved * height),
		(next) => follow(next, selected),
		searching ? ask : askAround,
	);
}

function withRows(list: ListState, { total, first, rows }: ShownRows): ListState {
	return { ...list, total, first, rows, isWaiting: false };
}

/** Brings a line into view and selects it. */
export function reveal(list: ListState, rows: ShownRows, active: ShownPlace): NextList {
	return chain(
		{ ...withRows(list, rows), active },
		(next) => show(next, active.index, true),
		askAround,
		(next) => [next, detailOf(active.key)],
	);
}

/** Selects a row, as by keyboard. */
export function move(list: ListState, to: number): NextList {
	const index = Math.max(0, Math.min(list.total - 1, to));
	return list.total === 0
		? [list]
		: chain({ ...list, active: { index } }, (next) => show(next, index, false), select, askAround);
}

/** Everything is another: asks for the rows with which it begins. */
export function toTop(list: ListState): NextList {
	const { active } = list;
	return chain({ ...list, active: active && { ...active, index: 0 } }, (next) => scrollTo(next, 0), ask);
}

function scrollTo(list: ListState, top: number): NextList {
	return [
		{ ...list, edge: edgeAt(list, top) },
		{ type: 'scroll', top },
	];
}

function edgeAt(list: ListState, top: number): ListState['edge'] {
	if (top <= 0) {
		return TOP;
	}
	const index = Math.floor(top / list.height);
	const { key = index === list.edge.index ? list.edge.key : undefined } = rowAt(list, index) ?? {};
	return { ...(key !== undefined && { key }), index, offset: top - index * list.height };
}

/** The selection stays on its line or, if that is gone, where it is: there is always something to see. */
function follow(list: ListState, selected: ShownRows['selected']): NextList {
	const { active, edge, rows, first, total } = list;
	if (total === 0) {
		return [list];
	}
	const at = active?.key === undefined ? -1 : rows.findIndex(({ key }) => key === active.key);
	// The host was not asked for what has been selected since.
	const elsewhere = selected?.key === active?.key ? selected?.index : active?.index;
	const index = at < 0 ? elsewhere : first + at;
	const next = index === undefined ? { index: active?.index ?? edge.index } : { ...active, index };
	return select({ ...list, active: { ...next, index: Math.min(next.index, total - 1) } });
}

/** Selects the active row once it is known. */
function select(list: ListState): NextList {
	const { active } = list;
	const row = active && active.key === undefined ? rowAt(list, active.index) : undefined;
	return row && active ? [{ ...list, active: { ...active, key: row.key } }, detailOf(row.key)] : [list];
}

function detailOf(key: string): ListEffect {
	return { type: 'detail', key, known: '' };
}

function show(list: ListState, index: number, isCentered: boolean): NextList {
	const { height, view, total } = list;
	const top = topOf(list);
	const upper = index * height;
	const lower = upper + height;
	if (upper >= top && lower <= top + view) {
		return [list];
	}
	const wanted = isCentered ? upper - (view - height) / 2 : upper < top ? upper : lower - view;
	return scrollTo(list, Math.max(0, Math.min(wanted, total * height - view)));
}

/** Asks for more rows before they run out. */
function askAround(list: ListState): NextList {
	const { first, rows, total, isWaiting, edge } = list;
	const from = Math.max(0, edge.index - AHEAD / 3);
	const to = Math.min(total, edge.index + visibleRows(list) + AHEAD / 3);
	return !isWaiting && (from < first || to > first + rows.length) ? ask(list) : [list];
}

/** Asks for the rows around the visible part, wherever its lines are by now. */
export function ask(list: ListState): NextList {
	const { key, index } = list.edge;
	const count = visibleRows(list) + 2 * AHEAD;
	const anchor = key === undefined ? undefined : { key, index };
	return [
		{ ...list, isWaiting: true },
		{ type: 'rows', first: Math.max(0, index - AHEAD), count, anchor, selected: list.active?.key },
	];
}
