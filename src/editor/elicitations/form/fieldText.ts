import type { Input } from '../../../elicitation/form/answer.ts';
import type { Field } from '../../../elicitation/form/fields.ts';
import { t } from '../../common/words.ts';

/** A field's description and constraint on one line, for pickers. Server text. */
export function fieldSummary(field: Field): string {
	return [field.description ?? '', constraint(field)].filter((text) => text !== '').join(' · ');
}

/** What has been entered, as a person reads it. Server text. */
export function inputSummary(field: Field, input: Input | undefined): string {
	const none = field.required ? (field.nullable ? t('Empty (null)') : t('no answer yet')) : t('no answer');
	switch (input?.kind) {
		case 'text':
			return input.text === '' ? none : field.kind === 'text' && field.entry === 'password' ? '••••••' : input.text;
		case 'boolean':
			return input.value === null ? none : input.value ? t('Yes') : t('No');
		case 'choice':
			return input.index === null || field.kind !== 'choice' ? none : (field.options[input.index]?.label ?? none);
		case 'choices':
			return input.indexes === null || field.kind !== 'choices'
				? none
				: input.indexes.map((index) => field.options[index]?.label ?? '').join(', ') || t('nothing');
		case 'list':
			return input.items === null ? none : input.items.join(', ');
		default:
			return none;
	}
}

function constraint(field: Field): string {
	switch (field.kind) {
		case 'text':
			return range(field.minLength, field.maxLength, t('characters'));
		case 'number': {
			const kind = field.integer ? t('a whole number') : t('a number');
			const limits = range(field.minimum, field.maximum, '');
			return limits === '' ? kind : t('{0}, {1}', kind, limits);
		}
		case 'choices':
		case 'list':
			return range(field.minItems, field.maxItems, t('entries'));
		default:
			return '';
	}
}

function range(minimum: number | undefined, maximum: number | undefined, unit: string): string {
	if (minimum !== undefined && maximum !== undefined) {
		return t('{0} to {1} {2}', minimum, maximum, unit).trim();
	}
	if (minimum !== undefined) {
		return t('at least {0} {1}', minimum, unit).trim();
	}
	return maximum !== undefined ? t('at most {0} {1}', maximum, unit).trim() : '';
}
