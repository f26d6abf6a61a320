import type { ComponentChild } from 'preact';
import type { Field, NumberField, TextField } from '../../elicitation/form/fields.ts';
import type { T, WebviewString } from './strings.ts';
import { Bdi, fill, gap } from './text.tsx';

/** What the schema demands of a field, in words; empty when it demands nothing that the description leaves unsaid. */
export function constraintOf(field: Field, t: T): ComponentChild[] {
	const sentences: ComponentChild[][] = [];
	const add: Add = (sentence, said) => {
		if (field.description === undefined || !said(field.description)) {
			sentences.push(sentence);
		}
	};
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
				add([t(field.item === 'integer' ? 'Whole numbers only.' : 'Numbers only.')], () => false);
			}
			break;
		case 'json':
			add([t('JSON.')], () => false);
			break;
		case 'boolean':
		case 'choice':
		case 'const':
			break;
	}
	return sentences.flatMap((sentence, at) => (at === 0 ? sentence : [gap(t), ...sentence]));
}

/** @param said whether a description says the same */
type Add = (sentence: ComponentChild[], said: (description: string) => boolean) => void;

const entryWords: Partial<Record<string, readonly [WebviewString, RegExp]>> = {
	email: ['An email address.', /e-?mail|邮箱|邮件/i],
	uri: ['A full URL, such as https://example.com.', /https?:\/\//i],
};

/** How descriptions say which end of a range a number is. */
const LEAST = /\b(at least|min|minimum|no (less|fewer) than|or more|from)\b|≥|>=|至少|最少|最小|不少于|不小于/i;
const MOST = /\b(at most|max|maximum|no more than|or (less|fewer)|up to)\b|≤|<=|至多|最多|最大|不超过|不大于/i;
const BOTH = /\b(to|and|through|between)\b|[-–—~～至到]/i;

/** Whether a text has the number, as a number of its own. */
function names(text: string, number: number): boolean {
	return (text.match(/-?\d+(\.\d+)?/g) ?? []).some((found) => Math.abs(Number(found)) === Math.abs(number));
}

function textConstraint(field: TextField, t: T, add: Add): void {
	const { entry, format, pattern } = field;
	const words = entryWords[entry];
	if (words !== undefined) {
		add([t(words[0])], (description) => words[1].test(description));
	} else if (format !== undefined && (entry === 'line' || entry === 'area')) {
		add(fill(t('Format: {0}.'), <Bdi text={format} />), (description) => description.includes(format));
	}
	addRange(field.minLength, field.maxLength, characters, t, add);
	if (pattern !== undefined) {
		add(fill(t('Must match {0}'), <Bdi in="code" text={pattern} />), (description) => description.includes(pattern));
	}
}

function numberConstraint(field: NumberField, t: T, add: Add): void {
	addRange(field.minimum, field.maximum, amounts, t, add);
	const addLimit = (limit: number | undefined, words: WebviewString, said: RegExp) => {
		if (limit !== undefined) {
			add([t(words, limit)], (description) => names(description, limit) && said.test(description));
		}
	};
	addLimit(field.exclusiveMinimum, 'More than {0}.', /\b(more|greater|larger|above)\b|>|大于|超过/i);
	addLimit(field.exclusiveMaximum, 'Less than {0}.', /\b(less|smaller|below|under)\b|<|小于/i);
	addLimit(field.multipleOf, 'A multiple of {0}.', /\b(multiples?|steps?)\b|倍数/i);
	if (field.integer) {
		add([t('Whole number.')], (description) => /\b(whole|integers?)\b|整数/i.test(description));
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
	/** How descriptions call what is counted. */
	readonly counted: RegExp;
}

const characters: RangeWords = {
	both: '{0} to {1} characters.',
	exactly: 'Exactly {0} characters.',
	least: 'At least {0} characters.',
	most: 'At most {0} characters.',
	exactlyOne: 'Exactly 1 character.',
	leastOne: 'At least 1 character.',
	mostOne: 'At most 1 character.',
	counted: /\b(char|chars|characters?|letters?|digits?|symbols?|length|long)\b|字符|字母|个字|长度|位/i,
};

const amounts: RangeWords = {
	both: '{0} to {1}.',
	exactly: 'Exactly {0}.',
	least: 'At least {0}.',
	most: 'At most {0}.',
	counted: /(?:)/,
};

const chosen: RangeWords = {
	both: 'Choose {0} to {1}.',
	exactly: 'Choose exactly {0}.',
	least: 'Choose at least {0}.',
	most: 'Choose at most {0}.',
	counted: /\b(choose|select|pick)\b|选/i,
};

const entries: RangeWords = {
	both: '{0} to {1} entries.',
	exactly: 'Exactly {0} entries.',
	least: 'At least {0} entries.',
	most: 'At most {0} entries.',
	exactlyOne: 'Exactly 1 entry.',
	leastOne: 'At least 1 entry.',
	mostOne: 'At most 1 entry.',
	counted: /\b(entry|entries|items?|values?|elements?)\b|项|条|个/i,
};

function addRange(least: number | undefined, most: number | undefined, words: RangeWords, t: T, add: Add): void {
	const addLine = (line: WebviewString, numbers: readonly number[], said: RegExp) =>
		add(
			[t(line, ...numbers)],
			(description) =>
				numbers.every((number) => names(description, number)) &&
				words.counted.test(description) &&
				said.test(description),
		);
	if (least !== undefined && most !== undefined) {
		if (least === most) {
			addLine((least === 1 && words.exactlyOne) || words.exactly, [least], /\bexactly\b|正好|恰好/i);
		} else {
			addLine(words.both, [least, most], BOTH);
		}
	} else if (least !== undefined) {
		addLine((least === 1 && words.leastOne) || words.least, [least], LEAST);
	} else if (most !== undefined) {
		addLine((most === 1 && words.mostOne) || words.most, [most], MOST);
	}
}
