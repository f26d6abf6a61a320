import { describe, expect, it, vi } from 'vitest';
import { MAX_TOTAL_SIZE } from '../../../src/trace/log.ts';
import { maskedLog } from '../privacy/maskedLog.ts';

describe('the trace', () => {
	it('keeps the messages in their order and numbers them', () => {
		const log = maskedLog(() => 10);
		for (const n of [1, 2, 3]) log.add({ server: 's', direction: 'sent', message: { n } });
		expect(log.entries.map(({ seq, message }) => [seq, message])).toEqual([
			[0, { n: 1 }],
			[1, { n: 2 }],
			[2, { n: 3 }],
		]);
	});

	it('keeps the newest messages within its bound, and counts the dropped ones', () => {
		const log = maskedLog(() => 100);
		for (let n = 0; n < 1000; n++) {
			log.add({ server: 's', direction: 'sent', message: n });
			expect(log.entries.length).toBeLessThanOrEqual(100);
		}
		expect(log.entries.map(({ message }) => message)).toEqual(Array.from({ length: 100 }, (_, at) => 900 + at));
		expect(log.dropped + 100).toBeGreaterThan(1000 - 11);
		expect(log.dropped).toBeLessThanOrEqual(900);
	});

	it('follows a bound that changes, and never goes below one message', () => {
		let limit = 5;
		const log = maskedLog(() => limit);
		for (let n = 0; n < 5; n++) log.add({ server: 's', direction: 'sent', message: n });
		limit = 2;
		log.trim();
		expect(log.entries.map(({ message }) => message)).toEqual([3, 4]);
		limit = 0;
		log.trim();
		expect(log.entries.map(({ message }) => message)).toEqual([4]);
	});

	it('does not number anew after it was cleared, and tells of every change', () => {
		const log = maskedLog(() => 1);
		const told: string[] = [];
		log.onDidAdd(({ seq }) => told.push(`add ${seq}`));
		log.onDidForget(({ seq }) => told.push(`forget ${seq}`));
		log.onDidClear(() => told.push('clear'));
		log.add({ server: 's', direction: 'sent', message: 1 });
		log.add({ server: 's', direction: 'sent', message: 2 });
		log.clear();
		expect(log.entries).toEqual([]);
		expect(log.add({ server: 's', direction: 'received', message: 3 }).seq).toBe(2);
		expect(told).toEqual(['add 0', 'add 1', 'forget 0', 'clear', 'add 2']);
	});

	it('finds a message by its number as long as it is kept', () => {
		const log = maskedLog(() => 3);
		for (let n = 0; n < 5; n++) log.add({ server: 's', direction: 'sent', message: n });
		expect([0, 1, 2, 3, 4, 5, -1].map((seq) => log.get(seq)?.message)).toEqual([
			undefined,
			undefined,
			2,
			3,
			4,
			undefined,
			undefined,
		]);
	});

	it('truncates large messages, keeping their outline and top-level scalars (fault 12)', () => {
		const log = maskedLog(() => 10);
		const huge = { jsonrpc: '2.0', method: 'a/b', params: { text: 'x'.repeat(9_000_000), more: [1, 2] }, id: 7 };
		const { message, truncated, memorySize } = log.add({ server: 's', direction: 'received', message: huge });
		expect(truncated).toBe(true);
		expect(message).toEqual({ ...huge, params: { text: `${'x'.repeat(1_000)}…‹+8999000›`, more: [1, 2] } });
		expect(memorySize).toBeLessThan(10_000);
	});

	it('never takes more memory than its bound, whatever the number of messages (fault 12)', () => {
		const log = maskedLog(() => 10_000);
		const forgotten = vi.fn();
		log.onDidForget(forgotten);
		for (let n = 0; n < 300; n++) {
			log.add({ server: 's', direction: 'sent', message: { n, text: 'x'.repeat(400_000) } });
		}
		const kept = log.entries.reduce((sum, { memorySize }) => sum + memorySize, 0);
		expect(kept).toBeLessThanOrEqual(MAX_TOTAL_SIZE);
		expect(kept).toBeGreaterThan(MAX_TOTAL_SIZE - 1_000_000);
		expect(log.dropped).toBe(300 - log.length);
		expect(forgotten).toHaveBeenCalledTimes(log.dropped);
		expect(log.entries.at(-1)?.message).toMatchObject({ n: 299 });
	});
});
