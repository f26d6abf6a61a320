import { type ComponentChild, createContext, type Ref } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { shorten, visible } from '../../elicitation/display.ts';
import { fieldLabel, noAnswerOf } from '../../elicitation/form/constraint.ts';
import { type Field, isOptional, type Property } from '../../elicitation/form/fields.ts';
import { blank, emptyValue, type Input } from '../../elicitation/form/inputs.ts';
import { render, type Sentence, type Translate } from '../../elicitation/sentence.ts';
import type { FormModel } from '../../protocol.ts';
import { Button } from '../common/button.tsx';
import { Constraint } from '../common/constraint.tsx';
import { afterPress } from '../common/focus.ts';
import { memo } from '../common/memo.ts';
import { Bdi, joined, useT } from '../common/text.tsx';
import type { Ties } from '../controls/control.ts';
import { controlOf, isGroup, isPicked } from './fieldControl.tsx';
import type { FormAction } from './state.ts';

export const Dispatch = createContext<(action: FormAction) => void>(() => {});

/** What a field is called, hidden characters visible. */
export function fieldName(field: Field, t: Translate): string {
	const shown = visible(fieldLabel(field, t));
	return shown.trim() === '' ? t('(no name)') : shown;
}

/** Whether a label only repeats the name of the property, in other letters. */
function repeats(label: string, key: string): boolean {
	const plain = (text: string) => text.toLowerCase().replace(/[\s_-]/g, '');
	return plain(label) === plain(key);
}

export interface FieldProps {
	readonly field: Field;
	readonly constraint: readonly Sentence[];
	readonly index: number;
	readonly input: Input;
	readonly error: string | undefined;
	/** What cannot be checked here, or what another client does to the field. */
	readonly notes: readonly string[];
	/** The text that is sent, if it is not the one that was entered. */
	readonly spelled: string | undefined;
	readonly suggestions: readonly string[];
	readonly purpose: FormModel['purpose'];
	readonly disabled: boolean;
}

/** One field: label, control, help, error, and the ties between them. A key in one field leaves the others alone. */
export const FormField = memo(
	({ field, constraint, index, input, error, notes, spelled, suggestions, purpose, disabled }: FieldProps) => {
		const t = useT();
		const dispatch = useContext(Dispatch);
		const element = useRef<HTMLElement>(null);
		const id = `field-${index}`;
		const label = fieldName(field, t);
		const optional = isOptional(field);
		const required = !optional && field.kind !== 'const';
		const group = isGroup(field);
		// The fields of a sampling request are our own, and so are their names.
		const showsKey = purpose !== 'sampling' && !repeats(field.label, field.key);
		// A button cannot say that it is required.
		const help = helpOf(field, constraint, t, required && (group || isPicked(field)));
		const shape = field.kind === 'json' ? field.shape : undefined;
		// Only elicitations must not ask for secrets.
		const isWarned = purpose !== 'arguments' && field.secret === true;
		const described = [
			error !== undefined && `${id}-error`,
			help.length > 0 && `${id}-help`,
			notes.length > 0 && `${id}-notes`,
			isWarned && `${id}-secret`,
			showsKey && `${id}-key`,
			shape && `${id}-shape`,
		].filter((each) => typeof each === 'string');
		// Screen readers read an error message as well as a description, so it is only the latter.
		const ties: Ties = {
			'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
			'aria-invalid': error === undefined ? undefined : true,
		};
		const control = controlOf(field, input, {
			id,
			label,
			optional,
			noAnswer: render(noAnswerOf(field), t),
			disabled,
			suggestions,
			spelled,
			target: { id, ...ties, 'aria-required': required ? true : undefined },
			choose: () => dispatch({ type: 'choose', field: index }),
			change: (next, trouble) => {
				dispatch({ type: 'input', field: index, input: next, trouble });
				if (field.kind === 'text' && field.file) {
					// A file is chosen as a whole, so what is wrong with it is said at once.
					dispatch({ type: 'visited', field: index });
				}
			},
		});
		const leave = (event: FocusEvent) => {
			// A user who looks at another part of the window, and will come back, has not left the field.
			const next = (event.relatedTarget ?? document.activeElement) as Node | null;
			if (!element.current?.contains(next)) {
				afterPress(() => dispatch({ type: 'visited', field: index }));
			}
		};
		const marks = <Marks field={field} required={required} keyId={showsKey ? `${id}-key` : undefined} />;
		const helpLine = help.length > 0 && (
			<p class="help" id={`${id}-help`}>
				{help}
			</p>
		);
		const below = (
			<>
				<Emptiness field={field} index={index} input={input} disabled={disabled} />
				<Notes id={`${id}-notes`} texts={notes} />
				{error !== undefined && <ErrorMessage id={`${id}-error`} text={error} />}
			</>
		);
		return group ? (
			<fieldset class="field" ref={element as Ref<HTMLFieldSetElement>} onFocusOut={leave} {...ties}>
				<legend>
					<Bdi text={label} />
					{marks}
				</legend>
				{isWarned && <SecretWarning id={`${id}-secret`} />}
				{helpLine}
				{control}
				{below}
			</fieldset>
		) : (
			<div class="field" ref={element as Ref<HTMLDivElement>} onFocusOut={leave}>
				<div class="label">
					<label for={id} id={`${id}-label`}>
						<Bdi text={label} />
					</label>
					{marks}
				</div>
				{shape && <Shape id={`${id}-shape`} properties={shape} />}
				{isWarned && <SecretWarning id={`${id}-secret`} />}
				{control}
				{helpLine}
				{below}
			</div>
		);
	},
);

interface MarksProps {
	readonly field: Field;
	readonly required: boolean;
	/** Undefined where the label says it all. */
	readonly keyId: string | undefined;
}

/** What follows a label: the mark of a required field, and the name of the property. */
function Marks({ field, required, keyId }: MarksProps) {
	return (
		<>
			{required && (
				<span class="mark" aria-hidden="true">
					*
				</span>
			)}
			{keyId && (
				<code class="key plain" id={keyId} aria-hidden="true">
					<Bdi text={shorten(field.key, 200)} />
				</code>
			)}
		</>
	);
}

/** How much is chosen. Where nothing is, and an empty answer is not the same as none: which of both it is, and the way to the other. */
function Emptiness({ field, index, input, disabled }: Pick<FieldProps, 'field' | 'index' | 'input' | 'disabled'>) {
	const t = useT();
	const dispatch = useContext(Dispatch);
	const empty = emptyValue(field);
	if (!empty && field.kind !== 'choices' && field.kind !== 'list') {
		return null;
	}
	const [isNone, isEmpty] = [blank(field), empty].map((each) => JSON.stringify(each) === JSON.stringify(input));
	const [said, send] =
		field.kind === 'text' ? [t('Empty text'), t('Send Empty Text')] : [t('Empty list'), t('Send Empty List')];
	const chosen = input.kind === 'choices' ? (input.indexes ?? []).length : 0;
	const amount = chosen === 1 ? t('1 selected') : chosen === 0 ? '' : t('{0} selected', chosen);
	const state = isEmpty ? said : isNone && isOptional(field) ? render(noAnswerOf(field), t) : amount;
	const other = isNone ? empty : isEmpty && isOptional(field) ? blank(field) : undefined;
	return (
		<div class="note texts">
			{/* The button of a long choice says it. */}
			<span role="status">{isPicked(field) ? '' : state}</span>
			{other && (
				<Button
					class="link inline"
					aria-describedby={isGroup(field) ? undefined : `field-${index}-label`}
					disabled={disabled}
					onClick={() => dispatch({ type: 'input', field: index, input: other, trouble: undefined, isMeant: true })}
				>
					{isNone ? send : field.required ? t('Send null') : t('Leave Out')}
				</Button>
			)}
		</div>
	);
}

function SecretWarning({ id }: { readonly id: string }) {
	const t = useT();
	return (
		<p class="help caution" id={id}>
			{t('This looks like a secret. Servers must not ask for secrets in forms.')}
		</p>
	);
}

function Notes({ id, texts }: { readonly id: string; readonly texts: readonly string[] }) {
	return texts.length === 0 ? null : (
		<ul class="notes" id={id}>
			{texts.map((text) => (
				<Bdi in="li" text={text} />
			))}
		</ul>
	);
}

function ErrorMessage({ id, text }: { readonly id: string; readonly text: string }) {
	return (
		<p class="problem" id={id}>
			<Bdi text={text} />
		</p>
	);
}

/** The properties of an object, an optional one with a question mark. */
function Shape({ id, properties }: { readonly id: string; readonly properties: readonly Property[] }) {
	const lines = properties.map(({ name, type, required }) => (
		<code>
			<Bdi text={shorten(name, 100)} />
			{required ? ': ' : '?: '}
			<Bdi text={shorten(type, 100)} />
		</code>
	));
	return (
		<p class="note shape" id={id} dir="ltr">
			{joined(', ', lines)}
		</p>
	);
}

/** Description and constraint, and what the mark means to those who do not see it. */
function helpOf(field: Field, constraint: readonly Sentence[], t: Translate, saysRequired: boolean): ComponentChild[] {
	const description = field.description ? [<Bdi text={field.description} />] : [];
	return [
		...description,
		...(description.length > 0 && constraint.length > 0 ? [' '] : []),
		...(constraint.length > 0
			? [
					<span class="constraint">
						<Constraint sentences={constraint} />
					</span>,
				]
			: []),
		...(saysRequired ? [<span class="spoken">{t('Required.')}</span>] : []),
	];
}

/** Moves the focus into a field, and the field into view. */
export function focusField(field: Element | null | undefined): void {
	const control =
		field?.querySelector<HTMLElement>('input[type=radio]:checked') ??
		field?.querySelector<HTMLElement>('input, textarea, select, button');
	control?.focus();
	field?.scrollIntoView?.({ block: 'nearest' });
}
