import * as vscode from 'vscode';
import type { JsonPath } from '../../config/problem.ts';
import { type JsonDiagnostic, placeOf, type Span } from '../../config/text.ts';
import { localizable } from '../../elicitation/sentence.ts';
import { nativeText } from './localize.ts';

const SOURCE = 'MCP Elicitation';

/** Delay after the last keystroke before a text is checked again (ms). */
export const TYPING_DELAY = 300;

/** Max number of quick fixes at one position. */
const MAX_FIXES = 20;

/** A file and a function that computes its current diagnostics. */
export interface CheckedFile {
	readonly file: vscode.Uri;
	diagnostics(): readonly JsonDiagnostic[];
}

/** The diagnostics of a text, and its version then if it was open. */
interface ShownDiagnostics {
	readonly uri: vscode.Uri;
	readonly diagnostics: readonly (JsonDiagnostic & { readonly diagnostic: vscode.Diagnostic })[];
	readonly version: number | undefined;
}

/**
 * Keeps the diagnostics of files up to date.
 * @param name distinguishes these diagnostics from others of the same files
 * @param onDidChange diagnostics may have changed although the text has not
 */
export function registerJsonDiagnostics(
	name: string,
	files: () => readonly CheckedFile[],
	onDidChange: vscode.Event<void>,
): vscode.Disposable {
	const shown = new JsonDiagnostics(name);
	let timer: ReturnType<typeof setTimeout> | undefined;
	const refresh = () => shown.setAll(new Map(files().map(({ file, diagnostics }) => [file, diagnostics()])));
	const onText = ({ uri }: vscode.TextDocument) => {
		if (files().some(({ file }) => String(file) === String(uri))) {
			clearTimeout(timer);
			timer = setTimeout(refresh, TYPING_DELAY);
		}
	};
	return vscode.Disposable.from(
		shown,
		onDidChange(refresh),
		vscode.workspace.onDidChangeTextDocument(({ document }) => onText(document)),
		vscode.workspace.onDidOpenTextDocument(onText),
		vscode.workspace.onDidCloseTextDocument(onText),
		new vscode.Disposable(() => clearTimeout(timer)),
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
	return documentOf(file)?.getText();
}

/** Diagnostic for a file that could not be read. */
export function unreadable(failure: string): JsonDiagnostic {
	const start = { line: 0, character: 0 };
	const message = localizable('The file could not be read: {0}', failure);
	return { span: { start, end: start }, message, severity: 'error' };
}

/** Shows diagnostics of JSON texts in the Problems panel, and offers their quick fixes. */
export class JsonDiagnostics implements vscode.CodeActionProvider, vscode.Disposable {
	readonly #collection: vscode.DiagnosticCollection;
	readonly #shown = new Map<string, ShownDiagnostics>();
	readonly #disposable: vscode.Disposable;

	/** @param name distinguishes these diagnostics from others of the same texts */
	constructor(name: string) {
		this.#collection = vscode.languages.createDiagnosticCollection(name);
		this.#disposable = vscode.Disposable.from(
			this.#collection,
			vscode.languages.registerCodeActionsProvider([{ language: 'json' }, { language: 'jsonc' }], this, {
				providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
			}),
		);
	}

	set(uri: vscode.Uri, found: readonly JsonDiagnostic[]): void {
		const isChecked = /^jsonc?$/.test(documentOf(uri)?.languageId ?? '');
		const diagnostics = found
			.flatMap((each) => (isChecked ? besideEditor(each) : each))
			.map((each) => ({ ...each, diagnostic: diagnosticOf(each) }));
		this.#shown.set(String(uri), { uri, diagnostics, version: documentOf(uri)?.version });
		this.#collection.set(
			uri,
			diagnostics.map(({ diagnostic }) => diagnostic),
		);
	}

	delete(uri: vscode.Uri): void {
		this.#shown.delete(String(uri));
		this.#collection.delete(uri);
	}

	/** Shows those of these texts, and of no others. */
	setAll(found: ReadonlyMap<vscode.Uri, readonly JsonDiagnostic[]>): void {
		const kept = new Set([...found.keys()].map(String));
		for (const [key, { uri }] of this.#shown) {
			if (!kept.has(key)) {
				this.delete(uri);
			}
		}
		for (const [uri, diagnostics] of found) {
			this.set(uri, diagnostics);
		}
	}

	provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
		const shown = this.#shown.get(String(document.uri));
		// The places are those of the text as it was when it was checked.
		if (!shown || (shown.version !== undefined && shown.version !== document.version)) {
			return [];
		}
		const here = shown.diagnostics.filter(({ diagnostic }) => diagnostic.range.intersection(range));
		return here.slice(0, MAX_FIXES).flatMap(({ fix, diagnostic }) => {
			const found = fix?.();
			if (!found) {
				return [];
			}
			const action = new vscode.CodeAction(nativeText(found.title), vscode.CodeActionKind.QuickFix);
			action.edit = new vscode.WorkspaceEdit();
			action.edit.replace(document.uri, rangeOf(found.edit.span), found.edit.text);
			action.diagnostics = [diagnostic];
			action.isPreferred = true;
			return [action];
		});
	}

	dispose(): void {
		this.#disposable.dispose();
	}
}

/** What is to be said of a text that the editor checks, too. */
function besideEditor(each: JsonDiagnostic): JsonDiagnostic[] {
	const { fault } = each;
	return fault ? (fault.beside ? [{ ...each, message: fault.beside, severity: 'warning' }] : []) : [each];
}

function documentOf(file: vscode.Uri): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(({ uri }) => String(uri) === String(file));
}

function diagnosticOf({ span, message, severity, rule }: JsonDiagnostic): vscode.Diagnostic {
	const diagnostic = new vscode.Diagnostic(rangeOf(span), nativeText(message), SEVERITIES[severity]);
	diagnostic.source = SOURCE;
	if (rule) {
		diagnostic.code = { value: rule.name, target: vscode.Uri.parse(rule.url) };
	}
	return diagnostic;
}

const SEVERITIES = {
	error: vscode.DiagnosticSeverity.Error,
	warning: vscode.DiagnosticSeverity.Warning,
	information: vscode.DiagnosticSeverity.Information,
};
