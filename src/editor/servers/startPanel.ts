import type * as vscode from 'vscode';
import { shorten } from '../../elicitation/display.ts';
import { fromStart, type StartModel, type ToStart } from '../../protocol.ts';
import { localizeNative } from '../common/localize.ts';
import { Page } from '../common/webviewPage.ts';

/** Asks for consent to start a server, in a page that scrolls. It has exactly one outcome; closing the tab declines. */
export class StartPanel {
	readonly choice: Promise<boolean>;
	readonly #page: Page<ToStart, typeof fromStart>;

	constructor(extensionUri: vscode.Uri, model: StartModel) {
		const title = localizeNative('{0}: Start', shorten(model.server, 60));
		const page = new Page<ToStart, typeof fromStart>(extensionUri, {
			...{ name: 'start', title, background: false, messages: fromStart },
		});
		this.#page = page;
		this.choice = new Promise((resolve) => {
			page.open({
				show: () => page.post({ type: 'show', model }),
				receive: ({ type }) => {
					resolve(type === 'start');
					page.dispose();
				},
				closed: () => resolve(false),
			});
		});
	}

	reveal(): void {
		this.#page.reveal();
	}
}
