import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Call } from '../../../src/elicitation/call.ts';
import type { Elicitation } from '../../../src/elicitation/elicitation.ts';
import { own } from '../../../src/elicitation/json.ts';
import { localizable } from '../../../src/elicitation/sentence.ts';
import { Matcher, NO_FILTER, shows, type TimelineFilter } from '../../../src/trace/filter.ts';
import { type Line, lineKey, lineOf } from '../../../src/trace/line.ts';
import type { Direction, TraceEntry } from '../../../src/trace/log.ts';
import { Outline, type Row } from '../../../src/trace/outline.ts';
import { Timeline } from '../../../src/trace/timeline.ts';
import { World } from '../elicitation/world.ts';
import { maskedLog } from './maskedLog.ts';

/** A window with a small timeline and a lot of activity. */
class Window {
	readonly world = new World();
	readonly trace = maskedLog(() => this.limit);
	readonly calls: Call[] = [];
	readonly elicitations: Elicitation[] = [];
	readonly said: TraceEntry[] = [];
	/** The number of the oldest message that was kept when each one arrived. */
	readonly oldest = new Map<TraceEntry, number>();
	limit = 20;

	say(direction: Direction, message: object, call?: Call, server = call?.server ?? 's'): TraceEntry {
		vi.setSystemTime(Date.now() + 1);
		const oldest = this.trace.entries[0]?.seq ?? Number.POSITIVE_INFINITY;
		const entry = this.trace.add({ server, direction, message, call });
		this.said.push(entry);
		this.oldest.set(entry, oldest);
		return entry;
	}

	begin(name: string, server: string): Call {
		const call = this.world.call(name, server);
		this.calls.push(call);
		return call;
	}

	ask(message: string, ...calls: Call[]): Elicitation {
		vi.setSystemTime(Date.now() + 1);
		const elicitation = this.world.form(message, { calls, server: calls[0]?.server ?? 's' });
		this.elicitations.push(elicitation);
		return elicitation;
	}
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const SERVERS = ['s', 'other: "server"'];
const METHODS = ['tools/call', 'ping', 'elicitation/create'];

type Action = (window: Window) => void;

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

const action: fc.Arbitrary<Action> = fc.oneof(
	fc.tuple(fc.nat(1), fc.nat(2)).map(
		([server, name]): Action =>
			(window) =>
				void window.begin(`tool${name}`, SERVERS[server] ?? 's'),
	),
	{
		weight: 6,
		arbitrary: fc.tuple(fc.nat(5), fc.nat(2), fc.nat(3), fc.boolean(), fc.nat(2)).map(
			([call, method, id, sent, kind]): Action =>
				(window) => {
					const message = [
						{ id, method: METHODS[method] },
						{ id, result: { isError: id === 3 } },
						{ method: METHODS[method] },
					][kind] as object;
					const of = pick([undefined, ...window.calls], call);
					if (of && own(message, 'method') === 'tools/call') {
						of.rounds++;
					}
					window.say(sent ? 'sent' : 'received', message, of, of ? undefined : SERVERS[id % 2]);
				},
		),
	},
	{
		weight: 2,
		arbitrary: fc.tuple(fc.nat(5), fc.boolean()).map(
			([call, two]): Action =>
				(window) => {
					const of = pick([undefined, ...window.calls], call);
					const other = two && of ? window.calls.find((each) => each !== of && each.server === of.server) : undefined;
					window.ask(`Elicitation ${call}`, ...(of ? [of] : []), ...(other ? [other] : []));
				},
		),
	},
	fc.nat(9).map(
		(at): Action =>
			(window) =>
				void pick(window.elicitations, at)?.decline(),
	),
	fc.nat(9).map(
		(at): Action =>
			(window) => {
				const call = pick(window.calls, at);
				if (call?.state === 'running') {
					window.world.registry.endCall(call, at % 2 === 0 ? 'succeeded' : 'failed', null);
				}
			},
	),
	fc.nat(20).map(
		(limit): Action =>
			(window) => {
				window.limit = limit;
				window.trace.trim();
			},
	),
	fc.constant((window: Window) => window.world.registry.forgetEnded()),
	fc.constant((window: Window) => {
		window.trace.clear();
		window.world.registry.forgetEnded();
	}),
);

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
	const same = said.filter((each) => each.server === entry.server && own(each.message, 'id') === id);
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
				const timeline = new Timeline(window.world.registry, window.trace);
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
				const timeline = new Timeline(window.world.registry, window.trace);
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
		const timeline = new Timeline(window.world.registry, window.trace);
		const call = window.begin('deploy', 's');
		window.say('sent', { id: 1, method: 'tools/call' }, call);
		window.world.registry.endCall(call, 'succeeded', null);
		window.world.registry.forgetEnded();
		expect(timeline.groups.map(({ key }) => key)).toEqual([`call:${call.id}`]);
		window.limit = 1;
		window.say('sent', { method: 'ping' });
		expect(timeline.groups.map(({ key }) => key)).toEqual(['outside:s']);
	});

	it('stands in the order of the calls even when something of an old one comes late', () => {
		const window = new Window();
		const timeline = new Timeline(window.world.registry, window.trace);
		const old = window.begin('old', 's');
		window.world.registry.endCall(old, 'succeeded', null);
		const newer = window.begin('newer', 's');
		window.world.registry.forgetEnded();
		window.say('received', { method: 'notifications/progress' }, old);
		const newest = window.begin('newest', 's');
		expect(timeline.groups.map(({ call }) => call)).toEqual([newest, newer, old]);
	});

	it('follows nothing any more once it is disposed of', () => {
		const window = new Window();
		const timeline = new Timeline(window.world.registry, window.trace);
		timeline.dispose();
		window.say('sent', { method: 'ping' });
		window.begin('deploy', 's');
		window.ask('Elicitation');
		expect(timeline.groups).toEqual([]);
	});
});

const filter: fc.Arbitrary<TimelineFilter> = fc.record({
	text: fc.constantFrom('', 'tool1', 'ELICITATION 1', 'ping', 'server result', 'nothing'),
	server: fc.constantFrom('', '', ...SERVERS),
	group: fc.constantFrom('', '', 'call:1', 'outside:s'),
	direction: fc.constantFrom('', '', 'sent', 'received'),
	method: fc.constantFrom('', '', ...METHODS),
	show: fc.constantFrom('all', ...shows),
});

/** All rows, read in slices. */
function all(outline: Outline, piece: number): Row[] {
	const rows: Row[] = [];
	for (let first = 0; first < outline.size; first += piece) {
		rows.push(...outline.rows(first, piece));
	}
	return rows;
}

describe('the outline', () => {
	it('shows the same after every change as a new one does, in whatever pieces it is read', () => {
		const fold = fc.tuple(fc.nat(30), fc.boolean());
		const step = fc.oneof(
			{ weight: 6, arbitrary: action.map((act) => ({ act })) },
			fold.map((folded) => ({ folded })),
			filter.map((filtered) => ({ filtered })),
			fc.boolean().map((open) => ({ open })),
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 7 }), (steps, piece) => {
				const window = new Window();
				const timeline = new Timeline(window.world.registry, window.trace);
				const outline = new Outline(timeline);
				for (const each of steps) {
					if ('act' in each) {
						each.act(window);
					} else if ('filtered' in each) {
						outline.setFilter(each.filtered);
					} else if ('open' in each) {
						outline.foldAll(each.open);
					} else {
						const [row] = outline.rows(each.folded[0] % Math.max(1, outline.size), 1);
						if (row?.open !== undefined) {
							outline.fold(row.line, each.folded[1]);
						}
					}
					outline.refresh();
					checkRows(outline, timeline, piece);
				}
				outline.foldAll(true);
				outline.refresh();
				const fresh = new Outline(timeline);
				fresh.setFilter(outline.filter);
				fresh.foldAll(true);
				fresh.refresh();
				expect(all(outline, 5).map(shown)).toEqual(all(fresh, 3).map(shown));
				expect(outline.found).toEqual(fresh.found);
			}),
			{ numRuns: 200 },
		);
	});

	const shown = ({ line, ...row }: Row) => ({ ...row, key: lineKey(line) });

	/** Checks the key, position, parent and siblings of every row. */
	function checkRows(outline: Outline, timeline: Timeline, piece: number): void {
		const rows = all(outline, piece);
		expect(rows).toHaveLength(outline.size);
		for (const [at, row] of rows.entries()) {
			const line = lineOf(timeline, lineKey(row.line));
			expect(line && lineKey(line)).toBe(lineKey(row.line));
			expect(line && outline.indexOf(line)).toBe(at);
			const parent = rows[at - row.up];
			expect(row.level).toBe(row.up === 0 ? 1 : (parent?.level ?? 0) + 1);
			const siblings = rows.filter(
				(each, index) => each.level === row.level && (row.up === 0 || rows[index - each.up] === parent),
			);
			expect([siblings.length, siblings.indexOf(row) + 1]).toEqual([row.size, row.position]);
		}
	}

	it('finds with a filter what looking at each message finds', () => {
		fc.assert(
			fc.property(fc.array(action, { maxLength: 60, size: 'max' }), filter, (actions, wanted) => {
				const window = new Window();
				const timeline = new Timeline(window.world.registry, window.trace);
				const outline = new Outline(timeline);
				outline.setFilter(wanted);
				for (const act of actions) {
					act(window);
				}
				// Without any time, it still advances a little with each call.
				while (!outline.refresh(-1)) {
					expect(outline.size).toBeGreaterThanOrEqual(0);
				}
				const words = wanted.text.toLowerCase().split(' ').filter(Boolean);
				const says = (text: string) => words.every((word) => text.toLowerCase().includes(word));
				const expected = window.trace.entries.filter((entry) => {
					const method = timeline.exchanges.methodOf(entry);
					const group = entry.call ? `call:${entry.call.id}` : `outside:${entry.server}`;
					return (
						[entry.server, ''].includes(wanted.server) &&
						[group, ''].includes(wanted.group) &&
						[entry.direction, ''].includes(wanted.direction) &&
						[method, ''].includes(wanted.method) &&
						kindsOf(entry, method).includes(wanted.show) &&
						says(`${entry.server} ${method} ${JSON.stringify(entry.message)}`)
					);
				});
				expect([...outline.messages()].sort((a, b) => a.seq - b.seq)).toEqual(expected);
				if (outline.filtered) {
					expect(outline.found?.messages).toBe(expected.length);
				}
			}),
			{ numRuns: 400 },
		);
	});

	function kindsOf({ message }: TraceEntry, method: string): TimelineFilter['show'][] {
		const request = own(message, 'method') !== undefined;
		return [
			'all',
			request ? (own(message, 'id') === undefined ? 'notifications' : 'requests') : 'responses',
			...(own(own(message, 'result'), 'isError') === true ? (['errors'] as const) : []),
			...(method === 'elicitation/create' ? (['elicitations'] as const) : []),
		];
	}

	it('expands running calls, and collapses nothing automatically', () => {
		const window = new Window();
		const timeline = new Timeline(window.world.registry, window.trace);
		const outline = new Outline(timeline);
		const call = window.begin('deploy', 's');
		window.say('sent', { id: 1, method: 'tools/call' }, call);
		outline.refresh();
		expect(outline.size).toBe(2);
		window.world.registry.endCall(call, 'succeeded', null);
		const quick = window.begin('quick', 's');
		window.say('sent', { id: 2, method: 'tools/call' }, quick);
		window.world.registry.endCall(quick, 'succeeded', null);
		outline.refresh();
		expect(outline.rows(0, 9).map(({ line, open }) => [lineKey(line), open])).toEqual([
			[`call:${quick.id}`, false],
			[`call:${call.id}`, true],
			['message:0', undefined],
		]);
	});

	it('shows a call whose name is looked for, with what matches in it', () => {
		const window = new Window();
		const timeline = new Timeline(window.world.registry, window.trace);
		const outline = new Outline(timeline);
		const call = window.begin('deploy', 's');
		window.say('sent', { id: 1, method: 'x' }, call);
		window.begin('other', 's');
		outline.setFilter({ ...outline.filter, text: 'DEPLOY' });
		outline.refresh();
		expect(outline.rows(0, 9).map(({ line, open }) => [lineKey(line), open])).toEqual([[`call:${call.id}`, undefined]]);
		expect(outline.found).toEqual({ messages: 0, elicitations: 0 });
	});

	it('reveals collapsed lines', () => {
		const window = new Window();
		const timeline = new Timeline(window.world.registry, window.trace);
		const outline = new Outline(timeline);
		const call = window.begin('deploy', 's');
		call.rounds = 2;
		window.say('sent', { id: 1, method: 'tools/call' }, call);
		const entry = window.say('sent', { id: 2, method: 'tools/call' }, call);
		const line = lineOf(timeline, `message:${entry.seq}`);
		const round = lineOf(timeline, `round:2:call:${call.id}`);
		if (!line || !round) {
			throw new Error('They are not known.');
		}
		outline.foldAll(false);
		outline.fold(round, false);
		outline.refresh();
		expect(outline.indexOf(line)).toBeUndefined();
		outline.reveal(line);
		outline.refresh();
		expect(outline.indexOf(line)).toBe(4);
	});

	it.each(['', 'call:99', 'round:1:call:1', 'elicitation:1:call:1', 'message:7', 'message:x', '__proto__'])(
		'knows no line %j',
		(key) => {
			const window = new Window();
			expect(lineOf(new Timeline(window.world.registry, window.trace), key)).toBeUndefined();
		},
	);
});

it('D01: a response that could not be delivered is an error of the timeline, which hears of it', () => {
	const world = new World();
	const timeline = new Timeline(
		world.registry,
		maskedLog(() => 10),
	);
	const errors = new Matcher({ ...NO_FILTER, show: 'errors' }, timeline);
	const elicitation = world.form('A', { calls: [world.call()], tellsDelivery: true });
	elicitation.decline();
	expect(errors.elicitation(elicitation)).toBe(false);
	const version = timeline.groups[0]?.version ?? 0;
	void elicitation.delivery?.offer({ text: 'It broke.' });
	expect(errors.elicitation(elicitation)).toBe(true);
	expect(timeline.groups[0]?.version).toBeGreaterThan(version);
	elicitation.delivery?.delivered();
	expect(errors.elicitation(elicitation)).toBe(false);
	timeline.dispose();
});

it('a server that lacks what the client only looks for is no error of the timeline', () => {
	const window = new Window();
	const timeline = new Timeline(window.world.registry, window.trace);
	const errors = new Matcher({ ...NO_FILTER, show: 'errors' }, timeline);
	const refused = (method: string, code: number, id: number, server = 's') => {
		window.say('sent', { id, method }, undefined, server);
		return errors.entry(window.say('received', { id, error: { code, message: 'No.' } }, undefined, server));
	};
	expect([refused('server/discover', -32601, 1), refused('server/discover', -32022, 2)]).toEqual([false, false]);
	expect([refused('prompts/list', -32601, 3), refused('prompts/list', -32603, 4)]).toEqual([false, true]);
	expect([refused('tools/list', -32601, 5), refused('initialize', -32601, 6)]).toEqual([true, true]);
});

it('a response with an error that is null is not among the errors', () => {
	const window = new Window();
	const errors = new Matcher({ ...NO_FILTER, show: 'errors' }, new Timeline(window.world.registry, window.trace));
	expect(errors.entry(window.say('received', { id: 1, result: {}, error: null }))).toBe(false);
	expect(errors.entry(window.say('received', { id: 2, result: null, error: { code: 1 } }))).toBe(true);
});

it('a call whose task reports the error of its tool is among the errors', () => {
	const window = new Window();
	const timeline = new Timeline(window.world.registry, window.trace);
	const call = window.world.registry.beginCall('s', 'tool', 'deploy', {});
	const errors = new Matcher({ ...NO_FILTER, show: 'errors' }, timeline);
	const shown = () => timeline.groups.some((group) => errors.group(group));
	window.say('received', { id: 1, result: { taskId: 't', status: 'completed', result: { isError: true } } }, call);
	expect(shown()).toBe(false);
	window.world.registry.endCall(call, 'succeeded', { isError: true });
	expect(shown()).toBe(true);
});

it('finds text as it is shown and as JSON has it, with its backslashes and quotes', () => {
	const window = new Window();
	const timeline = new Timeline(window.world.registry, window.trace);
	const text = 'Wrote C:\\Users\\ada\\a.txt\nto "prod"';
	const call = window.world.registry.beginCall('s', 'tool', 'deploy', { text });
	const entry = window.say('received', { id: 1, result: { content: [{ type: 'text', text }] } }, call);
	const found = (typed: string) => {
		const matcher = new Matcher({ ...NO_FILTER, text: typed }, timeline);
		return [matcher.entry(entry), timeline.groups.some((group) => matcher.group(group))];
	};
	for (const typed of ['C:\\Users\\ada', '"prod"', 'a.txt to', 'c:\\\\users', '\\"prod\\"', '"text":"Wrote']) {
		expect([typed, ...found(typed)]).toEqual([typed, true, true]);
	}
	expect(found('C:/Users')).toEqual([false, false]);
});

it('shows as warnings the requests with something suspicious, and nothing else', () => {
	const window = new Window();
	const timeline = new Timeline(window.world.registry, window.trace);
	const warnings = new Matcher({ ...NO_FILTER, show: 'warnings' }, timeline);
	expect(warnings.active).toBe(true);
	const asking = (property: string) => {
		const params = {
			message: 'Please',
			requestedSchema: { type: 'object', properties: { [property]: { type: 'string' } } },
		};
		const origin = { server: 's', connection: 'c', intake: 'request', revision: '2025-11-25', calls: [] } as const;
		return window.world.registry.add({ mode: 'form', ...params }, { ...origin, params });
	};
	expect(['name', 'password'].map((property) => warnings.elicitation(asking(property)))).toEqual([false, true]);
	expect(warnings.entry(window.say('received', { id: 1, error: { code: -32603, message: 'No.' } }))).toBe(false);
	expect(warnings.entry(window.say('received', { method: 'x', params: 'x'.repeat(2 * 1024 * 1024) }))).toBe(true);
});

it('puts the calls of a series of tests under one line, in the place of the newest', () => {
	const window = new Window();
	const timeline = new Timeline(window.world.registry, window.trace);
	const series = { id: '1', server: 's', name: 'ask', heading: localizable('Action matrix') };
	const run = (name: string) => {
		const call = window.begin(name, 's');
		call.series = name === 'ask' ? series : undefined;
		window.say('sent', { id: name, method: 'tools/call' }, call);
		window.world.registry.endCall(call, 'succeeded', null);
		return call;
	};
	const [first] = [run('ask'), run('other'), run('ask')];
	const outline = new Outline(timeline);
	const shown = () => {
		outline.refresh();
		return outline
			.rows(0, 100)
			.map(
				({ line, level, position, size, up, open }) => `${level} ${lineKey(line)} ${position}/${size} ${up} ${open}`,
			);
	};
	expect(shown()).toEqual(['1 series:1 1/2 0 false', '1 call:2 2/2 0 false']);
	expect(outline.messages().size).toBe(3);
	const message = lineOf(timeline, 'message:0') as Line;
	expect(outline.indexOf(message)).toBeUndefined();
	outline.reveal(message);
	expect(shown()).toEqual([
		'1 series:1 1/2 0 true',
		'2 call:3 1/2 1 true',
		'3 message:2 1/1 1 undefined',
		`2 call:${first?.id} 2/2 3 true`,
		'3 message:0 1/1 1 undefined',
		'1 call:2 2/2 0 false',
	]);
	expect(outline.indexOf(message)).toBe(4);
	const line = lineOf(timeline, 'series:1') as Line;
	expect(outline.indexOf(line)).toBe(0);
	outline.fold(line, false);
	expect(shown()).toHaveLength(2);
	outline.setFilter({ ...NO_FILTER, text: 'other' });
	expect(shown()).toEqual(['1 call:2 1/1 0 true', '2 message:1 1/1 1 undefined']);
	expect(lineOf(timeline, 'series:2')).toBeUndefined();
});

it('folds the polling of a task into one line, until something else happens', () => {
	const window = new Window();
	const timeline = new Timeline(window.world.registry, window.trace);
	const call = window.begin('ask', 's');
	const poll = (id: number) => {
		window.say('sent', { id, method: 'tasks/get' }, call);
		window.say('received', { id, result: { status: 'working' } }, call);
	};
	window.say('sent', { id: 0, method: 'tools/call' }, call);
	[1, 2, 3].forEach(poll);
	window.say('received', { method: 'notifications/tasks/status' }, call);
	poll(4);
	const outline = new Outline(timeline);
	const shown = () => {
		outline.refresh();
		return outline
			.rows(0, 100)
			.map(
				({ line, level, position, size, up, open }) => `${level} ${lineKey(line)} ${position}/${size} ${up} ${open}`,
			);
	};
	const rest = ['2 message:7 3/5 3 undefined', '2 message:8 4/5 4 undefined', '2 message:9 5/5 5 undefined'];
	const before = ['1 call:1 1/1 0 true', '2 message:0 1/5 1 undefined'];
	expect(shown()).toEqual([...before, '2 polls:1:call:1 2/5 2 false', ...rest]);
	expect(outline.messages().size).toBe(10);
	const line = lineOf(timeline, 'polls:1:call:1') as Line;
	expect(line.kind === 'polls' && line.entries).toHaveLength(6);
	outline.fold(line, true);
	expect(shown().slice(2, 5)).toEqual([
		'2 polls:1:call:1 2/5 2 true',
		'3 message:1 1/6 1 undefined',
		'3 message:2 2/6 2 undefined',
	]);
	expect(shown()[9]).toBe('2 message:7 3/5 9 undefined');
	outline.fold(line, false);
	const message = lineOf(timeline, 'message:4') as Line;
	outline.refresh();
	expect(outline.indexOf(message)).toBeUndefined();
	outline.reveal(message);
	outline.refresh();
	expect(outline.indexOf(message)).toBe(6);
	expect(lineOf(timeline, 'polls:8:call:1')).toBeUndefined();
});

it('expands the polling of a task also where a filter hides what was in between', () => {
	const window = new Window();
	const timeline = new Timeline(window.world.registry, window.trace);
	const call = window.begin('ask', 's');
	const poll = (id: number) => {
		window.say('sent', { id, method: 'tasks/get' }, call);
		window.say('received', { id, result: { status: 'working' } }, call);
	};
	window.say('sent', { id: 0, method: 'tools/call' }, call);
	poll(1);
	window.ask('Which one?', call);
	[2, 3, 4].forEach(poll);
	const outline = new Outline(timeline);
	const shown = () => {
		outline.refresh();
		return outline.rows(0, 100).map(({ line, open }) => `${lineKey(line)} ${open}`);
	};
	const first = ['call:1 true', 'message:1 undefined', 'message:2 undefined'];
	for (const filter of [{ method: 'tasks/get' }, { text: 'tasks/get' }]) {
		outline.setFilter({ ...NO_FILTER, ...filter });
		expect(shown()).toEqual([...first, 'polls:3:call:1 false']);
	}
	const line = lineOf(timeline, 'polls:3:call:1') as Line;
	outline.fold(line, true);
	expect(shown()).toHaveLength(10);
	outline.setFilter({ ...NO_FILTER, method: 'tasks/get', direction: 'received' });
	expect(shown()).toEqual(
		['call:1 true', 'message:2', 'message:4', 'message:6', 'message:8'].map((key, at) =>
			at === 0 ? key : `${key} undefined`,
		),
	);
});
