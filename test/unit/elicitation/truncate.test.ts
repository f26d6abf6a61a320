import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySize, truncate, truncateIfLarge } from '../../../src/elicitation/truncate.ts';

const KB = 1024;

describe('the truncated form of a value', () => {
	it('keeps small values as they are', () => {
		const value = { a: [1, null, true, 'x', { b: [] }], __proto__x: {} };
		expect(truncate(value)).toEqual(value);
		expect(truncateIfLarge(value)).toBe(value);
	});

	it('shows how much was omitted from strings, arrays and objects', () => {
		const long = {
			text: 'x'.repeat(1_234),
			list: Array.from({ length: 150 }, () => 0),
			object: Object.fromEntries(Array.from({ length: 103 }, (_, at) => [`k${at}`, at])),
		};
		const short = truncate(long) as typeof long & { object: Record<string, unknown> };
		expect(short.text).toBe(`${'x'.repeat(1_000)}…‹+234›`);
		expect(short.list).toEqual([...Array.from({ length: 100 }, () => 0), '…‹+50›']);
		expect(Object.keys(short.object)).toHaveLength(101);
		expect(short.object['…']).toBe('…‹+3›');
	});

	it('keeps top-level scalars even after large members', () => {
		const list = Array.from({ length: 90 }, () => 'y'.repeat(900));
		const short = truncate({ params: { list }, late: { a: 1 }, method: 'm', id: 7 });
		expect(short).toMatchObject({ late: '…‹+1›', method: 'm', id: 7 });
	});

	it('is small, whatever the value', () => {
		const wide = (depth: number): unknown =>
			depth === 0 ? 'z'.repeat(50) : Array.from({ length: 30 }, () => wide(depth - 1));
		expect(memorySize(truncate(wide(3)))).toBeLessThan(80 * KB);
		expect(memorySize(truncate({ ['n'.repeat(500_000)]: 1 }))).toBeLessThan(10 * KB);
		fc.assert(fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => memorySize(truncate(value)) < 300 * KB));
	});

	it('has ordinary names and no prototype of its own', () => {
		const value = JSON.parse(`{"__proto__": "${'x'.repeat(200_000)}", "constructor": 1}`);
		expect(Object.keys(truncateIfLarge(value) as object)).toEqual(['__proto__', 'constructor']);
	});
});

it('the memory size of a value is at least that of its text', () => {
	fc.assert(fc.property(fc.jsonValue(), (value) => memorySize(value) >= JSON.stringify(value).length / 4));
	expect(memorySize('x'.repeat(KB))).toBeGreaterThan(KB);
});
