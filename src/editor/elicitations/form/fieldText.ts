import type { Input } from '../../../elicitation/form/answer.ts';
import type { Field } from '../../../elicitation/form/fields.ts';
import { localize } from '../../common/localize.ts';

/** A field's description and constraints on one line, for pickers. Server text. */
export function fieldSummary(field: Field): string {
	return [field.description ?? '', constraint(field)].filter((text) => text !== '').join(' · ');
}

/** The input of a field, formatted for the user. Server text. */
export function inputSummary(field: Field, input: Input | undefined): string {
	const none = field.required
		? field.nullable
			? localize('Empty (null)')
			: localize('no answer yet')
		: localize('no answer');
	switch (input?.kind) {
		case 'text':
			return input.text === '' ? none : field.kind === 'text' && field.entry === 'password' ? '••••••' : input.text;
		case 'boolean':
			return input.value === null ? none : input.value ? localize('Yes') : localize('No');
		case 'choice':
			return input.index === null || field.kind !== 'choice' ? none : (field.options[input.index]?.label ?? none);
		case 'choices':
			return input.indexes === null || field.kind !== 'choices'
				? none
				: input.indexes.map((index) => field.options[index]?.label ?? '').join(', ') || localize('nothing');
		case 'list':
			return input.items === null ? none : input.items.join(', ');
		default:
			return none;
	}
}

function constraint(field: Field): string {
	switch (field.kind) {
		case 'text':
			return range(field.minLength, field.maxLength, localize('characters'));
		case 'number': {
			const kind = field.integer ? localize('a whole number') : localize('a number');
			const limits = range(field.minimum, field.maximum, '');
			return limits === '' ? kind : localize('{0}, {1}', kind, limits);
		}
		case 'choices':
		case 'list':
			return range(field.minItems, field.maxItems, localize('entries'));
		default:
			return '';
	}
}

function range(minimum: number | undefined, maximum: number | undefined, unit: string): string {
	if (minimum !== undefined && maximum !== undefined) {
		return localize('{0} to {1} {2}', minimum, maximum, unit).trim();
	}
	if (minimum !== undefined) {
		return localize('at least {0} {1}', minimum, unit).trim();
	}
	return maximum !== undefined ? localize('at most {0} {1}', maximum, unit).trim() : '';
}
