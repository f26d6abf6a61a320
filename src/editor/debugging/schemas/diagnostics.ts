import * as vscode from 'vscode';
import { type RequestInText, replacementFor, requestsIn, spansIn, type TextKind } from '../../../config/schemaText.ts';
import { check, type Problem } from '../../../elicitation/check/check.ts';
import { placeOf } from '../../../elicitation/check/edit.ts';
import { type Fix, fixOf } from '../../../elicitation/check/fixes.ts';
import { patternProblems } from '../../../elicitation/check/patterns.ts';
import type { Validator } from '../../../elicitation/form/validate.ts';
import type { Persona } from '../../../elicitation/personas/persona.ts';
import { problemsAs } from '../../../elicitation/personas/problemsAs.ts';
import { pointerNames } from '../../../elicitation/pointer.ts';
import { localizable, type Sentence } from '../../../elicitation/sentence.ts';
import { rangeOf } from '../../common/jsonDiagnostics.ts';
import { nativeText } from '../../common/localize.ts';
import type { SchemaReader } from './watchSchemas.ts';

const SOURCE = 'MCP Elicitation';

/** Max number of diagnostics per file. */
const MAX_DIAGNOSTICS = 500;

/** Max number of quick fixes at one position. */
const MAX_FIXES = 20;

/** A request in a document, with its problems. */
export interface CheckedRequest {
	readonly request: RequestInText;
	readonly problems: readonly Problem[];
}

/** How a document is checked: what it contains, and for which client; for none in particular if absent. */
export interface CheckOptions {
	readonly kind: TextKind;
	readonly persona?: Persona | undefined;
}

/** The result of the last check of a document. */
interface Checked {
	readonly options: CheckOptions;
	readonly version: number;
	readonly diagnostics: readonly {
		readonly request: RequestInText;
		readonly problem: Problem;
		readonly diagnostic: vscode.Diagnostic;
	}[];
}

/** Shows problems of elicitation schemas in the Problems panel and offers quick fixes. */
export class SchemaDiagnostics implements SchemaReader, vscode.CodeActionProvider, vscode.Disposable {
	readonly #collection = vscode.languages.createDiagnosticCollection('schemas');
	readonly #checked = new Map<string, Checked>();
	readonly #disposable: vscode.Disposable;

	constructor(private readonly validator: Validator) {
		this.#disposable = vscode.Disposable.from(
			vscode.languages.registerCodeActionsProvider([{ language: 'json' }, { language: 'jsonc' }], this, {
				providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
			}),
			// VS Code keeps a document for minutes after its tab was closed.
			vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
				for (const { input } of closed) {
					if (input instanceof vscode.TabInputText && !isShown(input.uri)) {
						this.#forget(input.uri);
					}
				}
			}),
		);
	}

	hasChecked(document: vscode.TextDocument): boolean {
		return this.#checked.has(String(document.uri));
	}

	/** @param options default to those of the last check */
	async check(document: vscode.TextDocument, options?: CheckOptions): Promise<readonly CheckedRequest[]> {
		const uri = String(document.uri);
		const known = options ?? this.#checked.get(uri)?.options ?? { kind: 'any' };
		const { kind, persona } = known;
		const text = document.getText();
		const { version } = document;
		const checked = await Promise.all(
			requestsIn(text, kind).map(async (request): Promise<CheckedRequest> => {
				if (persona) {
					return { request, problems: problemsAs(persona, request.params) };
				}
				const patterns = await patternProblems(request.params, this.validator);
				return { request, problems: [...patterns, ...check(request.params)] };
			}),
		);
		const diagnostics = checked.flatMap(({ request, problems }) => {
			const shownProblems = problems.slice(0, MAX_DIAGNOSTICS);
			const spans = spansIn(
				text,
				request,
				shownProblems.map(({ pointer }) => pointerNames(pointer)),
			);
			return shownProblems.flatMap((problem, index) => {
				const span = spans[index];
				return span ? [{ request, problem, diagnostic: diagnosticOf(problem, rangeOf(span)) }] : [];
			});
		});
		// A text that has changed meanwhile is checked again.
		if (!document.isClosed && document.version === version) {
			this.#checked.set(uri, { options: known, version, diagnostics });
			this.#collection.set(
				document.uri,
				diagnostics.map(({ diagnostic }) => diagnostic),
			);
		}
		return checked;
	}

	forget(document: vscode.TextDocument): void {
		this.#forget(document.uri);
	}

	provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
		const checked = this.#checked.get(String(document.uri));
		if (!checked || checked.version !== document.version) {
			return [];
		}
		const here = checked.diagnostics.filter(({ diagnostic }) => diagnostic.range.intersection(range));
		return here.slice(0, MAX_FIXES).flatMap(({ request, problem, diagnostic }) => {
			const fix = problem.finding && fixOf(request.params, problem.finding);
			return fix ? [this.#action(document, request, fix, diagnostic)] : [];
		});
	}

	dispose(): void {
		this.#disposable.dispose();
		this.#collection.dispose();
	}

	#forget(uri: vscode.Uri): void {
		this.#checked.delete(String(uri));
		this.#collection.delete(uri);
	}

	#action(
		document: vscode.TextDocument,
		request: RequestInText,
		{ title, edits }: Fix,
		diagnostic: vscode.Diagnostic,
	): vscode.CodeAction {
		const action = new vscode.CodeAction(nativeText(title), vscode.CodeActionKind.QuickFix);
		const changes = edits.map((edit) => ({
			names: pointerNames(placeOf(edit)),
			...('set' in edit && { value: edit.value }),
			...('rename' in edit && { name: edit.to }),
		}));
		const replacement = replacementFor(document.getText(), request, changes);
		if (replacement) {
			action.edit = new vscode.WorkspaceEdit();
			action.edit.replace(document.uri, rangeOf(replacement.span), replacement.text);
		}
		action.diagnostics = [diagnostic];
		return action;
	}
}

function isShown(uri: vscode.Uri): boolean {
	return vscode.window.tabGroups.all.some(({ tabs }) =>
		tabs.some(({ input }) => input instanceof vscode.TabInputText && String(input.uri) === String(uri)),
	);
}

function diagnosticOf(problem: Problem, range: vscode.Range): vscode.Diagnostic {
	const severity =
		problem.severity === 'warning' ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Information;
	const diagnostic = new vscode.Diagnostic(range, nativeText(sentenceOf(problem)), severity);
	diagnostic.source = SOURCE;
	diagnostic.code = { value: problem.rule, target: vscode.Uri.parse(problem.section) };
	return diagnostic;
}

/** What is wrong, how this client handles it, and what to write instead. */
function sentenceOf({ message, handling, advice }: Problem): Sentence {
	return [handling, advice].reduce<Sentence>(
		(whole, more) => (more ? localizable('{0} {1}', whole, more) : whole),
		message,
	);
}
