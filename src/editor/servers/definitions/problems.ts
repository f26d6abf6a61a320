import type * as vscode from 'vscode';
import type { Mark } from '../../../config/text.ts';
import { say } from '../../../elicitation/sentence.ts';
import { loadConfig } from '../../common/loadConfig.ts';
import { openText, registerMarks, unreadable } from '../../common/marks.ts';
import { placeText } from '../configSource.ts';
import type { Configuration, PlaceState } from '../configuration.ts';
import { variablesOf } from '../variables.ts';

/** Says in the Problems panel what is wrong with definitions, at their places, and offers to write what was meant. */
export function registerProblems(configuration: Configuration): vscode.Disposable {
	const files = () =>
		configuration.places.flatMap((state) => {
			const { file } = state.source;
			return file ? [{ file, marks: () => marksOf(configuration, state, file) }] : [];
		});
	return registerMarks('definitions', files, configuration.onDidChange);
}

async function marksOf(
	configuration: Configuration,
	{ source, text: saved, failure, kept }: PlaceState,
	file: vscode.Uri,
): Promise<readonly Mark[]> {
	if (failure !== undefined) {
		return [unreadable(failure)];
	}
	const text = openText(file) ?? saved;
	if (text === undefined) {
		return [];
	}
	const config = await loadConfig();
	return config.marksOf(text, {
		shape: source.shape,
		outer: config.outerInputs(source, configuration.places),
		kept,
		check: (definition) => config.missingVariables(definition, variablesOf(source)),
		note: (name) => {
			const counting = configuration.servers.find((server) => server.name === name)?.source;
			return counting && counting.uri !== source.uri
				? say('"{0}" is also defined in {1}, and only that counts.', name, placeText(counting))
				: undefined;
		},
	});
}
