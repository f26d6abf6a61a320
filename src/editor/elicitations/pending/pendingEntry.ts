import * as vscode from 'vscode';
import type { WaitingCall } from '../../../elicitation/checkpoint.ts';
import { joinLines, type NativeText, native } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { Pending } from '../../../elicitation/pending.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { render } from '../../../elicitation/sentence.ts';
import type { UrlLevel } from '../../../elicitation/url/urlSafety.ts';
import type { Subjects } from '../../common/commandTable.ts';
import { ago, causeOf, groupTexts, heldText, stateOf } from '../../common/descriptions.ts';
import { localize } from '../../common/localize.ts';
import type { NativeItem } from '../../common/surfaces.ts';

/** A call that was interrupted and waits for the user to resume it. */
export interface WaitingEntry {
	readonly kind: 'waiting';
	readonly waiting: WaitingCall;
}

/** A pending entry, or a member of a group or of held requests. */
export type Entry = Pending | WaitingEntry | { readonly kind: 'member'; readonly elicitation: Elicitation };

/** Stable key of an entry. */
export function entryKey(entry: Entry): string {
	switch (entry.kind) {
		case 'roundLimit':
			return `roundLimit:${entry.roundLimit.call.id}`;
		case 'rateLimit':
			return `rateLimit:${entry.server}`;
		case 'group':
			return `group:${entry.group.call.id}:${entry.group.round}`;
		case 'waiting':
			return `waiting:${entry.waiting.id}`;
		default:
			return entry.elicitation.id;
	}
}

/** Number of undecided elicitations by server. */
export function countUndecided({ live }: Registry): ReadonlyMap<string, number> {
	const counts = new Map<string, number>();
	for (const { origin, undecided } of live) {
		if (undecided) {
			counts.set(origin.server, (counts.get(origin.server) ?? 0) + 1);
		}
	}
	return counts;
}

/** What there is to say of an entry. Each surface shows as much of it as it has room for. Server text. */
export interface EntryText {
	readonly server: string;
	/** What it is, on a row below its server. */
	readonly label: string;
	/** What else a row says, the most important first; without what its label, its icon, and the rows above it tell. */
	readonly details: readonly string[];
	readonly state: string;
	/** The name of its call, or what requested it, if known. */
	readonly cause: string;
	/** How long ago it began; empty once it has ended. */
	readonly age: string;
	/** The server's id of a URL. */
	readonly id: string;
	/** What it is about, in full. */
	readonly text: string;
}

export function describe(entry: Entry): EntryText {
	switch (entry.kind) {
		case 'roundLimit': {
			const { call, reason, since } = entry.roundLimit;
			return ofCall(call, localize('waiting for your decision'), since, render(reason, localize));
		}
		case 'waiting': {
			const text = localize('The call was interrupted. It can be resumed.');
			return ofCall(entry.waiting, localize('interrupted'), entry.waiting.startedAt, text);
		}
		case 'rateLimit': {
			const { server, heldRequests } = entry;
			const state = localize('rate limit: {0} held back', heldRequests.held);
			const label = localize('Held back: {0}', heldRequests.held);
			const text = heldText(server, heldRequests);
			return { server, label, details: [], state, cause: '', age: '', id: '', text };
		}
		case 'group': {
			const { server, name } = entry.call;
			const { progress, whole } = groupTexts(entry.group, entry.entries);
			return { server, label: name, details: [progress], state: progress, cause: name, age: '', id: '', text: whole };
		}
		default:
			return ofElicitation(entry.elicitation, entry.kind === 'member');
	}
}

function ofCall(
	{ server, name }: { readonly server: string; readonly name: string },
	state: string,
	since: number,
	text: string,
): EntryText {
	const age = ago(since);
	return { server, label: name, details: [state, age], state, cause: name, age, id: '', text };
}

/** @param isMember whether it is below the entry of its call */
function ofElicitation(elicitation: Elicitation, isMember: boolean): EntryText {
	const { request, receivedAt, origin, live, delivery, cause: call } = elicitation;
	const { server, group } = origin;
	const together = group && group.size > 1 ? group.call.name : undefined;
	const cause = together ?? causeOf(elicitation);
	const age = live || delivery?.open ? ago(receivedAt) : '';
	const state = stateOf(elicitation);
	const id = request.mode === 'url' ? (request.elicitationId ?? '') : '';
	return {
		server,
		label: request.message,
		details: [
			isPlain(elicitation) ? '' : state,
			isMember && together !== undefined ? '' : (call?.name ?? cause),
			age,
			id,
		],
		...{ state, cause, age, id, text: request.message },
	};
}

/** Whether it does what nearly all that is pending does: it waits for the user. */
function isPlain({ state, request, consulted }: Elicitation): boolean {
	return state === 'asking' && !consulted && (request.mode !== 'url' || request.level === undefined);
}

/** All but the text, server first. */
export function lineOf({ server, state, cause, age, id }: EntryText): NativeText {
	return oneLine([server, state, cause, age, id], 300);
}

/** An entry in a list. */
export function listItem(entry: Entry): NativeItem {
	const told = describe(entry);
	return {
		label: native(told.server, 80),
		description: oneLine([told.state, told.cause, told.age, told.id], 200),
		detail: native(joinLines(told.text), 300),
	};
}

/** On one line, without what is empty. */
export function oneLine(texts: readonly string[], length: number): NativeText {
	return native(joinLines(texts.filter((text) => text !== '').join(' · ')), length);
}

export function iconOf(entry: Entry): vscode.ThemeIcon {
	switch (entry.kind) {
		case 'roundLimit':
		case 'rateLimit':
			return warning();
		case 'group':
			return new vscode.ThemeIcon('checklist');
		case 'waiting':
			return new vscode.ThemeIcon('debug-pause');
		default: {
			const { state, request, delivery } = entry.elicitation;
			if (delivery?.problem) {
				return delivery.state === 'sending'
					? new vscode.ThemeIcon('sync')
					: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
			}
			switch (state) {
				case 'held':
					return new vscode.ThemeIcon('bell-slash');
				case 'asking':
					return request.mode === 'url' ? urlIcon(request.level) : new vscode.ThemeIcon('comment-discussion');
				case 'opened':
					return urlIcon();
				case 'accepted':
				case 'completed':
				case 'retried':
					return new vscode.ThemeIcon('pass', new vscode.ThemeColor('charts.green'));
				default:
					return new vscode.ThemeIcon('circle-slash');
			}
		}
	}
}

const warning = () => new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));

/** The icon of a URL, as in the timeline. The words beside it say how suspicious it is; the color only repeats that. */
function urlIcon(level?: UrlLevel): vscode.ThemeIcon {
	const color = level === 'alarm' ? 'error' : level === 'warning' ? 'warning' : undefined;
	return new vscode.ThemeIcon('globe', color && new vscode.ThemeColor(`list.${color}Foreground`));
}

/**
 * What commands act on that are run on an entry.
 * @param serverOf finds a server by its name
 */
export function subjectsOf(
	entry: Entry,
	registry: Registry,
	serverOf: (name: string) => Subjects['server'] | undefined,
): Partial<Subjects> {
	const asking = (server: string) => (countUndecided(registry).has(server) ? { asking: server } : {});
	switch (entry.kind) {
		case 'roundLimit':
			return { roundLimit: entry.roundLimit, call: entry.call };
		case 'rateLimit': {
			const server = serverOf(entry.server);
			return { heldBack: entry.server, ...asking(entry.server), ...(server && { server }) };
		}
		case 'group':
			return { call: entry.call, ...asking(entry.call.server) };
		case 'waiting':
			return { waiting: entry.waiting };
		default: {
			const { elicitation } = entry;
			const call = elicitation.origin.calls.find(({ state }) => state === 'running');
			return {
				elicitation,
				...(call && { call }),
				...(elicitation.undecided && { asking: elicitation.origin.server }),
			};
		}
	}
}
