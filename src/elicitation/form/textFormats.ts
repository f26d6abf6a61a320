import { localizable, type Sentence } from '../sentence.ts';

/** How a text is entered. `area` is multi-line; `password` is masked. */
export type TextEntry = 'line' | 'area' | 'email' | 'uri' | 'date' | 'date-time' | 'time' | 'password';

/** What is known of a format of texts. */
export interface TextFormat {
	/** How its texts are entered, unless in one line. */
	readonly entry?: TextEntry;
	/** What a control of its own can hold. Where there is none, the words say how it is typed. */
	readonly enterable?: RegExp;
	/** Whether it is checked: one of the specification (2025-11-25, "Requested Schema"), or another one. */
	readonly checked?: 'specified' | 'other';
	/** A short text that fits. */
	readonly example?: string;
	/** What a text should have been that does not fit. */
	readonly words?: Sentence;
	/** What is said before, unless the words of the server say the same. */
	readonly hint?: readonly [Sentence, said: RegExp];
}

const EMAIL = {
	entry: 'email',
	example: 'a@example.com',
	hint: [localizable('An email address.'), /e-?mail|邮箱|邮件/i],
} satisfies TextFormat;
const URI = {
	entry: 'uri',
	example: 'https://example.com/',
	hint: [localizable('A full URL, such as https://example.com.'), /https?:\/\//i],
} satisfies TextFormat;
const URI_WORDS = localizable('A full URL, like https://example.com/page.');
const LINES = { entry: 'area' } satisfies TextFormat;

/** The formats that are known here. */
export const TEXT_FORMATS: ReadonlyMap<string, TextFormat> = new Map<string, TextFormat>([
	['email', { ...EMAIL, checked: 'specified', words: localizable('An email address, like name@example.com.') }],
	['idn-email', EMAIL],
	['uri', { ...URI, checked: 'specified', words: URI_WORDS }],
	['url', { ...URI, checked: 'other', words: URI_WORDS }],
	['iri', URI],
	[
		'date',
		{
			entry: 'date',
			enterable: /^\d{4}-\d\d-\d\d$/,
			checked: 'specified',
			example: '2000-01-01',
			words: localizable('A date, like 2026-03-31.'),
		},
	],
	[
		'date-time',
		{
			entry: 'date-time',
			enterable: /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/,
			checked: 'specified',
			example: '2000-01-01T00:00:00Z',
			words: localizable('A date and time with an offset, like 2026-03-31T14:30:00+02:00.'),
		},
	],
	[
		'time',
		{
			entry: 'time',
			enterable: /^\d\d:\d\d/,
			checked: 'other',
			example: '00:00:00Z',
			words: localizable('A time with an offset, like 14:30:00Z or 14:30:00+02:00.'),
		},
	],
	['password', { entry: 'password', checked: 'other' }],
	['markdown', LINES],
	['textarea', LINES],
	['multiline', LINES],
	['multi-line', LINES],
	['iso-time', { checked: 'other', example: '00:00:00', words: localizable('A time, like 14:30:00.') }],
	[
		'iso-date-time',
		{
			checked: 'other',
			example: '2000-01-01T00:00:00',
			words: localizable('A date and time, like 2026-03-31T14:30:00.'),
		},
	],
	['duration', { checked: 'other', example: 'P1D', words: localizable('A duration, like P1DT2H30M or PT15M.') }],
	[
		'uuid',
		{
			checked: 'other',
			example: '00000000-0000-4000-8000-000000000000',
			words: localizable('A UUID, like 123e4567-e89b-12d3-a456-426614174000.'),
		},
	],
	['ipv4', { checked: 'other', example: '127.0.0.1', words: localizable('An IPv4 address, like 192.0.2.1.') }],
	['ipv6', { checked: 'other', example: '::1', words: localizable('An IPv6 address, like 2001:db8::1.') }],
	['hostname', { checked: 'other', example: 'example.com', words: localizable('A host name, like www.example.com.') }],
	['regex', { checked: 'other', example: 'a', words: localizable('A regular expression.') }],
	['uri-reference', { checked: 'other', example: '/a', words: localizable('A URL or a part of one, like /page?x=1.') }],
	['uri-template', { checked: 'other', words: localizable('A URL template, like /users/{id}.') }],
	['json-pointer', { checked: 'other', example: '/a', words: localizable('A JSON pointer, like /a/b.') }],
	['json-pointer-uri-fragment', { checked: 'other', example: '#/a' }],
	[
		'relative-json-pointer',
		{ checked: 'other', example: '0', words: localizable('A relative JSON pointer, like 1/a.') },
	],
	['byte', { checked: 'other', words: localizable('Base64, like SGVsbG8=.') }],
	['int32', { checked: 'other', words: localizable('A 32-bit whole number.') }],
	['int64', { checked: 'other', words: localizable('A 64-bit whole number.') }],
	['float', { checked: 'other' }],
	['double', { checked: 'other' }],
	['binary', { checked: 'other' }],
]);

/** The format that decides how a text is entered, if one does. */
export function entryFormat({ entry, format = '' }: { entry: TextEntry; format?: string }): TextFormat | undefined {
	const known = TEXT_FORMATS.get(format);
	return known?.entry === entry ? known : undefined;
}
