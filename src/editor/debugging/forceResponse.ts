import * as vscode from 'vscode';
import { legibleJson, type NativeText, native } from '../../elicitation/display.ts';
import type { Elicitation, ElicitationResponse } from '../../elicitation/elicitation.ts';
import { afterDelay, FORCED_RESPONDER, neverResponds } from '../../elicitation/forced.ts';
import { validatorFor } from '../../elicitation/form/validate.ts';
import { writeJson } from '../../elicitation/jsonText.ts';
import { render } from '../../elicitation/sentence.ts';
import { WholeResponse } from '../../elicitation/wholeResponse.ts';
import { fullId } from '../common/contributions.ts';
import { localize, localizeNative } from '../common/localize.ts';
import { showError, showProgress } from '../common/notifications.ts';
import { showInputBox } from '../common/surfaces.ts';
import { Draft } from '../elicitations/form/draft.ts';
import { FormPanel } from '../elicitations/form/formPanel.ts';
import { modelOf } from '../elicitations/form/presentation.ts';
import { tellSettled } from '../elicitations/presence.ts';
import type { DebuggingContext } from './debuggingContext.ts';

/** Default and max delay (s). */
const DEFAULT_DELAY = 30;
const MAX_DELAY = 86_400;

/** Sends responses without validation, to test how the server handles them. */
export class ForcedResponses implements vscode.Disposable {
	/** In which they are written. */
	readonly #panels = new Map<Elicitation, FormPanel>();

	constructor(private readonly context: Pick<DebuggingContext, 'extension' | 'registry' | 'servers' | 'presenters'>) {}

	/** The command `forceAnswer`: has the user write the whole response as JSON. */
	async force(elicitation: Elicitation): Promise<void> {
		const open = this.#panels.get(elicitation);
		if (open) {
			open.reveal();
			return;
		}
		const whole = new WholeResponse(
			elicitation,
			validatorFor(elicitation.origin.server, this.context.registry.validator),
		);
		const panel = this.#open(elicitation, whole);
		this.#panels.set(elicitation, panel);
		const outcome = await panel.outcome;
		this.#panels.delete(elicitation);
		const response = outcome.action === 'accept' ? whole.responseOf(outcome.content) : undefined;
		if (response) {
			await this.#send(elicitation, response);
		}
	}

	dispose(): void {
		for (const panel of this.#panels.values()) {
			panel.dispose();
		}
	}

	#open(elicitation: Elicitation, whole: WholeResponse): FormPanel {
		const { extension, registry, servers, presenters } = this.context;
		const { blocked: _, ...model } = modelOf(elicitation, registry, servers);
		const panel = new FormPanel({
			extensionUri: extension.extensionUri,
			title: native(localize('Response to {0}', elicitation.origin.server), 60),
			draft: new Draft(whole),
			model: {
				...model,
				pickers: false,
				templates: whole.templates.map(({ name, response }) => ({ name, text: legibleJson(writeJson(response, 2)) })),
			},
			background: false,
			userFocus: presenters.userFocus,
			postpone: async (response) => {
				const delayed = response && whole.responseOf(response);
				return delayed ? this.#sendLater(elicitation, delayed) : this.#postpone(elicitation);
			},
		});
		void elicitation.outcome.then(() => {
			const { withdrawal, response } = elicitation;
			if (withdrawal) {
				panel.withdraw(render(withdrawal, localize), response !== undefined);
			} else {
				panel.dispose();
			}
		});
		return panel;
	}

	async #send(elicitation: Elicitation, response: ElicitationResponse): Promise<void> {
		const { registry, presenters } = this.context;
		const { autoResponders } = registry;
		presenters.userFocus.markHandled(elicitation);
		await autoResponders.takeOver(elicitation);
		await autoResponders.respond(elicitation, FORCED_RESPONDER, response);
		// It may have ended while the response was checked.
		if (elicitation.responder !== FORCED_RESPONDER) {
			tellSettled(elicitation);
		}
	}

	async #sendLater(elicitation: Elicitation, response: ElicitationResponse): Promise<boolean> {
		const { server } = elicitation.origin;
		const seconds = await askDelay(native(localize('Response to {0}', server), 100));
		return seconds !== undefined && this.#postpone(elicitation, { response, seconds });
	}

	/** Leaves the elicitation to an auto-responder that waits. A notification shows it and can end it. */
	#postpone(
		elicitation: Elicitation,
		later?: { readonly response: ElicitationResponse; readonly seconds: number },
	): boolean {
		if (!elicitation.undecided) {
			return false;
		}
		const { server } = elicitation.origin;
		const title = later
			? localizeNative('{0} is answered only after {1} s.', server, later.seconds)
			: localizeNative('{0} gets no response until you give one.', server);
		elicitation.release();
		const ended = this.context.registry.autoResponders.assign(
			elicitation,
			later ? afterDelay(later.response, later.seconds * 1000) : neverResponds(),
		);
		showProgress(title, (_progress, token) => {
			token.onCancellationRequested(() => takeOver(elicitation));
			return ended;
		}).then(undefined, showError);
		return true;
	}
}

/** Lets the user respond as usual. */
function takeOver({ id }: Elicitation): void {
	vscode.commands.executeCommand(fullId('openElicitation'), id).then(undefined, showError);
}

/** Asks for a delay (s). */
async function askDelay(title: NativeText): Promise<number | undefined> {
	const seconds = await showInputBox({
		title,
		prompt: localize('How many seconds to wait'),
		value: String(DEFAULT_DELAY),
		validateInput: (text) =>
			Number(text) > 0 && Number(text) <= MAX_DELAY ? undefined : localizeNative('A number from 0 to {0}.', MAX_DELAY),
		ignoreFocusOut: true,
	});
	return seconds === undefined ? undefined : Number(seconds);
}
