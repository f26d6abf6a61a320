import { expect, it, onTestFinished } from 'vitest';
import { shownFindings, shownRequest, usesPickers } from '../../../../../src/editor/elicitations/form/presentation.ts';
import { blockedBy, findingsOf } from '../../../../../src/elicitation/findings/findings.ts';
import { Form } from '../../../../../src/elicitation/form/form.ts';
import type { JsonObject } from '../../../../../src/elicitation/json.ts';
import { Bench } from '../../../validation/validationBench.ts';
import { fakeVscode, inVersion } from '../../vscode.ts';

let presentation = 'auto';
fakeVscode({ workspace: { getConfiguration: () => ({ get: () => presentation }) } });

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
const sure = { type: 'boolean' };
const choice = (more: object) => ({ what: { oneOf: [{ const: 'all', ...more }, { const: 'none' }] } });

/** Whether a form is shown in pickers, or could be. */
function inPickers(message: string, properties: JsonObject, more: JsonObject = {}): 'used' | 'offered' | 'not offered' {
	const schema: JsonObject = { type: 'object', properties, ...more };
	const form = new Form(schema, bench);
	const blocked = blockedBy({ message, requestedSchema: schema });
	const { pickers } = shownRequest(
		form,
		message,
		findingsOf({ message, requestedSchema: schema }, '2025-11-25'),
		blocked,
	);
	return pickers ? (usesPickers(form) ? 'used' : 'offered') : 'not offered';
}

it.each<[ReturnType<typeof inPickers>, string, string, JsonObject, JsonObject?]>([
	['used', 'a confirmation', 'Go on?', {}],
	['used', 'two simple fields', 'Two?', { ...name, sure }],
	['used', 'a form that is described in a line', 'Delete?', { sure }, { description: 'Deletes everything.' }],
	['used', 'a field that is described in 400 characters', 'What?', { sure: { ...sure, description: 'x'.repeat(400) } }],
	['used', 'a short option', 'What?', { what: { enum: ['Nothing', 'Deletes the data'] } }],
	['used', 'an option with a short description', 'What?', choice({ title: 'Everything', description: 'Deletes data' })],
	['offered', 'more than three fields', 'Who?', { ...name, a: {}, b: {}, c: {} }],
	['offered', 'a password', 'Open?', { door: { type: 'string', format: 'password' } }],
	['offered', 'what is named like a secret', 'Which key?', { api_key: { type: 'string' } }],
	['offered', 'a field that is described in 401', 'What?', { sure: { ...sure, description: 'x'.repeat(401) } }],
	[
		'offered',
		'a long option',
		'What?',
		{ what: { enum: ['Nothing', `Deletes ${'of everyone '.repeat(8)}but not you`] } },
	],
	[
		'offered',
		'an option with a long description',
		'What?',
		choice({
			title: 'Everything',
			description: 'Deletes the data of everyone in the company, but neither yours nor those of the boss',
		}),
	],
	['not offered', 'a message of several lines', 'One\nTwo', name],
	['not offered', 'a long message', LONG, name],
	['not offered', 'a form that has two lines', 'Delete?', { sure }, { description: 'Deletes everything.\n\nSoon.' }],
	['not offered', 'a form that is described at length', 'Delete?', { sure }, { description: LONG }],
	['not offered', 'a message that asks for a secret', 'Enter your password', name],
	['not offered', 'what cannot be accepted', 'Go on?', {}, { required: ['missing'] }],
])('pickers are %s for %s', (where, _what, message, properties, more) => {
	expect(inPickers(message, properties, more)).toBe(where);
});

it.each<[string, string, string, ReturnType<typeof inPickers>]>([
	['of several lines', 'One\nTwo', '1.139.0', 'used'],
	['that is long', LONG, '1.108.0', 'used'],
	['that would fill the window', LONG.repeat(4), '1.108.0', 'not offered'],
	['that fits the placeholder of an older editor', 'Go on?', '1.107.1', 'used'],
	['that an older editor would cut off', LONG, '1.107.1', 'not offered'],
])('pickers that are wanted show a message %s, if they can show all of it', (_what, message, version, where) => {
	presentation = 'quickPick';
	inVersion(version);
	onTestFinished(() => {
		presentation = 'auto';
		inVersion('1.139.0');
	});
	expect(inPickers(message, { sure })).toBe(where);
});
