import * as vscode from 'vscode';
import { type NativeText, native } from '../../elicitation/display.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { blockedBy, findingsAmong } from '../../elicitation/findings/findings.ts';
import { Form } from '../../elicitation/form/form.ts';
import { isObject, type JsonObject, own } from '../../elicitation/json.ts';
import type { Registry } from '../../elicitation/registry.ts';
import { render, say } from '../../elicitation/sentence.ts';
import type { FormModel } from '../../protocol.ts';
import { showError } from '../notices.ts';
import type { Servers } from '../servers.ts';
import { setting } from '../settings.ts';
import { shownCall } from '../texts.ts';
import { line, lineOf, t } from '../words.ts';
import { Draft, type FormOutcome } from './draft.ts';
import { registerEscape } from './escape.ts';
import { FormPanel } from './formPanel.ts';
import { runPickers } from './pickers.ts';
import { shownFindings, usesPickers } from './presentation.ts';

/** One elicitation in form mode while it is being answered: its draft, and the surface that shows it now, if any does. */
interface Session {
	readonly elicitation: Elicitation;
	readonly draft: Draft;
	panel?: FormPanel;
	/** Takes the pickers away, or out of the queue. */
	pickers?: AbortController;
}

/** Presents form elicitations to the person: each in a panel of its own, or in pickers, one sequence at a time. */
export class FormElicitations implements vscode.Disposable {
	readonly #sessions = new Map<string, Session>();
	readonly #subscriptions: vscode.Disposable;
	#queue: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly extensionUri: vscode.Uri,
		private readonly registry: Registry,
		private readonly servers: Servers,
	) {
		this.#subscriptions = vscode.Disposable.from(
			registerEscape(),
			registry.onDidAsk((elicitation) => this.#present(elicitation)),
			registry.onDidChange(({ elicitation }) => this.#settled(elicitation)),
		);
	}

	/** Brings an elicitation to the front: where it is shown, or where it was left. */
	open(elicitation: Elicitation): void {
		const session = this.#sessions.get(elicitation.id);
		if (session?.panel) {
			session.panel.reveal();
		} else if (session && !session.pickers) {
			this.#show(session);
		}
	}

	dispose(): void {
		this.#subscriptions.dispose();
		for (const { panel, pickers } of this.#sessions.values()) {
			panel?.dispose();
			pickers?.abort();
		}
	}

	#present(elicitation: Elicitation): void {
		if (elicitation.request.mode !== 'form') {
			return;
		}
		const form = new Form(elicitation.request.requestedSchema, this.registry.validator);
		const session: Session = { elicitation, draft: new Draft(form) };
		this.#sessions.set(elicitation.id, session);
		const reveal = setting('form.reveal');
		if (reveal === 'focus') {
			this.#show(session);
		} else if (reveal === 'background') {
			// Pickers cannot be shown without taking the focus.
			this.#showPanel(session, true);
		} else {
			this.#notify(session, t('Answer'), line('{0} asks: {1}', elicitation.origin.server, elicitation.request.message));
		}
	}

	#show(session: Session): void {
		if (usesPickers(session.draft.form.fields, session.elicitation.request.message)) {
			this.#showPickers(session);
		} else {
			this.#showPanel(session);
		}
	}

	/** Sequences wait for one another: a second picker would close the first. */
	#showPickers(session: Session): void {
		const abort = new AbortController();
		session.pickers = abort;
		this.#queue = this.#queue.then(() => this.#runPickers(session, abort)).catch(showError);
	}

	async #runPickers(session: Session, abort: AbortController): Promise<void> {
		const outcome = await runPickers(session.draft, this.#model(session.elicitation), abort.signal);
		if (session.pickers !== abort || abort.signal.aborted) {
			return;
		}
		delete session.pickers;
		switch (outcome.action) {
			case 'form':
				this.#showPanel(session);
				return;
			case 'suspended':
				this.#notify(session, t('Resume'), line('{0} still waits for your answer.', session.elicitation.origin.server));
				return;
			default:
				await this.#settle(session, outcome);
		}
	}

	/** A notification that leads to the question; what it asks stays open when it is closed. */
	#notify(session: Session, action: string, text: NativeText): void {
		vscode.window.showInformationMessage(text, action).then((choice) => {
			if (choice === action) {
				this.open(session.elicitation);
			}
		}, showError);
	}

	#showPanel(session: Session, background = false): void {
		const { elicitation, draft } = session;
		const panel = new FormPanel({
			extensionUri: this.extensionUri,
			title: native(elicitation.origin.server, 60),
			draft,
			model: this.#model(elicitation),
			background,
		});
		session.panel = panel;
		panel.outcome
			.then(async (outcome) => {
				delete session.panel;
				if (outcome.action === 'pickers') {
					draft.step = 0;
					this.#showPickers(session);
				} else {
					await this.#settle(session, outcome);
				}
			})
			.catch(showError);
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
			session.pickers?.abort();
			return;
		}
		session.panel?.withdraw(render(withdrawal, t));
		if (!session.panel) {
			session.pickers?.abort();
			void vscode.window.showInformationMessage(
				lineOf(say('{0}: {1} Nothing was sent.', elicitation.origin.server, withdrawal)),
			);
		}
	}

	#model(elicitation: Elicitation): Omit<FormModel, 'fields' | 'inputs' | 'rest'> {
		const { origin, request, receivedAt } = elicitation;
		const schema: JsonObject = request.mode === 'form' ? request.requestedSchema : {};
		const params = isObject(origin.params) ? origin.params : {};
		const findings = findingsAmong(elicitation, this.registry.elicitations);
		const blocked = blockedBy(params);
		const ownName = this.servers.get(origin.server)?.connection?.ownName;
		const title = own(schema, 'title');
		const description = own(schema, 'description');
		const shown = shownFindings(findings);
		return {
			purpose: 'elicitation',
			server: origin.server,
			...(ownName !== undefined && ownName !== origin.server && { serverTitle: ownName }),
			calls: origin.calls.map(shownCall),
			receivedAt,
			message: request.message,
			...(typeof title === 'string' && { title }),
			...(typeof description === 'string' && { description }),
			...shown,
			pickers: true,
			...(blocked && { blocked: render(blocked, t) }),
		};
	}
}
