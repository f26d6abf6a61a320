import * as vscode from 'vscode';
import type { JsonPath } from '../../config/problem.ts';
import { type JsonDiagnostic, placeOf, type Span } from '../../config/text.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { nativeText } from './localize.ts';

const SOURCE = 'MCP Elicitation';

/** Delay after the last keystroke before a text is checked again (ms). */
const TYPING_DELAY = 300;

/** A file and a function that computes its current diagnostics. */
export interface CheckedFile {
	readonly file: vscode.Uri;
	diagnostics(): readonly JsonDiagnostic[];
}

/**
 * Shows diagnostics of JSON files in the Problems panel and offers quick fixes.
 * @param name distinguishes these diagnostics from others of the same files
 * @param onDidChange diagnostics may have changed although the text has not
 */
export function registerJsonDiagnostics(
	name: string,
	files: () => readonly CheckedFile[],
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

/** Converts offsets to a VS Code range. */
export function rangeOf({ start, end }: Span): vscode.Range {
	return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** Selects the value at a path in an editor. */
export function reveal(editor: vscode.TextEditor, path: JsonPath): void {
	const range = rangeOf(placeOf(editor.document.getText(), path));
	editor.selection = new vscode.Selection(range.start, range.end);
	editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Text of a file as open in an editor; undefined if it is not open. */
export function openText(file: vscode.Uri): string | undefined {
	return vscode.workspace.textDocuments.find(({ uri }) => String(uri) === String(file))?.getText();
}

/** Diagnostic for a file that could not be read. */
export function unreadable(failure: string): JsonDiagnostic {
	const start = { line: 0, character: 0 };
	const message = localizable('The file could not be read: {0}', failure);
	return { span: { start, end: start }, message, severity: 'error' };
}

class JsonDiagnostics implements vscode.CodeActionProvider, vscode.Disposable {
	readonly #collection: vscode.DiagnosticCollection;
	readonly #diagnostics = new Map<string, readonly JsonDiagnostic[]>();
	readonly #disposable: vscode.Disposable;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(
		name: string,
		private readonly files: () => readonly CheckedFile[],
		onDidChange: vscode.Event<void>,
	) {
		this.#collection = vscode.languages.createDiagnosticCollection(name);
		const onText = ({ uri }: vscode.TextDocument) => {
			if (files().some(({ file }) => String(file) === String(uri))) {
				clearTimeout(this.#timer);
				this.#timer = setTimeout(() => this.#refresh(), TYPING_DELAY);
			}
		};
		this.#disposable = vscode.Disposable.from(
			this.#collection,
			onDidChange(() => this.#refresh()),
			vscode.workspace.onDidChangeTextDocument(({ document }) => onText(document)),
			vscode.workspace.onDidOpenTextDocument(onText),
			vscode.workspace.onDidCloseTextDocument(onText),
		);
	}

	provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
		const diagnostics = this.#diagnostics.get(String(document.uri)) ?? [];
		return diagnostics.flatMap(({ span, fix }) => {
			const place = rangeOf(span);
			if (!fix || !place.intersection(range)) {
				return [];
			}
			const action = new vscode.CodeAction(nativeText(fix.title), vscode.CodeActionKind.QuickFix);
			const edit = fix.edit();
			action.edit = new vscode.WorkspaceEdit();
			action.edit.replace(document.uri, rangeOf(edit.span), edit.text);
			action.diagnostics = (this.#collection.get(document.uri) ?? []).filter((found) => found.range.isEqual(place));
			action.isPreferred = true;
			return [action];
		});
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#disposable.dispose();
	}

	#refresh(): void {
		const found = this.files().map(({ file, diagnostics }) => [file, diagnostics()] as const);
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
	const diagnostic = new vscode.Diagnostic(rangeOf(span), nativeText(message), SEVERITIES[severity]);
	diagnostic.source = SOURCE;
	return diagnostic;
}

const SEVERITIES = {
	error: vscode.DiagnosticSeverity.Error,
	warning: vscode.DiagnosticSeverity.Warning,
	information: vscode.DiagnosticSeverity.Information,
};
