import type { ShownRow, ShownRows } from '../../timelineProtocol.ts';
import type { Next } from '../common/store.ts';

/** Where a list was left. */
export interface Place {
	readonly key: string;
	readonly index: number;
	/** Pixels by which its upper edge was cut. */
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
	/** See `ShownRows`. */
	readonly origin: number;
	/** Whether rows are on their way. Others are asked for when they have arrived: those of where it stands by then. */
	readonly isWaiting: boolean;
	/** The row that has the focus; it has no key while it is still on its way. */
	readonly active: { readonly key?: string; readonly index: number } | undefined;
	/** Where it is to be scrolled to, as soon as it has its size. */
	readonly goal: Place | undefined;
}

export type ListEffect =
	| { readonly type: 'scroll'; readonly top: number }
	| { readonly type: 'select'; readonly key: string }
	| {
			readonly type: 'want';
			readonly first: number;
			readonly count: number;
			readonly origin: number;
			readonly anchor: { readonly key: string; readonly index: number } | undefined;
	  };

type NextList = Next<ListState, ListEffect>;

/** Rows beyond the visible ones that exist, and that are asked for. */
const OVERSCAN = 6;
const AHEAD = 60;

export function firstList(goal: Place | undefined): ListState {
	return {
		height: 22,
		view: 400,
		top: 0,
		total: 0,
		first: 0,
		rows: [],
		origin: 0,
		isWaiting: false,
		active: undefined,
		goal,
	};
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

/** Where it stands, so that it can be left and come back to. */
export function placeOf(list: ListState): Place | undefined {
	const index = topRow(list);
	const row = rowAt(list, index);
	return list.goal ?? (row && index > 0 ? { key: row.key, index, offset: list.top - index * list.height } : undefined);
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
	const sized = { ...list, height, view };
	return list.total > 0 ? chain(sized, comeBack, askAround) : [sized];
}

/** Asks for the rows with which it begins, where it was left. */
export function begin(list: ListState): NextList {
	return ask(list, list.goal?.index ?? 0);
}

export function scrolled(list: ListState, top: number): NextList {
	const isThere = list.goal && Math.abs(top - topOf(list.goal, list)) <= 1;
	return top === list.top && !isThere ? [list] : askAround({ ...list, top, goal: isThere ? undefined : list.goal });
}

/** Takes rows from the host. */
export function take(list: ListState, { total, first, rows, origin, selected }: ShownRows): NextList {
	const moved = origin - list.origin;
	const taken: ListState = { ...list, total, first, rows, origin, isWaiting: false };
	const { goal } = list;
	return chain(
		goal ? { ...taken, goal: { ...goal, index: goal.index + moved } } : taken,
		(next) => (goal ? comeBack(next) : moved === 0 ? [next] : scrollTo(next, next.top + moved * next.height)),
		(next) => follow(next, selected, moved),
		askAround,
	);
}

/** Brings a row into view and makes it the active one. */
export function place(list: ListState, index: number): NextList {
	return chain({ ...list, goal: undefined, active: { index } }, (next) => reveal(next, index, true), settle, askAround);
}

/** Makes a row the active one, as by keyboard. */
export function move(list: ListState, to: number): NextList {
	const index = Math.max(0, Math.min(list.total - 1, to));
	return list.total === 0
		? [list]
		: chain({ ...list, active: { index } }, (next) => reveal(next, index, false), settle, askAround);
}

/** Everything is another: whatever was asked for or active has no meaning any more. */
export function toTop(list: ListState): NextList {
	return scrollTo({ ...list, goal: undefined, active: undefined }, 0);
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
	return list.goal ? scrollTo(list, topOf(list.goal, list)) : [list];
}

/** The active row moves with the line that it shows. Something is always active, so that there is something to see. */
function follow(list: ListState, selected: ShownRows['selected'], moved: number): NextList {
	const { active, rows, first, total } = list;
	const at = active?.key === undefined ? -1 : rows.findIndex(({ key }) => key === active.key);
	if (active && at >= 0) {
		return [{ ...list, active: { ...active, index: first + at } }];
	}
	if (active?.key !== undefined && selected?.key !== active.key) {
		// The host has not heard of it yet.
		return [{ ...list, active: { ...active, index: active.index + moved } }];
	}
	if (selected?.index !== undefined && (!active || active.key === selected.key)) {
		return [{ ...list, active: { key: selected.key, index: selected.index } }];
	}
	const index = Math.min(active?.index ?? topRow(list), total - 1);
	return total > 0 ? settle({ ...list, active: { index } }) : [list];
}

/** The active row has become known: it is selected. */
function settle(list: ListState): NextList {
	const { active } = list;
	const row = active && rowAt(list, active.index);
	return row && active.key !== row.key
		? [
				{ ...list, active: { key: row.key, index: active.index } },
				{ type: 'select', key: row.key },
			]
		: [list];
}

function reveal(list: ListState, index: number, isCentered: boolean): NextList {
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
	const { first, rows, total } = list;
	const top = topRow(list);
	const from = Math.max(0, top - AHEAD / 3);
	const to = Math.min(total, top + visibleRows(list) + AHEAD / 3);
	return from < first || to > first + rows.length ? ask(list, top) : [list];
}

function ask(list: ListState, top: number): NextList {
	const { origin, isWaiting } = list;
	if (isWaiting) {
		return [list];
	}
	const first = Math.max(0, top - AHEAD);
	const count = visibleRows(list) + 2 * AHEAD;
	const row = list.total === 0 ? list.goal : list.top > 0 ? rowAt(list, top) : undefined;
	return [
		{ ...list, isWaiting: true },
		{ type: 'want', first, count, origin, anchor: row && { key: row.key, index: top } },
	];
}
