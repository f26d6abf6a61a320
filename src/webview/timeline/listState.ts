import type { ShownPlace, ShownRow, ShownRows } from '../../timelineProtocol.ts';
import type { Next } from '../common/store.ts';

/** Where a list is scrolled to: the row at its upper edge. */
export interface Place extends ShownPlace {
	/** Pixels by which the row is cut. */
	readonly offset: number;
}

/** A tree of which only the rows near the visible part exist, and only those near them are known. Measures are in pixels. */
export interface ListState {
	/** Of a row. */
	readonly height: number;
	/** Of the visible part. */
	readonly view: number;
	/** How far it is scrolled. */
	readonly top: number;
	readonly total: number;
	/** The place of the first known row. */
	readonly first: number;
	readonly rows: readonly ShownRow[];
	/** Whether rows are on their way. Scrolling asks for others when they have arrived: those of where it stands by then. */
	readonly isWaiting: boolean;
	/** The selected row; it has no key while it is still on its way. */
	readonly active: { readonly key?: string; readonly index: number } | undefined;
	/** Where it is to be scrolled to, as soon as it has its size. */
	readonly goal: Place | undefined;
}

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

export function firstList(goal: Place | undefined, active: ShownPlace | undefined): ListState {
	return { height: 22, view: 400, top: 0, total: 0, first: 0, rows: [], isWaiting: false, active, goal };
}

export function rowAt({ rows, first }: ListState, index: number): ShownRow | undefined {
	return rows[index - first];
}

export function visibleRows({ view, height }: ListState): number {
	return Math.ceil(view / height) + 1;
}

/** The places of the rows that exist: those around the visible part. */
export function drawnRows(list: ListState): readonly [first: number, end: number] {
	const top = topRow(list);
	return [Math.max(0, top - OVERSCAN), Math.min(list.total, top + visibleRows(list) + OVERSCAN)];
}

function topRow({ top, height }: ListState): number {
	return Math.floor(top / height);
}

/** Where it stands, so that it can be left and come back to; undefined at the top, and where nothing is known. */
export function placeOf(list: ListState): Place | undefined {
	const index = topRow(list);
	const row = rowAt(list, index);
	return (
		list.goal ?? (row && list.top > 0 ? { key: row.key, index, offset: list.top - index * list.height } : undefined)
	);
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

/** It has another size. */
export function measured(list: ListState, height: number, view: number): NextList {
	return chain({ ...list, height, view }, comeBack, askAround);
}

export function scrolled(list: ListState, top: number): NextList {
	const isThere = list.goal && Math.abs(top - topOf(list.goal, list)) <= 1;
	return top === list.top && !isThere ? [list] : askAround({ ...list, top, goal: isThere ? undefined : list.goal });
}

/** Takes rows from the host, and stays on the line that is read. */
export function take(list: ListState, shown: ShownRows): NextList {
	const { first, rows, selected, searching } = shown;
	const moved = list.top === 0 ? 0 : movedBy(list, first, rows);
	const { goal } = list;
	const at = goal ? rows.findIndex(({ key }) => key === goal.key) : -1;
	return chain(
		{ ...withRows(list, shown), goal: goal && at >= 0 ? { ...goal, index: first + at } : goal },
		(next) => (goal ? comeBack(next) : moved === 0 ? [next] : scrollTo(next, next.top + moved * next.height)),
		(next) => follow(next, selected, moved),
		searching ? ask : askAround,
	);
}

function withRows(list: ListState, { total, first, rows }: ShownRows): ListState {
	return { ...list, total, first, rows, isWaiting: false };
}

/** How many rows further down the upper edge is by now: its row or, if that is gone, the next one that is known. */
function movedBy(list: ListState, first: number, rows: readonly ShownRow[]): number {
	const places = new Map(rows.map(({ key }, at) => [key, first + at]));
	const top = Math.max(topRow(list), list.first);
	const known = list.rows.slice(top - list.first);
	const at = known.findIndex(({ key }) => places.has(key));
	return at < 0 ? 0 : (places.get(known[at]?.key ?? '') ?? 0) - (top + at);
}

/** Brings a line into view and selects it. */
export function reveal(list: ListState, rows: ShownRows, { key, index }: ShownPlace): NextList {
	return chain(
		{ ...withRows(list, rows), goal: undefined, active: { key, index } },
		(next) => show(next, index, true),
		askAround,
		(next) => [next, detailOf(key)],
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
	return chain(
		{ ...list, goal: undefined, active: active && { ...active, index: 0 } },
		(next) => scrollTo(next, 0),
		ask,
	);
}

/** From here on the user decides where it stands. */
export function stay(list: ListState): ListState {
	return list.goal ? { ...list, goal: undefined } : list;
}

function scrollTo(list: ListState, top: number): NextList {
	return [
		{ ...list, top },
		{ type: 'scroll', top },
	];
}

function topOf({ index, offset }: Place, { height }: ListState): number {
	return index * height + offset;
}

/** Scrolls to where it was left: a page that is shown again may not have its final size yet. */
function comeBack(list: ListState): NextList {
	return list.goal && list.total > 0 ? scrollTo(list, topOf(list.goal, list)) : [list];
}

/** The selection stays on its line or, if that is gone, where it is: there is always something to see. */
function follow(list: ListState, selected: ShownRows['selected'], moved: number): NextList {
	const { active, rows, first, total } = list;
	if (total === 0) {
		return [list];
	}
	const at = active?.key === undefined ? -1 : rows.findIndex(({ key }) => key === active.key);
	// The host was not asked for what has been selected since.
	const elsewhere = selected?.key === active?.key ? selected?.index : active && active.index + moved;
	const index = at < 0 ? elsewhere : first + at;
	const next = index === undefined ? { index: active?.index ?? topRow(list) } : { ...active, index };
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
	const { height, view, top } = list;
	const upper = index * height;
	const lower = upper + height;
	if (upper >= top && lower <= top + view) {
		return [list];
	}
	return scrollTo(list, isCentered ? upper - (view - height) / 2 : upper < top ? upper : lower - view);
}

/** Asks for more rows before they run out. */
function askAround(list: ListState): NextList {
	const { first, rows, total, isWaiting } = list;
	const top = topRow(list);
	const from = Math.max(0, top - AHEAD / 3);
	const to = Math.min(total, top + visibleRows(list) + AHEAD / 3);
	return !isWaiting && (from < first || to > first + rows.length) ? ask(list) : [list];
}

/** Asks for the rows around the visible part, wherever its lines are by now. */
export function ask(list: ListState): NextList {
	const anchor = placeOf(list);
	const first = Math.max(0, (anchor?.index ?? topRow(list)) - AHEAD);
	const count = visibleRows(list) + 2 * AHEAD;
	return [
		{ ...list, isWaiting: true },
		{
			type: 'rows',
			first,
			count,
			anchor: anchor && { key: anchor.key, index: anchor.index },
			selected: list.active?.key,
		},
	];
}
