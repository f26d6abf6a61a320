import { digitsOf, exactNumber, isExact, type Numeric } from '../jsonText.ts';
import { localizable, render, type Sentence, type Translate } from '../sentence.ts';
import type { AcceptedFile, Field, NumberField, TextField } from './fields.ts';
import { kilobytes } from './file.ts';
import { isMoment } from './moments.ts';
import { entryFormat } from './textFormats.ts';

/** Longer patterns help no one (characters). */
export const MAX_PATTERN = 80;

/** What the schema demands of a field, unless its label or description says so. Text of the server is an argument of its own. */
export function constraintOf(field: Field): Sentence[] {
	const sentences: Sentence[] = [];
	const told = `${field.label}\n${field.description ?? ''}`;
	const add: Add = (sentence, said) => {
		if (!said(told)) {
			sentences.push(sentence);
		}
	};
	switch (field.kind) {
		case 'text':
			textConstraint(field, add);
			break;
		case 'number':
			numberConstraint(field, add);
			break;
		case 'choices':
			addRange(field.minItems, field.maxItems, chosen, add);
			break;
		case 'list':
			addRange(field.minItems, field.maxItems, entries, add);
			if (field.item !== 'text') {
				add(field.item === 'integer' ? localizable('Whole numbers only.') : localizable('Numbers only.'), never);
			}
			break;
		case 'json':
			add(
				field.whole
					? localizable('No fields can show what the schema asks for. Enter all of it as a JSON object.')
					: localizable('JSON.'),
				never,
			);
			break;
		case 'boolean':
		case 'choice':
		case 'const':
			break;
		default:
			field satisfies never;
	}
	return sentences;
}

/** What a field is called. Server text, or the words for a field that no property has. */
export function fieldLabel(field: Field, t: Translate): string {
	if (field.kind === 'json' && field.whole) {
		return render(localizable('JSON'), t);
	}
	return field.kind === 'choice' && field.unsent ? render(localizable('Alternative'), t) : field.label;
}

/** What stands for no answer to a field. */
export function noAnswerOf({ required, nullable }: Field): Sentence {
	return required && nullable ? localizable('Empty (null)') : localizable('Not set');
}

/** A field's description, how it is typed, its constraint, and a warning if it asks for a secret. Server text. */
export function fieldSummary(field: Field, t: Translate, constraint = typedConstraint(field)): string {
	const { description = '', secret } = field;
	const gap = t('{0} {1}', '', '');
	const sentences = [
		...constraint,
		...(secret ? [localizable('This looks like a secret. Servers must not ask for secrets in forms.')] : []),
	];
	const separator = /[.!?。！？]$/.test(description) ? gap : ' · ';
	return [description, sentences.map((sentence) => render(sentence, t)).join(gap)].filter(Boolean).join(separator);
}

function typedConstraint(field: Field): Sentence[] {
	const { enterable, words } = (field.kind === 'text' && entryFormat(field)) || {};
	return [...(enterable && words ? [words] : []), ...constraintOf(field)];
}

/** @param said whether the words of the server say the same */
type Add = (sentence: Sentence, said: (words: string) => boolean) => void;

const never = () => false;

/** How servers say which end of a range a number is. */
const LEAST = /\b(at least|min|minimum|no (less|fewer) than|or more|from)\b|≥|>=|至少|最少|最小|不少于|不小于/i;
const MOST = /\b(at most|max|maximum|no more than|or (less|fewer)|up to)\b|≤|<=|至多|最多|最大|不超过|不大于/i;
const BOTH = /\b(to|and|through|between)\b|[-–—~～至到]/i;

/** Whether a text has the number, as a number of its own. */
function names(text: string, number: Numeric): boolean {
	return (text.match(/-?\d+(,\d{3})*(\.\d+)?/g) ?? []).some(
		(found) => exactNumber(found.replace(/[-,]/g, '')) === exactNumber(digitsOf(number).replace('-', '')),
	);
}

function fileConstraint({ accept, maxSize }: AcceptedFile, add: Add): void {
	add(localizable('A file of up to {0} KB.', kilobytes(maxSize)), never);
	if (accept.length > 0) {
		add(localizable('Accepted: {0}.', accept.join(', ')), never);
	}
	add(localizable('File fields are a draft of the protocol.'), never);
}

function textConstraint(field: TextField, add: Add): void {
	if (field.file) {
		fileConstraint(field.file, add);
		return;
	}
	const { entry, format, pattern } = field;
	const hint = entryFormat(field)?.hint;
	if (hint !== undefined) {
		add(hint[0], (told) => hint[1].test(told));
	} else if (format !== undefined && (entry === 'line' || entry === 'area')) {
		add(localizable('Format: {0}.', format), (told) => told.includes(format));
	}
	addRange(field.minLength, field.maxLength, characters, add);
	if (pattern === undefined || isMoment(entry)) {
		return;
	}
	if (pattern.length <= MAX_PATTERN) {
		add(localizable('Must match {0}', pattern), (told) => told.includes(pattern));
	} else if (format === undefined) {
		add(localizable('Must match a pattern that is too long to be shown.'), never);
	}
}

function numberConstraint(field: NumberField, add: Add): void {
	const { exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
	addRange(field.minimum, field.maximum, amounts, add);
	const addLimit = (limit: Numeric | undefined, sentence: (limit: Numeric) => Sentence, said: RegExp) => {
		if (limit !== undefined) {
			add(sentence(shownNumber(limit)), (told) => names(told, limit) && said.test(told));
		}
	};
	addLimit(
		exclusiveMinimum,
		(limit) => localizable('More than {0}.', limit),
		/\b(more|greater|larger|above)\b|>|大于|超过/i,
	);
	addLimit(exclusiveMaximum, (limit) => localizable('Less than {0}.', limit), /\b(less|smaller|below|under)\b|<|小于/i);
	addLimit(multipleOf, (limit) => localizable('A multiple of {0}.', limit), /\b(multiples?|steps?)\b|倍数/i);
	if (field.integer) {
		add(localizable('Whole number.'), (told) => /\b(whole|integers?)\b|整数/i.test(told));
	}
}

interface RangeWords {
	readonly both: (least: Numeric, most: Numeric) => Sentence;
	readonly exactly: (count: Numeric) => Sentence;
	readonly least: (count: Numeric) => Sentence;
	readonly most: (count: Numeric) => Sentence;
	/** For languages in which one is not many; absent where the number stands alone. */
	readonly exactlyOne?: Sentence;
	readonly leastOne?: Sentence;
	readonly mostOne?: Sentence;
	/** How servers call what is counted. */
	readonly counted: RegExp;
}

const characters: RangeWords = {
	both: (least, most) => localizable('{0} to {1} characters.', least, most),
	exactly: (count) => localizable('Exactly {0} characters.', count),
	least: (count) => localizable('At least {0} characters.', count),
	most: (count) => localizable('At most {0} characters.', count),
	exactlyOne: localizable('Exactly 1 character.'),
	leastOne: localizable('At least 1 character.'),
	mostOne: localizable('At most 1 character.'),
	counted: /\b(char|chars|characters?|letters?|digits?|symbols?|length|long)\b|字符|字母|个字|长度|位/i,
};

const amounts: RangeWords = {
	both: (least, most) => localizable('{0} to {1}.', least, most),
	exactly: (count) => localizable('Exactly {0}.', count),
	least: (count) => localizable('At least {0}.', count),
	most: (count) => localizable('At most {0}.', count),
	counted: /(?:)/,
};

const chosen: RangeWords = {
	both: (least, most) => localizable('Choose {0} to {1}.', least, most),
	exactly: (count) => localizable('Choose exactly {0}.', count),
	least: (count) => localizable('Choose at least {0}.', count),
	most: (count) => localizable('Choose at most {0}.', count),
	counted: /\b(choose|select|pick)\b|选/i,
};

const entries: RangeWords = {
	both: (least, most) => localizable('{0} to {1} entries.', least, most),
	exactly: (count) => localizable('Exactly {0} entries.', count),
	least: (count) => localizable('At least {0} entries.', count),
	most: (count) => localizable('At most {0} entries.', count),
	exactlyOne: localizable('Exactly 1 entry.'),
	leastOne: localizable('At least 1 entry.'),
	mostOne: localizable('At most 1 entry.'),
	counted: /\b(entry|entries|items?|values?|elements?)\b|项|条|个/i,
};

/** A number as the argument of a sentence, which groups the digits of doubles only. */
export function shownNumber(value: Numeric): Numeric {
	return isExact(value) ? digitsOf(value) : value;
}

function addRange(least: Numeric | undefined, most: Numeric | undefined, words: RangeWords, add: Add): void {
	const addLine = (line: Sentence, numbers: readonly Numeric[], said: RegExp) =>
		add(line, (told) => numbers.every((number) => names(told, number)) && words.counted.test(told) && said.test(told));
	if (least !== undefined && most !== undefined) {
		if (least === most) {
			addLine(
				(least === 1 && words.exactlyOne) || words.exactly(shownNumber(least)),
				[least],
				/\bexactly\b|正好|恰好/i,
			);
		} else {
			addLine(words.both(shownNumber(least), shownNumber(most)), [least, most], BOTH);
		}
	} else if (least !== undefined) {
		addLine((least === 1 && words.leastOne) || words.least(shownNumber(least)), [least], LEAST);
	} else if (most !== undefined) {
		addLine((most === 1 && words.mostOne) || words.most(shownNumber(most)), [most], MOST);
	}
}
