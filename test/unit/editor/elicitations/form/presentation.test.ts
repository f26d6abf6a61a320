import { expect, it } from 'vitest';
import { offersPickers, shownFindings, usesPickers } from '../../../../../src/editor/elicitations/form/presentation.ts';
import { findingsOf } from '../../../../../src/elicitation/findings/findings.ts';
import { Form } from '../../../../../src/elicitation/form/form.ts';
import type { JsonObject } from '../../../../../src/elicitation/json.ts';
import { Bench } from '../../../validation/validationBench.ts';
import { fakeVscode } from '../../vscode.ts';

fakeVscode({ workspace: { getConfiguration: () => ({ get: () => 'auto' }) } });

const bench = new Bench();

it('a field that asks for a secret has its warning at the field, a message above the buttons; both are findings (F16)', () => {
	const asking = (message: string, properties: JsonObject) =>
		shownFindings(findingsOf({ message, requestedSchema: { type: 'object', properties } }, '2025-11-25'));
	const field = asking('Sign in', { password: { type: 'string' } });
	expect(field.warnings).toEqual([]);
	expect(field.findings.map(({ rule }) => rule)).toContain('sensitive');
	const message = asking('Enter your password', { answer: { type: 'string' } });
	expect(message.warnings).toEqual([
		'The message seems to ask for a secret. Servers must not ask for secrets in forms.',
	]);
	expect(message.findings.map(({ text }) => text)).toContain(message.warnings[0]);
});

const LONG = 'Long. '.repeat(50).trim();
const name: JsonObject = { name: { type: 'string' } };

it.each([
	['used', 'offered', 'a confirmation', 'Go on?', {}],
	['used', 'offered', 'two simple fields', 'Two?', { ...name, terms: { type: 'boolean' } }],
	['not used', 'offered', 'more than three fields', 'Who?', { ...name, a: {}, b: {}, c: {} }],
	['not used', 'offered', 'a password', 'Open?', { door: { type: 'string', format: 'password' } }],
	['not used', 'offered', 'what is named like a secret', 'Which key?', { api_key: { type: 'string' } }],
	['not used', 'not offered', 'a message of several lines', 'One\nTwo', name],
	['not used', 'not offered', 'a long message', LONG, name],
])('pickers are %s, and %s, for %s', (used, offered, _what, message, properties: JsonObject) => {
	const schema: JsonObject = { type: 'object', properties };
	expect(usesPickers(new Form(schema, bench), message)).toBe(used === 'used');
	expect(offersPickers(message, schema)).toBe(offered === 'offered');
});

const sure = { type: 'boolean' };
const choice = (more: object) => ({ properties: { what: { oneOf: [{ const: 'all', ...more }, { const: 'none' }] } } });

it.each<[boolean, string, object]>([
	[true, 'is described in a line', { description: 'Deletes everything.', properties: { sure } }],
	[false, 'has two lines', { description: 'Deletes everything.\n\nBut not at once.', properties: { sure } }],
	[false, 'is described at length', { description: 'Deletes everything. '.repeat(10), properties: { sure } }],
])('pickers are offered and used: %s, where the form %s', (isShort, _what, schema) => {
	const whole = { type: 'object', ...schema };
	expect(offersPickers('Delete?', whole)).toBe(isShort);
	expect(usesPickers(new Form(whole, bench), 'Delete?')).toBe(isShort);
});

it.each<[boolean, string, object]>([
	[true, 'a field is described in 400 characters', { properties: { sure: { ...sure, description: 'x'.repeat(400) } } }],
	[false, 'a field is described in 401', { properties: { sure: { ...sure, description: 'x'.repeat(401) } } }],
	[true, 'an option is short', { properties: { what: { enum: ['Nothing', 'Deletes the data'] } } }],
	[
		false,
		'an option is long',
		{
			properties: {
				what: { enum: ['Nothing', `Deletes the data ${'of everyone in the company '.repeat(4)}but not yours`] },
			},
		},
	],
	[true, 'an option has a short description', choice({ title: 'Everything', description: 'Deletes the data' })],
	[
		false,
		'an option has a long description',
		choice({
			title: 'Everything',
			description: 'Deletes the data of everyone in the company, but neither yours nor that of the boss',
		}),
	],
])('pickers are used: %s, where %s', (isUsed, _what, schema) => {
	expect(usesPickers(new Form({ type: 'object', ...schema }, bench), 'What?')).toBe(isUsed);
});
