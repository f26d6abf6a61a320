import * as vscode from 'vscode';
import { joinLines, type NativeText, native } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { KeyGuard } from '../../../elicitation/keyGuard.ts';
import { type Pending, pendingOf } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { canRetry, groupTexts, heldText } from '../../common/descriptions.ts';
import { onAccept } from '../../common/guardedPicker.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { guardShown, showError } from '../../common/notifications.ts';
import { createQuickPick, type NativeButton, type NativeItem } from '../../common/surfaces.ts';
import {
	canReopen,
	canSendAgain,
	countUndecided,
	detailsOf,
	type Entry,
	entryKey,
	iconOf,
	isUndecided,
	type PendingActions,
	roundLimitDetails,
	roundLimitReason,
	type WaitingEntry,
	waitingDetails,
} from './entry.ts';

interface ListItem extends NativeItem {
	/** Absent for separators and for what is done to a whole server. */
	readonly entry?: Entry;
	readonly declineAllOf?: string;
}

interface ListButton extends NativeButton {
	readonly action: () => Promise<void>;
}

/**
 * The pick list: one item per elicitation, with its actions as buttons. It is updated while it is open. Resolves when it
 * has closed and the form that the user picked, if any, has opened.
 * @param byItself it opens unasked: keys pressed right after it appears were not meant for it
 */
export function showList(
	registry: Registry,
	waiting: () => readonly WaitingEntry[],
	actions: PendingActions,
	onDidChange: vscode.Event<void>,
	byItself: boolean,
): Promise<void> {
	const picker = createQuickPick<ListItem>();
	picker.title = localize('Pending Elicitations');
	picker.matchOnDescription = true;
	picker.matchOnDetail = true;
	picker.keepScrollPosition = true;
	let drawn = '';
	const fill = () => {
		const items = itemsOf(registry, waiting(), actions);
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
			items.length === 0 ? localize('No server is requesting input.') : localize('Choose an elicitation');
	};
	fill();
	let guard: KeyGuard | undefined;
	const takesKeys = () => guard?.takesKeys(performance.now()) ?? true;
	let acting: Promise<void> | undefined;
	let resolve: (done: Promise<void> | undefined) => void = () => {};
	const closed = new Promise<void>((done) => {
		resolve = (action) => done(action);
	});
	const subscriptions = vscode.Disposable.from(
		onDidChange(fill),
		picker.onDidTriggerItemButton(({ button }) => {
			if (takesKeys()) {
				(button as ListButton).action().catch(showError);
			}
		}),
		onAccept(picker, takesKeys, () => {
			const [item] = picker.selectedItems;
			const act = item && actionOf(item, actions);
			if (act) {
				const acted = act().catch(showError);
				// What else there is may take as long as a call.
				acting = leadsToForm(item) ? acted : undefined;
				picker.hide();
			}
		}),
		picker.onDidHide(() => {
			subscriptions.dispose();
			picker.dispose();
			resolve(acting);
		}),
	);
	picker.show();
	guard = byItself ? guardShown() : undefined;
	return closed;
}

/** Items belong to the separator above them, so items without one come first. */
function itemsOf(registry: Registry, waiting: readonly WaitingEntry[], actions: PendingActions): ListItem[] {
	const pending = pendingOf(registry);
	return [
		...waiting.map((each) => itemOf(each, actions)),
		...pending.flatMap((each) => (each.kind === 'group' ? [] : [itemOf(each, actions)])),
		...pending.flatMap((each) => partOf(each, actions)),
		...declineAllItems(registry),
	];
}

function leadsToForm({ entry }: ListItem): boolean {
	return entry !== undefined && 'elicitation' in entry && entry.elicitation.request.mode !== 'url';
}

/** One item per server that asks several things at once, below everything that it asks. */
function declineAllItems(registry: Registry): ListItem[] {
	const items = [...countUndecided(registry)]
		.filter(([, count]) => count > 1)
		.map(([server, count]) => ({
			label: native(localize('Decline All from {0}', server), 100),
			description: localizeNative('{0} pending', count),
			iconPath: new vscode.ThemeIcon('circle-slash'),
			declineAllOf: server,
		}));
	return items.length > 0 ? [separator(localize('All at once')), ...items] : [];
}

/** An elicitation as a list item, without buttons. */
export function elicitationItem(elicitation: Elicitation): NativeItem {
	const { group, server } = elicitation.origin;
	// The separator shows the group's details.
	const details = group && group.size > 1 ? detailsOf(elicitation, group.call.name) : detailsOf(elicitation);
	return {
		label: native(server, 80),
		description: native(joinLines(details.join(' · ')), 200),
		detail: native(joinLines(elicitation.request.message), 300),
		iconPath: iconOf({ kind: 'elicitation', elicitation }),
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
	return { label: native(joinLines(text), 200), kind: vscode.QuickPickItemKind.Separator };
}

function itemOf(entry: Exclude<Entry, { kind: 'group' }>, actions: PendingActions): ListItem {
	const more = { entry, buttons: buttonsOf(entry, actions) };
	switch (entry.kind) {
		case 'roundLimit':
			return {
				label: native(entry.roundLimit.call.server, 80),
				description: native(joinLines(roundLimitDetails(entry.roundLimit).join(' · ')), 200),
				detail: native(joinLines(roundLimitReason(entry.roundLimit)), 300),
				iconPath: iconOf(entry),
				...more,
			};
		case 'waiting':
			return {
				label: native(entry.waiting.server, 80),
				description: native(joinLines(waitingDetails(entry.waiting).join(' · ')), 200),
				detail: localize('The call was interrupted. It can be resumed.'),
				iconPath: iconOf(entry),
				...more,
			};
		case 'rateLimit':
			return {
				label: native(entry.server, 80),
				description: localize('waiting for your decision'),
				detail: native(joinLines(heldText(entry.server, entry.heldRequests)), 300),
				iconPath: iconOf(entry),
				...more,
			};
		default:
			return { ...elicitationItem(entry.elicitation), ...more };
	}
}

/** The default action of an item; undefined for a settled one. */
function actionOf({ entry, declineAllOf }: ListItem, actions: PendingActions): (() => Promise<void>) | undefined {
	if (declineAllOf !== undefined) {
		return () => actions.declineAll(declineAllOf);
	}
	if (!entry) {
		return undefined;
	}
	switch (entry.kind) {
		case 'roundLimit':
			return () => actions.showRoundLimitPrompt(entry.roundLimit);
		case 'rateLimit':
			return () => actions.showRateLimitPrompt(entry.server);
		case 'group':
			return undefined;
		case 'waiting':
			return () => actions.resumeCall(entry);
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
				button('debug-continue', localize('Continue'), async () => entry.roundLimit.decide(true)),
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
		case 'waiting':
			return [
				button('play', localize('Resume'), () => actions.resumeCall(entry)),
				button('close', localize('Discard'), () => actions.discardCall(entry)),
			];
		default:
			return elicitationButtons(entry.elicitation, actions);
	}
}

function elicitationButtons(elicitation: Elicitation, actions: PendingActions): ListButton[] {
	const each = (icon: string, tooltip: NativeText, action: (elicitation: Elicitation) => Promise<void>) =>
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

function button(icon: string, tooltip: NativeText, action: () => Promise<void>): ListButton {
	return { iconPath: new vscode.ThemeIcon(icon), tooltip, action };
}
