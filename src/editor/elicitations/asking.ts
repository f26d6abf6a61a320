import * as vscode from 'vscode';
import type { Halt } from '../../elicitation/call.ts';
import type { Elicitation } from '../../elicitation/elicitation.ts';
import { validatorFor } from '../../elicitation/form/validate.ts';
import type { JsonObject } from '../../elicitation/json.ts';
import type { Registry } from '../../elicitation/registry.ts';
import type { Subject } from '../calls/subject.ts';
import type { Servers } from '../servers/servers.ts';
import { Attention } from './attention.ts';
import { askWhetherToGoOn, registerHalts } from './decisions/halts.ts';
import { Storms } from './decisions/storms.ts';
import { registerUndelivered } from './decisions/undelivered.ts';
import { askArguments } from './form/argumentsForm.ts';
import type { FormOutcome } from './form/draft.ts';
import { FormElicitations } from './form/formElicitations.ts';
import { type PreviewRequest, previewForm } from './form/preview.ts';
import { registerRefusals } from './refusals.ts';
import { UrlElicitations } from './url/urlElicitations.ts';

/** Everything by which a person is asked: a bundle of its own, loaded before the first server can ask anything. */
export class Asking implements vscode.Disposable {
	readonly urls: UrlElicitations;
	readonly storms: Storms;
	readonly #attention = new Attention();
	readonly #forms: FormElicitations;
	readonly #disposable: vscode.Disposable;

	constructor(
		private readonly extensionUri: vscode.Uri,
		private readonly registry: Registry,
		servers: Servers,
	) {
		this.#forms = new FormElicitations(extensionUri, registry, servers, this.#attention);
		this.urls = new UrlElicitations(extensionUri, registry, servers, this.#attention);
		this.storms = new Storms(registry, (server) => servers.stop(server));
		this.#disposable = vscode.Disposable.from(
			this.#attention,
			this.#forms,
			this.urls,
			this.storms,
			registerHalts(registry),
			registerUndelivered(registry),
			registerRefusals(registry, (refusal) => this.urls.detailsOf(refusal)),
		);
	}

	/** Brings a question to the front. */
	async open(elicitation: Elicitation): Promise<void> {
		if (elicitation.request.mode === 'form') {
			this.#forms.open(elicitation);
		} else {
			await this.urls.ask(elicitation);
		}
	}

	askHalt(halt: Halt): Promise<void> {
		return askWhetherToGoOn(halt);
	}

	askArguments(server: string, subject: Subject): Promise<JsonObject | undefined> {
		const validator = validatorFor(server, this.registry.validator);
		return askArguments(this.extensionUri, validator, this.#attention, server, subject);
	}

	preview(request: PreviewRequest, changed: vscode.Event<PreviewRequest>): Promise<FormOutcome | undefined> {
		return previewForm(this.extensionUri, this.registry.validator, this.#attention, request, changed);
	}

	dispose(): void {
		this.#disposable.dispose();
	}
}
