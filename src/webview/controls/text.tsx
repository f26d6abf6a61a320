import { useState } from 'preact/hooks';
import { visible } from '../../elicitation/display.ts';
import type { JsonField, NumberField, TextField } from '../../elicitation/form/fields.ts';
import type { Json } from '../../elicitation/json.ts';
import { Button } from '../common/button.tsx';
import { useT } from '../common/text.tsx';
import type { SingleProps } from './control.ts';

interface TextProps extends SingleProps<string> {
	readonly field: TextField | NumberField | JsonField;
}

/**
 * Text, numbers and JSON. The element is always a plain text control: `type=number`, `email` and `url` change or lose
 * what was typed. What a control cannot hold (a line break in a single line) makes it a text area.
 */
export function TextControl(props: TextProps) {
	const { field, value, disabled, target, change } = props;
	const [hasLines] = useState(/[\r\n]/.test(value));
	const isJson = field.kind === 'json';
	const entry = field.kind === 'text' ? field.entry : undefined;
	const type = (text: string) => change({ kind: 'text', text });
	if (entry === 'password') {
		return <PasswordControl {...props} />;
	}
	if (isJson || entry === 'area' || hasLines) {
		return (
			<textarea
				{...target}
				class={isJson ? 'code' : undefined}
				rows={isJson ? 5 : 4}
				spellcheck={!isJson}
				dir={isJson ? 'ltr' : 'auto'}
				disabled={disabled}
				value={value}
				onInput={(event) => type(event.currentTarget.value)}
			/>
		);
	}
	const mode = field.kind === 'number' ? (field.integer ? 'numeric' : 'decimal') : undefined;
	return (
		<input
			{...target}
			type="text"
			class={field.kind === 'number' ? 'short' : undefined}
			autocomplete="off"
			autocapitalize="off"
			spellcheck={entry === 'line'}
			inputmode={mode ?? (entry === 'email' ? 'email' : entry === 'uri' ? 'url' : undefined)}
			dir={entry === undefined ? undefined : 'auto'}
			disabled={disabled}
			value={value}
			onInput={(event) => type(event.currentTarget.value)}
		/>
	);
}

function PasswordControl({ id, value, disabled, target, change }: TextProps) {
	const t = useT();
	const [isShown, setShown] = useState(false);
	return (
		<div class="row">
			<input
				{...target}
				type={(isShown ? 'text' : 'password') as 'text'}
				autocomplete="off"
				autocapitalize="off"
				spellcheck={false}
				dir="auto"
				disabled={disabled}
				value={value}
				onInput={(event) => change({ kind: 'text', text: event.currentTarget.value })}
			/>
			<Button class="secondary" aria-controls={id} disabled={disabled} onClick={() => setShown(!isShown)}>
				{t(isShown ? 'Hide' : 'Show')}
			</Button>
		</div>
	);
}

/** The one allowed value: can be read and copied, not changed. */
export function ConstControl({ value, disabled, target }: SingleProps<Json>) {
	const text = visible(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2));
	const attributes = { ...target, readonly: true, dir: 'auto', disabled, value: text } as const;
	return text.length <= 60 && !text.includes('\n') ? (
		<input {...attributes} type="text" />
	) : (
		<textarea {...attributes} rows={Math.min(8, text.split('\n').length + 1)} />
	);
}
