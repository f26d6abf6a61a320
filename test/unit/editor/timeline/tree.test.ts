import { expect, it, onTestFinished, vi } from 'vitest';
import { Timeline } from '../../../../src/trace/timeline.ts';
import { World } from '../../elicitation/world.ts';
import { maskedLog } from '../../trace/maskedLog.ts';

vi.mock('vscode', async () => (await import('../vscode.ts')).fakeVscode());

const { TimelineTree } = await import('../../../../src/editor/timeline/tree.ts');

it('shows the newest requests outside of calls, when there are more than the view takes', () => {
	const world = new World();
	const timeline = new Timeline(
		world.registry,
		maskedLog(() => 10),
	);
	const tree = new TimelineTree(timeline, () => {});
	for (let at = 0; at < 150; at++) {
		const elicitation = world.form(`Request ${at}`, { server: at % 2 === 0 ? 'even' : 'odd' });
		if (at < 149) {
			elicitation.decline();
		}
	}
	const labels = tree.getChildren().map((node) => tree.getTreeItem(node).label);
	expect(labels.slice(0, 3)).toEqual(['Request 149', 'Request 148', 'Request 147']);
	expect(labels[100]).toBe('50 more in the timeline');
	tree.dispose();
	timeline.dispose();
});

it('shows the day of what was not today', () => {
	vi.useFakeTimers({ now: new Date(2026, 0, 31, 23, 59) });
	onTestFinished(() => void vi.useRealTimers());
	const world = new World();
	const timeline = new Timeline(
		world.registry,
		maskedLog(() => 10),
	);
	const tree = new TimelineTree(timeline, () => {});
	world.call('before midnight');
	vi.advanceTimersByTime(120_000);
	world.call('after midnight');
	const descriptions = tree.getChildren().map((node) => tree.getTreeItem(node).description);
	expect(descriptions).toEqual([
		expect.stringMatching(/^s · 00:01:00 · /),
		expect.stringMatching(/^s · Jan 31, 2026, 23:59:00 · /),
	]);
	tree.dispose();
	timeline.dispose();
});
