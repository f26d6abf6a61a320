import { formatNames } from 'ajv-formats/dist/formats.js';
import { describe, expect, it } from 'vitest';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import { blockedBy, findingsAmong, findingsOf } from '../../../../src/elicitation/findings/findings.ts';
import { mentionsSecret, sensitiveFields } from '../../../../src/elicitation/findings/sensitive.ts';
import { fieldsOf } from '../../../../src/elicitation/form/readFields.ts';
import type { Json, JsonObject } from '../../../../src/elicitation/json.ts';
import { Registry } from '../../../../src/elicitation/registry.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';

function params(requestedSchema: unknown, message = 'Please.'): JsonObject {
	return { message, requestedSchema: requestedSchema as Json };
}

function form(properties: unknown, rest: JsonObject = {}): JsonObject {
	return params({ type: 'object', properties: properties as Json, ...rest });
}

function rules(request: JsonObject, revision?: string): string[] {
	return findingsOf(request, revision).map(({ rule, pointer }) => `${rule} ${pointer}`);
}

describe('findingsOf: no findings for what the specification allows', () => {
	it.each<[string, unknown]>([
		[
			'text',
			{ type: 'string', title: 'T', description: 'D', minLength: 1, maxLength: 9, pattern: 'a', default: 'abc' },
		],
		['formats', { type: 'string', format: 'date-time' }],
		['number', { type: 'number', minimum: 0, maximum: 1, default: 0 }],
		['boolean', { type: 'boolean', default: false }],
		['enum', { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'], default: 'a' }],
		['oneOf', { type: 'string', oneOf: [{ const: 'a', title: 'A' }] }],
		['choices', { type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1, maxItems: 1, default: ['a'] }],
		['titled choices', { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }],
	])('%s', (_, property) => {
		const request = form(
			{ p: property },
			{ required: ['p'], title: 'T', $schema: 'https://json-schema.org/draft/2020-12/schema' },
		);
		expect(rules(request, '2025-11-25')).toEqual([]);
		expect(blockedBy(request)).toBeUndefined();
	});
});

describe('findingsOf: spec violations', () => {
	const P = '/requestedSchema/properties/p';

	it.each<[string, JsonObject, string]>([
		['the alias', { message: 'm', schema: { type: 'object', properties: {} } }, 'schema-alias /schema'],
		['no type at the root', params({ properties: {} }), 'root-type /requestedSchema'],
		['no properties', params({ type: 'object' }), 'no-properties /requestedSchema'],
		['definitions', form({}, { $defs: {} }), 'root-keyword /requestedSchema'],
		['$async', form({}, { $async: true }), 'root-keyword /requestedSchema'],
		['required: null', form({}, { required: null }), 'required-type /requestedSchema/required'],
		['required names nothing', form({}, { required: ['x'] }), 'required-absent /requestedSchema/required'],
		['nested object', form({ p: { type: 'object' } }), `not-primitive ${P}`],
		['free list', form({ p: { type: 'array', items: { type: 'string' } } }), `not-primitive ${P}`],
		['null in the type', form({ p: { type: ['string', 'null'] } }), `type ${P}`],
		['anyOf with null', form({ p: { anyOf: [{ type: 'string' }, { type: 'null' }] } }), `keyword ${P}`],
		['reference', form({ p: { $ref: '#/$defs/x' } }), `keyword ${P}`],
		['exclusive bound', form({ p: { type: 'number', exclusiveMinimum: 0 } }), `keyword ${P}`],
		['const', form({ p: { type: 'string', const: 'x' } }), `keyword ${P}`],
		['bound as text', form({ p: { type: 'string', minLength: '3' } }), `malformed-keyword ${P}`],
		['enumNames shorter', form({ p: { type: 'string', enum: ['a', 'b'], enumNames: ['A'] } }), `enum-names ${P}`],
		['duplicate values', form({ p: { type: 'string', enum: ['a', 'a'] } }), `duplicate-option ${P}`],
		[
			'duplicate titles',
			form({
				p: {
					type: 'string',
					oneOf: [
						{ const: 'a', title: 'X' },
						{ const: 'b', title: 'X' },
					],
				},
			}),
			`duplicate-option ${P}`,
		],
		['format beyond the specification', form({ p: { type: 'string', format: 'uuid' } }), `format ${P}`],
		['unknown format', form({ p: { type: 'string', format: 'zip' } }), `unknown-format ${P}`],
		['default of another type', form({ p: { type: 'number', default: '3' } }), `default ${P}`],
		['default that is no member', form({ p: { type: 'string', enum: ['a'], default: 'z' } }), `default ${P}`],
		['default too long', form({ p: { type: 'string', maxLength: 1, default: '💩💩' } }), `default ${P}`],
		['default below the minimum', form({ p: { type: 'number', minimum: 1, default: 0 } }), `default ${P}`],
		[
			'default on the exclusive bound',
			form({ p: { type: 'number', exclusiveMaximum: 1, default: 1 } }),
			`default ${P}`,
		],
		['fraction as an integer', form({ p: { type: 'integer', default: 1.5 } }), `default ${P}`],
		[
			'default with too many options',
			form({ p: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1, default: ['a', 'b'] } }),
			`default ${P}`,
		],
		['constant with another default', form({ p: { const: 1, default: 2 } }), `default ${P}`],
		['min above max', form({ p: { type: 'number', minimum: 2, maximum: 1 } }), `contradiction ${P}`],
		['a negative maximum length', form({ p: { type: 'string', maxLength: -1 } }), `contradiction ${P}`],
		[
			'a negative maximum of entries',
			form({ p: { type: 'array', items: { type: 'string' }, maxItems: -1 } }),
			`contradiction ${P}`,
		],
		[
			'a negative maximum of choices',
			form({ p: { type: 'array', items: { enum: ['a'] }, maxItems: -1 } }),
			`contradiction ${P}`,
		],
		['an empty name', form({ '': { type: 'string' } }), 'odd-name /requestedSchema/properties/'],
		['an invisible name', form({ 'a\u202e': { type: 'string' } }), 'odd-name /requestedSchema/properties/a\u202e'],
		['a name with a slash', form({ 'a/b': { type: 'object' } }), 'not-primitive /requestedSchema/properties/a~1b'],
	])('%s', (_, request, expected) => {
		expect(rules(request)).toContain(expected);
	});

	it('a default on the length of one astral character is fine', () => {
		expect(rules(form({ p: { type: 'string', maxLength: 1, default: '💩' } }))).toEqual([]);
	});

	it('knows what revision 2025-06-18 lacks', () => {
		const P = '/requestedSchema/properties/p';
		expect(rules(form({ p: { type: 'string', default: 'x' } }), '2025-06-18')).toEqual([`too-new ${P}`]);
		expect(rules(form({ p: { type: 'array', items: { enum: ['x'] } } }), '2025-06-18')).toEqual([`too-new ${P}`]);
		expect(rules(form({ p: { type: 'boolean', default: true } }), '2025-06-18')).toEqual([]);
		expect(rules({ ...form({}), mode: 'form' }, '2025-06-18')).toEqual(['mode-too-new /mode']);
	});

	it('U13 URL mode by revision', () => {
		const url = { mode: 'url', message: 'm', url: 'https://example.com' };
		expect(rules(url, '2025-06-18')).toEqual(['mode-too-new /mode']);
		expect(rules(url, '2025-11-25')).toEqual(['no-elicitation-id ']);
		expect(rules({ ...url, elicitationId: 'x' }, '2025-11-25')).toEqual([]);
		expect(rules(url, '2026-07-28')).toEqual([]);
		expect(rules({ ...url, elicitationId: 'x' }, '2026-07-28')).toEqual(['elicitation-id /elicitationId']);
		expect(rules({ ...url, requestedSchema: {} })).toEqual(['schema-in-url-mode /requestedSchema']);
	});

	it('null in place of an absent member', () => {
		expect(rules({ ...form({}), mode: null, task: null }, '2025-06-18')).toEqual(['null /mode', 'null /task']);
		const url = { mode: 'url', message: 'm', url: 'https://example.com', elicitationId: null };
		expect(rules(url, '2025-11-25')).toEqual(['null /elicitationId', 'no-elicitation-id ']);
	});

	it('comes to an end with a hundred thousand options', () => {
		const options = Array.from({ length: 100_000 }, (_, i) => ({ const: `v${i}`, title: `V ${i}` }));
		expect(rules(form({ p: { type: 'string', oneOf: options } }))).toEqual([]);
	});
});

it.each(formatNames)('the format %s, which is checked here, is not said to be unchecked', (format) => {
	expect(rules(form({ p: { type: 'string', format } }))).not.toContain('unknown-format /requestedSchema/properties/p');
});

describe('secrets (F16)', () => {
	it.each([
		'password',
		'Password',
		'user_password',
		'newPassword',
		'PASSWD',
		'db-pwd',
		'passphrase',
		'apiKey',
		'API_KEY',
		'api key',
		'APIKey',
		'apikey',
		'secret',
		'clientSecret',
		'client_secret',
		'token',
		'access_token',
		'githubToken',
		'GITHUB_TOKEN',
		'bearer token',
		'private_key',
		'SSH key',
		'AWS access key',
		'credit card',
		'cardNumber',
		'CVV',
		'cvc',
		'ssn',
		'Social Security Number',
		'PIN',
		'otp',
		'One-time code',
		'verification code',
		'credentials',
		'seed phrase',
		'passport number',
		'IBAN',
		'ｐａｓｓｗｏｒｄ',
		'密码',
		'请输入密码',
		'登录密碼',
		'API密钥',
		'访问令牌',
		'身份证号',
		'银行卡号',
		'短信验证码',
	])('%s is one', (name) => {
		expect(mentionsSecret(name)).toBe(true);
	});

	it.each([
		'tokenizer',
		'max_tokens',
		'maxTokens',
		'tokens',
		'token_count',
		'tokenLimit',
		'max token',
		'tokenType',
		'token name',
		'secret_name',
		'secretRef',
		'password_policy',
		'passwordLength',
		'passwordless',
		'passport',
		'compass',
		'secretary',
		'keyboard',
		'key',
		'api',
		'card',
		'cardinality',
		'pinned',
		'pinCode',
		'spin',
		'code',
		'name',
		'email',
		'monkey',
		'description',
		'apiKeyName',
		'private_key_path',
		'author',
		'姓名',
		'密度',
		'',
	])('%s is none', (name) => {
		expect(mentionsSecret(name)).toBe(false);
	});

	it('looks at names, titles and masked fields, and only where something is entered', () => {
		const fields = fieldsOf({
			properties: {
				a: { type: 'string', title: 'Password' },
				b: { type: 'string', format: 'password' },
				c: { type: 'boolean', title: 'Remember password' },
				secret: { const: 'x' },
				pin: { type: 'integer' },
				d: { type: 'string', title: 'City', description: 'Not your password' },
				token: { enum: ['BTC'] },
			},
		});
		expect(sensitiveFields(fields)).toEqual([0, 1, 4]);
	});

	it('is a finding of its own with a pointer', () => {
		expect(findingsOf(form({ api_key: { type: 'string' } }), undefined)).toMatchObject([
			{ rule: 'sensitive', severity: 'warning', pointer: '/requestedSchema/properties/api_key' },
		]);
	});

	it.each<[string, boolean]>([
		['Please enter your password to continue.', true],
		['Paste the API key here', true],
		['请输入您的密码', true],
		['Delete the secret from the vault?', false],
		['The token was revoked. Enter a reason.', false],
	])('the message %j asks for one: %s', (message, expected) => {
		const request = params({ type: 'object', properties: { value: { type: 'string' } } }, message);
		expect(rules(request).includes('sensitive /message')).toBe(expected);
	});

	it('a message asks for nothing where there is nothing to enter', () => {
		expect(
			rules(params({ type: 'object', properties: { ok: { type: 'boolean' } } }, 'Enter the password now?')),
		).toEqual([]);
	});
});

describe('blockedBy', () => {
	function why(request: JsonObject): string | undefined {
		const sentence = blockedBy(request);
		return sentence && render(sentence, english);
	}

	it.each<[string, JsonObject, RegExp]>([
		[
			'required names nothing',
			form({ a: { type: 'string' } }, { required: ['a', 'b'], additionalProperties: false }),
			/requires "b"/,
		],
		['required names a prototype', form({}, { required: ['constructor'] }), /requires "constructor"/],
		['no properties but required', params({ type: 'object', required: ['b'] }), /requires "b"/],
		[
			'more than there is to choose',
			form({ p: { type: 'array', items: { enum: ['a'] }, minItems: 2 } }, { required: ['p'] }),
			/At least 2 of 1 must be chosen/,
		],
		[
			'lengths',
			form({ p: { type: 'string', minLength: 5, maxLength: 2 } }, { required: ['p'] }),
			/minimum length is 5, the maximum length 2/,
		],
		[
			'range',
			form({ p: { type: 'number', minimum: 5, maximum: 2 } }, { required: ['p'] }),
			/Not below 5 and not above 2/,
		],
		[
			'exclusive range',
			form({ p: { type: 'number', exclusiveMinimum: 5, maximum: 5 } }, { required: ['p'] }),
			/Not below 5/,
		],
		[
			'no whole number',
			form({ p: { type: 'integer', minimum: 0.2, maximum: 0.8 } }, { required: ['p'] }),
			/no whole number/,
		],
		[
			'no whole number between exclusive ones',
			form({ p: { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 } }, { required: ['p'] }),
			/no whole number/,
		],
		[
			'entries',
			form({ p: { type: 'array', items: { type: 'string' }, minItems: 3, maxItems: 1 } }, { required: ['p'] }),
			/minimum number of entries is 3, the maximum 1/,
		],
		['an empty enum', form({ p: { enum: [] } }, { required: ['p'] }), /empty/],
		['false', form({ p: false }, { required: ['p'] }), /no value/],
		['the alias too', { message: 'm', schema: { type: 'object', required: ['b'] } }, /requires "b"/],
	])('%s', (_, request, expected) => {
		expect(why(request)).toMatch(expected);
	});

	it.each<[string, JsonObject]>([
		['an optional contradiction', form({ p: { type: 'number', minimum: 5, maximum: 2 } })],
		['null is an answer', form({ p: { type: ['number', 'null'], minimum: 5, maximum: 2 } }, { required: ['p'] })],
		['required: null', form({}, { required: null })],
		['one number', form({ p: { type: 'integer', minimum: 1, maximum: 1 } }, { required: ['p'] })],
		['no bounds', form({ p: { type: 'integer' } }, { required: ['p'] })],
		[
			'a property from a reference',
			params({ $ref: '#/$defs/A', $defs: { A: { properties: { a: { type: 'string' } }, required: ['a'] } } }),
		],
		['URL mode', { mode: 'url', message: 'm', url: 'x', requestedSchema: { required: ['a'] } }],
	])('not by %s', (_, request) => {
		expect(why(request)).toBeUndefined();
	});
});

describe('an elicitationId that the server has given before (fault 3)', () => {
	const registry = new Registry({ validate: async () => ({ status: 'valid' }) }, () => 30);
	const add = (elicitationId: string, connection = 'c') =>
		registry.add(
			{ mode: 'url', message: 'A', url: 'https://example.com/', elicitationId },
			{
				server: 's',
				connection,
				intake: 'request',
				revision: '2025-11-25',
				calls: [],
				params: { mode: 'url', elicitationId },
			},
		);
	const rules = (elicitation: Elicitation) =>
		findingsAmong(elicitation, registry.urlIds).map(({ rule, pointer }) => [rule, pointer]);

	it('is a finding, on the same connection only', () => {
		expect(rules(add('a'))).toEqual([]);
		expect(rules(add('b'))).toEqual([]);
		expect(rules(add('a', 'another'))).toEqual([]);
		expect(rules(add('a'))).toEqual([['repeated-elicitation-id', '/elicitationId']]);
	});
});
