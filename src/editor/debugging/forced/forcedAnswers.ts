import * as vscode from 'vscode';
import type { AutoResponder } from '../../../elicitation/autoResponders.ts';
import type { NativeText } from '../../../elicitation/display.ts';
import type { Elicitation, ElicitationResponse } from '../../../elicitation/elicitation.ts';
import { afterDelay, FORCED_RESPONDER, neverResponds } from '../../../elicitation/forced.ts';
import type { Registry } from '../../../elicitation/registry.ts';
import type { Commands } from '../../common/commands.ts';
import { fullId } from '../../common/contributions.ts';
import { localizeNative } from '../../common/localize.ts';
import { notify, showError, showProgress } from '../../common/notifications.ts';
import { Drafts } from './drafts.ts';
import { askDelay, askError, chooseResponseKind } from './responsePrompts.ts';

/** Resolves to false if it was too late, of which the user is told. */
type Settle = (decision: ElicitationResponse) => Promise<boolean>;

/** Sends responses without validation, to test how the server handles them. */
export class ForcedAnswers implements vscode.Disposable {
	readonly #drafts: Drafts;

	constructor(
		private readonly registry: Registry,
		private readonly commands: Commands,
	) {
		this.#drafts = new Drafts(registry);
	}

	/** The command `forceAnswer`: run on an elicitation or, from a response that is being edited, to send it. */
	async force(argument: unknown): Promise<void> {
		if (argument instanceof vscode.Uri) {
			await this.#drafts.send(argument);
			return;
		}
		const elicitation = await this.commands.choose('forceAnswer', argument);
		if (elicitation) {
			await this.#answer(elicitation, (decision) => this.#send(elicitation, decision));
		}
	}

	dispose(): void {
		this.#drafts.dispose();
	}

	/** @param settle settles the elicitation; `delayed` if that happens later */
	async #answer(elicitation: Elicitation, settle: Settle, delayed = false): Promise<unknown> {
		const { server } = elicitation.origin;
		const kind = await chooseResponseKind(elicitation, delayed);
		switch (kind) {
			case undefined:
				return;
			case 'accept':
				return elicitation.request.mode === 'url'
					? settle({ action: kind })
					: this.#drafts.open(elicitation, (content) => settle({ action: kind, content }));
			case 'error': {
				const error = await askError(elicitation);
				return error && settle(error);
			}
			case 'delay': {
				const milliseconds = await askDelay(elicitation);
				if (milliseconds !== undefined) {
					const title = localizeNative('{0} is answered only after {1} s.', server, milliseconds / 1000);
					const later: Settle = async (decision) =>
						this.#postpone(elicitation, afterDelay(decision, milliseconds), title);
					await this.#answer(elicitation, later, true);
				}
				return;
			}
			case 'silence':
				return this.#postpone(
					elicitation,
					neverResponds(),
					localizeNative('{0} gets no response until you give one.', server),
				);
			default:
				return settle({ action: kind });
		}
	}

	async #send(elicitation: Elicitation, decision: ElicitationResponse): Promise<boolean> {
		const { autoResponders } = this.registry;
		await autoResponders.takeOver(elicitation);
		if (!elicitation.undecided) {
			return showEnded();
		}
		await autoResponders.respond(elicitation, FORCED_RESPONDER, decision);
		// It may have ended while the response was checked.
		return elicitation.responder === FORCED_RESPONDER || showEnded();
	}

	/** Leaves the elicitation to a delayed auto-responder. A notification shows it and can end it. */
	#postpone(elicitation: Elicitation, answerer: AutoResponder, title: NativeText): boolean {
		if (!elicitation.undecided) {
			return showEnded();
		}
		elicitation.release();
		const ended = this.registry.autoResponders.assign(elicitation, answerer);
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

function showEnded(): false {
	void notify('information', localizeNative('The request has ended: nothing was sent.'));
	return false;
}
