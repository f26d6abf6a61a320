import { joinLines, type NativeText, native } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { ago, causeOf, stateOf } from '../common/descriptions.ts';
import { showQuickPick } from '../common/surfaces.ts';

/** Resolves a command's argument (an id, an elicitation, a node of a view) to one of these elicitations. */
export function findElicitation(elicitations: readonly Elicitation[], target: unknown): Elicitation | undefined {
	const wanted = typeof target === 'object' && target !== null && 'elicitation' in target ? target.elicitation : target;
	return elicitations.find((elicitation) => elicitation === wanted || elicitation.id === wanted);
}

/** Lets the user pick an elicitation. */
export async function chooseElicitation(
	elicitations: readonly Elicitation[],
	placeHolder: NativeText,
): Promise<Elicitation | undefined> {
	const items = elicitations.map((elicitation) => ({
		label: native(elicitation.origin.server, 80),
		description: native([stateOf(elicitation), causeOf(elicitation), ago(elicitation.receivedAt)].join(' · '), 200),
		detail: native(joinLines(elicitation.request.message), 300),
		elicitation,
	}));
	return (await showQuickPick(items, { placeHolder }))?.elicitation;
}
