import * as vscode from 'vscode';
import type { Redirect } from '../../mcp/index.ts';
import { Answers } from './answers.ts';
import { readQuery } from './query.ts';

const PATH = '/callback';

/** Lets the browser come back through the editor's own URI scheme, which reaches every window, wherever its extensions run. */
export class UriRedirects implements vscode.UriHandler, vscode.Disposable {
	readonly #answers = new Answers();
	readonly #registration = vscode.window.registerUriHandler(this);

	/** @param extension the id of this extension */
	constructor(private readonly extension: string) {}

	async open(): Promise<Redirect> {
		const uri = vscode.Uri.parse(`${vscode.env.uriScheme}://${this.extension}${PATH}`);
		const external = await vscode.env.asExternalUri(uri);
		return {
			// Encoding it once more would make another address of it.
			url: external.toString(true),
			answer: (state, signal) => this.#answers.wait(state, signal),
			dispose: () => {},
		};
	}

	handleUri({ path, query }: vscode.Uri): void {
		if (path === PATH) {
			this.#answers.take(readQuery(query, vscode.env.uiKind === vscode.UIKind.Web));
		}
	}

	dispose(): void {
		this.#registration.dispose();
	}
}
