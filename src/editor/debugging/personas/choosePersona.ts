import { QuickPickItemKind } from 'vscode';
import { type NativeText, native } from '../../../elicitation/display.ts';
import { PERSONAS, type Persona, titleOf } from '../../../elicitation/personas/persona.ts';
import { provenanceOf } from '../../../elicitation/personas/problemsAs.ts';
import { localize, nativeText } from '../../common/localize.ts';
import { type NativeItem, showQuickPick, showQuickPicks } from '../../common/surfaces.ts';

/** The user's pick: a client that is known, or none of them. Undefined if dismissed. */
export async function choosePersona(
	without: NativeText,
): Promise<{ readonly persona?: Persona | undefined } | undefined> {
	const others: Item[] = [{ label: localize('As Another Client'), kind: QuickPickItemKind.Separator }, ...items()];
	return showQuickPick<Item>([{ label: without }, ...others], { placeHolder: localize('Choose how'), ...MATCHING });
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

type Item = NativeItem & { readonly persona?: Persona };

function items() {
	return PERSONAS.map((persona): NativeItem & { readonly persona: Persona } => ({
		label: native(titleOf(persona)),
		detail: nativeText(provenanceOf(persona)),
		persona,
	}));
}
