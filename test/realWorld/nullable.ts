import { form, nothing, object, one } from './case.ts';

const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] }) as never;
const optional = (schema: object, rest: object = {}) =>
	({ ...(orNull(schema) as object), default: null, ...rest }) as never;

/** `Optional[...]` as libraries write it. Blank is left out, or `null` where the property is required. */
export const nullable = [
	one('nullable', 'an optional text, blank', optional({ type: 'string' }, { title: 'Nickname' }), {
		field: { kind: 'text', label: 'Nickname', nullable: true, required: false },
		sends: nothing,
		findings: ['keyword', 'type'],
		inEditor: true,
	}),
	one('nullable', 'an optional text, filled', optional({ type: 'string' }), {
		enter: 'x',
		sends: 'x',
		findings: ['keyword', 'type'],
	}),
	one('nullable', 'a required text, blank', orNull({ type: 'string' }), {
		required: true,
		field: { kind: 'text', nullable: true, required: true },
		sends: null,
		findings: ['keyword', 'type'],
		inEditor: true,
	}),
	one(
		'nullable',
		'several types, a number entered',
		{ type: ['integer', 'null'] },
		{
			field: { kind: 'number', integer: true, nullable: true },
			enter: '5',
			sends: 5,
			findings: ['type'],
			inEditor: true,
		},
	),
	one(
		'nullable',
		'several types, blank',
		{ type: ['number', 'null'], default: null },
		{ sends: nothing, findings: ['type'] },
	),
	one(
		'nullable',
		'several types, required and blank',
		{ type: ['number', 'null'] },
		{
			required: true,
			sends: null,
			findings: ['type'],
		},
	),
	one('nullable', 'bounds inside the union', optional({ type: 'integer', minimum: 1, exclusiveMaximum: 10 }), {
		field: { kind: 'number', integer: true, minimum: 1, exclusiveMaximum: 10 },
		enter: '0',
		says: 'At least 1.',
		findings: ['keyword', 'type'],
		inEditor: true,
	}),
	one('nullable', 'no number in the union', optional({ type: 'integer' }), {
		enter: 'x',
		says: 'A number, like 12 or 0.5.',
		findings: ['keyword', 'type'],
	}),
	one('nullable', 'a required boolean without an answer', orNull({ type: 'boolean' }), {
		required: true,
		field: { kind: 'boolean', nullable: true },
		sends: null,
		findings: ['keyword', 'type'],
		inEditor: true,
	}),
	one('nullable', 'a boolean that is no', optional({ type: 'boolean' }), {
		enter: 'No',
		sends: false,
		findings: ['keyword', 'type'],
	}),
	one(
		'nullable',
		'a falsy default inside the union',
		{ anyOf: [{ type: 'integer' }, { type: 'null' }], default: 0 },
		{
			sends: 0,
			findings: ['keyword', 'type'],
		},
	),
	one(
		'nullable',
		'an enum with a null member',
		{ type: ['string', 'null'], enum: ['a', 'b', null] },
		{
			required: true,
			field: { kind: 'choice', labels: ['a', 'b'], nullable: true },
			sends: null,
			findings: ['keyword', 'type'],
		},
	),
	one(
		'nullable',
		'an enum with a null member and no type',
		{ enum: [null, 1, 2] },
		{
			field: { kind: 'choice', values: [1, 2], nullable: true },
			enter: '2',
			sends: 2,
			findings: ['keyword', 'type'],
		},
	),
	one(
		'nullable',
		'an enum that lists null which its type refuses',
		{ type: 'string', enum: ['a', null] },
		{
			field: { kind: 'choice', labels: ['a'], nullable: false },
			enter: 'a',
			sends: 'a',
		},
	),
	one(
		'nullable',
		'titled options or null',
		{ oneOf: [{ const: 'a', title: 'A' }, { const: 'b', title: 'B' }, { type: 'null' }] },
		{
			required: true,
			field: { kind: 'choice', labels: ['A', 'B'], nullable: true },
			sends: null,
			findings: ['keyword', 'type'],
			inEditor: true,
		},
	),
	one('nullable', 'a constant or null, not chosen', orNull({ const: 'x' }), {
		field: { kind: 'choice', labels: ['x'], nullable: true },
		sends: nothing,
		findings: ['keyword', 'type'],
	}),
	one('nullable', 'a constant or null, chosen', orNull({ const: 'x' }), {
		enter: 'x',
		sends: 'x',
		findings: ['keyword', 'type'],
	}),
	one('nullable', 'choices or null, required and left alone', orNull({ type: 'array', items: { enum: ['a', 'b'] } }), {
		required: true,
		field: { kind: 'choices', nullable: true },
		sends: null,
		findings: ['keyword', 'type'],
	}),
	one('nullable', 'a list or null', optional({ type: 'array', items: { type: 'string' } }), {
		field: { kind: 'list', item: 'text', nullable: true },
		sends: nothing,
		findings: ['not-primitive', 'keyword', 'type'],
	}),
	one('nullable', 'a format inside the union', optional({ type: 'string', format: 'email' }), {
		field: { kind: 'text', entry: 'email' },
		enter: 'x@',
		says: 'An email address, like name@example.com.',
		findings: ['keyword', 'type'],
	}),
	one(
		'nullable',
		'"nullable": true, required and blank',
		{ type: 'string', nullable: true },
		{
			required: true,
			field: { kind: 'text', nullable: true },
			sends: null,
			findings: ['keyword'],
		},
	),
	one(
		'nullable',
		'a default of null where null is not allowed',
		{ type: 'string', default: null },
		{
			field: { kind: 'text', nullable: false, default: undefined },
			sends: nothing,
			inEditor: true,
		},
	),
	one(
		'nullable',
		'the same, required',
		{ type: 'integer', default: null },
		{ required: true, says: 'This is required.' },
	),
	one(
		'nullable',
		'nothing but null',
		{ type: 'null' },
		{
			field: { kind: 'const', value: null },
			sends: null,
		},
	),
	one(
		'nullable',
		'an enum of null alone, required',
		{ enum: [null] },
		{
			required: true,
			field: { kind: 'json', nullable: true },
			sends: null,
			findings: ['not-primitive', 'keyword', 'type'],
		},
	),
	form(
		'nullable',
		'a model of optional members, one filled',
		object({
			a: optional({ type: 'string' }, { title: 'A' }),
			b: optional({ type: 'integer' }, { title: 'B' }),
			c: optional({ type: 'boolean' }, { title: 'C' }),
			d: optional({ type: 'number' }, { title: 'D' }),
		}),
		{ enter: [['d', '0']], content: { d: 0 }, findings: Array(4).fill(['keyword', 'type']).flat(), inEditor: true },
	),
];

const Color = { type: 'string', enum: ['red', 'green'], title: 'Color' };

/** `$ref`, as libraries write shared types. */
export const references = [
	one(
		'reference',
		'an enum by reference',
		{ $ref: '#/$defs/Color' },
		{
			root: { $defs: { Color } },
			field: { kind: 'choice', label: 'p', labels: ['red', 'green'] },
			enter: 'green',
			sends: 'green',
			findings: ['root-keyword', 'keyword', 'type'],
			inEditor: true,
		},
	),
	one(
		'reference',
		'the older place for definitions',
		{ $ref: '#/definitions/Color' },
		{
			root: { definitions: { Color } },
			enter: 'red',
			sends: 'red',
			findings: ['root-keyword', 'keyword', 'type'],
		},
	),
	one(
		'reference',
		'a default and a title beside the reference',
		{ $ref: '#/$defs/Color', default: 'red', title: 'Paint' },
		{
			root: { $defs: { Color } },
			field: { kind: 'choice', label: 'Paint', default: 0 },
			sends: 'red',
			findings: ['root-keyword', 'keyword', 'type'],
		},
	),
	one(
		'reference',
		'wrapped in allOf',
		{ allOf: [{ $ref: '#/$defs/Color' }], default: 'green' },
		{
			root: { $defs: { Color } },
			field: { kind: 'choice', default: 1 },
			sends: 'green',
			findings: ['root-keyword', 'keyword', 'type'],
			inEditor: true,
		},
	),
	one(
		'reference',
		'a reference or null',
		{ anyOf: [{ $ref: '#/$defs/Color' }, { type: 'null' }], default: null },
		{
			root: { $defs: { Color } },
			field: { kind: 'choice', nullable: true, label: 'p' },
			sends: nothing,
			findings: ['root-keyword', 'keyword', 'type'],
		},
	),
	one(
		'reference',
		'a reference to a reference',
		{ $ref: '#/$defs/A' },
		{
			root: { $defs: { A: { $ref: '#/$defs/B' }, B: { type: 'integer', minimum: 3 } } },
			field: { kind: 'number', integer: true, minimum: 3 },
			enter: '2',
			says: 'At least 3.',
			findings: ['root-keyword', 'keyword', 'type'],
		},
	),
	one(
		'reference',
		'items by reference',
		{ type: 'array', items: { $ref: '#/$defs/Color' } },
		{
			root: { $defs: { Color } },
			field: { kind: 'choices', labels: ['red', 'green'] },
			enter: ['red'],
			sends: ['red'],
			findings: ['root-keyword'],
		},
	),
	one(
		'reference',
		'escaped characters in the reference',
		{ $ref: '#/$defs/a~1b%20c' },
		{
			root: { $defs: { 'a/b c': { type: 'boolean' } } },
			field: { kind: 'boolean' },
			enter: 'Yes',
			sends: true,
			findings: ['root-keyword', 'keyword', 'type'],
		},
	),
	one(
		'reference',
		'bounds beside the reference: both count',
		{ $ref: '#/$defs/N', maximum: 5 },
		{
			root: { $defs: { N: { type: 'number', minimum: 2, maximum: 9 } } },
			field: { kind: 'number', minimum: 2, maximum: 5 },
			enter: '6',
			says: 'At most 5.',
			findings: ['root-keyword', 'keyword', 'type'],
		},
	),
	one(
		'reference',
		'a tree that refers to itself',
		{ $ref: '#/$defs/Node' },
		{
			root: {
				$defs: { Node: object({ name: { type: 'string' }, next: { $ref: '#/$defs/Node' } }, { required: ['name'] }) },
			},
			field: { kind: 'json' },
			enter: '{"name":"a","next":{}}',
			says: 'next/name: This is required.',
			findings: ['root-keyword', 'not-primitive', 'keyword', 'type'],
		},
	),
	one(
		'reference',
		'a reference that leads nowhere',
		{ $ref: '#/$defs/none' },
		{
			field: { kind: 'json' },
			enter: '1',
			sends: 1,
			unchecked:
				'The schema refers to "#/$defs/none", which is not looked up here. The server will check the response.',
			findings: ['not-primitive', 'keyword', 'type'],
		},
	),
	one(
		'reference',
		'a reference to another machine',
		{ $ref: 'https://example.test/color.json' },
		{
			field: { kind: 'json' },
			enter: '"red"',
			sends: 'red',
			unchecked:
				'The schema refers to "https://example.test/color.json", which is not looked up here. The server will check the response.',
			findings: ['not-primitive', 'keyword', 'type'],
			inEditor: true,
		},
	),
];
