import type { ErrorObject } from 'ajv';
import { MAX_PATTERN } from '../elicitation/form/constraint.ts';
import { TEXT_FORMATS } from '../elicitation/form/textFormats.ts';
import { writeJson } from '../elicitation/jsonText.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';

const TYPES = new Map([
	['string', localizable('Text.')],
	['number', localizable('A number.')],
	['integer', localizable('A whole number.')],
	['boolean', localizable('Yes or no.')],
	['array', localizable('A list.')],
	['object', localizable('A JSON object.')],
	['null', localizable('Nothing (null).')],
]);

/** Describes what the schema expects. */
export function sentenceOf(error: ErrorObject): Sentence {
	const { keyword, params, data } = error;
	switch (keyword) {
		case 'required':
			return localizable('This is required.');
		case 'type':
			return typeSentence(params.type as string | readonly string[]);
		case 'format':
			return (
				TEXT_FORMATS.get(String(params.format))?.words ??
				localizable('A value in the format {0}.', String(params.format))
			);
		case 'pattern':
			return patternSentence(error);
		case 'enum':
		case 'const':
			return valuesSentence(error);
		case 'anyOf':
		case 'oneOf':
			return Array.isArray(params.passingSchemas)
				? localizable('This matches more than one of the alternatives, and only one may match.')
				: localizable('This matches none of the alternatives that the server allows.');
		case 'minLength':
		case 'maxLength':
			return lengthSentence(keyword, params.limit as number, [...String(data)].length);
		case 'minItems':
		case 'maxItems':
			return itemsSentence(keyword, params.limit as number, (data as readonly unknown[]).length);
		default:
			return numberSentence(error) ?? structureSentence(error) ?? localizable('Does not satisfy "{0}".', keyword);
	}
}

function patternSentence({ params, parentSchema }: ErrorObject): Sentence {
	const pattern = String(params.pattern);
	const words = TEXT_FORMATS.get(String(parentSchema?.format))?.words;
	if (pattern.length <= MAX_PATTERN) {
		return localizable('Must match the pattern {0}.', pattern);
	}
	return words
		? localizable('{0} {1}', words, localizable('A pattern of the server allows only some of them.'))
		: localizable('Does not match the pattern that the server demands, which is too long to be shown.');
}

function typeSentence(type: string | readonly string[]): Sentence {
	const types = (typeof type === 'string' ? type.split(',') : type).filter(
		(name, _, all) => name !== 'null' || all.length === 1,
	);
	const [only] = types;
	return (types.length === 1 && TYPES.get(only ?? '')) || localizable('One of these types: {0}.', types.join(', '));
}

function valuesSentence({ keyword, params }: ErrorObject): Sentence {
	if (keyword === 'const') {
		return localizable('Must be {0}.', writeJson(params.allowedValue).slice(0, 200));
	}
	return localizable('Must be one of the listed values.');
}

function lengthSentence(keyword: 'minLength' | 'maxLength', limit: number, actual: number): Sentence {
	if (keyword === 'minLength') {
		return limit === 1
			? localizable('At least one character.')
			: localizable('At least {0} characters; you have {1}.', limit, actual);
	}
	return limit === 1
		? localizable('At most one character; you have {0}.', actual)
		: localizable('At most {0} characters; you have {1}.', limit, actual);
}

function itemsSentence(keyword: 'minItems' | 'maxItems', limit: number, actual: number): Sentence {
	if (keyword === 'minItems') {
		return limit === 1
			? localizable('At least one entry.')
			: localizable('At least {0} entries; you have {1}.', limit, actual);
	}
	return limit === 1
		? localizable('At most one entry; you have {0}.', actual)
		: localizable('At most {0} entries; you have {1}.', limit, actual);
}

function numberSentence({ keyword, params }: ErrorObject): Sentence | undefined {
	const limit = params.limit as number;
	switch (keyword) {
		case 'minimum':
			return localizable('At least {0}.', limit);
		case 'maximum':
			return localizable('At most {0}.', limit);
		case 'exclusiveMinimum':
			return localizable('More than {0}.', limit);
		case 'exclusiveMaximum':
			return localizable('Less than {0}.', limit);
		case 'multipleOf':
			return localizable('A multiple of {0}.', params.multipleOf as number);
		default:
			return undefined;
	}
}

function structureSentence({ keyword, params }: ErrorObject): Sentence | undefined {
	switch (keyword) {
		case 'uniqueItems': {
			// Which index is lower depends on the type of the entries.
			const [i, j] = [params.i as number, params.j as number];
			return localizable(
				'Entries must be unique; entries {0} and {1} are the same.',
				Math.min(i, j) + 1,
				Math.max(i, j) + 1,
			);
		}
		case 'contains':
			return containsSentence(params.minContains as number, params.maxContains as number | undefined);
		case 'items':
		case 'additionalItems':
		case 'unevaluatedItems': {
			const most = (params.limit ?? params.len) as number;
			return most === 1 ? localizable('At most 1 entry.') : localizable('At most {0} entries.', most);
		}
		case 'minProperties':
			return params.limit === 1
				? localizable('At least one property.')
				: localizable('At least {0} properties.', params.limit as number);
		case 'maxProperties':
			return params.limit === 1
				? localizable('At most one property.')
				: localizable('At most {0} properties.', params.limit as number);
		case 'additionalProperties':
		case 'unevaluatedProperties':
			return localizable('The server expects no such property.');
		case 'propertyNames':
			return localizable('The property name {0} is not allowed.', JSON.stringify(params.propertyName));
		case 'dependentRequired':
		case 'dependencies':
			return localizable('This is required together with {0}.', JSON.stringify(params.property));
		case 'not':
		case 'false schema':
			return localizable('The server does not allow this value.');
		case 'if':
			return localizable('This does not match the other values.');
		default:
			return undefined;
	}
}

function containsSentence(least: number, most: number | undefined): Sentence {
	if (most !== undefined) {
		return localizable('From {0} to {1} entries of the kind that the server asks for.', least, most);
	}
	return least === 1
		? localizable('At least one entry of the kind that the server asks for.')
		: localizable('At least {0} entries of the kind that the server asks for.', least);
}
