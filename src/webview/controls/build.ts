import type { Input } from '../../elicitation/form/answer.ts';
import type { Field } from '../../elicitation/form/fields.ts';
import { comboboxControl } from './combobox.ts';
import type { Control, ControlContext } from './control.ts';
import { listControl } from './list.ts';
import { manyOfControl } from './manyOf.ts';
import { momentControl } from './moment.ts';
import { booleanControl, checkboxControl, radioControl } from './options.ts';
import { constControl, textControl } from './text.ts';

/** Up to so many options all are shown at once; more are searched. */
const fewChoices = 7;
const fewTicks = 12;

/** The control for a field, filled with an input. An input of another kind counts as no answer. */
export function buildControl(field: Field, input: Input | undefined, context: ControlContext): Control {
	switch (field.kind) {
		case 'text': {
			const text = input?.kind === 'text' ? input.text : '';
			const { entry } = field;
			return entry === 'date' || entry === 'date-time' || entry === 'time'
				? momentControl(entry, text, context)
				: textControl(field, text, context);
		}
		case 'number':
		case 'json':
			return textControl(field, input?.kind === 'text' ? input.text : '', context);
		case 'boolean':
			return booleanControl(input?.kind === 'boolean' ? input.value : null, context);
		case 'choice': {
			const index = input?.kind === 'choice' ? input.index : null;
			return field.options.length <= fewChoices
				? radioControl(field, index, context)
				: comboboxControl(field, index, context);
		}
		case 'choices': {
			const indexes = input?.kind === 'choices' ? input.indexes : null;
			return field.options.length <= fewTicks
				? checkboxControl(field, indexes, context)
				: manyOfControl(field, indexes, context);
		}
		case 'list':
			return listControl(field, input?.kind === 'list' ? input.items : null, context);
		case 'const':
			return constControl(field.value);
	}
}
