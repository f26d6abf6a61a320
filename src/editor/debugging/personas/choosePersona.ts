import * as vscode from 'vscode';
import { type Persona, titleOf } from '../../../elicitation/personas/persona.ts';
import { PERSONAS } from '../../../elicitation/personas/personas.ts';
import { provenanceOf } from '../../../elicitation/personas/problemsAs.ts';
import { localize, nativeText } from '../../common/localize.ts';

/** The user's pick among the clients that are known. */
export async function choosePersona(): Promise<Persona | undefined> {
	return (await vscode.window.showQuickPick(items(), { placeHolder: localize('Choose a client'), ...MATCHING }))
		?.persona;
}

/** Several of them. */
export async function choosePersonas(): Promise<readonly Persona[]> {
	const chosen = await vscode.window.showQuickPick(items(), {
		placeHolder: localize('Choose the clients to run as'),
		canPickMany: true,
		...MATCHING,
	});
	return chosen?.map(({ persona }) => persona) ?? [];
}

const MATCHING = { matchOnDescription: true, matchOnDetail: true };

function items() {
	return PERSONAS.map((persona) => ({
		label: titleOf(persona),
		detail: nativeText(provenanceOf(persona)),
		persona,
	}));
}
