import * as vscode from 'vscode';
import { type NativeText, native } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { blockedBy, findingsAmong } from '../../../elicitation/findings/findings.ts';
import { Form } from '../../../elicitation/form/form.ts';
import { validatorFor } from '../../../elicitation/form/validate.ts';
import { isObject, type JsonObject, own } from '../../../elicitation/json.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { localizable, render } from '../../../elicitation/sentence.ts';
import type { FormModel } from '../../../protocol.ts';
import { shownCall } from '../../common/descriptions.ts';
import { localize, localizeNative, nativeText } from '../../common/localize.ts';
import { showError } from '../../common/notifications.ts';
import { setting } from '../../common/settings.ts';
import type { Servers } from '../../servers/servers.ts';
import type { Surface, UserFocus } from '../userFocus.ts';
import { Draft, type FormOutcome } from './draft.ts';
import { FormPanel } from './formPanel.ts';
import { runPickers } from './pickers.ts';
import { shownFindings, usesPickers } from './presentation.ts';
import { registerEscape } from './shownPicker.ts';

/** An open elicitation in form mode: its draft, and the panel or pickers that show it, if any. */
interface Session {
	readonly elicitation: Elicitation;
	readonly draft: Draft;
	panel?: FormPanel;
	/** Closes the pickers; present while they are shown. */
	pickers?: AbortController;
}

/** Presents form elicitations: each in its own panel, or in pickers, one sequence at a time. */
export class FormElicitations implements vscode.Disposable, Surface {
	readonly #sessions = new Map<string, Session>();
	readonly #subscriptions: vscode.Disposable;
	/** Sessions waiting for the pickers, in order. */
	readonly #queue: Session[] = [];
	/** The session shown in pickers. */
	#running: Session | undefined;
	/** The session that the user picked to be next. */
	#chosen: Session | undefined;
	/** Another picker closed ours. Sequences wait until the user comes back. */
	#paused = false;

	constructor(
		private readonly extensionUri: vscode.Uri,
		private readonly registry: Registry,
		private readonly servers: Servers,
		private readonly userFocus: UserFocus,
	) {
		this.#subscriptions = vscode.Disposable.from(
			registerEscape(),
			userFocus.watch(this),
			// Deferred, because the user who closed the surface may go on in pickers.
			userFocus.onDidClose(() => setImmediate(() => this.#next())),
			registry.onDidAsk((elicitation) => this.#present(elicitation)),
			registry.onDidChange(({ elicitation }) => this.#settled(elicitation)),
		);
	}

	/** True while pickers are shown. */
	get inUse(): boolean {
		return this.#running !== undefined;
	}

	/** Brings an elicitation to the front, or shows it again where it was left. */
	open(elicitation: Elicitation): void {
		const session = this.#sessions.get(elicitation.id);
		this.userFocus.markHandled(elicitation);
		if (session?.panel) {
			session.panel.reveal();
		} else if (session && session !== this.#running) {
			this.#leaveQueue(session);
			this.#show(session, true);
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
		const { request, origin } = elicitation;
		const form = new Form(request.requestedSchema, validatorFor(origin.server, this.registry.validator));
		const session: Session = { elicitation, draft: new Draft(form) };
		this.#sessions.set(elicitation.id, session);
		switch (this.#revealMode(session)) {
			case 'focus':
				// A user who started another call after the pickers were closed is back.
				this.#show(session, this.#paused);
				return;
			case 'background':
				// Pickers always take the focus, so open a panel in the background.
				this.#showPanel(session, true);
				return;
			case 'notify':
				this.#notify(
					session,
					localize('Answer'),
					localizeNative('{0} asks: {1}', elicitation.origin.server, elicitation.request.message),
				);
		}
	}

	/** How to reveal an elicitation: as the setting says, but without replacing what the user is working in. */
	#revealMode({ elicitation, draft }: Session): 'focus' | 'background' | 'notify' {
		const reveal = setting('form.reveal');
		if (reveal === 'background' || reveal === 'notify') {
			return reveal;
		}
		if ((reveal === 'auto' || this.#paused) && !this.userFocus.isWaitingFor(elicitation)) {
			return 'background';
		}
		const waits = this.#running !== undefined && usesPickers(draft.form.fields, elicitation.request.message);
		return waits || !this.userFocus.isTaken ? 'focus' : 'background';
	}

	/** @param chosen the user asked for this elicitation, so it does not wait for others */
	#show(session: Session, chosen: boolean): void {
		if (usesPickers(session.draft.form.fields, session.elicitation.request.message)) {
			this.#showPickers(session, chosen);
		} else {
			this.#showPanel(session);
		}
	}

	/** Sequences are queued, because a second picker would close the first. */
	#showPickers(session: Session, chosen: boolean): void {
		if (!chosen) {
			this.#queue.push(session);
		} else {
			this.#paused = false;
			this.#chosen = session;
			this.#queue.unshift(session);
			if (this.#running?.pickers) {
				this.#queue.splice(1, 0, this.#running);
				this.#running.pickers.abort();
			}
		}
		this.#next();
	}

	#leaveQueue(session: Session): void {
		const at = this.#queue.indexOf(session);
		if (at >= 0) {
			this.#queue.splice(at, 1);
		}
	}

	#next(): void {
		const [session] = this.#queue;
		const mayShow = session && (session === this.#chosen || !(this.#paused || this.userFocus.isTaken));
		if (mayShow && !this.#running) {
			this.#queue.shift();
			this.#chosen = undefined;
			this.#running = session;
			this.#runPickers(session)
				.catch(showError)
				.finally(() => {
					this.#running = undefined;
					this.#next();
				});
		}
	}

	async #runPickers(session: Session): Promise<void> {
		const { elicitation, draft } = session;
		const abort = new AbortController();
		session.pickers = abort;
		const outcome = await runPickers(draft, this.#model(elicitation), abort.signal);
		delete session.pickers;
		if (abort.signal.aborted) {
			return;
		}
		switch (outcome.action) {
			case 'form':
				this.#showPanel(session);
				return;
			case 'suspended':
				this.#paused = true;
				this.#queue.unshift(session);
				this.userFocus.markElsewhere();
				this.#notify(
					session,
					localize('Resume'),
					localizeNative('{0} still waits for your answer.', elicitation.origin.server),
				);
				return;
			default:
				await this.#settle(session, outcome);
		}
	}

	/** After pickers were closed, the next sequence starts only if the user is waiting for it. */
	#pauseUnlessAwaited(): void {
		const [next] = this.#queue;
		if (next && !this.userFocus.isWaitingFor(next.elicitation)) {
			this.#paused = true;
			const { origin } = next.elicitation;
			this.#notify(next, localize('Resume'), localizeNative('{0} still waits for your answer.', origin.server));
		}
	}

	/** Shows a notification that leads to the elicitation. Closing the notification does not settle the elicitation. */
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
			userFocus: this.userFocus,
		});
		session.panel = panel;
		panel.outcome
			.then(async (outcome) => {
				delete session.panel;
				if (outcome.action === 'pickers') {
					draft.step = 0;
					this.#showPickers(session, true);
				} else {
					await this.#settle(session, outcome);
				}
			})
			.catch(showError);
	}

	async #settle(session: Session, outcome: FormOutcome): Promise<void> {
		const { elicitation } = session;
		this.userFocus.markHandled(elicitation);
		if (outcome.action === 'accept') {
			const verdict = await this.registry.accept(elicitation, outcome.content);
			if (verdict.status === 'invalid') {
				// Unreachable unless the schema changes. Shows the form again so that the draft is not lost.
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
		this.#leaveQueue(session);
		const { withdrawal, response: answer } = elicitation;
		if (session.pickers) {
			this.#pauseUnlessAwaited();
			session.pickers.abort();
		}
		if (!withdrawal) {
			session.panel?.dispose();
			return;
		}
		session.panel?.withdraw(render(withdrawal, localize), answer !== undefined);
		if (!session.panel) {
			void vscode.window.showInformationMessage(
				nativeText(
					answer
						? localizable('{0}: {1} "cancel" was sent to the server.', elicitation.origin.server, withdrawal)
						: localizable('{0}: {1} Nothing was sent.', elicitation.origin.server, withdrawal),
				),
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
			...(blocked && { blocked: render(blocked, localize) }),
		};
	}
}
