import * as vscode from 'vscode';
import { TYPING_DELAY } from '../../common/jsonDiagnostics.ts';
import { onDidChangeSetting, setting } from '../../common/settings.ts';

/** Longer files are not checked automatically (characters). */
const MAX_LENGTH = 1024 * 1024;

/** Only JSON that contains this is checked. */
const MARKER = '"requestedSchema"';

/** Checks the schemas in a document. */
export interface SchemaReader {
	/** True if the document was checked before, so its diagnostics may be outdated. */
	hasChecked(document: vscode.TextDocument): boolean;
	check(document: vscode.TextDocument): Promise<unknown>;
	forget(document: vscode.TextDocument): void;
}

/**
 * Checks elicitation schemas in JSON files while they are edited, unless the setting `checkSchemas` is off. Loads the
 * checker only when a file contains a schema.
 * @param loaded the checker, if it is already loaded
 */
export function watchSchemas(
	loaded: () => SchemaReader | undefined,
	load: () => Promise<SchemaReader>,
	onError: (error: unknown) => void,
): vscode.Disposable {
	const timers = new Map<string, ReturnType<typeof setTimeout>>();
	const check = (document: vscode.TextDocument) => {
		timers.delete(String(document.uri));
		if (!document.isClosed && (loaded()?.hasChecked(document) || (setting('checkSchemas') && hasSchema(document)))) {
			load()
				.then((reader) => reader.check(document))
				.catch(onError);
		}
	};
	const later = (document: vscode.TextDocument) => {
		if (isJson(document)) {
			clearTimeout(timers.get(String(document.uri)));
			timers.set(
				String(document.uri),
				setTimeout(() => check(document), TYPING_DELAY),
			);
		}
	};
	const closed = (document: vscode.TextDocument) => loaded()?.forget(document);
	const checkAll = () => vscode.workspace.textDocuments.forEach(later);
	checkAll();
	return vscode.Disposable.from(
		onDidChangeSetting(['checkSchemas'], () => {
			if (setting('checkSchemas')) {
				checkAll();
			} else {
				vscode.workspace.textDocuments.forEach(closed);
			}
		}),
		vscode.workspace.onDidOpenTextDocument(later),
		vscode.workspace.onDidChangeTextDocument(({ document }) => later(document)),
		vscode.workspace.onDidCloseTextDocument(closed),
		new vscode.Disposable(() => {
			for (const timer of timers.values()) {
				clearTimeout(timer);
			}
		}),
	);
}

/** True for JSON documents that the user can edit. */
function isJson({ languageId, uri }: vscode.TextDocument): boolean {
	return (
		(languageId === 'json' || languageId === 'jsonc') && ['file', 'untitled', 'vscode-remote'].includes(uri.scheme)
	);
}

function hasSchema(document: vscode.TextDocument): boolean {
	const text = document.getText();
	return text.length <= MAX_LENGTH && text.includes(MARKER);
}
