import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, Secrets } from '../../../src/privacy/secrets.ts';
import { linesOf, maskedLog } from './maskedLog.ts';

function keeping(...values: string[]): Secrets {
	const secrets = new Secrets();
	secrets.add(values);
	return secrets;
}

describe('a secret', () => {
	it.each([
		['token s3cret!', `token ${REDACTED}`],
		['s3cret!s3cret!', `${REDACTED}${REDACTED}`],
		['nothing of it', 'nothing of it'],
		['', ''],
	])('is hidden in %j', (text, hidden) => {
		expect(keeping('s3cret!').hide(text)).toBe(hidden);
	});

	it('is hidden in the form in which it stands in a URL and in JSON, too', () => {
		const secrets = keeping('a/b "c"');
		expect(secrets.hide('https://h/?key=a%2Fb%20%22c%22&x')).toBe(`https://h/?key=${REDACTED}&x`);
		expect(secrets.hide('{"key":"a/b \\"c\\""}')).toBe(`{"key":"${REDACTED}"}`);
	});

	it('is hidden whole when another one is a part of it', () => {
		expect(keeping('part', 'the whole part').hide('the whole part, part')).toBe(`${REDACTED}, ${REDACTED}`);
	});

	it('of several lines is hidden line by line, as programs log it', () => {
		const secrets = new Secrets();
		secrets.add(['{\r\n  "private_key_id": "0123456789abcdef",\n  "a": 1\n}']);
		expect(secrets.hide('\t"private_key_id": "0123456789abcdef",')).toBe(`\t${REDACTED}`);
		expect(secrets.hide('"a": 1 }')).toBe('"a": 1 }');
	});

	it('that is short is hidden only where it stands alone', () => {
		const secrets = keeping('42');
		expect(secrets.hide('PIN 42, port 4242, a42')).toBe(`PIN ${REDACTED}, port 4242, a42`);
		expect(keeping('4711').hide('PIN 4711, port 47110')).toBe(`PIN ${REDACTED}, port ${REDACTED}0`);
	});

	it('stays hidden when there are new ones', () => {
		const secrets = keeping('first');
		secrets.add(['second', '', ' ']);
		expect(secrets.hide('first second third  ')).toBe(`${REDACTED} ${REDACTED} third  `);
	});

	it('that is very long is hidden as well, and one that is a part of it', () => {
		const long = 'long & '.repeat(1_000);
		const secrets = keeping('long', long);
		expect(secrets.hide(`${long}, long; key=${encodeURIComponent(long)}`)).toBe(
			`${REDACTED}, ${REDACTED}; key=${REDACTED}`,
		);
		expect(keeping(long).hide(long)).toBe(REDACTED);
	});

	it('whose end a truncated text lacks is hidden as far as it goes', () => {
		const secrets = keeping('planted & more', 'p');
		expect(secrets.hideIn(['It is planted & m…', 'It is planted%20%26%20m…‹+7›', 'It is pla…', 'It is plan…'])).toEqual(
			[`It is ${REDACTED}…`, `It is ${REDACTED}…‹+7›`, 'It is pla…', `It is ${REDACTED}…`],
		);
		expect(secrets.hideCut('It is planted & m')).toBe('It is planted & m');
	});

	it('is forgotten where their number or length is bounded: the oldest first, and never for one that is too long', () => {
		const few = new Secrets(2);
		few.add(['first', 'second']);
		few.add(['third', 'third']);
		expect(few.hide('first second third')).toBe(`first ${REDACTED} ${REDACTED}`);
		const short = new Secrets(9, 50);
		short.add(['first', 'other', 'much too long']);
		expect(short.hide('first other much too long')).toBe(`${REDACTED} ${REDACTED} much too long`);
		short.add(['x-y']);
		short.add(['ab']);
		expect(short.hide('first other x-y ab')).toBe(`first ${REDACTED} ${REDACTED} ${REDACTED}`);
		short.add(['x-y', 'x-y', 'x-y']);
		expect(short.hide('other x-y ab')).toBe(`${REDACTED} ${REDACTED} ${REDACTED}`);
		short.add(['ten of all']);
		expect(short.hide('other x-y ten of all')).toBe(`other x-y ${REDACTED}`);
	});

	it('may be of any characters', () => {
		expect(keeping('$(a|b)*[c]{2}\\^.?+/-').hide('x$(a|b)*[c]{2}\\^.?+/-x')).toBe(`x${REDACTED}x`);
		expect(keeping('密码密码', '\ud800abc').hide('密码密码 \ud800abc')).toBe(`${REDACTED} ${REDACTED}`);
	});
});

describe('what holds secrets', () => {
	it('is copied without them, and left alone where there are none', () => {
		const secrets = keeping('s3cret');
		const clean = { a: [1, null, 'x', { b: true }] };
		expect(secrets.hideIn(clean)).toBe(clean);
		const value = { a: ['x s3cret', { s3cret: 's3cret' }], b: clean };
		const hidden = secrets.hideIn(value);
		expect(JSON.stringify(hidden)).toBe(JSON.stringify({ a: [`x ${REDACTED}`, { [REDACTED]: REDACTED }], b: clean }));
		expect(hidden.b).toBe(clean);
		expect(JSON.stringify(value)).toContain('s3cret');
		expect(secrets.hideIn({ a: { s3cret: 1 } })).toEqual({ a: { [REDACTED]: 1 } });
	});

	it('shows none, however it is nested', () => {
		const secrets = keeping('planted');
		fc.assert(
			fc.property(fc.jsonValue(), fc.array(fc.string()), (value, path) => {
				const nested = path.reduce<unknown>((inner, name) => ({ [name]: inner, list: [inner, value] }), 'a planted b');
				const hidden = secrets.hideIn(nested);
				expect(JSON.stringify(hidden)).not.toContain('planted');
				expect(JSON.stringify(hidden).replaceAll(REDACTED, 'planted')).toBe(JSON.stringify(nested));
			}),
		);
	});

	it('costs nothing while there are none', () => {
		const value = { a: 'b' };
		expect(new Secrets().hideIn(value)).toBe(value);
		expect(new Secrets().hide('a')).toBe('a');
	});
});

it('the trace never holds a secret, nor does its export', () => {
	const trace = maskedLog(() => 10);
	trace.privacy.configured.add(['planted-secret']);
	const message = { id: 1, result: { text: 'I am planted-secret.' } };
	trace.add({ server: 'it', direction: 'received', message });
	expect(JSON.stringify(trace.entries)).not.toContain('planted-secret');
	expect(linesOf(trace)).toMatchObject([{ message: { result: { text: `I am ${REDACTED}.` } } }]);
	expect(message.result.text).toBe('I am planted-secret.');
});
