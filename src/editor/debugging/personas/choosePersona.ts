import { native } from '../../../elicitation/display.ts';
import { type Persona, titleOf } from '../../../elicitation/personas/persona.ts';
import { PERSONAS } from '../../../elicitation/personas/personas.ts';
import { provenanceOf } from '../../../elicitation/personas/problemsAs.ts';
import { localize, nativeText } from '../../common/localize.ts';
import { showQuickPick, showQuickPicks } from '../../common/surfaces.ts';

/** The user's pick among the clients that are known. */
export async function choosePersona(): Promise<Persona | undefined> {
	return (await showQuickPick(items(), { placeHolder: localize('Choose a client'), ...MATCHING }))?.persona;
}

/** Several of them. */
export async function choosePersonas(): Promise<readonly Persona[]> {
	const chosen = await showQuickPicks(items(), {
		placeHolder: localize('Choose the clients to run as'),
		...MATCHING,
	});
	return chosen?.map(({ persona }) => persona) ?? [];
}

const MATCHING = { matchOnDescription: true, matchOnDetail: true };

function items() {
	return PERSONAS.map((persona) => ({
		label: native(titleOf(persona)),
		detail: nativeText(provenanceOf(persona)),
		persona,
	}));
}
