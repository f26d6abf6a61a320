import { visible } from '../../elicitation/display.ts';
import type { ChoiceField, ChoicesField } from '../../elicitation/form/fields.ts';
import { emptied } from '../../elicitation/form/inputs.ts';
import { Bdi, useT } from '../common/text.tsx';
import type { ControlProps, SingleProps } from './control.ts';

interface Item<V> {
	readonly value: V;
	readonly label: string;
	readonly description?: string;
}

/** Yes, No and, where that is allowed, no answer. */
export function BooleanControl(props: ControlProps<boolean | null>) {
	const t = useT();
	const items = [
		{ value: true, label: t('Yes') },
		{ value: false, label: t('No') },
	];
	return <Radios {...props} items={items} layout="inline" pick={(value) => props.change({ kind: 'boolean', value })} />;
}

/** A choice among few. */
export function RadioControl({ field, ...props }: ControlProps<number | null> & { readonly field: ChoiceField }) {
	const items = field.options.map((option, at) => ({ ...option, value: at }));
	return <Radios {...props} items={items} layout="stacked" pick={(index) => props.change({ kind: 'choice', index })} />;
}

/** A choice among more. */
export function SelectControl({
	field,
	optional,
	noAnswer,
	value,
	disabled,
	target,
	change,
}: SingleProps<number | null> & { readonly field: ChoiceField }) {
	const t = useT();
	return (
		<select
			{...target}
			disabled={disabled}
			value={value ?? ''}
			onChange={({ currentTarget: { value: index } }) =>
				change({ kind: 'choice', index: index === '' ? null : Number(index) })
			}
		>
			<option value="" disabled={!optional} hidden={!optional}>
				{optional ? noAnswer : t('Choose one of the options.')}
			</option>
			{field.options.map(({ label }, at) => (
				<option value={at} dir="auto">
					{visible(label)}
				</option>
			))}
		</select>
	);
}

interface RadiosProps<V> extends ControlProps<V | null> {
	readonly items: readonly Item<V>[];
	readonly layout: 'inline' | 'stacked';
	pick(value: V | null): void;
}

/** Nothing is selected at first, unless one of the choices is to give no response. */
function Radios<V>({ id, items, layout, optional, noAnswer, value, disabled, pick }: RadiosProps<V>) {
	const all: readonly Item<V | null>[] = optional ? [...items, { value: null, label: noAnswer }] : items;
	return (
		<div class={layout === 'inline' ? 'options texts' : 'options'}>
			{all.map((item, at) => (
				<Choice
					type="radio"
					name={id}
					id={`${id}-o${at}`}
					item={item}
					checked={item.value === value}
					disabled={disabled}
					change={() => pick(item.value)}
				/>
			))}
		</div>
	);
}

/** Several among few. */
export function CheckboxControl({
	field,
	id,
	value,
	disabled,
	change,
}: ControlProps<readonly number[] | null> & { readonly field: ChoicesField }) {
	const tick = (at: number, isTicked: boolean) => {
		const indexes = field.options.flatMap((_option, index) =>
			(index === at ? isTicked : value?.includes(index)) ? [index] : [],
		);
		change(indexes.length === 0 ? emptied(field) : { kind: 'choices', indexes });
	};
	return (
		<div class="options">
			{field.options.map((option, at) => (
				<Choice
					type="checkbox"
					id={`${id}-o${at}`}
					item={{ ...option, value: at }}
					checked={value?.includes(at) ?? false}
					disabled={disabled}
					change={(isTicked) => tick(at, isTicked)}
				/>
			))}
		</div>
	);
}

interface ChoiceProps {
	readonly type: 'radio' | 'checkbox';
	readonly id: string;
	readonly name?: string;
	readonly item: Item<unknown>;
	readonly checked: boolean;
	readonly disabled: boolean;
	change(isChecked: boolean): void;
}

function Choice({ item: { label, description }, change, ...input }: ChoiceProps) {
	const described = description === undefined ? undefined : `${input.id}-d`;
	return (
		<div class="option">
			<label>
				<input {...input} aria-describedby={described} onChange={(event) => change(event.currentTarget.checked)} />
				<Bdi in="span" text={label} />
			</label>
			{described === undefined ? null : (
				<p class="help" id={described}>
					<Bdi text={description ?? ''} />
				</p>
			)}
		</div>
	);
}
