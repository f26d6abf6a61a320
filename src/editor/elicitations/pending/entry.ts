import * as vscode from 'vscode';
import type { RoundLimit } from '../../../elicitation/call.ts';
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

/**
 * Details of an elicitation besides its message, the most important first. Server text.
 * @param cause the name of the call; empty if it is shown elsewhere
 */
export function detailsOf(elicitation: Elicitation, cause = causeOf(elicitation)): string[] {
	const { request, receivedAt } = elicitation;
	return [
		stateOf(elicitation),
		cause,
		elicitation.live || elicitation.delivery?.open ? ago(receivedAt) : '',
		request.mode === 'url' ? (request.elicitationId ?? '') : '',
	].filter((detail) => detail !== '');
}

export function waitingDetails({ name, startedAt }: WaitingCall): string[] {
	return [localize('interrupted'), name, ago(startedAt)];
}

export function roundLimitDetails({ call, since }: RoundLimit): string[] {
	return [localize('waiting for your decision'), call.name, ago(since)];
}

export function roundLimitReason({ reason }: RoundLimit): string {
	return render(reason, localize);
}

/** The entry on one line, server first. */
export function entryLine(entry: Entry): NativeText {
	const texts = () => {
		switch (entry.kind) {
			case 'roundLimit':
				return [entry.roundLimit.call.server, ...roundLimitDetails(entry.roundLimit)];
			case 'rateLimit':
				return [heldText(entry.server, entry.heldRequests)];
			case 'group':
				return [groupTexts(entry.group, entry.entries).whole];
			case 'waiting':
				return [entry.waiting.server, ...waitingDetails(entry.waiting)];
			case 'member':
				return [stateOf(entry.elicitation), joinLines(entry.elicitation.request.message)];
			case 'elicitation':
				return [entry.elicitation.origin.server, ...detailsOf(entry.elicitation)];
		}
	};
	return native(joinLines(texts().join(' · ')), 300);
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
					return new vscode.ThemeIcon('link-external');
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

function urlIcon(level: UrlLevel): vscode.ThemeIcon {
	switch (level) {
		case 'alarm':
			return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
		case 'warning':
			return warning();
		default:
			return new vscode.ThemeIcon('globe');
	}
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
