import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Call } from '../../../src/elicitation/call.ts';
import { isObject, type Json } from '../../../src/elicitation/json.ts';
import { isSecretName } from '../../../src/elicitation/secretNames.ts';
import { redactText } from '../../../src/privacy/patterns.ts';
import { Redactor } from '../../../src/privacy/redactor.ts';
import { REDACTED } from '../../../src/privacy/secrets.ts';
import { logOf, type Told } from './maskedLog.ts';

describe('a text', () => {
	it.each([
		['Authorization: Bearer planted-secret-1', 'planted'],
		['authorization: planted-secret', 'planted'],
		['curl -H "X-Api-Key: planted-secret"', 'planted'],
		['Cookie: a=planted; b=planted', 'planted'],
		['set-cookie=planted; HttpOnly', 'planted'],
		['Basic cGxhbnRlZDpwbGFudGVk', 'cGxhbnRlZDpwbGFudGVk'],
		['https://user:planted@example.com/x', 'planted'],
		['https://example.com/?a=b&access_token=planted&c=d', 'planted'],
		['https://example.com/cb?code=planted&state=planted', 'planted'],
		['https://example.com/#id_token=planted', 'planted'],
		['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJl', 'eyJ'],
		['key sk-plantedplantedplanted1', 'planted'],
		['ghp_plantedplantedplantedplanted', 'planted'],
		['xoxb-planted-planted', 'planted'],
		['AKIAABCDEFGHIJKLMNOP', 'AKIA'],
		['-----BEGIN RSA PRIVATE KEY-----\nplanted\n-----END RSA PRIVATE KEY-----', 'planted'],
		['API_KEY=planted', 'planted'],
		['export DB_PASSWORD="planted"', 'planted'],
		['{"client_secret":"planted","x":1}', 'planted'],
		['"{\\"apiToken\\":\\"planted\\"}"', 'planted'],
		['password: planted', 'planted'],
		['{"password":"correct horse battery planted"}', 'planted'],
		["DB_PASSWORD='p,ss w0rd planted'", 'planted'],
		['{"api_key":"abc\'def,planted"}', 'planted'],
		['{"api_key":"abc\\"def planted"}', 'planted'],
		['password: correct horse; planted', 'planted'],
		['postgres://admin:p@ss/planted@db', 'planted'],
		['mcp-remote --token planted12345', 'planted'],
		['--api-key "correct horse planted"', 'planted'],
	])('loses its secret: %s', (text, secret) => {
		expect(redactText(text)).not.toContain(secret);
		expect(redactText(text)).toContain(REDACTED);
	});

	it.each([
		'Deploy to production?',
		'max_tokens: 1000, tokenizer: cl100k',
		'https://example.com/path?page=2&sort=name#top',
		'10:32:07 GET /tools',
		'{"name":"Ada","progressToken":17}',
		'a=b&c=d',
		'Enter the password of the server:',
	])('stays as it is without one: %s', (text) => {
		expect(redactText(text)).toBe(text);
	});

	it('has secrets by the names that hold them', () => {
		expect(
			['Authorization', 'X-API-Key', 'apiKey', 'db_password', 'Set-Cookie', 'token'].filter(isSecretName),
		).toHaveLength(6);
		expect(['progressToken', 'name', 'max_tokens', 'nextPageToken', 'content'].filter(isSecretName)).toEqual([]);
	});
});

/** Messages as they are exported. */
function redacted(...messages: readonly Told[]): Json[] {
	const log = logOf(...messages);
	const redactor = new Redactor(log);
	return log.entries.map((entry) => redactor.message(entry));
}

describe('a message', () => {
	it('loses what stands under the name of a secret, whatever it is, but no schema', () => {
		const message = {
			result: {
				headers: { Authorization: 'planted', Cookie: ['planted', 'planted'], accept: 'kept' },
				env: { SERVICE_TOKEN: 'planted', PIN: 1234, HOME: 'kept' },
				token: { nested: 'kept', password: 'planted' },
				usage: { max_tokens: 5, secret: true },
				inputSchema: {
					required: ['password'],
					properties: {
						password: { type: 'string', default: 'planted', title: 'Password', examples: ['planted'] },
						door: { type: 'string', writeOnly: true, const: 'planted' },
						name: { type: 'string', default: 'kept' },
					},
				},
				_meta: { progressToken: 'kept' },
			},
		};
		const [result] = redacted(['received', message]);
		expect(JSON.stringify(result)).not.toContain('planted');
		expect(JSON.stringify(result).split(REDACTED)).toHaveLength(10);
		expect(result).toMatchObject({
			result: {
				headers: { accept: 'kept', Cookie: [REDACTED, REDACTED] },
				env: { HOME: 'kept', PIN: REDACTED },
				token: { nested: 'kept' },
				usage: { max_tokens: 5, secret: true },
				inputSchema: {
					required: ['password'],
					properties: { password: { type: 'string', title: 'Password' }, name: { default: 'kept' } },
				},
				_meta: { progressToken: 'kept' },
			},
		});
	});

	it('loses masked arguments of a tool, at any depth, by the schema that the server listed', () => {
		const inputSchema = {
			type: 'object',
			properties: {
				login: { properties: { door: { anyOf: [{ type: 'string', format: 'password' }, { type: 'null' }] } } },
				doors: { items: { writeOnly: true } },
				name: { type: 'string' },
			},
		};
		const args = { login: { door: 'planted-1' }, doors: ['planted-2', 'planted-3'], name: 'Ada' };
		const call = new Call('1', 's', 'tool', 'login', args);
		const log = logOf(
			['received', { id: 1, result: { tools: [{ name: 'login', inputSchema }] } }, 's', call],
			['sent', { id: 2, method: 'tools/call', params: { name: 'login', arguments: args } }, 's', call],
			['received', { id: 2, result: { saw: 'planted-2' } }, 's', call],
		);
		const redactor = new Redactor(log);
		const expected = { login: { door: REDACTED }, doors: [REDACTED, REDACTED], name: 'Ada' };
		expect(redactor.args(call)).toEqual(expected);
		const lines = log.entries.map((entry) => redactor.message(entry));
		expect(lines[1]).toMatchObject({ params: { arguments: expected } });
		expect(JSON.stringify(lines)).not.toContain('planted');
	});

	it('loses its requestState, and so does whatever repeats it word for word', () => {
		const lines = redacted(
			['received', { id: 1, result: { resultType: 'input_required', requestState: 'sealed: 1', also: ['sealed: 1'] } }],
			['sent', { id: 2, method: 'tools/call', params: { name: 'x', requestState: 'sealed: 1' } }],
			// The call has ended before this one was sent back.
			['received', { id: 2, result: { resultType: 'input_required', requestState: 'sealed: 2', also: ['sealed: 2'] } }],
			// The result that it came with is no longer in the log.
			['sent', { id: 3, method: 'tools/call', params: { name: 'x', requestState: 'sealed: 3' } }],
			['received', { id: 3, result: { also: ['sealed: 3'] } }],
			['received', { id: 4, result: { resultType: 'input_required', requestState: { no: ['sealed: 4'] } } }],
			['sent', { id: 5, method: 'tools/call', params: { name: 'x', requestState: ['sealed: 5'] } }],
		);
		expect(JSON.stringify(lines)).not.toContain('sealed');
	});

	it('keeps its shape, whatever it is', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const [line = null] = redacted(['received', value]);
				expect(shapeOf(line)).toEqual(shapeOf(value as Json));
			}),
		);
	});

	function shapeOf(value: Json): unknown {
		if (Array.isArray(value)) {
			return value.map(shapeOf);
		}
		return isObject(value) ? Object.entries(value).map(([name, item]) => [name, shapeOf(item)]) : null;
	}
});
