import { describe, expect, it } from 'vitest';
import * as lists from '../../../../src/webview/timeline/listState.ts';
import { rowsOf } from '../../../webview/timelineHost.ts';

const HEIGHT = 22;
const rows = rowsOf(1_000);

/** The host's word on the rows around the first. */
const rowsFrom = (first: number) => ({
	total: rows.length,
	first,
	rows: rows.slice(first, first + 139),
	searching: false,
	messages: 1_000,
	dropped: 0,
	servers: [],
	methods: [],
});

const shown = () => lists.take(lists.firstList(), rowsFrom(0))[0];

describe('the state of a windowed list', () => {
	it('has rows only around the visible part', () => {
		expect(lists.drawnRows(shown())).toEqual([0, 26]);
		const [scrolled] = lists.scrolled(shown(), 100 * HEIGHT);
		expect(lists.drawnRows(scrolled)).toEqual([94, 126]);
	});

	it('asks for rows before they run out, and once', () => {
		expect(lists.scrolled(shown(), 10 * HEIGHT)).toHaveLength(1);
		const [asked, want] = lists.scrolled(shown(), 110 * HEIGHT);
		expect(want).toEqual({
			type: 'rows',
			first: 50,
			count: 140,
			anchor: { key: 'message:109', index: 110 },
			selected: 'call:1',
		});
		expect(lists.scrolled(asked, 110 * HEIGHT + 1)).toHaveLength(1);
	});

	it('asks for no others while rows are on their way, and then for those of where it stands', () => {
		const [asked] = lists.scrolled(shown(), 110 * HEIGHT);
		expect(lists.scrolled(asked, 500 * HEIGHT)).toHaveLength(1);
		const [moved] = lists.scrolled(asked, 700 * HEIGHT);
		const [waiting, want] = lists.take(moved, rowsFrom(50));
		expect(want).toMatchObject({ type: 'rows', first: 640, count: 140 });
		expect(lists.take(waiting, rowsFrom(640))).toHaveLength(1);
	});

	it('stays on the line that is read when others come above it', () => {
		const [scrolled] = lists.scrolled(shown(), 50.5 * HEIGHT);
		const [moved, scroll] = lists.take(scrolled, { ...rowsFrom(0), first: 7 });
		expect(scroll).toEqual({ type: 'scroll', top: 57.5 * HEIGHT });
		expect(lists.topOf(moved)).toBe(57.5 * HEIGHT);
	});

	it('comes back to where it was left, and once more when it has its size', () => {
		const edge = { key: 'message:99', index: 90, offset: 5 };
		const [sized, ...effects] = lists.measured(lists.firstList({ edge, active: undefined }), HEIGHT, 400);
		expect(effects).toEqual([]);
		const [begun, scroll] = lists.take(sized, rowsFrom(40));
		expect(scroll).toEqual({ type: 'scroll', top: 100 * HEIGHT + 5 });
		expect(lists.measured(begun, 30, 300)[1]).toEqual({ type: 'scroll', top: 100 * 30 + 5 });
	});

	it('selects the line that becomes active, and brings it into view', () => {
		const [moved, ...effects] = lists.move(shown(), 40);
		expect(moved.active).toEqual({ key: 'message:39', index: 40 });
		expect(effects).toEqual([
			{ type: 'scroll', top: 41 * HEIGHT - 400 },
			{ type: 'detail', key: 'message:39', known: '' },
		]);
	});
});
