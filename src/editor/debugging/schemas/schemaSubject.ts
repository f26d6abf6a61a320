import * as vscode from 'vscode';
import { kindOf, type TextKind } from '../../../config/schemaText.ts';
import { parseText } from '../../../config/text.ts';
import type { NativeText } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { notJson } from '../../../elicitation/jsonFault.ts';
import type { Persona } from '../../../elicitation/personas/persona.ts';
import { render } from '../../../elicitation/sentence.ts';
import type { Commands } from '../../common/commands.ts';
import { localize } from '../../common/localize.ts';
import { choosePersona } from '../personas/choosePersona.ts';

/** What a command was run on: a received elicitation, or a document in an editor. */
export type SchemaSubject =
	| { readonly kind: 'elicitation'; readonly elicitation: Elicitation }
	| { readonly kind: 'document'; readonly document: vscode.TextDocument; readonly text: TextKind };

/**
 * Resolves the command's argument (id of an elicitation, row of the timeline); otherwise the active JSON editor;
 * otherwise the user's pick among this window's elicitations. Rejects where the active JSON is none.
 */
export async function subjectOf(
	id: 'checkSchema' | 'previewForm',
	commands: Commands,
	argument: unknown,
): Promise<SchemaSubject | undefined> {
	const document = argument === undefined ? vscode.window.activeTextEditor?.document : undefined;
	if (document && ['json', 'jsonc'].includes(document.languageId)) {
		const { fault } = parseText(document.getText());
		if (fault) {
			throw new Error(render(notJson(document.getText(), fault), localize));
		}
		const text = kindOf(document.getText());
		if (text) {
			return { kind: 'document', document, text };
		}
	}
	const elicitation = await commands.choose(id, argument);
	return elicitation && { kind: 'elicitation', elicitation };
}

/** Asks the user which client to imitate, if any. Programs pass an id, and are not asked. */
export async function howFor(
	argument: unknown,
	usual: NativeText,
): Promise<{ readonly persona?: Persona | undefined } | undefined> {
	return typeof argument === 'string' ? {} : choosePersona(usual);
}
