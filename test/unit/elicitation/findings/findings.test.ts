import { formatNames } from 'ajv-formats/dist/formats.js';
import { describe, expect, it } from 'vitest';
import type { Elicitation } from '../../../../src/elicitation/elicitation.ts';
import {
	blockedBy,
	findingsAmong,
	findingsOf,
	sensitiveFields,
} from '../../../../src/elicitation/findings/findings.ts';
import { fieldsOf } from '../../../../src/elicitation/form/readFields.ts';
import type { Json, JsonObject } from '../../../../src/elicitation/json.ts';
import { mentionsSecret } from '../../../../src/elicitation/secretNames.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { tableRows } from '../../../tableRows.ts';
import { World } from '../world.ts';

const rows = tableRows(import.meta.url);

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
	it.each<[string, unknown]>(rows('allowed'))('%s', (_, property) => {
		const request = form(
			{ p: property },
			{ required: ['p'], title: 'T', $schema: 'https://json-schema.org/draft/2020-12/schema' },
		);
		expect(rules(request, '2025-11-25')).toEqual([]);
		expect(blockedBy(request)).toBeUndefined();
	});
});

describe('findingsOf: spec violations', () => {
	it.each<[string, Json, string]>(rows('violations'))('%s', (_, schema, expected) => {
		expect(rules(params(schema))).toContain(expected);
	});

	it('the alias', () => {
		const schema = { type: 'object', properties: {} };
		expect(rules({ message: 'm', schema })).toEqual(['schema-alias /schema']);
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
	it.each<string>(rows('secrets'))('%s is one', (name) => {
		expect(mentionsSecret(name)).toBe(true);
	});

	it.each<string>(rows('noSecrets'))('%s is none', (name) => {
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

	it.each<[string, Json, string]>(rows('blocked'))('%s', (_, schema, expected) => {
		expect(why(params(schema))).toMatch(new RegExp(expected));
	});

	it('the alias too', () => {
		expect(why({ message: 'm', schema: { type: 'object', required: ['b'] } })).toMatch(/requires "b"/);
	});

	it.each<[string, Json]>(rows('notBlocked'))('not by %s', (_, schema) => {
		expect(why(params(schema))).toBeUndefined();
	});

	it('not in URL mode', () => {
		expect(why({ mode: 'url', message: 'm', url: 'x', requestedSchema: { required: ['a'] } })).toBeUndefined();
	});
});

describe('an elicitationId that the server has given before (fault 3)', () => {
	const world = new World();
	const add = (elicitationId: string, connection = 'c') =>
		world.url({ connection, params: { mode: 'url', elicitationId } }, elicitationId);
	const rules = (elicitation: Elicitation) =>
		findingsAmong(elicitation, world.registry.urlIds).map(({ rule, pointer }) => [rule, pointer]);

	it('is a finding, on the same connection only', () => {
		expect(rules(add('a'))).toEqual([]);
		expect(rules(add('b'))).toEqual([]);
		expect(rules(add('a', 'another'))).toEqual([]);
		expect(rules(add('a'))).toEqual([['repeated-elicitation-id', '/elicitationId']]);
	});
});
