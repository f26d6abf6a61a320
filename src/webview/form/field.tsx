import { type ComponentChild, createContext, type Ref } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { shorten, visible } from '../../elicitation/display.ts';
import type { Input } from '../../elicitation/form/answer.ts';
import type { Field } from '../../elicitation/form/fields.ts';
import { constraintOf } from '../common/constraint.tsx';
import { afterPress } from '../common/focus.ts';
import { memo } from '../common/memo.ts';
import type { T } from '../common/strings.ts';
import { Bdi, useT } from '../common/text.tsx';
import type { Ties } from '../controls/control.ts';
import { controlOf, isGroup } from './fieldControl.tsx';
import type { FormAction } from './state.ts';

export const Dispatch = createContext<(action: FormAction) => void>(() => {});

/** What a field is called, hidden characters visible. */
export function fieldName(field: Field, t: T): string {
	const shown = visible(field.label);
	return shown.trim() === '' ? t('(no name)') : shown;
}

export interface FieldProps {
	readonly field: Field;
	readonly index: number;
	readonly input: Input;
	readonly error: string | undefined;
	readonly disabled: boolean;
}

/** One field: label, control, help, error, and the ties between them. A key in one field leaves the others alone. */
export const FormField = memo(({ field, index, input, error, disabled }: FieldProps) => {
	const t = useT();
	const dispatch = useContext(Dispatch);
	const element = useRef<HTMLElement>(null);
	const id = `field-${index}`;
	const label = fieldName(field, t);
	const optional = !field.required || field.nullable;
	const required = !optional && field.kind !== 'const';
	const group = isGroup(field);
	const help = helpOf(field, t, group && required);
	const described = [
		error !== undefined && `${id}-error`,
		help.length > 0 && `${id}-help`,
		field.key !== field.label && `${id}-key`,
	].filter((each) => each !== false);
	const ties: Ties = {
		'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
		'aria-invalid': error === undefined ? undefined : true,
		'aria-errormessage': error === undefined ? undefined : `${id}-error`,
	};
	const control = controlOf(field, input, {
		id,
		label,
		optional,
		noAnswer: t(field.required ? 'Empty (null)' : 'No answer'),
		disabled,
		target: { id, ...ties, 'aria-required': required ? true : undefined },
		change: (next, trouble) => dispatch({ type: 'input', field: index, input: next, trouble }),
	});
	const leave = (event: FocusEvent) => {
		// A user who looks at another part of the window, and will come back, has not left the field.
		const next = (event.relatedTarget ?? document.activeElement) as Node | null;
		if (!element.current?.contains(next)) {
			afterPress(() => dispatch({ type: 'visited', field: index }));
		}
	};
	const names = (
		<>
			{required ? (
				<span class="mark" aria-hidden="true">
					*
				</span>
			) : null}
			{field.key === field.label ? null : (
				<code class="key" id={`${id}-key`} aria-hidden="true">
					<Bdi text={shorten(field.key, 200)} />
				</code>
			)}
		</>
	);
	const helpLine =
		help.length === 0 ? null : (
			<p class="help" id={`${id}-help`}>
				{help}
			</p>
		);
	const errorLine =
		error === undefined ? null : (
			<p class="error" role="alert" id={`${id}-error`}>
				<Bdi text={error} />
			</p>
		);
	return group ? (
		<fieldset class="field" ref={element as Ref<HTMLFieldSetElement>} onFocusOut={leave} {...ties}>
			<legend>
				<Bdi text={label} />
				{names}
			</legend>
			{helpLine}
			{control}
			{errorLine}
		</fieldset>
	) : (
		<div class="field" ref={element as Ref<HTMLDivElement>} onFocusOut={leave}>
			<div class="label">
				<label for={id}>
					<Bdi text={label} />
				</label>
				{names}
			</div>
			{control}
			{helpLine}
			{errorLine}
		</div>
	);
});

/** Description and constraint, and what the mark of a group means to those who do not see it. */
function helpOf(field: Field, t: T, saysRequired: boolean): ComponentChild[] {
	const description = field.description ? [<Bdi text={field.description} />] : [];
	const constraint = constraintOf(field, t);
	return [
		...description,
		...(description.length > 0 && constraint.length > 0 ? [' '] : []),
		...(constraint.length > 0 ? [<span>{constraint}</span>] : []),
		...(saysRequired ? [<span class="spoken">{t('Required.')}</span>] : []),
	];
}

/** Moves the focus into a field, and the field into view. */
export function focusField(field: Element | null | undefined): void {
	const control =
		field?.querySelector<HTMLElement>('input[type=radio]:checked') ??
		field?.querySelector<HTMLElement>('input, textarea, button');
	control?.focus();
	field?.scrollIntoView?.({ block: 'nearest' });
}
