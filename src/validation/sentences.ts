import type { ErrorObject } from 'ajv';
import { type Sentence, say } from '../elicitation/sentence.ts';

const TYPES = new Map([
	['string', say('A text.')],
	['number', say('A number.')],
	['integer', say('A whole number.')],
	['boolean', say('Yes or no.')],
	['array', say('A list.')],
	['object', say('A JSON object.')],
	['null', say('Nothing (null).')],
]);

const FORMATS = new Map([
	['email', say('An email address, like name@example.com.')],
	['idn-email', say('An email address, like name@example.com.')],
	['uri', say('A full URL, like https://example.com/page.')],
	['url', say('A full URL, like https://example.com/page.')],
	['iri', say('A full URL, like https://example.com/page.')],
	['uri-reference', say('A URL or a part of one, like /page?x=1.')],
	['uri-template', say('A URL template, like /users/{id}.')],
	['date', say('A date, like 2026-03-31.')],
	['time', say('A time with an offset, like 14:30:00Z or 14:30:00+02:00.')],
	['iso-time', say('A time, like 14:30:00.')],
	['date-time', say('A date and time with an offset, like 2026-03-31T14:30:00+02:00.')],
	['iso-date-time', say('A date and time, like 2026-03-31T14:30:00.')],
	['duration', say('A duration, like P1DT2H30M or PT15M.')],
	['uuid', say('A UUID, like 123e4567-e89b-12d3-a456-426614174000.')],
	['ipv4', say('An IPv4 address, like 192.0.2.1.')],
	['ipv6', say('An IPv6 address, like 2001:db8::1.')],
	['hostname', say('A host name, like www.example.com.')],
	['regex', say('A regular expression.')],
	['json-pointer', say('A JSON pointer, like /a/b.')],
	['relative-json-pointer', say('A relative JSON pointer, like 1/a.')],
	['byte', say('Base64, like SGVsbG8=.')],
	['int32', say('A whole number of 32 bits.')],
	['int64', say('A whole number of 64 bits.')],
]);

/** What is expected, in words and numbers. */
export function sentenceOf(error: ErrorObject): Sentence {
	const { keyword, params, data } = error;
	switch (keyword) {
		case 'required':
			return say('This is required.');
		case 'type':
			return typeSentence(params.type as string | readonly string[]);
		case 'format':
			return FORMATS.get(String(params.format)) ?? say('A value in the format {0}.', String(params.format));
		case 'pattern':
			return say('Must match the pattern {0}.', String(params.pattern));
		case 'enum':
		case 'const':
			return valuesSentence(error);
		case 'anyOf':
		case 'oneOf':
			return Array.isArray(params.passingSchemas)
				? say('This fits more than one of the alternatives, and only one may fit.')
				: say('This fits none of the alternatives that the server allows.');
		case 'minLength':
		case 'maxLength':
			return lengthSentence(keyword, params.limit as number, [...String(data)].length);
		case 'minItems':
		case 'maxItems':
			return itemsSentence(keyword, params.limit as number, (data as readonly unknown[]).length);
		default:
			return numberSentence(error) ?? structureSentence(error) ?? say('Does not satisfy "{0}".', keyword);
	}
}

function typeSentence(type: string | readonly string[]): Sentence {
	const types = (typeof type === 'string' ? type.split(',') : type).filter(
		(name, _, all) => name !== 'null' || all.length === 1,
	);
	const [only] = types;
	return (types.length === 1 && TYPES.get(only ?? '')) || say('One of these types: {0}.', types.join(', '));
}

function valuesSentence({ keyword, params }: ErrorObject): Sentence {
	if (keyword === 'const') {
		return say('Must be {0}.', JSON.stringify(params.allowedValue).slice(0, 200));
	}
	return say('One of the listed values.');
}

function lengthSentence(keyword: 'minLength' | 'maxLength', limit: number, actual: number): Sentence {
	if (keyword === 'minLength') {
		return limit === 1 ? say('At least one character.') : say('At least {0} characters; you have {1}.', limit, actual);
	}
	return limit === 1
		? say('At most one character; you have {0}.', actual)
		: say('At most {0} characters; you have {1}.', limit, actual);
}

function itemsSentence(keyword: 'minItems' | 'maxItems', limit: number, actual: number): Sentence {
	if (keyword === 'minItems') {
		return limit === 1 ? say('At least one entry.') : say('At least {0} entries; you have {1}.', limit, actual);
	}
	return limit === 1
		? say('At most one entry; you have {0}.', actual)
		: say('At most {0} entries; you have {1}.', limit, actual);
}

function numberSentence({ keyword, params }: ErrorObject): Sentence | undefined {
	const limit = params.limit as number;
	switch (keyword) {
		case 'minimum':
			return say('At least {0}.', limit);
		case 'maximum':
			return say('At most {0}.', limit);
		case 'exclusiveMinimum':
			return say('More than {0}.', limit);
		case 'exclusiveMaximum':
			return say('Less than {0}.', limit);
		case 'multipleOf':
			return say('A multiple of {0}.', params.multipleOf as number);
		default:
			return undefined;
	}
}

function structureSentence({ keyword, params }: ErrorObject): Sentence | undefined {
	switch (keyword) {
		case 'uniqueItems': {
			// Which of the two indexes is the lower one depends on the type of the entries.
			const [i, j] = [params.i as number, params.j as number];
			return say('Every entry only once; entries {0} and {1} are the same.', Math.min(i, j) + 1, Math.max(i, j) + 1);
		}
		case 'contains':
			return containsSentence(params.minContains as number, params.maxContains as number | undefined);
		case 'items':
		case 'additionalItems':
		case 'unevaluatedItems':
			return say('At most {0} entries.', (params.limit ?? params.len) as number);
		case 'minProperties':
			return params.limit === 1
				? say('At least one property.')
				: say('At least {0} properties.', params.limit as number);
		case 'maxProperties':
			return params.limit === 1 ? say('At most one property.') : say('At most {0} properties.', params.limit as number);
		case 'additionalProperties':
		case 'unevaluatedProperties':
			return say('The server expects no such property.');
		case 'propertyNames':
			return say('The property name {0} is not allowed.', JSON.stringify(params.propertyName));
		case 'dependentRequired':
		case 'dependencies':
			return say('This is required together with {0}.', JSON.stringify(params.property));
		case 'not':
		case 'false schema':
			return say('The server does not allow this value.');
		case 'if':
			return say('This does not fit together with the other answers.');
		default:
			return undefined;
	}
}

function containsSentence(least: number, most: number | undefined): Sentence {
	if (most !== undefined) {
		return say('From {0} to {1} entries of the kind that the server asks for.', least, most);
	}
	return least === 1
		? say('At least one entry of the kind that the server asks for.')
		: say('At least {0} entries of the kind that the server asks for.', least);
}
