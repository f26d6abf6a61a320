import type { Field, NumberField } from '../form/fields.ts';
import { type Json, own } from '../json.ts';
import { comparable } from '../jsonText.ts';
import { localizable, type Sentence } from '../sentence.ts';

/**
 * Why no value can satisfy a property, if that is obvious.
 * @param node the raw schema of the property
 */
export function contradictionOf(field: Field, node: Json | undefined): Sentence | undefined {
	if (node === false) {
		return localizable('The schema allows no value.');
	}
	const values = own(node, 'enum');
	if (Array.isArray(values) && values.length === 0) {
		return localizable('The list of allowed values is empty.');
	}
	switch (field.kind) {
		case 'text':
			return above(field.minLength, field.maxLength)
				? localizable('The minimum length is {0}, the maximum length {1}.', field.minLength ?? 0, field.maxLength ?? 0)
				: undefined;
		case 'number':
			return emptyRange(field);
		case 'choices':
			if (above(field.minItems, field.options.length)) {
				return localizable('At least {0} of {1} must be chosen.', field.minItems ?? 0, field.options.length);
			}
			return itemsContradiction(field);
		case 'list':
			return itemsContradiction(field);
		default:
			return undefined;
	}
}

function itemsContradiction({ minItems, maxItems }: { minItems?: number; maxItems?: number }): Sentence | undefined {
	return above(minItems, maxItems)
		? localizable('The minimum number of entries is {0}, the maximum {1}.', minItems ?? 0, maxItems ?? 0)
		: undefined;
}

function above(least = 0, most = Infinity): boolean {
	return least > most;
}

function emptyRange(field: NumberField): Sentence | undefined {
	const minimum = comparable(field.minimum ?? -Infinity);
	const maximum = comparable(field.maximum ?? Infinity);
	const exclusiveMinimum = comparable(field.exclusiveMinimum ?? -Infinity);
	const exclusiveMaximum = comparable(field.exclusiveMaximum ?? Infinity);
	const low = exclusiveMinimum > minimum ? exclusiveMinimum : minimum;
	const high = exclusiveMaximum < maximum ? exclusiveMaximum : maximum;
	const open = low === high && (exclusiveMinimum === low || exclusiveMaximum === high);
	const shown = (value: number | bigint) => (typeof value === 'bigint' ? String(value) : value);
	if (low > high || open) {
		return localizable('Not below {0} and not above {1}.', shown(low), shown(high));
	}
	if (typeof low === 'bigint' || typeof high === 'bigint') {
		return undefined;
	}
	const first = Math.floor(low) === low && exclusiveMinimum === low ? low + 1 : Math.ceil(low);
	const last = Math.ceil(high) === high && exclusiveMaximum === high ? high - 1 : Math.floor(high);
	return field.integer && first > last
		? localizable('There is no whole number between {0} and {1}.', low, high)
		: undefined;
}
