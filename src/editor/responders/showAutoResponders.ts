import * as vscode from 'vscode';
import { type NativeText, native } from '../../elicitation/display.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { notify, showError } from '../common/notifications.ts';
import { createQuickPick, type NativeButton, type NativeItem } from '../common/surfaces.ts';
import type { ShownResponder } from './shownResponders.ts';

/** Turns all scripts on or off. */
export interface ScriptsToggle {
	readonly stopped: boolean;
	toggle(): Promise<void>;
}

interface Item extends NativeItem {
	/** Absent for a separator. */
	readonly act?: () => Promise<void>;
}

interface Button extends NativeButton {
	readonly act: () => Promise<void>;
}

/** Lists all auto-responders, with actions to view them, stop them, and revoke consent. */
export async function showAutoResponders(
	responders: readonly ShownResponder[],
	count: (responder: ShownResponder) => number,
	scripts: ScriptsToggle,
): Promise<void> {
	if (responders.length === 0) {
		void notify(
			'information',
			localizeNative('Nothing responds on your behalf: there are no scripts, and no other extension offers to.'),
		);
		return;
	}
	const picker = createQuickPick<Item>();
	picker.title = localize('Auto-Responders');
	picker.items = itemsOf(responders, count, scripts);
	const run = (act: (() => Promise<void>) | undefined) => {
		picker.hide();
		act?.().catch(showError);
	};
	picker.onDidAccept(() => run(picker.selectedItems[0]?.act));
	picker.onDidTriggerItemButton(({ button }) => run((button as Button).act));
	picker.onDidHide(() => picker.dispose());
	picker.show();
}

function itemsOf(
	responders: readonly ShownResponder[],
	count: (responder: ShownResponder) => number,
	scripts: ScriptsToggle,
): Item[] {
	const itemOf = (responder: ShownResponder): Item => {
		const answered = count(responder);
		const buttons: Button[] = responder.revoke
			? [{ iconPath: new vscode.ThemeIcon('discard'), tooltip: localize('Revoke Consent'), act: responder.revoke }]
			: [];
		return {
			label: native(responder.name, 100),
			description: native(
				[...(answered > 0 ? [localize('{0} answered', answered)] : []), responder.detail].join(' · '),
				200,
			),
			iconPath: new vscode.ThemeIcon(responder.kind === 'script' ? 'file-code' : 'extensions'),
			buttons,
			act: () => responder.show(),
		};
	};
	const ofKind = (kind: ShownResponder['kind'], title: NativeText): Item[] => {
		const items = responders.filter((responder) => responder.kind === kind).map(itemOf);
		return items.length > 0 ? [{ label: title, kind: vscode.QuickPickItemKind.Separator }, ...items] : [];
	};
	const toggle: Item = {
		label: scripts.stopped ? localize('Resume Scripts') : localize('Stop Scripts'),
		iconPath: new vscode.ThemeIcon(scripts.stopped ? 'play' : 'debug-pause'),
		act: () => scripts.toggle(),
	};
	return [
		...(responders.some(({ kind }) => kind === 'script') ? [toggle] : []),
		...ofKind('script', localize('Scripts')),
		...ofKind('extension', localize('Extensions')),
	];
}
