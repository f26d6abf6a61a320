import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/elicitation/call.ts';
import { own } from '../../../src/elicitation/json.ts';
import { localizable } from '../../../src/elicitation/sentence.ts';
import { NO_FILTER, shows, type TimelineFilter } from '../../../src/trace/filter.ts';
import { type Line, lineKey, lineOf } from '../../../src/trace/line.ts';
import { methodOf, type TraceEntry } from '../../../src/trace/log.ts';
import { Outline, type Row } from '../../../src/trace/outline.ts';
import type { Timeline } from '../../../src/trace/timeline.ts';
import { action, METHODS, ownTimes, SERVERS, Window } from './activity.ts';

ownTimes();

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
				const { timeline } = window;
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
				const { timeline } = window;
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
					const method = methodOf(entry);
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
});

/** What is shown of a window in which a call has begun, and more may have happened. */
function outlined(name = 'ask', more: (window: Window, call: Call) => void = () => {}) {
	const window = new Window();
	const call = window.begin(name);
	window.say('sent', { id: 0, method: 'tools/call' }, call);
	more(window, call);
	const outline = new Outline(window.timeline);
	/** Each row: level, line, its place among its siblings, how far above its parent is, whether it is expanded. */
	const shown = () => {
		outline.refresh();
		return outline
			.rows(0, 100)
			.map(
				({ line, level, position, size, up, open }) => `${level} ${lineKey(line)} ${position}/${size} ${up} ${open}`,
			);
	};
	const line = (key: string) => lineOf(window.timeline, key) as Line;
	const indexOf = (key: string) => {
		outline.refresh();
		return outline.indexOf(line(key));
	};
	return { window, outline, call, shown, line, indexOf };
}

it('expands running calls, and collapses nothing automatically', () => {
	const { window, call, shown } = outlined();
	expect(shown()).toEqual(['1 call:1 1/1 0 true', '2 message:0 1/1 1 undefined']);
	window.end(call);
	const quick = window.begin('quick');
	window.say('sent', { id: 2, method: 'tools/call' }, quick);
	window.end(quick);
	expect(shown()).toEqual(['1 call:2 1/2 0 false', '1 call:1 2/2 0 true', '2 message:0 1/1 1 undefined']);
});

it('shows a call whose name is looked for, with what matches in it', () => {
	const { window, outline, shown } = outlined('deploy');
	window.begin('other');
	outline.setFilter({ ...NO_FILTER, text: 'DEPLOY' });
	expect(shown()).toEqual(['1 call:1 1/1 0 undefined']);
	expect(outline.found).toEqual({ messages: 0, elicitations: 0 });
});

it('reveals collapsed lines', () => {
	const { window, outline, call, line, indexOf } = outlined();
	call.rounds = 2;
	window.say('sent', { id: 1, method: 'tools/call' }, call);
	outline.foldAll(false);
	outline.fold(line('round:2:call:1'), false);
	expect(indexOf('message:1')).toBeUndefined();
	outline.reveal(line('message:1'));
	expect(indexOf('message:1')).toBe(4);
});

it.each(['', 'call:99', 'round:1:call:1', 'elicitation:1:call:1', 'message:7', 'message:x', '__proto__'])(
	'knows no line %j',
	(key) => {
		expect(lineOf(new Window().timeline, key)).toBeUndefined();
	},
);

it('puts the calls of a series of tests under one line, in the place of the newest', () => {
	const series = { id: '1', server: 's', name: 'ask', heading: localizable('Action matrix') };
	const { window, outline, shown, line, indexOf } = outlined('ask', (its, first) => {
		first.series = series;
		its.end(first);
		for (const name of ['other', 'ask']) {
			const next = its.begin(name);
			next.series = name === 'ask' ? series : undefined;
			its.say('sent', { id: name, method: 'tools/call' }, next);
			its.end(next);
		}
	});
	expect(shown()).toEqual(['1 series:1 1/2 0 false', '1 call:2 2/2 0 false']);
	expect(outline.messages().size).toBe(3);
	expect(indexOf('message:0')).toBeUndefined();
	outline.reveal(line('message:0'));
	expect(shown()).toEqual([
		'1 series:1 1/2 0 true',
		'2 call:3 1/2 1 true',
		'3 message:2 1/1 1 undefined',
		'2 call:1 2/2 3 true',
		'3 message:0 1/1 1 undefined',
		'1 call:2 2/2 0 false',
	]);
	expect([indexOf('message:0'), indexOf('series:1')]).toEqual([4, 0]);
	outline.fold(line('series:1'), false);
	expect(shown()).toHaveLength(2);
	outline.setFilter({ ...NO_FILTER, text: 'other' });
	expect(shown()).toEqual(['1 call:2 1/1 0 true', '2 message:1 1/1 1 undefined']);
	expect(lineOf(window.timeline, 'series:2')).toBeUndefined();
});

it('folds the polling of a task into one line, until something else happens', () => {
	const { window, outline, call, shown, line, indexOf } = outlined();
	for (const id of [1, 2, 3]) {
		window.poll(id, call);
	}
	window.say('received', { method: 'notifications/tasks/status' }, call);
	window.poll(4, call);
	const before = ['1 call:1 1/1 0 true', '2 message:0 1/5 1 undefined'];
	const rest = ['2 message:7 3/5 3 undefined', '2 message:8 4/5 4 undefined', '2 message:9 5/5 5 undefined'];
	expect(shown()).toEqual([...before, '2 polls:1:call:1 2/5 2 false', ...rest]);
	expect(outline.messages().size).toBe(10);
	const polls = line('polls:1:call:1');
	expect(polls.kind === 'polls' && polls.entries).toHaveLength(6);
	outline.fold(polls, true);
	expect(shown().slice(2, 5)).toEqual([
		'2 polls:1:call:1 2/5 2 true',
		'3 message:1 1/6 1 undefined',
		'3 message:2 2/6 2 undefined',
	]);
	expect(shown()[9]).toBe('2 message:7 3/5 9 undefined');
	outline.fold(polls, false);
	expect(indexOf('message:4')).toBeUndefined();
	outline.reveal(line('message:4'));
	expect(indexOf('message:4')).toBe(6);
	expect(lineOf(window.timeline, 'polls:8:call:1')).toBeUndefined();
});

it('expands the polling of a task also where a filter hides what was in between', () => {
	const { window, outline, call, shown, line } = outlined();
	const keys = () => shown().map((row) => row.replace(/^\d (\S+) .* (\S+)$/, '$1 $2'));
	window.poll(1, call);
	window.ask('Which one?', call);
	for (const id of [2, 3, 4]) {
		window.poll(id, call);
	}
	const first = ['call:1 true', 'message:1 undefined', 'message:2 undefined'];
	for (const filter of [{ method: 'tasks/get' }, { text: 'tasks/get' }]) {
		outline.setFilter({ ...NO_FILTER, ...filter });
		expect(keys()).toEqual([...first, 'polls:3:call:1 false']);
	}
	outline.fold(line('polls:3:call:1'), true);
	expect(shown()).toHaveLength(10);
	outline.setFilter({ ...NO_FILTER, method: 'tasks/get', direction: 'received' });
	expect(keys()).toEqual(['call:1 true', ...[2, 4, 6, 8].map((seq) => `message:${seq} undefined`)]);
});
