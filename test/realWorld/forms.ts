import type { JsonObject } from '../../src/elicitation/json.ts';
import { form, nothing, object, one } from './case.ts';

const text = { type: 'string' };
const parsed = (json: string) => JSON.parse(json) as JsonObject;

/** Forms as a whole: confirmations, `required`, the root. */
export const forms = [
	form('confirmation', 'no properties', object({}), { fields: [], content: {}, inEditor: true }),
	form(
		'confirmation',
		'properties missing',
		{ type: 'object' },
		{ fields: [], content: {}, findings: ['no-properties'], inEditor: true },
	),
	form(
		'confirmation',
		'properties are null',
		{ type: 'object', properties: null },
		{ content: {}, findings: ['no-properties'] },
	),
	form('confirmation', 'nothing else allowed', object({}, { additionalProperties: false, required: [] }), {
		content: {},
	}),
	form('confirmation', 'a schema of nothing', {}, { content: {}, findings: ['root-type', 'no-properties'] }),
	form('required', 'names an absent property', object({ a: text }, { required: ['a', 'b'] }), {
		enter: [['a', 'x']],
		blocked: 'The server requires "b", but describes no such property.',
		findings: ['required-absent'],
		inEditor: true,
	}),
	form('required', 'of a confirmation', object({}, { required: ['confirm'] }), {
		blocked: 'The server requires "confirm", but describes no such property.',
		findings: ['required-absent'],
	}),
	form('required', 'names what every object seems to have', object({}, { required: ['toString'] }), {
		blocked: 'The server requires "toString", but describes no such property.',
		findings: ['required-absent'],
	}),
	one('required', 'is null', text, {
		root: { required: null },
		field: { required: false },
		sends: nothing,
		findings: ['required-type'],
		inEditor: true,
	}),
	one('required', 'is a text', text, {
		root: { required: 'p' },
		field: { required: false },
		sends: nothing,
		findings: ['required-type'],
	}),
	one(
		'required',
		'in the property, as in draft 3',
		{ type: 'string', required: true },
		{ field: { required: false }, sends: nothing, findings: ['keyword'] },
	),
	one('required', 'twice', text, { root: { required: ['p', 'p'] }, says: 'This is required.' }),
	one(
		'default',
		'too short',
		{ type: 'string', minLength: 5, default: 'abc' },
		{
			says: 'At least 5 characters; you have 3.',
			findings: ['default'],
			inEditor: true,
		},
	),
	one(
		'default',
		'no member of the list',
		{ type: 'string', enum: ['a', 'b'], default: 'c' },
		{
			field: { kind: 'choice', default: undefined },
			sends: nothing,
			findings: ['default'],
			inEditor: true,
		},
	),
	one(
		'default',
		'partly no members of the list',
		{ type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['a', 'z'] },
		{
			field: { default: undefined },
			sends: nothing,
			findings: ['default'],
		},
	),
	one(
		'default',
		'of another type',
		{ type: 'integer', default: '3' },
		{ field: { default: undefined }, sends: nothing, findings: ['default'] },
	),
	one(
		'default',
		'a fraction for an integer',
		{ type: 'integer', default: 1.5 },
		{ says: 'A whole number.', findings: ['default'] },
	),
	one(
		'default',
		'below the minimum',
		{ type: 'number', minimum: 1, default: 0 },
		{ says: 'At least 1.', findings: ['default'] },
	),
	one(
		'default',
		'a text for a boolean',
		{ type: 'boolean', default: 'true' },
		{ sends: nothing, findings: ['default'] },
	),
	one(
		'default',
		'a date that is none',
		{ type: 'string', format: 'date', default: 'tomorrow' },
		{
			field: { entry: 'line' },
			says: 'A date, like 2026-03-31.',
			inEditor: true,
		},
	),
	one(
		'default',
		'that does not match the pattern, mended',
		{ type: 'string', pattern: '^\\d+$', default: 'x' },
		{
			enter: '12',
			sends: '12',
			inEditor: true,
		},
	),
	one('root', 'title, description and dialect', text, {
		root: {
			title: 'Model',
			description: 'About',
			$schema: 'http://json-schema.org/draft-07/schema#',
			additionalProperties: false,
		},
		enter: 'x',
		sends: 'x',
		inEditor: true,
	}),
	form('root', 'at least one answer', object({ a: text, b: text }, { minProperties: 1 }), {
		problems: ['At least one property.'],
		findings: ['root-keyword'],
	}),
	form('root', 'one answer needs another', object({ a: text, b: text }, { dependentRequired: { a: ['b'] } }), {
		enter: [['a', 'x']],
		problems: ['b: This is required together with "a".'],
		findings: ['root-keyword'],
	}),
	form(
		'root',
		'properties in parts',
		{ allOf: [object({ a: text }, { required: ['a'] }), object({ b: { type: 'integer' } })] },
		{
			fields: [
				{ key: 'a', required: true },
				{ key: 'b', kind: 'number' },
			],
			enter: [
				['a', 'x'],
				['b', '2'],
			],
			content: { a: 'x', b: 2 },
			findings: ['root-type', 'no-properties', 'root-keyword'],
		},
	),
	one('root', 'asynchronous, named like another', text, {
		root: { $async: true, $id: 'https://a.example/x' },
		required: true,
		says: 'This is required.',
		findings: ['root-keyword'],
	}),
	one(
		'auto title',
		'Value',
		{ type: 'string', title: 'P' },
		{ field: { key: 'p', label: 'P' }, enter: 'x', sends: 'x' },
	),
	form('auto title', 'the raw name is kept', object({ dry_run: { type: 'boolean', title: 'Dry Run' } }), {
		fields: [{ key: 'dry_run', label: 'Dry Run' }],
		enter: [['dry_run', 'Yes']],
		content: { dry_run: true },
		inEditor: true,
	}),
	form(
		'auto title',
		'the same title for two',
		object({ a: { type: 'string', title: 'Value' }, b: { type: 'string', title: 'Value' } }),
		{
			fields: [{ label: 'Value' }, { label: 'Value' }],
			enter: [['b', 'x']],
			content: { b: 'x' },
			inEditor: true,
		},
	),
	{
		...form(
			'alias',
			'"schema" for "requestedSchema"',
			{},
			{ enter: [['a', 'x']], content: { a: 'x' }, findings: ['schema-alias'], inEditor: true },
		),
		params: { message: 'alias', schema: object({ a: text }, { required: ['a'] }) },
	},
	{
		...form('alias', 'of a confirmation', {}, { content: {}, findings: ['schema-alias'] }),
		params: { message: 'alias of a confirmation', schema: object({}) },
	},
	{
		...form('alias', 'beside the right name: the right name counts', {}, { fields: [{ key: 'b' }], content: {} }),
		params: { message: 'both', schema: object({ a: text }, { required: ['a'] }), requestedSchema: object({ b: text }) },
	},
];

const choicesOf = (...values: string[]) => ({ type: 'array', items: { type: 'string', enum: values } });
const hopeless = (why: string) => `"p" is required, but no response can be valid: ${why}`;

/** Bugs of servers: what no answer can satisfy. */
export const contradictions = [
	one(
		'contradiction',
		'more entries than options',
		{ ...choicesOf('a', 'b'), minItems: 3 },
		{
			required: true,
			blocked: hopeless('At least 3 of 2 must be chosen.'),
			findings: ['contradiction'],
			inEditor: true,
		},
	),
	one(
		'contradiction',
		'the same, optional: left blank',
		{ ...choicesOf('a', 'b'), minItems: 3 },
		{ sends: nothing, findings: ['contradiction'], inEditor: true },
	),
	one(
		'contradiction',
		'lengths',
		{ type: 'string', minLength: 5, maxLength: 3 },
		{
			required: true,
			blocked: hopeless('The minimum length is 5, the maximum length 3.'),
			findings: ['contradiction'],
		},
	),
	one(
		'contradiction',
		'bounds',
		{ type: 'number', minimum: 5, maximum: 3 },
		{
			required: true,
			blocked: hopeless('Not below 5 and not above 3.'),
			findings: ['contradiction'],
		},
	),
	one(
		'contradiction',
		'no whole number between',
		{ type: 'integer', minimum: 1.2, maximum: 1.8 },
		{
			required: true,
			blocked: hopeless('There is no whole number between 1.2 and 1.8.'),
			findings: ['contradiction'],
		},
	),
	one(
		'contradiction',
		'an empty list of values',
		{ type: 'string', enum: [] },
		{
			required: true,
			blocked: hopeless('The list of allowed values is empty.'),
			findings: ['contradiction'],
		},
	),
	one('contradiction', 'a schema that is false', false, {
		required: true,
		blocked: hopeless('The schema allows no value.'),
		findings: ['not-primitive', 'contradiction'],
	}),
	one(
		'contradiction',
		'bounds, but null is allowed',
		{ type: ['integer', 'null'], minimum: 5, maximum: 3 },
		{
			required: true,
			sends: null,
			findings: ['contradiction', 'keyword', 'type'],
		},
	),
];

const longName = `a${'b'.repeat(300)}`;

/** Names are data, whatever they are. */
export const names = [
	form(
		'names',
		'names that every object seems to have',
		parsed(
			'{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"boolean"},"toString":{"type":"integer"}}}',
		),
		{
			enter: [
				['__proto__', 'x'],
				['constructor', 'No'],
				['toString', '0'],
			],
			content: parsed('{"__proto__":"x","constructor":false,"toString":0}'),
			inEditor: true,
		},
	),
	form(
		'names',
		'the same, left blank',
		parsed('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{},"valueOf":{}}}'),
		{
			content: {},
			findings: ['not-primitive', 'type', 'not-primitive', 'type'],
		},
	),
	form(
		'names',
		'__proto__ is required',
		parsed('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'),
		{
			problems: ['__proto__: This is required.'],
			inEditor: true,
		},
	),
	form(
		'names',
		'__proto__ is checked',
		parsed('{"type":"object","properties":{"__proto__":{"type":"string","maxLength":1}}}'),
		{
			enter: [['__proto__', 'xy']],
			problems: ['__proto__: At most one character; you have 2.'],
		},
	),
	form('names', 'hasOwnProperty is required', object({ hasOwnProperty: text }, { required: ['hasOwnProperty'] }), {
		problems: ['hasOwnProperty: This is required.'],
	}),
	form('names', 'no name at all', object({ '': text }), {
		fields: [{ key: '', label: '' }],
		enter: [['', 'x']],
		content: { '': 'x' },
		findings: ['odd-name'],
		inEditor: true,
	}),
	form('names', 'very long', object({ [longName]: text }), {
		enter: [[longName, 'x']],
		content: { [longName]: 'x' },
		findings: ['odd-name'],
		inEditor: true,
	}),
	form('names', 'from right to left', object({ שם: text, '\u202eeman': text }), {
		enter: [
			['שם', 'א'],
			['\u202eeman', 'x'],
		],
		content: { שם: 'א', '\u202eeman': 'x' },
		findings: ['odd-name'],
		inEditor: true,
	}),
	form('names', 'slashes and tildes', object({ 'a/b~c': { type: 'integer', maximum: 1 } }), {
		enter: [['a/b~c', '2']],
		problems: ['a/b~c: At most 1.'],
		inEditor: true,
	}),
	form(
		'names',
		'in Chinese, with spaces and emoji',
		object({ 名称: text, 'first name': text, '🎂': { type: 'string', format: 'date' } }),
		{
			enter: [
				['名称', '商店'],
				['first name', 'Ada'],
			],
			content: { 名称: '商店', 'first name': 'Ada' },
			inEditor: true,
		},
	),
	form('names', 'numbers come first, as in every object', object({ b: text, 1: text }), {
		fields: [{ key: '1' }, { key: 'b' }],
		enter: [
			['b', 'x'],
			['1', 'y'],
		],
		content: { 1: 'y', b: 'x' },
	}),
];
