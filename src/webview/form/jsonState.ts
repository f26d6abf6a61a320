import { legibleJson } from '../../elicitation/display.ts';
import type { ShownProblem } from '../../protocol.ts';

/** The exact JSON that will be sent. It follows the form until the user chooses to edit it; from then on it is the answer. */
export interface JsonState {
	readonly text: string;
	/** What the form made of it last. */
	readonly followed: string;
	/** What the form had made of it when the user began to edit; `undefined` while the form is the answer. */
	readonly original: string | undefined;
	/** It does not follow from the newest inputs yet. Nobody can build on something older. */
	readonly isDue: boolean;
	/** JSON is wrong most of the time while it is being typed. What is wrong is shown after a pause, or when it is left. */
	readonly isTyping: boolean;
	/** The latest review of the text: what is wrong with it, and whether the form could show it. */
	readonly problems: readonly ShownProblem[];
	readonly isShowable: boolean;
	/** What is shown of that. */
	readonly shownProblems: readonly ShownProblem[];
	readonly isShownShowable: boolean;
}

export const firstJson: JsonState = {
	text: '',
	followed: '',
	original: undefined,
	isDue: true,
	isTyping: false,
	problems: [],
	isShowable: true,
	shownProblems: [],
	isShownShowable: true,
};

/** The user edits the text instead of the form. @param problems what the form shows as wrong */
export function beginJson({ text, followed }: JsonState, problems: readonly ShownProblem[]): JsonState {
	return { ...firstJson, text, followed, original: followed, isDue: false, problems, shownProblems: problems };
}

/** The form is the answer again. */
export function endJson({ text }: JsonState): JsonState {
	return { ...firstJson, text };
}

/** Shows what the form makes of the inputs. */
export function followForm(json: JsonState, followed: string): JsonState {
	const text = followed === json.followed ? json.text : legibleJson(followed);
	return { ...json, followed, text, isDue: false };
}

/** Shows the latest review of the text: at once if nothing is wrong any more, otherwise unless the user is typing. */
export function showJsonState(json: JsonState): JsonState {
	const { problems, isShowable, isTyping, shownProblems, isShownShowable } = json;
	return {
		...json,
		shownProblems: problems.length === 0 || !isTyping ? problems : shownProblems,
		isShownShowable: isShowable || (isTyping && isShownShowable),
	};
}
