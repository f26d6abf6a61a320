import type { ComponentChild } from 'preact';
import type { Field, NumberField, TextField } from '../../elicitation/form/fields.ts';
import type { T, WebviewString } from './strings.ts';
import { Bdi, fill, gap } from './text.tsx';

/** What the schema demands of a field, in words; empty when it demands nothing worth saying. */
export function constraintOf(field: Field, t: T): ComponentChild[] {
	const sentences: ComponentChild[][] = [];
	const add = (...sentence: ComponentChild[]) => sentences.push(sentence);
	switch (field.kind) {
		case 'text':
			textConstraint(field, t, add);
			break;
		case 'number':
			numberConstraint(field, t, add);
			break;
		case 'choices':
			addRange(field.minItems, field.maxItems, chosen, t, add);
			break;
		case 'list':
			addRange(field.minItems, field.maxItems, entries, t, add);
			if (field.item !== 'text') {
				add(t(field.item === 'integer' ? 'Whole numbers only.' : 'Numbers only.'));
			}
			break;
		case 'json':
			add(t('JSON.'));
			break;
		case 'boolean':
		case 'choice':
		case 'const':
			break;
	}
	return sentences.flatMap((sentence, at) => (at === 0 ? sentence : [gap(t), ...sentence]));
}

type Add = (...sentence: ComponentChild[]) => void;

const entryWords: Partial<Record<string, WebviewString>> = {
	email: 'An email address.',
	uri: 'A full URL, such as https://example.com.',
};

function textConstraint(field: TextField, t: T, add: Add): void {
	const words = entryWords[field.entry];
	if (words !== undefined) {
		add(t(words));
	} else if (field.format !== undefined && (field.entry === 'line' || field.entry === 'area')) {
		add(...fill(t('Format: {0}.'), <Bdi text={field.format} />));
	}
	addRange(field.minLength, field.maxLength, characters, t, add);
	if (field.pattern !== undefined) {
		add(...fill(t('Must match {0}'), <Bdi in="code" text={field.pattern} />));
	}
}

function numberConstraint(field: NumberField, t: T, add: Add): void {
	addRange(field.minimum, field.maximum, amounts, t, add);
	if (field.exclusiveMinimum !== undefined) {
		add(t('More than {0}.', field.exclusiveMinimum));
	}
	if (field.exclusiveMaximum !== undefined) {
		add(t('Less than {0}.', field.exclusiveMaximum));
	}
	if (field.multipleOf !== undefined) {
		add(t('A multiple of {0}.', field.multipleOf));
	}
	if (field.integer) {
		add(t('Whole number.'));
	}
}

interface RangeWords {
	readonly both: WebviewString;
	readonly exactly: WebviewString;
	readonly least: WebviewString;
	readonly most: WebviewString;
	/** For languages in which one is not many; absent where the number stands alone. */
	readonly exactlyOne?: WebviewString;
	readonly leastOne?: WebviewString;
	readonly mostOne?: WebviewString;
}

const characters: RangeWords = {
	both: '{0} to {1} characters.',
	exactly: 'Exactly {0} characters.',
	least: 'At least {0} characters.',
	most: 'At most {0} characters.',
	exactlyOne: 'Exactly 1 character.',
	leastOne: 'At least 1 character.',
	mostOne: 'At most 1 character.',
};

const amounts: RangeWords = {
	both: '{0} to {1}.',
	exactly: 'Exactly {0}.',
	least: 'At least {0}.',
	most: 'At most {0}.',
};

const chosen: RangeWords = {
	both: 'Choose {0} to {1}.',
	exactly: 'Choose exactly {0}.',
	least: 'Choose at least {0}.',
	most: 'Choose at most {0}.',
};

const entries: RangeWords = {
	both: '{0} to {1} entries.',
	exactly: 'Exactly {0} entries.',
	least: 'At least {0} entries.',
	most: 'At most {0} entries.',
	leastOne: 'At least 1 entry.',
	mostOne: 'At most 1 entry.',
};

function addRange(least: number | undefined, most: number | undefined, words: RangeWords, t: T, add: Add): void {
	if (least !== undefined && most !== undefined) {
		if (least === most) {
			add(t((least === 1 && words.exactlyOne) || words.exactly, least));
		} else {
			add(t(words.both, least, most));
		}
	} else if (least !== undefined) {
		add(t((least === 1 && words.leastOne) || words.least, least));
	} else if (most !== undefined) {
		add(t((most === 1 && words.mostOne) || words.most, most));
	}
}
