import { expect, it, onTestFinished, vi } from 'vitest';
import { commands } from 'vscode';
import { PendingTree } from '../../../../src/editor/elicitations/pending/pendingTree.ts';
import { Details } from '../../../../src/editor/timeline/details.ts';
import { shownRow } from '../../../../src/editor/timeline/lines.ts';
import { registerTimeline } from '../../../../src/editor/timeline/register.ts';
import { TimelineSurfaces } from '../../../../src/editor/timeline/timelineSurfaces.ts';
import { TimelineTree } from '../../../../src/editor/timeline/timelineTree.ts';
import { Matcher, NO_FILTER } from '../../../../src/trace/filter.ts';
import { type Line, lineOf } from '../../../../src/trace/line.ts';
import type { Row } from '../../../../src/trace/outline.ts';
import { Timeline, type TimelineGroup } from '../../../../src/trace/timeline.ts';
import { World } from '../../elicitation/world.ts';
import { maskedLog } from '../../privacy/maskedLog.ts';
import { answered, asked, called, ended, played, recording } from '../../trace/recording/recorded.ts';
import { messages, textsOf } from '../surfaces.ts';
import { testCommands } from '../testCommands.ts';

const shown = messages();

it('tells why the timeline could not be cleared', async () => {
	const clear = () => {
		throw new Error('It is in use.');
	};
	registerTimeline({ trace: { clear } } as never);
	await commands.executeCommand('mcpElicitation.clearTimeline');
	expect(textsOf(shown)).toEqual(['MCP Elicitation: It is in use.']);
});

/** The view of a timeline in the side bar, and its lines. */
function view() {
	const world = new World();
	const timeline = new Timeline(
		world.registry,
		maskedLog(() => 10),
	);
	const tree = new TimelineTree(timeline, () => {});
	onTestFinished(() => {
		tree.dispose();
		timeline.dispose();
	});
	return { world, items: () => tree.getChildren().map((node) => tree.getTreeItem(node)) };
}

it('shows the newest calls, when there are more than the view takes', () => {
	const { world, items } = view();
	for (let at = 0; at < 150; at++) {
		world.call(`call ${at}`);
	}
	const labels = items().map(({ label }) => label);
	expect([labels[0], labels[100]]).toEqual(['call 149', '50 more in the timeline']);
});

it('offers what is to be done next before what ends it, for a call that waits as for its request', () => {
	const { world, items } = view();
	const menus = () => items().map(({ contextValue }) => contextValue);
	const call = world.call('deploy');
	expect(menus()).toEqual(['.cancelCall.']);
	const request = world.form('Deploy?', { calls: [call] });
	const ofRequest =
		'.openElicitation.declineElicitation.cancelElicitation.cancelCall.forceAnswer.checkSchema.previewForm.';
	expect(menus()).toEqual([ofRequest]);
	const pending = new PendingTree(
		world.registry,
		() => [],
		() => undefined,
		(() => {}) as never,
	);
	const [entry] = pending.getChildren(pending.getChildren()[0]);
	expect(entry && pending.getTreeItem(entry).contextValue).toBe(
		ofRequest.replace('.cancelCall', '.declineAll.cancelCall'),
	);
	request.decline();
	world.registry.endCall(call, 'succeeded', {});
	expect(menus()).toEqual(['.callAgain.editArguments.replayCall.compareRuns.exportTest.runTrial.']);
});

it('shows the day of what was not today', () => {
	vi.useFakeTimers({ now: new Date(2026, 0, 31, 23, 59) });
	onTestFinished(() => void vi.useRealTimers());
	const { world, items } = view();
	world.call('before midnight');
	vi.advanceTimersByTime(120_000);
	world.call('after midnight');
	expect(items().map(({ description }) => description)).toEqual([
		expect.stringMatching(/^00:01:00 · .* · s$/),
		expect.stringMatching(/^Jan 31, 2026, 23:59:00 · .* · s$/),
	]);
});

it('finds nothing that depends on the revision where a recording does not tell it', () => {
	const requestedSchema = { type: 'object', properties: { size: { type: 'string', default: 'S' } } };
	const method = 'elicitation/create';
	const timeline = played(
		recording(
			['sent', { id: 1, method: 'tools/call', params: { name: 'deploy' } }],
			['received', { id: 2, method, params: { mode: 'form', message: 'Size?', requestedSchema } }],
			['received', { id: 3, method, params: { message: 'A?', requestedSchema: { properties: {} } } }],
		),
	);
	const detail = (id: string) => {
		const shown = new Details(timeline, testCommands()).of(lineOf(timeline, `elicitation:${id}:call:1`) as Line);
		return shown.kind === 'elicitation' ? shown : undefined;
	};
	expect(detail('1')).toMatchObject({ revision: '', findings: [] });
	expect(detail('1')?.notes.map(({ text }) => text)).toContain('Revision 2025-06-18 has no modes.');
	const warnings = new Matcher({ ...NO_FILTER, show: 'warnings' }, timeline);
	expect(timeline.registry.elicitations.map((each) => warnings.elicitation(each))).toEqual([false, true]);
	// What holds in every revision is a finding, and not said twice.
	const root = 'The schema does not say "type": "object".';
	expect(detail('2')?.findings.map(({ text }) => text)).toContain(root);
	expect(detail('2')?.notes.map(({ text }) => text)).not.toContain(root);
});

it('marks a request that the server sends again while it is open: it is one elicitation, and has one response', () => {
	const timeline = played(recording(called(1), asked(9), asked('9'), asked(9), answered(9), asked(9), ended(1)));
	const { registry, groups } = timeline;
	const entries = [...(groups[0]?.entries ?? [])];
	const rows = entries.map((entry, at) => {
		const line: Line = { kind: 'message', group: groups[0] as TimelineGroup, entry };
		const { detail } = shownRow(timeline, { line, level: 1, position: at, size: 1, up: 0 } as Row);
		return [detail, entry.exchange?.request === entries[1]];
	});
	expect(rows).toEqual([
		['deploy', false],
		['Who?', true],
		['sent again, ignored · Who?', true],
		['sent again, ignored · Who?', true],
		['elicitation/create', true],
		['Who?', false],
		['tools/call', false],
	]);
	expect(registry.elicitations.map(({ state }) => state)).toEqual(['accepted', 'withdrawn']);
});

it('what a recording does not contain is not finished in it: neither failed nor withdrawn', () => {
	const page = { mode: 'url', elicitationId: 'p', message: 'Sign in', url: 'https://example.com/' };
	const timeline = played(recording(called(1), asked(9), asked(10, page), answered(10, { action: 'accept' })));
	const rows = ['call:1', 'elicitation:1:call:1', 'elicitation:2:call:1'].map((key) => {
		const { icon, detail, error } = shownRow(timeline, { line: lineOf(timeline, key) as Line } as Row);
		return [icon, detail, error];
	});
	expect(rows).toEqual([
		['unfinished', expect.stringMatching(/^not finished in this recording · server .* · s$/), false],
		['form', 'not answered in this recording', false],
		['url', 'URL opened; not finished in this recording', false],
	]);
	const call = new Details(timeline, testCommands()).of(lineOf(timeline, 'call:1') as Line);
	expect(call).toMatchObject({ state: 'unfinished', note: 'It was exported during the call, or with a filter.' });
	expect(call).not.toHaveProperty('failure');
});

it('the clocks of running calls are drawn each second, and no other rows, until the last of them has ended', () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const { registry } = new World();
	const drawn: unknown[] = [];
	const context = { registry, trace: maskedLog(() => 10) };
	const surfaces = new TimelineSurfaces(context as never, (node) => drawn.push(node));
	onTestFinished(() => surfaces.dispose());
	registry.endCall(registry.beginCall('s', 'tool', 'ended', {}), 'succeeded', null);
	const running = registry.beginCall('s', 'tool', 'running', {});
	const draw = () => surfaces.tree.getChildren().map((row) => surfaces.tree.getTreeItem(row));
	draw();
	vi.advanceTimersByTime(3_500);
	// Changes of the timeline draw all rows.
	const row = expect.objectContaining({ call: running });
	expect(drawn.filter(Boolean)).toEqual([row, row, row]);
	registry.endCall(running, 'succeeded', null);
	draw();
	vi.advanceTimersByTime(10_000);
	expect(drawn.filter(Boolean)).toHaveLength(3);
	expect(vi.getTimerCount()).toBe(0);
});
