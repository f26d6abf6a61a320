import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { own } from '../../../src/elicitation/json.ts';
import type { Direction, TraceEntry } from '../../../src/trace/log.ts';
import { Timeline } from '../../../src/trace/timeline.ts';
import { action, ownTimes, Window } from './activity.ts';

ownTimes();

/** A reference implementation that searches everything. */
function naive({ world: { registry }, trace }: Window) {
	const { entries } = trace;
	const { elicitations } = registry;
	const calls = new Set([
		...registry.calls,
		...entries.flatMap(({ call }) => call ?? []),
		...elicitations.flatMap(({ origin }) => origin.calls),
	]);
	const servers = new Set([
		...entries.filter(({ call }) => !call).map(({ server }) => server),
		...elicitations.filter(({ origin }) => origin.calls.length === 0).map(({ origin }) => origin.server),
	]);
	return [
		...[...calls]
			.sort((a, b) => Number(b.id) - Number(a.id))
			.map((call) => ({
				key: `call:${call.id}`,
				entries: entries.filter((entry) => entry.call === call),
				elicitations: elicitations.filter(({ origin }) => origin.calls.includes(call)),
			})),
		...[...servers].sort().map((server) => ({
			key: `outside:${server}`,
			entries: entries.filter((entry) => !entry.call && entry.server === server),
			elicitations: elicitations.filter(({ origin }) => origin.calls.length === 0 && origin.server === server),
		})),
	];
}

/** The same result from the index, sorted like `naive`. */
function indexed(timeline: Timeline) {
	const groups = timeline.groups.map(({ key, entries, elicitations }) => ({
		key,
		entries: [...entries],
		elicitations: [...elicitations],
	}));
	const outside = groups.filter(({ key }) => key.startsWith('outside:'));
	return [
		...groups.filter(({ key }) => !key.startsWith('outside:')),
		...outside.sort((a, b) => (a.key < b.key ? -1 : 1)),
	];
}

/** A reference implementation that searches all messages ever sent. */
function naiveExchange({ said, oldest, trace }: Window, entry: TraceEntry) {
	const id = own(entry.message, 'id');
	const isRequest = own(entry.message, 'method') !== undefined;
	if (id === undefined) {
		return undefined;
	}
	const all = said.filter((each) => each.server === entry.server && own(each.message, 'id') === id);
	/** The request that another one repeats while it is open. */
	const repeatedBy = (each: TraceEntry): TraceEntry | undefined => {
		const before = all.filter(({ seq }) => seq < each.seq);
		const last = before.findLast(
			({ direction, message }) => (own(message, 'method') !== undefined) === (direction === 'received'),
		);
		const first = last && own(last.message, 'method') !== undefined ? (repeatedBy(last) ?? last) : undefined;
		const isSame = each.direction === 'received' && isDeepStrictEqual(first?.message, each.message);
		return first && isSame && (oldest.get(each) ?? 0) <= first.seq ? first : undefined;
	};
	const original = repeatedBy(entry);
	if (original) {
		return naiveExchange({ said, oldest, trace } as Window, original);
	}
	const same = all.filter((each) => !repeatedBy(each));
	const requests = (direction: Direction) =>
		same.filter((each) => own(each.message, 'method') !== undefined && each.direction === direction);
	const responseTo = (request: TraceEntry) => {
		const next = requests(request.direction).find(({ seq }) => seq > request.seq)?.seq ?? Number.POSITIVE_INFINITY;
		const first = same.find(
			(each) =>
				own(each.message, 'method') === undefined &&
				each.direction !== request.direction &&
				each.seq > request.seq &&
				each.seq < next,
		);
		// A request that was dropped before its response arrived is unknown.
		return first && (oldest.get(first) ?? 0) <= request.seq ? first : undefined;
	};
	const kept = (each: TraceEntry | undefined) => (each && trace.get(each.seq) ? each : undefined);
	const request = isRequest
		? entry
		: requests(entry.direction === 'sent' ? 'received' : 'sent').findLast((each) => responseTo(each) === entry);
	return (
		request && {
			method: own(request.message, 'method'),
			request: kept(request),
			response: kept(responseTo(request)),
		}
	);
}

describe('the index', () => {
	it('is what looking through everything finds, whatever comes and goes', () => {
		fc.assert(
			fc.property(fc.array(action, { maxLength: 80, size: 'max' }), fc.nat(20), (actions, late) => {
				const window = new Window();
				const { timeline } = window;
				let second: Timeline | undefined;
				for (const [at, act] of actions.entries()) {
					act(window);
					if (at === late) {
						second = new Timeline(window.world.registry, window.trace);
					}
				}
				expect(indexed(timeline)).toEqual(naive(window));
				if (second) {
					expect(indexed(second)).toEqual(naive(window));
				}
				const { entries } = window.trace;
				expect(timeline.servers).toEqual([...new Set(entries.map(({ server }) => server))].sort());
				const methods = entries.map(({ message }) => own(message, 'method')).filter(Boolean);
				expect([...timeline.methods].sort()).toEqual([...new Set(methods)].sort());
			}),
			{ numRuns: 300 },
		);
	});

	it('pairs each response with the newest request of its id that was still open, and remembers its method', () => {
		fc.assert(
			fc.property(fc.array(action, { maxLength: 60, size: 'max' }), (actions) => {
				const window = new Window();
				const { timeline } = window;
				for (const act of actions) {
					act(window);
					if (window.trace.length === 0) {
						window.said.length = 0;
					}
				}
				for (const entry of window.trace.entries) {
					const { latency, ...exchange } = timeline.exchanges.of(entry) ?? {};
					const expected = naiveExchange(window, entry);
					expect(exchange).toEqual(expected ?? {});
					if (expected?.request && expected.response) {
						expect(latency).toBe(expected.response.at - expected.request.at);
					}
				}
			}),
			{ numRuns: 300 },
		);
	});

	it('forgets a call with its last message, and not before', () => {
		const window = new Window();
		const { timeline } = window;
		const call = window.begin('deploy');
		window.say('sent', { id: 1, method: 'tools/call' }, call);
		window.end(call);
		window.world.registry.forgetEnded();
		expect(timeline.groups.map(({ key }) => key)).toEqual([`call:${call.id}`]);
		window.limit = 1;
		window.say('sent', { method: 'ping' });
		expect(timeline.groups.map(({ key }) => key)).toEqual(['outside:s']);
	});

	it('stands in the order of the calls even when something of an old one comes late', () => {
		const window = new Window();
		const { timeline } = window;
		const old = window.begin('old');
		window.end(old);
		const newer = window.begin('newer');
		window.world.registry.forgetEnded();
		window.say('received', { method: 'notifications/progress' }, old);
		const newest = window.begin('newest');
		expect(timeline.groups.map(({ call }) => call)).toEqual([newest, newer, old]);
	});

	it('follows nothing any more once it is disposed of', () => {
		const window = new Window();
		const { timeline } = window;
		timeline.dispose();
		window.say('sent', { method: 'ping' });
		window.begin('deploy');
		window.ask('Elicitation');
		expect(timeline.groups).toEqual([]);
	});
});
