import { expect, it, vi } from 'vitest';
import { Matcher, NO_FILTER } from '../../../../src/trace/filter.ts';
import { Outline } from '../../../../src/trace/outline.ts';
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

it('calls that a recording gives one id are read as fast as others', () => {
	const COUNT = 15_000;
	const timeOf = (idOf: (at: number) => string) => {
		const sent = (at: number) =>
			['sent', { id: at, method: 'tools/call' }, { ...CALL, id: idOf(at), name: `tool ${at}` }] as const;
		const text = recording(...Array.from({ length: COUNT }, (_, at) => sent(at)));
		const since = performance.now();
		expect(played(text).registry.calls).toHaveLength(COUNT);
		return performance.now() - since;
	};
	// To compare each with all before it would take six times as long.
	expect(timeOf(() => 'one') / timeOf(String)).toBeLessThan(3);
});
