import { INVISIBLE_CLASS, shorten } from '../display.ts';
import type { Field } from '../form/fields.ts';
import { hasType, shown } from '../form/options.ts';
import { TEXT_FORMATS } from '../form/textFormats.ts';
import { isEmptyObject, isObject, type Json, type JsonObject, own } from '../json.ts';
import { comparable, exactIn, isNumeric, type Numeric, textOf, writeJson } from '../jsonText.ts';
import { localizable, type Sentence } from '../sentence.ts';
import { contradictionOf } from './contradictions.ts';
import type { Finding } from './finding.ts';

interface Property {
	readonly field: Field;
	/** The raw schema of the property. */
	readonly node: Json | undefined;
	readonly pointer: string;
	readonly revision: string | undefined;
}

const UNSEEN = new RegExp(`[${INVISIBLE_CLASS}]`, 'u');
const COMMON = ['type', 'title', 'description', 'default'];
/** The keywords that the specification allows for each type. */
const KEYWORDS = new Map<string, readonly string[]>([
	['string', [...COMMON, 'minLength', 'maxLength', 'format', 'pattern', 'enum', 'enumNames', 'oneOf']],
	['number', [...COMMON, 'minimum', 'maximum']],
	['integer', [...COMMON, 'minimum', 'maximum']],
	['boolean', COMMON],
	['array', [...COMMON, 'items', 'minItems', 'maxItems']],
]);
/** Marks a text as a file. */
const DRAFT_KEYWORD = 'x-mcp-file';
const NUMERIC = [
	'minLength',
	'maxLength',
	'minItems',
	'maxItems',
	'minimum',
	'maximum',
	'exclusiveMinimum',
	'exclusiveMaximum',
	'multipleOf',
];
/** Keywords that list options. */
const LISTS = ['enum', 'oneOf', 'anyOf', 'items'];
/** Max length of a name in findings. */
const LONG_NAME = 128;

/** A finding about a property, if there is a message, and the member that it is about. */
type PropertyFinding = readonly [
	severity: Finding['severity'],
	rule: Finding['rule'],
	message: Sentence | undefined,
	member?: string | undefined,
];

/** Lists the findings about one property. */
export function propertyFindings(property: Property): Finding[] {
	const { field, node, pointer, revision } = property;
	const found: PropertyFinding[] = [
		['warning', 'not-primitive', notPrimitive(field)],
		['warning', 'contradiction', contradictionOf(field, node)],
		['info', 'odd-name', oddName(field.key)],
	];
	const emptied = ['items', 'additionalProperties'].find(
		(name) => own(node, name) !== undefined && isEmptyObject(own(node, name)),
	);
	found.push(
		[
			'warning',
			'no-object',
			node !== undefined && isEmptyObject(node) ? localizable('"{0}" is not an object.', name(field)) : undefined,
		],
		[
			'warning',
			'no-object',
			emptied === undefined ? undefined : localizable('"{0}" is not an object.', emptied),
			emptied,
		],
	);
	if (isObject(node)) {
		found.push(
			['info', 'draft', draftKeyword(node), DRAFT_KEYWORD],
			['info', 'keyword', extraKeywords(field, node), unspecifiedKeywords(node)[0]],
			['warning', 'large-number', largeNumber(node)],
			['warning', 'malformed-keyword', malformed(node), malformedKeyword(node)],
			['info', 'type', oddType(field, node), 'type'],
			['warning', 'too-new', tooNew(node, revision), newKeyword(node)],
			['warning', 'enum-names', enumNames(node), 'enumNames'],
			['warning', 'duplicate-option', duplicates(node), LISTS.find((keyword) => Object.hasOwn(node, keyword))],
			['warning', 'default', defaultProblem(field, node), 'default'],
			formatFinding(node),
		);
	}
	return found.flatMap(([severity, rule, message, member]) =>
		message === undefined ? [] : [{ pointer, rule, severity, message, ...(member !== undefined && { member }) }],
	);
}

function name(field: Field): string {
	return field.key.length > LONG_NAME ? `${field.key.slice(0, LONG_NAME)}…` : field.key;
}

function notPrimitive(field: Field): Sentence | undefined {
	return field.kind === 'json' || field.kind === 'list'
		? localizable('"{0}" is neither a primitive value nor a choice of listed values.', name(field))
		: undefined;
}

function oddName(key: string): Sentence | undefined {
	if (key === '') {
		return localizable('A property has an empty name.');
	}
	if (key.length > LONG_NAME) {
		return localizable('A property has a name of {0} characters.', key.length);
	}
	return UNSEEN.test(key) ? localizable('The name of a property contains invisible characters.') : undefined;
}

/** The keywords of a property that the specification does not allow for its type. */
function unspecifiedKeywords(node: JsonObject): string[] {
	const type = own(node, 'type');
	const known = KEYWORDS.get(typeof type === 'string' ? type : '') ?? COMMON;
	return Object.keys(node).filter((keyword) => !known.includes(keyword) && keyword !== DRAFT_KEYWORD);
}

function draftKeyword(node: JsonObject): Sentence | undefined {
	return Object.hasOwn(node, DRAFT_KEYWORD)
		? localizable('"{0}" is a draft (SEP-2356), which may still change.', DRAFT_KEYWORD)
		: undefined;
}

function extraKeywords(field: Field, node: JsonObject): Sentence | undefined {
	const more = unspecifiedKeywords(node);
	return more.length > 0
		? localizable('"{0}": not part of the specification: {1}.', name(field), more.slice(0, 10).join(', '))
		: undefined;
}

/** A number for which JSON is no safe place (RFC 8259, section 6). */
function largeNumber(node: JsonObject): Sentence | undefined {
	const digits = exactIn(node);
	return digits === undefined
		? undefined
		: localizable('Most clients round {0}, which is beyond 2^53, and take it for another number.', shorten(digits, 60));
}

function malformedKeyword(node: JsonObject): string | undefined {
	return NUMERIC.find((candidate) => Object.hasOwn(node, candidate) && !isNumeric(node[candidate]));
}

function malformed(node: JsonObject): Sentence | undefined {
	const keyword = malformedKeyword(node);
	return keyword === undefined ? undefined : localizable('"{0}" is not a number.', keyword);
}

function oddType(field: Field, node: JsonObject): Sentence | undefined {
	const type = own(node, 'type');
	if (type === undefined) {
		return localizable('"{0}" has no "type".', name(field));
	}
	return Array.isArray(type) ? localizable('"{0}" has several types.', name(field)) : undefined;
}

/** Revision 2025-06-18 has no multiple choice and no titled options, and defaults only for booleans. */
function tooNew(node: JsonObject, revision: string | undefined): Sentence | undefined {
	if (revision === undefined || revision >= '2025-11-25') {
		return undefined;
	}
	const keyword = newKeyword(node);
	if (keyword === 'type') {
		return localizable('Revision {0} has no multiple choice.', revision);
	}
	return keyword === undefined ? undefined : localizable('Revision {0} has no "{1}" here.', revision, keyword);
}

function newKeyword(node: JsonObject): string | undefined {
	const type = own(node, 'type');
	return type === 'array'
		? 'type'
		: ['oneOf', 'default', 'pattern'].find(
				(candidate) => Object.hasOwn(node, candidate) && !(candidate === 'default' && type === 'boolean'),
			);
}

function enumNames(node: JsonObject): Sentence | undefined {
	const names = own(node, 'enumNames');
	if (names === undefined) {
		return undefined;
	}
	const values = own(node, 'enum');
	const count = Array.isArray(values) ? values.length : 0;
	return Array.isArray(names) && names.length === count
		? undefined
		: localizable(
				'"enumNames" and "enum" have different lengths: {0} and {1}.',
				Array.isArray(names) ? names.length : 0,
				count,
			);
}

function duplicates(node: JsonObject): Sentence | undefined {
	const options = [...listed(node), ...listed(own(node, 'items') ?? null)];
	const values = new Set(options.map(([value]) => JSON.stringify(value)));
	if (values.size < options.length) {
		return localizable('The same value is listed more than once.');
	}
	const titles = options.map(([, title]) => title).filter((title) => title !== undefined);
	return new Set(titles).size < titles.length ? localizable('The same title is given to different values.') : undefined;
}

function listed(node: Json): [Json, string | undefined][] {
	const values = own(node, 'enum');
	const union = own(node, 'oneOf') ?? own(node, 'anyOf');
	if (Array.isArray(values)) {
		return values.map((value) => [value, undefined]);
	}
	return Array.isArray(union)
		? union.flatMap((branch): [Json, string | undefined][] => {
				const value = own(branch, 'const');
				return value === undefined ? [] : [[value, shown(own(branch, 'title'))]];
			})
		: [];
}

function formatFinding(node: JsonObject): PropertyFinding {
	const given = own(node, 'format');
	const format = textOf(given);
	const checked = TEXT_FORMATS.get(format)?.checked;
	if (given === undefined || checked === 'specified') {
		return ['info', 'format', undefined, 'format'];
	}
	const shownAs = format.slice(0, LONG_NAME);
	return checked
		? ['info', 'format', localizable('The format "{0}" is not part of the specification.', shownAs), 'format']
		: [
				'warning',
				'unknown-format',
				localizable('The format "{0}" is unknown and not checked here.', shownAs),
				'format',
			];
}

function defaultProblem(field: Field, node: JsonObject): Sentence | undefined {
	const preset = own(node, 'default');
	if (preset === undefined || preset === null || field.kind === 'json') {
		return undefined;
	}
	const shownAs = writeJson(preset).slice(0, LONG_NAME);
	if (field.kind === 'const' ? JSON.stringify(field.value) !== JSON.stringify(preset) : field.default === undefined) {
		return localizable('The default {0} does not match its property and is not used.', shownAs);
	}
	return violates(field) ? localizable('The default {0} does not satisfy the schema.', shownAs) : undefined;
}

/** Checks only what does not require executing the schema, so no patterns. */
function violates(field: Field): boolean {
	switch (field.kind) {
		case 'text':
			return field.default !== undefined && outside([...field.default].length, field.minLength, field.maxLength);
		case 'number': {
			const value = field.default;
			return (
				value !== undefined &&
				(outside(value, field.minimum, field.maximum) ||
					comparable(value) <= comparable(field.exclusiveMinimum ?? -Infinity) ||
					comparable(value) >= comparable(field.exclusiveMaximum ?? Infinity) ||
					!hasType(value, field.integer ? 'integer' : 'number'))
			);
		}
		case 'choices':
		case 'list':
			return field.default !== undefined && outside(field.default.length, field.minItems, field.maxItems);
		default:
			return false;
	}
}

function outside(value: Numeric, least: Numeric = -Infinity, most: Numeric = Infinity): boolean {
	return comparable(value) < comparable(least) || comparable(value) > comparable(most);
}
