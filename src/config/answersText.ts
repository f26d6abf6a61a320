import { own } from '../elicitation/json.ts';
import type { ScriptedAnswer } from '../elicitation/script.ts';
import { localizable, type Sentence } from '../elicitation/sentence.ts';
import { readAnswers } from './answers.ts';
import { type ConfigProblem, type JsonPath, problemSentence } from './problem.ts';
import { diagnosticFor, type JsonDiagnostic, Lines, parseText } from './text.ts';

/** The scripted answers of a file of their own. While it is no JSON, every question is left to the user. */
export function readAnswersText(text: string): readonly ScriptedAnswer[] {
	const { value, empty } = parseText(text);
	return readAnswers(empty ? undefined : (value ?? null)).answers;
}

/**
 * Everything that is wrong with the scripted answers of a text, at its places.
 * @param at where they stand in it; nowhere for a file of their own
 */
export function answerDiagnostics(text: string, at: JsonPath): JsonDiagnostic[] {
	const { value, fault, root } = parseText(text);
	const lines = new Lines(text);
	if (fault) {
		// Of settings that are broken the editor itself tells.
		const message = localizable('This is not JSON: {0} Until it is, every question is left to you.', fault.message);
		return at.length > 0 ? [] : [{ span: lines.span(fault.offset, fault.length), message, severity: 'error' }];
	}
	const diagnostic = diagnosticFor(lines, root);
	const answers = at.reduce<unknown>((inner, name) => own(inner, String(name)), value);
	const { problems } = readAnswers(answers);
	return problems.map((problem) =>
		diagnostic({ ...problem, path: [...at, ...problem.path], message: sentenceOf(problem) }),
	);
}

function sentenceOf(problem: ConfigProblem): Sentence {
	const [first, ...rest] = problem.path;
	// Of an answer in a list, its members are named without its number, which its place tells.
	const path = typeof first === 'number' ? rest : problem.path;
	return path.length === 0
		? localizable('The scripted answer {0}', problem.message)
		: problemSentence({ ...problem, path });
}
