import { expect, it } from 'vitest';
import type { TreeItem } from 'vscode';
import { type PendingRow, PendingTree } from '../../../../../src/editor/elicitations/pending/pendingTree.ts';
import { localizable } from '../../../../../src/elicitation/sentence.ts';
import { World } from '../../../elicitation/world.ts';

/** The rows of the view, each below its parent. */
function rowsOf(world: World, waiting: object[] = []): string[] {
	const entries = () => waiting as never;
	const tree = new PendingTree(world.registry, entries, () => undefined, (() => {}) as never);
	const walk = (row: PendingRow | undefined, indent: string): string[] =>
		tree.getChildren(row).flatMap((child) => {
			const { label, description, iconPath } = tree.getTreeItem(child) as TreeItem;
			const icon = (iconPath as { id: string }).id;
			return [`${indent}${icon}: ${label} | ${description}`, ...walk(child, `${indent}  `)];
		});
	return walk(undefined, '');
}

it('rows begin with what tells them apart, below their server: the message, then the tool, then the age', () => {
	const world = new World();
	const calls = [world.call('flood')];
	world.form('Flood 1', { calls });
	world.form('Alone', { server: 't' });
	world.form('Flood 2', { calls });
	const interrupted = { id: '1', server: 't', kind: 'tool', name: 'pay', startedAt: Date.now(), at: 'round' };
	expect(rowsOf(world, [{ kind: 'waiting', waiting: interrupted }])).toEqual([
		'server: t | ',
		'  debug-pause: pay | interrupted · just now',
		'  comment-discussion: Alone | requested by the server itself · just now',
		'server: s | 2 pending',
		'  comment-discussion: Flood 1 | flood · just now',
		'  comment-discussion: Flood 2 | flood · just now',
	]);
});

it('what is held back, belongs together, or waits for a decision is below its server, too, and what is unusual of it comes first', () => {
	const world = new World(3);
	const call = world.call();
	world.together(world.call('order'), 'inputRequired', 'Name?', 'Weight?');
	world.forms(2, { calls: [call] });
	call.roundLimit(localizable('Too many rounds.'));
	expect(rowsOf(world)).toEqual([
		'server: s | 4 pending',
		'  warning: deploy | waiting for your decision · just now',
		'  warning: Held back: 1 | ',
		'    bell-slash: Elicitation 1 | held back · deploy · just now',
		'  comment-discussion: Elicitation 0 | deploy · just now',
		'  checklist: order | 0 of 2 answered',
		'    comment-discussion: Name? | just now',
		'    comment-discussion: Weight? | just now',
	]);
});

it('a URL has one icon, also once it is open, and words that say how suspicious it is', () => {
	const world = new World();
	const calls = [world.call()];
	world.add({ mode: 'url', message: 'Sign in', url: 'https://example.com/' }, { calls });
	world.add({ mode: 'url', message: 'Pay', url: 'https://example.com/', level: 'alarm' }, { calls });
	world.add({ mode: 'url', message: 'Read', url: 'https://example.com/' }, { calls }).opened();
	expect(rowsOf(world).slice(1)).toEqual([
		'  globe: Sign in | deploy · just now',
		'  globe: Pay | waiting for your consent: suspicious URL · deploy · just now',
		'  globe: Read | URL opened, waiting for completion · deploy · just now',
	]);
});
