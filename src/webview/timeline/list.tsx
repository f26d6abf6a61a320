import { useLayoutEffect, useRef } from 'preact/hooks';
import { durationText } from '../../elicitation/duration.ts';
import type { FromTimeline, ShownRow } from '../../timelineProtocol.ts';
import { memo } from '../common/memo.ts';
import { Moment, today } from '../common/moment.tsx';
import { RecordIcon, type RecordIconName } from '../common/recordIcon.tsx';
import { Bdi, useT } from '../common/text.tsx';
import { drawnRows, type ListState, rowAt, visibleRows } from './listState.ts';
import type { TimelineAction } from './state.ts';

export interface ListProps {
	readonly list: ListState;
	/** See `Searched`. */
	readonly searched: RegExp | undefined;
	readonly dispatch: (action: TimelineAction) => void;
	readonly send: (message: FromTimeline) => void;
	/** Something was typed that is to be searched for. */
	readonly search: (text: string) => void;
}

/** The lines as a tree. It keeps the focus; the active row is told by `aria-activedescendant`. */
export const List = memo((props: ListProps) => {
	const { list, searched, dispatch } = props;
	const t = useT();
	const element = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		const tree = element.current as HTMLDivElement;
		const measure = () => {
			const size = Number.parseFloat(getComputedStyle(tree).fontSize) || 13;
			const height = Math.max(24, Math.ceil(size * 1.7));
			// Before there is a layout, as much as is usual.
			dispatch({ type: 'measured', height, view: tree.clientHeight || 400 });
		};
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(tree);
	}, []);
	const { total, height, active } = list;
	const day = today();
	const [first, end] = drawnRows(list);
	const drawn = Array.from({ length: end - first }, (_, at) => first + at).flatMap((index) => {
		const row = rowAt(list, index);
		return row ? [{ row, index, isActive: active?.index === index && active.key === row.key }] : [];
	});
	const isActiveDrawn = active?.key !== undefined && drawn.some(({ index }) => index === active.index);
	return (
		<div
			ref={element}
			role="tree"
			class="list"
			tabIndex={0}
			aria-label={t('Calls and messages')}
			aria-activedescendant={isActiveDrawn ? `row-${active.index}` : undefined}
			onScroll={(event) => dispatch({ type: 'scrolled', top: event.currentTarget.scrollTop })}
			onKeyDown={(event) => key(event, props)}
			onClick={(event) => click(event, props)}
			onDblClick={(event) => open(event, props)}
		>
			<div role="presentation" class="space" style={`height: ${total * height}px`}>
				{drawn.map(({ row, index, isActive }) => (
					<Row
						key={row.key}
						row={row}
						index={index}
						isActive={isActive}
						height={height}
						searched={searched}
						today={day}
					/>
				))}
			</div>
		</div>
	);
});

interface RowProps {
	readonly row: ShownRow;
	readonly index: number;
	readonly isActive: boolean;
	readonly height: number;
	readonly searched: RegExp | undefined;
	/** See `today`. */
	readonly today: string;
}

const Row = memo(({ row, index, isActive, height }: RowProps) => {
	const t = useT();
	return (
		<div
			role="treeitem"
			id={`row-${index}`}
			data-index={index}
			class={`row${row.error ? ' error' : ''}${isActive ? ' active' : ''}`}
			style={`top: ${index * height}px; height: ${height}px; --level: ${row.level}`}
			aria-level={row.level}
			aria-setsize={row.size}
			aria-posinset={row.position}
			aria-expanded={row.open}
			aria-selected={isActive}
		>
			<span class="twistie" data-fold={row.open === undefined ? undefined : ''}>
				{row.open === undefined ? null : <RecordIcon name="twistie" />}
			</span>
			<RecordIcon name={row.icon} />
			{row.sign === '' ? null : <span class="spoken">{row.sign} </span>}
			{row.error && row.icon !== 'failed' ? <Mark name="failed" text={t('Error')} /> : null}
			{row.warning ? <Mark name="warned" text={t('Warning')} /> : null}
			<Bdi text={row.label} class="label clipped" /> <Bdi text={row.detail} class="note detail clipped" />{' '}
			{row.latency === undefined ? null : [<span class="note number">{durationText(row.latency, t)}</span>, ' ']}
			{row.at === undefined ? null : <Moment at={row.at} isCoarse={row.level === 1} isShort />}
		</div>
	);
});

/** What is wrong with a line, for those who see its color and those who do not. */
function Mark({ name, text }: { readonly name: RecordIconName; readonly text: string }) {
	return (
		<>
			<RecordIcon name={name} />
			<span class="spoken">{text} </span>
		</>
	);
}

const MOVES: Readonly<Record<string, (index: number, page: number, last: number) => number>> = {
	ArrowDown: (index) => index + 1,
	ArrowUp: (index) => index - 1,
	PageDown: (index, page) => index + page,
	PageUp: (index, page) => index - page,
	Home: () => 0,
	End: (_index, _page, last) => last,
};

function key(event: KeyboardEvent, { list, dispatch, send, search }: ListProps): void {
	const { key: pressed, ctrlKey, metaKey, altKey } = event;
	const index = list.active?.index ?? -1;
	const row = rowAt(list, index);
	const move = Object.hasOwn(MOVES, pressed) ? MOVES[pressed] : undefined;
	if ((ctrlKey || metaKey) && pressed.toLowerCase() === 'c' && row) {
		send({ type: 'copy', key: row.key, part: 'all' });
	} else if (ctrlKey || metaKey || altKey) {
		return;
	} else if (move) {
		dispatch({ type: 'move', index: move(index, Math.max(1, visibleRows(list) - 2), list.total - 1) });
	} else if (pressed === 'ArrowRight' && row) {
		unfold(row, index);
	} else if (pressed === 'ArrowLeft' && row) {
		foldUp(row, index);
	} else if (pressed === 'Enter' && row) {
		if (row.open === undefined) {
			send({ type: 'open', key: row.key });
		} else {
			dispatch({ type: 'fold', key: row.key, open: !row.open });
		}
	} else if (pressed.length === 1 && pressed !== ' ') {
		search(pressed);
	} else {
		return;
	}
	event.preventDefault();

	function unfold({ key: line, open: isOpen }: ShownRow, at: number): void {
		if (isOpen === false) {
			dispatch({ type: 'fold', key: line, open: true });
		} else if (isOpen) {
			dispatch({ type: 'move', index: at + 1 });
		}
	}

	function foldUp({ key: line, open: isOpen, up }: ShownRow, at: number): void {
		if (isOpen) {
			dispatch({ type: 'fold', key: line, open: false });
		} else if (up > 0) {
			dispatch({ type: 'move', index: at - up });
		}
	}
}

function indexOf(event: Event): number {
	return Number((event.target as Element).closest<HTMLElement>('[data-index]')?.dataset.index ?? -1);
}

function click(event: MouseEvent, { list, dispatch }: ListProps): void {
	const index = indexOf(event);
	const row = rowAt(list, index);
	if (row) {
		dispatch({ type: 'move', index });
		const onTwistie = (event.target as Element).closest('[data-fold]') !== null;
		if (row.open !== undefined && (onTwistie || event.detail > 1)) {
			dispatch({ type: 'fold', key: row.key, open: !row.open });
		}
	}
}

/** A double click opens a line that has nothing below it. */
function open(event: MouseEvent, { list, send }: ListProps): void {
	const row = rowAt(list, indexOf(event));
	if (row && row.open === undefined) {
		send({ type: 'open', key: row.key });
	}
}
