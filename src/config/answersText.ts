import type { ScriptedAnswer } from '../elicitation/script.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { readAnswers } from './answers.ts';
import { type ConfigProblem, type JsonPath, problemSentence, valueAt } from './problem.ts';
import { diagnosticFor, type JsonDiagnostic, Lines, parseText } from './text.ts';

/** Reads a file of scripted answers. If it is not JSON, every elicitation goes to the user. */
export function readAnswersText(text: string): readonly ScriptedAnswer[] {
	const { value, empty } = parseText(text);
	return readAnswers(empty ? undefined : (value ?? null)).answers;
}

/**
 * Diagnostics of the scripted answers in a text.
 * @param at path of the answers; empty for a file of scripted answers
 */
export function answerDiagnostics(text: string, at: JsonPath): JsonDiagnostic[] {
	const { value, fault, root } = parseText(text);
	const lines = new Lines(text);
	if (fault) {
		// The editor reports syntax errors in settings.
		const message = localizable('This is not JSON: {0} Until it is, every request is left to you.', fault.message);
		const beside = localizable('Until this is JSON, every request is left to you.');
		const span = lines.span(fault.offset, fault.length);
		return at.length > 0 ? [] : [{ span, message, severity: 'error', fault: { beside } }];
	}
	const diagnostic = diagnosticFor(text, root);
	const { problems } = readAnswers(valueAt(value, at));
	return problems.map((problem) =>
		diagnostic({ ...problem, path: [...at, ...problem.path], message: sentenceOf(problem) }),
	);
}

function sentenceOf(problem: ConfigProblem): Sentence {
	const [first, ...rest] = problem.path;
	// Omits the index of an answer in a list, because the position of the diagnostic shows it.
	const path = typeof first === 'number' ? rest : problem.path;
	return path.length === 0
		? localizable('The scripted answer {0}', problem.message)
		: problemSentence({ ...problem, path });
}
