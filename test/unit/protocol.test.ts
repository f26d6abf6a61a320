import { describe, expect, it } from 'vitest';
import { areInputs } from '../../src/protocol.ts';

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
