import type * as vscode from 'vscode';
import { shorten } from '../../../elicitation/display.ts';
import { type FromUrl, fromUrl, type ToUrl, type UrlModel } from '../../../protocol.ts';
import { localizeNative } from '../../common/localize.ts';
import { Page } from '../../common/webviewPage.ts';
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
	readonly #page: Page<ToUrl, typeof fromUrl>;
	#resolve!: (choice: 'open' | 'decline' | 'cancel') => void;
	/** Why the request can no longer be settled. */
	#reason: string | undefined;

	constructor(private readonly options: UrlPanelOptions) {
		this.choice = new Promise((resolve) => {
			this.#resolve = resolve;
		});
		const { extensionUri, model, background, userFocus } = options;
		const title = localizeNative('{0}: URL', shorten(model.server, 60));
		this.#page = new Page(extensionUri, { name: 'url', title, background, messages: fromUrl });
		this.#page.onDidMove(() => this.#closeIfOver());
		this.#page.own(userFocus.watch(this));
		this.#page.open({
			show: () => this.#show(),
			receive: ({ type }) => this.#receive(type),
			closed: () => this.#resolve('cancel'),
		});
	}

	get inUse(): boolean {
		return this.#reason === undefined && this.#page.isActive;
	}

	reveal(): void {
		this.#page.reveal();
	}

	/**
	 * The request ended. The panel shows the reason and takes no more actions, until the user closes it or turns to something else.
	 * @returns whether the user can see it
	 */
	end(reason: string): boolean {
		this.#reason = reason;
		this.#page.post({ type: 'over', reason });
		this.#closeIfOver();
		return !this.#page.isClosed;
	}

	#closeIfOver(): void {
		if (this.#reason !== undefined && !this.#page.isVisible) {
			this.dispose();
		}
	}

	dispose(): void {
		this.#page.dispose();
	}

	async #receive(type: FromUrl['type']): Promise<void> {
		if (this.#reason !== undefined) {
			return;
		}
		if (type === 'copy') {
			await this.options.copy();
			this.#page.post({ type: 'copied' });
		} else {
			this.#resolve(type);
		}
	}

	#show(): void {
		this.#page.post({ type: 'show', model: this.options.model });
		// A hidden webview reloads when it is shown again, so send the reason again.
		if (this.#reason !== undefined) {
			this.#page.post({ type: 'over', reason: this.#reason });
		}
	}
}
