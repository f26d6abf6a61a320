import * as vscode from 'vscode';
import type { Redirect } from '../../../mcp/index.ts';
import { localizeNative } from '../../common/localize.ts';
import { notify } from '../../common/notifications.ts';
import { PendingRedirects, readQuery } from './pendingRedirects.ts';

/** Receives redirects through the editor's URI scheme, which reaches the right window wherever its extensions run. */
export class UriRedirects implements vscode.UriHandler, vscode.Disposable {
	/** Pending sign-ins by path of the redirect URI. */
	readonly #pending = new Map<string, PendingRedirects>();
	readonly #registration = vscode.window.registerUriHandler(this);

	/** @param extension id of this extension */
	constructor(private readonly extension: string) {}

	async open(path: string): Promise<Redirect> {
		const redirects = this.#pending.get(path) ?? new PendingRedirects();
		this.#pending.set(path, redirects);
		const uri = vscode.Uri.parse(`${vscode.env.uriScheme}://${this.extension}${path}`);
		const external = await vscode.env.asExternalUri(uri);
		return {
			// Encoding it again would change the URI.
			url: external.toString(true),
			answer: (state, signal) => redirects.wait(state, signal),
			dispose: () => {},
		};
	}

	handleUri({ path, query }: vscode.Uri): void {
		if (!this.#pending.get(path)?.take(readQuery(query, vscode.env.uiKind === vscode.UIKind.Web))) {
			// The window may have been reloaded since the browser was opened, whose page says that all is done.
			void notify(
				'information',
				localizeNative(
					'No server is waiting for this sign-in. If one still needs it, start the server and sign in again.',
				),
			);
		}
	}

	dispose(): void {
		this.#registration.dispose();
	}
}
