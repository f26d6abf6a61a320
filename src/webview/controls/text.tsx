import type { ComponentChild } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { visible } from '../../elicitation/display.ts';
import type { JsonField, NumberField, TextField } from '../../elicitation/form/fields.ts';
import type { Json } from '../../elicitation/json.ts';
import { writeJson } from '../../elicitation/jsonText.ts';
import { Button, ShowButton } from '../common/button.tsx';
import { useT } from '../common/text.tsx';
import type { SingleProps } from './control.ts';

interface TextProps extends SingleProps<string> {
	readonly field: TextField | NumberField | JsonField;
}

/**
 * Text, numbers and JSON. The element is always a plain text control: `type=number`, `email` and `url` change or lose
 * what was typed. What a control cannot hold (a line break in a single line) makes it a text area.
 */
export function TextControl({ id, field, value, disabled, suggestions, target, change }: TextProps) {
	const area = useRef<HTMLTextAreaElement>(null);
	const [hasLines] = useState(/[\r\n]/.test(value));
	const [isShown, setShown] = useState(!field.secret);
	const isJson = field.kind === 'json';
	const entry = field.kind === 'text' ? field.entry : undefined;
	const type = (text: string) => change({ kind: 'text', text });
	const mode = field.kind === 'number' ? (field.integer ? 'numeric' : 'decimal') : undefined;
	const control =
		isJson || entry === 'area' || hasLines ? (
			<textarea
				{...target}
				ref={area}
				class={[...(isJson ? ['code'] : []), ...(isShown ? [] : ['masked'])].join(' ') || undefined}
				rows={isJson ? 5 : 4}
				spellcheck={!(isJson || field.secret)}
				dir={isJson ? 'ltr' : 'auto'}
				disabled={disabled}
				value={value}
				onInput={(event) => type(event.currentTarget.value)}
			/>
		) : (
			<input
				{...target}
				type={(isShown ? 'text' : 'password') as 'text'}
				class={field.kind === 'number' ? 'short' : undefined}
				autocomplete="off"
				list={suggestions.length > 0 ? `${id}-suggestions` : undefined}
				autocapitalize="off"
				spellcheck={entry === 'line' && !field.secret}
				inputmode={mode ?? (entry === 'email' ? 'email' : entry === 'uri' ? 'url' : undefined)}
				dir={entry === undefined ? undefined : 'auto'}
				disabled={disabled}
				value={value}
				onInput={(event) => type(event.currentTarget.value)}
			/>
		);
	const masked = field.secret ? (
		<Secret id={id} isShown={isShown} disabled={disabled} toggle={() => setShown(!isShown)}>
			{control}
		</Secret>
	) : (
		control
	);
	if (!isJson) {
		return (
			<>
				{masked}
				<Suggestions id={`${id}-suggestions`} values={suggestions} />
			</>
		);
	}
	const insert = () => {
		type(writeJson(field.example, 2));
		area.current?.focus();
	};
	return (
		<div>
			{masked}
			<InsertExample
				isHidden={field.example === undefined || value.trim() !== ''}
				disabled={disabled}
				id={target.id}
				insert={insert}
			/>
		</div>
	);
}

interface SecretProps {
	/** Of the control. */
	readonly id: string;
	readonly isShown: boolean;
	readonly disabled: boolean;
	readonly children: ComponentChild;
	toggle(): void;
}

/** A masked control, and the button that shows what is in it. */
function Secret({ id, isShown, disabled, children, toggle }: SecretProps) {
	return (
		<div class="bar">
			{children}
			<ShowButton
				isShown={isShown}
				aria-controls={id}
				aria-describedby={`${id}-label`}
				disabled={disabled}
				onClick={toggle}
			/>
		</div>
	);
}

/** What a text control suggests while the user types. */
function Suggestions({ id, values }: { readonly id: string; readonly values: readonly string[] }) {
	return values.length === 0 ? null : (
		<datalist id={id}>
			{values.map((each) => (
				<option value={each}>{visible(each)}</option>
			))}
		</datalist>
	);
}

interface InsertExampleProps {
	readonly isHidden: boolean;
	readonly disabled: boolean;
	/** Of the control that the example is for. */
	readonly id: string;
	insert(): void;
}

/** Shown as long as there is nothing that the example would replace. */
function InsertExample({ isHidden, disabled, id, insert }: InsertExampleProps) {
	const t = useT();
	return (
		<Button class="link" hidden={isHidden} disabled={disabled} aria-describedby={`${id}-label`} onClick={insert}>
			{t('Insert Example')}
		</Button>
	);
}

/** The one allowed value: can be read and copied, not changed. */
export function ConstControl({ value, disabled, target }: SingleProps<Json>) {
	const text = visible(typeof value === 'string' ? value : writeJson(value, 2));
	const attributes = { ...target, readonly: true, dir: 'auto', disabled, value: text } as const;
	return text.length <= 60 && !text.includes('\n') ? (
		<input {...attributes} type="text" />
	) : (
		<textarea {...attributes} rows={Math.min(8, text.split('\n').length + 1)} />
	);
}
