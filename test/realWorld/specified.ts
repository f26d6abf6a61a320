import { form, nothing, object, one } from './case.ts';

const text = { type: 'string' };
const colors = { type: 'array', items: { type: 'string', enum: ['red', 'green', 'blue'] } };

/** What the specification itself allows, with everything that clients are known to get wrong about it. */
export const specified = [
	form(
		'specified',
		'optional fields of every kind, left blank',
		object({
			text,
			number: { type: 'number' },
			integer: { type: 'integer' },
			yes: { type: 'boolean' },
			one: { type: 'string', enum: ['a', 'b'] },
			titled: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
			many: colors,
			mail: { type: 'string', format: 'email' },
			day: { type: 'string', format: 'date' },
		}),
		{ content: {}, inEditor: true },
	),
	form('specified', 'five optional texts, left blank', object({ a: text, b: text, c: text, d: text, e: text }), {
		content: {},
	}),
	form(
		'specified',
		'five optional texts, the middle one filled',
		object({ a: text, b: text, c: text, d: text, e: text }),
		{
			enter: [['c', 'x']],
			content: { c: 'x' },
			inEditor: true,
		},
	),
	form(
		'specified',
		'falsy defaults, left alone',
		object({
			no: { type: 'boolean', default: false },
			zero: { type: 'integer', default: 0 },
			nil: { type: 'number', default: 0 },
			blank: { type: 'string', default: '' },
			none: { ...colors, default: [] },
		}),
		{ content: { no: false, zero: 0, nil: 0, blank: '', none: [] }, inEditor: true },
	),
	form(
		'specified',
		'defaults taken away',
		object({
			text: { type: 'string', default: 'x' },
			zero: { type: 'integer', default: 0 },
			no: { type: 'boolean', default: false },
			one: { type: 'string', enum: ['a', 'b'], default: 'b' },
			many: { ...colors, default: ['red'] },
		}),
		{
			enter: [
				['text', null],
				['zero', null],
				['no', null],
				['one', null],
				['many', []],
			],
			content: {},
			inEditor: true,
		},
	),
	form(
		'specified',
		'defaults changed',
		object({
			text: { type: 'string', default: 'x' },
			number: { type: 'number', default: 3.5 },
			yes: { type: 'boolean', default: true },
			one: { type: 'string', enum: ['a', 'b'], default: 'b' },
			many: { ...colors, default: ['red', 'blue'] },
		}),
		{
			enter: [
				['text', 'y'],
				['number', '-1'],
				['yes', 'No'],
				['one', 'a'],
				['many', ['green', 'blue']],
			],
			content: { text: 'y', number: -1, yes: false, one: 'a', many: ['green', 'blue'] },
			inEditor: true,
		},
	),
	form(
		'specified',
		'Chinese throughout',
		object(
			{
				name: { type: 'string', title: '姓名', description: '您的全名', minLength: 2, maxLength: 4 },
				city: { type: 'string', title: '城市', enum: ['bj', 'sh'], enumNames: ['北京', '上海'] },
				langs: { type: 'array', title: '语言', items: { anyOf: [{ const: 'zh', title: '中文' }] } },
			},
			{ required: ['name', 'city'] },
		),
		{
			fields: [{ label: '姓名', required: true }, { label: '城市', labels: ['北京', '上海'] }, { labels: ['中文'] }],
			enter: [
				['name', '莫娜'],
				['city', '上海'],
				['langs', ['中文']],
			],
			content: { name: '莫娜', city: 'sh', langs: ['zh'] },
			inEditor: true,
		},
	),
	form(
		'specified',
		'everything required, nothing answered',
		object(
			{ text, n: { type: 'number' }, yes: { type: 'boolean' }, one: { type: 'string', enum: ['a'] }, many: colors },
			{ required: ['text', 'n', 'yes', 'one', 'many'] },
		),
		{ problems: ['text', 'n', 'yes', 'one', 'many'].map((key) => `${key}: This is required.`) },
	),
	one('specified', 'a boolean without an answer', { type: 'boolean' }, { field: { kind: 'boolean' }, sends: nothing }),
	one('specified', 'a boolean answered yes', { type: 'boolean' }, { enter: 'Yes', sends: true }),
	one('specified', 'a boolean answered no', { type: 'boolean' }, { enter: 'No', sends: false, inEditor: true }),
	one(
		'specified',
		'a required boolean is not preselected',
		{ type: 'boolean' },
		{
			required: true,
			says: 'This is required.',
			inEditor: true,
		},
	),
	one(
		'specified',
		'a required text with the default of nothing',
		{ type: 'string', default: '' },
		{
			required: true,
			sends: '',
		},
	),
	one('specified', 'a required text, blank', text, { required: true, says: 'This is required.', inEditor: true }),
	one('specified', 'a text of one space', text, { enter: ' ', sends: ' ' }),
	one('specified', 'a text with spaces around it', text, { enter: '  a b ', sends: '  a b ' }),
	one('specified', 'a text that looks like a number', text, { enter: '007', sends: '007', inEditor: true }),
	one('specified', 'a text that looks like JSON', text, { enter: '{"a":null}', sends: '{"a":null}' }),
	one('specified', 'lengths in code points', { type: 'string', maxLength: 3 }, { enter: '👍👍👍', sends: '👍👍👍' }),
	one(
		'specified',
		'one code point too many',
		{ type: 'string', maxLength: 3 },
		{
			enter: '👍👍👍👍',
			says: 'At most 3 characters; you have 4.',
		},
	),
	one(
		'specified',
		'a joined emoji has the length of its parts',
		{ type: 'string', maxLength: 4 },
		{
			enter: '👨‍👩‍👧',
			says: 'At most 4 characters; you have 5.',
		},
	),
	one(
		'specified',
		'two ideographs are two characters',
		{ type: 'string', minLength: 2 },
		{ enter: '漢字', sends: '漢字' },
	),
	one(
		'specified',
		'an ideograph beyond the first plane',
		{ type: 'string', minLength: 2 },
		{
			enter: '𠮷',
			says: 'At least 2 characters; you have 1.',
			inEditor: true,
		},
	),
	one('specified', 'a pattern that fits', { type: 'string', pattern: '^[A-Za-z]+$' }, { enter: 'Ada', sends: 'Ada' }),
	one(
		'specified',
		'a pattern that does not',
		{ type: 'string', pattern: '^[A-Za-z]+$' },
		{
			enter: 'Ada1',
			says: 'Must match the pattern ^[A-Za-z]+$.',
		},
	),
	one(
		'specified',
		'a pattern that is not anchored',
		{ type: 'string', pattern: '\\d' },
		{ enter: 'a1b', sends: 'a1b' },
	),
	one('specified', 'a number with a decimal point', { type: 'number' }, { enter: '-0.5', sends: -0.5 }),
	one('specified', 'zero', { type: 'number' }, { enter: '0', sends: 0, inEditor: true }),
	one('specified', 'a number with an exponent', { type: 'number' }, { enter: '1e3', sends: 1000 }),
	one(
		'specified',
		'a decimal comma',
		{ type: 'number' },
		{
			enter: '1,5',
			says: 'Use a period as the decimal separator: 1.5',
			inEditor: true,
		},
	),
	one('specified', 'no number at all', { type: 'number' }, { enter: 'many', says: 'A number, like 12 or 0.5.' }),
	one('specified', 'a number of full width', { type: 'number' }, { enter: '１２', says: 'A number, like 12 or 0.5.' }),
	one('specified', 'a fraction as an integer', { type: 'integer' }, { enter: '1.5', says: 'A whole number.' }),
	one('specified', 'a whole number written with a fraction', { type: 'integer' }, { enter: '2.0', sends: 2 }),
	one(
		'specified',
		'an integer that would lose digits',
		{ type: 'integer' },
		{
			enter: '12345678901234567890',
			says: 'This number is too large to be sent exactly.',
		},
	),
	one('specified', 'the minimum itself', { type: 'number', minimum: 18 }, { enter: '18', sends: 18 }),
	one('specified', 'below the minimum', { type: 'number', minimum: 18 }, { enter: '17.9', says: 'At least 18.' }),
	one(
		'specified',
		'above the maximum',
		{ type: 'integer', minimum: 1, maximum: 10 },
		{ enter: '11', says: 'At most 10.' },
	),
	one(
		'specified',
		'a required choice is not preselected',
		{ type: 'string', enum: ['a', 'b'] },
		{
			required: true,
			field: { kind: 'choice', default: undefined },
			says: 'This is required.',
		},
	),
	one(
		'specified',
		'a required choice of one is not preselected',
		{ type: 'string', enum: ['a'] },
		{
			required: true,
			says: 'This is required.',
		},
	),
	one(
		'specified',
		'a titled choice',
		{
			type: 'string',
			oneOf: [
				{ const: '#F00', title: 'Red' },
				{ const: '#0F0', title: 'Green' },
			],
		},
		{ field: { kind: 'choice', labels: ['Red', 'Green'], values: ['#F00', '#0F0'] }, enter: 'Green', sends: '#0F0' },
	),
	one(
		'specified',
		'titled choices, in the order of the list',
		{
			type: 'array',
			items: {
				anyOf: [
					{ const: 'r', title: 'Red' },
					{ const: 'g', title: 'Green' },
				],
			},
		},
		{ enter: ['Green', 'Red'], sends: ['r', 'g'], inEditor: true },
	),
	one('specified', 'optional choices with a minimum, none ticked', { ...colors, minItems: 1 }, { sends: nothing }),
	one(
		'specified',
		'required choices, none ticked',
		{ ...colors, minItems: 1 },
		{
			required: true,
			enter: [],
			says: 'At least one entry.',
		},
	),
	one('specified', 'required choices that may be none', colors, { required: true, enter: [], sends: [] }),
	one(
		'specified',
		'too few choices',
		{ ...colors, minItems: 2 },
		{
			enter: ['red'],
			says: 'At least 2 entries; you have 1.',
			inEditor: true,
		},
	),
	one(
		'specified',
		'too many choices',
		{ ...colors, maxItems: 1 },
		{
			enter: ['red', 'blue'],
			says: 'At most one entry; you have 2.',
		},
	),
	one('specified', 'a default of several choices', { ...colors, default: ['blue', 'red'] }, { sends: ['blue', 'red'] }),
];
