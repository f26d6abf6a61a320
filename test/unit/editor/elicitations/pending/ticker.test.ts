import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { coalesce } from '../../../../../src/editor/common/scheduling.ts';
import { Ticker } from '../../../../../src/editor/elicitations/pending/pending.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('ages are updated often while they are in seconds, rarely after that, and never when nothing is pending', () => {
	let youngest: number | undefined;
	const tick = vi.fn();
	const ticker = new Ticker(() => youngest, tick);
	ticker.restart();
	expect(vi.getTimerCount()).toBe(0);

	youngest = Date.now();
	ticker.restart();
	vi.advanceTimersByTime(MINUTE);
	expect(tick).toHaveBeenCalledTimes(12);
	vi.advanceTimersByTime(10 * MINUTE);
	expect(tick).toHaveBeenCalledTimes(12 + 20);

	youngest = undefined;
	vi.advanceTimersByTime(MINUTE);
	expect(tick).toHaveBeenCalledTimes(12 + 21);
	expect(vi.getTimerCount()).toBe(0);
});

it('ages are not updated after the surfaces are disposed', () => {
	const tick = vi.fn();
	const ticker = new Ticker(() => Date.now(), tick);
	ticker.restart();
	ticker.restart();
	ticker.dispose();
	expect(vi.getTimerCount()).toBe(0);
	expect(tick).not.toHaveBeenCalled();
});

it('a thousand changes cause one update after the interval, and a disposed one none', () => {
	const draw = vi.fn();
	const changed = coalesce(draw, 50);
	for (let at = 0; at < 1_000; at++) {
		changed();
	}
	vi.advanceTimersByTime(49);
	expect(draw).not.toHaveBeenCalled();
	vi.advanceTimersByTime(1);
	expect(draw).toHaveBeenCalledTimes(1);
	changed();
	vi.advanceTimersByTime(40);
	changed();
	expect(draw).toHaveBeenCalledTimes(1);
	vi.advanceTimersByTime(10);
	expect(draw).toHaveBeenCalledTimes(2);
	changed();
	changed.dispose();
	vi.advanceTimersByTime(100);
	expect(draw).toHaveBeenCalledTimes(2);
});
