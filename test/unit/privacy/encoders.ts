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
export const base64 = (text: string) => Buffer.from(text).toString('base64');

/** What the libraries of a language make of a text. */
export const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
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
	'Python, shlex.quote': (text) => `'${text.replaceAll("'", `'"'"'`)}'`,
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
