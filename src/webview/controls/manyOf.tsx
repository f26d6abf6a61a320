import { useRef, useState } from 'preact/hooks';
import type { ChoicesField } from '../../elicitation/form/fields.ts';
import { Button } from '../common/button.tsx';
import { useT } from '../common/text.tsx';
import type { ControlProps } from './control.ts';
import { OptionSearch, useListbox } from './listbox.tsx';
import { SelectedCount } from './options.tsx';

interface ManyOfProps extends ControlProps<readonly number[] | null> {
	readonly field: ChoicesField;
}

/** Several among many: a search box above a list in which Space ticks. */
export function ManyOf({ field, id, label, optional, noAnswer, value, disabled, change }: ManyOfProps) {
	const t = useT();
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
		} else if (!list.move(event.key)) {
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
	const boxKey = (event: KeyboardEvent) => {
		if (event.isComposing || event.ctrlKey || event.metaKey) {
			return;
		}
		if (event.key === 'ArrowDown' && list.size > 0) {
			list.focus();
		} else if (event.key === 'Escape' && query !== '') {
			filter('');
		} else if (event.key !== 'Enter') {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	};
	return (
		<div>
			<input
				ref={box}
				type="search"
				placeholder={t('Search')}
				dir="auto"
				aria-label={t('Search {0}', label)}
				autocomplete="off"
				disabled={disabled}
				value={query}
				onInput={(event) => filter(event.currentTarget.value)}
				onKeyDown={boxKey}
			/>
			{list.element}
			<p class="note" role="status">
				{list.size === 0 ? t('No option matches.') : ''}
			</p>
			<div class="row">
				<SelectedCount indexes={value} none={optional ? noAnswer : ''} />
				<Button
					class="link"
					hidden={selected.size === 0}
					disabled={disabled}
					onClick={() => {
						select([]);
						box.current?.focus();
					}}
				>
					{t('Clear the answer')}
				</Button>
			</div>
		</div>
	);
}
