import { form, nothing, object, one } from './case.ts';

const N = 'number';

/** Numbers that are not just between two bounds. */
export const bounds = [
	one(
		'bounds',
		'more than zero: zero',
		{ type: N, exclusiveMinimum: 0 },
		{
			field: { exclusiveMinimum: 0 },
			enter: '0',
			says: 'More than 0.',
			findings: ['keyword'],
			inEditor: true,
		},
	),
	one(
		'bounds',
		'more than zero: a little more',
		{ type: N, exclusiveMinimum: 0 },
		{
			enter: '0.001',
			sends: 0.001,
			findings: ['keyword'],
		},
	),
	one(
		'bounds',
		'less than a hundred',
		{ type: 'integer', exclusiveMaximum: 100 },
		{
			enter: '100',
			says: 'Less than 100.',
			findings: ['keyword'],
		},
	),
	one(
		'bounds',
		'a tenth: 0.3',
		{ type: N, multipleOf: 0.1 },
		{ enter: '0.3', sends: 0.3, findings: ['keyword'], inEditor: true },
	),
	one('bounds', 'a tenth: 1.1', { type: N, multipleOf: 0.1 }, { enter: '1.1', sends: 1.1, findings: ['keyword'] }),
	one(
		'bounds',
		'a tenth: 0.35',
		{ type: N, multipleOf: 0.1 },
		{
			enter: '0.35',
			says: 'A multiple of 0.1.',
			findings: ['keyword'],
		},
	),
	one('bounds', 'cents', { type: N, multipleOf: 0.01 }, { enter: '19.99', sends: 19.99, findings: ['keyword'] }),
	one(
		'bounds',
		'even numbers',
		{ type: 'integer', multipleOf: 2 },
		{
			enter: '7',
			says: 'A multiple of 2.',
			findings: ['keyword'],
		},
	),
	one('bounds', 'below freezing', { type: N, minimum: -273.15 }, { enter: '-273.15', sends: -273.15 }),
	one('bounds', 'one value alone', { type: 'integer', minimum: 4, maximum: 4 }, { enter: '4', sends: 4 }),
	one(
		'bounds',
		'the older exclusive bound cannot be run',
		{ type: N, minimum: 0, exclusiveMinimum: true },
		{
			field: { kind: 'number', minimum: 0, exclusiveMinimum: undefined },
			enter: '0',
			sends: 0,
			unchecked:
				'The schema cannot be run here (exclusiveMinimum value must be ["number"]). The server will check the response.',
			findings: ['keyword', 'malformed-keyword'],
		},
	),
	one(
		'bounds',
		'bounds without a type',
		{ minimum: 1, maximum: 3 },
		{
			field: { kind: 'number', integer: false },
			enter: '2.5',
			sends: 2.5,
			findings: ['keyword', 'type'],
		},
	),
];

const format = (name: string) => ({ type: 'string', format: name });

/** Formats: those of the specification and all the others. */
export const formats = [
	one('formats', 'an address', format('email'), {
		field: { entry: 'email' },
		enter: 'a@b.example',
		sends: 'a@b.example',
	}),
	one('formats', 'an address without a dot', format('email'), {
		enter: 'user@localhost',
		says: 'An email address, like name@example.com.',
		inEditor: true,
	}),
	one('formats', 'an address with spaces around it', format('email'), {
		enter: ' a@b.example',
		says: 'An email address, like name@example.com.',
	}),
	one('formats', 'a URL', format('uri'), {
		enter: 'https://a.example/x?y=%20#z',
		sends: 'https://a.example/x?y=%20#z',
	}),
	one('formats', 'a URL of another scheme', format('uri'), {
		enter: 'mailto:a@b.example',
		sends: 'mailto:a@b.example',
	}),
	one('formats', 'half a URL', format('uri'), {
		enter: 'www.example.com',
		says: 'A full URL, like https://example.com/page.',
		inEditor: true,
	}),
	one('formats', 'a URL with ideographs', format('uri'), {
		enter: 'https://例子.example/',
		says: 'A full URL, like https://example.com/page.',
	}),
	one('formats', 'a date', format('date'), {
		field: { entry: 'date' },
		enter: '2028-02-29',
		sends: '2028-02-29',
		inEditor: true,
	}),
	one('formats', 'a day that does not exist', format('date'), {
		enter: '2026-02-29',
		says: 'A date, like 2026-03-31.',
	}),
	one('formats', 'a moment in UTC', format('date-time'), {
		field: { entry: 'date-time' },
		enter: '2026-03-31T14:30:00Z',
		sends: '2026-03-31T14:30:00Z',
	}),
	one('formats', 'a moment with an offset', format('date-time'), {
		enter: '2026-03-31T14:30:00.250+05:30',
		sends: '2026-03-31T14:30:00.250+05:30',
		inEditor: true,
	}),
	one('formats', 'a moment without an offset', format('date-time'), {
		enter: '2026-03-31T14:30:00',
		says: 'A date and time with an offset, like 2026-03-31T14:30:00+02:00.',
	}),
	one(
		'formats',
		'a default moment, left alone',
		{ ...format('date-time'), default: '2026-01-01T00:00:00-08:00' },
		{
			field: { entry: 'date-time' },
			sends: '2026-01-01T00:00:00-08:00',
			inEditor: true,
		},
	),
	one('formats', 'a UUID', format('uuid'), {
		enter: '123e4567-e89b-12d3-a456-426614174000',
		sends: '123e4567-e89b-12d3-a456-426614174000',
		findings: ['format'],
	}),
	one('formats', 'no UUID', format('uuid'), {
		enter: '123',
		says: 'A UUID, like 123e4567-e89b-12d3-a456-426614174000.',
		findings: ['format'],
		inEditor: true,
	}),
	one('formats', 'a time', format('time'), {
		field: { entry: 'time' },
		enter: '14:30:00Z',
		sends: '14:30:00Z',
		findings: ['format'],
	}),
	one('formats', 'a time without an offset', format('time'), {
		enter: '14:30',
		says: 'A time with an offset, like 14:30:00Z or 14:30:00+02:00.',
		findings: ['format'],
	}),
	one('formats', 'a duration', format('duration'), { enter: 'P1DT2H', sends: 'P1DT2H', findings: ['format'] }),
	one('formats', 'no duration', format('duration'), {
		enter: '5 minutes',
		says: 'A duration, like P1DT2H30M or PT15M.',
		findings: ['format'],
	}),
	one('formats', 'an IPv4 address', format('ipv4'), {
		enter: '256.1.1.1',
		says: 'An IPv4 address, like 192.0.2.1.',
		findings: ['format'],
	}),
	one('formats', 'an IPv6 address', format('ipv6'), {
		enter: '2001:db8::1',
		sends: '2001:db8::1',
		findings: ['format'],
	}),
	one('formats', 'a host name', format('hostname'), {
		enter: 'a_b',
		says: 'A host name, like www.example.com.',
		findings: ['format'],
	}),
	one('formats', 'a regular expression', format('regex'), {
		enter: '(',
		says: 'A regular expression.',
		findings: ['format'],
	}),
	one('formats', 'one that nobody knows', format('postcode'), {
		field: { kind: 'text', entry: 'line' },
		enter: 'SW1A 1AA',
		sends: 'SW1A 1AA',
		findings: ['unknown-format'],
		inEditor: true,
	}),
	one(
		'formats',
		'a format beside a pattern: both count',
		{ ...format('email'), pattern: '@corp\\.example$' },
		{
			enter: 'a@b.example',
			says: 'Must match the pattern @corp\\.example$.',
		},
	),
	one(
		'password',
		'the format',
		{ ...format('password'), title: 'Passphrase' },
		{
			field: { kind: 'text', entry: 'password' },
			enter: 'hunter2',
			sends: 'hunter2',
			findings: ['format', 'sensitive'],
			inEditor: true,
		},
	),
	one(
		'password',
		'writeOnly',
		{ type: 'string', writeOnly: true },
		{
			field: { entry: 'password' },
			enter: 's3 cret ',
			sends: 's3 cret ',
			findings: ['keyword', 'sensitive'],
		},
	),
	one(
		'password',
		'an optional secret of a library',
		{ anyOf: [{ ...format('password'), writeOnly: true }, { type: 'null' }], default: null },
		{
			field: { entry: 'password', nullable: true },
			sends: nothing,
			findings: ['keyword', 'type', 'sensitive'],
		},
	),
	one(
		'multi-line',
		'a long text',
		{ type: 'string', maxLength: 201 },
		{
			field: { entry: 'area' },
			enter: 'one line',
			sends: 'one line',
		},
	),
	one(
		'multi-line',
		'a text of 200 is a line',
		{ type: 'string', maxLength: 200 },
		{
			field: { entry: 'line' },
			enter: 'x'.repeat(201),
			says: 'At most 200 characters; you have 201.',
		},
	),
	one('multi-line', 'Markdown', format('markdown'), {
		field: { entry: 'area' },
		enter: '# Title\n\n- [ ] item',
		sends: '# Title\n\n- [ ] item',
		findings: ['unknown-format'],
	}),
	one('multi-line', 'a text area', format('textarea'), {
		field: { entry: 'area' },
		sends: nothing,
		findings: ['unknown-format'],
	}),
	one(
		'multi-line',
		'a default of several lines, left alone',
		{ type: 'string', default: 'first\nsecond' },
		{
			field: { entry: 'area' },
			sends: 'first\nsecond',
			inEditor: true,
		},
	),
];

/** More than a user wants to see at once. */
export const large = [
	one(
		'large',
		'a text of 50,000 characters',
		{ type: 'string' },
		{ enter: '字'.repeat(50_000), sends: '字'.repeat(50_000) },
	),
	one(
		'large',
		'a text that is far too long',
		{ type: 'string', maxLength: 1_000 },
		{
			enter: 'x'.repeat(100_000),
			says: 'At most 1000 characters; you have 100,000.',
		},
	),
	one(
		'large',
		'ten choices are searched',
		{ type: 'string', enum: Array.from({ length: 10 }, (_, at) => `option ${at}`) },
		{
			enter: 'option 7',
			sends: 'option 7',
			inEditor: true,
		},
	),
	one(
		'large',
		'five thousand choices',
		{ type: 'string', enum: Array.from({ length: 5_000 }, (_, at) => `option ${at}`) },
		{
			enter: 'option 4999',
			sends: 'option 4999',
			inEditor: true,
		},
	),
	one(
		'large',
		'several among many',
		{ type: 'array', items: { type: 'string', enum: Array.from({ length: 40 }, (_, at) => `tag-${at}`) } },
		{
			enter: ['tag-39', 'tag-7'],
			sends: ['tag-7', 'tag-39'],
			inEditor: true,
		},
	),
	form(
		'large',
		'three hundred properties, one filled',
		object(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`p${at}`, { type: 'string' }]))),
		{ enter: [['p299', 'x']], content: { p299: 'x' } },
	),
	form(
		'large',
		'a hundred defaults',
		object(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, { type: 'integer', default: at }]))),
		{ content: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, at])) },
	),
];
