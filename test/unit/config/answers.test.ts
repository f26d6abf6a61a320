import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLACEHOLDER, readAnswers } from '../../../src/config/answers.ts';
import { answerDiagnostics, readAnswersText } from '../../../src/config/answersText.ts';
import type { JsonPath } from '../../../src/config/problem.ts';
import { MAX_GLOB_LENGTH } from '../../../src/elicitation/glob.ts';
import { parseJson } from '../../../src/elicitation/jsonText.ts';
import { english, render } from '../../../src/elicitation/sentence.ts';
import { tableRows } from '../../tableRows.ts';

const rows = tableRows(import.meta.url);

const { POSITIVE_INFINITY: ALWAYS } = Number;

/** Problems as sentences. */
function problems(raw: unknown): string[] {
	return readAnswers(raw).problems.map(
		({ path, message, severity }) => `${severity} ${path.join('.')} ${render(message, english)}`,
	);
}

/** Diagnostics as the user sees them: position, marked text and message. */
function seen(text: string, at: JsonPath = []): string[] {
	const lines = text.split('\n');
	return answerDiagnostics(text, at).map(({ span: { start, end }, message, severity, fix }) => {
		const underlined = lines[start.line]?.slice(start.character, end.character);
		const meant = fix ? ` → ${fix()?.edit.text}` : '';
		return `${start.line + 1} ${severity} ${underlined} ${render(message, english)}${meant}`;
	});
}

describe('scripted answers', () => {
	it('are read in their order, with every member', () => {
		const { answers, problems: wrong } = readAnswers([
			{ server: 'raw', tool: 'dep*', message: '*prod*', mode: 'form', action: 'accept', content: { n: 0 } },
			{ action: 'decline', delayMs: 250, times: 2 },
			{ action: 'cancel' },
			{ action: 'error', error: { code: -32000, message: 'No.' } },
			{ action: 'error' },
			{ $schema: 'x', $comment: 'y', description: 'z', action: 'accept' },
		]);
		expect(wrong).toEqual([]);
		expect(answers).toEqual([
			{
				match: { server: 'raw', tool: 'dep*', message: '*prod*', mode: 'form' },
				decision: { action: 'accept', content: { n: 0 } },
				delayMs: 0,
				times: ALWAYS,
			},
			{ match: {}, decision: { action: 'decline' }, delayMs: 250, times: 2 },
			{ match: {}, decision: { action: 'cancel' }, delayMs: 0, times: ALWAYS },
			{ match: {}, decision: { action: 'error', code: -32000, message: 'No.' }, delayMs: 0, times: ALWAYS },
			{
				match: {},
				decision: { action: 'error', code: -32603, message: 'Answered with an error on purpose.' },
				delayMs: 0,
				times: ALWAYS,
			},
			{ match: {}, decision: { action: 'accept', content: {} }, delayMs: 0, times: ALWAYS },
		]);
	});

	it('may be one alone', () => {
		expect(readAnswers({ action: 'cancel' }).answers).toMatchObject([{ decision: { action: 'cancel' } }]);
	});

	it('are empty if nothing is configured', () => {
		expect(readAnswers(undefined)).toEqual({ answers: [], problems: [] });
		expect(readAnswers([])).toEqual({ answers: [], problems: [] });
	});

	it.each<[unknown, string]>([
		...rows('errors'),
		[
			{ action: 'cancel', message: 'a'.repeat(MAX_GLOB_LENGTH + 1) },
			'error message must not be longer than 500 characters; "*" stands for any.',
		],
	])('with an error are invalid, and matching elicitations go to the user: %j', (raw, problem) => {
		expect(problems(raw)).toEqual([problem]);
		expect(readAnswers(raw).answers).toMatchObject([{ match: {} }]);
		expect(readAnswers(raw).answers[0]).not.toHaveProperty('decision');
	});

	it.each([null, 1, 'a', true, [null], [[]]])(
		'that are not objects are invalid, and matching elicitations go to the user: %j',
		(raw) => {
			expect(problems(raw)).toEqual([expect.stringMatching(/^error (0 )? ?must be an object with an "action"\.$/)]);
			expect(readAnswers(raw).answers).toEqual([{ match: {}, delayMs: 0, times: ALWAYS }]);
		},
	);

	it('with several errors tell all of them', () => {
		expect(problems({ action: 'error', error: { code: 'x', message: 1 } })).toEqual([
			'error error.code must be a whole number.',
			'error error.message must be a string.',
		]);
	});

	it('with an error keep their match', () => {
		expect(readAnswers([{ server: 'raw', tool: 1, action: 'declin' }]).answers[0]?.match).toEqual({ server: 'raw' });
	});

	it.each<[unknown, string]>(rows('warnings'))('with a warning are used: %j', (raw, problem) => {
		expect(problems(raw)).toEqual([problem]);
		expect(readAnswers(raw).answers[0]).toHaveProperty('decision');
	});

	it('never throw, whatever is configured', () => {
		const names = fc.constantFrom(
			'server',
			'message',
			'mode',
			'action',
			'content',
			'error',
			'delayMs',
			'times',
			'__proto__',
		);
		const values = fc.oneof(fc.jsonValue(), fc.constantFrom('accept', 'error', PLACEHOLDER, { code: 1 }));
		const written = fc.oneof(
			fc.jsonValue(),
			fc.array(fc.dictionary(names, values)),
			fc.dictionary(names, values, { noNullPrototype: true }),
		);
		fc.assert(
			fc.property(written, (raw) => {
				expect(readAnswers(raw).answers).toHaveLength(Array.isArray(raw) ? raw.length : 1);
				const text = JSON.stringify(raw);
				// Read as a text, a number has all of its digits.
				expect(answerDiagnostics(text, []).length).toBe(readAnswers(parseJson(text)).problems.length);
			}),
		);
	});
});

describe('a file of scripted answers', () => {
	it('may have comments and trailing commas', () => {
		expect(readAnswersText('// Always no\n[{ "action": "decline", },]')).toMatchObject([
			{ decision: { action: 'decline' } },
		]);
	});

	it.each(['', ' \n', '// nothing yet'])('without contents has none: %j', (text) => {
		expect(readAnswersText(text)).toEqual([]);
		expect(seen(text)).toEqual([]);
	});

	it('that is not JSON leaves every elicitation to the user, and shows the position of the error', () => {
		const text = '[{ "action": "decline" },\n{ "action": }]';
		expect(readAnswersText(text)).toEqual([{ match: {}, delayMs: 0, times: ALWAYS }]);
		expect(seen(text)).toEqual([
			'2 error } This is not JSON: A value is missing. Until it is, every request is left to you.',
		]);
	});

	it('shows every problem at its place', () => {
		const text = '[\n{ "action": "declin" },\n{ "mesage": "*", "action": "cancel" },\n{},\n1]';
		expect(seen(text)).toEqual([
			'2 error "declin" "action" must be one of "accept", "decline", "cancel", "error". → "decline"',
			'3 warning "mesage" "mesage" is unknown and has no effect. Did you mean "message"? → "message"',
			expect.stringMatching(/^4 error .*"action" must be one of/),
			'5 error 1 The scripted answer must be an object with an "action".',
		]);
	});
});

describe('settings with scripted answers', () => {
	it.each([
		[['mcpElicitation.answers'], '{ "mcpElicitation.answers": [\n{ "action": 1 }] }'],
		[['settings', 'mcpElicitation.answers'], '{ "settings": { "mcpElicitation.answers": [\n{ "action": 1 }] } }'],
	])('show every problem at its place: %j', (at, text) => {
		expect(seen(text, at)).toEqual(['2 error 1 "action" must be one of "accept", "decline", "cancel", "error".']);
	});

	it('that are not JSON are left to the editor', () => {
		expect(seen('{ "mcpElicitation.answers": [', ['mcpElicitation.answers'])).toEqual([]);
	});

	it('without any show nothing', () => {
		expect(seen('{ "editor.fontSize": 1 }', ['mcpElicitation.answers'])).toEqual([]);
	});
});
