import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { visible } from '../../elicitation/display.ts';
import type { ChoiceField } from '../../elicitation/form/fields.ts';
import { isComposing } from '../common/keys.ts';
import { useT } from '../common/text.tsx';
import { type SingleProps, useCommit } from './control.ts';
import { type Listbox, Matches, OptionSearch, useListbox } from './listbox.tsx';

/** Stands for 'no response' among the items of the list. */
const NOTHING = -1;

interface ComboboxProps extends SingleProps<number | null> {
	readonly field: ChoiceField;
}

/** A choice among many: type to narrow, arrows to move, Enter to choose, Escape to close. */
export function Combobox(props: ComboboxProps) {
	const { field, id, optional, noAnswer, value: index, disabled, target } = props;
	const t = useT();
	const popup = useRef<HTMLDivElement>(null);
	const combobox = useCombobox(props, popup);
	const { isOpen, typed, list } = combobox;
	const chosen = index === null ? undefined : field.options[index];
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
				onInput={(event) => combobox.type(event.currentTarget.value)}
				onMouseDown={(event) => {
					if (!isOpen) {
						// The click would put the caret into the choice that is shown, which would then be searched for, too.
						event.preventDefault();
						event.currentTarget.focus();
						event.currentTarget.select();
					}
				}}
				onClick={combobox.open}
				onKeyDown={(event) => handleKey(event, combobox)}
				onFocus={(event) => event.currentTarget.select()}
				onBlur={combobox.leave}
			/>
			<div class="popup" hidden={!isOpen} ref={popup}>
				{list.element}
			</div>
			<Matches typed={isOpen ? (typed ?? '') : ''} count={isOpen ? list.size : field.options.length} />
		</div>
	);
}

interface ComboboxState {
	readonly isOpen: boolean;
	/** What was typed since the choice was shown last. */
	readonly typed: string | undefined;
	readonly list: Listbox;
	open(): void;
	type(text: string): void;
	/** On the way out, text that names exactly one option chooses it; emptied means no answer; the rest stays, marked. */
	leave(): void;
	/** Closes with the choice as it was. */
	undo(): void;
}

function useCombobox(
	{ field, id, label, optional, noAnswer, value: index, disabled, change }: ComboboxProps,
	popup: RefObject<HTMLElement | null>,
): ComboboxState {
	const t = useT();
	const { options } = field;
	const [search] = useState(() => new OptionSearch(options));
	const [isOpen, setOpen] = useState(false);
	const [typed, setTyped] = useState<string | undefined>();

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
	const leave = () => {
		setOpen(false);
		if (typed === undefined) {
			return;
		}
		const text = typed.trim().toLowerCase();
		const isLabel = options.some(({ label }) => visible(label).trim().toLowerCase() === text);
		const isNothing = text === '' || (optional && !isLabel && text === noAnswer.toLowerCase());
		const item = isNothing ? null : search.findOne(text);
		if (item === undefined) {
			change({ kind: 'choice', index }, t('Choose one of the options.'));
		} else {
			pick(item);
		}
	};
	useCommit(leave);
	return { isOpen, typed, list, open, type, leave, undo: () => pick(index) };
}

/** The keys of the list, while the focus stays in the input. */
function handleKey(event: KeyboardEvent, { isOpen, list, open, leave, undo }: ComboboxState): void {
	if (isComposing(event) || event.ctrlKey || event.metaKey) {
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
		undo();
	} else if (movesCaret || !list.move(event.key)) {
		return;
	}
	event.preventDefault();
	event.stopPropagation();
}
