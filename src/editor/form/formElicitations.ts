import * as vscode from 'vscode';
import { initialInputs } from '../../elicitation/answer.ts';
import { native } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import type { Field } from '../../elicitation/fields.ts';
import { blockedBy, findingsOf } from '../../elicitation/findings.ts';
import { Form } from '../../elicitation/form.ts';
import { isObject, type JsonObject, own } from '../../elicitation/json.ts';
import type { Registry } from '../../elicitation/registry.ts';
import { render, say } from '../../elicitation/sentence.ts';
import type { FormModel } from '../../protocol.ts';
import { showError } from '../notices.ts';
import type { Servers } from '../servers.ts';
import { setting } from '../settings.ts';
import { lineOf, t } from '../words.ts';
import { type Draft, type FormOutcome, FormPanel } from './formPanel.ts';
import { type PickerTexts, runPickers } from './pickers.ts';

/** A message that is longer than this, or has several lines, needs a panel: a picker shows one line of it. */
const PICKER_MESSAGE = 200;

/** One elicitation in form mode while it is being answered: its draft, and the surface that shows it now. */
interface Session {
	readonly elicitation: Elicitation;
	readonly draft: Draft;
	panel?: FormPanel;
	picker?: AbortController;
}

/** Presents form elicitations to the person: each in a panel of its own, or in pickers, one sequence at a time. */
export class FormElicitations implements vscode.Disposable {
	readonly #sessions = new Map<string, Session>();
	readonly #subscriptions: vscode.Disposable[];
	#pickers: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly extensionUri: vscode.Uri,
		private readonly registry: Registry,
		private readonly servers: Servers,
	) {
		this.#subscriptions = [
			registry.onDidAdd((elicitation) => {
				if (elicitation.request.mode === 'form') {
					this.#present(elicitation);
				}
			}),
			registry.onDidChange(({ elicitation }) => this.#settled(elicitation)),
		];
	}

	/** Brings an elicitation to the front, wherever it is shown. */
	open(elicitation: Elicitation): void {
		const session = this.#sessions.get(elicitation.id);
		if (session?.panel) {
			session.panel.reveal();
		} else if (session) {
			session.picker?.abort();
			this.#showPanel(session);
		}
	}

	dispose(): void {
		for (const { panel, picker } of this.#sessions.values()) {
			panel?.dispose();
			picker?.abort();
		}
		vscode.Disposable.from(...this.#subscriptions).dispose();
	}

	#present(elicitation: Elicitation): void {
		if (elicitation.request.mode !== 'form') {
			return;
		}
		const form = new Form(elicitation.request.requestedSchema, this.registry.validator);
		const session: Session = { elicitation, draft: { form, inputs: initialInputs(form.fields) } };
		this.#sessions.set(elicitation.id, session);
		if (usesPickers(form.fields, elicitation.request.message)) {
			this.#queuePickers(session);
		} else {
			this.#showPanel(session);
		}
	}

	/** Sequences wait for one another: a second picker would close the first. */
	#queuePickers(session: Session): void {
		const abort = new AbortController();
		session.picker = abort;
		this.#pickers = this.#pickers
			.then(async () => {
				const outcome = await runPickers(session.draft, this.#texts(session), abort.signal);
				if (session.picker !== abort || abort.signal.aborted) {
					return;
				}
				delete session.picker;
				if (outcome.action === 'form') {
					this.#showPanel(session);
				} else {
					await this.#settle(session, outcome);
				}
			})
			.catch(showError);
	}

	#showPanel(session: Session): void {
		const { elicitation, draft } = session;
		const panel = new FormPanel({
			extensionUri: this.extensionUri,
			title: native(elicitation.origin.server, 60),
			draft,
			model: this.#model(elicitation),
			preserveFocus: false,
		});
		delete session.picker;
		session.panel = panel;
		panel.outcome.then((outcome) => this.#settle(session, outcome)).catch(showError);
	}

	async #settle(session: Session, outcome: FormOutcome): Promise<void> {
		const { elicitation } = session;
		if (outcome.action === 'accept') {
			const verdict = await this.registry.accept(elicitation, outcome.content);
			if (verdict.status === 'invalid') {
				// Cannot happen with an unchanged schema, and must not be lost if it does: the form comes back with its draft.
				this.#showPanel(session);
			}
		} else if (outcome.action === 'decline') {
			elicitation.decline();
		} else {
			elicitation.cancel();
		}
	}

	#settled(elicitation: Elicitation): void {
		const session = this.#sessions.get(elicitation.id);
		if (!session || elicitation.live) {
			return;
		}
		this.#sessions.delete(elicitation.id);
		const { withdrawal } = elicitation;
		if (!withdrawal) {
			session.panel?.dispose();
			session.picker?.abort();
			return;
		}
		session.panel?.withdraw(render(withdrawal, t));
		if (session.picker) {
			session.picker.abort();
			void vscode.window.showInformationMessage(
				lineOf(say('{0}: {1} Nothing was sent.', elicitation.origin.server, withdrawal)),
			);
		}
	}

	#texts({ elicitation }: Session): PickerTexts {
		const model = this.#model(elicitation);
		return {
			server: model.server,
			message: model.message,
			warnings: model.warnings,
			...(model.blocked !== undefined && { blocked: model.blocked }),
		};
	}

	#model({ origin, request, receivedAt }: Elicitation): Omit<FormModel, 'fields' | 'inputs'> {
		const schema: JsonObject = request.mode === 'form' ? request.requestedSchema : {};
		const params = isObject(origin.params) ? origin.params : {};
		const findings = findingsOf(params, origin.revision);
		const blocked = blockedBy(params);
		const ownName = this.servers.get(origin.server)?.connection?.ownName;
		const title = own(schema, 'title');
		const description = own(schema, 'description');
		const shown = findings.map(({ message, ...finding }) => ({ ...finding, text: render(message, t) }));
		return {
			purpose: 'elicitation',
			server: origin.server,
			...(ownName !== undefined && ownName !== origin.server && { serverTitle: ownName }),
			calls: origin.calls.map(({ name }) => name),
			receivedAt,
			message: request.message,
			...(typeof title === 'string' && { title }),
			...(typeof description === 'string' && { description }),
			// Only what should stop a hand before Accept stands beside it (F16).
			warnings: shown.filter(({ rule }) => rule === 'sensitive').map(({ text }) => text),
			findings: shown,
			rest: [],
			pickers: true,
			...(blocked && { blocked: render(blocked, t) }),
		};
	}
}

/** `auto`: pickers for up to three simple fields whose message fits on a line. */
function usesPickers(fields: readonly Field[], message: string): boolean {
	const presentation = setting('form.presentation');
	if (presentation !== 'auto') {
		return presentation === 'quickPick';
	}
	const asked = fields.filter(({ kind }) => kind !== 'const');
	return (
		asked.length <= 3 &&
		message.length <= PICKER_MESSAGE &&
		!message.includes('\n') &&
		asked.every(
			(field) =>
				field.kind === 'boolean' ||
				field.kind === 'number' ||
				field.kind === 'choice' ||
				field.kind === 'choices' ||
				(field.kind === 'text' && field.entry !== 'area'),
		)
	);
}
