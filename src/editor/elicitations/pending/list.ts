import * as vscode from 'vscode';
import { native } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { type Pending, pendingOf } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { canRetry, groupTexts, heldText } from '../../common/descriptions.ts';
import { localize } from '../../common/localize.ts';
import { showError } from '../../common/notifications.ts';
import {
	canReopen,
	canSendAgain,
	detailsOf,
	type Entry,
	entryKey,
	firstLine,
	iconOf,
	isUndecided,
	type PendingActions,
	roundLimitDetails,
	roundLimitReason,
} from './entry.ts';

interface ListItem extends vscode.QuickPickItem {
	/** Absent for a separator. */
	readonly entry?: Entry;
}

interface ListButton extends vscode.QuickInputButton {
	readonly action: () => Promise<void>;
}

/** The pick list: one item per elicitation, with its actions as buttons. It is updated while it is open. */
export function showList(registry: Registry, actions: PendingActions, onDidChange: vscode.Event<void>): void {
	const picker = vscode.window.createQuickPick<ListItem>();
	picker.title = localize('Pending Elicitations');
	picker.matchOnDescription = true;
	picker.matchOnDetail = true;
	picker.keepScrollPosition = true;
	let drawn = '';
	const fill = () => {
		const pending = pendingOf(registry);
		// Items belong to the separator above them, so items without one come first.
		const items = [
			...pending.flatMap((each) => (each.kind === 'group' ? [] : [itemOf(each, actions)])),
			...pending.flatMap((each) => partOf(each, actions)),
		];
		const drawing = JSON.stringify(items.map(({ entry, ...item }) => [entry && entryKey(entry), item]));
		if (drawing === drawn) {
			return;
		}
		drawn = drawing;
		const [active] = picker.activeItems;
		picker.items = items;
		const again = items.find(({ entry }) => entry && active?.entry && entryKey(entry) === entryKey(active.entry));
		if (again) {
			picker.activeItems = [again];
		}
		picker.placeholder =
			items.length === 0 ? localize('No server is asking you anything.') : localize('Choose an elicitation');
	};
	fill();
	const subscriptions = vscode.Disposable.from(
		onDidChange(fill),
		picker.onDidTriggerItemButton(({ button }) => {
			(button as ListButton).action().catch(showError);
		}),
		picker.onDidAccept(() => {
			const entry = picker.selectedItems[0]?.entry;
			const act = entry && actionOf(entry, actions);
			if (act) {
				picker.hide();
				act().catch(showError);
			}
		}),
		picker.onDidHide(() => {
			subscriptions.dispose();
			picker.dispose();
		}),
	);
	picker.show();
}

/** An elicitation as a list item, without buttons. */
export function elicitationItem(elicitation: Elicitation): vscode.QuickPickItem {
	const { group, server } = elicitation.origin;
	// The separator shows the group's details.
	const details = group && group.size > 1 ? detailsOf(elicitation, group.call.name) : detailsOf(elicitation);
	return {
		label: native(server, 80),
		description: native(firstLine(details.join(' · ')), 200),
		detail: native(firstLine(elicitation.request.message), 300),
		iconPath: iconOf({ kind: 'question', elicitation }),
	};
}

/** Entries of a group or of held requests, below a separator that describes them. */
function partOf(pending: Pending, actions: PendingActions): ListItem[] {
	const part = (title: string, elicitations: readonly Elicitation[]) => [
		separator(title),
		...elicitations.map((elicitation) => itemOf({ kind: 'member', elicitation }, actions)),
	];
	if (pending.kind === 'group') {
		return part(groupTexts(pending.group, pending.entries).whole, pending.entries);
	}
	return pending.kind === 'rateLimit' && pending.held.length > 0
		? part(localize('{0} · held back', pending.server), pending.held)
		: [];
}

function separator(text: string): ListItem {
	return { label: native(firstLine(text), 200), kind: vscode.QuickPickItemKind.Separator };
}

function itemOf(entry: Exclude<Entry, { kind: 'group' }>, actions: PendingActions): ListItem {
	const more = { entry, buttons: buttonsOf(entry, actions) };
	switch (entry.kind) {
		case 'roundLimit':
			return {
				label: native(entry.roundLimit.call.server, 80),
				description: native(firstLine(roundLimitDetails(entry.roundLimit).join(' · ')), 200),
				detail: native(firstLine(roundLimitReason(entry.roundLimit)), 300),
				iconPath: iconOf(entry),
				...more,
			};
		case 'rateLimit':
			return {
				label: native(entry.server, 80),
				description: localize('waits for your decision'),
				detail: native(firstLine(heldText(entry.server, entry.heldRequests)), 300),
				iconPath: iconOf(entry),
				...more,
			};
		default:
			return { ...elicitationItem(entry.elicitation), ...more };
	}
}

/** The default action of an entry; undefined for a settled one. */
function actionOf(entry: Entry, actions: PendingActions): (() => Promise<void>) | undefined {
	switch (entry.kind) {
		case 'roundLimit':
			return () => actions.showRoundLimitPrompt(entry.roundLimit);
		case 'rateLimit':
			return () => actions.showRateLimitPrompt(entry.server);
		case 'group':
			return undefined;
		default: {
			const { elicitation } = entry;
			if (isUndecided(elicitation)) {
				return () => actions.open(elicitation);
			}
			if (canSendAgain(elicitation)) {
				return () => actions.sendAgain(elicitation);
			}
			return elicitation.live ? () => actions.reopenUrl(elicitation) : undefined;
		}
	}
}

function buttonsOf(entry: Entry, actions: PendingActions): ListButton[] {
	switch (entry.kind) {
		case 'roundLimit':
			return [
				button('debug-continue', localize('Go On'), async () => entry.roundLimit.decide(true)),
				button('debug-stop', localize('Stop'), async () => entry.roundLimit.decide(false)),
				button('close', localize('Cancel'), () => actions.cancelCall(entry.call)),
			];
		case 'rateLimit':
			return [
				button('eye', localize('Review'), () => actions.review(entry.server)),
				button('circle-slash', localize('Decline the Rest'), () => actions.declineRest(entry.server)),
				button('debug-stop', localize('Stop Server'), () => actions.stopServer(entry.server)),
			];
		case 'group':
			return [];
		default:
			return elicitationButtons(entry.elicitation, actions);
	}
}

function elicitationButtons(elicitation: Elicitation, actions: PendingActions): ListButton[] {
	const each = (icon: string, tooltip: string, action: (elicitation: Elicitation) => Promise<void>) =>
		button(icon, tooltip, () => action(elicitation));
	const again = canSendAgain(elicitation) ? [each('send', localize('Send Again'), actions.sendAgain)] : [];
	const dismiss = canSendAgain(elicitation) ? [each('close', localize('Dismiss'), actions.dismiss)] : [];
	return elicitation.live
		? [
				...again,
				...(canReopen(elicitation) ? [each('link-external', localize('Reopen URL'), actions.reopenUrl)] : []),
				...(elicitation.request.mode === 'url' ? [each('copy', localize('Copy URL'), actions.copyUrl)] : []),
				...(canRetry(elicitation) ? [each('refresh', localize('Retry now'), actions.retry)] : []),
				...(isUndecided(elicitation) ? [each('circle-slash', localize('Decline'), actions.decline)] : []),
				each('close', localize('Cancel'), actions.cancel),
			]
		: [...again, ...dismiss];
}

function button(icon: string, tooltip: string, action: () => Promise<void>): ListButton {
	return { iconPath: new vscode.ThemeIcon(icon), tooltip, action };
}
