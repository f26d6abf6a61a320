import type * as vscode from 'vscode';
import { shorten } from '../../../elicitation/display.ts';
import { isUrlMessage, type ToUrl, type UrlModel } from '../../../protocol.ts';
import { localizeNative, translations } from '../../common/localize.ts';
import { showError } from '../../common/notifications.ts';
import { createPage, type Page } from '../../common/webviewPage.ts';
import type { Surface, UserFocus } from '../userFocus.ts';

export interface UrlPanelOptions {
	readonly extensionUri: vscode.Uri;
	readonly model: UrlModel;
	/** Open beside the active editor, without taking the focus. */
	readonly background: boolean;
	readonly userFocus: UserFocus;
	/** Copies the URL to the clipboard without settling the request. */
	copy(): Thenable<void>;
}

/** The webview of one URL. It has exactly one outcome; closing the tab cancels (F14). */
export class UrlPanel implements Surface {
	readonly choice: Promise<'open' | 'decline' | 'cancel'>;
	readonly #page: Page;
	readonly #disposables: vscode.Disposable[];
	#resolve!: (choice: 'open' | 'decline' | 'cancel') => void;
	/** Why the request can no longer be settled. */
	#reason: string | undefined;
	#disposed = false;

	constructor(private readonly options: UrlPanelOptions) {
		this.choice = new Promise((resolve) => {
			this.#resolve = resolve;
		});
		this.#page = createPage(options.extensionUri, {
			name: 'url',
			title: localizeNative('{0}: URL', shorten(options.model.server, 60)),
			background: options.background,
		});
		const { panel } = this.#page;
		this.#disposables = [
			panel.webview.onDidReceiveMessage((message: unknown) => {
				if (isUrlMessage(message)) {
					this.#receive(message.type);
				}
			}),
			panel.onDidDispose(() => this.dispose()),
			panel.onDidChangeViewState(() => this.#closeIfOver()),
			options.userFocus.watch(this),
		];
		// VS Code queues the message until the webview has loaded.
		this.#show();
	}

	get inUse(): boolean {
		return this.#reason === undefined && !this.#disposed && this.#page.isActive();
	}

	reveal(): void {
		this.#page.panel.reveal();
	}

	/**
	 * The request ended. The panel shows the reason and takes no more actions, until the user closes it or turns to something else.
	 * @returns whether the user can see it
	 */
	end(reason: string): boolean {
		this.#reason = reason;
		this.#post({ type: 'over', reason });
		this.#closeIfOver();
		return !this.#disposed;
	}

	#closeIfOver(): void {
		if (this.#reason !== undefined && !this.#page.panel.visible) {
			this.dispose();
		}
	}

	dispose(): void {
		this.#disposed = true;
		this.#resolve('cancel');
		for (const disposable of this.#disposables.splice(0)) {
			disposable.dispose();
		}
		this.#page.panel.dispose();
	}

	#receive(type: 'ready' | 'open' | 'copy' | 'decline' | 'cancel'): void {
		if (type === 'ready') {
			this.#show();
		} else if (this.#reason !== undefined) {
			return;
		} else if (type === 'copy') {
			this.options.copy().then(() => this.#post({ type: 'copied' }), showError);
		} else {
			this.#resolve(type);
		}
	}

	#show(): void {
		this.#post({ type: 'show', model: this.options.model, strings: translations() });
		// A hidden webview reloads when it is shown again, so send the reason again.
		if (this.#reason !== undefined) {
			this.#post({ type: 'over', reason: this.#reason });
		}
	}

	#post(message: ToUrl): void {
		if (!this.#disposed) {
			void this.#page.panel.webview.postMessage(message);
		}
	}
}
