import type { ShownDetail, ShownFilter, ShownRows, ToTimeline } from '../../timelineProtocol.ts';
import type { Next } from '../common/store.ts';
import * as lists from './listState.ts';

export interface TimelineState {
	/** As the host was told last. */
	readonly filter: ShownFilter;
	/** What is in the search box. */
	readonly searched: string;
	/** A search waits for a pause in typing. */
	readonly isSearchDue: boolean;
	/** What the host sent last about the rows; see `ListState` for where they are. */
	readonly rows: ShownRows | undefined;
	readonly list: lists.ListState;
	/** The key of the line that was selected last. */
	readonly selected: string | undefined;
	readonly detail: ShownDetail | undefined;
	/** What was done last. */
	readonly said: string;
	/** What the list takes of what it shares with the details (percent). */
	readonly share: number;
}

export type TimelineAction =
	| Exclude<ToTimeline, { type: 'show' | 'reading' }>
	/** The list has got this size. */
	| { readonly type: 'measured'; readonly height: number; readonly view: number }
	| { readonly type: 'scrolled'; readonly top: number }
	/** Rows are wanted for the first time. */
	| { readonly type: 'begin' }
	/** The user begins to do something in the list. */
	| { readonly type: 'touched' }
	/** A row becomes the active one. */
	| { readonly type: 'move'; readonly index: number }
	| { readonly type: 'search'; readonly text: string }
	| { readonly type: 'searchPaused' }
	| { readonly type: 'share'; readonly share: number }
	/** The filter changes; what is in the search box counts at once. */
	| { readonly type: 'filter'; readonly part: Partial<ShownFilter> };

export type TimelineEffect =
	| lists.ListEffect
	| { readonly type: 'filter'; readonly filter: ShownFilter }
	/** Dispatches `searchPaused` after a pause in typing. */
	| { readonly type: 'awaitPause' }
	/** Keeps where the list stands. */
	| { readonly type: 'save' };

export const everything: ShownFilter = { text: '', server: '', group: '', direction: '', method: '', show: 'all' };

export function firstState(filter: ShownFilter, place: lists.Place | undefined, share: number): TimelineState {
	return {
		filter,
		searched: filter.text,
		isSearchDue: false,
		rows: undefined,
		list: lists.firstList(place),
		selected: undefined,
		detail: undefined,
		said: '',
		share,
	};
}

export function reduce(state: TimelineState, action: TimelineAction): Next<TimelineState, TimelineEffect> {
	switch (action.type) {
		case 'rows':
			return saved(withList({ ...state, rows: action }, lists.take(state.list, action)));
		case 'detail':
			return [{ ...state, detail: action.detail }];
		case 'place':
			return withList(withFilter(state, action.filter), lists.place(state.list, action.index));
		case 'gone':
			return [state.filter.group === action.group ? { ...state, filter: { ...state.filter, group: '' } } : state];
		case 'said':
			return [{ ...state, said: action.text }];
		case 'measured':
			return withList(state, lists.measured(state.list, action.height, action.view));
		case 'scrolled':
			return saved(withList(state, lists.scrolled(state.list, action.top)));
		case 'begin':
			return withList(state, lists.begin(state.list));
		case 'touched':
			return withList(state, [lists.stay(state.list)]);
		case 'move':
			return withList(state, lists.move(state.list, action.index));
		case 'search':
			return [{ ...state, searched: action.text, isSearchDue: true }, { type: 'awaitPause' }];
		case 'searchPaused':
			return state.isSearchDue ? filtered(state, {}) : [state];
		case 'share':
			return [{ ...state, share: action.share }];
		case 'filter':
			return filtered(state, action.part);
	}
}

function withList(state: TimelineState, [list, ...effects]: Next<lists.ListState, lists.ListEffect>) {
	const selected = effects.findLast((effect) => effect.type === 'select')?.key ?? state.selected;
	const next = list === state.list && selected === state.selected ? state : { ...state, list, selected };
	return [next, ...effects] as const;
}

function saved(next: Next<TimelineState, TimelineEffect>): Next<TimelineState, TimelineEffect> {
	return [...next, { type: 'save' }];
}

function withFilter(state: TimelineState, filter: ShownFilter): TimelineState {
	return { ...state, filter, searched: filter.text, isSearchDue: false };
}

function filtered(state: TimelineState, part: Partial<ShownFilter>): Next<TimelineState, TimelineEffect> {
	const filter = { ...state.filter, text: state.searched, ...part };
	const [next, ...effects] = withList(withFilter(state, filter), lists.toTop(state.list));
	return [next, ...effects, { type: 'filter', filter }];
}
