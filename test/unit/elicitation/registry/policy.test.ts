import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { World } from '../world.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function asking(perMinute: number) {
	const world = new World(perMinute);
	const { registry } = world;
	const shown: string[] = [];
	registry.onDidAsk(({ request }) => shown.push(request.message));
	const ask: World['form'] = (...args) => world.form(...args);
	const flood: World['forms'] = (...args) => world.forms(...args);
	return { registry, shown, ask, flood };
}

const states = (list: readonly { state: string }[]) =>
	Object.fromEntries(
		[...new Set(list.map(({ state }) => state))].map((each) => [
			each,
			list.filter(({ state }) => state === each).length,
		]),
	);

describe('a server that exceeds the rate limit (A01)', () => {
	it('with a thousand requests at once has twenty shown, fifty held, and the rest cancelled (fault 11)', () => {
		const { registry, shown, flood } = asking(30);
		const all = flood(1_000);
		expect(states(all)).toEqual({ asking: 20, held: 50, cancelled: 930 });
		expect(shown).toHaveLength(20);
		// Ten of the held requests are within the rate limit and only wait for others to end.
		expect(registry.heldRequests('s')).toEqual({ held: 50, cancelled: 930, repeated: false });
	});

	it('is answered for the user with the reason kept: too much, declined with the rest, or by the settings', () => {
		const { registry, flood } = asking(2);
		const all = flood(60);
		all[50]?.cancel();
		registry.declineHeld('s');
		const after = flood(1);
		const reasons = [...all, ...after].map(({ state, unasked }) => unasked && `${state} ${unasked}`);
		expect(reasons.filter((each) => each === 'cancelled limit')).toHaveLength(8);
		expect(reasons.slice(0, 52)).toEqual(Array.from({ length: 52 }));
		expect(reasons.at(-1)).toBe('declined muted');
		const origin = { server: 't', connection: 'c', intake: 'request', revision: '', calls: [], params: null } as const;
		const declined = registry.add({ mode: 'form', message: '', requestedSchema: {} }, origin, 'decline');
		expect([declined.state, declined.unasked]).toEqual(['declined', 'settings']);
	});

	it.each([
		['small', null, 4_096],
		['large', { text: 'x'.repeat(1_000_000) }, 16],
	])(
		'has only so much held that waits for its turn, however high the limit is, and is told of: %s',
		(_size, params, held) => {
			const { registry, flood } = asking(Number.POSITIVE_INFINITY);
			const all = flood(20 + held + 2, { params });
			expect(states(all)).toEqual({ asking: 20, held, cancelled: 2 });
			expect(registry.heldRequests('s')).toEqual({ held, cancelled: 2, repeated: false });
			registry.review('s');
			expect(registry.heldRequests('s')).toBeUndefined();
			all[0]?.cancel();
			expect(states(all)).toEqual({ asking: 20, held: held - 1, cancelled: 3 });
		},
	);

	it('has all requests of one message shown, one after another (fault 23)', () => {
		const { registry, flood } = asking(30);
		const all = flood(500, { intake: 'inputRequired' });
		expect(states(all)).toEqual({ asking: 20, held: 480 });
		registry.review('s');
		for (let answered = 0; answered < 500; answered++) {
			expect(all.filter(({ state }) => state === 'asking')).toHaveLength(Math.min(20, 500 - answered));
			all.find(({ state }) => state === 'asking')?.cancel();
		}
		expect(states(all)).toEqual({ cancelled: 500 });
	});

	it('has its held requests shown when the user reviews them', () => {
		const { registry, shown, flood } = asking(2);
		flood(5);
		registry.review('s');
		expect(shown).toEqual(['Elicitation 0', 'Elicitation 1', 'Elicitation 2', 'Elicitation 3', 'Elicitation 4']);
		expect(registry.heldRequests('s')).toBeUndefined();
	});

	it('has everything declined at once, shown or held, and nothing of it shown meanwhile', () => {
		const { registry, ask, shown, flood } = asking(30);
		const other = ask('A', { server: 'another' });
		const all = flood(300);
		shown.length = 0;
		registry.declineAll('s');
		expect(states(all)).toEqual({ declined: 70, cancelled: 230 });
		expect(shown).toEqual([]);
		expect(other.state).toBe('asking');
		expect(ask('B').state).toBe('declined');
	});

	it('is declined without asking once the user has said so, until it has kept to the limit for a minute', () => {
		vi.useFakeTimers({ toFake: ['Date', 'performance'] });
		const { registry, ask, flood } = asking(2);
		const first = flood(4);
		registry.declineHeld('s');
		expect(states(first)).toEqual({ asking: 2, declined: 2 });
		vi.advanceTimersByTime(MINUTE / 2);
		expect(ask('A').state).toBe('declined');
		vi.advanceTimersByTime(MINUTE / 2);
		expect([ask('B').state, ask('C').state, ask('D').state]).toEqual(['asking', 'asking', 'declined']);
		vi.advanceTimersByTime(MINUTE);
		expect([ask('E').state, ask('F').state, ask('G').state]).toEqual(['asking', 'asking', 'held']);
		vi.useRealTimers();
	});

	it.each([-DAY, DAY])('has the same minute when the clock of the system is set by %d ms', (jump) => {
		vi.useFakeTimers({ toFake: ['Date', 'performance'] });
		onTestFinished(() => void vi.useRealTimers());
		const { registry, ask, flood } = asking(2);
		flood(4);
		registry.declineHeld('s');
		vi.setSystemTime(Date.now() + jump);
		expect(ask('A').state).toBe('declined');
		vi.advanceTimersByTime(MINUTE);
		expect([ask('B').state, ask('C').state, ask('D').state]).toEqual(['asking', 'asking', 'held']);
	});
});

describe('a request that was just declined (A01)', () => {
	it('is held if the server repeats it unprompted or in the same call', () => {
		const { registry, ask } = asking(30);
		const call = registry.beginCall('s', 'tool', 't', {});
		ask('Password?', { calls: [call] }).decline();
		expect(ask('Password?', { calls: [call] }).holdReason).toBe('repeated');
		expect(ask('Password?').holdReason).toBe('repeated');
		expect(ask('Something else?', { calls: [call] }).state).toBe('asking');
		expect(registry.heldRequests('s')).toEqual({ held: 2, cancelled: 0, repeated: true });
		call.end('failed', undefined);
	});

	it('is shown if the user has started another call since, even within the same millisecond', () => {
		vi.useFakeTimers({ toFake: ['Date', 'performance'] });
		const { registry, ask } = asking(30);
		const before = registry.beginCall('s', 'tool', 't', {});
		ask('Deploy?').decline();
		const since = registry.beginCall('s', 'tool', 't', {});
		expect(ask('Deploy?', { calls: [since] }).state).toBe('asking');
		expect(ask('Deploy?', { calls: [before, since] }).state).toBe('asking');
		expect(ask('Deploy?', { calls: [before] }).holdReason).toBe('repeated');
		registry.endCall(before, 'failed', undefined);
		registry.endCall(since, 'failed', undefined);
		vi.useRealTimers();
	});
});
