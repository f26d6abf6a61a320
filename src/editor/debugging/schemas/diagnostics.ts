import * as vscode from 'vscode';
import {
	type Change,
	type RequestInText,
	replacementFor,
	requestsIn,
	spansIn,
	type TextKind,
} from '../../../config/schemaText.ts';
import type { JsonDiagnostic, Span } from '../../../config/text.ts';
import { check, type Problem } from '../../../elicitation/check/check.ts';
import { type Edit, placeOf } from '../../../elicitation/check/edit.ts';
import { fixOf } from '../../../elicitation/check/fixes.ts';
import { patternProblems } from '../../../elicitation/check/patterns.ts';
import type { Validator } from '../../../elicitation/form/validate.ts';
import type { Persona } from '../../../elicitation/personas/persona.ts';
import { problemsAs } from '../../../elicitation/personas/problemsAs.ts';
import { pointerNames } from '../../../elicitation/pointer.ts';
import { localizable, type Sentence } from '../../../elicitation/sentence.ts';
import { JsonDiagnostics } from '../../common/jsonDiagnostics.ts';
import type { SchemaReader } from './watchSchemas.ts';

/** Max number of diagnostics per request. */
const MAX_DIAGNOSTICS = 500;

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

/** Shows problems of elicitation schemas in the Problems panel and offers quick fixes. */
export class SchemaDiagnostics implements SchemaReader, vscode.Disposable {
	readonly #shown = new JsonDiagnostics('schemas');
	/** How the texts were checked last. */
	readonly #checked = new Map<string, CheckOptions>();
	readonly #disposable: vscode.Disposable;

	constructor(private readonly validator: Validator) {
		this.#disposable = vscode.Disposable.from(
			this.#shown,
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
		const known = options ?? this.#checked.get(uri) ?? { kind: 'any' };
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
		// A text that has changed meanwhile is checked again.
		if (!document.isClosed && document.version === version) {
			this.#checked.set(uri, known);
			this.#shown.set(
				document.uri,
				checked.flatMap((each) => diagnosticsIn(text, each)),
			);
		}
		return checked;
	}

	forget(document: vscode.TextDocument): void {
		this.#forget(document.uri);
	}

	dispose(): void {
		this.#disposable.dispose();
	}

	#forget(uri: vscode.Uri): void {
		this.#checked.delete(String(uri));
		this.#shown.delete(uri);
	}
}

function isShown(uri: vscode.Uri): boolean {
	return vscode.window.tabGroups.all.some(({ tabs }) =>
		tabs.some(({ input }) => input instanceof vscode.TabInputText && String(input.uri) === String(uri)),
	);
}

function diagnosticsIn(text: string, { request, problems }: CheckedRequest): JsonDiagnostic[] {
	const shown = problems.slice(0, MAX_DIAGNOSTICS);
	const places = shown.map(({ pointer }) => pointerNames(pointer));
	return spansIn(text, request, places).flatMap((span, at) => {
		const problem = shown[at];
		return problem ? [diagnosticOf(text, request, problem, span)] : [];
	});
}

function diagnosticOf(text: string, request: RequestInText, problem: Problem, span: Span): JsonDiagnostic {
	const { severity, rule, section, finding } = problem;
	return {
		span,
		message: sentenceOf(problem),
		severity: severity === 'warning' ? severity : 'information',
		rule: { name: rule, url: section },
		fix: () => {
			const fix = finding && fixOf(request.params, finding);
			return fix && { title: fix.title, edit: replacementFor(text, request, fix.edits.map(changeOf)) };
		},
	};
}

function changeOf(edit: Edit): Change {
	return {
		names: pointerNames(placeOf(edit)),
		...('set' in edit && { value: edit.value }),
		...('rename' in edit && { name: edit.to }),
	};
}

/** What is wrong, how this client handles it, and what to write instead. */
function sentenceOf({ message, handling, advice }: Problem): Sentence {
	return [handling, advice].reduce<Sentence>(
		(whole, more) => (more ? localizable('{0} {1}', whole, more) : whole),
		message,
	);
}
