import close from '@vscode/codicons/src/icons/close.svg';
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { visible } from '../../elicitation/display.ts';
import type { ChoicesField } from '../../elicitation/form/fields.ts';
import { Button } from '../common/button.tsx';
import { Icon } from '../common/icon.tsx';
import { isComposing } from '../common/keys.ts';
import { Bdi, useT } from '../common/text.tsx';
import type { ControlProps } from './control.ts';
import { Matches, OptionSearch, useListbox } from './listbox.tsx';
import { SelectedCount } from './options.tsx';

/** More than this are counted only. */
const MOST_LISTED = 20;

interface ManyOfProps extends ControlProps<readonly number[] | null> {
	readonly field: ChoicesField;
}

/** Several among many: a search box above a list in which Space ticks. */
export function ManyOf({ field, id, label, optional, noAnswer, value, disabled, change }: ManyOfProps) {
	const { options } = field;
	const box = useRef<HTMLInputElement>(null);
	const [search] = useState(() => new OptionSearch(options));
	const [all] = useState(() => search.find(''));
	const [query, setQuery] = useState('');
	const selected = new Set(value);

	const select = (items: Iterable<number>) => {
		const indexes = [...items].sort((a, b) => a - b);
		change({ kind: 'choices', indexes: indexes.length === 0 && optional ? null : indexes });
	};
	const listKey = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey) {
			return;
		}
		if (event.key === ' ' || event.key === 'Enter') {
			list.pickActive();
		} else if (!list.move(event.key) && !list.typeAhead(event)) {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	};
	const list = useListbox(
		{
			id: `${id}-list`,
			label,
			multiple: true,
			twoLines: options.some((option) => option.description !== undefined),
			disabled,
			items: all,
			optionAt: (item) => options[item] ?? { label: '' },
			isSelected: (item) => selected.has(item),
			pick: (item) => select(selected.delete(item) ? selected : [...selected, item]),
		},
		{
			class: 'standing',
			tabIndex: disabled ? undefined : 0,
			onKeyDown: listKey,
			onFocus: () => {
				if (list.activeItem === undefined) {
					list.move('Home');
				}
			},
		},
	);
	const filter = (text: string) => {
		setQuery(text);
		list.show(search.find(text), undefined);
	};
	return (
		<div>
			<SearchBox
				element={box}
				label={label}
				query={query}
				disabled={disabled}
				filter={filter}
				toList={list.size > 0 ? list.focus : undefined}
			/>
			{list.element}
			<Matches typed={query} count={list.size} />
			<Selection
				options={options}
				indexes={value}
				none={optional ? noAnswer : ''}
				disabled={disabled}
				select={select}
				leave={() => box.current?.focus()}
			/>
		</div>
	);
}

interface SearchBoxProps {
	readonly element: RefObject<HTMLInputElement | null>;
	/** Of what is searched. */
	readonly label: string;
	readonly query: string;
	readonly disabled: boolean;
	readonly filter: (query: string) => void;
	/** Moves the focus to what was found, if anything was. */
	readonly toList: (() => void) | undefined;
}

function SearchBox({ element, label, query, disabled, filter, toList }: SearchBoxProps) {
	const t = useT();
	const key = (event: KeyboardEvent) => {
		if (isComposing(event) || event.ctrlKey || event.metaKey) {
			return;
		}
		if (event.key === 'ArrowDown' && toList) {
			toList();
		} else if (event.key === 'Escape' && query !== '') {
			filter('');
		} else if (event.key !== 'Enter') {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	};
	return (
		<input
			ref={element}
			type="search"
			placeholder={t('Search')}
			dir="auto"
			aria-label={t('Search {0}', label)}
			autocomplete="off"
			disabled={disabled}
			value={query}
			onInput={(event) => filter(event.currentTarget.value)}
			onKeyDown={key}
		/>
	);
}

interface SelectionProps {
	readonly options: ChoicesField['options'];
	readonly indexes: readonly number[] | null;
	/** What it is called when there is no answer. */
	readonly none: string;
	readonly disabled: boolean;
	readonly select: (indexes: readonly number[]) => void;
	/** The last one has been removed: the focus goes elsewhere. */
	readonly leave: () => void;
}

/** What is selected: how many, what clears it, and each with what removes it. */
function Selection({ options, indexes, none, disabled, select, leave }: SelectionProps) {
	const t = useT();
	const selected = indexes ?? [];
	const clear = () => {
		select([]);
		leave();
	};
	return (
		<>
			<div class="row">
				<SelectedCount indexes={indexes} none={none} />
				<Button class="link" hidden={selected.length === 0} disabled={disabled} onClick={clear}>
					{t('Clear Selection')}
				</Button>
			</div>
			<Chosen
				labels={selected.slice(0, MOST_LISTED).map((index) => [index, options[index]?.label ?? ''])}
				more={Math.max(0, selected.length - MOST_LISTED)}
				disabled={disabled}
				remove={(index) => select(selected.filter((each) => each !== index))}
				leave={leave}
			/>
		</>
	);
}

interface ChosenProps {
	readonly labels: readonly (readonly [index: number, label: string])[];
	/** How many more are chosen than are listed. */
	readonly more: number;
	readonly disabled: boolean;
	readonly remove: (index: number) => void;
	/** The last one has been removed: the focus goes elsewhere. */
	readonly leave: () => void;
}

/** What is chosen, each with what removes it: it may be far apart in the list, or not shown there. */
function Chosen({ labels, more, disabled, remove, leave }: ChosenProps) {
	const t = useT();
	const chips = useRef<HTMLUListElement>(null);
	const take = (index: number, at: number) => {
		remove(index);
		const rest = chips.current?.querySelectorAll('button') ?? [];
		const next = rest[Math.min(at, rest.length - 1)];
		next ? next.focus() : leave();
	};
	return labels.length === 0 ? null : (
		<ul class="chips" ref={chips}>
			{labels.map(([index, label], at) => (
				<li key={index}>
					<Button
						class="secondary"
						aria-label={t('Remove {0}', visible(label))}
						disabled={disabled}
						onClick={() => take(index, at)}
					>
						<Bdi text={label} /> <Icon name="close" svg={close} />
					</Button>
				</li>
			))}
			{more > 0 ? <li class="note">{t('{0} more', more)}</li> : null}
		</ul>
	);
}
