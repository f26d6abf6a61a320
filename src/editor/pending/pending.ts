import * as vscode from 'vscode';
import { native } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { Registry } from '../../elicitation/registry.ts';
import { fullId } from '../contributions.ts';
import { showError } from '../notices.ts';
import { age, canRetry, causeOf, stateOf } from '../texts.ts';
import { line, t } from '../words.ts';

/** What can be done with a pending elicitation; the features that present it provide it. */
export interface PendingActions {
	/** Brings the question to the front. */
	open(elicitation: Elicitation): Promise<void>;
	reopenUrl(elicitation: Elicitation): Promise<void>;
	copyUrl(elicitation: Elicitation): Promise<void>;
	retry(elicitation: Elicitation): Promise<void>;
	decline(elicitation: Elicitation): Promise<void>;
	cancel(elicitation: Elicitation): Promise<void>;
}

/** The three faces of what is pending: status bar, view, pick list; and the commands that act on one entry. */
export function registerPending(registry: Registry, actions: PendingActions): vscode.Disposable {
	const changed = new vscode.EventEmitter<void>();
	const view = vscode.window.createTreeView<Elicitation>(fullId('pending'), {
		treeDataProvider: new PendingTree(registry, changed.event),
	});
	const item = vscode.window.createStatusBarItem(fullId('pending'), vscode.StatusBarAlignment.Left, 100);
	item.name = t('Pending Elicitations');
	item.command = fullId('showPending');
	const update = () => {
		updateStatusBar(item, registry.live);
		const { length } = registry.live;
		view.badge = length > 0 ? { value: length, tooltip: t('{0} pending', length) } : undefined;
		changed.fire();
	};
	update();
	const act = (
		id: 'openElicitation' | 'reopenUrl' | 'copyUrl' | 'retryCall' | 'declineElicitation' | 'cancelElicitation',
		fits: (elicitation: Elicitation) => boolean,
		action: (elicitation: Elicitation) => Promise<void>,
	) =>
		vscode.commands.registerCommand(fullId(id), async (target: unknown) => {
			try {
				const elicitation = await choose(registry, target, fits);
				if (elicitation) {
					await action(elicitation);
				}
			} catch (error) {
				showError(error);
			}
		});
	const asking = ({ state }: Elicitation) => state === 'asking';
	const isUrl = ({ request }: Elicitation) => request.mode === 'url';
	return vscode.Disposable.from(
		changed,
		view,
		item,
		registry.onDidAdd(update),
		registry.onDidChange(update),
		vscode.commands.registerCommand(fullId('showPending'), () => showList(registry, actions)),
		act('openElicitation', asking, actions.open),
		act('reopenUrl', isUrl, actions.reopenUrl),
		act('copyUrl', isUrl, actions.copyUrl),
		act('retryCall', canRetry, actions.retry),
		act('declineElicitation', asking, actions.decline),
		act('cancelElicitation', () => true, actions.cancel),
	);
}

function updateStatusBar(item: vscode.StatusBarItem, live: readonly Elicitation[]): void {
	if (live.length === 0) {
		item.hide();
		return;
	}
	const consent = live.some(({ state, request }) => state === 'asking' && request.mode === 'url');
	item.text = `$(${consent ? 'warning' : 'sync~spin'}) ${live.length}`;
	item.backgroundColor = consent ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
	// A string, not Markdown: it holds server text.
	item.tooltip = [
		line('MCP elicitations: {0} pending', live.length),
		...live.map((elicitation) => entryText(elicitation)),
	].join('\n');
	item.accessibilityInformation = { label: line('{0} pending MCP elicitations', live.length), role: 'button' };
	item.show();
}

/** One entry on one line: server, tool, id, age, state. */
function entryText(elicitation: Elicitation): string {
	return native([elicitation.origin.server, ...details(elicitation)].join(' · '), 300);
}

function details(elicitation: Elicitation): string[] {
	const { request } = elicitation;
	return [
		causeOf(elicitation),
		...(request.mode === 'url' && request.elicitationId !== undefined ? [request.elicitationId] : []),
		age(elicitation.receivedAt),
		stateOf(elicitation),
	];
}

async function choose(
	registry: Registry,
	target: unknown,
	fits: (elicitation: Elicitation) => boolean,
): Promise<Elicitation | undefined> {
	const id =
		typeof target === 'string'
			? target
			: typeof target === 'object' && target !== null && 'id' in target
				? target.id
				: undefined;
	if (typeof id === 'string') {
		const elicitation = registry.get(id);
		return elicitation?.live && fits(elicitation) ? elicitation : undefined;
	}
	const candidates = registry.live.filter(fits);
	if (candidates.length <= 1) {
		if (candidates.length === 0) {
			void vscode.window.showInformationMessage(line('No elicitation is waiting for this.'));
		}
		return candidates[0];
	}
	const items = candidates.map((elicitation) => ({ ...listItem(elicitation), elicitation }));
	return (await vscode.window.showQuickPick(items, { placeHolder: t('Choose an elicitation') }))?.elicitation;
}

function listItem(elicitation: Elicitation): vscode.QuickPickItem {
	return {
		label: native(elicitation.origin.server, 80),
		description: native(details(elicitation).join(' · '), 200),
		detail: native(elicitation.request.message, 300),
	};
}

interface ListItem extends vscode.QuickPickItem {
	readonly elicitation: Elicitation;
}

interface ListButton extends vscode.QuickInputButton {
	readonly action: (elicitation: Elicitation) => Promise<void>;
}

/** The pick list: one entry per elicitation with its actions as buttons. It follows what happens while it is open. */
function showList(registry: Registry, actions: PendingActions): void {
	const picker = vscode.window.createQuickPick<ListItem>();
	picker.title = t('Pending Elicitations');
	picker.matchOnDescription = true;
	picker.matchOnDetail = true;
	const fill = () => {
		picker.items = registry.live.map((elicitation) => ({
			...listItem(elicitation),
			elicitation,
			buttons: buttons(elicitation, actions),
		}));
		picker.placeholder =
			picker.items.length === 0 ? t('No server is asking you anything.') : t('Choose an elicitation');
	};
	fill();
	const subscriptions = vscode.Disposable.from(
		registry.onDidAdd(fill),
		registry.onDidChange(fill),
		picker.onDidTriggerItemButton(({ button, item }) => {
			(button as ListButton).action(item.elicitation).catch(showError);
		}),
		picker.onDidAccept(() => {
			const chosen = picker.selectedItems[0]?.elicitation;
			picker.hide();
			if (chosen) {
				(chosen.state === 'asking' ? actions.open(chosen) : actions.reopenUrl(chosen)).catch(showError);
			}
		}),
		picker.onDidHide(() => {
			subscriptions.dispose();
			picker.dispose();
		}),
	);
	picker.show();
}

function buttons(elicitation: Elicitation, actions: PendingActions): ListButton[] {
	const button = (icon: string, tooltip: string, action: ListButton['action']): ListButton => ({
		iconPath: new vscode.ThemeIcon(icon),
		tooltip,
		action,
	});
	return [
		...(elicitation.request.mode === 'url'
			? [button('link-external', t('Reopen URL'), actions.reopenUrl), button('copy', t('Copy URL'), actions.copyUrl)]
			: []),
		...(canRetry(elicitation) ? [button('refresh', t('Retry now'), actions.retry)] : []),
		button('close', t('Cancel'), actions.cancel),
	];
}

class PendingTree implements vscode.TreeDataProvider<Elicitation> {
	constructor(
		private readonly registry: Registry,
		readonly onDidChangeTreeData: vscode.Event<void>,
	) {}

	getChildren(node?: Elicitation): Elicitation[] {
		return node ? [] : [...this.registry.live];
	}

	getTreeItem(elicitation: Elicitation): vscode.TreeItem {
		const { id, request, origin, state } = elicitation;
		const item = new vscode.TreeItem(native(`${origin.server}: ${request.message.split('\n')[0]}`, 120));
		item.id = id;
		item.description = native(`${causeOf(elicitation)} · ${stateOf(elicitation)}`, 200);
		item.tooltip = [entryText(elicitation), native(request.message, 2000)].join('\n');
		item.iconPath = new vscode.ThemeIcon(
			request.mode === 'form' ? 'comment-discussion' : state === 'asking' ? 'warning' : 'link-external',
			state === 'asking' && request.mode === 'url' ? new vscode.ThemeColor('list.warningForeground') : undefined,
		);
		item.contextValue = ['elicitation', request.mode, state, ...(canRetry(elicitation) ? ['retry'] : [])].join('.');
		item.command = {
			command: fullId(state === 'asking' ? 'openElicitation' : 'reopenUrl'),
			title: t('Open'),
			arguments: [id],
		};
		return item;
	}
}
