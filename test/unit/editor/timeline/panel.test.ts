import { beforeEach, expect, it, vi } from 'vitest';
import type { FromTimeline, ShownRows, ToTimeline } from '../../../../src/timelineProtocol.ts';
import { NO_FILTER } from '../../../../src/trace/filter.ts';
import { Timeline } from '../../../../src/trace/timeline.ts';
import { World } from '../../elicitation/world.ts';
import { maskedLog } from '../../trace/maskedLog.ts';

/** The page of the panel, under the control of the test. */
const page = vi.hoisted(() => ({
	posted: [] as ToTimeline[],
	visible: true,
	send: (_message: FromTimeline) => {},
}));
const disposable = vi.hoisted(() => ({ dispose: () => {} }));

vi.mock('vscode', async () => (await import('../vscode.ts')).fakeVscode());
vi.mock('../../../../src/editor/common/webviewPage.ts', () => ({
	createPage: () => ({
		panel: {
			get visible() {
				return page.visible;
			},
			webview: {
				// As in VS Code, which has no webview while the panel is hidden.
				postMessage: (message: ToTimeline) => page.visible && page.posted.push(message),
				onDidReceiveMessage: (receive: typeof page.send) => {
					page.send = receive;
					return disposable;
				},
			},
			// The tab comes to the front later.
			reveal: () => {},
			onDidDispose: () => disposable,
			dispose: () => {},
		},
	}),
}));

const { TimelinePanel } = await import('../../../../src/editor/timeline/panel.ts');

beforeEach(() => {
	page.posted.length = 0;
	page.visible = true;
});

/** A panel of a timeline with one call that has ended and one that has not. */
function open() {
	const world = new World();
	const trace = maskedLog(() => 10_000);
	const timeline = new Timeline(world.registry, trace);
	const [running, ended] = [world.call('running'), world.call('ended')];
	const say = (id: number, call = ended) =>
		trace.add({ server: call.server, direction: 'sent', message: { id, method: 'tools/call' }, call });
	say(0, running);
	const messages = Array.from({ length: 200 }, (_, at) => say(at + 1));
	world.registry.endCall(ended, 'succeeded', null);
	const context = {
		extensionUri: {} as never,
		memento: { get: () => undefined, update: async () => {} } as never,
		timeline,
		open: async () => {},
		export: async () => {},
		clear: () => {
			trace.clear();
			world.registry.forgetEnded();
		},
		closed: () => {},
	};
	return { panel: new TimelinePanel(context), messages, ended };
}

const rows = () => page.posted.findLast((message): message is ShownRows & { type: 'rows' } => message.type === 'rows');

it('shows the line that was asked for while its tab was hidden', () => {
	const { panel, messages } = open();
	page.send({ type: 'ready' });
	page.visible = false;
	panel.reveal(`message:${messages[150]?.seq}`);
	page.visible = true;
	page.posted.length = 0;
	page.send({ type: 'ready' });
	expect(page.posted.map(({ type }) => type)).toEqual(['show', 'rows', 'detail', 'place']);
	expect(page.posted.at(-1)).toMatchObject({ index: 151 });
	panel.dispose();
});

it('tells of a selected line that is gone, so that another one is selected', () => {
	const { panel, messages } = open();
	const key = `message:${messages[3]?.seq}`;
	page.send({ type: 'select', key });
	page.send({ type: 'clear' });
	page.send({ type: 'foldAll', open: true });
	expect(rows()?.total).toBe(1);
	expect(rows()?.selected).toEqual({ key });
	// The user has moved to it before the page has heard that it is gone.
	const late = `message:${messages[4]?.seq}`;
	page.send({ type: 'select', key: late });
	page.send({ type: 'foldAll', open: false });
	expect(rows()?.selected).toEqual({ key: late });
	panel.dispose();
});

it('shows all calls again once the only one that was asked for is cleared', () => {
	const { panel, ended } = open();
	const group = `call:${ended.id}`;
	page.send({ type: 'filter', filter: { ...NO_FILTER, text: 'r', group } });
	expect(rows()).toMatchObject({ only: 'ended' });
	page.posted.length = 0;
	page.send({ type: 'clear' });
	page.send({ type: 'foldAll', open: false });
	expect(page.posted).toContainEqual({ type: 'gone', group });
	expect(rows()).toMatchObject({ total: 1 });
	expect(rows()).not.toHaveProperty('only');
	panel.dispose();
});
