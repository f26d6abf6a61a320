import { expect, it, vi } from 'vitest';
import { findingsOf } from '../../../../../src/elicitation/findings/findings.ts';
import { Form } from '../../../../../src/elicitation/form/form.ts';
import type { JsonObject } from '../../../../../src/elicitation/json.ts';
import { Bench } from '../../../validation/validationBench.ts';

vi.mock('vscode', async () =>
	(await import('../../vscode.ts')).fakeVscode({ workspace: { getConfiguration: () => ({ get: () => 'auto' }) } }),
);

const { offersPickers, shownFindings, usesPickers } = await import(
	'../../../../../src/editor/elicitations/form/presentation.ts'
);

const bench = new Bench();

const asking = (message: string, properties: JsonObject) =>
	shownFindings(findingsOf({ message, requestedSchema: { type: 'object', properties } }, '2025-11-25'));

it('a field that asks for a secret has its warning at the field, a message above the buttons; both are findings (F16)', () => {
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

it.each([
	[true, 'Deletes everything.'],
	[false, 'Deletes everything.\n\nBut not at once.'],
	[false, 'Deletes everything. '.repeat(10)],
])('pickers are used: %s, where the whole form is described as %j', (isShort, description) => {
	const schema: JsonObject = { type: 'object', description, properties: { sure: { type: 'boolean' } } };
	expect(offersPickers('Delete?', schema)).toBe(isShort);
	expect(usesPickers(new Form(schema, bench), 'Delete?')).toBe(isShort);
});

it.each([
	[true, 400],
	[false, 401],
])('pickers are used: %s, where a field is described in %d characters', (isUsed, length) => {
	const sure = { type: 'boolean', description: 'x'.repeat(length) };
	expect(usesPickers(new Form({ type: 'object', properties: { sure } }, bench), 'Delete?')).toBe(isUsed);
});

it.each([
	[true, 'Deletes the data'],
	[false, `Deletes the data ${'of everyone in the company '.repeat(4)}but not yours`],
])('pickers are used: %s, where an option is %j', (isUsed, option) => {
	const what = { enum: ['Nothing', option] };
	expect(usesPickers(new Form({ type: 'object', properties: { what } }, bench), 'What?')).toBe(isUsed);
});

it.each([
	[true, 'Deletes the data'],
	[false, 'Deletes the data of everyone in the company, but neither yours nor that of the boss'],
])('pickers are used: %s, where an option is described as %j', (isUsed, description) => {
	const what = { oneOf: [{ const: 'all', title: 'Everything', description }, { const: 'none' }] };
	expect(usesPickers(new Form({ type: 'object', properties: { what } }, bench), 'What?')).toBe(isUsed);
});
