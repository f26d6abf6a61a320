import type * as vscode from 'vscode';
import { legibleJson, native } from '../../../elicitation/display.ts';
import type { Elicitation, ElicitationResponse } from '../../../elicitation/elicitation.ts';
import { validatorFor } from '../../../elicitation/form/validate.ts';
import { writeJson } from '../../../elicitation/jsonText.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import { render } from '../../../elicitation/sentence.ts';
import { WholeResponse } from '../../../elicitation/wholeResponse.ts';
import { localize } from '../../common/localize.ts';
import type { Servers } from '../../servers/servers.ts';
import type { UserFocus } from '../userFocus.ts';
import { Draft } from './draft.ts';
import { FormPanel } from './formPanel.ts';
import { modelOf, schemaOf } from './presentation.ts';

/** Gives a response later or, without one, never. Resolves to false if the user has changed their mind. */
export type Postpone = (response?: ElicitationResponse) => Promise<boolean>;

/** The forms in which whole responses are written as JSON: one for each request. */
export class WholeResponseForms implements vscode.Disposable {
	readonly #panels = new Map<Elicitation, FormPanel>();

	constructor(
		private readonly extensionUri: vscode.Uri,
		private readonly registry: Registry,
		private readonly servers: Servers,
		private readonly userFocus: UserFocus,
	) {}

	/** Resolves to the response to give now. Undefined if there is none: then the form was closed, or was open before. */
	async write(elicitation: Elicitation, postpone: Postpone): Promise<ElicitationResponse | undefined> {
		const open = this.#panels.get(elicitation);
		if (open) {
			open.reveal();
			return undefined;
		}
		const whole = new WholeResponse(elicitation, validatorFor(elicitation.origin.server, this.registry.validator));
		const panel = this.#open(elicitation, whole, postpone);
		this.#panels.set(elicitation, panel);
		void elicitation.outcome.then(() => {
			const { withdrawal, response } = elicitation;
			if (withdrawal) {
				panel.withdraw(render(withdrawal, localize), response !== undefined);
			} else {
				panel.dispose();
			}
		});
		const outcome = await panel.outcome;
		this.#panels.delete(elicitation);
		if (outcome.action !== 'accept') {
			return undefined;
		}
		this.userFocus.markHandled(elicitation);
		return whole.responseOf(outcome.content);
	}

	dispose(): void {
		for (const panel of this.#panels.values()) {
			panel.dispose();
		}
	}

	#open(elicitation: Elicitation, whole: WholeResponse, postpone: Postpone): FormPanel {
		const { extensionUri, userFocus } = this;
		const { request } = elicitation;
		const asked = { fields: [], schema: request.mode === 'url' ? {} : schemaOf(request) };
		const { blocked: _, ...model } = modelOf(elicitation, asked, this.registry, this.servers);
		const templates = whole.templates.map(({ name, response }) => ({
			name,
			text: legibleJson(writeJson(response, 2)),
		}));
		return new FormPanel({
			extensionUri,
			title: native(localize('Response to {0}', model.server), 60),
			draft: new Draft(whole),
			model: { ...model, pickers: false, templates },
			background: false,
			userFocus,
			postpone: (content) => postpone(content && whole.responseOf(content)),
		});
	}
}
