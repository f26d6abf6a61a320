import * as vscode from 'vscode';
import { native } from '../../../elicitation/display.ts';
import { showError } from '../../common/notices.ts';
import { line, t } from '../../common/words.ts';
import type { Actor } from '../actors.ts';

/** The person's switch for all scripts. */
export interface Switch {
	readonly stopped: boolean;
	toggle(): Promise<void>;
}

interface Item extends vscode.QuickPickItem {
	/** Absent from a separator. */
	readonly act?: () => Promise<void>;
}

interface Button extends vscode.QuickInputButton {
	readonly act: () => Promise<void>;
}

/** Lists everybody who may answer in the person's place, to look at them, to stop them, and to take back what was agreed to. */
export async function showAnswerers(
	actors: readonly Actor[],
	count: (actor: Actor) => number,
	scripts: Switch,
): Promise<void> {
	if (actors.length === 0) {
		void vscode.window.showInformationMessage(
			line('Nobody answers in your place: there are no scripts, and no other extension offers to.'),
		);
		return;
	}
	const picker = vscode.window.createQuickPick<Item>();
	picker.title = t('Who Answers in Your Place');
	picker.items = itemsOf(actors, count, scripts);
	const run = (act: (() => Promise<void>) | undefined) => {
		picker.hide();
		act?.().catch(showError);
	};
	picker.onDidAccept(() => run(picker.selectedItems[0]?.act));
	picker.onDidTriggerItemButton(({ button }) => run((button as Button).act));
	picker.onDidHide(() => picker.dispose());
	picker.show();
}

function itemsOf(actors: readonly Actor[], count: (actor: Actor) => number, scripts: Switch): Item[] {
	const itemOf = (actor: Actor): Item => {
		const answered = count(actor);
		const buttons: Button[] = actor.revoke
			? [{ iconPath: new vscode.ThemeIcon('discard'), tooltip: t('Take Back Agreement'), act: actor.revoke }]
			: [];
		return {
			label: native(actor.name, 100),
			description: native([...(answered > 0 ? [t('{0} answered', answered)] : []), actor.detail].join(' · '), 200),
			iconPath: new vscode.ThemeIcon(actor.kind === 'script' ? 'file-code' : 'extensions'),
			buttons,
			act: () => actor.show(),
		};
	};
	const ofKind = (kind: Actor['kind'], title: string): Item[] => {
		const items = actors.filter((actor) => actor.kind === kind).map(itemOf);
		return items.length > 0 ? [{ label: title, kind: vscode.QuickPickItemKind.Separator }, ...items] : [];
	};
	const toggle: Item = {
		label: scripts.stopped ? t('Let Scripts Answer Again') : t('Stop Scripts'),
		iconPath: new vscode.ThemeIcon(scripts.stopped ? 'play' : 'debug-pause'),
		act: () => scripts.toggle(),
	};
	return [
		...(actors.some(({ kind }) => kind === 'script') ? [toggle] : []),
		...ofKind('script', t('Scripts')),
		...ofKind('extension', t('Extensions')),
	];
}
