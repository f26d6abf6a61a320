import * as vscode from 'vscode';
import { onDidChangeSetting, setting } from '../../common/settings.ts';

/** How long somebody has to stop typing before a text is looked at again (milliseconds). */
const PAUSE = 300;

/** Longer files are not looked at by themselves (characters). */
const LONGEST = 1024 * 1024;

/** Only what is in JSON and has this in it is worth to be looked at. */
const SIGN = '"requestedSchema"';

/** Whoever looks at schemas. */
export interface SchemaReader {
	/** It has been looked at before: what was said of it may have become wrong. */
	knows(document: vscode.TextDocument): boolean;
	look(document: vscode.TextDocument): Promise<unknown>;
	forget(document: vscode.TextDocument): void;
}

/**
 * Has the schemas of elicitations in JSON files looked at as they are written, unless the setting `checkSchemas` is off.
 * Nothing is loaded for it as long as there is none.
 * @param loaded the reader, where it is there already
 */
export function watchSchemas(
	loaded: () => SchemaReader | undefined,
	load: () => Promise<SchemaReader>,
	onError: (error: unknown) => void,
): vscode.Disposable {
	const timers = new Map<string, ReturnType<typeof setTimeout>>();
	const look = (document: vscode.TextDocument) => {
		timers.delete(String(document.uri));
		if (!document.isClosed && (loaded()?.knows(document) || (setting('checkSchemas') && hasSchema(document)))) {
			load()
				.then((reader) => reader.look(document))
				.catch(onError);
		}
	};
	const later = (document: vscode.TextDocument) => {
		if (isJson(document)) {
			clearTimeout(timers.get(String(document.uri)));
			timers.set(
				String(document.uri),
				setTimeout(() => look(document), PAUSE),
			);
		}
	};
	const closed = (document: vscode.TextDocument) => loaded()?.forget(document);
	const lookAtAll = () => vscode.workspace.textDocuments.forEach(later);
	lookAtAll();
	return vscode.Disposable.from(
		onDidChangeSetting(['checkSchemas'], () => {
			if (setting('checkSchemas')) {
				lookAtAll();
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

/** A document that a user may write. */
function isJson({ languageId, uri }: vscode.TextDocument): boolean {
	return (
		(languageId === 'json' || languageId === 'jsonc') && ['file', 'untitled', 'vscode-remote'].includes(uri.scheme)
	);
}

function hasSchema(document: vscode.TextDocument): boolean {
	const text = document.getText();
	return text.length <= LONGEST && text.includes(SIGN);
}
