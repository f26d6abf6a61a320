import { expect, it, onTestFinished } from 'vitest';
import { TimelinePanel } from '../../../../src/editor/timeline/panel.ts';
import type { FromTimeline, ToTimeline } from '../../../../src/timelineProtocol.ts';
import { NO_FILTER } from '../../../../src/trace/filter.ts';
import { Timeline } from '../../../../src/trace/timeline.ts';
import { World } from '../../elicitation/world.ts';
import { maskedLog } from '../../trace/maskedLog.ts';
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
	return { panel, page, rows: () => page.last('rows'), ended, key: (at: number) => `message:${messages[at]?.seq}` };
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
	expect(page.posted.map(({ type }) => type)).toEqual(['show', 'rows', 'detail', 'place']);
	expect(page.posted.at(-1)).toMatchObject({ index: 151 });
});

it('tells of a selected line that is gone, so that another one is selected', () => {
	const { page, rows, key } = open();
	page.send({ type: 'select', key: key(3) });
	page.send({ type: 'clear' });
	page.send({ type: 'foldAll', open: true });
	expect(rows()?.total).toBe(1);
	expect(rows()?.selected).toEqual({ key: key(3) });
	// The user has moved to it before the page has heard that it is gone.
	page.send({ type: 'select', key: key(4) });
	page.send({ type: 'foldAll', open: false });
	expect(rows()?.selected).toEqual({ key: key(4) });
});

it('shows all calls again once the only one that was asked for is cleared', () => {
	const { page, rows, ended } = open();
	const group = `call:${ended.id}`;
	page.send({ type: 'filter', filter: { ...NO_FILTER, text: 'r', group } });
	expect(rows()).toMatchObject({ only: 'ended' });
	page.posted.length = 0;
	page.send({ type: 'clear' });
	page.send({ type: 'foldAll', open: false });
	expect(page.posted).toContainEqual({ type: 'gone', group });
	expect(rows()).toMatchObject({ total: 1 });
	expect(rows()).not.toHaveProperty('only');
});
