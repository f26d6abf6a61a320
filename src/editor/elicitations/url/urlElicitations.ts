import * as vscode from 'vscode';
import { hasUrl } from '../../../config/definition.ts';
import { type NativeText, native, shorten } from '../../../elicitation/display.ts';
import type { Elicitation } from '../../../elicitation/elicitation.ts';
import { findingsAmong } from '../../../elicitation/findings/findings.ts';
import { waitForTurn } from '../../../elicitation/group.ts';
import type { Refusal, Registry } from '../../../elicitation/registry.ts';
import { readElicitation, type UrlRequest } from '../../../elicitation/request.ts';
import { localizable, render, type Sentence } from '../../../elicitation/sentence.ts';
import { parseUrl } from '../../../elicitation/url/parseUrl.ts';
import { inspectUrl, type UrlReport } from '../../../elicitation/url/urlSafety.ts';
import type { UrlModel } from '../../../protocol.ts';
import { doubleClicks } from '../../common/commands.ts';
import { canRetry } from '../../common/commandTable.ts';
import { positionInGroup } from '../../common/descriptions.ts';
import { localize, localizeNative, nativeText } from '../../common/localize.ts';
import { notify, showError, takesNotificationClicks } from '../../common/notifications.ts';
import { openExternally } from '../../common/openExternally.ts';
import { Presence } from '../../common/presence.ts';
import { setting } from '../../common/settings.ts';
import type { Servers } from '../../servers/servers.ts';
import { isReplayed, isStartedByUser, type UserFocus } from '../userFocus.ts';
import { consentModel, type Requester, refusalModel } from './urlModel.ts';
import { UrlPanel } from './urlPanel.ts';

/** Max URL length that a notification can show legibly (characters). */
const MAX_NOTIFICATION_URL = 300;

/** An open URL elicitation. */
interface ConsentPrompt {
	readonly elicitation: Elicitation;
	readonly request: UrlRequest;
	readonly report: UrlReport;
	/** Once a panel exists, it asks for consent, and a leftover notification only reveals it. */
	panel?: UrlPanel;
	/** The URL is being opened. VS Code may show a dialog of its own. */
	opening?: boolean;
	/** The user has been told how the request ended. */
	reported?: boolean;
}

type Choice = 'open' | 'copy' | 'details' | 'decline' | 'cancel';

/**
 * Presents URL elicitations: asks for consent to this exact URL, then opens it in the user's browser (U02, U04). In a
 * panel, if the user started the call here or the URL needs a closer look; a notification is for what comes unasked.
 */
export class UrlElicitations implements vscode.Disposable {
	readonly #prompts = new Map<string, ConsentPrompt>();
	/** Those for which a retry of the call was offered, and all that are asked together with them. */
	readonly #retries = new WeakSet<Elicitation>();
	/** A notification that closes makes room for another, under the pointer. */
	readonly #isSecondClick = doubleClicks();
	readonly #disposable: vscode.Disposable;

	constructor(
		private readonly extensionUri: vscode.Uri,
		private readonly registry: Registry,
		private readonly servers: Servers,
		private readonly userFocus: UserFocus,
	) {
		this.#disposable = vscode.Disposable.from(
			registry.onDidAsk((elicitation) => {
				if (elicitation.request.mode === 'url') {
					this.#present(elicitation).catch(showError);
				}
			}),
			registry.onDidChange(({ elicitation }) => {
				this.#settled(elicitation);
				this.#offerRetry(elicitation);
			}),
		);
	}

	/** Brings the elicitation to the front, in a panel. */
	ask(elicitation: Elicitation): void {
		const prompt = this.#promptFor(elicitation);
		if (prompt && !prompt.opening) {
			this.#showPanel(prompt);
		}
	}

	/**
	 * Opens the URL of an elicitation again. Asks for consent first if the user has not given it; an accept from an
	 * auto-responder is not consent.
	 */
	async reopen(elicitation: Elicitation): Promise<void> {
		if (needsConsent(elicitation)) {
			this.ask(elicitation);
			return;
		}
		if (!(await this.#openUrl(elicitation)) && elicitation.state === 'opened') {
			warnUnopened();
		}
	}

	/** The URL exactly as it would be opened. */
	hrefOf({ request, origin }: Elicitation): string | undefined {
		return request.mode === 'url' ? this.#inspect(request, origin.server).href : undefined;
	}

	/** Returns a function that shows the details of a refused URL; undefined if the URL cannot be parsed. */
	detailsOf(refusal: Refusal): (() => Promise<void>) | undefined {
		const read = readElicitation(refusal.params);
		if (!read.ok || read.request.mode !== 'url' || !parseUrl(read.request.url)) {
			return undefined;
		}
		const { request } = read;
		return async () => {
			const report = this.#inspect(request, refusal.server);
			const model = refusalModel(this.#requester(refusal.server), request, refusal, report);
			const panel = this.#newPanel(model, report);
			await panel.choice;
			panel.dispose();
		};
	}

	dispose(): void {
		this.#disposable.dispose();
		for (const { panel } of this.#prompts.values()) {
			panel?.dispose();
		}
	}

	async #present(elicitation: Elicitation): Promise<void> {
		await waitForTurn(elicitation, this.registry.elicitations);
		const prompt = this.#promptFor(elicitation);
		if (!prompt) {
			return;
		}
		const { href, differs, alarms, warnings } = prompt.report;
		const isPlain = alarms.length + warnings.length === 0 && !differs && href.length <= MAX_NOTIFICATION_URL;
		if (isPlain && !isStartedByUser(elicitation.origin.calls) && !this.#isNotified(prompt)) {
			await this.#notify(prompt);
		} else {
			this.#showPanel(prompt, this.userFocus.isTaken || !this.userFocus.isWaitingFor(elicitation));
		}
	}

	/** Whether a notification says the same already: VS Code closes it for another one, as if the user had dismissed it. */
	#isNotified({ elicitation, request }: ConsentPrompt): boolean {
		return [...this.#prompts.values()].some(
			(other) =>
				other.elicitation !== elicitation &&
				other.panel === undefined &&
				other.elicitation.origin.server === elicitation.origin.server &&
				other.request.url === request.url &&
				other.request.message === request.message,
		);
	}

	/** The prompt of an elicitation; undefined if it no longer needs one. */
	#promptFor(elicitation: Elicitation): ConsentPrompt | undefined {
		const { id, request, origin } = elicitation;
		if (request.mode !== 'url') {
			return undefined;
		}
		const report = this.#inspect(request, origin.server);
		const known = this.#prompts.get(id);
		if (known || !needsConsent(elicitation)) {
			return known;
		}
		const prompt: ConsentPrompt = { elicitation, request, report };
		this.#prompts.set(id, prompt);
		return prompt;
	}

	/**
	 * Asks in a notification. It may outlive the request and does nothing then. A click that comes so soon after it has
	 * appeared, or been moved by another one, was not meant for it.
	 */
	async #notify(prompt: ConsentPrompt): Promise<void> {
		const { elicitation, report } = prompt;
		if (!isUndecided(prompt)) {
			return;
		}
		const choice = await consent(prompt, positionInGroup(elicitation, this.registry));
		const isMeant = choice === 'cancel' || (!this.#isSecondClick('notification') && takesNotificationClicks());
		if (elicitation.state !== 'asking') {
			if (choice !== 'cancel') {
				this.#reportEnd(prompt);
			}
		} else if (prompt.panel) {
			if (choice !== 'cancel') {
				prompt.panel.reveal();
			}
		} else if (!isMeant) {
			await this.#notify(prompt);
		} else if (choice === 'details') {
			this.#showPanel(prompt);
		} else if (choice === 'copy') {
			await copy(report);
			await this.#notify(prompt);
		} else {
			await this.#decide(prompt, choice);
		}
	}

	#showPanel(prompt: ConsentPrompt, background = false): void {
		if (prompt.panel) {
			prompt.panel.reveal();
			return;
		}
		const { elicitation, request, report } = prompt;
		const position = positionInGroup(elicitation, this.registry);
		const findings = findingsAmong(elicitation, this.registry.urlIds);
		const model = consentModel(
			this.#requester(elicitation.origin.server),
			request,
			elicitation,
			report,
			position,
			findings,
		);
		const panel = this.#newPanel(model, report, background);
		prompt.panel = panel;
		panel.choice.then((choice) => this.#decide(prompt, choice)).catch(showError);
	}

	#newPanel(model: UrlModel, report: UrlReport, background = false): UrlPanel {
		const { extensionUri, userFocus } = this;
		return new UrlPanel({ extensionUri, model, background, userFocus, copy: () => copy(report) });
	}

	async #decide(prompt: ConsentPrompt, choice: 'open' | 'decline' | 'cancel'): Promise<void> {
		const { elicitation, panel } = prompt;
		if (!needsConsent(elicitation)) {
			return;
		}
		if (elicitation.state === 'opened') {
			await this.#openAccepted(prompt, choice);
			return;
		}
		this.userFocus.markHandled(elicitation);
		if (choice === 'open') {
			await this.#open(prompt);
			return;
		}
		panel?.dispose();
		if (choice === 'decline') {
			elicitation.decline();
		} else {
			elicitation.cancel();
		}
	}

	/** Accepts only if the URL was actually opened (U08). The request may end while VS Code shows its own dialog. */
	async #open(prompt: ConsentPrompt): Promise<void> {
		const { elicitation, panel } = prompt;
		const { server } = elicitation.origin;
		prompt.opening = true;
		const opened = await this.#openUrl(elicitation);
		panel?.dispose();
		const settled = opened ? elicitation.opened() : elicitation.cancel();
		if (opened) {
			elicitation.consent();
		}
		this.#prompts.delete(elicitation.id);
		if (!settled && !opened) {
			this.#reportEnd(prompt);
		} else if (!settled) {
			void notify('warning', localizeNative('{0}: The URL was opened, but the request had already ended.', server));
		} else if (!opened) {
			void notify('warning', localizeNative('{0}: The URL was not opened, so the request was cancelled.', server));
		}
	}

	/** What the user returns to from the browser, once nothing else is asked together with the URL: a call that does not go on by itself until the server reports that the URL is completed. */
	#offerRetry({ id, origin: { intake, group } }: Elicitation): void {
		if (intake === 'request') {
			return;
		}
		const together = this.registry.live.filter(
			({ id: other, origin }) => other === id || (group && origin.group === group),
		);
		const opened = together.find((each) => canRetry(each) && each.consented);
		if (!opened || together.some((each) => each.undecided || this.#retries.has(each))) {
			return;
		}
		const { origin, ended } = opened;
		this.#retries.add(opened);
		new Presence(ended).notify(
			localizeNative(
				'{0}: The URL is open. "{1}" continues when the server reports that it is completed.',
				origin.server,
				origin.calls.map(({ name }) => name).join(', '),
			),
			{ title: localize('Retry Now'), run: () => opened.retried() },
			{ title: localize('Reopen URL'), run: () => this.reopen(opened) },
		);
	}

	/**
	 * Opens the URL of a request that an auto-responder accepted, or leaves it unopened. The server has its response in
	 * either case.
	 */
	async #openAccepted({ elicitation, panel }: ConsentPrompt, choice: 'open' | 'decline' | 'cancel'): Promise<void> {
		this.#prompts.delete(elicitation.id);
		const opened = choice === 'open' && (await this.#openUrl(elicitation));
		panel?.dispose();
		if (opened) {
			elicitation.consent();
		} else if (choice === 'open') {
			warnUnopened();
		}
	}

	/** Opens the URL, unless the request has ended or settings that have changed since it was shown refuse the URL. */
	async #openUrl(elicitation: Elicitation): Promise<boolean> {
		const { request, origin } = elicitation;
		const report = request.mode === 'url' ? this.#inspect(request, origin.server) : undefined;
		return report?.verdict === 'ask' && elicitation.live && openExternally(report.href);
	}

	#settled(elicitation: Elicitation): void {
		const prompt = this.#prompts.get(elicitation.id);
		if (!prompt || prompt.opening || elicitation.state === 'asking') {
			return;
		}
		this.#prompts.delete(elicitation.id);
		if (prompt.panel && isReplayed(elicitation) && !prompt.panel.inUse) {
			// At each change of a file, another replay brings another panel.
			prompt.panel.dispose();
		} else if (prompt.panel?.end(render(endOf(elicitation), localize))) {
			// It says so.
		} else if (elicitation.state === 'completed' || elicitation.withdrawal) {
			// Report only what the server did; users know what they did themselves.
			this.#reportEnd(prompt);
		}
	}

	/** Reports once how a request ended. */
	#reportEnd(prompt: ConsentPrompt): void {
		if (!prompt.reported) {
			prompt.reported = true;
			const { elicitation } = prompt;
			const end = localizable('{0}: {1}', elicitation.origin.server, endOf(elicitation));
			void notify('information', nativeText(end));
		}
	}

	#requester(server: string): Requester {
		const serverTitle = this.servers.get(server)?.connection?.ownName;
		return { server, ...(serverTitle !== undefined && serverTitle !== server && { serverTitle }) };
	}

	#inspect({ url }: UrlRequest, server: string): UrlReport {
		const definition = this.servers.get(server)?.connection?.definition;
		return inspectUrl(url, {
			insecure: setting('url.allowInsecure'),
			remoteWindow: vscode.env.remoteName !== undefined || vscode.env.uiKind === vscode.UIKind.Web,
			...(definition && hasUrl(definition) && { serverHost: new URL(definition.url).hostname }),
		});
	}
}

/** Asks in a notification that shows the complete URL and, separately, its host (U03, U05). Dismissing it cancels. */
async function consent({ elicitation, request, report }: ConsentPrompt, position: string | undefined): Promise<Choice> {
	const { host, domain, href, notes } = report;
	const choices = new Map<NativeText | undefined, Choice>([
		[localize('Open URL'), 'open'],
		[localize('Copy URL'), 'copy'],
		[localize('Details'), 'details'],
		[localize('Decline'), 'decline'],
	]);
	// VS Code cuts off a notification after 1,000 characters, which must not be before the end of the URL.
	const server = shorten(elicitation.origin.server, 60);
	// Notifications have no line breaks. Server text comes last, so that it cannot pass for the extension's own.
	const message = [
		position === undefined
			? localize('{0} asks you to open a URL.', server)
			: localize('{0} asks you to open a URL ({1}).', server, position),
		localize('Host: {0}', domain === host ? host : `${host} (${domain})`),
		localize('URL: {0}', href),
		...notes.map((note) => render(note, localize)),
		localize('It says: "{0}"', shorten(request.message, 300)),
	].join(' · ');
	const choice = await notify('information', native(message), ...([...choices.keys()] as NativeText[]));
	return choices.get(choice) ?? 'cancel';
}

/** True if opening the URL needs the user's consent. */
function needsConsent({ state, consented }: Elicitation): boolean {
	return state === 'asking' || (state === 'opened' && !consented);
}

function warnUnopened(): void {
	void notify('warning', localizeNative('The URL was not opened.'));
}

function isUndecided({ elicitation, panel }: ConsentPrompt): boolean {
	return elicitation.state === 'asking' && panel === undefined;
}

/** How a request ended, and what was not done. */
function endOf({ state, withdrawal }: Elicitation): Sentence {
	if (state === 'cancelled' && withdrawal) {
		return localizable('{0} Nothing was opened; "cancel" was sent to the server.', withdrawal);
	}
	switch (state) {
		case 'withdrawn':
			return localizable('{0} Nothing was opened or sent.', withdrawal ?? '');
		case 'completed':
			return localizable('The request was completed elsewhere; nothing was opened.');
		case 'opened':
			return localizable('The request was accepted on your behalf; nothing was opened.');
		case 'retried':
			return localizable('The call was retried; nothing was opened.');
		case 'declined':
			return localizable('The request was declined elsewhere; nothing was opened.');
		default:
			return localizable('The request was cancelled elsewhere; nothing was opened.');
	}
}

function copy({ href }: UrlReport): Thenable<void> {
	return vscode.env.clipboard.writeText(href);
}
