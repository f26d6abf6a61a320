import type * as vscode from 'vscode';
import { native } from '../../../elicitation/display.ts';
import { render } from '../../../elicitation/sentence.ts';
import { type FromTrials, fromTrials, type ToTrials } from '../../../trialsProtocol.ts';
import { localize } from '../../common/localize.ts';
import { Page } from '../../common/webviewPage.ts';
import type { TrialsTable } from './trialsTable.ts';

/** Actions of the panel. */
export interface PanelActions {
	/** Shows a row's call in the timeline. */
	open(index: number): Promise<void>;
	/** Copies the table. */
	copy(): Promise<void>;
	/** Stops the runs. Closing the panel does the same. */
	stop(): void;
}

/** A table of test runs, in its own tab. */
export class TrialsPanel {
	readonly #page: Page<ToTrials, typeof fromTrials>;

	constructor(
		extensionUri: vscode.Uri,
		private readonly table: TrialsTable,
		private readonly actions: PanelActions,
	) {
		const { heading, call } = table.trial;
		const title = native(localize('{0}: {1}', call.name, render(heading, localize)), 60);
		this.#page = new Page(extensionUri, { name: 'trials', title, background: false, messages: fromTrials });
		this.#page.open({
			show: () => this.update(),
			receive: (message) => this.#receive(message),
			closed: () => actions.stop(),
		});
	}

	/** Sends changes to the webview. */
	update(): void {
		this.#page.post({ type: 'show', model: this.table.model });
	}

	async #receive(message: FromTrials): Promise<void> {
		switch (message.type) {
			case 'open':
				await this.actions.open(message.index);
				return;
			case 'copy':
				await this.actions.copy();
				this.#page.post({ type: 'said', text: localize('Copied without secrets.') });
				return;
			case 'stop':
				this.actions.stop();
		}
	}
}
