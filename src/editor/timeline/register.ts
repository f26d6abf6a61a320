import * as vscode from 'vscode';
import { type CommandId, fullId } from '../common/contributions.ts';
import { showError } from '../common/notifications.ts';
import type { TimelineContext } from './context.ts';
import type { Surfaces } from './surfaces.ts';
import type { Node } from './tree.ts';

/** Registers the timeline's view and commands. Their implementation is loaded on first use. */
export function registerTimeline(context: TimelineContext): vscode.Disposable {
	const changed = new vscode.EventEmitter<void>();
	let loading: Promise<Surfaces> | undefined;
	const load = () => {
		loading ??= import('./surfaces.ts').then(({ Surfaces }) => new Surfaces(context, () => changed.fire()));
		return loading;
	};
	const view = vscode.window.createTreeView<Node>(fullId('timeline'), {
		treeDataProvider: {
			onDidChangeTreeData: changed.event,
			getChildren: async (node) => (await load()).tree.getChildren(node),
			getTreeItem: async (node) => (await load()).tree.getTreeItem(node),
		},
	});
	const command = (id: CommandId, run: (surfaces: Surfaces, target: unknown) => Promise<void>) =>
		vscode.commands.registerCommand(fullId(id), (target: unknown) =>
			load()
				.then((surfaces) => run(surfaces, target))
				.catch(showError),
		);
	return vscode.Disposable.from(
		changed,
		view,
		command('showTimeline', (surfaces, target) => surfaces.show(target)),
		command('openMessage', (surfaces, target) => surfaces.open(target)),
		command('exportTimeline', (surfaces) => surfaces.export()),
		vscode.commands.registerCommand(fullId('clearTimeline'), () => {
			context.trace.clear();
			context.registry.forgetEnded();
		}),
		new vscode.Disposable(() => void loading?.then((surfaces) => surfaces.dispose())),
	);
}
