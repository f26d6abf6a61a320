import { expect, it } from 'vitest';
import { PairMap } from '../../../src/trace/pairMap.ts';

it('finds a value by both parts of its key, whatever their types', () => {
	const map = new PairMap<string, unknown, string>();
	map.set('a', 1, 'number');
	map.set('a', '1', 'text');
	map.set('b', 1, 'other');
	expect([map.get('a', 1), map.get('a', '1'), map.get('b', 1)]).toEqual(['number', 'text', 'other']);
	expect([map.get('b', '1'), map.get('c', 1)]).toEqual([undefined, undefined]);
});

it('replaces, deletes and forgets', () => {
	const map = new PairMap<string, unknown, string>();
	map.set('a', 1, 'old');
	map.set('a', 1, 'new');
	map.set('a', 2, 'kept');
	expect(map.get('a', 1)).toBe('new');
	map.delete('a', 1);
	map.delete('b', 1);
	expect([map.get('a', 1), map.get('a', 2)]).toEqual([undefined, 'kept']);
	map.clear();
	expect(map.get('a', 2)).toBeUndefined();
});
