import * as vscode from 'vscode';
import { requestAt, type TextKind } from '../../../config/schemaText.ts';
import { isObject, type JsonObject } from '../../../elicitation/json.ts';
import { asSeenBy } from '../../../elicitation/personas/asSeenBy.ts';
import { FormAs } from '../../../elicitation/personas/formAs.ts';
import { type Persona, titleOf } from '../../../elicitation/personas/persona.ts';
import { aboutAll, aboutField, factsOf, provenanceOf, REFUSED } from '../../../elicitation/personas/problemsAs.ts';
import { render, type Sentence } from '../../../elicitation/sentence.ts';
import { TYPING_DELAY } from '../../common/jsonDiagnostics.ts';
import { localize, localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import type { Presenters } from '../../elicitations/presenters.ts';
import type { SchemaContext } from './checkSchema.ts';
import { howFor, type SchemaSubject, subjectOf } from './schemaSubject.ts';

interface PreviewContext extends SchemaContext {
	readonly presenters: Pick<Presenters, 'preview'>;
}

type Preview = Parameters<Presenters['preview']>[0];
type OtherClient = NonNullable<Preview['as']>;

/**
 * The command `previewForm`: shows the form as here, or as another client would. Resolves to the content that would be
 * sent, or to undefined if none would.
 */
export async function previewForm(context: PreviewContext, argument: unknown): Promise<unknown> {
	const subject = await subjectOf('previewForm', context.commands, argument);
	const how = subject && (await howFor(argument, localize('As Here')));
	return how && preview(context, subject, how.persona && otherClient(how.persona));
}

async function preview(context: PreviewContext, subject: SchemaSubject, as?: OtherClient): Promise<unknown> {
	const found = await requestOf(subject);
	if (!found) {
		return undefined;
	}
	const request = { ...found, ...(as && { as }) };
	const changes = new vscode.EventEmitter<Preview>();
	const following = subject.kind === 'document' ? follow(subject.document, subject.text, request, changes) : changes;
	try {
		const answer = await context.presenters.preview(request, changes.event);
		if (answer && answer.action !== 'cancel') {
			await context.documents.open(localize('Response to {0}', request.name), answer);
			void notify(
				'information',
				localizeNative('This would have been sent. Because it is a preview, nothing was sent.'),
			);
		}
		return answer;
	} finally {
		vscode.Disposable.from(following, changes).dispose();
	}
}

async function requestOf(subject: SchemaSubject): Promise<Preview | undefined> {
	if (subject.kind === 'elicitation') {
		const { server, params, revision } = subject.elicitation.origin;
		return { name: server, params: isObject(params) ? params : {}, revision };
	}
	const { document, text } = subject;
	const editor = vscode.window.activeTextEditor;
	const offset = editor?.document === document ? document.offsetAt(editor.selection.active) : 0;
	const params = paramsIn(document, text, offset);
	return params && { name: document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1), params };
}

/** The request at an offset, or the first one. */
function paramsIn(document: vscode.TextDocument, kind: TextKind, offset: number): JsonObject | undefined {
	return requestAt(document.getText(), kind, offset)?.params;
}

/** Fires when the request changes in the editor, as long as the text contains one. */
function follow(
	document: vscode.TextDocument,
	kind: TextKind,
	request: Preview,
	changes: vscode.EventEmitter<Preview>,
): vscode.Disposable {
	let timer: ReturnType<typeof setTimeout> | undefined;
	let last = JSON.stringify(request.params);
	const look = (offset: number) => {
		const params = paramsIn(document, kind, offset);
		if (params && JSON.stringify(params) !== last) {
			last = JSON.stringify(params);
			changes.fire({ ...request, params });
		}
	};
	const listening = vscode.workspace.onDidChangeTextDocument(({ document: changed, contentChanges: [change] }) => {
		if (changed === document && change) {
			clearTimeout(timer);
			timer = setTimeout(() => look(change.rangeOffset), TYPING_DELAY);
		}
	});
	return vscode.Disposable.from(listening, new vscode.Disposable(() => clearTimeout(timer)));
}

/** Previews forms as another client shows them, as far as that is known. */
function otherClient(persona: Persona): OtherClient {
	const title = titleOf(persona);
	const text = (sentence: Sentence) => render(sentence, localize);
	return {
		title,
		view: (schema, validator) => {
			const { fields, lost, refused } = asSeenBy(persona, schema);
			const whole = aboutAll(persona, 'form').map(([message]) => text(message));
			const blocked = persona.automatic
				? whole.at(-1)
				: refused.length > 0
					? localize('The whole request is refused because of: {0}', refused.join(', '))
					: undefined;
			return {
				form: new FormAs(persona, schema, validator),
				notice: [
					localize('As {0}', title),
					text(provenanceOf(persona)),
					...whole,
					...(lost.length > 0 ? [localize('Not visible to the client: {0}.', lost.join(', '))] : []),
					...fields.filter(({ shown }) => !shown).map(({ field }) => localize('Left out: {0}', field.label)),
					...factsOf(persona).map(text),
				],
				notes: fields
					.filter(({ shown }) => shown)
					.map((seen) => [
						...(seen.refused ? [text(REFUSED)] : []),
						...aboutField(persona, seen).map(([message]) => text(message)),
					]),
				...(blocked !== undefined && { blocked }),
				...((persona.automatic || persona.form?.declines === false) && { declines: false }),
			};
		},
	};
}
