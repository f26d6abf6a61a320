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
	readonly rows: ShownRows;
	readonly list: lists.ListState;
	/** Of the selected line, or of the one before until they have come. */
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
	/** A row is selected. */
	| { readonly type: 'move'; readonly index: number }
	| { readonly type: 'fold'; readonly key: string; readonly open: boolean }
	| { readonly type: 'foldAll'; readonly open: boolean }
	| { readonly type: 'search'; readonly text: string }
	| { readonly type: 'searchPaused' }
	| { readonly type: 'share'; readonly share: number }
	/** The filter changes; what is in the search box counts at once. */
	| { readonly type: 'filter'; readonly part: Partial<ShownFilter> };

export type TimelineEffect =
	| lists.ListEffect
	| Extract<TimelineAction, { type: 'fold' | 'foldAll' }>
	| { readonly type: 'filter'; readonly filter: ShownFilter }
	/** Dispatches `searchPaused` after a pause in typing. */
	| { readonly type: 'awaitPause' }
	/** Dispatches `changed` after a second. */
	| { readonly type: 'awaitSecond' }
	/** Keeps how the list would be left. */
	| { readonly type: 'save' };

type NextState = Next<TimelineState, TimelineEffect>;

export const everything: ShownFilter = { text: '', server: '', group: '', direction: '', method: '', show: 'all' };

/** How the page begins, before it has taken the rows. */
export function firstState(
	{ filter, rows, share }: Pick<TimelineState, 'filter' | 'rows' | 'share'>,
	left: lists.Left | undefined,
): TimelineState {
	return {
		filter,
		searched: filter.text,
		isSearchDue: false,
		rows,
		list: lists.firstList(left),
		detail: undefined,
		said: '',
		share,
	};
}

export function reduce(state: TimelineState, action: TimelineAction): NextState {
	switch (action.type) {
		case 'rows':
			return ticking(withList({ ...state, rows: action }, lists.take(state.list, action)));
		case 'detail':
			return ticking([{ ...state, detail: action.detail }]);
		case 'reveal': {
			const next = { ...withFilter(state, action.filter), rows: action.rows };
			return ticking(withList(next, lists.reveal(state.list, action.rows, action.line)));
		}
		case 'changed':
			return refreshed(state);
		case 'gone':
			return [state.filter.group === action.group ? { ...state, filter: { ...state.filter, group: '' } } : state];
		case 'said':
			return [{ ...state, said: action.text }];
		case 'measured':
			return withList(state, lists.measured(state.list, action.height, action.view));
		case 'scrolled':
			return withList(state, lists.scrolled(state.list, action.top));
		case 'move':
			return withList(state, lists.move(state.list, action.index));
		case 'fold':
		case 'foldAll':
			return withList(state, lists.ask(state.list), action);
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

/** @param before what is to be done before what follows from the list */
function withList(
	state: TimelineState,
	[list, ...effects]: Next<lists.ListState, lists.ListEffect>,
	...before: readonly TimelineEffect[]
): NextState {
	return list === state.list ? [state] : [{ ...state, list }, ...before, ...effects, { type: 'save' }];
}

/** The clocks of a running call go on. */
function ticking([state, ...effects]: NextState): NextState {
	const { list, detail } = state;
	const runs =
		list.rows.some(({ icon }) => icon === 'running') || (detail?.kind === 'call' && detail.state === 'running');
	return runs ? [state, ...effects, { type: 'awaitSecond' }] : [state, ...effects];
}

/** Asks anew for what is shown. */
function refreshed(state: TimelineState): NextState {
	const { list, detail } = state;
	const key = list.active?.key;
	const [next, ...effects] = withList(state, lists.ask(list));
	const known = detail?.key === key ? (detail?.version ?? '') : '';
	return key === undefined ? [next, ...effects] : [next, ...effects, { type: 'detail', key, known }];
}

function withFilter(state: TimelineState, filter: ShownFilter): TimelineState {
	return { ...state, filter, searched: filter.text, isSearchDue: false };
}

function filtered(state: TimelineState, part: Partial<ShownFilter>): NextState {
	const filter = { ...state.filter, text: state.searched, ...part };
	return withList(withFilter(state, filter), lists.toTop(state.list), { type: 'filter', filter });
}
