import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock, type Turn } from '../../../src/elicitation/clock.ts';
import { runs } from '../../nightly.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Causes of pauses. */
const [one, two] = [{}, {}];

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

/** A clock with a limit, and how often it expired. */
function limited(ms: number, total?: number) {
	const clock = new Clock();
	const expire = vi.fn();
	clock.limit(ms, expire, total);
	return { clock, expire };
}

describe("a call's clocks (A04)", () => {
	it('count human time instead while the user is asked', () => {
		const clock = new Clock();
		vi.advanceTimersByTime(100);
		clock.pause(one);
		vi.advanceTimersByTime(DAY);
		expect([clock.serverTime, clock.humanTime, clock.asking]).toEqual([100, DAY, true]);
		clock.resume(one);
		vi.advanceTimersByTime(50);
		expect([clock.serverTime, clock.humanTime, clock.asking]).toEqual([150, DAY, false]);
	});

	it('fire when the turn changes, once for several elicitations', () => {
		const clock = new Clock();
		const turns: Turn[] = [];
		clock.onDidTurn(() => turns.push(clock.turn));
		clock.pause(one, 'automatic');
		clock.pause(two);
		clock.pause(one);
		clock.resume(one);
		expect(turns).toEqual(['automatic', 'person']);
		clock.resume(two);
		clock.resume(two);
		expect(turns).toEqual(['automatic', 'person', 'server']);
	});

	it('stand still once the call has ended, whatever comes after', () => {
		const { clock, expire } = limited(1000);
		clock.pause(one);
		vi.advanceTimersByTime(20);
		clock.stop();
		vi.advanceTimersByTime(DAY);
		clock.resume(one);
		vi.advanceTimersByTime(DAY);
		expect([clock.serverTime, clock.humanTime]).toEqual([0, 20]);
		expect(expire).not.toHaveBeenCalled();
		expect(vi.getTimerCount()).toBe(0);
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

	it('does not expire while the user thinks (A04, fault 9)', () => {
		const { clock, expire } = limited(1000);
		vi.advanceTimersByTime(600);
		clock.pause(one);
		vi.advanceTimersByTime(DAY);
		clock.resume(one);
		vi.advanceTimersByTime(399);
		expect(expire).not.toHaveBeenCalled();
		vi.advanceTimersByTime(1);
		expect(expire).toHaveBeenCalledTimes(1);
	});

	it.each([-DAY, DAY])(
		'and the times that count do not change with the clock of the system, set by %d ms (A04)',
		(jump) => {
			const { clock, expire } = limited(1000);
			vi.setSystemTime(Date.now() + jump);
			vi.advanceTimersByTime(600);
			clock.pause(one);
			vi.setSystemTime(Date.now() + jump);
			vi.advanceTimersByTime(10);
			clock.resume(one);
			expect([clock.serverTime, clock.humanTime]).toEqual([600, 10]);
			vi.advanceTimersByTime(399);
			expect(expire).not.toHaveBeenCalled();
			vi.advanceTimersByTime(1);
			expect(expire).toHaveBeenCalledTimes(1);
		},
	);

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

	it('has a total that no activity extends (D05)', () => {
		const { clock, expire } = limited(1000, 3000);
		while (expire.mock.calls.length === 0) {
			vi.advanceTimersByTime(1);
			clock.restart();
		}
		expect(clock.serverTime).toBe(3000);
	});

	it('expires only after silence once the call is polled, and not before the next poll (D05)', () => {
		const { clock, expire } = limited(1000, 3000);
		for (let polls = 0; polls < 10; polls++) {
			clock.limitSilence(5000);
			clock.restart();
			vi.advanceTimersByTime(5900);
		}
		expect(expire).not.toHaveBeenCalled();
		vi.advanceTimersByTime(100);
		expect(expire).toHaveBeenCalledOnce();
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

describe('whatever happens in whichever order', () => {
	const IDLE = 100;
	const TOTAL = 300;
	const step = fc.record({
		what: fc.constantFrom('person', 'automatic', 'nobody', 'resume', 'progress', 'wait', 'wait'),
		elicitation: fc.nat(2),
		ms: fc.nat(60),
	});

	/** A reference implementation that counts every millisecond. */
	class Told {
		readonly spent = { server: 0, person: 0, automatic: 0, nobody: 0 };
		readonly waiting: (Turn | undefined)[] = [];
		silence = 0;
		expired = false;

		get turn(): Turn {
			const { waiting } = this;
			return (['person', 'automatic', 'nobody'] as const).find((turn) => waiting.includes(turn)) ?? 'server';
		}

		pass(ms: number): void {
			for (let each = 0; each < ms; each++) {
				this.spent[this.turn]++;
				this.silence += this.turn === 'server' ? 1 : 0;
				this.look();
			}
		}

		look(): void {
			const usedUp = this.silence >= IDLE || this.spent.server >= TOTAL;
			this.expired ||= this.turn === 'server' && usedUp;
		}
	}

	it('the shares add up to the time that has passed, and each stands still exactly when it is not its turn (A04, D05)', () => {
		const run = (steps: readonly { what: string; elicitation: number; ms: number }[], end: number) => {
			const elicitations = [{}, {}, {}];
			const { clock, expire } = limited(IDLE, TOTAL);
			const told = new Told();
			const began = Date.now();
			const shares = () => ({
				server: clock.serverTime,
				person: clock.humanTime,
				automatic: clock.automaticTime,
				nobody: told.spent.nobody,
			});
			for (const { what, elicitation, ms } of steps) {
				const cause = elicitations[elicitation] ?? {};
				if (what === 'wait') {
					vi.advanceTimersByTime(ms);
					told.pass(ms);
				} else if (what === 'progress') {
					clock.restart();
					told.silence = 0;
				} else if (what === 'resume') {
					clock.resume(cause);
					told.waiting[elicitation] = undefined;
				} else {
					clock.pause(cause, what as 'person' | 'automatic' | 'nobody');
					told.waiting[elicitation] = what as Turn;
				}
				vi.advanceTimersByTime(0);
				expect([clock.turn, shares(), expire.mock.calls.length > 0]).toEqual([told.turn, told.spent, told.expired]);
				expect(clock.asking).toBe(told.turn === 'person');
				expect(Object.values(shares()).reduce((sum, share) => sum + share)).toBe(Date.now() - began);
				if (told.expired) {
					break;
				}
			}
			clock.stop();
			vi.advanceTimersByTime(end);
			expect(shares()).toEqual(told.spent);
			expect(vi.getTimerCount()).toBe(0);
		};
		fc.assert(fc.property(fc.array(step, { maxLength: 40 }), fc.nat(1000), run), { numRuns: runs(2_000, 300) });
	});
});
