import type { HTMLAttributes, VNode } from 'preact';
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
	const [top, setTop] = useState(0);
	const [height] = useState(() => rowHeight(twoLines));
	const typed = useRef({ text: '', at: 0 });
	const view = element.current?.clientHeight || VISIBLE_ROWS * height;
	const first = Math.max(0, Math.floor(top / height) - OVERSCAN);
	const end = Math.min(items.length, first + Math.ceil(view / height) + 2 * OVERSCAN);
	const activeId = active >= first && active < end ? `${id}-${active}` : undefined;

	const follow = () => setTop(element.current?.scrollTop ?? 0);
	useLayoutEffect(() => {
		const list = element.current;
		if (list && active >= 0) {
			const seen = list.clientHeight || VISIBLE_ROWS * height;
			list.scrollTop = Math.max((active + 1) * height - seen, Math.min(list.scrollTop, active * height));
			follow();
		}
	}, [items, active]);

	const activate = (at: number) => setShown({ items, active: at });
	const labelAt = (at: number) => visible(options.optionAt(items[at] ?? -1).label).toLowerCase();
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
			if (element.current) {
				element.current.scrollTop = 0;
			}
			setTop(0);
			setShown({ items: next, active: item === undefined ? -1 : next.indexOf(item) });
		},
		move: (key) => {
			const to = destination(key, active, items.length - 1);
			if (to !== undefined) {
				activate(to);
			}
			return to !== undefined;
		},
		typeAhead: ({ key, timeStamp, altKey }) => {
			if (altKey || key.length !== 1 || key === ' ') {
				return false;
			}
			const { text: before, at } = typed.current;
			const text = (timeStamp - at < TYPING_PAUSE ? before : '') + key.toLowerCase();
			typed.current = { text, at: timeStamp };
			// One letter goes on to the next option; more of them may still mean the active one.
			const from = text.length === 1 ? active + 1 : Math.max(0, active);
			const to = items.findIndex((_item, index) => labelAt((from + index) % items.length).startsWith(text));
			if (to >= 0) {
				activate((from + to) % items.length);
			}
			return true;
		},
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
				onScroll={follow}
				// The focus stays where it is: in the search box or on the list.
				onMouseDown={(event) => event.preventDefault()}
				onClick={click}
			>
				<div role="presentation" class="space" style={`height: ${items.length * height}px`}>
					{items.slice(first, end).map((item, index) => {
						const at = first + index;
						return (
							<Row
								key={at}
								options={options}
								item={item}
								at={at}
								size={items.length}
								active={at === active}
								height={height}
							/>
						);
					})}
				</div>
			</div>
		),
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
}
