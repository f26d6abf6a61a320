import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adviceOf } from '../../../../src/elicitation/check/advice.ts';
import { check } from '../../../../src/elicitation/check/check.ts';
import { fixOf } from '../../../../src/elicitation/check/fixes.ts';
import type { Finding } from '../../../../src/elicitation/findings/finding.ts';
import { findingsOf } from '../../../../src/elicitation/findings/findings.ts';
import type { Json, JsonObject } from '../../../../src/elicitation/json.ts';
import { ELICITATION_REVISIONS } from '../../../../src/elicitation/revisions.ts';
import { english, render } from '../../../../src/elicitation/sentence.ts';
import { cases } from '../../../field/schemas/case.ts';
import { requests } from '../../../field/schemas/generator.ts';
import { runs } from '../../../nightly.ts';
import { tableRows } from '../../../tableRows.ts';
import { applyEdits } from './applyEdits.ts';

const rows = tableRows(import.meta.url);

function of(property: Json, more: JsonObject = {}): JsonObject {
	return { message: 'm', requestedSchema: { type: 'object', properties: { p: property }, ...more } };
}

const P = '/requestedSchema/properties/p';

/** Problems in short form: rule, pointer and, unless all, the revisions or the number of libraries. */
function said(params: JsonObject): string[] {
	return check(params).map(({ rule, pointer, revisions, libraries }) =>
		[
			rule,
			pointer,
			...(libraries.length > 0 ? [libraries.map(({ id }) => id).join(' ')] : []),
			...(libraries.length > 0 || revisions.length === ELICITATION_REVISIONS.length ? [] : revisions),
		].join(' '),
	);
}

/** Applies the fix of the first finding of a rule. */
function mended(params: JsonObject, rule: string): { readonly title: string; readonly params: Json } | undefined {
	const finding = check(params).find((problem) => problem.rule === rule)?.finding;
	const fix = finding && fixOf(params, finding);
	return fix && { title: render(fix.title, english), params: applyEdits(params, fix.edits) };
}

describe('check', () => {
	it('says what other clients do with a request inside a task (K03)', () => {
		const taskId = { taskId: 'one' };
		const params = { ...of({ type: 'string' }), _meta: { 'io.modelcontextprotocol/related-task': taskId } };
		expect(said(params)).toEqual(['in-task /_meta/io.modelcontextprotocol~1related-task']);
		expect(said({ ...params, _meta: taskId })).toEqual([]);
	});

	it('reports nothing that every revision and library supports', () => {
		expect(said(of({ type: 'string', title: 'T', format: 'email', minLength: 1 }, { required: ['p'] }))).toEqual([]);
	});

	it.each<[string, JsonObject, string]>(rows('refused'))(
		'warns of a request that is refused: %s',
		(_, params, expected) => {
			const [problem] = check(params);
			expect(said(params)[0]).toContain(expected);
			expect(problem).toMatchObject({ severity: 'warning', handling: { text: 'The request is refused.' } });
			expect(check(params).filter(({ handling }) => handling)).toEqual([problem]);
		},
	);

	it('says nothing about a sampling request', () => {
		expect(check({ messages: [], maxTokens: 10 })).toEqual([]);
	});

	it('names the revisions that lack something without a warning, because another may be negotiated', () => {
		const [problem, ...others] = check(of({ type: 'string', default: 'x' }));
		expect(problem).toMatchObject({
			rule: 'too-new',
			pointer: `${P}/default`,
			severity: 'info',
			revisions: ['2025-06-18'],
			section: 'https://modelcontextprotocol.io/specification/2025-06-18/client/elicitation#request-schema',
		});
		expect(others).toEqual([]);
	});

	it.each<[string, JsonObject, string[]]>([
		[
			'a pattern is allowed, and seen by few',
			of({ type: 'string', pattern: '^a' }),
			[`too-new ${P}/pattern 2025-06-18`, `dropped ${P}/pattern sdk1 client2`],
		],
		['a root of its own', of({ type: 'string' }, { title: 'T', additionalProperties: false }), []],
		[
			'a list of options: once',
			of({ type: 'string', oneOf: ['a', 'b'].map((name) => ({ const: name, title: name, description: 'D' })) }),
			[`dropped ${P}/oneOf/0/description sdk1 client2`],
		],
		[
			'a nested object',
			of({ type: 'object' }),
			[`not-primitive ${P}`, `refused ${P} sdk1 client2`, `unsendable ${P} server2 pythonServer fastmcp`],
		],
	])('%s', (_, params, expected) => {
		expect(said(params)).toEqual(expect.arrayContaining(expected));
	});

	it('does not look into what is too large', () => {
		const properties = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`p${index}`, {}]));
		expect(said({ message: 'm', requestedSchema: { type: 'object', properties } })).toEqual(['limit /requestedSchema']);
	});

	it('gives advice for every finding', () => {
		const rules = new Set(cases.flatMap(({ params }) => findingsOf(params, '2025-06-18').map(({ rule }) => rule)));
		const missing = [...rules].filter((rule) => !adviceOf(rule));
		expect(missing, 'rules without a sentence in src/elicitation/check/advice.ts').toEqual([]);
	});
});

describe('a fix', () => {
	it.each<[string, string, JsonObject, string, JsonObject]>(rows('fixes'))('of %s', (_, rule, schema, title, after) => {
		const fixed = { title, params: { message: 'm', requestedSchema: after } };
		expect(mended({ message: 'm', requestedSchema: schema }, rule)).toEqual(fixed);
	});

	it.each<[string, string, JsonObject]>([
		['of a number among the options: the answer would be a text', 'keyword', of({ type: 'integer', enum: [1, 2] })],
		['where null is an answer that the server requires', 'type', of({ type: ['string', 'null'] }, { required: ['p'] })],
		['of definitions that are used', 'root-keyword', of({ $ref: '#/$defs/c' }, { $defs: { c: { type: 'string' } } })],
	])('is not offered %s', (_, rule, params) => {
		expect(mended(params, rule)).toBeUndefined();
	});

	it.each(cases.map(({ row, name, params }) => [`${row}: ${name}`, params] as const))(
		'fixes its finding: %s',
		(_, params) => {
			expectMended(params);
		},
	);

	it('fixes its finding, whatever the schema', () => {
		fc.assert(
			fc.property(requests, ({ schema }) => expectMended({ message: 'm', requestedSchema: schema })),
			{ numRuns: runs(200, 40) },
		);
	});
});

function expectMended(params: JsonObject): void {
	const identity = ({ rule, pointer, message }: Finding) => JSON.stringify([rule, pointer, message]);
	for (const revision of ELICITATION_REVISIONS) {
		const findings = findingsOf(params, revision);
		for (const finding of findings) {
			const fix = fixOf(params, finding);
			if (fix) {
				const after = findingsOf(applyEdits(params, fix.edits) as JsonObject, revision);
				expect(after.map(identity)).not.toContain(identity(finding));
				expect(after.length, `${identity(finding)} ${JSON.stringify(after)}`).toBeLessThanOrEqual(findings.length);
			}
		}
	}
}
