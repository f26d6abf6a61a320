import * as vscode from 'vscode';
import type { JsonDiagnostic, Span } from '../../config/text.ts';
import { localizable, render } from '../../elicitation/sentence.ts';
import { localize } from './localize.ts';

const SOURCE = 'MCP Elicitation';

/** How long somebody has to stop typing before a text is looked at again (milliseconds). */
const PAUSE = 300;

/** A file, and how to find out what is to be said of it now. */
export interface MarkedFile {
	readonly file: vscode.Uri;
	diagnostics(): Promise<readonly JsonDiagnostic[]>;
}

/**
 * Says in the Problems panel what there is to say of files, at its places, and offers to write what was meant.
 * @param name tells these marks from others of the same files
 * @param onDidChange what is to be said may have changed, though the text has not
 */
export function registerJsonDiagnostics(
	name: string,
	files: () => readonly MarkedFile[],
	onDidChange: vscode.Event<void>,
): vscode.Disposable {
	const diagnostics = new JsonDiagnostics(name, files, onDidChange);
	return vscode.Disposable.from(
		diagnostics,
		vscode.languages.registerCodeActionsProvider([{ language: 'json' }, { language: 'jsonc' }], diagnostics, {
			providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
		}),
	);
}

/** A place in a text as the editor counts. */
export function rangeOf({ start, end }: Span): vscode.Range {
	return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** The text of a file as it stands in the editor, where it is open. */
export function openText(file: vscode.Uri): string | undefined {
	return vscode.workspace.textDocuments.find(({ uri }) => String(uri) === String(file))?.getText();
}

/** The mark of a file that could not be read. */
export function unreadable(failure: string): JsonDiagnostic {
	const start = { line: 0, character: 0 };
	const message = localizable('The file could not be read: {0}', failure);
	return { span: { start, end: start }, message, severity: 'error' };
}

class JsonDiagnostics implements vscode.CodeActionProvider, vscode.Disposable {
	readonly #collection: vscode.DiagnosticCollection;
	readonly #diagnostics = new Map<string, readonly JsonDiagnostic[]>();
	readonly #disposables: vscode.Disposable[];
	#timer: ReturnType<typeof setTimeout> | undefined;
	/** Counts the rounds: what an older one finds no longer matters. */
	#round = 0;

	constructor(
		name: string,
		private readonly files: () => readonly MarkedFile[],
		onDidChange: vscode.Event<void>,
	) {
		this.#collection = vscode.languages.createDiagnosticCollection(name);
		const onText = ({ uri }: vscode.TextDocument) => {
			if (files().some(({ file }) => String(file) === String(uri))) {
				clearTimeout(this.#timer);
				this.#timer = setTimeout(() => void this.#refresh(), PAUSE);
			}
		};
		this.#disposables = [
			this.#collection,
			onDidChange(() => void this.#refresh()),
			vscode.workspace.onDidChangeTextDocument(({ document }) => onText(document)),
			vscode.workspace.onDidOpenTextDocument(onText),
			vscode.workspace.onDidCloseTextDocument(onText),
		];
	}

	provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
		const diagnostics = this.#diagnostics.get(String(document.uri)) ?? [];
		return diagnostics.flatMap(({ span, replacement }) => {
			const place = rangeOf(span);
			if (replacement === undefined || !place.intersection(range)) {
				return [];
			}
			const action = new vscode.CodeAction(localize('Change to {0}', replacement), vscode.CodeActionKind.QuickFix);
			action.edit = new vscode.WorkspaceEdit();
			action.edit.replace(document.uri, place, replacement);
			action.diagnostics = (this.#collection.get(document.uri) ?? []).filter((found) => found.range.isEqual(place));
			action.isPreferred = true;
			return [action];
		});
	}

	dispose(): void {
		clearTimeout(this.#timer);
		for (const disposable of this.#disposables) {
			disposable.dispose();
		}
	}

	async #refresh(): Promise<void> {
		const round = ++this.#round;
		const found: [vscode.Uri, readonly JsonDiagnostic[]][] = [];
		for (const { file, diagnostics } of this.files()) {
			found.push([file, await diagnostics()]);
		}
		if (round !== this.#round) {
			return;
		}
		this.#diagnostics.clear();
		this.#collection.forEach((file) => {
			if (!found.some(([other]) => String(other) === String(file))) {
				this.#collection.delete(file);
			}
		});
		for (const [file, diagnostics] of found) {
			this.#diagnostics.set(String(file), diagnostics);
			this.#collection.set(file, diagnostics.map(diagnosticOf));
		}
	}
}

function diagnosticOf({ span, message, severity }: JsonDiagnostic): vscode.Diagnostic {
	const diagnostic = new vscode.Diagnostic(rangeOf(span), render(message, localize), SEVERITIES[severity]);
	diagnostic.source = SOURCE;
	return diagnostic;
}

const SEVERITIES = {
	error: vscode.DiagnosticSeverity.Error,
	warning: vscode.DiagnosticSeverity.Warning,
	information: vscode.DiagnosticSeverity.Information,
};
