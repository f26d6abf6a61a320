import { useRef, useState } from 'preact/hooks';
import { visible } from '../../elicitation/display.ts';
import type { ChoiceField } from '../../elicitation/form/fields.ts';
import { useT } from '../common/text.tsx';
import { type SingleProps, useCommit } from './control.ts';
import { Matches, OptionSearch, useListbox } from './listbox.tsx';

/** Stands for 'no response' among the items of the list. */
const NOTHING = -1;

interface ComboboxProps extends SingleProps<number | null> {
	readonly field: ChoiceField;
}

/** A choice among many: type to narrow, arrows to move, Enter to choose, Escape to close. */
export function Combobox({
	field,
	id,
	label,
	optional,
	noAnswer,
	value: index,
	disabled,
	target,
	change,
}: ComboboxProps) {
	const t = useT();
	const { options } = field;
	const [search] = useState(() => new OptionSearch(options));
	const [isOpen, setOpen] = useState(false);
	/** What was typed since the choice was shown last. */
	const [typed, setTyped] = useState<string | undefined>();
	const popup = useRef<HTMLDivElement>(null);
	const chosen = index === null ? undefined : options[index];

	const pick = (item: number | null) => {
		setTyped(undefined);
		setOpen(false);
		change({ kind: 'choice', index: item });
	};
	const list = useListbox({
		id: `${id}-list`,
		label,
		multiple: false,
		twoLines: options.some((option) => option.description !== undefined),
		disabled,
		items: [],
		optionAt: (item) => options[item] ?? { label: noAnswer },
		isSelected: (item) => item === (index ?? NOTHING),
		pick: (item) => pick(item === NOTHING ? null : item),
	});
	const open = () => {
		if (!isOpen) {
			setOpen(true);
			const all = options.map((_option, at) => at);
			list.show(optional ? [NOTHING, ...all] : all, index ?? undefined);
			popup.current?.scrollIntoView?.({ block: 'nearest' });
		}
	};
	const type = (text: string) => {
		open();
		setTyped(text);
		const found = search.find(text);
		list.show(found, text.trim() === '' ? undefined : found[0]);
	};
	/** On the way out, text that names exactly one option chooses it; emptied means no answer; the rest stays, marked. */
	const leave = () => {
		setOpen(false);
		if (typed === undefined) {
			return;
		}
		const text = typed.trim().toLowerCase();
		const found = search.find(text);
		const exact = found.filter((at) => visible(options[at]?.label ?? '').toLowerCase() === text);
		if (text === '' || (optional && text === noAnswer.toLowerCase())) {
			pick(null);
		} else if (exact.length === 1 || found.length === 1) {
			pick(exact[0] ?? found[0] ?? null);
		} else {
			change({ kind: 'choice', index }, t('Choose one of the options.'));
		}
	};
	useCommit(leave);
	const key = (event: KeyboardEvent) => {
		if (event.isComposing || event.ctrlKey || event.metaKey) {
			return;
		}
		if (!isOpen) {
			if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
				open();
				event.preventDefault();
			}
			return;
		}
		const movesCaret = event.key === 'Home' || event.key === 'End';
		if (event.key === 'Enter' && list.activeItem !== undefined) {
			list.pickActive();
		} else if (event.key === 'Enter') {
			leave();
		} else if (event.key === 'Escape') {
			pick(index);
		} else if (movesCaret || !list.move(event.key)) {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	};
	return (
		<div class="combobox">
			<input
				{...target}
				type="text"
				role="combobox"
				autocomplete="off"
				spellcheck={false}
				placeholder={t('Search')}
				dir="auto"
				aria-autocomplete="list"
				aria-expanded={isOpen}
				aria-controls={`${id}-list`}
				aria-activedescendant={isOpen ? list.activeId : undefined}
				disabled={disabled}
				value={typed ?? (chosen ? visible(chosen.label) : optional ? noAnswer : '')}
				onInput={(event) => type(event.currentTarget.value)}
				onClick={open}
				onKeyDown={key}
				onFocus={(event) => event.currentTarget.select()}
				onBlur={leave}
			/>
			<div class="popup" hidden={!isOpen} ref={popup}>
				{list.element}
			</div>
			<Matches typed={isOpen ? (typed ?? '') : ''} count={isOpen ? list.size : options.length} />
		</div>
	);
}
