import * as vscode from 'vscode';
import { type NativeText, native, shorten } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { Form } from '../../../elicitation/form/form.ts';
import type { JsonObject } from '../../../elicitation/json.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { localizable, render } from '../../../elicitation/sentence.ts';
import type { KeptDraft, WaitingCalls } from '../../calls/waitingCalls.ts';
import { fullId } from '../../common/contributions.ts';
import { registerEscape } from '../../common/guardedPicker.ts';
import { localize, localizeNative, nativeText } from '../../common/localize.ts';
import { type NoticeAction, notify, showError } from '../../common/notifications.ts';
import { Presence, tellSettled } from '../../common/presence.ts';
import { setting } from '../../common/settings.ts';
import type { Servers } from '../../servers/servers.ts';
import { isReplayed, type Surface, type UserFocus } from '../userFocus.ts';
import { Draft, type FormOutcome } from './draft.ts';
import { FormPanel, type FormPanelOptions } from './formPanel.ts';
import { draftResponse } from './languageModel.ts';
import { runPickers } from './pickers.ts';
import { modelOf, schemaOf, usesPickers } from './presentation.ts';

/** An open elicitation in form mode: its draft, and what shows it. */
interface Session {
	readonly elicitation: Elicitation;
	readonly draft: Draft;
	/** Where the draft is stored, if its call outlives the window. */
	readonly kept: KeptDraft | undefined;
	/** A controller closes the pickers that show it. */
	readonly presence: Presence<FormPanel | AbortController>;
	/** Whether it is shown in pickers. The user can change that. */
	inPickers: boolean;
	/** It opens as soon as there is room for it. */
	waits: boolean;
}

function panelOf({ presence: { surface } }: Session): FormPanel | undefined {
	return surface instanceof FormPanel ? surface : undefined;
}

/**
 * Max number of panels of one server that open by themselves. A few, so that concurrent calls each have theirs, but no flood of
 * tabs: further requests are in the list of pending ones, and open when a panel closes.
 */
const MAX_PANELS = 3;

/** More requests than this are not asked in pickers one after another: the user picks from the list. */
const MAX_IN_TURN = 3;

/** How long after they have appeared pickers give way to the list (ms). */
const FRESH = 1_000;

/** True if nobody is at a form of a replay. At each change of a file, another replay brings another one. */
function isLeftOver(session: Session): boolean {
	return isReplayed(session.elicitation) && panelOf(session)?.inUse === false && !session.draft.touched;
}

/** Presents form elicitations: each in its own panel, or in pickers, one sequence at a time. */
export class FormElicitations implements vscode.Disposable, Surface {
	readonly #sessions = new Map<string, Session>();
	readonly #disposable: vscode.Disposable;
	/** The pickers on the screen. There is room for those of one session. */
	#pickers: { readonly session: Session; readonly abort: AbortController; readonly since: number } | undefined;
	/** The list of pending elicitations is open in their place. */
	#isListing = false;
	/** The user has left pickers for something else: no others open before they come back. */
	#areLeft = false;

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
			userFocus.onDidClose(() => this.#nextSoon()),
			registry.onDidAsk((elicitation) => this.#present(elicitation)),
			registry.onDidChange(({ elicitation }) => this.#settled(elicitation)),
		);
	}

	/** True while pickers, or the list in their place, are shown. */
	get inUse(): boolean {
		return this.#pickers !== undefined || this.#isListing;
	}

	/** Brings an elicitation to the front, or shows it again where it was left. */
	open(elicitation: Elicitation): void {
		const session = this.#sessions.get(elicitation.id);
		this.userFocus.markHandled(elicitation);
		const panel = session && panelOf(session);
		if (panel) {
			panel.reveal();
		} else if (session?.inPickers) {
			this.#showPickers(session);
		} else if (session) {
			this.#showPanel(session);
		}
	}

	dispose(): void {
		this.#disposable.dispose();
		const sessions = [...this.#sessions.values()];
		this.#sessions.clear();
		for (const session of sessions) {
			session.presence.end();
			panelOf(session)?.dispose();
		}
		this.#pickers?.abort.abort();
	}

	#present(elicitation: Elicitation): void {
		if (elicitation.request.mode === 'url') {
			return;
		}
		const { request, origin } = elicitation;
		const form = new Form(schemaOf(request), this.registry.validatorOf(elicitation));
		const draft = new Draft(form);
		const kept = this.waitingCalls.draftOf(elicitation);
		draft.restore(kept?.content);
		draft.onChange = () => kept?.change({ inputs: draft.inputs, rest: draft.rest } as unknown as JsonObject);
		const session: Session = { elicitation, draft, kept, presence: new Presence(), inPickers: false, waits: false };
		session.inPickers = usesPickers(form) && this.#model(session).pickers;
		this.#sessions.set(elicitation.id, session);
		const mode = this.#revealMode(session);
		if (mode === 'notify') {
			this.#notify(
				session,
				localize('Respond'),
				// VS Code cuts off a notification after 1,000 characters, and the link with it.
				localizeNative('{0} asks: {1}', origin.server, shorten(request.message, 300)),
			);
		} else if (mode === 'background' || !session.inPickers) {
			// Pickers always take the focus, so open a panel in the background.
			session.inPickers = false;
			if (this.#panelsOf(session) < MAX_PANELS) {
				this.#showPanel(session, mode === 'background');
			} else {
				session.waits = true;
			}
		} else if (this.#areLeft) {
			// A user who started another call after the pickers were closed is back.
			this.#showPickers(session);
		} else {
			session.waits = true;
			this.#makeWay();
			this.#next();
		}
	}

	/** How to reveal an elicitation: as the setting says, but without replacing what the user is working in. */
	#revealMode(session: Session): 'focus' | 'background' | 'notify' {
		const { elicitation } = session;
		const reveal = setting('form.reveal');
		if (reveal === 'background' || reveal === 'notify') {
			return reveal;
		}
		if ((reveal === 'auto' || this.#areLeft) && !this.userFocus.isWaitingFor(elicitation)) {
			return 'background';
		}
		const waits = this.inUse && session.inPickers;
		return waits || !this.userFocus.isTaken ? 'focus' : 'background';
	}

	/** How many panels of the same server are open. */
	#panelsOf({ elicitation: { origin } }: Session): number {
		return [...this.#sessions.values()].filter(
			(session) => panelOf(session) && session.elicitation.origin.server === origin.server,
		).length;
	}

	/** Deferred, because what follows may be settled together with this, and the user who closed a surface may go on in pickers. */
	#nextSoon(): void {
		setImmediate(() => this.#next());
	}

	/** Opens what waits, as far as there is room for it: panels behind those that are open, and the pickers whose turn it is. */
	#next(): void {
		const waiting = [...this.#sessions.values()].filter(({ waits }) => waits);
		for (const session of waiting.filter(({ inPickers }) => !inPickers)) {
			const panels = this.#panelsOf(session);
			if (panels < MAX_PANELS) {
				this.#showPanel(session, panels > 0 || this.#revealMode(session) !== 'focus');
			}
		}
		const [first] = this.#waitingForPickers;
		if (!first || this.inUse || this.#areLeft || this.userFocus.isTaken) {
			return;
		}
		if (this.#revealMode(first) !== 'focus') {
			this.#leave(first);
		} else if (this.#waitingForPickers.length > MAX_IN_TURN) {
			this.#showList();
		} else {
			this.#showPickers(first);
		}
	}

	get #waitingForPickers(): Session[] {
		return [...this.#sessions.values()].filter(({ waits, inPickers }) => waits && inPickers);
	}

	/** Closes pickers that have just appeared, if theirs turns out to be the first of many requests. */
	#makeWay(): void {
		const shown = this.#pickers;
		const isFresh = shown && !shown.session.draft.touched && performance.now() - shown.since < FRESH;
		if (isFresh && this.#waitingForPickers.length >= MAX_IN_TURN) {
			shown.abort.abort();
		}
	}

	/** Lets the user pick from the list of pending elicitations. If they close it, the rest waits until they come back. */
	#showList(): void {
		this.#isListing = true;
		const closed = () => {
			this.#isListing = false;
			if (!this.#pickers && this.#waitingForPickers.length > 0) {
				this.#areLeft = true;
				this.userFocus.markElsewhere();
			}
		};
		vscode.commands.executeCommand(fullId('showPending'), { byItself: true }).then(closed, (error) => {
			closed();
			showError(error);
		});
	}

	/** Shows the pickers of a session, in place of those of another. */
	#showPickers(session: Session): void {
		if (session === this.#pickers?.session) {
			return;
		}
		this.#areLeft = false;
		session.inPickers = true;
		session.waits = false;
		this.#pickers?.abort.abort();
		const abort = session.presence.show(() => new AbortController());
		if (!abort) {
			return;
		}
		const mine = { session, abort, since: performance.now() };
		this.#pickers = mine;
		this.#ask(session, abort)
			.catch(showError)
			.finally(() => {
				if (this.#pickers === mine) {
					this.#pickers = undefined;
					this.#next();
				}
			});
	}

	async #ask(session: Session, abort: AbortController): Promise<void> {
		const { draft, presence } = session;
		const outcome = await runPickers(draft, this.#model(session), abort.signal);
		presence.left(abort);
		switch (outcome.action) {
			case 'form':
				this.#showPanel(session);
				return;
			case 'suspended':
				session.waits = !presence.isOver;
				if (!abort.signal.aborted) {
					this.userFocus.markElsewhere();
					this.#leave(session);
				}
				return;
			default:
				await this.#settle(session, outcome);
		}
	}

	/** No pickers open before the user comes back, to which a notification invites. */
	#leave(next: Session): void {
		this.#areLeft = true;
		const { origin } = next.elicitation;
		this.#notify(next, localize('Resume'), localizeNative('{0} is still waiting for your response.', origin.server));
	}

	/** Shows a notification that leads to the elicitation, until that is shown or over. */
	#notify({ elicitation, presence }: Session, title: NativeText, text: NativeText, ...more: NoticeAction[]): void {
		presence.notify(text, { title, run: () => this.open(elicitation) }, ...more);
	}

	#showPanel(session: Session, background = false): void {
		const { elicitation, draft, presence } = session;
		const { request, origin } = elicitation;
		session.inPickers = false;
		session.waits = false;
		const panel = presence.show(
			() =>
				new FormPanel({
					extensionUri: this.extensionUri,
					title: native(origin.server, 60),
					draft,
					model: this.#model(session),
					background,
					userFocus: this.userFocus,
					...(request.mode === 'sampling' && {
						draftResponse: (signal) => draftResponse(origin.server, origin.params, signal),
					}),
				}),
		);
		panel?.outcome
			.then(async (outcome) => {
				presence.left(panel);
				switch (outcome.action) {
					case 'pickers':
						draft.step = 0;
						this.#showPickers(session);
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
	}

	async #settle(session: Session, outcome: FormOutcome): Promise<void> {
		const { elicitation } = session;
		// What ends with its request closes as if it were cancelled, but not by the user.
		if (elicitation.undecided) {
			this.userFocus.markHandled(elicitation);
		}
		if (outcome.action === 'accept') {
			await this.registry.accept(elicitation, outcome.content);
			const { response } = elicitation;
			if (response?.action !== 'accept' || response.content !== outcome.content) {
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
		this.#sessions.delete(elicitation.id);
		if (!elicitation.withdrawal) {
			session.kept?.forget();
		}
		const leftOver = isLeftOver(session);
		session.presence.end();
		if (this.#pickers?.session === session) {
			this.#pickers.abort.abort();
		}
		this.#endPanel(session, leftOver);
		this.#nextSoon();
	}

	/** The form of a withdrawn request says so where the user looks; otherwise, a notification does. */
	#endPanel(session: Session, leftOver: boolean): void {
		const panel = panelOf(session);
		const isUnseen = session.waits && !session.inPickers;
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
		if (!isShown && !isUnseen) {
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

	#model({ elicitation, draft }: Session): FormPanelOptions['model'] {
		return modelOf(elicitation, draft.form, this.registry, this.servers);
	}
}
