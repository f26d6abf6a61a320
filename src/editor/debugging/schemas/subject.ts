import * as vscode from 'vscode';
import type { TextKind } from '../../../config/schemaText.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { recordingOf } from '../../../trace/timeline.ts';
import { loadConfig } from '../../common/loadConfig.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import { chooseElicitation, findElicitation } from '../../elicitations/chooseElicitation.ts';

/** What a command was run on: a received elicitation, or a document in an editor. */
export type SchemaSubject =
	| { readonly kind: 'elicitation'; readonly elicitation: Elicitation }
	| { readonly kind: 'document'; readonly document: vscode.TextDocument; readonly text: TextKind };

/**
 * Resolves the command's argument (id of an elicitation, node of the timeline); otherwise the active JSON editor;
 * otherwise the user's pick among this window's elicitations.
 */
export async function subjectOf(registry: Registry, target: unknown): Promise<SchemaSubject | undefined> {
	if (target !== undefined) {
		const { elicitations } = recordingOf(target)?.registry ?? registry;
		const elicitation = findElicitation(elicitations, target);
		return elicitation && { kind: 'elicitation', elicitation };
	}
	const document = vscode.window.activeTextEditor?.document;
	if (document && ['json', 'jsonc'].includes(document.languageId)) {
		const text = (await loadConfig()).kindOf(document.getText());
		if (text) {
			return { kind: 'document', document, text };
		}
	}
	return choose(registry);
}

async function choose({ elicitations }: Registry): Promise<SchemaSubject | undefined> {
	if (elicitations.length === 0) {
		void notify(
			'information',
			localizeNative('There is no schema here. Open a JSON file with one, or call a tool that requests input.'),
		);
		return undefined;
	}
	const elicitation = await chooseElicitation(elicitations.toReversed(), localize('Choose a request'));
	return elicitation && { kind: 'elicitation', elicitation };
}
