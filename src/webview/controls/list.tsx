import close from '@vscode/codicons/src/icons/close.svg';
import { useRef, useState } from 'preact/hooks';
import type { ListField } from '../../elicitation/form/fields.ts';
import { emptied } from '../../elicitation/form/inputs.ts';
import { Button, ShowButton } from '../common/button.tsx';
import { Icon } from '../common/icon.tsx';
import { isComposing } from '../common/keys.ts';
import { useT } from '../common/text.tsx';
import type { ControlProps } from './control.ts';

/** A list of free entries, one row each. Enter adds a row below. */
export function ListControl({
	field,
	label,
	value,
	disabled,
	change,
}: ControlProps<readonly string[] | null> & { readonly field: ListField }) {
	const t = useT();
	const rows = useRef<HTMLDivElement>(null);
	const add = useRef<HTMLButtonElement>(null);
	const [isShown, setShown] = useState(!field.secret);
	const entries = value ?? [];
	const isText = field.item === 'text';
	const set = (items: readonly string[]) => change(items.length === 0 ? emptied(field) : { kind: 'list', items });
	const insert = (at: number) => {
		set(entries.toSpliced(at, 0, ''));
		rows.current?.children[at]?.querySelector('input')?.focus();
	};
	const remove = (at: number) => {
		set(entries.toSpliced(at, 1));
		const next = rows.current?.children[Math.min(at, entries.length - 2)];
		(next?.querySelector('button') ?? add.current)?.focus();
	};
	const key = (event: KeyboardEvent, at: number) => {
		if (event.key === 'Enter' && !isComposing(event) && !event.ctrlKey && !event.metaKey) {
			event.preventDefault();
			event.stopPropagation();
			insert(at + 1);
		}
	};
	return (
		<div>
			<div class="entries" ref={rows}>
				{entries.map((entry, at) => (
					<div class="bar">
						<input
							type={(isShown ? 'text' : 'password') as 'text'}
							autocomplete="off"
							aria-label={`${label}: ${t('Entry {0}', at + 1)}`}
							inputmode={isText ? undefined : 'decimal'}
							dir={isText ? 'auto' : undefined}
							disabled={disabled}
							value={entry}
							onInput={(event) => set(entries.with(at, event.currentTarget.value))}
							onKeyDown={(event) => key(event, at)}
						/>
						<Button
							class="secondary"
							aria-label={t('Remove entry {0}', at + 1)}
							disabled={disabled}
							onClick={() => remove(at)}
						>
							<Icon name="remove" svg={close} />
						</Button>
					</div>
				))}
			</div>
			<div class="bar">
				<button type="button" class="secondary" ref={add} disabled={disabled} onClick={() => insert(entries.length)}>
					{t('Add Entry')}
				</button>
				{field.secret && <ShowButton isShown={isShown} disabled={disabled} onClick={() => setShown(!isShown)} />}
			</div>
		</div>
	);
}
