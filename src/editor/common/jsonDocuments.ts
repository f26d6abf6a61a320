import * as vscode from 'vscode';
import { shorten } from '../../elicitation/display.ts';
import { writeJson } from '../../elicitation/jsonText.ts';
import { dropOldest } from '../../elicitation/limits.ts';

const SCHEME = 'mcp-elicitation';

/** Max number of documents kept after their tab was closed. The oldest are dropped first. */
const MAX_DOCUMENTS = 50;

/** Shows values as read-only JSON documents. */
export class JsonDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
	readonly #texts = new Map<string, string>();
	readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
	#next = 1;

	/** Opens a value and resolves to its document. */
	open(title: string, value: unknown): Promise<vscode.TextDocument> {
		return show(this.add(title, value));
	}

	/** Opens text that is JSON already, in a non-preview tab. */
	async openText(title: string, text: string): Promise<void> {
		await show(this.addText(title, text), false);
	}

	/** Stores a value and returns its URI. */
	add(title: string, value: unknown): vscode.Uri {
		return this.addText(title, writeJson(value, 2));
	}

	/** Stores text that is JSON already and returns its URI. */
	addText(title: string, text: string): vscode.Uri {
		// The title becomes the tab's name and contains server text, so only plain characters are kept in the path.
		const name = shorten(title.replace(/[^\p{L}\p{N} ._-]+/gu, '_'), 80);
		const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.#next++}/${name}.json` });
		this.#texts.set(uri.path, text);
		dropOldest(this.#texts, MAX_DOCUMENTS);
		return uri;
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		return this.#texts.get(uri.path) ?? '';
	}

	dispose(): void {
		this.#registration.dispose();
		this.#texts.clear();
	}
}

async function show(uri: vscode.Uri, preview = true): Promise<vscode.TextDocument> {
	const document = await vscode.workspace.openTextDocument(uri);
	await vscode.window.showTextDocument(document, { preview });
	return document;
}
