import type * as vscode from 'vscode';
import { native } from '../../../elicitation/display.ts';
import { render } from '../../../elicitation/sentence.ts';
import { isTrialsMessage, type ToTrials } from '../../../trialsProtocol.ts';
import { localize, translations } from '../../common/localize.ts';
import { showError } from '../../common/notifications.ts';
import { createPage, type Page } from '../../common/webviewPage.ts';
import type { Table } from './table.ts';

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
	readonly #page: Page;
	readonly #disposables: vscode.Disposable[];
	#disposed = false;

	constructor(
		extensionUri: vscode.Uri,
		private readonly table: Table,
		private readonly actions: PanelActions,
	) {
		const { heading, call } = table.plan;
		this.#page = createPage(extensionUri, {
			name: 'trials',
			title: native(localize('{0}: {1}', call.name, render(heading, localize)), 60),
			background: false,
		});
		const { panel } = this.#page;
		this.#disposables = [
			panel.webview.onDidReceiveMessage((message: unknown) => {
				this.#receive(message).catch(showError);
			}),
			panel.onDidDispose(() => this.#close()),
		];
	}

	/** Sends changes to the webview. */
	update(): void {
		this.#post({ type: 'show', model: this.table.model });
	}

	async #receive(message: unknown): Promise<void> {
		if (!isTrialsMessage(message)) {
			return;
		}
		switch (message.type) {
			case 'ready':
				this.#post({ type: 'show', model: this.table.model, strings: translations() });
				return;
			case 'open':
				await this.actions.open(message.index);
				return;
			case 'copy':
				await this.actions.copy();
				this.#post({ type: 'said', text: localize('Copied without secrets.') });
				return;
			case 'stop':
				this.actions.stop();
		}
	}

	#close(): void {
		this.#disposed = true;
		for (const disposable of this.#disposables) {
			disposable.dispose();
		}
		this.actions.stop();
	}

	#post(message: ToTrials): void {
		if (!this.#disposed) {
			void this.#page.panel.webview.postMessage(message);
		}
	}
}
