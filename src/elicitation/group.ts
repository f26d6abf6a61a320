import type { Elicitation, ElicitationGroup } from './elicitation.ts';

/** The elicitations of a group in the server's order, including those that have ended. */
export function entriesOf(group: ElicitationGroup, elicitations: readonly Elicitation[]): Elicitation[] {
	return elicitations.filter(({ origin }) => origin.group === group);
}

/** Number of elicitations in a group that need no further action. */
export function countDone(group: ElicitationGroup, entries: readonly Elicitation[]): number {
	// Counts the open ones, because the oldest ended ones of a large group may have been forgotten.
	return group.size - entries.filter(isOpen).length;
}

/** A URL elicitation of a -32042 error is open until it completes, others until there is a response. */
function isOpen({ live, response, origin }: Elicitation): boolean {
	return live && (response === undefined || origin.intake === 'urlRequired');
}

/** The position within its group; undefined if it arrived alone. */
export function groupPosition(
	elicitation: Elicitation,
	elicitations: readonly Elicitation[],
): { readonly place: number; readonly size: number } | undefined {
	const { group } = elicitation.origin;
	if (!group || group.size === 1) {
		return undefined;
	}
	return { place: entriesOf(group, elicitations).indexOf(elicitation) + 1, size: group.size };
}

/** Resolves when the elicitation may be shown. URL elicitations of one group are shown one after the other. */
export async function waitForTurn(elicitation: Elicitation, elicitations: readonly Elicitation[]): Promise<void> {
	const { group } = elicitation.origin;
	const urls = group ? entriesOf(group, elicitations).filter(({ request }) => request.mode === 'url') : [];
	const before = urls.slice(0, Math.max(0, urls.indexOf(elicitation)));
	await Promise.all(before.map(({ outcome }) => outcome));
}
