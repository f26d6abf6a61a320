// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { initialInputs, toContent } from '../../src/elicitation/form/inputs.ts';
import { fieldsOf } from '../../src/elicitation/form/readFields.ts';
import type { Json, JsonObject } from '../../src/elicitation/json.ts';
import { byName, openForm, pause, type } from './page.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

interface Case {
	readonly what: string;
	readonly property: JsonObject;
	readonly required?: boolean;
	/** What the user sees of it: names of the controls. */
	readonly names?: readonly string[];
	readonly act?: () => void;
	/** What is sent for the property; absent: nothing. */
	readonly sent?: Json;
}

const many = Array.from({ length: 10_000 }, (_each, at) => `Option ${at}`);
const tick = (name: string) => byName<HTMLInputElement>('input', name).click();
const textbox = () => byName<HTMLInputElement>('input, textarea', 'X');

const cases: Case[] = [
	{
		what: 'titles that are the same are told apart',
		property: {
			oneOf: [
				{ const: 1, title: 'Same' },
				{ const: '1', title: 'Same' },
				{ const: 2, title: 'Other' },
			],
		},
		names: ['Same (1)', 'Same ("1")', 'Other', 'Not set'],
		act: () => tick('Same ("1")'),
		sent: '1',
	},
	{
		what: 'an enum of mixed types sends the value, not its text',
		property: { enum: [1, '1', true, 'true'] },
		names: ['1 (1)', '1 ("1")', 'true (true)', 'true ("true")', 'Not set'],
		act: () => tick('true (true)'),
		sent: true,
	},
	{
		what: 'an empty option has something to click on',
		property: { enum: ['', 'a'] },
		names: ['""', 'a', 'Not set'],
		act: () => tick('""'),
		sent: '',
	},
	{
		what: 'a required value that may be null has a choice for null',
		property: { type: ['boolean', 'null'] },
		required: true,
		names: ['Yes', 'No', 'Empty (null)'],
		sent: null,
	},
	{
		what: 'a required text that may be null is null when blank',
		property: { anyOf: [{ type: 'string' }, { type: 'null' }] },
		required: true,
		sent: null,
	},
	{ what: 'an optional value that may be null is left out when blank', property: { type: ['string', 'null'] } },
	{
		what: 'text that may be long gets a text area',
		property: { type: 'string', maxLength: 5000 },
		act: () => {
			expect(textbox().tagName).toBe('TEXTAREA');
			type(textbox(), 'a\nb');
		},
		sent: 'a\nb',
	},
	{
		what: 'a secret is masked',
		property: { type: 'string', writeOnly: true },
		act: () => {
			expect(textbox().type).toBe('password');
			type(textbox(), 'x');
		},
		sent: 'x',
	},
	{
		what: 'one of ten thousand is found by typing',
		property: { enum: many },
		act: () => {
			type(textbox(), 'Option 9999');
			textbox().blur();
		},
		sent: 'Option 9999',
	},
	{
		what: 'a nested object is asked as JSON',
		property: { type: 'object', properties: { a: { type: 'string' } } },
		act: () => type(textbox(), '{"a": "b"}'),
		sent: { a: 'b' },
	},
	{ what: 'a single allowed value is sent as it is', property: { const: { a: [1] } }, sent: { a: [1] } },
];

describe('schemas of real servers', () => {
	it.each(cases)('$what', async ({ property, required, names, act, sent }) => {
		const fields = fieldsOf({
			type: 'object',
			properties: { x: { title: 'X', ...property } },
			required: required ? ['x'] : [],
		});
		const page = await openForm({ fields, inputs: initialInputs(fields) });
		if (names) {
			const shown = [...document.querySelectorAll('.option label')].map((label) => label.textContent);
			expect(shown).toEqual(names);
		}
		act?.();
		pause();
		const { content, problems } = toContent(fields, page.inputs());
		expect(problems).toEqual([]);
		expect(Object.hasOwn(content, 'x') ? [content.x] : []).toEqual(sent === undefined ? [] : [sent]);
	});
});
