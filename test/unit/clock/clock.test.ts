import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock } from '../../../src/elicitation/clock.ts';

const DAY = 24 * 60 * 60 * 1000;

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

/** A clock with a limit, and how often it expired. */
function limited(ms: number) {
	const clock = new Clock();
	const expire = vi.fn();
	clock.limit(ms, expire);
	return { clock, expire };
}

describe("a call's clocks (A04)", () => {
	it('count server time from the start', () => {
		const clock = new Clock();
		vi.advanceTimersByTime(1500);
		expect([clock.serverTime, clock.humanTime, clock.asking]).toEqual([1500, 0, false]);
	});

	it('count human time instead while the person is asked', () => {
		const clock = new Clock();
		vi.advanceTimersByTime(100);
		clock.pause();
		vi.advanceTimersByTime(DAY);
		expect([clock.serverTime, clock.humanTime, clock.asking]).toEqual([100, DAY, true]);
		clock.resume();
		vi.advanceTimersByTime(50);
		expect([clock.serverTime, clock.humanTime, clock.asking]).toEqual([150, DAY, false]);
	});

	it('count several questions at once only once, until the last is answered', () => {
		const clock = new Clock();
		clock.pause();
		vi.advanceTimersByTime(10);
		clock.pause();
		vi.advanceTimersByTime(10);
		clock.resume();
		vi.advanceTimersByTime(10);
		expect([clock.serverTime, clock.humanTime]).toEqual([0, 30]);
		clock.resume();
		vi.advanceTimersByTime(10);
		expect([clock.serverTime, clock.humanTime]).toEqual([10, 30]);
	});

	it("tell when it is the other one's turn, once for several questions", () => {
		const clock = new Clock();
		const turns: boolean[] = [];
		clock.onDidTurn(() => turns.push(clock.asking));
		clock.pause();
		clock.pause();
		clock.resume();
		expect(turns).toEqual([true]);
		clock.resume();
		clock.resume();
		expect(turns).toEqual([true, false]);
	});

	it('stand still once the call has ended, whatever comes after', () => {
		const { clock, expire } = limited(1000);
		clock.pause();
		vi.advanceTimersByTime(20);
		clock.stop();
		vi.advanceTimersByTime(DAY);
		clock.resume();
		vi.advanceTimersByTime(DAY);
		expect([clock.serverTime, clock.humanTime]).toEqual([0, 20]);
		expect(expire).not.toHaveBeenCalled();
		expect(vi.getTimerCount()).toBe(0);
	});

	it('do not run ahead when resumed more often than paused', () => {
		const { clock, expire } = limited(1000);
		clock.resume();
		clock.pause();
		vi.advanceTimersByTime(DAY);
		expect(clock.humanTime).toBe(DAY);
		expect(expire).not.toHaveBeenCalled();
	});
});

describe('the limit of a call', () => {
	it('expires once, when the server has used it up', () => {
		const { expire } = limited(1000);
		vi.advanceTimersByTime(999);
		expect(expire).not.toHaveBeenCalled();
		vi.advanceTimersByTime(DAY);
		expect(expire).toHaveBeenCalledTimes(1);
	});

	it('does not expire while the person thinks (A04, fault 9)', () => {
		const { clock, expire } = limited(1000);
		vi.advanceTimersByTime(600);
		clock.pause();
		vi.advanceTimersByTime(DAY);
		clock.resume();
		vi.advanceTimersByTime(399);
		expect(expire).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1);
		expect(expire).toHaveBeenCalledTimes(1);
	});

	it.each([0, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN])(
		'of %d ms is none (fault 10)',
		(ms) => {
			const { expire } = limited(ms);
			vi.advanceTimersByTime(100 * DAY);
			expect(expire).not.toHaveBeenCalled();
			expect(vi.getTimerCount()).toBe(0);
		},
	);

	it('may be longer than a JavaScript timer (fault 10)', () => {
		const { expire } = limited(60 * DAY);
		vi.advanceTimersByTime(60 * DAY - 1);
		expect(expire).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1);
		expect(expire).toHaveBeenCalledTimes(1);
	});

	it('set after it was used up expires at once', () => {
		const clock = new Clock();
		const expire = vi.fn();
		vi.advanceTimersByTime(500);
		clock.limit(500, expire);
		vi.advanceTimersByTime(0);
		expect(expire).toHaveBeenCalledTimes(1);
	});
});
