import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RateLimitMonitor } from '../../../src/elicitation/rateLimitMonitor.ts';
import { first, World } from './world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

function watching(perMinute: number) {
	const world = new World(perMinute);
	const watch = new RateLimitMonitor(world.registry);
	const told: unknown[] = [];
	watch.onDidExceed((server) => told.push([server, world.registry.heldRequests(server)]));
	return { ...world, world, watch, told, registry: world.registry };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the rate limit prompt (A01)', () => {
	it('reports a thousand requests once, with the final numbers (fault 11)', () => {
		const { world, told } = watching(30);
		for (let part = 0; part < 10; part++) {
			world.forms(100);
			vi.advanceTimersByTime(100);
		}
		expect(told).toEqual([]);
		vi.advanceTimersByTime(SECOND);
		expect(told).toEqual([['s', { held: 50, cancelled: 930, repeated: false }]]);
		vi.advanceTimersByTime(10 * MINUTE);
		expect(told).toHaveLength(1);
	});

	it('waits for what arrived while the process was busy', () => {
		const { world, told } = watching(30);
		world.forms(500);
		// The time of a pause has passed in one turn of the event loop, and the next one reads the rest.
		vi.advanceTimersToNextTimer();
		world.forms(500);
		vi.advanceTimersByTime(SECOND);
		expect(told).toEqual([['s', { held: 50, cancelled: 930, repeated: false }]]);
	});

	it.each([100, 1])('does not wait for a burst that never ends, with a request every %d ms', (pause) => {
		const { world, told } = watching(1);
		for (let at = 0; at < 5 * SECOND; at += pause) {
			world.forms(1);
			vi.advanceTimersByTime(pause);
		}
		expect(told).toHaveLength(1);
	});

	it('does not report a server below the limit, or one whose requests only wait for others to end', () => {
		const { world, told } = watching(30);
		world.forms(30);
		vi.advanceTimersByTime(SECOND);
		expect(told).toEqual([]);
	});

	it('reports each server separately', () => {
		const { world, told } = watching(1);
		world.forms(2);
		world.forms(3, { server: 'other' });
		vi.advanceTimersByTime(SECOND);
		expect(told).toEqual([
			['s', { held: 1, cancelled: 0, repeated: false }],
			['other', { held: 2, cancelled: 0, repeated: false }],
		]);
	});

	it('does not repeat a dismissed prompt, however many requests follow', () => {
		const { world, told } = watching(1);
		world.forms(2);
		vi.advanceTimersByTime(SECOND);
		world.forms(30);
		vi.advanceTimersByTime(10 * MINUTE);
		world.forms(30);
		vi.advanceTimersByTime(SECOND);
		expect(told).toHaveLength(1);
	});

	it.each([
		['', 0],
		[', also when the clock of the system was set back', 1_000 * MINUTE],
	])('reports the next burst, but not within a minute of the last prompt%s', (_when, back) => {
		const { world, told } = watching(1);
		world.form('First');
		const held = world.form('Second');
		vi.advanceTimersByTime(SECOND);
		held.cancel();
		vi.advanceTimersByTime(SECOND);
		first(world.forms(1)).cancel();
		vi.advanceTimersByTime(SECOND);
		expect(told).toHaveLength(1);
		vi.setSystemTime(Date.now() - back);
		vi.advanceTimersByTime(MINUTE);
		world.forms(2);
		vi.advanceTimersByTime(SECOND);
		expect(told).toHaveLength(2);
	});

	it('reports further requests at once after the user has decided', () => {
		const { world, watch, told, registry } = watching(1);
		world.forms(3);
		vi.advanceTimersByTime(SECOND);
		registry.review('s');
		watch.decided('s');
		world.form('One more');
		vi.advanceTimersByTime(SECOND);
		expect(told).toHaveLength(2);
	});

	it('stops when it is disposed', () => {
		const { world, watch, told } = watching(1);
		world.forms(3);
		watch.dispose();
		vi.advanceTimersByTime(SECOND);
		expect(told).toEqual([]);
		expect(vi.getTimerCount()).toBe(0);
	});
});
