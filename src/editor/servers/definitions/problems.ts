import type * as vscode from 'vscode';
import { outerInputs } from '../../../config/precedence.ts';
import { diagnosticsOf, type JsonDiagnostic } from '../../../config/text.ts';
import { localizable } from '../../../elicitation/sentence.ts';
import { openText, registerJsonDiagnostics, unreadable } from '../../common/jsonDiagnostics.ts';
import { sourceText } from '../configSource.ts';
import type { Configuration, SourceState } from '../configuration.ts';
import { problemsHere } from '../variables.ts';

/** Shows problems of definitions in the Problems panel and offers quick fixes. */
export function registerProblems(configuration: Configuration): vscode.Disposable {
	const files = () =>
		configuration.sources.flatMap((state) => {
			const { file } = state.source;
			return file ? [{ file, diagnostics: () => problemsIn(configuration, state, file) }] : [];
		});
	return registerJsonDiagnostics('definitions', files, configuration.onDidChange);
}

function problemsIn(
	configuration: Configuration,
	{ source, text: saved, failure, kept }: SourceState,
	file: vscode.Uri,
): readonly JsonDiagnostic[] {
	if (failure !== undefined) {
		return [unreadable(failure)];
	}
	const text = openText(file) ?? saved;
	if (text === undefined) {
		return [];
	}
	return diagnosticsOf(text, {
		shape: source.shape,
		outer: outerInputs(source, configuration.sources),
		kept,
		check: (definition) => problemsHere(definition, source),
		note: (name) => {
			const counting = configuration.servers.find((server) => server.name === name)?.source;
			return counting && counting.uri !== source.uri
				? localizable('"{0}" is also defined in {1}; that definition takes precedence.', name, sourceText(counting))
				: undefined;
		},
	});
}
