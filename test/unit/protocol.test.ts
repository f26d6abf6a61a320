import { describe, expect, it } from 'vitest';
import { areInputs, fromForm, fromResult, fromStart, fromUrl, isMessage, type Messages } from '../../src/protocol.ts';
import { fromTimeline } from '../../src/timelineProtocol.ts';
import { fromTrials } from '../../src/trialsProtocol.ts';

const tables: Readonly<Record<string, Messages>> = {
	fromForm,
	fromResult,
	fromStart,
	fromTimeline,
	fromTrials,
	fromUrl,
};
/** A right value for each field of a message, by its name. */
const RIGHT: Readonly<Record<string, unknown>> = {
	...{
		revision: 1,
		field: 0,
		inputs: [{ kind: 'const' }],
		text: '',
		index: 0,
		first: 0,
		count: 1,
		share: 50,
	},
	...{ anchor: { key: '', index: 0 }, selected: 'call:1', known: '' },
	...{ key: 'call:1', open: true, part: 'all', action: 'go' },
	filter: { text: '', server: '', group: '', method: '', direction: 'sent', show: 'errors' },
};
const WRONG = [null, {}, [{}], Number.NaN, -0.5, 1e9, 'x'.repeat(100_001)];
const messages = Object.values(tables).flatMap((table) =>
	Object.entries(table).map(([type, fields]) => ({
		...{ table, type, fields: Object.keys(fields) },
		right: { type, ...Object.fromEntries(Object.keys(fields).map((name) => [name, RIGHT[name]])) },
	})),
);

describe('what a page may send', () => {
	it.each(messages)('is $type with $fields, each of them right', ({ table, type, fields, right }) => {
		expect(isMessage(table, right)).toBe(true);
		for (const name of fields) {
			const { [name]: _, ...without } = right as Record<string, unknown>;
			expect(isMessage(table, without), name).toBe(name === 'anchor' || name === 'selected');
			const wrong = WRONG.filter((value) => !isMessage(table, { ...right, [name]: value }));
			expect(wrong.length, name).toBeGreaterThanOrEqual(WRONG.length - 2);
		}
		expect(isMessage(table, Object.create(right)), `${type} that is inherited`).toBe(false);
	});

	it.each(Object.entries(tables))('is nothing else: %s', (_name, table) => {
		const others = ['ready', 'submitted', 'constructor', '__proto__', 'toString', ['open'], 1, undefined, null];
		const [type = ''] = Object.keys(table);
		for (const message of [undefined, null, type, [type], [], {}, ...others.map((other) => ({ type: other }))]) {
			expect(isMessage(table, message), JSON.stringify(message)).toBe(false);
		}
	});
});

describe('inputs in a message of a page', () => {
	it.each([
		{ kind: 'text', text: '' },
		{ kind: 'text', text: null },
		{ kind: 'boolean', value: false },
		{ kind: 'boolean', value: null },
		{ kind: 'choice', index: 0 },
		{ kind: 'choices', indexes: [0, 2] },
		{ kind: 'choices', indexes: null },
		{ kind: 'list', items: ['a', ''] },
		{ kind: 'const' },
	])('may be %j', (input) => {
		expect(areInputs([input])).toBe(true);
	});

	it.each([
		{},
		null,
		'text',
		[],
		{ kind: 'text' },
		{ kind: 'text', text: 1 },
		{ kind: 'boolean', value: 'true' },
		{ kind: 'choice', index: -1 },
		{ kind: 'choice', index: 0.5 },
		{ kind: 'choices', indexes: [0, '1'] },
		{ kind: 'list', items: [1] },
		{ kind: 'json', text: '{}' },
		{ kind: 'constructor' },
		{ kind: '__proto__' },
		{ kind: ['text'], text: '' },
	])('are not %j', (input) => {
		expect(areInputs([input])).toBe(false);
	});
});
