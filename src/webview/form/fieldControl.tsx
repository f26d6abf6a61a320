import type { VNode } from 'preact';
import type { Field } from '../../elicitation/form/fields.ts';
import { type Input, textOf } from '../../elicitation/form/inputs.ts';
import { Combobox } from '../controls/combobox.tsx';
import type { SingleProps } from '../controls/control.ts';
import { FileControl } from '../controls/file.tsx';
import { ListControl } from '../controls/list.tsx';
import { ManyOf } from '../controls/manyOf.tsx';
import { MomentControl } from '../controls/moment.tsx';
import { BooleanControl, CheckboxControl, RadioControl } from '../controls/options.tsx';
import { ConstControl, TextControl } from '../controls/text.tsx';

/** Up to so many options all are shown at once; more are searched. */
const FEW_CHOICES = 7;
const FEW_TICKS = 12;

/** Whether the control of a field is several elements, which a legend names, or one, which has a label. */
export function isGroup(field: Field): boolean {
	switch (field.kind) {
		case 'choice':
			return field.options.length <= FEW_CHOICES;
		case 'boolean':
		case 'choices':
		case 'list':
			return true;
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
			return isGroup(field) ? (
				<RadioControl {...props} field={field} value={value} />
			) : (
				<Combobox {...props} target={target} field={field} value={value} />
			);
		}
		case 'choices': {
			const value = input.kind === 'choices' ? input.indexes : null;
			return field.options.length <= FEW_TICKS ? (
				<CheckboxControl {...props} field={field} value={value} />
			) : (
				<ManyOf {...props} field={field} value={value} />
			);
		}
		case 'list':
			return <ListControl {...props} field={field} value={input.kind === 'list' ? input.items : null} />;
		case 'const':
			return <ConstControl {...props} target={target} value={field.value} />;
	}
}
