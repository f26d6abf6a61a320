import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Queue } from '../../../src/trace/queue.ts';

it('a queue does what a list does', () => {
	const step = fc.oneof(
		{ weight: 5, arbitrary: fc.constant('push' as const) },
		{ weight: 4, arbitrary: fc.constant('shift' as const) },
		{ weight: 1, arbitrary: fc.constant('clear' as const) },
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 200, size: 'max' }), fc.integer({ min: -3, max: 60 }), (steps, at) => {
			const queue = new Queue<number>();
			const list: number[] = [];
			for (const [index, each] of steps.entries()) {
				if (each === 'push') {
					queue.push(index);
					list.push(index);
				} else if (each === 'shift') {
					expect(queue.shift()).toBe(list.shift());
				} else {
					queue.clear();
					list.length = 0;
				}
				expect(queue.length).toBe(list.length);
				expect(queue.at(at)).toBe(at < 0 ? undefined : list[at]);
			}
			expect([...queue]).toEqual(list);
			expect(queue.slice(2)).toEqual(list.slice(2));
		}),
	);
});
