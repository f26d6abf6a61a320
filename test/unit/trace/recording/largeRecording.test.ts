import { expect, it, vi } from 'vitest';
import { Secrets } from '../../../../src/privacy/secrets.ts';
import { Matcher, NO_FILTER } from '../../../../src/trace/filter.ts';
import { Outline } from '../../../../src/trace/outline.ts';
import { playRecording } from '../../../../src/trace/recording/recordedTimeline.ts';
import { CALL, played, recording } from './recorded.ts';

it('the warnings of a large call are found by looking at each message and each elicitation once', () => {
	const asks = Array.from({ length: 1_000 }, (_, at) => {
		// The last two have the same id.
		const params = { mode: 'url', elicitationId: `e${Math.min(at, 998)}`, message: 'M', url: 'https://example.com/' };
		return ['received', { id: at + 2, method: 'elicitation/create', params }] as const;
	});
	const timeline = played(
		recording(
			['received', { id: 1, result: { protocolVersion: '2025-11-25' } }],
			['sent', { id: 1, method: 'tools/call', params: { name: 'deploy' } }],
			...asks,
		),
	);
	const looks = [vi.spyOn(Matcher.prototype, 'elicitation'), vi.spyOn(Matcher.prototype, 'entry')];
	const outline = new Outline(timeline);
	outline.setFilter({ ...NO_FILTER, show: 'warnings' });
	// Without any time, it advances by as little as possible with each call.
	while (!outline.refresh(-1));
	expect(outline.found).toEqual({ messages: 0, elicitations: 2 });
	expect(looks.map(({ mock }) => mock.calls.length)).toEqual([1_000, 1_002]);
});

const COUNT = 15_000;

/** Reads a recording with this text. Returns how much processor time that takes (ms), and what is in it. */
function timedRead(text: string) {
	const since = process.cpuUsage();
	const { registry } = played(text);
	const { user, system } = process.cpuUsage(since);
	return { time: (user + system) / 1_000, registry };
}

/**
 * Whether one thing takes less than so many times as long as another. What else the machine does, and the collection of garbage,
 * only make a time longer: of each, the shortest counts.
 */
function isBelow(limit: number, timeOfOne: () => number, timeOfOther: () => number): boolean {
	let [one, other] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
	return [1, 2, 3, 4, 5, 6].some(() => {
		one = Math.min(one, timeOfOne());
		other = Math.min(other, timeOfOther());
		return one / other < limit;
	});
}

it('calls that a recording gives one id are read as fast as others', () => {
	const timeOf = (idOf: (at: number) => string) => {
		const sent = (at: number) =>
			['sent', { id: at, method: 'tools/call' }, { ...CALL, id: idOf(at), name: `tool ${at}` }] as const;
		const { time, registry } = timedRead(recording(...Array.from({ length: COUNT }, (_, at) => sent(at))));
		expect(registry.calls).toHaveLength(COUNT);
		return time;
	};
	// To compare each with all before it would take six times as long.
	expect(
		isBelow(
			3,
			() => timeOf(() => 'one'),
			() => timeOf(String),
		),
	).toBe(true);
});

it('the requests of a task that makes many are read as fast as those of many tasks', () => {
	const timeOf = (idOf: (at: number) => string) => {
		const params = { message: 'Who?', requestedSchema: { type: 'object' } };
		const exchanged = Array.from({ length: COUNT }, (_, at) => {
			const inputRequests = { [`key ${at}`]: { method: 'elicitation/create', params } };
			const update = { taskId: idOf(at), inputResponses: { [`key ${at}`]: { action: 'decline' } } };
			return [
				['received', { id: at, result: { taskId: idOf(at), status: 'input_required', inputRequests } }],
				['sent', { id: `update ${at}`, method: 'tasks/update', params: update }],
			] as const;
		});
		const { time, registry } = timedRead(recording(...exchanged.flat()));
		expect(registry.elicitations.filter(({ state }) => state === 'declined')).toHaveLength(COUNT);
		return time;
	};
	// To look at all that the task has requested before would take fifteen times as long.
	expect(
		isBelow(
			4,
			() => timeOf(() => 'one'),
			() => timeOf(String),
		),
	).toBe(true);
});

it('many calls and requests without an end do not block the extension host', () => {
	const params = { message: 'Who?', requestedSchema: { type: 'object' } };
	const text = recording(
		...Array.from({ length: 1_000 }, (_, id) => {
			const call = { ...CALL, id: String(id) };
			return [
				['sent', { id, method: 'tools/call' }, call],
				['received', { id, method: 'elicitation/create', params }, call],
			] as const;
		}).flat(),
	);
	const progress = [...playRecording(new TextEncoder().encode(text), new Secrets())];
	expect(progress.filter((part) => part === 1).length).toBeGreaterThanOrEqual(2_000);
});
