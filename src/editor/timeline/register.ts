import * as vscode from 'vscode';
import { registerCommand } from '../common/commands.ts';
import type { CommandId } from '../common/commandTable.ts';
import { fullId, SECTION } from '../common/contributions.ts';
import { Lazy } from '../common/lazy.ts';
import type { RecordingDocument } from './recordings.ts';
import { clearTimeline, type TimelineContext } from './timelineContext.ts';
import type { TimelineSurfaces } from './timelineSurfaces.ts';
import type { Node } from './timelineTree.ts';

/** Context key: the timeline has been shown in this window. */
const TIMELINE_SHOWN = `${SECTION}.timelineShown`;

/** Registers the timeline's view and commands. Their implementation is loaded on first use. */
export function registerTimeline(context: TimelineContext): vscode.Disposable {
	const changed = new vscode.EventEmitter<Node | undefined>();
	const surfaces = new Lazy(async () => {
		const { TimelineSurfaces } = await import('./timelineSurfaces.ts');
		return new TimelineSurfaces(context, (node) => changed.fire(node));
	});
	const view = vscode.window.createTreeView<Node>(fullId('timeline'), {
		treeDataProvider: {
			onDidChangeTreeData: changed.event,
			getChildren: async (node) => (await surfaces.get()).tree.getChildren(node),
			getTreeItem: async (node) => (await surfaces.get()).tree.getTreeItem(node),
		},
	});
	const command = (id: CommandId, run: (surfaces: TimelineSurfaces, target: unknown) => Promise<void>) =>
		registerCommand(id, async (target) => run(await surfaces.get(), target));
	return vscode.Disposable.from(
		changed,
		view,
		command('showTimeline', async (loaded, target) => {
			await loaded.show(target);
			// Completes a step of the walkthrough.
			await vscode.commands.executeCommand('setContext', TIMELINE_SHOWN, true);
		}),
		command('exportTimeline', (loaded) => loaded.export()),
		registerCommand('clearTimeline', async () => clearTimeline(context)),
		command('openRecording', (loaded, target) => loaded.openRecording(target)),
		vscode.window.registerCustomEditorProvider(`${SECTION}.recording`, {
			openCustomDocument: async (file) => (await surfaces.get()).openDocument(file),
			resolveCustomEditor: async (document: RecordingDocument, panel) =>
				(await surfaces.get()).showRecording(document, panel),
		}),
		surfaces,
	);
}
