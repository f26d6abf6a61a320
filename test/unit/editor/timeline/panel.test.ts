import { expect, it, onTestFinished } from 'vitest';
import { TimelinePanel } from '../../../../src/editor/timeline/panel.ts';
import type { FromTimeline, ToTimeline } from '../../../../src/timelineProtocol.ts';
import { NO_FILTER } from '../../../../src/trace/filter.ts';
import { Timeline } from '../../../../src/trace/timeline.ts';
import { World } from '../../elicitation/world.ts';
import { maskedLog } from '../../privacy/maskedLog.ts';
import { memento } from '../storage.ts';
import { type FakePanel, pages } from '../surfaces.ts';
import { testCommands } from '../testCommands.ts';

const { panels, extensionUri } = pages<ToTimeline, FromTimeline>();

/** A panel of a timeline with one call that has ended and one that has not. */
function open() {
	const world = new World();
	const trace = maskedLog(() => 10_000);
	const [running, ended] = [world.call('running'), world.call('ended')];
	const timeline = new Timeline(world.registry, trace);
	const say = (id: number, call = ended) =>
		trace.add({ server: call.server, direction: 'sent', message: { id, method: 'tools/call' }, call });
	say(0, running);
	const messages = Array.from({ length: 200 }, (_, at) => say(at + 1));
	world.registry.endCall(ended, 'succeeded', null);
	const clear = () => {
		trace.clear();
		world.registry.forgetEnded();
	};
	const context = {
		extensionUri,
		commands: testCommands(),
		memento: memento(),
		timeline,
		open: async () => {},
		export: async () => {},
		clear,
	};
	const panel = new TimelinePanel({ ...context, closed: () => {} });
	onTestFinished(() => panel.dispose());
	const page = panels[0] as FakePanel<ToTimeline, FromTimeline>;
	const ask = (wanted: Partial<Extract<FromTimeline, { type: 'rows' }>> = {}) => {
		page.send({ type: 'rows', first: 0, count: 10, anchor: undefined, selected: undefined, ...wanted });
		return page.last('rows');
	};
	return { panel, page, ask, ended, key: (at: number) => `message:${messages[at]?.seq}` };
}

it('shows the line that was asked for while its tab was hidden', () => {
	const { panel, page, key } = open();
	page.send({ type: 'ready' });
	page.visible = false;
	// The tab comes to the front later.
	panel.reveal(key(150));
	page.visible = true;
	page.posted.length = 0;
	page.send({ type: 'ready' });
	const line = { key: key(150), index: 151 };
	expect(page.posted).toMatchObject([{ type: 'show', line, rows: { first: 111, selected: line } }]);
});

it('tells in one message of a line that is asked for elsewhere, and ends the filter that hides it', () => {
	const { panel, page, ask, key } = open();
	page.send({ type: 'filter', filter: { ...NO_FILTER, show: 'errors' } });
	expect(ask()).toMatchObject({ total: 0 });
	page.posted.length = 0;
	panel.reveal(key(3));
	panel.reveal('message:9999');
	expect(page.posted).toMatchObject([{ type: 'reveal', line: { key: key(3), index: 4 }, filter: NO_FILTER }]);
});

it('sends the rows around a line, wherever it is by now, and tells where the selected one is', () => {
	const { ask, key, page } = open();
	const keys = (wanted: Parameters<typeof ask>[0]) => ask(wanted)?.rows.map((row) => row.key);
	expect(keys({ first: 100, count: 2, anchor: { key: key(103), index: 101 } })).toEqual([key(102), key(103)]);
	// No more, and none before the first.
	expect(ask({ first: 500, count: 10, selected: key(7) })).toMatchObject({ first: 193, selected: { index: 8 } });
	page.send({ type: 'foldAll', open: false });
	expect(ask({ first: 100, anchor: { key: key(103), index: 101 } })).toMatchObject({ first: 0, total: 2 });
});

it('tells of a selected line that is gone, and sends details unless they are known', () => {
	const { page, ask, key } = open();
	const details = () => page.posted.filter(({ type }) => type === 'detail');
	page.send({ type: 'detail', key: key(3), known: '' });
	const { version = '' } = page.last('detail')?.detail ?? {};
	page.send({ type: 'detail', key: key(3), known: version });
	expect(details()).toMatchObject([{ detail: { key: key(3) } }]);
	page.send({ type: 'clear' });
	page.send({ type: 'detail', key: key(3), known: version });
	expect(details().at(-1)).toEqual({ type: 'detail' });
	expect(ask({ selected: key(3) })).toMatchObject({ total: 1, selected: { key: key(3) } });
	expect(page.last('rows')?.selected).not.toHaveProperty('index');
});

it('shows all calls again once the only one that was asked for is cleared', () => {
	const { page, ask, ended } = open();
	const group = `call:${ended.id}`;
	page.send({ type: 'filter', filter: { ...NO_FILTER, text: 'r', group } });
	expect(ask()).toMatchObject({ only: 'ended' });
	page.posted.length = 0;
	page.send({ type: 'clear' });
	expect(ask()).toMatchObject({ total: 1 });
	expect(page.posted).toContainEqual({ type: 'gone', group });
	expect(page.last('rows')).not.toHaveProperty('only');
});
