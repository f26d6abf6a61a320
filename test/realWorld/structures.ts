import { nothing, object, one } from './case.ts';

const texts = { type: 'array', items: { type: 'string' } };
const free = ['not-primitive'];

/** Lists of free entries. */
export const lists = [
	one('free array', 'texts', texts, {
		field: { kind: 'list', item: 'text' },
		enter: ['a', 'b c'],
		sends: ['a', 'b c'],
		findings: free,
		inEditor: true,
	}),
	one('free array', 'left alone', texts, { sends: nothing, findings: free, inEditor: true }),
	one('free array', 'required and left alone', texts, { required: true, says: 'This is required.', findings: free }),
	one(
		'free array',
		'whole numbers',
		{ type: 'array', items: { type: 'integer' } },
		{
			field: { item: 'integer' },
			enter: ['1', '0', '-3'],
			sends: [1, 0, -3],
			findings: free,
			inEditor: true,
		},
	),
	one(
		'free array',
		'an entry that is no number',
		{ type: 'array', items: { type: 'number' } },
		{
			enter: ['1', 'two'],
			says: 'Entry 2: A number, like 12 or 0.5.',
			findings: free,
			inEditor: true,
		},
	),
	one(
		'free array',
		'an entry that is too long',
		{ type: 'array', items: { type: 'string', maxLength: 2 } },
		{
			enter: ['ab', 'abc'],
			says: 'Entry 2: At most 2 characters; you have 3.',
			findings: free,
		},
	),
	one(
		'free array',
		'too few',
		{ ...texts, minItems: 2 },
		{
			enter: ['a'],
			says: 'At least 2 entries; you have 1.',
			findings: free,
		},
	),
	one(
		'free array',
		'too many',
		{ ...texts, maxItems: 2 },
		{
			enter: ['a', 'b', 'c'],
			says: 'At most 2 entries; you have 3.',
			findings: free,
		},
	),
	one(
		'free array',
		'an entry twice',
		{ ...texts, uniqueItems: true },
		{
			enter: ['a', 'b', 'a'],
			says: 'Entries must be unique; entries 1 and 3 are the same.',
			findings: ['not-primitive', 'keyword'],
		},
	),
	one('free array', 'blank entries are rows not yet filled in', texts, {
		enter: ['a', '', 'b'],
		sends: ['a', 'b'],
		findings: free,
	}),
	one(
		'free array',
		'a default, left alone',
		{ ...texts, default: ['x', 'y'] },
		{
			sends: ['x', 'y'],
			findings: free,
			inEditor: true,
		},
	),
	one(
		'free array',
		'a default with a comma inside, left alone',
		{ ...texts, default: ['Paris, France', 'Bonn'] },
		{
			sends: ['Paris, France', 'Bonn'],
			findings: free,
			inEditor: true,
		},
	),
	one(
		'free array',
		'the default of an empty list',
		{ ...texts, default: [] },
		{ sends: [], findings: free, inEditor: true },
	),
	one(
		'free array',
		'a default taken away',
		{ ...texts, default: ['x'] },
		{
			enter: [],
			sends: nothing,
			findings: free,
			inEditor: true,
		},
	),
	one(
		'free array',
		'formats of entries',
		{ type: 'array', items: { type: 'string', format: 'email' } },
		{
			enter: ['a@b.example', 'x'],
			says: 'Entry 2: An email address, like name@example.com.',
			findings: free,
		},
	),
];

const place = object({ city: { type: 'string' }, zip: { type: 'integer' } }, { required: ['city'] });
const odd = ['not-primitive', 'keyword'];
const untyped = ['not-primitive', 'keyword', 'type'];

/** What has no control of its own and is entered as JSON, for that property alone. */
export const structures = [
	one('structure', 'an object', place, {
		field: { kind: 'json' },
		enter: '{"city": "Bonn", "zip": 53111}',
		sends: { city: 'Bonn', zip: 53111 },
		findings: odd,
		inEditor: true,
	}),
	one('structure', 'an object that lacks something', place, {
		enter: '{"zip": 1}',
		says: 'city: This is required.',
		findings: odd,
	}),
	one('structure', 'an object with something of the wrong kind', place, {
		enter: '{"city": "Bonn", "zip": "53111"}',
		says: 'zip: A whole number.',
		findings: odd,
		inEditor: true,
	}),
	one(
		'structure',
		'no JSON',
		{ type: 'object' },
		{
			enter: 'city',
			says: 'This is not JSON. Texts need double quotes, like "blue".',
			findings: free,
		},
	),
	one(
		'structure',
		'a list where an object is meant',
		{ type: 'object' },
		{ enter: '[]', says: 'A JSON object.', findings: free },
	),
	one('structure', 'an object left blank', place, { sends: nothing, findings: odd }),
	one('structure', 'an empty object', { type: 'object' }, { enter: '{}', sends: {}, findings: free }),
	one(
		'structure',
		'a default object, left alone',
		{ type: 'object', default: { a: [1, { b: null }] } },
		{
			sends: { a: [1, { b: null }] },
			findings: free,
			inEditor: true,
		},
	),
	one(
		'structure',
		'a dictionary',
		{ type: 'object', additionalProperties: { type: 'integer' } },
		{
			enter: '{"a": 1, "__proto__": "x"}',
			says: '__proto__: A whole number.',
			findings: odd,
		},
	),
	one(
		'structure',
		'a text or a number: the number',
		{ anyOf: [{ type: 'string' }, { type: 'integer' }] },
		{
			field: { kind: 'json' },
			enter: '5',
			sends: 5,
			findings: untyped,
			inEditor: true,
		},
	),
	one(
		'structure',
		'a text or a number: the text',
		{ type: ['string', 'integer'] },
		{
			enter: '"5"',
			sends: '5',
			findings: ['not-primitive', 'type'],
		},
	),
	one(
		'structure',
		'a text or a number: neither',
		{ anyOf: [{ type: 'string' }, { type: 'integer' }] },
		{
			enter: 'true',
			says: 'One of these types: string, integer.',
			findings: untyped,
		},
	),
	one(
		'structure',
		'a tuple',
		{ type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false },
		{
			enter: '[1.5, "km"]',
			sends: [1.5, 'km'],
			findings: odd,
		},
	),
	one(
		'structure',
		'a tuple of the older kind',
		{ type: 'array', items: [{ type: 'number' }, { type: 'string' }] },
		{
			enter: '["km", 1]',
			says: '0: A number.',
			findings: free,
		},
	),
	one(
		'structure',
		'a list of objects',
		{ type: 'array', items: place },
		{
			enter: '[{"city": "Bonn"}, {}]',
			says: '1/city: This is required.',
			findings: free,
		},
	),
	one('structure', 'anything', {}, { enter: 'null', sends: null, findings: ['not-primitive', 'type'] }),
	one('structure', 'a schema that is true', true, {
		field: { kind: 'json' },
		enter: '[0]',
		sends: [0],
		findings: free,
	}),
	one(
		'structure',
		'a union told apart by a member',
		{
			oneOf: [
				object({ kind: { const: 'cat' }, lives: { type: 'integer' } }, { required: ['kind', 'lives'] }),
				object({ kind: { const: 'dog' } }, { required: ['kind'] }),
			],
		},
		{ enter: '{"kind":"cat","lives":9}', sends: { kind: 'cat', lives: 9 }, findings: untyped },
	),
];
