import type * as vscode from 'vscode';
import { native } from '../../../elicitation/display.ts';
import { blockedBy, findingsOf } from '../../../elicitation/findings/findings.ts';
import type { Field } from '../../../elicitation/form/fields.ts';
import { Form } from '../../../elicitation/form/form.ts';
import { initialInputs } from '../../../elicitation/form/inputs.ts';
import type { Validator } from '../../../elicitation/form/validate.ts';
import { type JsonObject, keyOf } from '../../../elicitation/json.ts';
import { readElicitation } from '../../../elicitation/request.ts';
import { render } from '../../../elicitation/sentence.ts';
import type { FormModel } from '../../../protocol.ts';
import { localize } from '../../common/localize.ts';
import type { UserFocus } from '../userFocus.ts';
import { Draft, type FormOutcome } from './draft.ts';
import { FormPanel, type FormPanelOptions } from './formPanel.ts';
import { runPickers } from './pickers.ts';
import { shownRequest, usesPickers } from './presentation.ts';

/** A request that no server has sent. */
export interface PreviewRequest {
	/** Its origin: a file, or a server. */
	readonly name: string;
	/** Params of `elicitation/create`. They have no message if there is only a schema. */
	readonly params: JsonObject;
	/** Negotiated revision, if the request was once received. */
	readonly revision?: string;
	/** The client whose form is previewed, if not this one. */
	readonly as?: OtherClient;
}

/** How another client treats the requests that are previewed. It has no pickers. */
export interface OtherClient {
	/** Its name and version. */
	readonly title: string;
	/** What it does to a request, translated. */
	view(
		schema: JsonObject,
		validator: Validator,
	): Pick<FormModel, 'notice' | 'notes' | 'declines' | 'blocked'> & { readonly form: Form };
}

/** A request and its form. */
interface Preview {
	readonly draft: Draft;
	readonly model: FormPanelOptions['model'];
}

/**
 * Shows the form in a panel beside the text, which keeps the focus, or in pickers, as if a server had sent it, and
 * resolves to what would be sent. Undefined if
 * other pickers replaced it. Rejects with a text for the user if it is not a form request.
 * @param changed fires when the request changes; the panel is updated
 */
export async function previewForm(
	extensionUri: vscode.Uri,
	validator: Validator,
	userFocus: UserFocus,
	request: PreviewRequest,
	changed: vscode.Event<PreviewRequest>,
): Promise<FormOutcome | undefined> {
	const preview = readPreview(request, validator);
	if (typeof preview === 'string') {
		throw new Error(preview);
	}
	let { draft, model } = preview;
	let inPickers = model.pickers && usesPickers(draft.form);
	for (;;) {
		if (inPickers) {
			const watched = userFocus.watch({ inUse: true });
			const outcome = await runPickers(draft, model, new AbortController().signal);
			watched.dispose();
			switch (outcome.action) {
				case 'suspended':
					return undefined;
				case 'form':
					inPickers = false;
					break;
				default:
					return outcome;
			}
		} else {
			const title = native(
				request.as
					? localize('Preview of {0} as {1}', request.name, request.as.title)
					: localize('Preview of {0}', request.name),
				60,
			);
			const panel = new FormPanel({ extensionUri, title, draft, model, background: true, userFocus });
			const following = changed((next) => {
				const changedPreview = readPreview(next, validator);
				// While the schema is being edited, keep the last valid form.
				if (typeof changedPreview !== 'string') {
					model = changedPreview.model;
					draft = carryOver(draft, changedPreview.draft);
					panel.replace(draft, model);
				}
			});
			const outcome = await panel.outcome;
			following.dispose();
			switch (outcome.action) {
				case 'closed':
					return { action: 'cancel' };
				case 'pickers':
					draft.step = 0;
					inPickers = true;
					break;
				default:
					return outcome;
			}
		}
	}
}

/** The form of a request, or text that says why there is none. */
function readPreview({ name, params, revision, as }: PreviewRequest, validator: Validator): Preview | string {
	const intake = readElicitation({ message: '', ...params });
	if (!intake.ok) {
		return render(intake.reason, localize);
	}
	const { request } = intake;
	if (request.mode === 'url') {
		return localize('A URL request has no form.');
	}
	const { form = new Form(request.requestedSchema, validator), ...view } =
		as?.view(request.requestedSchema, validator) ?? {};
	return {
		draft: new Draft(form),
		model: {
			purpose: 'preview',
			server: name,
			calls: [],
			receivedAt: Date.now(),
			...shownRequest(form, request.message, findingsOf(params, revision), as ? undefined : blockedBy(params)),
			...(as && { pickers: false }),
			...view,
		},
	};
}

/** Keeps input that is still valid for the new form. */
function carryOver(before: Draft, after: Draft): Draft {
	const entered = new Map(
		before.form.fields.flatMap((field, index) => {
			const input = before.inputs[index];
			const untouched = JSON.stringify(input) === JSON.stringify(initialInputs([field])[0]);
			return input && !untouched ? [[answerKey(field), input]] : [];
		}),
	);
	after.enter(
		after.form.fields.map((field, index) => entered.get(answerKey(field)) ?? after.inputs[index] ?? { kind: 'const' }),
		before.rest,
	);
	return after;
}

/** Fields with equal keys accept the same values. */
function answerKey(field: Field): string {
	return keyOf(field.key, field.kind, 'options' in field ? field.options : []);
}
