import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED } from '../../../src/trace/redact.ts';
import { Secrets } from '../../../src/trace/secrets.ts';
import { runs } from '../../nightly.ts';

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
const units = (text: string, spell: (code: number, unit: string) => string) =>
	text
		.split('')
		.map((unit) => spell(unit.charCodeAt(0), unit))
		.join('');
const characters = (text: string, spell: (code: number, character: string) => string) =>
	Array.from(text, (character) => spell(character.codePointAt(0) ?? 0, character)).join('');
const bytes = (text: string, spell: (byte: number, character: string) => string) =>
	Array.from(Buffer.from(text), (byte) => spell(byte, String.fromCharCode(byte))).join('');
const json = (text: string) => JSON.stringify(text);
const isAscii = (code: number) => code >= 0x20 && code < 0x7f;
const beyondAscii = (text: string) => units(text, (code, unit) => (code < 0x7f ? unit : `\\u${hex(code, 4)}`));
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** What the libraries of a language make of a text. */
const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
	'a program that prints it': (text) => text,
	'JavaScript, JSON.stringify': json,
	'JavaScript, encodeURIComponent': encodeURIComponent,
	'JavaScript, escape': (text) =>
		units(text, (code, unit) =>
			/[\w@*_+./-]/.test(unit) ? unit : code < 256 ? `%${hex(code, 2)}` : `%u${hex(code, 4)}`,
		),
	'JavaScript, URLSearchParams': (text) => new URLSearchParams({ q: text }).toString().slice(2),
	'JavaScript, JSON in JSON': (text) => json(json(text)),
	'JavaScript, JSON in a URL': (text) => encodeURIComponent(json(text)),
	'JavaScript, a URL in a URL': (text) => encodeURIComponent(encodeURIComponent(text)),
	'Python, json.dumps': (text) => beyondAscii(json(text)),
	'Python, urllib.parse.quote': (text) =>
		bytes(text, (byte, character) => (/[\w.~/-]/.test(character) ? character : `%${hex(byte, 2).toUpperCase()}`)),
	'Python, ascii': (text) =>
		characters(text, (code, character) =>
			"\\'".includes(character)
				? `\\${character}`
				: isAscii(code)
					? character
					: code < 0x100
						? `\\x${hex(code, 2)}`
						: code < 0x10000
							? `\\u${hex(code, 4)}`
							: `\\U${hex(code, 8)}`,
		),
	'Python, repr of bytes': (text) =>
		bytes(text, (byte, character) =>
			"\\'".includes(character) ? `\\${character}` : isAscii(byte) ? character : `\\x${hex(byte, 2)}`,
		),
	'Go, json.Marshal': (text) =>
		json(text).replace(/[<>&\u2028\u2029]/g, (found) => `\\u${hex(found.charCodeAt(0), 4)}`),
	'PHP, json_encode': (text) => beyondAscii(json(text)).replaceAll('/', '\\/'),
	'PHP, htmlentities': (text) =>
		text.replace(/[&<>"'äöüßéñ]/g, (found) => `&${ENTITIES[found] ?? `#${found.charCodeAt(0)}`};`),
	'C#, JsonSerializer': (text) =>
		units(text, (code, unit) => (/[\w ]/.test(unit) ? unit : `\\u${hex(code, 4).toUpperCase()}`)),
	'C#, HttpUtility.UrlEncode': (text) =>
		bytes(text, (byte, character) =>
			character === ' ' ? '+' : /[\w!()*.-]/.test(character) ? character : `%${hex(byte, 2)}`,
		),
	'Java, URLEncoder': (text) =>
		bytes(text, (byte, character) =>
			character === ' ' ? '+' : /[\w*.-]/.test(character) ? character : `%${hex(byte, 2).toUpperCase()}`,
		),
	'Ruby, CGI.escapeHTML': (text) => text.replace(/[&<>"']/g, (found) => `&${ENTITIES[found] ?? '#39'};`),
	'XML with numbers': (text) =>
		characters(text, (code, character) => (isAscii(code) && character !== '&' ? character : `&#x${hex(code, 2)};`)),
	'Rust, escape_unicode': (text) => characters(text, (code) => `\\u{${hex(code, 1)}}`),
	'a shell, in quotes': (text) => `'${text.replaceAll("'", "'\\''")}'`,
	'Bash, printf %q': (text) =>
		`$'${bytes(text, (byte, character) =>
			"\\'".includes(character)
				? `\\${character}`
				: isAscii(byte)
					? character
					: `\\${byte.toString(8).padStart(3, '0')}`,
		)}'`,
	'SQL, in quotes': (text) => `'${text.replaceAll("'", "''")}'`,
	'CSV, in quotes': (text) => `"${text.replaceAll('"', '""')}"`,
	'Swift, decomposed': (text) => text.normalize('NFD'),
	'Swift, composed': (text) => text.normalize('NFC'),
	base64: base64,
	'base64, one byte later': (text) => base64(`:${text}`),
	'base64, two bytes later, in a URL': (text) => Buffer.from(`u:${text}@`).toString('base64url'),
	'base64 in a URL': (text) => encodeURIComponent(base64(`user:${text}`)),
};

const ENTITIES: Readonly<Record<string, string>> = {
	...{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' },
	...{ ä: 'auml', ö: 'ouml', ü: 'uuml', ß: 'szlig', é: 'eacute', ñ: 'ntilde' },
};

const secret = fc
	.oneof(
		fc.string({ unit: 'grapheme', minLength: 4, maxLength: 20 }),
		fc.string({ unit: 'binary', minLength: 4, maxLength: 20 }),
		fc.string({ unit: fc.constantFrom(...'aB1\\%&+ "\'/äé=-_\n;#uxn04'), minLength: 4, maxLength: 20 }),
	)
	.filter((text) => text.trim().length >= 4 && !/\p{Cs}/u.test(text));

describe('a secret is hidden as it is written by', () => {
	it.each(Object.entries(ENCODERS))('%s', (name, encode) => {
		fc.assert(
			fc.property(secret, (text) => {
				const secrets = new Secrets();
				secrets.add([text]);
				const hidden = secrets.hide(`before ${encode(text)} after`);
				expect(hidden).toContain(REDACTED);
				if (!name.startsWith('base64')) {
					// Its quotes, and one of its own at its end, may be left.
					expect(hidden.replace(/^before|after$/g, '').length).toBeLessThanOrEqual(REDACTED.length + 14);
				}
			}),
			{ numRuns: runs(1_000) },
		);
	});

	it.each([
		['JSON', 'Grün&Blau!7', '{"you": "Gr\\u00fcn&Blau!7"}', `{"you": "${REDACTED}"}`],
		['JSON, of a number', '483920', '{"pin":483920}', `{"pin":${REDACTED}}`],
		['a URL', 'a/b "c"', 'https://h/?key=a%2fb+%22c%22&x', `https://h/?key=${REDACTED}&x`],
		['a header', 'p:ss', `Basic ${base64('user:p:ss')}`, `Basic dXNlcjp${REDACTED}`],
	])('%s, and nothing else', (_, text, written, hidden) => {
		const secrets = new Secrets();
		secrets.add([text]);
		expect(secrets.hide(written)).toBe(hidden);
	});

	it.each([483_920, 483_920.5, -483_920])('JSON as the number %d', (number) => {
		const secrets = new Secrets();
		secrets.add([String(number), '12']);
		expect(secrets.hideIn({ n: [number, 12, 483_921] })).toEqual({ n: [REDACTED, 12, 483_921] });
	});
});

it('the beginning of a secret is hidden where a text was cut, in the middle of an escape, too', () => {
	const secrets = new Secrets();
	secrets.add(['Grün & Blau']);
	const cut = ['Gr%C3%BCn%2…', 'Gr%C3…', 'Grün \\u00…‹+9›', 'Gr&uum…'].map((text) => secrets.hideCut(`is ${text}`));
	expect(cut).toEqual([`is ${REDACTED}…`, 'is Gr%C3…', `is ${REDACTED}…‹+9›`, 'is Gr&uum…']);
});
