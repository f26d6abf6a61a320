import { render } from 'preact';
import { useMemo } from 'preact/hooks';
import { literally } from '../../elicitation/display.ts';
import type { FromTimeline, ToTimeline } from '../../timelineProtocol.ts';
import { Button } from '../common/button.tsx';
import { afterPress, whenFocused } from '../common/focus.ts';
import { connect, type Host } from '../common/host.ts';
import { Store } from '../common/store.ts';
import { drawPage, Searched, useT } from '../common/text.tsx';
import { Details } from './details.tsx';
import { List } from './list.tsx';
import type { Left } from './listState.ts';
import { SHARES, Splitter } from './splitter.tsx';
import {
	everything,
	firstState,
	reduce,
	type TimelineAction,
	type TimelineEffect,
	type TimelineState,
} from './state.ts';
import { Toolbar } from './toolbar.tsx';

/** After the last key in the search box, before the host is asked (milliseconds). */
const PAUSE = 200;

/** Between two updates of the clocks of a running call (milliseconds). */
const SECOND = 1_000;

type TimelineStore = Store<TimelineState, TimelineAction, TimelineEffect>;

/** Starts the page of the timeline. */
export function startTimeline(root: HTMLElement): void {
	connect<ToTimeline, FromTimeline>(
		(shown, host) => {
			const { dispatch } = open(root, shown, host);
			return (message) => {
				switch (message.type) {
					case 'rows':
					case 'detail':
					case 'reveal':
					case 'changed':
					case 'gone':
					case 'said':
						// What moves under a pressed mouse button would take the click away from what it was meant for.
						afterPress(() => dispatch(message));
				}
			};
		},
		(message) => {
			if (message.type === 'reading') {
				render(<Reading {...message} />, root);
			}
		},
	);
}

function open(
	root: HTMLElement,
	{ line, recorded, ...shown }: Extract<ToTimeline, { type: 'show' }>,
	host: Host<FromTimeline>,
): TimelineStore {
	const list = () => root.querySelector<HTMLElement>('.list');
	const toList = () => list()?.focus();
	const left = line ? undefined : (host.saved() as Left | undefined);
	let pause: ReturnType<typeof setTimeout> | undefined;
	let second: ReturnType<typeof setTimeout> | undefined;
	const store: TimelineStore = new Store<TimelineState, TimelineAction, TimelineEffect>(
		[firstState({ share: SHARES.usual, ...shown }, left)],
		reduce,
		({ state, dispatch }) =>
			drawPage(
				root,
				host.t,
				<TimelinePage
					state={state}
					recorded={recorded}
					dispatch={dispatch}
					send={host.send}
					toList={toList}
					search={search}
				/>,
			),
		(effect, { state, dispatch }) => {
			switch (effect.type) {
				case 'scroll': {
					const element = list() as HTMLElement;
					element.scrollTop = effect.top;
					// What is not laid out cannot scroll: it does when it has its size.
					if (element.clientHeight > 0) {
						dispatch({ type: 'scrolled', top: element.scrollTop });
					}
					break;
				}
				case 'awaitPause':
					clearTimeout(pause);
					pause = setTimeout(() => dispatch({ type: 'searchPaused' }), PAUSE);
					break;
				case 'awaitSecond':
					clearTimeout(second);
					second = setTimeout(() => dispatch({ type: 'changed' }), SECOND);
					break;
				case 'save':
					host.save({ edge: state.list.edge, active: state.list.active });
					break;
				default:
					host.send(effect);
			}
		},
	);
	const box = () => root.querySelector<HTMLInputElement>('input[type=search]');
	document.addEventListener('keydown', (event) => {
		const isFind =
			(event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f';
		if (isFind) {
			box()?.focus();
			box()?.select();
			event.preventDefault();
		}
	});
	function search(text: string): void {
		box()?.focus();
		store.dispatch({ type: 'search', text: store.state.searched + text });
	}
	if (left) {
		store.dispatch({ type: 'changed' });
	} else {
		store.dispatch(line ? { ...shown, type: 'reveal', line } : { ...shown.rows, type: 'rows' });
	}
	whenFocused(toList);
	return store;
}

interface TimelinePageProps {
	readonly state: TimelineState;
	/** What there is to know about a recording; undefined for the timeline of this window. */
	readonly recorded: string | undefined;
	readonly dispatch: (action: TimelineAction) => void;
	readonly send: (message: FromTimeline) => void;
	readonly toList: () => void;
	readonly search: (text: string) => void;
}

/** A toolbar, the lines, and beside or below them the selected one. */
function TimelinePage({ state, recorded, dispatch, send, toList, search }: TimelinePageProps) {
	const { filter, searched, rows, list, detail, said, share } = state;
	const selected = list.active?.key;
	const pattern = useMemo(() => patternOf(filter.text), [filter.text]);
	return (
		<div class="timeline" style={`--list: ${share}fr; --details: ${100 - share}fr`}>
			<Toolbar
				filter={filter}
				searched={searched}
				rows={rows}
				selected={selected}
				recorded={recorded}
				dispatch={dispatch}
				send={send}
				toList={toList}
			/>
			<Searched.Provider value={pattern}>
				<div class="lines">
					<List list={list} searched={pattern} dispatch={dispatch} send={send} search={search} />
					<Empty {...state} recorded={recorded} dispatch={dispatch} toList={toList} />
				</div>
				<Splitter
					share={share}
					change={(to) => dispatch({ type: 'share', share: to })}
					settle={(to) => send({ type: 'share', share: to })}
				/>
				<Details
					detail={detail}
					isStale={detail !== undefined && detail.key !== selected}
					searched={pattern}
					dispatch={dispatch}
					send={send}
				/>
			</Searched.Provider>
			<p class="spoken" role="status">
				{said}
			</p>
		</div>
	);
}

/** What stands in the place of a recording until it is read, or why it cannot be. */
function Reading({ text, progress }: Extract<ToTimeline, { type: 'reading' }>) {
	return (
		<div class="reading">
			<p role="status">{text}</p>
			{progress === undefined ? null : <progress aria-label={text} value={progress} />}
		</div>
	);
}

/** Matches what the host looks for: each of the words, in any case. */
function patternOf(text: string): RegExp | undefined {
	const words = text.split(/\s+/).filter((word) => word !== '');
	const longestFirst = words.sort((one, other) => other.length - one.length);
	return words.length === 0 ? undefined : new RegExp(longestFirst.map(literally).join('|'), 'gi');
}

/** What is said where there are no lines. */
function Empty({
	rows,
	recorded,
	dispatch,
	toList,
}: Pick<TimelineState, 'rows'> & Pick<TimelinePageProps, 'recorded' | 'dispatch' | 'toList'>) {
	const t = useT();
	if (rows.total > 0 || rows.searching) {
		return null;
	}
	const showEverything = () => {
		dispatch({ type: 'filter', part: everything });
		toList();
	};
	return (
		<div class="note empty">
			{rows.found ? (
				<>
					<p>{t('Nothing matches.')}</p>
					<Button class="secondary" onClick={showEverything}>
						{t('Show Everything')}
					</Button>
				</>
			) : (
				<p>
					{recorded === undefined
						? t('Every call, the requests during it, and the raw messages appear here.')
						: t('There are no messages in this recording.')}
				</p>
			)}
		</div>
	);
}
