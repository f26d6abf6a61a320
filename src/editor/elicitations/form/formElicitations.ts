import * as vscode from 'vscode';
import { type NativeText, native, shorten } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { Form } from '../../../elicitation/form/form.ts';
import { validatorFor } from '../../../elicitation/form/validate.ts';
import type { JsonObject } from '../../../elicitation/json.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { localizable, render } from '../../../elicitation/sentence.ts';
import type { KeptDraft, WaitingCalls } from '../../calls/waitingCalls.ts';
import { fullId } from '../../common/contributions.ts';
import { localize, localizeNative, nativeText } from '../../common/localize.ts';
import { type NoticeAction, notify, showError, showNotice } from '../../common/notifications.ts';
import { setting } from '../../common/settings.ts';
import type { Servers } from '../../servers/servers.ts';
import { Presence, tellSettled } from '../presence.ts';
import { isReplayed, type Surface, type UserFocus } from '../userFocus.ts';
import { Draft, type FormOutcome } from './draft.ts';
import { FormPanel, type FormPanelOptions } from './formPanel.ts';
import { draftResponse } from './languageModel.ts';
import { runPickers } from './pickers.ts';
import { modelOf, schemaOf, usesPickers } from './presentation.ts';
import { registerEscape } from './shownPicker.ts';

/** Pickers that are shown. */
interface ShownPickers {
	/** Closes them. */
	readonly abort: AbortController;
	/** When they appeared (ms). */
	readonly since: number;
}

/** An open elicitation in form mode: its draft, and what shows it. */
interface Session {
	readonly elicitation: Elicitation;
	readonly draft: Draft;
	/** Where the draft is stored, if its call outlives the window. */
	readonly kept: KeptDraft | undefined;
	readonly presence: Presence<FormPanel | ShownPickers>;
	/** Whether it is shown in pickers. The user can change that. */
	inPickers: boolean;
}

function panelOf({ presence: { surface } }: Session): FormPanel | undefined {
	return surface instanceof FormPanel ? surface : undefined;
}

function pickersOf({ presence: { surface } }: Session): ShownPickers | undefined {
	return surface instanceof FormPanel ? undefined : surface;
}

/**
 * Max number of panels of one server that open by themselves. A few, so that concurrent calls each have theirs, but no flood of
 * tabs: further requests are in the list of pending ones, and open when a panel closes.
 */
const MAX_PANELS = 3;

/** More requests of one call than this do not come one after another: the user picks from the list. */
const MAX_IN_TURN = 3;

/** How long after it has appeared a sequence gives way to the list (ms). */
const FRESH = 1_000;

/** How a language model drafts the response to a sampling request. */
function draftable({ request, origin }: Elicitation): FormPanelOptions['draftResponse'] {
	return request.mode === 'sampling' ? (signal) => draftResponse(origin.server, origin.params, signal) : undefined;
}

/** True if nobody is at a form of a replay. At each change of a file, another replay brings another one. */
function isLeftOver(session: Session): boolean {
	return isReplayed(session.elicitation) && panelOf(session)?.inUse === false && !session.draft.touched;
}

/** Presents form elicitations: each in its own panel, or in pickers, one sequence at a time. */
export class FormElicitations implements vscode.Disposable, Surface {
	readonly #sessions = new Map<string, Session>();
	readonly #disposable: vscode.Disposable;
	/** Sessions waiting for the pickers, in order; see `#enqueue`. */
	readonly #queue: Session[] = [];
	/** Sessions waiting for a panel of their server to close, in order. */
	readonly #waitingForPanel = new Set<Session>();
	/** The session shown in pickers. */
	#running: Session | undefined;
	/** The session that the user picked to be next. */
	#chosen: Session | undefined;
	/** The list of pending elicitations is open, in place of the queue. */
	#listing = false;
	/** Another picker closed ours. Sequences wait until the user comes back. */
	#paused = false;

	constructor(
		private readonly extensionUri: vscode.Uri,
		private readonly registry: Registry,
		private readonly servers: Servers,
		private readonly userFocus: UserFocus,
		private readonly waitingCalls: WaitingCalls,
	) {
		this.#disposable = vscode.Disposable.from(
			registerEscape(),
			userFocus.watch(this),
			// Deferred, because the user who closed the surface may go on in pickers.
			userFocus.onDidClose(() => setImmediate(() => this.#next())),
			registry.onDidAsk((elicitation) => this.#present(elicitation)),
			registry.onDidChange(({ elicitation }) => this.#settled(elicitation)),
		);
	}

	/** True while pickers, or the list in their place, are shown. */
	get inUse(): boolean {
		return this.#running !== undefined || this.#listing;
	}

	/** Brings an elicitation to the front, or shows it again where it was left. */
	open(elicitation: Elicitation): void {
		const session = this.#sessions.get(elicitation.id);
		this.userFocus.markHandled(elicitation);
		const panel = session && panelOf(session);
		if (panel) {
			panel.reveal();
		} else if (session && session !== this.#running) {
			this.#leaveQueue(session);
			if (session.inPickers) {
				this.#showPickers(session, true);
			} else {
				this.#showPanel(session);
			}
		}
	}

	dispose(): void {
		this.#disposable.dispose();
		this.#waitingForPanel.clear();
		for (const session of this.#sessions.values()) {
			session.presence.end();
			panelOf(session)?.dispose();
			pickersOf(session)?.abort.abort();
		}
	}

	#present(elicitation: Elicitation): void {
		if (elicitation.request.mode === 'url') {
			return;
		}
		const { request, origin } = elicitation;
		const form = new Form(schemaOf(request), validatorFor(origin.server, this.registry.validator));
		const draft = new Draft(form);
		const kept = this.waitingCalls.draftOf(elicitation);
		draft.restore(kept?.content);
		draft.onChange = () => kept?.change({ inputs: draft.inputs, rest: draft.rest } as unknown as JsonObject);
		// Sampling requests need the panel, which shows them whole.
		const inPickers = request.mode === 'form' && usesPickers(form, request.message);
		const session: Session = { elicitation, draft, kept, presence: new Presence(), inPickers };
		this.#sessions.set(elicitation.id, session);
		switch (this.#revealMode(session)) {
			case 'focus':
				if (inPickers) {
					// A user who started another call after the pickers were closed is back.
					this.#showPickers(session, this.#paused);
				} else {
					this.#queuePanel(session, false);
				}
				return;
			case 'background':
				// Pickers always take the focus, so open a panel in the background.
				this.#queuePanel(session, true);
				return;
			case 'notify':
				this.#notify(
					session,
					localize('Respond'),
					// VS Code cuts off a notification after 1,000 characters, and the link with it.
					localizeNative('{0} asks: {1}', origin.server, shorten(request.message, 300)),
				);
		}
	}

	/** How to reveal an elicitation: as the setting says, but without replacing what the user is working in. */
	#revealMode(session: Session): 'focus' | 'background' | 'notify' {
		const { elicitation } = session;
		const reveal = setting('form.reveal');
		if (reveal === 'background' || reveal === 'notify') {
			return reveal;
		}
		if ((reveal === 'auto' || this.#paused) && !this.userFocus.isWaitingFor(elicitation)) {
			return 'background';
		}
		const waits = this.inUse && session.inPickers;
		return waits || !this.userFocus.isTaken ? 'focus' : 'background';
	}

	/** Opens a panel, now or when there are fewer of its server. */
	#queuePanel(session: Session, background: boolean): void {
		if (this.#panelsOf(session) < MAX_PANELS) {
			this.#showPanel(session, background);
		} else {
			this.#waitingForPanel.add(session);
		}
	}

	/** How many panels of the same server are open. */
	#panelsOf({ elicitation: { origin } }: Session): number {
		return [...this.#sessions.values()].filter(
			(session) => panelOf(session) && session.elicitation.origin.server === origin.server,
		).length;
	}

	/** Opens the panels for which there is room again, behind those that are already open. */
	#openWaiting(): void {
		for (const session of this.#waitingForPanel) {
			const panels = this.#panelsOf(session);
			if (panels < MAX_PANELS) {
				this.#waitingForPanel.delete(session);
				this.#showPanel(session, panels > 0 || this.#revealMode(session) !== 'focus');
			}
		}
	}

	/**
	 * Sequences are queued, because a second picker would close the first.
	 * @param chosen the user asked for this elicitation, so it does not wait for others
	 */
	#showPickers(session: Session, chosen: boolean): void {
		session.inPickers = true;
		if (!chosen) {
			this.#enqueue(session, 'last');
			this.#makeWay();
		} else {
			this.#paused = false;
			this.#chosen = session;
			if (this.#running) {
				this.#interrupt(this.#running);
			}
			this.#enqueue(session, 'first');
		}
		this.#next();
	}

	/** The only way into the queue: nothing is in it twice, and nothing that has ended. */
	#enqueue(session: Session, place: 'first' | 'last'): void {
		this.#leaveQueue(session);
		if (!session.presence.isOver) {
			this.#queue.splice(place === 'first' ? 0 : this.#queue.length, 0, session);
		}
	}

	/** Closes the pickers of a session, which are the next ones then. */
	#interrupt(session: Session): void {
		this.#enqueue(session, 'first');
		pickersOf(session)?.abort.abort();
	}

	#leaveQueue(session: Session): void {
		this.#waitingForPanel.delete(session);
		const at = this.#queue.indexOf(session);
		if (at >= 0) {
			this.#queue.splice(at, 1);
		}
	}

	#next(): void {
		const [session] = this.#queue;
		const chosen = session !== undefined && session === this.#chosen;
		const mayShow = session && (chosen || !(this.#paused || this.userFocus.isTaken));
		if (mayShow && !this.#running) {
			if (!chosen && this.#isCrowd(session)) {
				this.#showList();
				return;
			}
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

	/** Whether too many requests of the same call wait to be asked one after another. */
	#isCrowd({ elicitation: { origin } }: Session): boolean {
		const [call] = origin.calls;
		const waiting = this.#running ? [this.#running, ...this.#queue] : this.#queue;
		const together = waiting.filter(({ elicitation }) => elicitation.origin.calls[0] === call);
		return together.length > MAX_IN_TURN;
	}

	/** Gives the place of a sequence that has just appeared to the list, if it turns out to be the first of many. */
	#makeWay(): void {
		const running = this.#running;
		const pickers = running && pickersOf(running);
		const isFresh = pickers && !running.draft.touched && performance.now() - pickers.since < FRESH;
		if (isFresh && this.#isCrowd(running)) {
			this.#interrupt(running);
		}
	}

	/** Lets the user pick from the list of pending elicitations. If they close it, the queue waits until they come back. */
	#showList(): void {
		this.#listing = true;
		const closed = () => {
			this.#listing = false;
			if (!this.#running && this.#queue.length > 0) {
				this.#paused = true;
				this.userFocus.markElsewhere();
			}
		};
		vscode.commands.executeCommand(fullId('showPending'), { byItself: true }).then(closed, (error) => {
			closed();
			showError(error);
		});
	}

	async #runPickers(session: Session): Promise<void> {
		const { elicitation, draft, presence } = session;
		const pickers = presence.show(() => ({ abort: new AbortController(), since: performance.now() }));
		if (!pickers) {
			return;
		}
		const { signal } = pickers.abort;
		const outcome = await runPickers(draft, modelOf(elicitation, this.registry, this.servers), signal);
		presence.left(pickers);
		if (signal.aborted && outcome.action === 'suspended') {
			return;
		}
		switch (outcome.action) {
			case 'form':
				this.#showPanel(session);
				return;
			case 'suspended':
				this.#enqueue(session, 'first');
				this.userFocus.markElsewhere();
				this.#pause(session);
				return;
			default:
				await this.#settle(session, outcome);
		}
	}

	/** After pickers were closed, the next sequence starts only if the user is waiting for it. */
	#pauseUnlessAwaited(): void {
		const [next] = this.#queue;
		if (next && !this.userFocus.isWaitingFor(next.elicitation)) {
			this.#pause(next);
		}
	}

	/** No sequence starts before the user comes back, to which a notification invites. */
	#pause(next: Session): void {
		this.#paused = true;
		const { origin } = next.elicitation;
		this.#notify(next, localize('Resume'), localizeNative('{0} is still waiting for your response.', origin.server));
	}

	/** Shows a notification that leads to the elicitation, until that is shown or over. */
	#notify({ elicitation, presence }: Session, title: NativeText, text: NativeText, ...more: NoticeAction[]): void {
		presence.notify(() => showNotice(text, { title, run: () => this.open(elicitation) }, ...more));
	}

	#showPanel(session: Session, background = false): void {
		const { elicitation, draft, presence } = session;
		session.inPickers = false;
		const panel = presence.show(
			() =>
				new FormPanel({
					extensionUri: this.extensionUri,
					title: native(elicitation.origin.server, 60),
					draft,
					model: modelOf(elicitation, this.registry, this.servers),
					background,
					userFocus: this.userFocus,
					draftResponse: draftable(elicitation),
				}),
		);
		panel?.outcome
			.then(async (outcome) => {
				presence.left(panel);
				switch (outcome.action) {
					case 'pickers':
						draft.step = 0;
						this.#showPickers(session, true);
						break;
					case 'closed':
						this.#tellClosed(session);
						break;
					default:
						await this.#settle(session, outcome);
				}
			})
			.catch(showError);
	}

	/** What was entered is not thrown away with the tab of the form: the request stays pending, and what follows is up to the user. */
	#tellClosed(session: Session): void {
		const { elicitation } = session;
		const { origin, request } = elicitation;
		this.userFocus.markElsewhere();
		this.#notify(
			session,
			localize('Reopen'),
			localizeNative(
				'{0} is still waiting for your response to "{1}". What you have entered is kept.',
				origin.server,
				shorten(request.message, 100),
			),
			{ title: localize('Cancel Request'), run: () => elicitation.cancel() },
		);
		setImmediate(() => this.#openWaiting());
	}

	async #settle(session: Session, outcome: FormOutcome): Promise<void> {
		const { elicitation } = session;
		// What ends with its request closes as if it were cancelled, but not by the user.
		if (elicitation.undecided) {
			this.userFocus.markHandled(elicitation);
		}
		if (outcome.action === 'accept') {
			const verdict = await this.registry.accept(elicitation, outcome.content);
			const { response } = elicitation;
			if (response?.action === 'accept' && response.content === outcome.content) {
				return;
			}
			if (elicitation.live && verdict.status === 'invalid') {
				// Unreachable unless the schema changes. Shows the form again so that the draft is not lost.
				this.#showPanel(session);
			} else {
				tellSettled(elicitation);
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
		const wasWaiting = this.#waitingForPanel.has(session);
		this.#sessions.delete(elicitation.id);
		if (!elicitation.withdrawal) {
			session.kept?.forget();
		}
		const leftOver = isLeftOver(session);
		session.presence.end();
		this.#leaveQueue(session);
		// Deferred, because the others may be settled together with this one.
		setImmediate(() => this.#openWaiting());
		const pickers = pickersOf(session);
		if (pickers) {
			this.#pauseUnlessAwaited();
			pickers.abort.abort();
		}
		this.#endPanel(session, leftOver, wasWaiting);
	}

	/** The form of a withdrawn request says so where the user looks; otherwise, a notification does. */
	#endPanel(session: Session, leftOver: boolean, wasWaiting: boolean): void {
		const panel = panelOf(session);
		const { elicitation } = session;
		const { withdrawal, response, origin } = elicitation;
		if (!withdrawal || leftOver) {
			if (panel?.isSubmitting) {
				tellSettled(elicitation);
			}
			panel?.dispose();
			return;
		}
		const isShown = panel?.withdraw(render(withdrawal, localize), response !== undefined);
		if (!isShown && !wasWaiting) {
			void notify(
				'information',
				nativeText(
					response
						? localizable('{0}: {1} "cancel" was sent to the server.', origin.server, withdrawal)
						: localizable('{0}: {1} Nothing was sent.', origin.server, withdrawal),
				),
			);
		}
	}
}
