import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { own } from '../../../src/elicitation/json.ts';
import type { TraceEntry } from '../../../src/trace/log.ts';
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

/** A reference implementation that looks through all open requests at each message ever sent. */
function naiveExchanges({ said, trace }: Window) {
	const exchanges = new Map<TraceEntry, { method: unknown; request: TraceEntry; response?: TraceEntry }>();
	let open: { method: unknown; request: TraceEntry; response?: TraceEntry }[] = [];
	for (const entry of said.filter(({ message }) => own(message, 'id') !== undefined)) {
		const { server, direction, message } = entry;
		const method = own(message, 'method');
		const from = method !== undefined ? direction : direction === 'sent' ? 'received' : 'sent';
		const same = open.filter(
			({ request }) =>
				request.server === server && request.direction === from && own(request.message, 'id') === own(message, 'id'),
		);
		const newest = same.at(-1);
		if (method === undefined) {
			open = open.filter((each) => each !== newest);
			Object.assign(newest ?? {}, { response: entry });
		} else if (direction === 'sent') {
			open = open.filter((each) => !same.includes(each));
		}
		const isRepeated = direction === 'received' && isDeepStrictEqual(newest?.request.message, message);
		const exchange = method === undefined || isRepeated ? newest : { method, request: entry };
		if (exchange) {
			open.push(...(exchange === newest ? [] : [exchange]));
			exchanges.set(entry, exchange);
		}
	}
	const kept = (each: TraceEntry | undefined) => (each && trace.get(each.seq) ? each : undefined);
	return (entry: TraceEntry) => {
		const { method, request, response } = exchanges.get(entry) ?? {};
		return { method, request: kept(request), response: kept(response) };
	};
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

	it('pairs each response with the newest request of its id that is still open, and remembers its method', () => {
		fc.assert(
			fc.property(fc.array(action, { maxLength: 60, size: 'max' }), (actions) => {
				const window = new Window();
				for (const act of actions) {
					act(window);
				}
				const expected = naiveExchanges(window);
				for (const entry of window.trace.entries) {
					const { method, request, response, latency } = entry.exchange ?? {};
					expect({ method, request, response }).toEqual(expected(entry));
					if (request && response) {
						expect(latency).toBe(response.at - request.at);
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
