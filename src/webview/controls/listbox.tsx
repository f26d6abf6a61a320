import type { HTMLAttributes, RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../elicitation/display.ts';
import { Bdi, useT } from '../common/text.tsx';

export interface ListboxOption {
	readonly label: string;
	readonly description?: string;
}

export interface ListboxOptions {
	readonly id: string;
	readonly label: string;
	readonly multiple: boolean;
	/** Options have a description on a second line. */
	readonly twoLines: boolean;
	readonly disabled: boolean;
	/** What is shown at first. */
	readonly items: readonly number[];
	optionAt(item: number): ListboxOption;
	isSelected(item: number): boolean;
	pick(item: number): void;
}

export interface Listbox {
	readonly element: VNode;
	readonly size: number;
	readonly activeItem: number | undefined;
	/** The id of the active option's element; `undefined` while it is not in the page. */
	readonly activeId: string | undefined;
	/** Shows these items; the active one is the item given, or none. */
	show(items: readonly number[], active: number | undefined): void;
	/** Moves the active option by keyboard. True when the key was one for a list. */
	move(key: string): boolean;
	/** Moves to the next option that begins with what is typed. True when the key was a letter. */
	typeAhead(event: KeyboardEvent): boolean;
	pickActive(): void;
	focus(): void;
}

const VISIBLE_ROWS = 8;
const OVERSCAN = 4;

/** After a pause of this length, what is typed begins anew (ms). */
const TYPING_PAUSE = 1_000;

/** A listbox in which only the options near the visible part exist, so that ten thousand cost no more than ten. */
export function useListbox(options: ListboxOptions, attributes: HTMLAttributes<HTMLDivElement> = {}): Listbox {
	const { id, label, multiple, twoLines, disabled, pick } = options;
	const element = useRef<HTMLDivElement>(null);
	const [{ items, active }, setShown] = useState({ items: options.items, active: -1 });
	const [height] = useState(() => rowHeight(twoLines));
	const { rows, scrolled, scrollToTop } = useVisibleRows(element, items, active, height);
	const activeId = rows.some(({ at }) => at === active) ? `${id}-${active}` : undefined;

	const activate = (at: number) => setShown({ items, active: at });
	const typeAhead = useTypeAhead((item) => visible(options.optionAt(item).label), items, active, activate);
	const take = (at: number) => {
		const item = items[at];
		if (item !== undefined && !disabled) {
			pick(item);
		}
	};
	const click = (event: MouseEvent) => {
		const at = (event.target as Element).closest('[data-at]')?.getAttribute('data-at');
		if (at) {
			activate(Number(at));
			take(Number(at));
		}
	};
	return {
		size: items.length,
		activeItem: items[active],
		activeId,
		show: (next, item) => {
			scrollToTop();
			setShown({ items: next, active: item === undefined ? -1 : next.indexOf(item) });
		},
		move: (key) => {
			const to = destination(key, active, items.length - 1);
			if (to !== undefined) {
				activate(to);
			}
			return to !== undefined;
		},
		typeAhead,
		pickActive: () => take(active),
		focus: () => element.current?.focus(),
		element: (
			<div
				{...attributes}
				id={id}
				ref={element}
				role="listbox"
				class={`listbox ${attributes.class ?? ''}`}
				aria-label={label}
				aria-multiselectable={multiple || undefined}
				aria-disabled={disabled || undefined}
				aria-activedescendant={multiple ? activeId : undefined}
				hidden={items.length === 0}
				style={`max-height: ${VISIBLE_ROWS * height + 2}px`}
				onScroll={scrolled}
				// The focus stays where it is: in the search box or on the list.
				onMouseDown={(event) => event.preventDefault()}
				onClick={click}
			>
				<div role="presentation" class="space" style={`height: ${items.length * height}px`}>
					{rows.map((row) => (
						<Row
							key={row.at}
							{...row}
							options={options}
							size={items.length}
							active={row.at === active}
							height={height}
						/>
					))}
				</div>
			</div>
		),
	};
}

/** The rows that exist: the visible ones, and a few around them. Scrolls the active one into view when it changes. */
function useVisibleRows(list: RefObject<HTMLElement | null>, items: readonly number[], active: number, height: number) {
	const [top, setTop] = useState(0);
	const view = () => list.current?.clientHeight || VISIBLE_ROWS * height;
	const scrolled = () => setTop(list.current?.scrollTop ?? 0);
	const scrollTo = (to: (from: number) => number) => {
		if (list.current) {
			list.current.scrollTop = to(list.current.scrollTop);
		}
		scrolled();
	};
	useLayoutEffect(() => {
		if (active >= 0) {
			scrollTo((from) => Math.max((active + 1) * height - view(), Math.min(from, active * height)));
		}
	}, [items, active]);
	const first = Math.max(0, Math.floor(top / height) - OVERSCAN);
	const end = Math.min(items.length, first + Math.ceil(view() / height) + 2 * OVERSCAN);
	const rows = items.slice(first, end).map((item, index) => ({ item, at: first + index }));
	return { rows, scrolled, scrollToTop: () => scrollTo(() => 0) };
}

/** Moves to the next option that begins with what is typed. True when the key was a letter. */
function useTypeAhead(
	labelOf: (item: number) => string,
	items: readonly number[],
	active: number,
	activate: (at: number) => void,
): (event: KeyboardEvent) => boolean {
	const typed = useRef({ text: '', at: 0 });
	return ({ key, timeStamp, altKey }) => {
		if (altKey || key.length !== 1 || key === ' ') {
			return false;
		}
		const { text: before, at } = typed.current;
		const text = (timeStamp - at < TYPING_PAUSE ? before : '') + key.toLowerCase();
		typed.current = { text, at: timeStamp };
		// One letter goes on to the next option; more of them may still mean the active one.
		const from = text.length === 1 ? active + 1 : Math.max(0, active);
		const labelAt = (index: number) => labelOf(items[index % items.length] ?? -1).toLowerCase();
		const to = items.findIndex((_item, index) => labelAt(from + index).startsWith(text));
		if (to >= 0) {
			activate((from + to) % items.length);
		}
		return true;
	};
}

interface RowProps {
	readonly options: ListboxOptions;
	readonly item: number;
	readonly at: number;
	readonly size: number;
	readonly active: boolean;
	readonly height: number;
}

function Row({ options, item, at, size, active, height }: RowProps) {
	const { label, description } = options.optionAt(item);
	return (
		<div
			id={`${options.id}-${at}`}
			role="option"
			class={active ? 'row-option active' : 'row-option'}
			title={visible(label)}
			data-at={at}
			aria-selected={options.isSelected(item)}
			aria-setsize={size}
			aria-posinset={at + 1}
			style={`top: ${at * height}px; height: ${height}px`}
		>
			<Bdi text={label} />
			{description === undefined ? null : <Bdi in="span" class="help" text={description} />}
		</div>
	);
}

/** Pixels. */
function rowHeight(twoLines: boolean): number {
	const size = Number.parseFloat(getComputedStyle(document.body).fontSize) || 13;
	return Math.ceil(size * (twoLines ? 3.2 : 1.9));
}

/** Where a key moves the active option to; `undefined` when it is no key for a list. */
function destination(key: string, active: number, last: number): number | undefined {
	const moves: Record<string, number> = {
		ArrowDown: active + 1,
		ArrowUp: active < 0 ? last : active - 1,
		PageDown: active + VISIBLE_ROWS,
		PageUp: active - VISIBLE_ROWS,
		Home: 0,
		End: last,
	};
	return Object.hasOwn(moves, key) ? Math.max(0, Math.min(last, moves[key] ?? 0)) : undefined;
}

/** Says how many options match what is typed; nothing while nothing is. */
export function Matches({ typed, count }: { readonly typed: string; readonly count: number }) {
	const t = useT();
	const text =
		count === 0 ? t('No option matches.') : count === 1 ? t('1 option matches.') : t('{0} options match.', count);
	return (
		<p class={count === 0 ? 'note' : 'spoken'} role="status">
			{typed.trim() === '' && count > 0 ? '' : text}
		</p>
	);
}

/** Finds the items whose label or description contains the words typed. */
export class OptionSearch {
	#haystack: string[] | undefined;

	constructor(private readonly options: readonly ListboxOption[]) {}

	find(query: string): number[] {
		const words = query
			.toLowerCase()
			.split(/\s+/)
			.filter((word) => word !== '');
		this.#haystack ??= this.options.map((option) => `${option.label}\n${option.description ?? ''}`.toLowerCase());
		return this.#haystack.flatMap((text, at) => (words.every((word) => text.includes(word)) ? [at] : []));
	}

	/**
	 * The only item with that label, or else the only one that contains its words.
	 * @param label in lower case
	 */
	findOne(label: string): number | undefined {
		const found = this.find(label);
		const exact = found.filter((at) => visible(this.options[at]?.label ?? '').toLowerCase() === label);
		return exact.length === 1 ? exact[0] : found.length === 1 ? found[0] : undefined;
	}
}
