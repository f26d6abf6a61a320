import ellipsis from '@vscode/codicons/src/icons/ellipsis.svg';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { useT } from './text.tsx';

export interface MenuItem {
	readonly text: string;
	/** A line separates it from an item of another group. */
	readonly group: string;
	readonly act: () => void;
}

/** A button that opens a menu of further actions: arrows move, Enter acts, Escape closes. */
export function Menu({ items }: { readonly items: readonly MenuItem[] }) {
	const t = useT();
	const [isOpen, setOpen] = useState(false);
	const menu = useRef<HTMLDivElement>(null);
	const entries = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
	useLayoutEffect(() => {
		if (isOpen) {
			entries()[0]?.focus();
			menu.current?.lastElementChild?.scrollIntoView?.({ block: 'nearest' });
		}
	}, [isOpen]);
	const close = () => {
		setOpen(false);
		menu.current?.querySelector('button')?.focus();
	};
	const key = (event: KeyboardEvent) => {
		const all = entries();
		const at = all.indexOf(document.activeElement as HTMLElement);
		const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
		if (!isOpen || event.ctrlKey || event.metaKey) {
			return;
		}
		if (event.key === 'Escape') {
			close();
		} else if (Object.hasOwn(moves, event.key)) {
			all.at((moves[event.key] ?? 0) % all.length)?.focus();
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	};
	const leave = ({ relatedTarget }: FocusEvent) => {
		if (!menu.current?.contains(relatedTarget as Node | null)) {
			setOpen(false);
		}
	};
	return (
		<div role="group" class="menu" ref={menu} onKeyDown={key} onFocusOut={leave}>
			<Button
				class="secondary"
				aria-label={t('More Actions…')}
				title={t('More Actions…')}
				aria-haspopup="menu"
				aria-expanded={isOpen}
				onClick={() => setOpen(!isOpen)}
			>
				<Icon name="more" svg={ellipsis} />
			</Button>
			{isOpen ? (
				<div role="menu" aria-label={t('More Actions…')}>
					{items.map(({ text, group, act }, at) => (
						<>
							{at > 0 && group !== items[at - 1]?.group ? <hr /> : null}
							<Button
								role="menuitem"
								tabIndex={-1}
								onClick={() => {
									close();
									act();
								}}
							>
								{text}
							</Button>
						</>
					))}
				</div>
			) : null}
		</div>
	);
}
