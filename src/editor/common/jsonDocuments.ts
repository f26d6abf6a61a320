import * as vscode from 'vscode';

const SCHEME = 'mcp-elicitation';

/** How many documents stay readable after their tab was left; the oldest are forgotten. */
const KEPT = 50;

/** Values as read-only JSON documents. */
export class JsonDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
	readonly #texts = new Map<string, string>();
	readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
	#next = 1;

	/** Shows a value and resolves to its document. */
	open(title: string, value: unknown): Promise<vscode.TextDocument> {
		return show(this.add(title, value));
	}

	/** Shows JSON that is written already, in a tab that stays. */
	async openText(title: string, text: string): Promise<void> {
		await show(this.#keep(title, text), false);
	}

	/** Keeps a value to be read, and says where. */
	add(title: string, value: unknown): vscode.Uri {
		return this.#keep(title, JSON.stringify(value, undefined, 2));
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		return this.#texts.get(uri.path) ?? '';
	}

	dispose(): void {
		this.#registration.dispose();
		this.#texts.clear();
	}

	#keep(title: string, text: string): vscode.Uri {
		// The title is the tab's name and partly server text: only plain characters may become part of a path.
		const name = title.replace(/[^\p{L}\p{N} ._-]+/gu, '_').slice(0, 80);
		const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.#next++}/${name}.json` });
		this.#texts.set(uri.path, text);
		const [oldest] = this.#texts.keys();
		if (this.#texts.size > KEPT && oldest !== undefined) {
			this.#texts.delete(oldest);
		}
		return uri;
	}
}

async function show(uri: vscode.Uri, preview = true): Promise<vscode.TextDocument> {
	const document = await vscode.workspace.openTextDocument(uri);
	await vscode.window.showTextDocument(document, { preview });
	return document;
}
