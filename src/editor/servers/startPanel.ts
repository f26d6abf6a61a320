import type * as vscode from 'vscode';
import { shorten } from '../../elicitation/display.ts';
import { isStartMessage, type StartModel, type ToStart } from '../../protocol.ts';
import { localizeNative, translations } from '../common/localize.ts';
import { createPage, type Page } from '../common/webviewPage.ts';

/** Asks for consent to start a server, in a page that scrolls. It has exactly one outcome; closing the tab declines. */
export class StartPanel {
	readonly choice: Promise<boolean>;
	readonly #page: Page;

	constructor(extensionUri: vscode.Uri, model: StartModel) {
		this.#page = createPage(extensionUri, {
			name: 'start',
			title: localizeNative('{0}: Start', shorten(model.server, 60)),
			background: false,
		});
		const { panel } = this.#page;
		const show = () => {
			const message: ToStart = { type: 'show', model, strings: translations() };
			void panel.webview.postMessage(message);
		};
		this.choice = new Promise((resolve) => {
			panel.onDidDispose(() => resolve(false));
			panel.webview.onDidReceiveMessage((message: unknown) => {
				if (!isStartMessage(message)) {
					return;
				}
				if (message.type === 'ready') {
					show();
					return;
				}
				resolve(message.type === 'start');
				panel.dispose();
			});
		});
		// VS Code queues the message until the webview has loaded.
		show();
	}

	reveal(): void {
		this.#page.panel.reveal();
	}
}
