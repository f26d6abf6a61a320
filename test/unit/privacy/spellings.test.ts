import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, Secrets } from '../../../src/privacy/secrets.ts';
import { runs } from '../../nightly.ts';
import { base64, ENCODERS } from './encoders.ts';

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

	it.each([
		['483920', 483_920],
		['483920.5', 483_920.5],
		['-483920', -483_920],
		['0483920', 483_920],
		['4.8392e5', 483_920],
		['123456789012345678901234', Number('123456789012345678901234')],
	])('JSON as the number that %s is', (entered, number) => {
		const secrets = new Secrets();
		secrets.add([entered, '12', '0001']);
		expect(secrets.hideIn({ n: [number, 12, 1, 483_921] })).toEqual({ n: [REDACTED, 12, 1, 483_921] });
		expect(secrets.hide(JSON.stringify({ n: number }))).toBe(`{"n":${REDACTED}}`);
	});

	it('the name of a member, however it is written', () => {
		const secrets = new Secrets();
		secrets.add(['Grün&Blau!7']);
		expect(secrets.hideIn({ 'Gr%C3%BCn%26Blau!7': 1 })).toEqual({ [REDACTED]: 1 });
	});

	it.each([
		['several lines', 'first line\nother line', 'first line\\r\\nother line'],
		['lines that a log splits', `${'a'.repeat(20)}\n${'b'.repeat(20)}`, 'b'.repeat(20)],
		['three characters, as a word alone', 'ä&b', '"\\u00e4&amp;b"'],
		['escapes', '%41\\n&amp;', encodeURIComponent('%41\\n&amp;')],
		['escapes that are decoded', '%41\\n&amp;', 'A\n&'],
		['a backslash at its end', 'C:\\secret\\', '"C:\\\\secret\\\\"'],
		['what may be UTF-8', 'Ã¤bcd', '\\xc3\\xa4bcd'],
		['a data URL', 'planted', `data:text/plain;base64,${base64('it is planted here')}`],
	])('of %s', (_, text, written) => {
		const secrets = new Secrets();
		secrets.add([text]);
		expect(secrets.hide(`is ${written} there`)).toContain(REDACTED);
	});

	it('a secret of three characters is none in a word', () => {
		const secrets = new Secrets();
		secrets.add(['a&b']);
		expect(secrets.hide('xa&amp;bx a%26b')).toBe(`xa&amp;bx ${REDACTED}`);
	});
});

it('the beginning of a secret is hidden where a text was cut, in the middle of an escape, too', () => {
	const secrets = new Secrets();
	secrets.add(['Grün & Blau']);
	const cut = ['Gr%C3%BCn%2…', 'Gr%C3…', 'Grün \\u00…‹+9›', 'Gr&uum…'].map((text) => secrets.hideCut(`is ${text}`));
	expect(cut).toEqual([`is ${REDACTED}…`, 'is Gr%C3…', `is ${REDACTED}…‹+9›`, 'is Gr&uum…']);
});

describe('a text of 500 KB that a server has made hostile takes time in proportion to it', () => {
	const LENGTH = 500_000;
	const filled = (part: string) => part.repeat(Math.ceil(LENGTH / part.length)).slice(0, LENGTH);

	it.each([
		...['a', 'aaaa%41', '%41', '%252525252541', '%', '&', '&#97;', '\\', '\\u0061', 'ä', '한', "''", 'abcd'].map(
			filled,
		),
		...[`%${filled('25')}`, filled('\\x61bcd%26amp;'), `${filled('a').slice(30)}%25252541`, filled('%5c&ä\\"%')],
	])('%#', (text) => {
		const secrets = new Secrets();
		secrets.add(Array.from({ length: 40 }, (_, index) => 'a'.repeat(1_000) + index));
		secrets.add(['aaaa', 'abcd', 'Grün & Blau']);
		const time = process.cpuUsage();
		secrets.hideCut(`${text}…`);
		const { user, system } = process.cpuUsage(time);
		expect((user + system) / 1_000).toBeLessThan(500);
	});
});
