import { expect, it, vi } from 'vitest';
import { Timeline } from '../../../../src/trace/timeline.ts';
import { World } from '../../elicitation/world.ts';
import { maskedLog } from '../../trace/maskedLog.ts';

vi.mock('vscode', () => ({
	Disposable: { from: () => ({ dispose: () => {} }) },
	env: { language: 'en' },
	l10n: { t: (text: string) => text, bundle: undefined },
	ThemeIcon: class {},
	TreeItem: class {
		constructor(readonly label: string) {}
	},
	TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
}));

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
