import * as vscode from 'vscode';
import type { Call } from '../../elicitation/call.ts';
import type { Elicitation, ElicitationResponse } from '../../elicitation/elicitation.ts';
import { validatorFor } from '../../elicitation/form/validate.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { CallSubject } from '../calls/callSubject.ts';
import type { WaitingCalls } from '../calls/waitingCalls.ts';
import type { Servers } from '../servers/servers.ts';
import { askArguments } from './form/argumentsForm.ts';
import type { FormOutcome } from './form/draft.ts';
import { FormElicitations } from './form/formElicitations.ts';
import { type PreviewRequest, previewForm } from './form/preview.ts';
import { type Postpone, WholeResponseForms } from './form/wholeResponseForms.ts';
import { RateLimitPrompt, showRoundLimitPrompt } from './notices/limitPrompts.ts';
import { registerUndelivered } from './notices/undelivered.ts';
import { registerRefusals } from './refusals.ts';
import { UrlElicitations } from './url/urlElicitations.ts';
import { UserFocus } from './userFocus.ts';

/** Everything that presents elicitations. */
export class Presenters implements vscode.Disposable {
	readonly urls: UrlElicitations;
	readonly rateLimitPrompt: RateLimitPrompt;
	readonly #userFocus = new UserFocus();
	readonly #forms: FormElicitations;
	readonly #wholeResponses: WholeResponseForms;
	readonly #disposable: vscode.Disposable;

	constructor(
		private readonly extensionUri: vscode.Uri,
		private readonly registry: Registry,
		servers: Servers,
		waitingCalls: WaitingCalls,
	) {
		this.#forms = new FormElicitations(extensionUri, registry, servers, this.#userFocus, waitingCalls);
		this.#wholeResponses = new WholeResponseForms(extensionUri, registry, servers, this.#userFocus);
		this.urls = new UrlElicitations(extensionUri, registry, servers, this.#userFocus);
		this.rateLimitPrompt = new RateLimitPrompt(registry, (server) => servers.stop(server));
		this.#disposable = vscode.Disposable.from(
			this.#userFocus,
			this.#forms,
			this.#wholeResponses,
			this.urls,
			this.rateLimitPrompt,
			registry.onDidReachRoundLimit(showRoundLimitPrompt),
			registerUndelivered(registry),
			registerRefusals(registry, servers, (refusal) => this.urls.detailsOf(refusal)),
		);
	}

	/** Brings an elicitation to the front. */
	open(elicitation: Elicitation): void {
		if (elicitation.request.mode !== 'url') {
			this.#forms.open(elicitation);
		} else {
			this.urls.ask(elicitation);
		}
	}

	/** Whether the user has worked elsewhere since they started a call or responded to one of its elicitations. */
	isUserElsewhere(call: Call): boolean {
		return this.#userFocus.isElsewhere([call]);
	}

	askArguments(server: string, subject: CallSubject, values?: JsonObject): Promise<JsonObject | undefined> {
		const validator = validatorFor(server, this.registry.validator);
		return askArguments(this.extensionUri, validator, this.#userFocus, server, subject, values);
	}

	/** Has the user write the whole response; see `WholeResponseForms`. */
	writeResponse(elicitation: Elicitation, postpone: Postpone): Promise<ElicitationResponse | undefined> {
		return this.#wholeResponses.write(elicitation, postpone);
	}

	preview(request: PreviewRequest, changed: vscode.Event<PreviewRequest>): Promise<FormOutcome | undefined> {
		return previewForm(this.extensionUri, this.registry.validator, this.#userFocus, request, changed);
	}

	dispose(): void {
		this.#disposable.dispose();
	}
}
