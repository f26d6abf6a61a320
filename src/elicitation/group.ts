import type { Elicitation, Group } from './elicitation.ts';

/** The questions of a group in the order in which the server named them, those that are over included. */
export function entriesOf(group: Group, elicitations: readonly Elicitation[]): Elicitation[] {
	return elicitations.filter(({ origin }) => origin.group === group);
}

/** How many questions of a group need nothing more: pages that are visited to the end, or whatever was answered. */
export function doneIn(group: Group, entries: readonly Elicitation[]): number {
	// Counted from what is open, because of a large group the oldest ended ones may be forgotten.
	return group.size - entries.filter(isOpen).length;
}

/** A page that a call requires counts until it is complete, the answer in a round until it is given. */
function isOpen({ live, answer, origin }: Elicitation): boolean {
	return live && (answer === undefined || origin.intake === 'urlRequired');
}

/** Which one of how many; undefined for a question that came alone. */
export function placeIn(
	elicitation: Elicitation,
	elicitations: readonly Elicitation[],
): { readonly place: number; readonly size: number } | undefined {
	const { group } = elicitation.origin;
	if (!group || group.size === 1) {
		return undefined;
	}
	return { place: entriesOf(group, elicitations).indexOf(elicitation) + 1, size: group.size };
}

/**
 * Resolves when a page may be asked for without a page of the same group being asked for at the same time: the user decides on
 * one after the other.
 */
export async function turnOf(elicitation: Elicitation, elicitations: readonly Elicitation[]): Promise<void> {
	const { group } = elicitation.origin;
	const pages = group ? entriesOf(group, elicitations).filter(({ request }) => request.mode === 'url') : [];
	const before = pages.slice(0, Math.max(0, pages.indexOf(elicitation)));
	await Promise.all(before.map(({ reply }) => reply));
}
