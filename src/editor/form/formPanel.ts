import * as vscode from 'vscode';
import type { Input } from '../../elicitation/answer.ts';
import type { Form, Review } from '../../elicitation/form.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import { render, type Sentence } from '../../elicitation/sentence.ts';
import { type FormModel, type FromForm, isFormMessage, type ToForm } from '../../protocol.ts';
import { createPage, type Page } from '../webviewPage.ts';
import { t, translations } from '../words.ts';

/** A form with what has been entered so far. Panel and pickers work on the same draft, so either can take over. */
export interface Draft {
	readonly form: Form;
	inputs: readonly Input[];
}

export type FormOutcome =
	| { readonly action: 'accept'; readonly content: JsonObject }
	| { readonly action: 'decline' }
	| { readonly action: 'cancel' };

export interface FormPanelOptions {
	readonly extensionUri: vscode.Uri;
	readonly title: string;
	readonly draft: Draft;
	/** Everything that the form shows besides the draft. */
	readonly model: Omit<FormModel, 'fields' | 'inputs'>;
	readonly preserveFocus: boolean;
}

/** The webview of one form. It ends with exactly one outcome; closing the tab is cancel (F14). */
export class FormPanel {
	readonly outcome: Promise<FormOutcome>;
	readonly #page: Page;
	readonly #disposables: vscode.Disposable[];
	#resolve!: (outcome: FormOutcome) => void;
	#over = false;
	#withdrawn: string | undefined;

	constructor(private readonly options: FormPanelOptions) {
		this.outcome = new Promise((resolve) => {
			this.#resolve = resolve;
		});
		this.#page = createPage(options.extensionUri, {
			name: 'form',
			title: options.title,
			preserveFocus: options.preserveFocus,
			column: vscode.ViewColumn.Active,
		});
		const { panel, id } = this.#page;
		this.#disposables = [
			panel.webview.onDidReceiveMessage((message: unknown) => {
				if (isFormMessage(message, id)) {
					void this.#receive(message);
				}
			}),
			panel.onDidDispose(() => this.#end({ action: 'cancel' })),
		];
	}

	reveal(): void {
		this.#page.panel.reveal();
	}

	/** The question is gone: the form says why and can no longer be sent. The panel stays until the person closes it. */
	withdraw(reason: string): void {
		if (!this.#over) {
			this.#over = true;
			this.#withdrawn = reason;
			this.#post({ type: 'withdrawn', panel: this.#page.id, reason });
		}
	}

	dispose(): void {
		this.#end({ action: 'cancel' });
	}

	async #receive(message: FromForm): Promise<void> {
		const { draft, model } = this.options;
		switch (message.type) {
			case 'ready':
				this.#post({
					type: 'show',
					panel: this.#page.id,
					model: { ...model, fields: draft.form.fields, inputs: draft.inputs },
					strings: translations(),
				});
				// A page that was hidden starts anew when it is shown, and must hear of it again.
				if (this.#withdrawn !== undefined) {
					this.#post({ type: 'withdrawn', panel: this.#page.id, reason: this.#withdrawn });
				}
				return;
			case 'change':
			case 'submit': {
				// A form of another length is not an answer to this one.
				if (this.#over || message.inputs.length !== draft.form.fields.length) {
					return;
				}
				draft.inputs = message.inputs;
				const review = await draft.form.review(message.inputs);
				const submitted = message.type === 'submit';
				if (submitted && review.problems.length === 0 && model.blocked === undefined) {
					this.#end({ action: 'accept', content: review.content });
				} else {
					this.#post(toMessage(this.#page.id, message.revision, review, submitted));
				}
				return;
			}
			case 'decline':
				this.#end({ action: 'decline' });
				return;
			case 'cancel':
				this.#end({ action: 'cancel' });
		}
	}

	#end(outcome: FormOutcome): void {
		this.#over = true;
		this.#resolve(outcome);
		for (const disposable of this.#disposables.splice(0)) {
			disposable.dispose();
		}
		this.#page.panel.dispose();
	}

	#post(message: ToForm): void {
		void this.#page.panel.webview.postMessage(message);
	}
}

function toMessage(panel: string, revision: number, review: Review, refused: boolean): ToForm {
	const text = (sentence: Sentence) => render(sentence, t);
	return {
		type: 'review',
		panel,
		revision,
		problems: review.problems.map(({ field, message }) => ({
			...(field !== undefined && { field }),
			text: text(message),
		})),
		json: JSON.stringify(review.content, undefined, 2),
		...(review.unchecked && { unchecked: text(review.unchecked) }),
		refused,
	};
}
