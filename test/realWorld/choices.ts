import { nothing, one } from './case.ts';

/** Choices whose values are no texts, or whose labels are not what they seem. */
export const choices = [
	one(
		'typed enum',
		'whole numbers',
		{ type: 'integer', enum: [1, 2, 3] },
		{
			field: { kind: 'choice', labels: ['1', '2', '3'], values: [1, 2, 3] },
			enter: '2',
			sends: 2,
			findings: ['keyword'],
			inEditor: true,
		},
	),
	one(
		'typed enum',
		'the number 1 and the text "1"',
		{ enum: [1, '1'] },
		{
			field: { labels: ['1 (1)', '1 ("1")'] },
			enter: '1 ("1")',
			sends: '1',
			findings: ['keyword', 'type'],
			inEditor: true,
		},
	),
	one(
		'typed enum',
		'the number 1 of the two',
		{ enum: [1, '1'] },
		{
			enter: '1 (1)',
			sends: 1,
			findings: ['keyword', 'type'],
			inEditor: true,
		},
	),
	one(
		'typed enum',
		'yes or no as an enum',
		{ type: 'boolean', enum: [true, false] },
		{
			field: { kind: 'choice', labels: ['true', 'false'] },
			enter: 'false',
			sends: false,
			findings: ['keyword'],
		},
	),
	one(
		'typed enum',
		'a boolean and its name',
		{ enum: [false, 'false'] },
		{
			enter: 'false (false)',
			sends: false,
			findings: ['keyword', 'type'],
		},
	),
	one(
		'typed enum',
		'zero among the numbers',
		{ type: 'number', enum: [0, 0.5], default: 0 },
		{
			field: { kind: 'choice', default: 0 },
			sends: 0,
			findings: ['keyword'],
			inEditor: true,
		},
	),
	one(
		'typed enum',
		'a default of the wrong type is no member',
		{ type: 'integer', enum: [1, 2], default: '1' },
		{
			field: { default: undefined },
			sends: nothing,
			findings: ['keyword', 'default'],
		},
	),
	one(
		'typed enum',
		'objects as values',
		{ enum: [{ a: 1 }, [2]] },
		{
			field: { labels: ['{"a":1}', '[2]'] },
			enter: '{"a":1}',
			sends: { a: 1 },
			findings: ['keyword', 'type'],
			inEditor: true,
		},
	),
	one(
		'typed enum',
		'several whole numbers',
		{ type: 'array', items: { type: 'integer', enum: [1, 2, 3] } },
		{
			field: { kind: 'choices' },
			enter: ['3', '1'],
			sends: [1, 3],
			inEditor: true,
		},
	),
	one(
		'typed enum',
		'several of mixed types',
		{ type: 'array', items: { enum: [1, '1', true] } },
		{
			enter: ['1 ("1")', 'true'],
			sends: ['1', true],
		},
	),
	one(
		'typed enum',
		'members of another type than the schema says',
		{ type: 'string', enum: ['a', 1] },
		{
			field: { labels: ['a'] },
			enter: 'a',
			sends: 'a',
		},
	),
	one(
		'typed enum',
		'typed constants with titles',
		{
			anyOf: [
				{ const: 1, title: 'Low' },
				{ const: 2, title: 'High' },
			],
		},
		{
			field: { kind: 'choice', values: [1, 2] },
			enter: 'High',
			sends: 2,
			findings: ['keyword', 'type'],
		},
	),
	one(
		'const',
		'a text',
		{ type: 'string', const: 'fixed' },
		{
			field: { kind: 'const', value: 'fixed' },
			sends: 'fixed',
			findings: ['keyword'],
			inEditor: true,
		},
	),
	one('const', 'no', { const: false }, { sends: false, findings: ['keyword', 'type'] }),
	one(
		'const',
		'zero, required',
		{ const: 0 },
		{ required: true, sends: 0, findings: ['keyword', 'type'], inEditor: true },
	),
	one('const', 'an object', { const: { a: [null] } }, { sends: { a: [null] }, findings: ['keyword', 'type'] }),
	one(
		'const',
		'a default that contradicts it',
		{ const: 1, default: 2 },
		{
			sends: 1,
			findings: ['keyword', 'type', 'default'],
		},
	),
	one(
		'const',
		'by reference',
		{ $ref: '#/$defs/Kind' },
		{
			root: { $defs: { Kind: { const: 'cat', title: 'Kind' } } },
			field: { kind: 'const', label: 'p', value: 'cat' },
			sends: 'cat',
			findings: ['root-keyword', 'keyword', 'type'],
		},
	),
	one(
		'titles',
		'options without titles',
		{ type: 'string', oneOf: [{ const: 'a' }, { const: 'b' }] },
		{
			field: { labels: ['a', 'b'] },
			enter: 'b',
			sends: 'b',
		},
	),
	one(
		'titles',
		'the same title twice',
		{
			type: 'string',
			oneOf: [
				{ const: 'a', title: 'X' },
				{ const: 'b', title: 'X' },
				{ const: 'c', title: 'C' },
			],
		},
		{
			field: { labels: ['X (a)', 'X (b)', 'C'] },
			enter: 'X (b)',
			sends: 'b',
			findings: ['duplicate-option'],
			inEditor: true,
		},
	),
	one(
		'titles',
		'a constant of nothing',
		{ type: 'string', oneOf: [{ const: '', title: '' }, { const: 'a' }] },
		{
			field: { labels: ['""', 'a'] },
			enter: '""',
			sends: '',
			inEditor: true,
		},
	),
	one(
		'titles',
		'a title of spaces',
		{ type: 'string', oneOf: [{ const: 'a', title: '  ' }] },
		{
			field: { labels: ['a'] },
			enter: 'a',
			sends: 'a',
		},
	),
	one(
		'titles',
		'the same value twice',
		{ type: 'string', enum: ['a', 'a', 'b'] },
		{
			field: { labels: ['a', 'b'] },
			enter: 'a',
			sends: 'a',
			findings: ['duplicate-option'],
		},
	),
	one(
		'titles',
		'a value that oneOf lists twice',
		{ type: 'string', oneOf: [{ const: 'a' }, { const: 'a' }, { const: 'b' }] },
		{
			field: { labels: ['b'] },
			enter: 'b',
			sends: 'b',
			findings: ['duplicate-option'],
		},
	),
	one(
		'titles',
		'a value that anyOf lists twice',
		{ type: 'string', anyOf: [{ const: 'a', title: 'A' }, { const: 'a' }] },
		{
			field: { labels: ['A'] },
			enter: 'A',
			sends: 'a',
			findings: ['keyword', 'duplicate-option'],
		},
	),
	one(
		'titles',
		'nothing but one value twice',
		{ type: 'string', oneOf: [{ const: 'a' }, { const: 'a' }] },
		{
			enter: 'a',
			says: 'This matches more than one of the alternatives, and only one may match.',
			findings: ['duplicate-option'],
		},
	),
	one(
		'titles',
		'a title that reads like another value',
		{ type: 'string', oneOf: [{ const: 'b', title: 'a' }, { const: 'a' }] },
		{
			field: { labels: ['a (b)', 'a (a)'] },
			enter: 'a (b)',
			sends: 'b',
		},
	),
	one(
		'titles',
		'a title that would be a badge',
		{ type: 'string', oneOf: [{ const: 'a', title: '$(verified) Safe' }] },
		{
			enter: '$(verified) Safe',
			sends: 'a',
		},
	),
	one(
		'titles',
		'descriptions of options',
		{
			type: 'string',
			oneOf: [
				{ const: 'a', title: 'A', description: 'The first' },
				{ const: 'b', title: 'B' },
			],
		},
		{ enter: 'A', sends: 'a', inEditor: true },
	),
	one(
		'titles',
		'titles from right to left',
		{
			type: 'string',
			oneOf: [
				{ const: 'il', title: 'עברית' },
				{ const: 'ar', title: 'العربية' },
			],
		},
		{
			enter: 'العربية',
			sends: 'ar',
			inEditor: true,
		},
	),
	one(
		'enumNames',
		'one for each',
		{ type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
		{
			field: { labels: ['A', 'B'] },
			enter: 'B',
			sends: 'b',
		},
	),
	one(
		'enumNames',
		'too few',
		{ type: 'string', enum: ['a', 'b', 'c'], enumNames: ['A'] },
		{
			field: { labels: ['A', 'b', 'c'] },
			enter: 'c',
			sends: 'c',
			findings: ['enum-names'],
			inEditor: true,
		},
	),
	one(
		'enumNames',
		'too many',
		{ type: 'string', enum: ['a'], enumNames: ['A', 'B'] },
		{
			field: { labels: ['A'] },
			enter: 'A',
			sends: 'a',
			findings: ['enum-names'],
		},
	),
	one(
		'enumNames',
		'no texts',
		{ type: 'string', enum: ['a', 'b'], enumNames: [1, null] },
		{
			field: { labels: ['a', 'b'] },
			enter: 'b',
			sends: 'b',
		},
	),
	one(
		'enumNames',
		'no list',
		{ type: 'string', enum: ['a'], enumNames: 'A' },
		{
			field: { labels: ['a'] },
			sends: nothing,
			findings: ['enum-names'],
		},
	),
	one(
		'enumNames',
		'the same name twice',
		{ type: 'string', enum: ['a', 'b'], enumNames: ['N', 'N'] },
		{
			field: { labels: ['N (a)', 'N (b)'] },
			enter: 'N (a)',
			sends: 'a',
		},
	),
	one(
		'enumNames',
		'of numbers',
		{ type: 'integer', enum: [10, 20], enumNames: ['Ten', 'Twenty'], default: 20 },
		{
			field: { labels: ['Ten', 'Twenty'], default: 1 },
			sends: 20,
			findings: ['keyword'],
		},
	),
];
