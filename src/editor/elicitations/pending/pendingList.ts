import * as vscode from 'vscode';
import { joinLines, native } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { KeyGuard } from '../../../elicitation/keyGuard.ts';
import { type Pending, pendingOf } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import type { Commands } from '../../common/commands.ts';
import {
	COMMANDS,
	type Command,
	type CommandId,
	commandsOf,
	groupOf,
	type Subjects,
} from '../../common/commandTable.ts';
import { fullId } from '../../common/contributions.ts';
import { onAccept } from '../../common/guardedPicker.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { guardShown, showError } from '../../common/notifications.ts';
import { createQuickPick, type NativeButton, type NativeItem } from '../../common/surfaces.ts';
import { type RateLimitPrompt, showRoundLimitPrompt } from '../notices/limitPrompts.ts';
import { countUndecided, describe, type Entry, entryKey, iconOf, listItem, type WaitingEntry } from './pendingEntry.ts';

interface ListItem extends NativeItem {
	/** Absent for separators and for what is done to a whole server. */
	readonly entry?: Entry;
	readonly declineAllOf?: string;
}

interface ListButton extends NativeButton {
	readonly action: () => Promise<unknown>;
}

export interface ListContext {
	readonly registry: Registry;
	readonly commands: Commands;
	waiting(): readonly WaitingEntry[];
	subjectsOf(entry: Entry): Partial<Subjects>;
	readonly rateLimitPrompt: RateLimitPrompt;
}

/**
 * The pick list: one item per elicitation, with its actions as buttons. It is updated while it is open. Resolves when it
 * has closed and the form that the user picked, if any, has opened.
 * @param byItself it opens unasked: keys pressed right after it appears were not meant for it
 */
export function showList(context: ListContext, onDidChange: vscode.Event<void>, byItself: boolean): Promise<unknown> {
	const picker = createQuickPick<ListItem>();
	picker.title = localize('Pending Elicitations');
	picker.matchOnDescription = true;
	picker.matchOnDetail = true;
	picker.keepScrollPosition = true;
	let drawn = '';
	const fill = () => {
		const items = itemsOf(context);
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
	let acting: Promise<unknown> | undefined;
	let resolve: (done: Promise<unknown> | undefined) => void = () => {};
	const closed = new Promise<unknown>((done) => {
		resolve = done;
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
			const act = item && actionOf(item, context);
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
function itemsOf(context: ListContext): ListItem[] {
	const pending = pendingOf(context.registry);
	return [
		...context.waiting().map((each) => itemOf(each, context)),
		...pending.flatMap((each) => (each.kind === 'group' ? [] : [itemOf(each, context)])),
		...pending.flatMap((each) => partOf(each, context)),
		...declineAllItems(context.registry),
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

/** Entries of a group or of held requests, below a separator that describes them. */
function partOf(pending: Pending, context: ListContext): ListItem[] {
	const part = (title: string, elicitations: readonly Elicitation[]) => [
		separator(title),
		...elicitations.map((elicitation) => itemOf({ kind: 'member', elicitation }, context)),
	];
	if (pending.kind === 'group') {
		return part(describe(pending).text, pending.entries);
	}
	return pending.kind === 'rateLimit' && pending.held.length > 0
		? part(localize('{0} · held back', pending.server), pending.held)
		: [];
}

function separator(text: string): ListItem {
	return { label: native(joinLines(text), 200), kind: vscode.QuickPickItemKind.Separator };
}

function itemOf(entry: Exclude<Entry, { kind: 'group' }>, context: ListContext): ListItem {
	return { ...listItem(entry), entry, iconPath: iconOf(entry), buttons: buttonsOf(entry, context) };
}

/** The default action of an item; undefined for a settled one. */
function actionOf({ entry, declineAllOf }: ListItem, context: ListContext): (() => Promise<unknown>) | undefined {
	if (declineAllOf !== undefined) {
		return () => run('declineAll', declineAllOf);
	}
	switch (entry?.kind) {
		case 'roundLimit':
			return async () => showRoundLimitPrompt(entry.roundLimit);
		case 'rateLimit':
			return async () => context.rateLimitPrompt.ask(entry.server);
		default: {
			const offered = entry ? commandsOf('pending', context.subjectsOf(entry)) : [];
			const id = offered.find((each) => (COMMANDS[each] as Command).rows?.pending === 1);
			return id && (() => run(id, entry));
		}
	}
}

/** What the row of an entry offers to go on with it or to end it, in the order of its menu; nothing that ends more than the entry. */
function buttonsOf(entry: Entry, { subjectsOf, commands }: ListContext): ListButton[] {
	return commandsOf('pending', subjectsOf(entry))
		.filter((id) => id !== 'openElicitation' && /^(1_act|2_end)$/.test(groupOf(id)))
		.filter((id) => COMMANDS[id].on !== 'call' && COMMANDS[id].on !== 'asking')
		.map((id) => ({
			iconPath: new vscode.ThemeIcon(COMMANDS[id].icon),
			tooltip: commands.title(id),
			action: () => run(id, entry),
		}));
}

async function run(id: CommandId, argument: unknown): Promise<unknown> {
	return vscode.commands.executeCommand(fullId(id), argument);
}
