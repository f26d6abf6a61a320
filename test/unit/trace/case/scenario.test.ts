import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/elicitation/json.ts';
import { parseJson } from '../../../../src/elicitation/jsonText.ts';
import { differencesOf } from '../../../../src/trace/case/differences.ts';
import { readScenario, ScenarioError } from '../../../../src/trace/case/readScenario.ts';
import { filledIn, markersIn, scenarioFile } from '../../../../src/trace/case/scenario.ts';
import { runs } from '../../../nightly.ts';
import { caseOf } from './stage.ts';

const CASE = caseOf({
	name: 'greet',
	server: { type: 'stdio', command: 'node', args: ['a.mjs'], cwd: '‹workspaceFolder›', env: { A: '‹A›', B: null } },
	params: { name: 'greet', arguments: { code: '‹CODE›' } },
	elicitations: [
		{
			turn: 1,
			asked: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
			answer: { action: 'accept', content: { pin: '‹PIN›' } },
		},
		{
			turn: 2,
			asked: { mode: 'url', message: 'Go', url: 'https://example.com/' },
			answer: { error: { code: -1, message: 'No' } },
		},
	],
	variables: [
		{ name: 'A', type: 'string', role: 'environment' },
		{ name: 'CODE', type: 'string', role: 'argument' },
		{ name: 'PIN', type: 'number', role: 'answer' },
	],
});
const file = (changes: object = {}) => JSON.stringify({ ...JSON.parse(scenarioFile(CASE, '..')), ...changes });

const secrets = (count: number, of: (index: number) => string) =>
	[...Array(count).keys()].map((index) => `token: ${of(index)}\n`).join('') + count;

/** Recorded texts, actual ones, and whether these fit. */
const COMPARED_TEXTS: readonly (readonly [recorded: string, actual: string, fits: boolean])[] = [
	['at ‹time›, ‹uuid›', 'at 2026-01-31T10:00:00Z, 0ed84973-bbec-488b-9ad9-fb37c0d5bcd0', true],
	['at ‹time›', 'at noon', false],
	['a ‹redacted› b', 'a (.*) \n b', true],
	['a ‹redacted› b', 'a 1 b\n', false],
	['a ‹redacted› b', 'an a 1 b', false],
	['(.*) ‹uuid›', 'xx 0ed84973-bbec-488b-9ad9-fb37c0d5bcd0', false],
	['‹redacted›', 'anything', true],
	['ab‹redacted›ba', 'ab, ba', true],
	['ab‹redacted›ba', 'aba', false],
	['a ‹redacted› b ‹redacted› at ‹time›', 'a 1 b 2 b 3 at 2026-01-31T10:00:00Z', true],
	['a ‹redacted› b ‹redacted› at ‹time›', 'a 1 b 2 b 3 at 2026-01-31T10:00:00Z.', false],
	['‹redacted› b ‹redacted›', 'a c', false],
	['‹other› ‹redacted›', '‹other› x', true],
	// If all were one pattern, there would be millions of ways to try.
	[secrets(5, () => '‹redacted›'), secrets(100, (index) => `planted-${index}`), false],
];

/** The longest time that comparing them all may take (milliseconds). */
const AT_ONCE = 2_000;

describe('a scenario file', () => {
	it('is read as it was written', () => {
		expect(readScenario(scenarioFile(CASE, '..'))).toEqual({ ...CASE, workspaceFolder: '..' });
	});

	it('keeps numbers that are too large for floating point', () => {
		const expected = { result: { structuredContent: parseJson('{"a":1e400,"b":[-1e400,null,"infinite"]}') } };
		const text = scenarioFile({ ...CASE, expected }, '..');
		expect(differencesOf(readScenario(text).expected, expected, '')).toEqual([]);
	});

	it('shows every character that it holds', () => {
		const hidden = { ...CASE, name: 'a\u202eb\u200b\u{e0041}\n\u{1f469}\u200d\u{1f467}' };
		const text = scenarioFile(hidden, '..');
		expect(text).toContain('a\\u202eb\\u200b\\udb40\\udc41\\n\u{1f469}\u200d\u{1f467}');
		expect(readScenario(text).name).toBe(hidden.name);
	});

	it.each([
		['[', /^This is not JSON: .*\. Name a scenario that "Export Call as Test" or "record" has written\.$/],
		['{}', /is no scenario: its "format" is not/],
		[file({ version: 2 }), /It has version 2\. This program reads version 1\./],
		[file({ extra: 1 }), /^"extra" is unknown\.$/],
		[file({ name: 1 }), /^"name" must be a string\.$/],
		[file({ server: { type: 'sse', url: 'x' } }), /^"server\.type" must be one of "stdio", "http"\.$/],
		[file({ server: { ...CASE.server, env: { A: 1 } } }), /^"server\.env\.A" must be a string\.$/],
		[file({ server: { ...CASE.server, args: [[]] } }), /^"server\.args\.0" must be a string\.$/],
		[file({ params: { name: 'x' } }), /^"params\.arguments" must be an object\.$/],
		[file({ method: 'tools/list' }), /^"method" must be one of/],
		[file({ elicitations: [{ turn: 1.5 }] }), /^"elicitations\.0\.turn" must be a whole number\.$/],
		[
			file({ elicitations: [{ ...CASE.elicitations[0], answer: { action: 'open' } }] }),
			/0\.answer\.action" must be one of/,
		],
		[file({ expected: { error: { code: '1' } } }), /^"expected\.error\.code" must be a whole number\.$/],
		[file({ variables: [{ name: 'A', type: 'date', role: 'answer' }] }), /^"variables\.0\.type" must be one of/],
	])('is refused with the reason: %s', (text, why) => {
		expect(() => readScenario(text)).toThrow(ScenarioError);
		expect(() => readScenario(text)).toThrow(why);
	});

	it('is read, or refused with a ScenarioError, whatever it holds', () => {
		const members = Object.keys(JSON.parse(file()));
		const change = fc.tuple(fc.constantFrom(...members), fc.jsonValue());
		fc.assert(
			fc.property(fc.array(change, { maxLength: 3 }), (changes) => {
				try {
					readScenario(file(Object.fromEntries(changes)));
				} catch (error) {
					expect(error).toBeInstanceOf(ScenarioError);
				}
			}),
			{ numRuns: runs(500) },
		);
	});

	it('is filled in: a variable alone keeps its type, within a text it is text', () => {
		const values = new Map<string, string | number>([
			['PIN', 4711],
			['CODE', 'a'],
		]);
		expect(filledIn({ a: '‹PIN›', b: ['x‹CODE›‹PIN›', '‹other›'] }, values)).toEqual({
			a: 4711,
			b: ['xa4711', '‹other›'],
		});
		expect(markersIn({ a: 'x‹CODE›' }, ['CODE', 'PIN'])).toEqual(['CODE']);
	});
});

describe('a comparison', () => {
	it('lists what differs, where', () => {
		expect(differencesOf({ a: [1, { b: 2 }], c: 3 }, { a: [1, { b: 4 }, 5], d: null }, 'at')).toEqual([
			{ at: 'at.a.1.b', expected: 2, actual: 4 },
			{ at: 'at.a.2', actual: 5 },
			{ at: 'at.c', expected: 3 },
			{ at: 'at.d', actual: null },
		]);
		expect(differencesOf([], {}, 'at')).toEqual([{ at: 'at', expected: [], actual: {} }]);
		expect(differencesOf([5, true, null], ['5', 'true', 'null'], 'at')).toHaveLength(3);
		expect(differencesOf(Array(60).fill(1), Array(60).fill(2), 'at')).toHaveLength(50);
	});

	it('takes placeholders for what they stand for, and ends at once', () => {
		const start = performance.now();
		for (const [recorded, actual, fits] of COMPARED_TEXTS) {
			expect([recorded, actual, differencesOf(recorded, actual, 'at').length === 0]).toEqual([recorded, actual, fits]);
		}
		expect(performance.now() - start).toBeLessThan(AT_ONCE);
	});

	it('takes placeholders in the names of members for what they stand for, each for one', () => {
		const recorded = { b: 0, '‹uuid›': { n: 1 }, 'x ‹uuid 2›': 2 };
		const [one, other] = ['0ed84973-bbec-488b-9ad9-fb37c0d5bcd0', '1ed84973-bbec-488b-9ad9-fb37c0d5bcd0'];
		expect(differencesOf(recorded, { b: 0, [`x ${one}`]: 2, [other]: { n: 1 } }, 'at')).toEqual([]);
		expect(differencesOf(recorded, { b: 0, [one]: { n: 3 }, [other]: 2 }, 'at')).toEqual([
			{ at: 'at.‹uuid›.n', expected: 1, actual: 3 },
			{ at: 'at.x ‹uuid 2›', expected: 2 },
			{ at: `at.${other}`, actual: 2 },
		]);
	});

	it('ends at once also where thousands of members have other names', () => {
		const members = (prefix: string) =>
			Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`${prefix} ${index}`, index]));
		const start = performance.now();
		expect(differencesOf(members('recorded'), members('actual'), 'at')).toHaveLength(50);
		expect(performance.now() - start).toBeLessThan(AT_ONCE);
	});

	it('takes a redacted value for anything but nothing', () => {
		expect(differencesOf({ a: '‹redacted›' }, { a: { b: 1 } }, 'at')).toEqual([]);
		expect(differencesOf({ a: '‹redacted›' }, {}, 'at')).toEqual([{ at: 'at.a', expected: '‹redacted›' }]);
	});

	it('takes what a served recording redacts for the secret that was expected, and for nothing else', () => {
		const without = (text: string) => text.replaceAll('4711', '‹redacted›');
		const expected = { a: 'at ‹time› with 4711', b: 4711, c: 'other' };
		const actual = { a: 'at 2026-01-31T10:00:00Z with ‹redacted›', b: '‹redacted›', c: '‹redacted›' };
		expect(differencesOf(expected, actual, 'at', without)).toEqual([
			{ at: 'at.c', expected: 'other', actual: '‹redacted›' },
		]);
	});

	it('finds no difference exactly where the JSON is the same', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
				const [one, other] = [a, b].map((each) => JSON.parse(JSON.stringify(each).replaceAll('‹', ''))) as [Json, Json];
				expect(differencesOf(one, one, '')).toEqual([]);
				expect(differencesOf(one, other, '').length === 0).toBe(isDeepStrictEqual(one, other));
			}),
			{ numRuns: runs(500) },
		);
	});
});
