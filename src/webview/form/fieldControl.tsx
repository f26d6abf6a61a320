import type { VNode } from 'preact';
import type { Field } from '../../elicitation/form/fields.ts';
import { type Input, textOf } from '../../elicitation/form/inputs.ts';
import type { SingleProps } from '../controls/control.ts';
import { FileControl } from '../controls/file.tsx';
import { ListControl } from '../controls/list.tsx';
import { MomentControl } from '../controls/moment.tsx';
import { BooleanControl, CheckboxControl, RadioControl, SelectControl } from '../controls/options.tsx';
import { PickControl } from '../controls/pick.tsx';
import { ConstControl, TextControl } from '../controls/text.tsx';

/** Up to so many options all are shown at once. */
const FEW_CHOICES = 7;
const FEW_TICKS = 12;
/** Up to so many options are a menu; more are searched in the editor. */
const MENU = 50;

/** Whether the control of a field is several elements, which a legend names, or one, which has a label. */
export function isGroup(field: Field): boolean {
	switch (field.kind) {
		case 'choice':
			return field.options.length <= FEW_CHOICES;
		case 'choices':
			return field.options.length <= FEW_TICKS;
		case 'boolean':
		case 'list':
			return true;
		default:
			return false;
	}
}

/** Whether the options of a field are shown by the editor: they are many, or a menu could not describe them. */
export function isPicked(field: Field): boolean {
	switch (field.kind) {
		case 'choice':
			return !isGroup(field) && (field.options.length > MENU || field.options.some(({ description }) => description));
		case 'choices':
			return !isGroup(field);
		default:
			return false;
	}
}

/** The control for a field with an input of its kind. */
export function controlOf(
	field: Field,
	input: Input,
	{ target, ...props }: Omit<SingleProps<unknown>, 'value'>,
): VNode {
	const text = textOf(input);
	switch (field.kind) {
		case 'text': {
			const { entry, file } = field;
			if (file) {
				return <FileControl {...props} target={target} accepted={file} value={text} />;
			}
			return entry === 'date' || entry === 'date-time' || entry === 'time' ? (
				<MomentControl {...props} target={target} entry={entry} value={text} />
			) : (
				<TextControl {...props} target={target} field={field} value={text} />
			);
		}
		case 'number':
		case 'json':
			return <TextControl {...props} target={target} field={field} value={text} />;
		case 'boolean':
			return <BooleanControl {...props} value={input.kind === 'boolean' ? input.value : null} />;
		case 'choice': {
			const value = input.kind === 'choice' ? input.index : null;
			if (isPicked(field)) {
				return <PickControl {...props} target={target} field={field} value={value === null ? null : [value]} />;
			}
			return isGroup(field) ? (
				<RadioControl {...props} field={field} value={value} />
			) : (
				<SelectControl {...props} target={target} field={field} value={value} />
			);
		}
		case 'choices': {
			const value = input.kind === 'choices' ? input.indexes : null;
			return isPicked(field) ? (
				<PickControl {...props} target={target} field={field} value={value} />
			) : (
				<CheckboxControl {...props} field={field} value={value} />
			);
		}
		case 'list':
			return <ListControl {...props} field={field} value={input.kind === 'list' ? input.items : null} />;
		case 'const':
			return <ConstControl {...props} target={target} value={field.value} />;
	}
}
